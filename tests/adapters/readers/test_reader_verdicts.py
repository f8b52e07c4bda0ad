"""A reader on the test bench: every fault of a reader is caused on a chip, and reported.

One bench watches a reader for each fault, all at once, until it knows them all.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import pytest

from hub.kernel.catalogues import catalogue, languages
from hub.readers.address import Pn532Address
from hub.readers.bench import Bench
from hub.readers.causes import holders
from hub.readers.verdicts import Level, Verdict
from hub.readers.wakeup import QUESTION, Heard, Sound, tell_apart
from hub.sim.pn532.firmware import AntennaTest
from hub.sim.pn532.uart import Fault
from hub.sim.readers import SimulatedReader
from hub.sim.tags import Ntag, card
from hub.wire.tags import tag_id
from tests.adapters.readers.test_reader_faults import line, process
from tests.support.tags import Mute, guarded

PATIENCE_S = 40.0

Deed = Callable[[SimulatedReader], object]

PN533 = bytes.fromhex("33020707")
"""A PN533's answer to GetFirmwareVersion."""


def nothing(_: SimulatedReader) -> None:
    pass


def suffers(fault: Fault) -> Deed:
    return lambda sim: sim.suffer(fault)


def loosely(sim: SimulatedReader) -> None:
    sim.unplug()
    sim.replug()


BEFORE: dict[str, tuple[str, dict[str, object], Deed]] = {
    "good": ("good", {}, nothing),
    "nothing": ("nothing", {}, suffers(Fault.HANG)),
    "stalled": ("nothing", {}, suffers(Fault.STALL)),
    "echo": ("echo", {}, suffers(Fault.ECHO)),
    "position": ("position", {}, suffers(Fault.POSITION)),
    "text": ("text", {}, suffers(Fault.TEXT)),
    "other-chip": ("other-chip", {"version": PN533}, nothing),
    "unfinished": ("unfinished", {}, suffers(Fault.MUTE)),
    "noise": ("noise", {}, suffers(Fault.GARBAGE)),
    "damaged": ("damaged", {}, suffers(Fault.CHECKSUM)),
    "hot": ("radio-dead", {}, suffers(Fault.HOT)),
    "deaf": ("antenna-fails", {}, suffers(Fault.DEAF)),
    "three-volts": ("blind", {"antenna_test": AntennaTest.FLICKERS}, nothing),
    "far": ("no-card", {}, lambda sim: sim.couple(0)),
    "metal": ("weak", {}, lambda sim: sim.couple(0.4)),
    "slow": ("slow", {"time_scale": 6.0}, nothing),
    "crowded": ("two-cards", {}, lambda sim: sim.put(card(tag_id(b"the second card.")))),
    "dead-tag": ("unreadable", {}, lambda sim: (sim.lift(), sim.put(Mute(b"\x04broken")))),
    "guarded-tag": ("guarded", {}, lambda sim: (sim.lift(), sim.put(guarded()))),
}
"""Reader → its verdict, its settings, and the fault from the start."""

ELSEWHERE = {"permission", "taken", "driver", "ambiguous", "braille"}
"""Verdicts with their own tests, because they need another user, another process, another Python,
names below ``/dev/serial``, or braille support."""

MEANWHILE: dict[str, tuple[str, Deed]] = {
    "brown-out": ("restarted", lambda sim: sim.brown_out()),
    "loose": ("lost", loosely),
    "dies": ("radio-dead", suffers(Fault.DEAF)),
    "ends": ("stopped", suffers(Fault.HANG)),
    "pulled": ("missing", lambda sim: sim.unplug()),
    "skips": ("disturbed", suffers(Fault.SKIPS)),
}
"""Reader → its verdict, and the event during the test."""


def until(bench: Bench, news: threading.Event, known: Callable[[list[Verdict]], object]) -> None:
    """Watch until ``known`` accepts the verdicts."""
    end = monotonic() + PATIENCE_S
    while not known(found := bench.verdicts()):
        assert monotonic() < end, [f"{e.reader}: {e.code} {e.values}" for e in found]
        news.wait(0.1)
        news.clear()


def codes(found: list[Verdict]) -> dict[str, set[str]]:
    return {each.reader: {e.code for e in found if e.reader == each.reader} for each in found}


def test_each_fault_of_a_reader_is_recognised_by_its_effects(tmp_path: Path) -> None:
    sims = {name: SimulatedReader(name, tmp_path, **how) for name, (_, how, _) in BEFORE.items()}  # type: ignore[arg-type]
    sims |= {name: SimulatedReader(name, tmp_path) for name in MEANWHILE}
    twins = ("twin-a", "twin-b", "home", "near", "copy-a", "copy-b")
    sims |= {name: SimulatedReader(name, tmp_path) for name in twins}
    with ExitStack() as stack:
        for name, sim in sims.items():
            stack.enter_context(sim)
            if name not in ("twin-b", "near", "copy-b"):
                lies = card(tag_id(name.encode().ljust(16)))
                sim.put(lies)
                if name == "twin-a":
                    sims["twin-b"].put(lies)  # it is between the two
                if name == "copy-a":
                    copy = Ntag(b"\x04copied")  # another tag, written with the same id
                    copy.memory[:] = lies.memory
                    sims["copy-b"].put(copy)
                if name == "home":
                    sims["near"].couple(0.2)
                    sims["near"].put(lies)  # from farther away
        for name, (_, _, deed) in BEFORE.items():
            deed(sims[name])
        news = threading.Event()
        addresses = {name: Pn532Address(sim.path) for name, sim in sims.items()}
        bench = stack.enter_context(Bench(addresses, news.set))
        due = {name: code for name, (code, *_) in BEFORE.items()}
        until(bench, news, lambda found: _all(found, due, bench, MEANWHILE))
        for name, (_, deed) in MEANWHILE.items():
            deed(sims[name])
        due |= {name: code for name, (code, _) in MEANWHILE.items()}
        due |= {"twin-a": "same-card", "twin-b": "same-card", "near": "neighbour"}
        due |= {"copy-a": "same-id", "copy-b": "same-id"}
        until(bench, news, lambda found: _all(found, due, bench, ()))
        told, asked_nobody = bench.verdicts(), bench.verdicts(cards=False)
    assert "answers" in codes(asked_nobody)["far"]
    good = [each for each in told if each.reader == "good"]
    assert good[0].level is Level.OK
    assert good[0].values["missed"] == 0
    assert good[0].values["seen"] >= 20
    of_copies = codes(told)["copy-a"] | codes(told)["copy-b"]
    assert not of_copies & {"same-card", "neighbour"}
    (named,) = (each for each in told if each.reader == "copy-a")
    assert "one is here, the other on copy-b" in named.what
    assert codes(told)["three-volts"] == {"good", "blind"}  # it plays, but the user should know
    for each in told:  # every sentence has its values, and every fault a remedy
        for language in languages():
            what, do = each.told(language)
            assert "{" not in what + do
            assert (each.level is Level.OK) or do
    faults = {
        key.removesuffix(".do")
        for key in catalogue("reasons", "en", "hub.readers")
        if key.endswith(".do")
    }
    of_readers = {fault for fault in faults if not fault.startswith("board-")}
    assert of_readers - {each.code for each in (*told, *asked_nobody)} == ELSEWHERE


def _all(
    found: list[Verdict], due: dict[str, str], bench: Bench, up: "dict[str, object] | tuple[()]"
) -> bool:
    told, measured = codes(found), bench.measured()
    rested = measured["good"].seen >= 20 and all(measured[name].seen >= 5 for name in up)
    return rested and all(code in told[name] for name, code in due.items())


@contextmanager
def whoever_may_not() -> Iterator[None]:
    """Drop root's rights while the context lasts."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


def test_a_device_without_permission(tmp_path: Path) -> None:
    news = threading.Event()
    with SimulatedReader("north", tmp_path) as sim:
        device = os.path.realpath(sim.path)
        Path(device).chmod(0)
        with whoever_may_not(), Bench({"north": Pn532Address(device)}, news.set) as bench:
            until(bench, news, lambda found: found[0].code == "permission")
            (told,) = bench.verdicts()
        assert f"may not open {device}" in told.what


def test_a_reader_without_its_library_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a Python where the library is not installed."""
    monkeypatch.delitem(sys.modules, "hub.readers.pn532")
    monkeypatch.delitem(sys.modules, "hub.readers.chipset")
    monkeypatch.setitem(sys.modules, "nfc.clf", None)
    news = threading.Event()
    with (
        SimulatedReader("north", tmp_path) as sim,
        Bench({"north": Pn532Address(sim.path)}, news.set) as bench,
    ):
        until(bench, news, lambda found: found[0].code == "driver")
        (told,) = bench.verdicts()
    assert "nfc.clf" in told.what
    assert "nfcpy" in told.do


def test_the_process_that_holds_a_device_is_named(tmp_path: Path) -> None:
    news = threading.Event()
    hold = """
        import sys
        from hub.readers.line import Line
        held = Line(sys.argv[1])
        print("held", flush=True)
        sys.stdin.read()
    """
    with SimulatedReader("north", tmp_path) as sim, process(hold, sim.path) as child:
        assert line(child) == "held"
        with Bench({"north": Pn532Address(sim.path)}, news.set) as bench:
            until(bench, news, lambda found: found[0].code == "taken")
            (told,) = bench.verdicts()
        assert f"process {child.pid}" in told.what
        assert f"kill {child.pid}" in told.do
        assert [each.pid for each in holders(sim.path)] == [child.pid]


VERSION = bytes.fromhex("0000ff00ff00 0000ff06fad50332010607e800")


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        (b"", Heard(Sound.NOTHING)),
        (QUESTION, Heard(Sound.ECHO, len(QUESTION))),
        (VERSION, Heard(Sound.PN532, len(VERSION), "PN532")),
        (
            bytes.fromhex("0000ff00ff00 0000ff04fcd503020422 00"),
            Heard(Sound.OTHER_CHIP, 17, "PN531"),
        ),
        (bytes.fromhex("0000ff00ff00"), Heard(Sound.UNFINISHED, 6)),
        (b"x$GPGGA,1,2,3\r\n", Heard(Sound.POSITION, 15)),
        (b"Hello from a board\r\n", Heard(Sound.TEXT, 20)),
        (b"\x00", Heard(Sound.NOISE, 1)),
        (b"hi", Heard(Sound.NOISE, 2)),
        (VERSION[:-2] + b"\x00\x00", Heard(Sound.NOISE, len(VERSION))),
    ],
)
def test_another_device_on_the_line_is_recognised_by_its_bytes(said: bytes, heard: Heard) -> None:
    assert tell_apart(said) == heard
