"""How the toy's scenes are written for ``facedown resolve``: rounds with their dice."""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from hub.rules.reading import Reader
from tests.toy.rules import DICE, RULESET, SIDES, Reach, read_setup, settled

RULESETS = (RULESET,)


def play(
    script: Any, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.books.family.Script`."""
    reader = Reader()
    given = reader.table(script, (), ("number", "players", "rounds"), ("ruleset",))
    rounds = reader.items(given.pop("rounds", ()), ("rounds",))
    state = read_setup(reader, given)
    reader.check()
    for index, written in enumerate(rounds):
        place = ("rounds", index)
        read = reader.table(written, place, ("throws",), ("spend",))
        throws = reader.table(read.get("throws", {}), (*place, "throws"), (), state.players)
        dice = {}
        for name, values in throws.items():
            at = (*place, "throws", name)
            dice[name] = tuple(reader.number(each, at) for each in reader.items(values, at))
            if len(dice[name]) not in DICE.values() or not {*dice[name]} <= {*range(1, SIDES + 1)}:
                reader.fault(at, f"has to be {' or '.join(map(str, DICE.values()))} dice")
        reader.check()
        approaches = {n: next(h for h, c in DICE.items() if c == len(d)) for n, d in dice.items()}
        shown = replace(state, approaches=approaches, dice=dice, spent=None)
        spent = reader.table(read.get("spend", {}), (*place, "spend"), (), state.players)
        for name, count in spent.items():
            if reader.number(count, (*place, "spend", name)) > shown.players[name].tokens:
                reader.fault((*place, "spend", name), "has no more tokens")
        reader.check()
        state = replace(settled(shown, spent), round=index + 1)
        yield _round(state)
    yield {"over": True, "tokens": {name: each.tokens for name, each in state.players.items()}}


def _round(state: Reach) -> dict[str, Any]:
    return {
        "round": state.round,
        "reached": [name for name in state.dice if state.reached(name)],
        "tokens": {name: each.tokens for name, each in state.players.items()},
    }
