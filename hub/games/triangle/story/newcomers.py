"""Characters that enter a running story. NPCs join at once; player characters go into the reserve
until they join the party or replace a dead character.

An NPC's abilities are not public, so its sheet is recorded apart from its name: see
:class:`hub.games.story.Newcomer`.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import DeedTo, Name, Number, without_reserve
from hub.games.game import RulesError, SetupError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.faults import faults_of, naming_faults, new_names
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet, as_values, said
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.overrules.people import MOST_CARDS
from hub.games.triangle.rules.setup import MAX_CHARACTERS
from hub.games.triangle.story.state import StoryState
from hub.kernel.faults import Fault, shown

LIKE = "like"
_FULL = Reason("story-full", most=MAX_CHARACTERS)
_NUMBERED = re.compile(r" \d+$")


class Npc(DeedTo, frozen=True, kw_only=True, tag="npc"):
    """A new NPC: a copy of another one, or one described by the other fields."""

    like: Name = ""
    """The NPC whose sheet the new one copies; all other fields are then ignored."""
    energy: Energy = Energy()
    moves: Annotated[tuple[KnownMove, ...], Meta(max_length=MOST_CARDS)] = ()
    specials: Annotated[tuple[Name, ...], Meta(max_length=MOST_CARDS)] = ()
    level: Number | None = None
    """The NPC's level; None means the starting level of the book."""


def given(deed: Npc) -> dict[str, Any]:
    """Return a deed's NPC in the form that :func:`newcomer` takes. Raises :class:`RulesError` if
    the NPC is described without energy."""
    if deed.like:
        return {"name": deed.name, LIKE: deed.like}
    if not deed.energy.total:
        raise RulesError(Reason("npc-without-energy"))
    points, moves = msgspec.to_builtins(deed.energy), msgspec.to_builtins(deed.moves)
    sheet = {"name": deed.name, "max": points, "energy": points, "moves": moves}
    sheet["specials"] = [{"id": each} for each in deed.specials]
    return sheet if deed.level is None else {**sheet, "level": deed.level}


def newcomer(state: StoryState, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the whole sheet, as JSON values, of a character who can join the story. ``given``
    holds a sheet's values, or a ``name`` and the NPC that it is ``like``. Raises
    :class:`SetupError` with every fault."""
    if LIKE in given:
        sheet = _alike(state, str(given[LIKE]), str(given["name"]))
    else:
        known = {"ruleset": state.ruleset, "npc": True, "level": state.book.level}
        sheet = _sheet(state, {**known, **given})
    faults = [*sheet_faults(sheet, state.ruleset)]
    if sheet.dead:
        faults.append(Reason("dead", who=sheet.name))
    taken = {*state.sheets, *state.reserve, *state.heirs.values()}
    if sheet.name in taken:
        faults.append(Reason("in-story-already", who=sheet.name))
    faults += naming_faults([sheet.name], taken)
    if LIKE not in given:
        faults += new_names(None, sheet)
    if len(state.sheets if sheet.npc else state.reserve) >= MAX_CHARACTERS:
        faults.append(_FULL)
    if faults:
        raise SetupError(*(Fault((), why) for why in faults))
    return as_values(sheet)


def _alike(state: StoryState, like: str, name: str) -> Sheet:
    """A fresh copy of the NPC ``like``, from the story or its reserve, with another name."""
    pattern = state.sheets.get(like) or state.reserve.get(like)
    if pattern is None or not pattern.npc:
        raise SetupError(Fault((), Reason("no-npc-like", name=shown(like))))
    return replace(
        pattern,
        name=name,
        energy=pattern.max,
        zero=(),
        rested=(),
        specials=tuple(replace(each, used=False) for each in pattern.specials),
        sits_out=False,
        dead=False,
    )


def sheet_faults(sheet: Sheet, ruleset: str) -> Iterator[Reason]:
    """Yield the reasons against a sheet in a story of ``ruleset``: its faults, and a wrong
    ruleset."""
    yield from map(said, faults_of(sheet))
    if sheet.ruleset != ruleset:
        yield Reason("wrong-story", book=shown(sheet.ruleset), ruleset=ruleset)


def join(state: StoryState, sheet: Mapping[str, Any]) -> StoryState:
    """Return the story with one more character, whose sheet :func:`newcomer` returned."""
    came = _sheet(state, sheet)
    if came.npc:
        return state.with_sheets([came])
    return replace(state, reserve={**state.reserve, came.name: came})


def enter(state: StoryState, name: str) -> StoryState:
    """Return the story with a player character moved from the reserve to the party. Raises
    :class:`RulesError` if no such character is in reserve, or the story is full."""
    sheet = state.reserve.get(name)
    if sheet is None or sheet.npc:
        waiting = [*waiting_players(state)] or Reason("nobody")
        raise RulesError(Reason("not-in-reserve", who=shown(name), names=waiting))
    if len(state.sheets) >= MAX_CHARACTERS:
        raise RulesError(_FULL)
    return without_reserve(state.with_sheets([sheet]), name)


def waiting_players(state: StoryState) -> tuple[str, ...]:
    """The names of the player characters in reserve."""
    return tuple(name for name, sheet in state.reserve.items() if not sheet.npc)


def _sheet(state: StoryState, values: Mapping[str, Any]) -> Sheet:
    try:
        return replace(msgspec.convert(values, Sheet), rules=state.rules)
    except msgspec.ValidationError as error:
        raise SetupError(Fault((), Reason("no-such-sheet", why=str(error)))) from None


def one_more(state: StoryState) -> Iterator[Npc]:
    """Yield, for each sort of NPC, a deed that adds one more: Guard 2, like Guard."""
    sorts: dict[str, str] = {}
    for sheet in (*state.sheets.values(), *state.reserve.values()):
        if sheet.npc:
            sorts.setdefault(_NUMBERED.sub("", sheet.name), sheet.name)
    taken = {*state.sheets, *state.reserve, *state.heirs.values()}
    for sort, pattern in sorts.items():
        free = next(name for n in count(2) if (name := f"{sort} {n}") not in taken)
        yield Npc(name=free, like=pattern)
