"""Deeds: the GM's changes to a story, each one struct and one function.

This module has the deeds that families share (countdowns, stakes, wishes) and the state that every
story keeps.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.countdowns import Countdown, CountdownError, Countdowns
from hub.games.game import RulesError
from hub.kernel.bounds import NAME, STAKES
from hub.kernel.faults import MAX_NUMBER, shown
from hub.kernel.reasons import Reason

MAX_DEED_CHARS = 1000
"""Longest written form of a deed, in characters."""
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
    """A change that the GM makes to a story; ``do`` says which."""

    def fault(self) -> Reason | None:
        """Why the deed is malformed, regardless of the story; None if it is fine."""
        return None


class DeedTo(Deed, frozen=True, kw_only=True):
    """A deed about the character or countdown called ``name``."""

    name: Name


class BeginCountdown(DeedTo, frozen=True, kw_only=True, tag="begin-countdown"):
    """Begin a countdown called ``name`` with this many ``boxes`` (R15)."""

    boxes: Number

    def fault(self) -> Reason | None:
        """Why no countdown can have this name or this many boxes; None if one can."""
        try:
            Countdown(self.name, self.boxes)
        except CountdownError as error:
            return error.reason
        return None


class MarkCountdown(DeedTo, frozen=True, kw_only=True, tag="mark-countdown"):
    """Mark one more box of the countdown called ``name``."""


class UnmarkCountdown(DeedTo, frozen=True, kw_only=True, tag="unmark-countdown"):
    """Take back one mark of the countdown called ``name``."""


class EraseCountdown(DeedTo, frozen=True, kw_only=True, tag="erase-countdown"):
    """Remove the countdown called ``name``."""


class Stakes(Deed, frozen=True, kw_only=True, tag="stakes"):
    """Set the stakes of the current or next scene. Empty words remove them."""

    words: Words = ""

    def fault(self) -> Reason | None:
        """Why the words are refused: too long, or not one printable line. None if they are fine."""
        if STAKES.holds(self.words):
            return None
        return Reason("stakes-too-long", most=STAKES.most)


class Wish(DeedTo, frozen=True, kw_only=True, tag="wish"):
    """A player's wish for a character: a deed that the GM carries out or declines. Without
    ``wants``, the player withdraws the wish."""

    wants: dict[str, Any] | None = None
    """The deed wished for, as JSON values; None withdraws the wish."""


class Decline(DeedTo, frozen=True, kw_only=True, tag="decline"):
    """The GM declines a player's wish for a character. ``because``: the GM's reason; it may be
    empty."""

    because: Words = ""


class Declined(Struct, frozen=True):
    """A wish that the GM declined. ``wants`` is the deed wished for, as JSON values; ``because`` is
    the GM's reason, empty if none was given."""

    wants: dict[str, Any]
    because: str = ""


class Told(Struct, frozen=True, kw_only=True):
    """The state that every story keeps; each family adds its own."""

    sheets: Mapping[str, Any]
    """Each character's sheet by name, in order."""
    reserve: Mapping[str, Any] = {}
    """The sheets of characters waiting to join, or to replace one that died or left, by name."""
    heirs: Mapping[str, str] = {}
    """New character → the character that it replaced."""
    countdowns: Countdowns = Countdowns()
    stakes: str = ""
    """The stakes of the current or next scene; empty if none were set."""
    wishes: Mapping[str, dict[str, Any]] = {}
    """Character → the deed that its player wishes for."""
    declined: Mapping[str, Declined] = {}
    """Character → the player's last wish, if the GM declined it."""


StateT = TypeVar("StateT", bound=Told)
Does = Callable[[Any, Any], Any]
"""The function that carries out a deed: state and deed → new state. Raises :class:`RulesError`."""


def _counting(change: Callable[[Countdowns, Any], Countdowns]) -> Does:
    return lambda state, deed: replace(state, countdowns=change(state.countdowns, deed))


COUNTDOWN_DEEDS: Mapping[type[Deed], Does] = {
    BeginCountdown: _counting(lambda each, deed: each.begin(deed.name, deed.boxes)),
    MarkCountdown: _counting(lambda each, deed: each.mark(deed.name)),
    UnmarkCountdown: _counting(lambda each, deed: each.unmark(deed.name)),
    EraseCountdown: _counting(lambda each, deed: each.erase(deed.name)),
}
"""The countdown deeds, each with its effect. Every story has them, and they can be done at any
time."""


def _stakes(state: StateT, deed: Stakes) -> StateT:
    if (fault := deed.fault()) is not None:
        raise RulesError(fault)
    return replace(state, stakes=deed.words)


STAKES_DEEDS: Mapping[type[Deed], Does] = {Stakes: _stakes}
"""The deeds of stories whose scenes have stakes, each with its effect."""


def _wish(state: StateT, deed: Wish) -> StateT:
    rest = without_wish(state, deed.name)
    if deed.wants is None:
        _wished(state, deed.name)
        return rest
    return replace(rest, wishes={**rest.wishes, deed.name: deed.wants})


def _decline(state: StateT, deed: Decline) -> StateT:
    no = Declined(_wished(state, deed.name), deed.because.strip())
    rest = without_wish(state, deed.name)
    return replace(rest, declined={**rest.declined, deed.name: no})


def _wished(state: Told, name: str) -> dict[str, Any]:
    if name not in state.wishes:
        raise RulesError(Reason("nothing-wished", who=shown(name)))
    return state.wishes[name]


def without_wish(state: StateT, name: str) -> StateT:
    """The story's state without the character's wish, and without the GM's refusal of it."""
    if name not in state.wishes and name not in state.declined:
        return state
    wishes = {who: each for who, each in state.wishes.items() if who != name}
    declined = {who: each for who, each in state.declined.items() if who != name}
    return replace(state, wishes=wishes, declined=declined)


WISH_DEEDS: Mapping[type[Deed], Does] = {Wish: _wish, Decline: _decline}
"""The deeds of stories in which players may make wishes, each with its effect."""
COMMON_DEEDS: Mapping[type[Deed], Does] = {**COUNTDOWN_DEEDS, **STAKES_DEEDS, **WISH_DEEDS}


def everybody(state: Told) -> Iterator[Any]:
    """Yield all sheets of a story, those in reserve included."""
    yield from state.sheets.values()
    yield from state.reserve.values()


def without_reserve(state: StateT, name: str) -> StateT:
    """The story's state without this character in reserve."""
    return replace(state, reserve={k: each for k, each in state.reserve.items() if k != name})


def leave(state: StateT, name: str) -> StateT:
    """The story's state without an NPC or a reserve character. Raises :class:`RulesError` for any
    other name."""
    if name in state.reserve:
        return without_reserve(state, name)
    sheet = state.sheets.get(name)
    if sheet is None:
        raise RulesError(Reason("no-npc", name=shown(name)))
    if not sheet.npc:
        raise RulesError(Reason("player-stays", who=name))
    return replace(state, sheets={k: each for k, each in state.sheets.items() if k != name})
