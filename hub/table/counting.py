"""Points that are counted out card by card: what is lost, or regained, by its type.

Whoever spreads points over several types may tap a card for each: set it down and lift it. Another
card takes the newest back. What is counted so far is public, as the decision is that comes of it.
"""

from hub.games.game import Choice, IllegalChoice
from hub.kernel.reasons import Reason
from hub.table import records as r
from hub.table.signals import Signal
from hub.table.state import SeatFault
from hub.table.transaction import Transaction


def counter_at(transaction: Transaction, seat: str, card: Choice) -> str | None:
    """Who of a seat counts something by this card."""
    scene = transaction.scene
    open_to = (actor for actor in scene.awaited_at(seat) if actor not in scene.chosen())
    return next((a for a in open_to if scene.rules.counts(scene.game, a, card)), None)


def count(transaction: Transaction, seat: str, actor: str, card: Choice) -> Reason | None:
    """A card was tapped that counts points: write how far they go now, or decide if they are
    enough. Returns why it does not count, if it does not."""
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
        transaction.decided(actor, tally.choice, seat)
        return None
    _tell(transaction, actor, tally.points, tally.total, seat)
    transaction.tell(seat, Signal.COUNTED)
    return None


def take_back_at(transaction: Transaction, seat: str) -> Reason | None:
    """The card that takes points back was tapped. Returns why there is none, if there is none."""
    scene = transaction.scene
    actor = next((each for each in scene.awaited_at(seat) if each in scene.counted), None)
    if actor is None:
        return Reason("nothing-counted")
    take_back(transaction, actor, seat)
    transaction.tell(seat, Signal.TAKEN_BACK)
    return None


def take_back(transaction: Transaction, actor: str, by: str) -> None:
    """Take the newest point back. Raises :class:`SeatFault` where none is counted."""
    tally = transaction.scene.counted.get(actor)
    if tally is None:
        raise SeatFault(Reason("nothing-counted"))
    _tell(transaction, actor, tally.points[:-1], tally.total, by)


def _tell(
    transaction: Transaction, actor: str, points: tuple[str, ...], total: int, by: str
) -> None:
    phase = transaction.scene.phase_no
    transaction.emit(r.Counted(actor=actor, points=points, total=total, by=by, phase=phase))
