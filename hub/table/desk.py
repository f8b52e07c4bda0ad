"""What lies on the readers, when time is due, and the signals that a seat is given.

What is said of a reader may depend on which tags lie there and when they came: anybody at the table
can see that. It never depends on what a card says that was laid face down. Only a refusal does, and
that is for the seat alone; an open card may be told to wait, which anybody may see.
"""

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import Kind
from hub.kernel.reasons import Reason
from hub.table.crossing import crossed
from hub.table.sealed import Sealed
from hub.table.signals import OF_THE_CARD, TO_BE_LAID_AGAIN, Signal
from hub.table.spots import Desk, Laid, Spot
from hub.table.state import ASKING, Phase, TableState, phase_of

QUIET_MS = 10_000
"""So long after the last event it is said of a reader that it sees nothing while all wait for its
seat: players who think for a moment are not disturbed."""


class SeatSignal(Struct, frozen=True):
    """A signal for one seat, with a reason for its own page alone: it may name its card."""

    seat: str
    signal: Signal
    why: Sealed[Reason | None]


def single(spot: Spot) -> Laid | None:
    """The one tag that lies there; None if there is none, or more than one."""
    laid = spot.laid.unseal()
    return laid[0] if len(laid) == 1 else None


def forget(spot: Spot, why: Signal) -> Spot:
    """The spot once what lies there has been dealt with: it has to be lifted before it can mean
    anything again."""
    dead = Sealed({each.tag: why for each in spot.laid.unseal()})
    notice = why if dead.unseal() else None
    return replace(
        spot, fresh=False, bound=None, dead=dead, notice=notice, swings=(), nothing_seen=False
    )


def matters(state: TableState, desk: Desk) -> dict[str, Signal]:
    """What is wrong with what lies on each reader, by seat. Seats where nothing is wrong are left
    out.

    It is worked out anew each time, so a page that was just opened shows it, and so does a hub that
    was just started.
    """
    across = crossed(state, desk)
    found = {seat: _matter(state, spot, seat, across) for seat, spot in desk.items()}
    return {seat: signal for seat, signal in found.items() if signal is not None}


def quiet(state: TableState, desk: Desk) -> list[str]:
    """Seats at which a card may lie that is not seen, because the reader's radio died before it was
    laid: nothing lies there as far as the reader knows, which cannot tell (``blind``), and the
    sealed step waits for this seat alone. Whether its player is only thinking is not known
    either."""
    return [seat for seat, spot in desk.items() if spot.blind and _is_quiet(state, spot, seat)]


def quiet_from(state: TableState) -> int:
    """From when on that is said (ms since the Unix epoch)."""
    return state.at_ms + QUIET_MS


def _is_quiet(state: TableState, spot: Spot, seat: str) -> bool:
    scene = state.scene
    if scene is None or phase_of(state) is not Phase.SEALED or spot.baseline is not None:
        return False
    waited_for = scene.waits_for()
    here = scene.seats.get(seat, ())
    return not spot.laid.unseal() and bool(waited_for) and set(waited_for) <= {*here}


def seen_until(state: TableState, desk: Desk) -> dict[str, int | None]:
    """Of each seat of which it is said that its reader sees nothing, until when it saw a tag; None
    if it has seen none yet."""
    found = matters(state, desk)
    return {s: desk[s].seen_ms for s, said in found.items() if said is Signal.NOTHING_SEEN}


def shown_of(desk: Desk) -> dict[str, tuple[bool, bool, bool]]:
    """What pages show of the readers that no record tells."""
    return {s: (spot.answers, spot.blind, spot.writes_cards) for s, spot in desk.items()}


def _matter(state: TableState, spot: Spot, seat: str, across: set[str]) -> Signal | None:
    if spot.baseline is not None:
        return None
    laid, scene = spot.laid.unseal(), state.scene
    if spot.nothing_seen and _is_quiet(state, spot, seat):
        return Signal.NOTHING_SEEN
    if any(each.owner not in {"", seat} for each in laid):
        return Signal.NOT_YOURS
    if seat in across:
        return Signal.CROSSED
    if scene is None or phase_of(state) not in ASKING | {Phase.PAUSED}:
        return None
    if laid and spot.notice in OF_THE_CARD | {Signal.WAITS}:
        return spot.notice
    if scene.pending.kind is Kind.DECISION:
        return None
    waits = any(actor not in scene.chosen() for actor in scene.awaited_at(seat))
    if laid and waits and spot.notice in TO_BE_LAID_AGAIN:
        return spot.notice
    return _astray(state, spot, seat)


def _astray(state: TableState, spot: Spot, seat: str) -> Signal | None:
    """What is wrong with the card of the seat's seal, if it does not lie there."""
    scene = state.scene
    awaited = scene.awaited_at(seat) if scene else ()
    seal = scene.seals.get(awaited[0]) if scene and len(awaited) == 1 else None
    if seal is None or not seal.tag() or spot.bound or spot.lifted or spot.fresh:
        return None
    laid = spot.laid.unseal()
    if not laid:
        return Signal.GONE
    own = any(each.tag == seal.tag() for each in laid)
    return spot.notice if own else Signal.EXCHANGED


def next_due(state: TableState, desk: Desk) -> int | None:
    """When the next :class:`hub.table.inputs.Tick` is needed (ms since the Unix epoch).

    None when nothing is due: the table then waits without waking.
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
