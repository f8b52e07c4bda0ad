"""A script of ``facedown resolve``: JSON values of a document, and each object that comes of it.

``docs/rules/resolve.md`` describes both.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, Never

from hub.rules.faults import Fault, Place
from hub.rules.reading import ScriptError

MAX_BYTES = 8_000_000
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


def write_object(value: dict[str, Any]) -> bytes:
    """One line of JSON Lines."""
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


def parse_script(document: bytes) -> Any:
    """JSON values, nothing believed yet but that it is JSON within the limits; :func:`doubled`
    tells keys that stand twice. Raises :class:`ScriptError`."""
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


def doubled(value: object, place: Place, apart: str | None = None) -> Iterator[Fault]:
    """Every key that stands twice in an object here, but for what is read ``apart``."""
    if isinstance(value, _Doubled):
        yield from (Fault((*place, key), "stands here twice") for key in value.twice)
    if isinstance(value, dict):
        for key, item in value.items():
            if key != apart:
                yield from doubled(item, (*place, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from doubled(item, (*place, index))
