"""What the GM does to a story: deeds, each one struct and one function. Those of countdowns and
of the stakes, which every story can have, are here, and what every story keeps.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Protocol, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.countdowns import Countdown, CountdownError, Countdowns
from hub.games.game import RulesError
from hub.kernel.bounds import NAME, STAKES
from hub.kernel.faults import MAX_NUMBER, shown
from hub.kernel.reasons import Reason

MAX_DEED_CHARS = 1000
"""Longest written form of a deed."""
MAX_STAKES_CHARS = STAKES.most
Words = Annotated[str, Meta(max_length=MAX_DEED_CHARS)]
Name = Annotated[str, Meta(max_length=NAME.most)]
Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]


class Deed(
    Struct,
    frozen=True,
    kw_only=True,
    tag_field="do",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Something that the GM does to a story; ``do`` says what."""

    def fault(self) -> Reason | None:
        """Why it cannot be said in these words, whatever the story; None if it can."""
        return None


class DeedTo(Deed, frozen=True, kw_only=True):
    """A deed that is done to somebody, or something, with a name."""

    name: Name


class BeginCountdown(DeedTo, frozen=True, kw_only=True, tag="begin-countdown"):
    """A countdown of so many boxes (R15)."""

    boxes: Number

    def fault(self) -> Reason | None:
        """A name or a number that no countdown has."""
        try:
            Countdown(self.name, self.boxes)
        except CountdownError as error:
            return error.reason
        return None


class MarkCountdown(DeedTo, frozen=True, kw_only=True, tag="mark-countdown"):
    """One box more."""


class UnmarkCountdown(DeedTo, frozen=True, kw_only=True, tag="unmark-countdown"):
    """One box less."""


class EraseCountdown(DeedTo, frozen=True, kw_only=True, tag="erase-countdown"):
    """It is gone."""


class Stakes(Deed, frozen=True, kw_only=True, tag="stakes"):
    """What the next scene, or the one being played, is about; without words, nothing."""

    words: Words = ""

    def fault(self) -> Reason | None:
        """Words that are too many."""
        if STAKES.holds(self.words):
            return None
        return Reason("stakes-too-long", most=STAKES.most)


class Wish(DeedTo, frozen=True, kw_only=True, tag="wish"):
    """What a player wants done to a character: another deed, which the GM does or declines. Without
    one, nothing any more."""

    wants: dict[str, Any] | None = None
    """The deed as values."""


class Decline(DeedTo, frozen=True, kw_only=True, tag="decline"):
    """The GM's no to what is wished for a character."""

    because: Words = ""


class Declined(Struct, frozen=True):
    """A wish that the GM did not grant."""

    wants: dict[str, Any]
    because: str = ""


class Person(Protocol):
    """What every sheet says of its character."""

    @property
    def npc(self) -> bool:
        """Whether the GM plays it."""
        ...

    @property
    def dead(self) -> bool:
        """Whether it can no longer stand in a scene."""
        ...


class Told(Struct, frozen=True, kw_only=True):
    """What every story keeps; each family adds its own."""

    sheets: Mapping[str, Any]
    """The :class:`Person` of everybody in the story by name, in order."""
    reserve: Mapping[str, Any] = {}
    """Characters that wait to join, or to replace somebody."""
    heirs: Mapping[str, str] = {}
    """Who replaced somebody, and whom."""
    countdowns: Countdowns = Countdowns()
    stakes: str = ""
    """What the next scene, or the one being played, is about."""
    wishes: Mapping[str, dict[str, Any]] = {}
    """Character → the deed that its player wants done to it."""
    declined: Mapping[str, Declined] = {}
    """Character → what was wished for it last, and not granted."""


StateT = TypeVar("StateT", bound=Told)
Does = Callable[[Any, Any], Any]
"""What a deed does: the state and the deed → the state after it. Raises :class:`RulesError`."""


def _counting(change: Callable[[Countdowns, Any], Countdowns]) -> Does:
    return lambda state, deed: replace(state, countdowns=change(state.countdowns, deed))


COUNTDOWN_DEEDS: Mapping[type[Deed], Does] = {
    BeginCountdown: _counting(lambda each, deed: each.begin(deed.name, deed.boxes)),
    MarkCountdown: _counting(lambda each, deed: each.mark(deed.name)),
    UnmarkCountdown: _counting(lambda each, deed: each.unmark(deed.name)),
    EraseCountdown: _counting(lambda each, deed: each.erase(deed.name)),
}
"""Those that every story knows, and at any time."""


def _stakes(state: StateT, deed: Stakes) -> StateT:
    if (fault := deed.fault()) is not None:
        raise RulesError(fault)
    return replace(state, stakes=deed.words)


STAKES_DEEDS: Mapping[type[Deed], Does] = {Stakes: _stakes}
"""Those of a story in which something is at stake, and that says so."""


def _wish(state: StateT, deed: Wish) -> StateT:
    if deed.wants is None:
        _wished(state, deed.name)
    rest = without_wish(state, deed.name)
    return rest if deed.wants is None else _with_wish(rest, deed.name, deed.wants)


def _with_wish(state: StateT, name: str, wants: dict[str, Any]) -> StateT:
    return replace(state, wishes={**state.wishes, name: wants})


def _decline(state: StateT, deed: Decline) -> StateT:
    no = Declined(_wished(state, deed.name), deed.because.strip())
    rest = without_wish(state, deed.name)
    return replace(rest, declined={**rest.declined, deed.name: no})


def _wished(state: Told, name: str) -> dict[str, Any]:
    if name not in state.wishes:
        raise RulesError(Reason("nothing-wished", who=shown(name)))
    return state.wishes[name]


def without_wish(state: StateT, name: str) -> StateT:
    """The story once what was wished for somebody is done with, whatever came of it."""
    if name not in state.wishes and name not in state.declined:
        return state
    wishes = {who: each for who, each in state.wishes.items() if who != name}
    declined = {who: each for who, each in state.declined.items() if who != name}
    return replace(state, wishes=wishes, declined=declined)


WISH_DEEDS: Mapping[type[Deed], Does] = {Wish: _wish, Decline: _decline}
"""Those of a story in which players may wish for deeds."""


def without_reserve(state: StateT, name: str) -> StateT:
    """The story without somebody in reserve."""
    return replace(state, reserve={k: each for k, each in state.reserve.items() if k != name})


def leave(state: StateT, name: str) -> StateT:
    """The story without an NPC, or without somebody in reserve. Raises :class:`RulesError`."""
    if name in state.reserve:
        return without_reserve(state, name)
    sheet = state.sheets.get(name)
    if sheet is None:
        raise RulesError(Reason("no-npc", name=shown(name)))
    if not sheet.npc:
        raise RulesError(Reason("player-stays", who=name))
    return replace(state, sheets={k: each for k, each in state.sheets.items() if k != name})
