"""The new characters and NPCs that ``facedown init`` writes for the three books."""

from hub.games.triangle.layout import read_sheet
from hub.games.triangle.rules import editions
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet, Trait
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.sheets import samples
from hub.kernel.catalogues import catalogue
from hub.kernel.documents.toml import parse_toml

RULESETS = editions.RULESETS
_FIRST_MOVES = (
    ("attack-high", "attack-mid", "defend-mid", "grapple-low"),
    ("attack-low", "defend-low", "defend-high", "grapple-mid"),
    ("attack-mid", "defend-mid", "grapple-low", "grapple-high"),
)
"""Starting moves if the book lets players choose them. The first player gets the first set, and so
on."""
_OPEN = Trait("…")
"""A trait that its player still has to choose. It reads the same in every language, and pages mark
it as open."""
_FIRST_ENERGY = Energy(attack=4, defend=3, grapple=3)


def told(ruleset: str, language: str) -> tuple[str, str]:
    """The title of a book, and a sentence about the book, in this language."""
    texts = catalogue("setup", language, __package__)
    return texts[ruleset], texts[f"{ruleset}.about"]


def fresh(ruleset: str, name: str, index: int) -> Sheet:
    """A new character whose traits are still open. ``index`` counts the new characters from 0, so
    that each gets other starting moves than the one before, if the book lets players choose."""
    book = editions.EDITIONS[ruleset]
    moves = book.start_moves or _FIRST_MOVES[index % len(_FIRST_MOVES)]
    return Sheet(
        ruleset=book.id,
        name=name,
        level=book.level,
        max=_FIRST_ENERGY,
        energy=_FIRST_ENERGY,
        moves=tuple(KnownMove(move, move.replace("-", " ").title()) for move in moves),
        belief=_OPEN,
        flaw=_OPEN,
    )


def npcs(ruleset: str) -> list[Sheet]:
    """The NPCs of this ruleset among the characters that come with Facedown."""
    sheets = (read_sheet(parse_toml(name, text.encode())) for name, text in samples().items())
    return [sheet for sheet in sheets if sheet.npc and sheet.ruleset == ruleset]
