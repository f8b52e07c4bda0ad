"""Checks Python, its libraries, the clock and the service."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from hub.doctor.findings import DoctorReason, Finding
from hub.doctor.machine import asked, properties
from hub.journal import JournalRows
from hub.ports import JournalError
from hub.readers.verdicts import Level
from hub.wire.log import LogFault, decode_line

_OLDEST = (3, 11)
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^]]*\])?\s*([^;]*)(?:;(.*))?")
_LEAST = re.compile(r"(?:>=|~=|==)\s*([0-9.]+)")
_WIDE_BITS = 64
UNIT = "facedown.service"
_YES_OR_NO = ("yes", "no")
_RESTARTS = 3
_LAST_S = 253_370_764_800.0  # the year 9999 begins
JUMP_S = 0.5
"""The most by which the clock and the elapsed time may differ."""


def python(
    version: tuple[int, ...] = tuple(sys.version_info[:3]), size: int = sys.maxsize
) -> Iterator[Finding]:
    """Whether Python is new enough and has 64 bits."""
    written = ".".join(map(str, version))
    bits = size.bit_length() + 1
    if version[:2] < _OLDEST:
        yield Finding("python", "python-old", Level.WRONG, values={"version": written})
    elif bits < _WIDE_BITS:
        yield Finding("python", "python-32", Level.NOTE)
    else:
        yield Finding("python", "python", Level.OK, values={"version": written, "bits": bits})


def packages(requirements: Iterable[str] | None = None) -> Iterator[Finding]:
    """Whether the hub's libraries are installed, each new enough."""
    wanted = requirements if requirements is not None else metadata.requires("facedown") or ()
    count, bad = 0, False
    for line in wanted:
        found = _REQUIREMENT.match(line)
        if found is None or "extra" in (found[3] or ""):
            continue
        name, versions = found[1], found[2].strip()
        values = {"wanted": f"{name}{versions}"}
        count += 1
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            bad = True
            yield Finding("python", "package-missing", Level.WRONG, name, values)
            continue
        least = _LEAST.search(versions)
        if least and _numbers(version) < _numbers(least[1]):
            bad = True
            values["version"] = version
            yield Finding("python", "package-old", Level.WRONG, name, values)
    if not bad:
        yield Finding("python", "packages", Level.OK, values={"count": count})


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])


class Clock:
    """Watches the clock from its creation on."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def findings(self, newest: Path | None, journal: Path | None = None) -> Iterator[Finding]:
        """The findings about the clock; ``newest``: the table's newest file."""
        now = time.time()
        jump = round(now - time.monotonic() - self._ahead, 1)
        if abs(jump) > JUMP_S:
            yield Finding("clock", "clock-jumps", Level.WRONG, values={"jump_s": jump})
        written = newest.stat().st_mtime if newest is not None else 0.0
        if now < written - 60:
            values = {"now": _day(now), "since": _day(written)}
            yield Finding("clock", "clock-wrong", Level.WRONG, values=values)
        elif now < (ended := _log_ended(journal)) - 60:
            values = {"now": _day(now), "since": _day(ended)}
            yield Finding("clock", "clock-log", Level.WRONG, values=values)
        told = properties(asked("timedatectl", "show"))
        zone = told.get("Timezone") or time.strftime("%Z")
        values = {"now": f"{time.strftime('%Y-%m-%d %H:%M')} ({zone})"}
        if told.get("NTPSynchronized") == "no" and told.get("NTP") == "no":
            yield Finding("clock", "clock-loose", Level.NOTE)
        else:
            known = told.get("NTPSynchronized")
            source = DoctorReason(f"clock-source.{known if known in _YES_OR_NO else 'unknown'}")
            yield Finding("clock", "clock", Level.OK, values={**values, "source": source})


def _log_ended(journal: Path | None) -> float:
    """The time of a log's last line, by its own clock (s since the Unix epoch); 0 if unreadable."""
    if journal is None or not journal.is_file():
        return 0.0
    try:
        with JournalRows.read(journal) as reader:
            row = reader.newest()
            return min(decode_line(row.line).at_ms / 1000, _LAST_S) if row else 0.0
    except (JournalError, LogFault):
        return 0.0


def _day(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def unit() -> Iterator[Finding]:
    """Whether systemd runs the hub, and in which state."""
    wanted = "LoadState,ActiveState,Result,NRestarts"
    told = properties(asked("systemctl", "show", UNIT, f"--property={wanted}"))
    match told.get("LoadState"), told.get("ActiveState"):
        case ("loaded", "failed"):
            values = {"result": told.get("Result", "unknown")}
            yield Finding("unit", "unit-failed", Level.WRONG, UNIT, values)
        case ("loaded", state):
            restarts = int(told["NRestarts"]) if told.get("NRestarts", "").isdigit() else 0
            if restarts > _RESTARTS:
                values = {"count": str(restarts)}
                yield Finding("unit", "unit-restarts", Level.WRONG, UNIT, values)
            elif state == "active":
                yield Finding("unit", "unit", Level.OK, UNIT)
            else:
                yield Finding("unit", "unit-idle", Level.NOTE, UNIT)
        case _:
            yield Finding("unit", "unit-missing", Level.OK)
