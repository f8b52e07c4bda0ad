"""A character from TOML text, with the line of every fault.

``docs/rules/characters.md`` explains every key. What the rules allow is not said here but in
``hub.rules.triangle.characters.faults``, whose places are this layout's keys.
"""

from collections.abc import Collection, Iterator
from typing import Annotated, Any

from msgspec import UNSET, Meta, field

from hub.rules.documents import Document
from hub.rules.documents.sections import STANDS_IN, Section, must_be, read_section
from hub.rules.faults import Fault, Place, written
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.faults import faults_of
from hub.rules.triangle.characters.named import faults_of_names
from hub.rules.triangle.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    Sheet,
    Trait,
    said,
)
from hub.rules.triangle.edition import Action, Edition, Energy
from hub.rules.triangle.reasons import Reason

MOST_ENTRIES = 64
"""Entries of one table or list; no book has half as many moves or specials."""

Number = Annotated[int, must_be(Reason("whole-number"), ge=-9_999, le=9_999)]


class TraitSection(Section, frozen=True, kw_only=True):
    """A belief, a flaw or a goal."""

    text: str = ""
    marked: bool = False
    counted: bool = False


class PointsSection(Section, frozen=True, kw_only=True):
    """One type of energy; without ``now`` it is full."""

    max: Annotated[Number, Meta(extra={STANDS_IN: 10})]
    now: Number | None = None
    zero: bool = False


class EnergySection(Section, frozen=True, kw_only=True):
    """The three types."""

    attack: Annotated[PointsSection, must_be(Reason("points-4"))]
    defend: Annotated[PointsSection, must_be(Reason("points-3"))]
    grapple: Annotated[PointsSection, must_be(Reason("points-3"))]


class BackgroundSection(Section, frozen=True, kw_only=True):
    """One background; without ``left`` nothing of it is spent."""

    name: str
    points: Number = 1
    left: Number | None = None


class RestSection(Section, frozen=True, kw_only=True):
    """The lesser rests taken since the last full one."""

    breather: bool = False
    short: bool = False


class SpecialSection(Section, frozen=True, kw_only=True):
    """One special."""

    name: str = ""
    used: bool = False


class CharacterSection(Section, frozen=True, kw_only=True):
    """The file."""

    ruleset: str
    name: str
    level: Annotated[Number, Meta(extra={STANDS_IN: 99})]
    energy: Annotated[EnergySection, must_be(Reason("energy-table"))]
    moves: Annotated[dict[str, Any], must_be(Reason("move-table"))]
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
    combos: Annotated[dict[str, Any], must_be(Reason("start-table"))] = field(default_factory=dict)
    specials: Annotated[dict[str, Any], must_be(Reason("special-table"))] = field(
        default_factory=dict
    )
    backgrounds: Annotated[tuple[BackgroundSection, ...], must_be(Reason("background-tables"))] = ()


def read_sheet(
    document: Document,
    party: Collection[Sheet] | None = None,
    house: Edition | None = None,
) -> Sheet:
    """The character of a file that was read, by ``house`` rules if there are some. Raises
    :class:`Faulty` with every fault, of the layout and of the rules, where allies in ``party``
    count."""
    sheet = _sheet(document, house)
    found = (*faults_of(sheet, party), *faults_of_names(sheet))
    judged = found if document.sound(("energy",)) else [e for e in found if e.place != ("level",)]
    document.blame_beside(Fault(each.place, said(each)) for each in judged)
    document.check()
    return sheet


def read_layout(document: Document, house: Edition | None = None) -> Sheet:
    """The character as it is written, whether or not the rules allow it. Raises
    :class:`hub.rules.faults.Faulty` with every fault of the layout."""
    sheet = _sheet(document, house)
    document.check()
    return sheet


def _sheet(document: Document, house: Edition | None) -> Sheet:
    section = read_section(document, CharacterSection, document.values)
    return Sheet(
        ruleset=section.ruleset,
        name=section.name,
        level=section.level,
        npc=section.npc,
        style=section.style,
        description=section.description,
        belief=_trait(section.belief),
        flaw=_trait(section.flaw),
        goal=_trait(section.goal),
        veto=section.veto,
        decided=section.decided,
        dead=section.dead,
        sits_out=section.sits_out,
        rested=tuple(each for each in Rest if getattr(section.rested, each, False)),
        backgrounds=tuple(
            Background(each.name, each.points, each.points if each.left is None else each.left)
            for each in section.backgrounds
        ),
        moves=tuple(_moves(document, section.moves)),
        combos=dict(_combos(document, section.combos)),
        specials=tuple(_specials(document, section.specials)),
        rules=UNSET if house is None else house,
        **_energy(section.energy),
    )


def _trait(section: TraitSection) -> Trait:
    return Trait(section.text, section.marked, section.counted)


def _energy(section: EnergySection) -> dict[str, Any]:
    parts: dict[Action, PointsSection] = {each: getattr(section, each) for each in Action}
    now = {each: part.max if part.now is None else part.now for each, part in parts.items()}
    return {
        "max": Energy(**{each.value: part.max for each, part in parts.items()}),
        "energy": Energy(**{each.value: points for each, points in now.items()}),
        "zero": tuple(each for each, part in parts.items() if part.zero),
    }


def _entries(document: Document, key: str, given: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The entries of a table whose keys are free; too many are blamed and not looked at."""
    if len(given) > MOST_ENTRIES:
        document.blame((key,), Reason("too-many-entries", place=key, most=MOST_ENTRIES))
    else:
        yield from given.items()


def _moves(document: Document, given: dict[str, Any]) -> Iterator[KnownMove]:
    for key, name in _entries(document, "moves", given):
        place = ("moves", key)
        if isinstance(name, str):
            move_id, _, variant = key.partition(" ")
            yield KnownMove(move_id, name, variant)
        else:
            document.blame(place, Reason("must-be-move-name", place=written(place)))


def _combos(document: Document, given: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for key, follow_ups in _entries(document, "combos", given):
        place = ("combos", key)
        if (
            isinstance(follow_ups, list)
            and len(follow_ups) <= MOST_ENTRIES
            and all(isinstance(each, str) for each in follow_ups)
        ):
            yield key, tuple(follow_ups)
        else:
            document.blame(place, Reason("must-be-moves", place=written(place)))


def _specials(document: Document, given: dict[str, Any]) -> Iterator[KnownSpecial]:
    for key, value in _entries(document, "specials", given):
        place: Place = ("specials", key)
        section = read_section(document, SpecialSection, value, place)
        if isinstance(value, dict):
            yield KnownSpecial(key, section.name, section.used)
