"""The cards on the readers, due times, and the signals given to seats.

*Cross-talk*: a tag that two readers hear, because their fields overlap, is sealed at neither. A
card with a tag at each end counts as one card. A copied tag cannot be told from the original and is
treated the same. A card carried from reader to reader is no cross-talk: one at a time hears it, and
it does not swing back within seconds.

A signal about a reader may depend on which tags are on it and when they came: that is visible at
the table. It never depends on the content of a card laid face down. The exception is a refusal,
which goes to the seat alone. An open card may be told to wait, because all can see it.
"""

from collections.abc import Iterable, Iterator
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import Kind
from hub.kernel.memo import Memo
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed
from hub.table.signals import OF_THE_CARD, TO_BE_LAID_AGAIN, Signal
from hub.table.spots import Desk, Laid, Left, Spot
from hub.table.state import ASKING, Phase, Scene, TableState, phase_of

QUIET_MS = 10_000
"""How long after the last record a reader is reported to see nothing, if the table waits for its
seat alone (ms). The delay spares players who think for a moment."""


ALONE_MS = 1000
"""A tag can be sealed once no other reader has heard it for this long (ms)."""
SWING_MS = 3000
"""A tag swings if it is back at a reader within this time (ms), and was heard by another
meanwhile."""
_WATCHED = ASKING | {Phase.PAUSED}
"""The phases in which a card that was laid at a wrong time is a problem."""
_MADE = Memo()


def departed(before: Spot, laid: tuple[Laid, ...], now_ms: int) -> Sealed[tuple[Left, ...]]:
    """The tags that left a reader recently, given that ``laid`` is on it now."""
    lying = {tag for each in laid for tag in each.tags}
    gone = [Left(each.tag, now_ms) for each in before.laid.unseal() if each.tag not in lying]
    kept = [old for old in before.left.unseal() if _within(old, SWING_MS, now_ms)]
    return Sealed((*kept, *(left for left in gone if left.tag)))


def swings(desk: Desk, seat: str, arrived: Iterable[Laid], now_ms: int) -> tuple[str, ...]:
    """The other seats that a card newly ``arrived`` at ``seat`` swings to and from."""
    own = {old.tag for old in desk[seat].left.unseal() if _within(old, SWING_MS, now_ms)}
    back = {tag for each in arrived if not own.isdisjoint(each.tags) for tag in each.tags}
    if not back:
        return ()
    return tuple(
        other
        for other, spot in desk.items()
        if other != seat
        and any(old.tag in back and _within(old, SWING_MS, now_ms) for old in spot.left.unseal())
    )


def is_heard_elsewhere(state: TableState, desk: Desk, seat: str, laid: Laid, now_ms: int) -> bool:
    """Whether a tag that ``seat``'s reader hears may be at another seat.

    A card of a set that belongs to the seat counts as its own, even if another reader hears it.
    """
    if not laid.tag or laid.owner == seat:
        return False
    others = [spot for other, spot in desk.items() if other != seat]
    return (
        any(left.tag in laid.tags and _within(left, ALONE_MS, now_ms)
            for spot in others for left in spot.left.unseal())
        or seat in crossed(state, desk, laid.tag)
    )  # fmt: skip


def crossed(state: TableState, desk: Desk, tag: str = "") -> set[str]:
    """The seats whose readers hear the same tag now, or between which a tag swings. With ``tag``,
    only those that hear this one.

    A seal counts as its card: if the seal's reader is lost, another reader may still hear the
    tag.
    """
    found: set[str] = set()
    first: dict[str, str] = {}  # tag → the first seat whose reader hears it
    for seat, spot in desk.items():
        for each in spot.laid.unseal():
            for name in each.tags if not tag or tag in each.tags else ():
                if (other := first.setdefault(name, seat)) != seat:
                    found |= {seat, other}
        if spot.swings and not tag:
            found |= {seat, *spot.swings}
    for sealed, seat in _sealed(state) if first else ():
        if (other := first.get(sealed, seat)) != seat:
            found |= {seat, other}
    return found


def _sealed(state: TableState) -> Iterator[tuple[str, str]]:
    """The tag of each current seal, and its seat."""
    scene = state.scene
    if scene is None:
        return
    beside = (seal for seals in scene.beside.values() for seal in seals)
    for seal in (*scene.seals.values(), *beside):
        yield seal.tag(), seal.seat


def _within(left: Left, ms: int, now_ms: int) -> bool:
    return 0 <= now_ms - left.at_ms < ms


class SeatSignal(Struct, frozen=True):
    """A signal for one seat. ``why`` goes to that seat's page only, because it may name the
    card."""

    seat: str
    signal: Signal
    why: Sealed[Reason | None]


def single(spot: Spot) -> Laid | None:
    """The only tag on the reader; None if there is none, or more than one."""
    laid = spot.laid.unseal()
    return laid[0] if len(laid) == 1 else None


def forget(spot: Spot, why: Signal) -> Spot:
    """The spot with its cards handled: they must be lifted before they can mean anything again."""
    dead = Sealed({each.tag: why for each in spot.laid.unseal()})
    notice = why if dead.unseal() else None
    return replace(
        spot, fresh=False, bound=None, dead=dead, notice=notice, swings=(), nothing_seen=False
    )


def matters(state: TableState, desk: Desk) -> dict[str, Signal]:
    """Seat → the problem on its reader. Seats without a problem are left out.

    It follows from the arguments alone, so that a newly opened page and a restarted hub show it
    too. The last result is kept, because each step asks for the problems before and after it.
    """
    return _MADE.of("matters", (state, *desk.values()), partial(_matters, state, desk), [*desk])


def _matters(state: TableState, desk: Desk) -> dict[str, Signal]:
    across, phase = crossed(state, desk), phase_of(state)
    found = {seat: _matter(state, phase, spot, seat, across) for seat, spot in desk.items()}
    return {seat: signal for seat, signal in found.items() if signal is not None}


def quiet(state: TableState, desk: Desk) -> list[str]:
    """Seats where a card may be on the reader unseen, because the radio died before it was laid:
    the reader sees no card, cannot tell a dead radio from an empty field (``blind``), and the
    sealed step waits for this seat alone. The player may also just be thinking."""
    return [seat for seat, spot in desk.items() if spot.blind and _is_quiet(state, spot, seat)]


def quiet_from(state: TableState) -> int:
    """When readers are reported to see nothing (ms since the Unix epoch); see :func:`quiet`."""
    return state.at_ms + QUIET_MS


def _is_quiet(state: TableState, spot: Spot, seat: str) -> bool:
    scene = state.scene
    if scene is None or phase_of(state) is not Phase.SEALED or spot.baseline is not None:
        return False
    waited_for = scene.waits_for()
    here = scene.seats.get(seat, ())
    return not spot.laid.unseal() and bool(waited_for) and set(waited_for) <= {*here}


def seen_until(state: TableState, desk: Desk) -> dict[str, int | None]:
    """Seats whose reader is said to see nothing → when it last saw a tag (Unix ms); None: never."""
    found = matters(state, desk)
    return {s: desk[s].seen_ms for s, said in found.items() if said is Signal.NOTHING_SEEN}


def shown_of(desk: Desk) -> dict[str, tuple[bool, bool, bool]]:
    """Seat → three facts about its reader that pages show and no record tells: whether it answers,
    whether it is blind, and whether cards are written on it."""
    return {s: (spot.answers, spot.blind, spot.writes_cards) for s, spot in desk.items()}


def _matter(
    state: TableState, phase: Phase, spot: Spot, seat: str, across: set[str]
) -> Signal | None:
    if spot.baseline is not None:
        return None
    laid, scene = spot.laid.unseal(), state.scene
    if spot.nothing_seen and _is_quiet(state, spot, seat):
        return Signal.NOTHING_SEEN
    if laid and any(each.owner not in {"", seat} for each in laid):
        return Signal.NOT_YOURS
    if seat in across:
        return Signal.CROSSED
    if scene is None or phase not in _WATCHED:
        return None
    if laid and (spot.notice in OF_THE_CARD or spot.notice is Signal.WAITS):
        return spot.notice
    if scene.pending.kind is Kind.DECISION:
        return None
    if laid and spot.notice in TO_BE_LAID_AGAIN:
        chosen = scene.chosen()
        if any(actor not in chosen for actor in scene.awaited_at(seat)):
            return spot.notice
    return _astray(scene, spot, seat) if scene.seals else None


def _astray(scene: Scene, spot: Spot, seat: str) -> Signal | None:
    """The problem with the seat's sealed card, if it is not on its reader."""
    awaited = scene.awaited_at(seat)
    seal = scene.seals.get(awaited[0]) if len(awaited) == 1 else None
    if seal is None or not seal.tag() or spot.bound or spot.lifted or spot.fresh:
        return None
    laid = spot.laid.unseal()
    if not laid:
        return Signal.GONE
    own = any(each.tag == seal.tag() for each in laid)
    return spot.notice if own else Signal.EXCHANGED


def next_due(state: TableState, desk: Desk) -> int | None:
    """When the next :class:`hub.table.acts.clock.Tick` is needed (ms since the Unix epoch).

    None if nothing is due: the table then waits without waking.
    """
    unsaid = any(not desk[seat].nothing_seen for seat in quiet(state, desk))
    due = [_deadline(state), quiet_from(state) if unsaid else None]
    return min((each for each in due if each is not None), default=None)


def _deadline(state: TableState) -> int | None:
    scene = state.scene
    phase = phase_of(state)
    if scene is None:
        return None
    if phase is Phase.LOCKED:
        return scene.reveal_at_ms
    return scene.deadline_ms if phase is Phase.SEALED and not scene.deadline_passed else None
