"""The format of the toy's scenes for ``facedown resolve``: rounds with their dice."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from hub.kernel.documents import Document
from hub.kernel.reasons import put

from .rules import DICE, RULESET, SIDES, Reach, read_setup, settled

RULESETS = (RULESET,)


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.games.family.Script`."""
    given = document.table(document.values, (), ("number", "players", "rounds"), ("ruleset",))
    rounds = document.items(given.pop("rounds", ()), ("rounds",))
    state = read_setup(document, given)
    document.check()
    for index, written in enumerate(rounds):
        place = ("rounds", index)
        read = document.table(written, place, ("throws",), ("spend",))
        throws = document.table(read.get("throws", {}), (*place, "throws"), (), state.players)
        dice = {}
        for name, values in throws.items():
            at = (*place, "throws", name)
            dice[name] = tuple(document.number(each, at) for each in document.items(values, at))
            if len(dice[name]) not in DICE.values() or not {*dice[name]} <= {*range(1, SIDES + 1)}:
                document.blame(at, put(f"has to be {' or '.join(map(str, DICE.values()))} dice"))
        document.check()
        approaches = {n: next(h for h, c in DICE.items() if c == len(d)) for n, d in dice.items()}
        shown = replace(state, approaches=approaches, dice=dice, spent=None)
        spent = document.table(read.get("spend", {}), (*place, "spend"), (), state.players)
        for name, count in spent.items():
            if document.number(count, (*place, "spend", name)) > shown.players[name].tokens:
                document.blame((*place, "spend", name), put("has no more tokens"))
        document.check()
        state = replace(settled(shown, spent), round=index + 1)
        yield _round(state)
    yield {"over": True, "tokens": {name: each.tokens for name, each in state.players.items()}}


def _round(state: Reach) -> dict[str, Any]:
    return {
        "round": state.round,
        "reached": [name for name in state.dice if state.reached(name)],
        "tokens": {name: each.tokens for name, each in state.players.items()},
    }
