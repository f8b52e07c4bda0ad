"""Cards that are no choice of whoever is awaited: one that declares something, and one that is laid
early, for a step to come."""

from msgspec.structs import replace

from hub.games.game import Choice
from hub.kernel.reasons import Reason
from hub.table.signals import Signal
from hub.table.transaction import Transaction
from hub.table.views import refusal


def read_aside(transaction: Transaction, seat: str, actor: str | None, card: Choice) -> bool:
    """Whether a card that rests where ``actor`` is the next to choose (None: nobody) is something
    else than that choice: it has been declared, waits, or was refused.

    A choice goes first. Then the first of the seat who may declare it does, awaited or not.
    """
    state, scene = transaction.state, transaction.scene
    pending, playing = scene.pending, scene.seats.get(seat, ())
    if card.kind not in {*pending.asides, *pending.early} or not playing:
        return False
    fits = actor is not None and card.kind in pending.kinds
    why = refusal(state, actor, card) if actor is not None and fits else None
    if fits and why is None:
        return False
    able = playing if card.kind in pending.asides else ()
    reasons = {name: refusal(state, name, card) for name in able}
    declares = next((name for name, reason in reasons.items() if reason is None), None)
    if declares is None and not fits and card.kind in pending.early:
        _let_wait(transaction, seat)
        return True
    transaction.forget(seat, Signal.SEALED)
    if declares is None:
        known = why or next(filter(None, reasons.values()), None)
        transaction.refuse(seat, known or Reason("seat-not-awaited"))
    else:
        transaction.declare(declares, card, seat)
    return True


def _let_wait(transaction: Transaction, seat: str) -> None:
    """A card that was laid early closes nobody's answers: it is read once they are over, if it
    still lies there."""
    spot = transaction.spot(seat)
    if spot.notice is not Signal.WAITS:
        transaction.desk[seat] = replace(spot, notice=Signal.WAITS)
        transaction.tell(seat, Signal.WAITS, Reason("read-when-answered"))
