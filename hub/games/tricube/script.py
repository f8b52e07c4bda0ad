"""Plays a tale from a script, event by event, with the functions that a table uses."""

from collections.abc import Iterator, Sequence
from typing import Any

from hub.games.tricube.rules.record import closing_object, state_object
from hub.games.tricube.rules.scripted import EventPlayer
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import read_characters
from hub.kernel.documents import Document
from hub.kernel.documents.json import blame_doubled

MAX_EVENTS = 100_000
RULESETS = ("tricube",)


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.games.family.Script`."""
    blame_doubled(document, document.values, (), apart="events")
    required = ("ruleset", "characters", "events")
    given = document.table(document.values, (), required, ())
    events = document.items(given.get("events", ()), ("events",), MAX_EVENTS)
    tale = Tale(read_characters(document, given.get("characters", {}), ("characters",)))
    document.check()
    rolled = None
    for index, event in enumerate(events):
        player = EventPlayer(tale, document, ("events", index), rolled)
        printed = player.play(event)
        tale, rolled = player.tale, player.rolled
        yield {"event": index + 1, **printed, **state_object(tale)}
    yield closing_object(tale)
