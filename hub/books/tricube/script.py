"""A tale written event by event, played by the words that a table would say."""

from collections.abc import Iterator, Sequence
from typing import Any

from hub.rules.documents import Document
from hub.rules.documents.json import blame_doubled
from hub.rules.tricube.record import closing_object, state_object
from hub.rules.tricube.scripted import EventPlayer
from hub.rules.tricube.tale import Tale
from hub.rules.tricube.written import read_characters

MAX_EVENTS = 100_000
RULESETS = ("tricube",)


def play(
    document: Document, default: str, known: Sequence[str], house: Any = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.books.family.Script`."""
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
