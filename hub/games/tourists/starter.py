"""The contents of a new table of Conflicts for ``facedown init``: starting characters and NPCs."""

from hub.games.tourists.rules.deck import ATTRIBUTES
from hub.games.tourists.sheets import read_sheet, samples
from hub.games.tourists.story.sheet import RULESET, TouristsSheet
from hub.kernel.catalogues import catalogue
from hub.kernel.documents.toml import parse_toml

RULESETS = (RULESET,)
_FIRST, _SECOND = 4, 3
_RESERVE = 1


def told(ruleset: str, language: str) -> tuple[str, str]:
    """The book's title, and a sentence about the book, in ``language``."""
    texts = catalogue("setup", language, __package__)
    return texts[ruleset], texts[f"{ruleset}.about"]


def fresh(ruleset: str, name: str, index: int) -> TouristsSheet:
    """The starting character of player ``index``, from 0. Each player's character excels in the
    next Attribute. Aspects and Weaknesses are added at the table."""
    suits = [suit.title() for suit in ATTRIBUTES]
    first, second = suits[index % len(suits)], suits[(index + 1) % len(suits)]
    return TouristsSheet(
        ruleset=ruleset,
        name=name,
        attributes={first: _FIRST, second: _SECOND},
        reserve_max=_RESERVE,
    )


def npcs(ruleset: str) -> list[TouristsSheet]:
    """The NPCs among the characters that come with Facedown."""
    sheets = (read_sheet(parse_toml(name, text.encode())) for name, text in samples().items())
    return [sheet for sheet in sheets if sheet.npc]
