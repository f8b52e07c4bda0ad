"""Read a character from TOML, reporting each fault with its line.

``docs/rules/characters.md`` explains every key. ``hub.games.triangle.rules.characters.faults``
says what the rules do not allow; the places of its faults are keys of this layout.
"""

from collections.abc import Collection
from typing import Annotated, Any

from msgspec import UNSET, Meta, field
from msgspec.structs import asdict

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of, faults_of_names
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    Rest,
    Sheet,
    Trait,
    said,
)
from hub.games.triangle.rules.edition import Action, Edition, Energy
from hub.kernel.documents import Document
from hub.kernel.documents.sections import MOST_ENTRIES, STANDS_IN, Section, must_be, read_section
from hub.kernel.faults import Fault

Number = Annotated[int, must_be(Reason("whole-number"), ge=-9_999, le=9_999)]

MoveName = Annotated[str, must_be(Reason("the-move-name"))]
FollowUps = Annotated[tuple[str, ...], must_be(Reason("some-moves"), max_length=MOST_ENTRIES)]


class TraitSection(Section, frozen=True, kw_only=True):
    """The table of a belief, a flaw or a goal in a character file."""

    text: str = ""
    marked: bool = False
    counted: bool = False


class PointsSection(Section, frozen=True, kw_only=True):
    """The table of one energy type in a character file. If ``now`` is missing, the type is at its
    maximum."""

    max: Annotated[Number, Meta(extra={STANDS_IN: 10})]
    now: Number | None = None
    zero: bool = False


class EnergySection(Section, frozen=True, kw_only=True):
    """The table of the three energy types in a character file."""

    attack: Annotated[PointsSection, must_be(Reason("points-4"))]
    defend: Annotated[PointsSection, must_be(Reason("points-3"))]
    grapple: Annotated[PointsSection, must_be(Reason("points-3"))]


class BackgroundSection(Section, frozen=True, kw_only=True):
    """The table of one background in a character file. If ``left`` is missing, all its points are
    left."""

    name: str
    points: Number = 1
    left: Number | None = None


class RestSection(Section, frozen=True, kw_only=True):
    """The table of rests in a character file: whether each was taken since the last full rest."""

    breather: bool = False
    short: bool = False


class SpecialSection(Section, frozen=True, kw_only=True):
    """The table of one special in a character file. ``name`` is the player's own name for it."""

    name: str = ""
    used: bool = False


class CharacterSection(Section, frozen=True, kw_only=True):
    """A whole character file."""

    ruleset: str
    name: str
    level: Annotated[Number, Meta(extra={STANDS_IN: 99})]
    energy: Annotated[EnergySection, must_be(Reason("energy-table"))]
    moves: Annotated[dict[str, MoveName], must_be(Reason("move-table"))]
    npc: bool = False
    style: str = ""
    description: str = ""
    belief: TraitSection = TraitSection()
    flaw: TraitSection = TraitSection()
    goal: TraitSection = TraitSection()
    veto: bool = True
    decided: Number = 0
    dead: bool = False
    sits_out: bool = False
    rested: RestSection = RestSection()
    combos: Annotated[dict[str, FollowUps], must_be(Reason("start-table"))] = field(
        default_factory=dict
    )
    specials: Annotated[dict[str, SpecialSection], must_be(Reason("special-table"))] = field(
        default_factory=dict
    )
    backgrounds: Annotated[tuple[BackgroundSection, ...], must_be(Reason("background-tables"))] = ()


def read_sheet(
    document: Document, party: Collection[Sheet] | None = None, house: Edition | None = None
) -> Sheet:
    """Return the character in ``document``, checked by its book or by ``house`` rules. Its
    combos may start from moves that only allies in ``party`` know. Raises
    :class:`hub.kernel.faults.Faulty` with every fault of layout and rules."""
    sheet = _sheet(document, house)
    found = (*faults_of(sheet, party), *faults_of_names(sheet))
    judged = found if document.sound(("energy",)) else [e for e in found if e.place != ("level",)]
    document.blame_beside(Fault(each.place, said(each)) for each in judged)
    document.check()
    return sheet


def read_layout(document: Document, house: Edition | None = None) -> Sheet:
    """Return the character in ``document`` without checking it by the rules. Raises
    :class:`hub.kernel.faults.Faulty` with every fault of the layout."""
    sheet = _sheet(document, house)
    document.check()
    return sheet


def _sheet(document: Document, house: Edition | None) -> Sheet:
    section = read_section(document, CharacterSection, document.values)
    values = asdict(section) | _energy(section.energy)
    values |= {key: Trait(**asdict(values[key])) for key in ("belief", "flaw", "goal")}
    values |= {
        "rested": tuple(each for each in Rest if getattr(section.rested, each, False)),
        "backgrounds": tuple(
            Background(each.name, each.points, each.points if each.left is None else each.left)
            for each in section.backgrounds
        ),
        "moves": tuple(_move(key, name) for key, name in section.moves.items()),
        "specials": tuple(
            KnownSpecial(key, each.name, each.used) for key, each in section.specials.items()
        ),
        "rules": UNSET if house is None else house,
    }
    return Sheet(**values)


def _move(key: str, name: str) -> KnownMove:
    move_id, _, variant = key.partition(" ")
    return KnownMove(move_id, name, variant)


def _energy(section: EnergySection) -> dict[str, Any]:
    parts: dict[Action, PointsSection] = {each: getattr(section, each) for each in Action}
    now = {each: part.max if part.now is None else part.now for each, part in parts.items()}
    return {
        "max": Energy(**{each.value: part.max for each, part in parts.items()}),
        "energy": Energy(**{each.value: points for each, points in now.items()}),
        "zero": tuple(each for each, part in parts.items() if part.zero),
    }
