"""Logs to standard error: one line each, as ``key=value``, without anything sealed.

Under systemd a line begins with its priority, so that ``journalctl -p warning`` works; on a
terminal it is formatted for people. Values in ``extra`` are logged only if they are numbers, text,
paths or the like; for any other object the log shows its type.

Ref: sd-daemon(3) (``<N>`` prefixes), systemd.exec(5) (``JOURNAL_STREAM``).
"""

import logging
import os
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import PurePath
from typing import IO

from hub.config.settings import LogFormat, LogLevel
from hub.kernel.bucket import Bucket
from hub.kernel.faults import one_line
from hub.table.sealed import Sealed
from hub.world import MACHINE

MAX_LINE_CHARS = 8_000
"""The longest line; a longer one is cut off. The journal of systemd takes 48 KiB."""

MOST_AT_ONCE, AGAIN_S = 5, 10.0
"""How many identical lines are logged at once, and the interval (s) of further ones."""
MOST_REMEMBERED = 500
"""How many different lines have a repeat count."""

_PRIORITIES = ((logging.CRITICAL, 2), (logging.ERROR, 3), (logging.WARNING, 4), (logging.INFO, 6))
_DEBUG_PRIORITY = 7
_TELLABLE = (str, int, float, PurePath, Sealed, type(None))
_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_MOST_CAUSES = 5


class Repeats(logging.Filter):
    """Drops repeated lines: a frequent failure is logged a few times at once, and then once every
    :data:`AGAIN_S`, with the number dropped. Lines that differ in anything but their time are not
    repeats; debug lines always pass."""

    def __init__(self, clock: Callable[[], float] = MACHINE.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lines: dict[tuple[object, ...], _Told] = {}
        self._lock = threading.Lock()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write the line. A line before or after dropped ones says so."""
        if record.levelno < logging.INFO:
            return True
        key = (record.name, record.levelno, text := _message(record), *_fields(record).items())
        with self._lock:
            told = self._lines.pop(key, None) or _Told(1 / AGAIN_S, MOST_AT_ONCE)
            self._lines[key] = told
            while len(self._lines) > MOST_REMEMBERED:
                del self._lines[next(iter(self._lines))]
            if not told.take(self._clock()):
                told.left_out += 1
                return False
            left_out, told.left_out = told.left_out, 0
            last = told.is_empty
        if left_out:
            record.msg, record.args = f"{text}; {left_out} like it were left out", ()
        elif last:
            more = f"more like it are left out, but for one in {AGAIN_S:g} s"
            record.msg, record.args = f"{text}; {more}", ()
        return True


class _Told(Bucket):
    """The rate limit of a line, and how often it was dropped."""

    left_out = 0


def set_up(level: LogLevel = "info", form: LogFormat = "auto") -> logging.Formatter:
    """Send all log lines of ``level`` and above to standard error. Returns their formatter; if
    ``form`` is ``auto``, the formatter depends on where standard error leads."""
    handler = logging.StreamHandler(sys.stderr)
    plain = form == "plain" or (form == "auto" and sys.stderr.isatty())
    formatter = PlainFormatter() if plain else KeysFormatter(to_journald=is_journald(sys.stderr))
    handler.setFormatter(formatter)
    handler.addFilter(Repeats())
    logging.basicConfig(handlers=[handler], level=level.upper(), force=True)
    return formatter


def gap(formatter: logging.Formatter, dropped: int) -> str:
    """The line that stands in place of ``dropped`` missing lines."""
    text = "%d log lines are missing here: nobody read them in time"
    return formatter.format(
        logging.LogRecord(__name__, logging.WARNING, __file__, 0, text, (dropped,), None)
    )


def is_journald(stream: IO[str]) -> bool:
    """Whether ``stream`` is the pipe to systemd's journal, according to systemd."""
    try:
        found = os.fstat(stream.fileno())
    except (OSError, ValueError):
        return False
    return os.environ.get("JOURNAL_STREAM") == f"{found.st_dev}:{found.st_ino}"


class KeysFormatter(logging.Formatter):
    """Formats lines for programs: ``level=info logger=hub.daemon msg="reader is ready"
    seat=north``."""

    def __init__(self, *, to_journald: bool) -> None:
        super().__init__()
        self._to_journald = to_journald

    def format(self, record: logging.LogRecord) -> str:
        """One line, beginning with systemd's priority or else with the time (UTC)."""
        pairs = {
            "level": record.levelname.lower(),
            "logger": record.name,
            "msg": _message(record),
            **_fields(record),
        }
        line = " ".join(f"{one_line(key)}={_quoted(value)}" for key, value in pairs.items())
        if self._to_journald:
            return _cut(f"<{_priority(record.levelno)}>{line}")
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        return _cut(f"time={moment.replace('+00:00', 'Z')} {line}")


class PlainFormatter(logging.Formatter):
    """Formats lines for people: ``20:15:04 warning  reader is lost: unplugged? (seat north)``."""

    def format(self, record: logging.LogRecord) -> str:
        """One line for people, in local time."""
        moment = datetime.fromtimestamp(record.created).astimezone().strftime("%H:%M:%S")
        fields = ", ".join(f"{key} {value}" for key, value in _fields(record).items())
        text = _message(record) + (f" ({fields})" if fields else "")
        return _cut(f"{moment} {record.levelname.lower():<8} {one_line(text)}")


def place_of(error: BaseException) -> str:
    """Where an exception was raised, as `` at FILE:LINE``, without its message; empty if
    unknown."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""


def told(error: BaseException) -> str:
    """An exception and its causes on one line, each with its place and without its locals."""
    parts: list[str] = []
    current: BaseException | None = error
    while current is not None and len(parts) < _MOST_CAUSES:
        frames = traceback.extract_tb(current.__traceback__, limit=-1)
        place = "".join(f" at {PurePath(f.filename).name}:{f.lineno} in {f.name}" for f in frames)
        parts.append(f"{type(current).__name__}: {current}{place}")
        if isinstance(current, BaseExceptionGroup):
            current = current.exceptions[0]
        else:
            hidden = current.__suppress_context__
            current = current.__cause__ or (None if hidden else current.__context__)
    return " < ".join(parts)


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except (TypeError, ValueError, KeyError):
        return f"{record.msg} (its arguments do not fit)"


def _fields(record: logging.LogRecord) -> dict[str, str]:
    """The values of ``extra`` as text, and the exception, if there is one."""
    fields = {
        key: str(value) if isinstance(value, _TELLABLE) else f"<{type(value).__name__}>"
        for key, value in vars(record).items()
        if key not in _OWN
    }
    if record.exc_info and record.exc_info[1]:
        fields["error"] = told(record.exc_info[1])
    return fields


def _quoted(value: str) -> str:
    value = one_line(value)
    if value and not any(c in value for c in ' "=\\'):
        return value
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _cut(line: str) -> str:
    return line if len(line) <= MAX_LINE_CHARS else line[:MAX_LINE_CHARS] + "…"


def _priority(level: int) -> int:
    return next((number for least, number in _PRIORITIES if level >= least), _DEBUG_PRIORITY)
