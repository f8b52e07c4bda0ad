"""A Conflict as ``facedown resolve`` prints it: JSON values, with names in the order of the
parties."""

from typing import Any

from hub.games.tourists.rules.conflict import FOREGONE, Conflict, Control, Losses
from hub.games.tourists.rules.ending import earned


def opening_object(conflict: Conflict, number: int) -> dict[str, Any]:
    """The opening of a Conflict; ``number`` counts from 1."""
    parties = conflict.parties.values()
    typical = sum(len(each.sheets) for each in parties if not each.gm)
    control = conflict.control
    return {
        "conflict": number,
        "totals": {each.name: each.total for each in parties},
        "control": _control(control),
        "foregone": control is not None and control.ranks >= FOREGONE,
        "typical_reserve": {each.name: typical for each in parties if each.gm},
    }


def round_object(conflict: Conflict, number: int, *, reframed: bool) -> dict[str, Any]:
    """A finished round and the state of the Conflict after it."""
    now = conflict.playing()
    dominant = now.dominant
    found: dict[str, Any] = {
        "round": number,
        "kind": "unbalanced" if dominant else "balance-breaker",
        "dominant": dominant,
        "outcome": str(now.outcome),
        "by": [*now.by],
        "cards": {name: [str(card) for card in now.cards(name)] for name in now.laid},
        "tokens": {"had": now.tokens, "spent": now.spent} if dominant else None,
        "winners": [*now.winners],
        "losers": [*now.losers],
        "wiped_out": [name for name in now.laid if name in now.wiped_out],
        "losses": {
            name: {
                "kind": "temporary" if each.gravity is None else "lasting",
                "gravity": each.gravity,
                "who": each.who,
                "cards": [*each.cards],
                "text": each.text,
            }
            for name, each in now.suffered.items()
        },
        "narrate": [*now.narrate],
        "control": _control(conflict.control),
        "table": {name: _losses(conflict.losses[name]) for name in conflict.parties_in()},
        "reserve": {
            who: [str(card) for card in cards]
            for who, cards in conflict.reserves.items()
            if conflict.is_in(who)
        },
        "out": {name: str(conflict.out[name]) for name in conflict.parties if name in conflict.out},
        "conceded": [who for who in conflict.reserves if who in conflict.conceded],
    }
    return found | what_lasts(conflict) if reframed else found


def closing_object(conflict: Conflict) -> dict[str, Any]:
    """The result of the Conflict, or a note that it goes on."""
    if not conflict.over:
        return {"over": False}
    winner = next(iter(conflict.parties_in()), None)
    reason = "last-standing" if winner is not None else "all-conceded"
    return {"over": True, "winner": winner, "reason": reason} | what_lasts(conflict)


def what_lasts(conflict: Conflict) -> dict[str, Any]:
    """The lasting results of a Conflict: Lasting Losses carried over, and the number of Reserve
    Cards that each character that conceded draws (T11, T13)."""
    return {
        "carried": {
            name: [
                {"who": each.who, "gravity": each.gravity, "text": each.text}
                for each in losses.lasting
            ]
            for name, losses in conflict.losses.items()
            if losses.lasting
        },
        "draw": earned(conflict),
    }


def _control(control: Control | None) -> dict[str, Any] | None:
    return {"party": control.party, "ranks": control.ranks} if control else None


def _losses(losses: Losses) -> dict[str, Any]:
    return {
        "temporary": [*losses.temporary],
        "lasting": [
            {
                "cards": [*each.cards],
                "face_down": [card for card in each.cards if card in each.face_down],
            }
            for each in losses.lasting
        ],
    }
