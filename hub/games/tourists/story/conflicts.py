"""Builds a Conflict from sheets, and updates the sheets after it (T11, T13)."""

from collections.abc import Collection, Iterator, Mapping
from itertools import count
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from hub.games.deeds import Told
from hub.games.game import MAX_WORD_CHARS, SetupError
from hub.games.story import SceneRequest, Staged
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.table import Table
from hub.games.tourists.story.sheet import RULESET, TouristsSheet
from hub.kernel.faults import Fault, Place, shown

PLAYERS = "players"
"""The name of the party of all player characters if the request names no parties."""


class SheetCounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The part of a character's sheet that counts in this Conflict."""

    attribute: str | None = None
    """The name of the Attribute used. None if another character's Attribute counts for the party.
    """
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


class PartyAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A party that the GM asks for in a Conflict, with its characters' names and what counts for
    each."""

    characters: dict[str, SheetCounts]
    goal: str = ""
    gm: bool = False


class TouristsConflictRequest(SceneRequest, frozen=True, kw_only=True, tag="conflict"):
    """The GM's request for a Conflict between the story's characters."""

    parties: Mapping[str, PartyAsked] = {}
    """The parties, in order around the table. Empty means all player characters as one party, and
    each NPC as another, with the best Attribute and all Aspects and Weaknesses of each."""
    draws: Literal["table", "hub"] = "table"


# book: parties-and-goals.established, establishing-control.attribute, reframing.anew, t13.return
def stage(state: Told, request: TouristsConflictRequest) -> Staged:
    """A Conflict prepared from the current sheets. Raises :class:`SetupError` with every fault."""
    parties = request.parties or _everybody(state)
    faults = [*_faults(state, parties)]
    if faults:
        raise SetupError(*faults)
    setup = {
        "draws": request.draws,
        "parties": {n: _party(state, n, p) for n, p in parties.items()},
    }
    return Staged(RULESET, request.title, setup)


# book: counting-losses.carried, reframing.lasting, conceding.restores, t13.reserves
def after_conflict(state: Told, table: Table) -> Told:
    """The story after a Conflict: Reserves are updated, and each Lasting Loss becomes a Weakness of
    the character that bears the Loss (T13). The Weakness has the text that was told, or lists the
    cards that marked the Loss. A number keeps equal texts apart, because each Loss is a separate
    Weakness."""
    conflict = table.conflict
    sheets = dict(state.sheets)
    for who, cards in conflict.reserves.items():
        if who in sheets and who not in table.registering:
            sheets[who] = replace(sheets[who], reserve=cards)
    for losses in conflict.losses.values():
        for loss in losses.lasting:
            sheet = sheets.get(loss.who)
            text = loss.text or f"Lasting Loss {', '.join(map(str, loss.cards))}"
            if sheet:
                text = _told_apart(text, sheet.weaknesses)
                sheets[loss.who] = replace(sheet, weaknesses=(*sheet.weaknesses, text))
    return replace(state, sheets=sheets, stakes="")


def _told_apart(text: str, known: Collection[str]) -> str:
    """``text``, with the first free number from 2 appended if the text is in ``known``."""
    found = text
    for number in count(2):
        if found not in known:
            break
        ending = f" ({number})"
        found = text[: MAX_WORD_CHARS - len(ending)].rstrip() + ending
    return found


def _faults(state: Told, parties: Mapping[str, PartyAsked]) -> Iterator[Fault]:
    placed: set[str] = set()
    for name, party in parties.items():
        for who, counting in party.characters.items():
            at: Place = ("parties", name, "characters", who)
            sheet = state.sheets.get(who)
            if sheet is None or sheet.dead:
                yield Fault(at, Reason("not-of-this-story", who=shown(who)))
                continue
            if who in placed:
                yield Fault(at, Reason("name-twice", who=who))
            placed.add(who)
            yield from _of_sheet(at, sheet, counting)


def _of_sheet(at: Place, sheet: TouristsSheet, counting: SheetCounts) -> Iterator[Fault]:
    if counting.attribute is not None and counting.attribute not in sheet.attributes:
        names = [*sheet.attributes]
        why = Reason("not-one-of", text=shown(counting.attribute), names=names)
        yield Fault((*at, "attribute"), why)
    for key in ("aspects", "weaknesses"):
        able = getattr(sheet, key)
        for text in getattr(counting, key):
            if text not in able:
                why = Reason("not-one-of", text=shown(text), names=[*able])
                yield Fault((*at, key), why)


def _everybody(state: Told) -> dict[str, PartyAsked]:
    able = [sheet for sheet in state.sheets.values() if not sheet.dead]
    players = {sheet.name: _all_of(sheet) for sheet in able if not sheet.npc}
    others = {s.name: PartyAsked({s.name: _all_of(s)}, gm=True) for s in able if s.npc}
    return {**({PLAYERS: PartyAsked(players)} if players else {}), **others}


def _all_of(sheet: TouristsSheet) -> SheetCounts:
    best = max(sheet.attributes, key=lambda name: sheet.attributes[name], default=None)
    return SheetCounts(best, sheet.aspects, sheet.weaknesses)


def _party(state: Told, name: str, party: PartyAsked) -> dict[str, Any]:
    sheets = {
        who: _sheet(state.sheets[who], counting) for who, counting in party.characters.items()
    }
    head = {"goal": party.goal, "gm": party.gm}
    return {**head, **sheets[name]} if [*sheets] == [name] else {**head, "characters": sheets}


def _sheet(sheet: TouristsSheet, counting: SheetCounts) -> dict[str, Any]:
    used = counting.attribute
    values = {"attribute": {"name": used, "value": sheet.attributes[used]}} if used else {}
    reserve = {} if sheet.reserve is None else {"reserve": [*map(str, sheet.reserve)]}
    return {
        **values,
        "aspects": [*counting.aspects],
        "weaknesses": [*counting.weaknesses],
        "reserve_max": sheet.reserve_max,
        **reserve,
    }
