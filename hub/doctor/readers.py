"""Checks the readers by a short test, or by the report of the running hub that holds them."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

from hub.config.settings import Config
from hub.daemon.running import playing, told_readers
from hub.doctor.findings import Finding, fine, note, wrong
from hub.readers.bench import Bench
from hub.readers.devices import serial_devices
from hub.readers.kinds import parse_address


def readers(config: Config, seconds: float, stop: Event) -> Iterator[Finding]:
    """Check each reader. If the hub does not run, the readers are watched for ``seconds``, or until
    ``stop`` is set."""
    addresses = {seat.name: parse_address(seat.reader) for seat in config.seats}
    real = {name: address for name, address in addresses.items() if address.path}
    if playing(config) is not None:
        yield from _as_told(config, set(real))
        return
    for name in addresses:
        if name not in real:
            yield note("readers", "reader-simulated", name)
    if real:
        with Bench(real, dwell_s=config.timing.dwell_s) as bench:
            stop.wait(seconds)
            told = bench.verdicts(cards=False)
        for each in told:
            what, do = each.reasons
            values = {"what": what, "do": do or "", "verdict": each.code}
            yield Finding("readers", "reader", each.level, each.reader, values)
    named = {Path(address.path).resolve() for address in real.values()}
    for device in serial_devices():
        if Path(device).resolve() not in named:
            yield note("readers", "reader-unnamed", device)


def _as_told(config: Config, real: set[str]) -> Iterator[Finding]:
    told = told_readers(config)
    if told is None:
        yield note("readers", "readers-held")
        return
    for name, state in told.items():
        if name in real and state == "lost":
            yield wrong("readers", "reader-lost", name)
        elif name in real:
            yield fine("readers", "reader-playing", name, state=state)
