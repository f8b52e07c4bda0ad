"""A conflict written turn by turn, played with the very transitions that the table uses.

Every number, name and move is checked at its place; the objects of the turns before a fault have
been handed out by then.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from hub.rules.faults import shown
from hub.rules.reading import MAX_ITEMS, Reader, ScriptError
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.editions import EDITIONS
from hub.rules.triangle.record import closing_object, turn_object
from hub.rules.triangle.scripted import TurnPlayer
from hub.rules.triangle.setup import KEYS_OPTIONAL, KEYS_REQUIRED, read_conflict
from hub.wire.script import doubled

MAX_TURNS = 100_000
RULESETS = tuple(EDITIONS)


def play(
    script: Any, default: str, known: Sequence[str], house: Edition | None = None
) -> Iterator[dict[str, Any]]:
    """See :class:`hub.books.family.Script`."""
    reader = Reader()
    for fault in islice(doubled(script, (), apart="turns"), MAX_ITEMS):
        reader.fault(fault.place, fault.reason)
    given = reader.table(script, (), (*KEYS_REQUIRED, "turns"), KEYS_OPTIONAL)
    editions = {**EDITIONS, **({house.id: house} if house else {})}
    ruleset = given.get("ruleset", default)
    edition = editions.get(ruleset) if isinstance(ruleset, str) else None
    if edition is None:
        reader.fault(("ruleset",), f"{shown(ruleset)} is not one of: {', '.join(known)}")
    turns = reader.items(given.pop("turns", ()), ("turns",), MAX_TURNS)
    if edition is None or not given.keys() >= {*KEYS_REQUIRED}:
        raise ScriptError(*reader.faults)
    conflict = read_conflict(reader, edition, {**given, "ruleset": ruleset})
    reader.check()
    if conflict is None:
        raise AssertionError("a setup without a fault gives a conflict")
    next_up: str | None = None
    agreed = False
    for index, turn in enumerate(turns):
        place = ("turns", index)
        for fault in islice(doubled(turn, place), MAX_ITEMS):
            reader.fault(fault.place, fault.reason)
        conflict, next_up, agreed = TurnPlayer(conflict, reader, place).play(turn, next_up, agreed)
        yield turn_object(conflict)
    yield closing_object(conflict)
