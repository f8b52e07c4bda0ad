"""Plays a Conflict from a script, round by round, with the functions that a table uses."""

from collections.abc import Iterator, Sequence
from typing import Any

from hub.games.tourists.rules.conflict import begin
from hub.games.tourists.rules.record import closing_object, opening_object, round_object
from hub.games.tourists.rules.scripted import RoundPlayer
from hub.games.tourists.rules.setup import read_deck, read_parties
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled

MAX_ROUNDS = 100_000
RULESETS = ("tourists",)


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.games.family.Script`."""
    blame_doubled(document, document.values, (), apart="rounds")
    required = ("ruleset", "parties", "rounds")
    given = document.table(document.values, (), required, ("deck",))
    deck = read_deck(document, given.get("deck", {}), ("deck",))
    rounds = document.items(given.get("rounds", ()), ("rounds",), MAX_ROUNDS)
    document.check()
    parties = read_parties(document, given["parties"], ("parties",), deck)
    document.check()
    conflict, number = begin(deck, parties), 1
    yield opening_object(conflict, number)
    for index, written in enumerate(rounds):
        player = RoundPlayer(conflict, document, ("rounds", index))
        player.play(written)
        conflict = player.conflict
        yield round_object(conflict, index + 1, reframed=player.reframed is not None)
        if player.reframed is not None:
            conflict, number = player.reframed, number + 1
            yield opening_object(conflict, number)
    yield closing_object(conflict)
