"""What ``facedown init`` writes for the three books: fresh characters, and NPCs."""

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
"""Varied beginnings by a book that leaves the first moves free; each player gets the next."""
_OPEN = Trait("…")
"""To be thought of at the table: in any language, and pages say so."""
_FIRST_ENERGY = Energy(attack=4, defend=3, grapple=3)


def told(ruleset: str, language: str) -> tuple[str, str]:
    """The book's title, and a sentence about it."""
    texts = catalogue("setup", language, __package__)
    return texts[ruleset], texts[f"{ruleset}.about"]


def fresh(ruleset: str, name: str, index: int) -> Sheet:
    """A character as it starts, with everything still to be told."""
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
    """Those of the characters that come with Facedown whom the GM plays."""
    sheets = (read_sheet(parse_toml(name, text.encode())) for name, text in samples().items())
    return [sheet for sheet in sheets if sheet.npc and sheet.ruleset == ruleset]
