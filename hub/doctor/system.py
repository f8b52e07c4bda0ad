"""Checks Python, its libraries, the clock and the service."""

import re
import sys
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from hub.doctor.findings import DoctorReason, Finding, fine, note, wrong
from hub.doctor.machine import asked, properties
from hub.journal import JournalRows
from hub.ports import JournalError
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
"""The most seconds by which the clock's advance may differ from the elapsed time."""


def python(
    version: tuple[int, ...] = tuple(sys.version_info[:3]), size: int = sys.maxsize
) -> Iterator[Finding]:
    """Check whether Python is new enough and has 64 bits. ``size``: its ``sys.maxsize``."""
    written = ".".join(map(str, version))
    bits = size.bit_length() + 1
    if version[:2] < _OLDEST:
        yield wrong("python", "python-old", version=written)
    elif bits < _WIDE_BITS:
        yield note("python", "python-32")
    else:
        yield fine("python", "python", version=written, bits=bits)


def packages(requirements: Iterable[str] | None = None) -> Iterator[Finding]:
    """Check whether the hub's libraries are installed, each new enough. ``requirements``: None for
    those of the installed package."""
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
            yield wrong("python", "package-missing", name, **values)
            continue
        least = _LEAST.search(versions)
        if least and _numbers(version) < _numbers(least[1]):
            bad = True
            values["version"] = version
            yield wrong("python", "package-old", name, **values)
    if not bad:
        yield fine("python", "packages", count=count)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3])


class Clock:
    """Checks the clock, and whether it has jumped since this object was made."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def findings(self, newest: Path | None, journal: Path | None = None) -> Iterator[Finding]:
        """Check the clock. ``newest``: the table's newest file, which the clock must not precede;
        ``journal``: the table's journal, whose last record the clock must not precede."""
        now = time.time()
        jump = round(now - time.monotonic() - self._ahead, 1)
        if abs(jump) > JUMP_S:
            yield wrong("clock", "clock-jumps", jump_s=jump)
        written = newest.stat().st_mtime if newest is not None else 0.0
        if now < written - 60:
            yield wrong("clock", "clock-wrong", now=_day(now), since=_day(written))
        elif now < (ended := _log_ended(journal)) - 60:
            yield wrong("clock", "clock-log", now=_day(now), since=_day(ended))
        told = properties(asked("timedatectl", "show"))
        zone = told.get("Timezone") or time.strftime("%Z")
        here = f"{time.strftime('%Y-%m-%d %H:%M')} ({zone})"
        if told.get("NTPSynchronized") == "no" and told.get("NTP") == "no":
            yield note("clock", "clock-loose")
        else:
            known = told.get("NTPSynchronized")
            source = DoctorReason(f"clock-source.{known if known in _YES_OR_NO else 'unknown'}")
            yield fine("clock", "clock", now=here, source=source)


def _log_ended(journal: Path | None) -> float:
    """When a journal's last record was made, by its own clock (s since the Unix epoch); 0 if it
    cannot be read."""
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
    """Check whether systemd runs the hub, and whether the service has failed."""
    wanted = "LoadState,ActiveState,Result,NRestarts"
    told = properties(asked("systemctl", "show", UNIT, f"--property={wanted}"))
    match told.get("LoadState"), told.get("ActiveState"):
        case ("loaded", "failed"):
            yield wrong("unit", "unit-failed", UNIT, result=told.get("Result", "unknown"))
        case ("loaded", state):
            restarts = int(told["NRestarts"]) if told.get("NRestarts", "").isdigit() else 0
            if restarts > _RESTARTS:
                yield wrong("unit", "unit-restarts", UNIT, count=str(restarts))
            elif state == "active":
                yield fine("unit", "unit", UNIT)
            else:
                yield note("unit", "unit-idle", UNIT)
        case _:
            yield fine("unit", "unit-missing")
