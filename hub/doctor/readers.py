"""Checks the readers: a short test, or the report of the hub that holds them."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event

from hub.config.settings import Config
from hub.daemon.running import playing, told_readers
from hub.doctor.findings import Finding
from hub.readers.bench import Bench
from hub.readers.devices import serial_devices
from hub.readers.kinds import parse_address
from hub.readers.verdicts import Level


def readers(config: Config, seconds: float, stop: Event) -> Iterator[Finding]:
    """The findings about each reader. They are watched for ``seconds``, or until ``stop``."""
    addresses = {seat.name: parse_address(seat.reader) for seat in config.seats}
    real = {name: address for name, address in addresses.items() if address.path}
    if playing(config) is not None:
        yield from _as_told(config, set(real))
        return
    for name in addresses:
        if name not in real:
            yield Finding("readers", "reader-simulated", Level.NOTE, name)
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
            yield Finding("readers", "reader-unnamed", Level.NOTE, device)


def _as_told(config: Config, real: set[str]) -> Iterator[Finding]:
    told = told_readers(config)
    if told is None:
        yield Finding("readers", "readers-held", Level.NOTE)
        return
    for name, state in told.items():
        if name in real and state == "lost":
            yield Finding("readers", "reader-lost", Level.WRONG, name)
        elif name in real:
            yield Finding("readers", "reader-playing", Level.OK, name, {"state": state})
