"""Cards that are not the awaited choice: declarations, and cards laid early for a later step."""

from msgspec.structs import replace

from hub.games.game import Choice
from hub.kernel.reasons import Reason
from hub.table.signals import Signal
from hub.table.transaction import Transaction
from hub.table.views import refusal


def read_side_card(transaction: Transaction, seat: str, actor: str | None, card: Choice) -> bool:
    """Whether the card was read as something other than the choice of ``actor``: it was declared,
    waits for a later step, or was refused. ``actor`` is the next one at the seat to choose, if any.

    A choice takes precedence. Otherwise the first actor of the seat that may declare the card does
    so, awaited or not.
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
    """Keep a card that was laid early: the reader reads it after this step, unless it is lifted."""
    spot = transaction.spot(seat)
    if spot.notice is not Signal.WAITS:
        transaction.desk[seat] = replace(spot, notice=Signal.WAITS)
        transaction.tell(seat, Signal.WAITS, Reason("read-when-answered"))
