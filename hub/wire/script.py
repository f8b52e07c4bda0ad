"""A conflict as one JSON document in, one object per turn and a closing one out.

``docs/rules/resolve.md`` describes both. The turns are played with the very transitions that the
table uses. Every number, name and move is checked at its place; the objects of the turns before a
fault have been handed out by then.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, Never

from hub.rules.faults import Fault, Place, shown
from hub.rules.reading import MAX_ITEMS, Reader, ScriptError
from hub.rules.registry import DEFAULT_RULESET, GAMES
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.game import TriangleGame
from hub.rules.triangle.record import closing_object, turn_object
from hub.rules.triangle.scripted import TurnPlayer
from hub.rules.triangle.setup import KEYS_OPTIONAL, KEYS_REQUIRED, read_conflict

__all__ = ["MAX_BYTES", "ScriptError", "resolve_script", "write_object"]

MAX_BYTES = 8_000_000
MAX_TURNS = 100_000
MAX_DEPTH = 16
"""Deepest nesting of lists and objects; a valid script has six levels."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A JSON string, also one that the document breaks off: every quote is passed but once."""
_BRACKET = re.compile(rb"[\[\]{}]")
_LONGEST_INT = 18
"""Digits that are read as a number; longer ones are only known to be too large."""


class _Doubled(dict[str, Any]):
    """An object in which a key stands twice; the last one counts, so that reading can go on."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]


def resolve_script(document: bytes, homebrew: Edition | None = None) -> Iterator[dict[str, Any]]:
    """Play a script, by ``homebrew`` if it names no other. Yields an object per turn, then the
    closing one.

    Raises :class:`ScriptError`, also in the middle: what was yielded before stands.
    """
    script = _parse(document)
    reader = Reader()
    for fault in islice(_doubled(script, (), apart="turns"), MAX_ITEMS):
        reader.fault(fault.place, fault.reason)
    given = reader.table(script, (), (*KEYS_REQUIRED, "turns"), KEYS_OPTIONAL)
    editions = {r: game.edition for r, game in GAMES.items() if isinstance(game, TriangleGame)}
    if homebrew:
        editions[homebrew.id] = homebrew
    ruleset = given.get("ruleset", homebrew.id if homebrew else DEFAULT_RULESET)
    edition = editions.get(ruleset) if isinstance(ruleset, str) else None
    if edition is None:
        reader.fault(("ruleset",), f"{shown(ruleset)} is not one of: {', '.join(editions)}")
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
        for fault in islice(_doubled(turn, place), MAX_ITEMS):
            reader.fault(fault.place, fault.reason)
        conflict, next_up, agreed = TurnPlayer(conflict, reader, place).play(turn, next_up, agreed)
        yield turn_object(conflict)
    yield closing_object(conflict)


def write_object(value: dict[str, Any]) -> bytes:
    """One line of JSON Lines."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def _parse(document: bytes) -> Any:
    """JSON values, nothing believed yet but that it is JSON within the limits."""
    if len(document) > MAX_BYTES:
        raise ScriptError(Fault((), f"is longer than {MAX_BYTES} bytes"))
    depth = deepest = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", document)):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise ScriptError(Fault((), f"is nested deeper than {MAX_DEPTH} levels"))
    try:
        return json.loads(
            document.decode(),
            object_pairs_hook=_object,
            parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_INT else float(digits),
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError as error:
        raise ScriptError(Fault((), f"is not UTF-8 (at byte {error.start})")) from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ScriptError(Fault((), f"is not JSON: {error.msg} ({where})")) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Doubled(pairs)


def _no_constant(name: str) -> Never:
    raise ScriptError(Fault((), f"is not JSON: {name} is no number of JSON"))


def _doubled(value: object, place: Place, apart: str | None = None) -> Iterator[Fault]:
    """Every key that stands twice in an object here, but for what is read ``apart``."""
    if isinstance(value, _Doubled):
        yield from (Fault((*place, key), "stands here twice") for key in value.twice)
    if isinstance(value, dict):
        for key, item in value.items():
            if key != apart:
                yield from _doubled(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _doubled(item, (*place, index))
