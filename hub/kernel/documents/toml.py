"""Reads TOML files that people write, and those packaged with the rules.

``tomllib`` reports no lines for values. When one is wanted, all are found by parsing the text
statement by statement.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from functools import cache, partial
from importlib.resources import files
from typing import Any

from hub.kernel.documents import ENCODING, Document, decode_text, why_no_text
from hub.kernel.faults import Fault, Faulty, Place, noted
from hub.kernel.reasons import Reason

_LONGEST_STATEMENT = 500
"""Most lines searched for the end of one statement."""
_MOST_PARSED_CHARS = 16 * 1024
_MOST_PARSED_TIMES = 8
"""Limits on how much text is parsed to find where statements end: a fixed amount plus a multiple of
the length. They are needed because any client may send the text, and a statement is parsed again
for each of its lines."""
_MOST_LEFT_OUT = 8
"""Most lines of one table dropped from invalid TOML in order to read the others."""
_DEEP = re.compile(r"""(?<![\w"'-])(?:[\w"'-]++[ \t]*+\.[ \t]*+){65}""")
"""A key of more than 64 parts, which takes a parser quadratic time."""
_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)$")
_AT_END = "(at end of document)"


def parse_toml(name: str, data: bytes) -> Document:
    """Parse the content of the file called ``name``. Raises :class:`Faulty`."""

    def fault(why: Reason, line: int = 0) -> Faulty:
        return Faulty(Fault((), why, name, line))

    try:
        text = decode_text(data)
    except UnicodeDecodeError as error:
        other = why_no_text(data)
        line = 0 if other else data.count(b"\n", 0, error.start) + 1
        raise fault(other or Reason("no-utf8"), line) from None
    text = text.replace("\r\n", "\n")
    if _DEEP.search(text):
        raise fault(Reason("too-deep"))
    try:
        lines = cache(partial(_lines, text))
        return Document(tomllib.loads(text), name, lambda wanted: lines())
    except RecursionError:
        raise fault(Reason("too-deep")) from None
    except ValueError as error:  # TOMLDecodeError, or int() given too many digits
        raise fault(*_syntax(str(error), text)) from None


def toml_value(value: Any) -> str:
    """The value written as TOML. JSON writes texts, numbers, flags and lists of these in the same
    way, except for the character DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def rest_of_toml(data: bytes) -> dict[str, Any]:
    """The readable part of invalid TOML, without the lines that break it."""
    kept = ""
    for table in re.split(r"(?m)^(?=[ \t]*\[)", data.decode(ENCODING, "replace")):
        lines = table.split("\n")
        for _ in range(_MOST_LEFT_OUT):
            text = kept + "\n".join(lines)
            found: list[Fault] = []
            with noted(found):
                parse_toml("", text.encode())
            if not found:
                kept = text
                break
            broken = found[0].line - 1 - kept.count("\n")
            if broken not in range(len(lines)):
                break
            lines[broken] = ""
    values: dict[str, Any] = tomllib.loads(kept)
    return values


def _lines(text: str) -> dict[Place, int]:
    """The first line of every key and table. The tables of a list are told apart by position."""
    lines: dict[Place, int] = {}
    last: dict[Place, int] = {}  # position of the newest table of each list of tables
    table: Place = ()
    for number, statement in _statements(text):
        header = re.match(r"\s*(\[?\[?)", statement)
        opening = header[1] if header else ""
        place = () if opening else table
        keys = _keys(tomllib.loads(statement))
        for index, key in enumerate(keys):
            place = (*place, key)
            lines.setdefault(place, number)
            if opening == "[[" and index == len(keys) - 1:
                last[place] = last.get(place, -1) + 1
            if place in last:
                place = (*place, last[place])
                lines.setdefault(place, number)
        if opening:
            table = place
    return lines


def _syntax(message: str, text: str) -> tuple[Reason, int]:
    """The reason for a parser's ``message``, without its position in the text, and the line there
    (0: unknown)."""
    if found := _AT_LINE.search(message):
        line = int(found[1])
    elif message.endswith(_AT_END):
        line = text.count("\n") + (not text.endswith("\n"))
    else:
        line = 0
    message = _AT_LINE.sub("", message).removesuffix(_AT_END).strip()
    twice = "overwrite" in message or "twice" in message
    fault = Reason("stands-above", fault=message) if twice else message
    return Reason("no-toml", fault=fault), line


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Each statement with its first line: the shortest run of lines that parses by itself.

    Stops early if the search for a statement's end takes too long.
    """
    waiting: list[str] = []
    left = _MOST_PARSED_CHARS + _MOST_PARSED_TIMES * len(text)
    for number, line in enumerate(text.split("\n"), start=1):
        waiting.append(line)
        if len(waiting) == 1 and (not line.strip() or line.lstrip().startswith("#")):
            waiting.clear()
            continue
        statement = "\n".join(waiting)
        left -= len(statement)
        try:
            tomllib.loads(statement)
        except (ValueError, RecursionError):
            if left < 0 or len(waiting) > _LONGEST_STATEMENT:
                return
            continue
        yield number - len(waiting) + 1, statement
        waiting.clear()


def _keys(value: Any) -> list[str]:
    """The keys that lead to the value of a single statement: ``a.b = 1`` gives ``a`` and ``b``."""
    keys = []
    while isinstance(value, dict) and len(value) == 1:
        ((key, value),) = value.items()
        keys.append(key)
    return keys


def packaged(package: str, name: str) -> Document:
    """Read a package's TOML file. Raises :class:`hub.kernel.faults.Faulty`."""
    data = files(package).joinpath(name).read_bytes()
    return parse_toml(f"{package.replace('.', '/')}/{name}", data)


def packaged_text(package: str, name: str) -> str:
    """The text of a file in a package, read as UTF-8."""
    return files(package).joinpath(name).read_text(encoding="utf-8")


def packaged_texts(package: str, folder: str) -> dict[str, str]:
    """File name → text, of each TOML file in a package's ``folder``, sorted by name."""
    names = sorted(file.name for file in files(package).joinpath(folder).iterdir())
    return {
        name: packaged_text(package, f"{folder}/{name}") for name in names if name.endswith(".toml")
    }
