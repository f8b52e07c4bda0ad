"""Runs all checks of the doctor at the same time."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shlex import quote
from threading import Event
from typing import get_args

from msgspec.structs import replace

from hub.config.loader import load_config, load_table
from hub.config.settings import Config
from hub.daemon.outputs import OUTPUTS
from hub.doctor.broker import broker
from hub.doctor.files import cards, disk, files
from hub.doctor.findings import Area, Finding, fine, note
from hub.doctor.pages import pages
from hub.doctor.readers import readers
from hub.doctor.system import Clock, packages, python, unit
from hub.kernel.faults import Fault, Faulty
from hub.readers.verdicts import Level

READERS_S = 4.0
"""How long readers are watched, in seconds: long enough to see that a device does not answer."""
_AREAS = get_args(Area)
_SAID_BY_OTHERS = frozenset({"not-plugged-in", "not-plugged-in-free"})
"""The codes of remarks that are left out, because the area ``readers`` reports the same."""


def examine(file: Path | None, seconds: float = READERS_S) -> list[Finding]:
    """Run all checks. Returns the findings, sorted by area and, in each area, the worst first.

    ``file``: the configuration; None checks only the machine. ``seconds``: how long the readers are
    watched; all checks together take little longer.
    """
    clock, stop = Clock(), Event()
    config, found = _configuration(file)
    looks: list[tuple[Area, Callable[[], Iterable[Finding]]]] = [
        ("python", python),
        ("python", packages),
        ("unit", unit),
    ]
    folder = Path()
    if config is not None and file is not None:
        folder = Path(config.table.journal).parent
        looks += [
            ("files", partial(files, config)),
            ("readers", partial(readers, config, seconds, stop)),
            ("deck", partial(cards, file, config)),
            ("broker", partial(broker, config)),
            ("pages", partial(pages, config)),
        ]
    looks.append(("disk", partial(disk, folder)))
    with ThreadPoolExecutor(len(looks)) as pool:
        try:
            for each in [pool.submit(_looked, area, look) for area, look in looks]:
                found += each.result()
        finally:
            stop.set()
    newest = _newest(file, config)
    journal = Path(config.table.journal) if config else None
    found += _looked("clock", partial(clock.findings, newest, journal))
    order = (Level.WRONG, Level.NOTE, Level.OK)
    found.sort(key=lambda each: (_AREAS.index(each.area), order.index(each.level)))
    if file is None:
        return found
    config_file = quote(str(file))
    return [replace(each, values={"config": config_file, **each.values}) for each in found]


def _looked(area: Area, look: Callable[[], Iterable[Finding]]) -> list[Finding]:
    """Run the check ``look``. If it raises an exception, the only finding is that it did not
    finish."""
    try:
        return list(look())
    except Exception as error:
        fault = error.strerror if isinstance(error, OSError) else None
        return [note(area, "unfinished", fault=fault or type(error).__name__)]


def _configuration(file: Path | None) -> tuple[Config | None, list[Finding]]:
    """The configuration (None if it cannot be used), and the findings about its files."""
    if file is None:
        return None, [note("configuration", "no-config")]
    try:
        table = load_table(file, OUTPUTS)
    except Faulty as faulty:
        found = [_of_fault(each, "config-fault", Level.WRONG) for each in faulty.faults]
        try:
            return load_config(file, OUTPUTS), found
        except Faulty:
            return None, [*found, note("configuration", "config-first")]
    found = [
        _of_fault(each, "config-remark", Level.NOTE)
        for each in table.remarks
        if each.reason.code not in _SAID_BY_OTHERS
    ]
    seats, cards = len(table.config.seats), len(table.deck.cards)
    said = fine("configuration", "config", str(file), seats=seats, cards=cards)
    return table.config, [said, *found]


def _of_fault(fault: Fault, code: str, level: Level) -> Finding:
    where = f"{fault.file}:{fault.line}" if fault.line else fault.file
    return Finding("configuration", code, level, where, {"fault": fault.said()})


def _newest(file: Path | None, config: Config | None) -> Path | None:
    there = [each for each in (file, config and Path(config.table.journal)) if each]
    there = [each for each in there if each.exists()]
    return max(there, key=lambda each: each.stat().st_mtime, default=None)
