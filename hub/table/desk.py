"""What lies on the readers, when time is due, and the signals that a seat is given."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.rules.game import Choice
from hub.table.sealed import Sealed
from hub.table.state import Phase, Spot, TableState, phase_of


class Signal(StrEnum):
    """What a seat's own lamp and page say. The same for every card that is legal."""

    EMPTY = "empty"
    SEALED = "sealed"
    TAKEN_BACK = "taken-back"
    REFUSED = "refused"
    UNKNOWN = "unknown"
    TWO_CARDS = "two-cards"
    NOT_AWAITED = "not-awaited"


class Tell(Struct, frozen=True):
    """A signal for one seat, with words for its own page alone: they may name its card."""

    seat: str
    signal: Signal
    why: Sealed[str]


def single(spot: Spot) -> Choice | None:
    """The one card that lies there; None if there is none, more than one, or an unknown tag."""
    cards = spot.cards.unseal()
    return cards[0] if len(cards) == 1 else None


def forget(spot: Spot) -> Spot:
    """The spot when what lies there has been dealt with: it must be lifted to mean more."""
    return replace(spot, fresh=False, bound=None)


def next_due(state: TableState) -> int | None:
    """When the next :class:`hub.table.inputs.Tick` is needed (ms since the Unix epoch).

    None when nothing is due: the table then waits without waking.
    """
    scene = state.scene
    phase = phase_of(state)
    if scene is None:
        return None
    if phase is Phase.LOCKED:
        return scene.reveal_at_ms
    return scene.deadline_ms if phase is Phase.SEALED and not scene.deadline_passed else None
