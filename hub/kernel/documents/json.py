"""Reads JSON within limits. ``docs/rules/resolve.md`` describes the documents."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import partial
from itertools import islice
from typing import Any, Never

from hub.kernel.documents import MAX_ITEMS, Document, decode_text, why_no_text
from hub.kernel.faults import Fault, Faulty, Place
from hub.kernel.reasons import Reason

MAX_BYTES = 8_000_000
MAX_DEPTH = 16
"""Deepest nesting of lists and objects; a valid script has six levels."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)', re.DOTALL)
"""A JSON string, also one cut off by the document's end. Its quantifiers are possessive, so that it
takes linear time."""
_BRACKET = re.compile(rb"[\[\]{}]")
_LONGEST_INT = 18
"""Most digits parsed as an integer. A longer one becomes a float, enough to call it too large."""
_TOKEN = re.compile(r'\n|[\[\]{},]|"(?:[^"\\]|\\.)*+"|[^\s\[\]{},:"]++')


class _Doubled(dict[str, Any]):
    """An object with a duplicate key. The last value counts, so that reading can go on."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = [key for key, times in Counter(key for key, _ in pairs).items() if times > 1]


def write_object(value: dict[str, Any]) -> bytes:
    """Encode ``value`` as a line of JSON Lines."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def parse_json(data: bytes) -> Document:
    """Parse JSON within the limits. Raises :class:`Faulty`. Duplicate keys are left to
    :func:`blame_doubled`."""
    if len(data) > MAX_BYTES:
        raise Faulty(Fault((), Reason("longer-than", most=MAX_BYTES)))
    depth = deepest = 0
    for bracket in _BRACKET.finditer(_STRING.sub(b"", data)):
        depth += 1 if bracket[0] in b"[{" else -1
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        raise Faulty(Fault((), Reason("deeper-than", most=MAX_DEPTH)))
    try:
        text = decode_text(data)
        values = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=lambda digits: int(digits) if len(digits) <= _LONGEST_INT else float(digits),
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError as error:
        why = why_no_text(data) or Reason("no-utf8-at", at=error.start)
        raise Faulty(Fault((), why)) from None
    except json.JSONDecodeError as error:
        why = Reason("no-json", fault=error.msg, line=error.lineno, column=error.colno)
        raise Faulty(Fault((), why)) from None
    return Document(values, lines=partial(_lines, text))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _Doubled(pairs)


def _no_constant(name: str) -> Never:
    raise Faulty(Fault((), Reason("no-json-number", value=name)))


def blame_doubled(
    document: Document, value: object, place: Place, apart: str | None = None
) -> None:
    """Record a fault for every duplicate key in ``value``, which is at ``place``, but for none
    inside the key ``apart``, because its value is read separately."""
    for twice in islice(_doubled(value, place, apart), MAX_ITEMS):
        document.blame(twice, Reason("key-twice"))


def _doubled(value: object, place: Place, apart: str | None = None) -> Iterator[Place]:
    if isinstance(value, _Doubled):
        yield from ((*place, key) for key in value.twice)
    if isinstance(value, dict):
        for key, item in value.items():
            if key != apart:
                yield from _doubled(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _doubled(item, (*place, index))


def _lines(text: str, wanted: Collection[Place]) -> dict[Place, int]:
    """The lines of the ``wanted`` places in valid JSON; empty if the whole document is one line."""
    lines: dict[Place, int] = {}
    if "\n" not in text.strip():
        return lines
    line = 1
    here: list[Any] = []  # per open list a position, per open object a key (None before it)
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == "\n":
            line += 1
        elif sign == ",":
            here[-1] = here[-1] + 1 if isinstance(here[-1], int) else None
        elif sign in "]}":
            here.pop()
        elif here and here[-1] is None:
            here[-1] = json.loads(sign)
        else:
            if (place := tuple(here)) in wanted:
                lines[place] = line
            if sign in "[{":
                here.append(0 if sign == "[" else None)
    return lines
