"""The contents of a new table of Tricube Tales for ``facedown init``: starting characters. Foes
have no sheets."""

from hub.games.family import Sheet
from hub.games.tricube.rules.character import STYLE_OF, Trait
from hub.games.tricube.story.sheet import RULESET, TaleSheet
from hub.kernel.catalogues import catalogue

RULESETS = (RULESET,)
_OPEN = "…"
"""A placeholder for a text to be decided at the table."""


def told(ruleset: str, language: str) -> tuple[str, str]:
    """The book's title, and a sentence about the book, in ``language``."""
    texts = catalogue("setup", language, __package__)
    return texts[ruleset], texts[f"{ruleset}.about"]


def fresh(ruleset: str, name: str, index: int) -> TaleSheet:
    """The starting character of player ``index``, from 0. The players get the traits in turn.
    Concept, perks and quirks are added at the table."""
    trait = [*Trait][index % len(Trait)]
    return TaleSheet(name=name, trait=trait, concept=_OPEN, style=STYLE_OF[trait])


def npcs(ruleset: str) -> tuple[Sheet, ...]:
    """The starting NPCs: none, because foes are challenges."""
    return ()
