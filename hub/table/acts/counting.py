"""Counting out points card by card: points lost or regained, by type.

A player who spreads points over several types may tap a card for each, setting it down and lifting
it. Another card takes the newest point back. The count so far is public, as is the resulting
decision.
"""

from hub.games.game import Choice, IllegalChoice
from hub.kernel.reasons import Reason
from hub.table.acts import decide
from hub.table.fold import scene_of, with_scene
from hub.table.records import Event, Record
from hub.table.signals import Signal
from hub.table.state import SeatFault, TableState
from hub.table.transaction import Transaction


class Counted(Event, frozen=True, kw_only=True, tag="counted"):
    """An actor's count of points changed, by cards tapped one after the other. The card that
    completes the count makes a :class:`Decided` instead."""

    actor: str
    points: tuple[str, ...]
    """The type of each point so far, in the order in which they were counted."""
    total: int
    """How many points are needed."""
    by: str
    """The seat where the point was counted or taken back, or ``gm``."""
    phase: int

    def fold(self, state: TableState, record: Record) -> TableState:
        """Replace the actor's count."""
        scene = scene_of(state)
        counted = {a: tally for a, tally in scene.counted.items() if a != self.actor}
        if self.points:
            counted[self.actor] = scene.rules.tally(scene.game, self.actor, self.points)
        return with_scene(state, counted=counted)


def counter_at(transaction: Transaction, seat: str, card: Choice) -> str | None:
    """The actor of the seat that counts points by this card, if any."""
    scene = transaction.scene
    open_to = (actor for actor in scene.awaited_at(seat) if actor not in scene.chosen())
    return next((a for a in open_to if scene.rules.counts(scene.game, a, card)), None)


def count(transaction: Transaction, seat: str, actor: str, card: Choice) -> Reason | None:
    """Count the points of a tapped card: record the new count, or the decision if they are enough.
    Returns the reason if the card does not count."""
    scene = transaction.scene
    so_far = scene.counted.get(actor)
    points = (*(so_far.points if so_far else ()), *scene.rules.counts(scene.game, actor, card))
    try:
        tally = scene.rules.tally(scene.game, actor, points)
    except IllegalChoice as illegal:
        return illegal.reason
    if tally.choice is not None:
        if why := scene.rules.why_not(scene.game, actor, tally.choice):
            return why
        decide.write_decision(transaction, actor, tally.choice, seat)
        return None
    _tell(transaction, actor, tally.points, tally.total, seat)
    transaction.tell(seat, Signal.COUNTED)
    return None


def take_back_at(transaction: Transaction, seat: str) -> Reason | None:
    """Handle a tap of the card that takes points back. Returns the reason if there is none to take
    back."""
    scene = transaction.scene
    actor = next((each for each in scene.awaited_at(seat) if each in scene.counted), None)
    if actor is None:
        return Reason("nothing-counted")
    take_back(transaction, actor, seat)
    transaction.tell(seat, Signal.TAKEN_BACK)
    return None


def take_back(transaction: Transaction, actor: str, by: str) -> None:
    """Take the newest point back. Raises :class:`SeatFault` if none is counted."""
    tally = transaction.scene.counted.get(actor)
    if tally is None:
        raise SeatFault(Reason("nothing-counted"))
    _tell(transaction, actor, tally.points[:-1], tally.total, by)


def _tell(
    transaction: Transaction, actor: str, points: tuple[str, ...], total: int, by: str
) -> None:
    phase = transaction.scene.phase_no
    transaction.emit(Counted(actor=actor, points=points, total=total, by=by, phase=phase))
