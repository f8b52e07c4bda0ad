"""A reader on the test bench: every fault of a reader is caused on a chip, and reported.

Benches watch a reader for each fault, some at once, until they know them all.
"""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic

import pytest

from hub.kernel.catalogues import catalogue, languages
from hub.readers import verdicts
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

PATIENCE_S = 120.0

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
    "crowded": ("two-cards", {}, lambda sim: sim.put(card(tag_id(b"the second card.")))),
    "dead-tag": ("unreadable", {}, lambda sim: (sim.lift(), sim.put(Mute(b"\x04broken")))),
    "guarded-tag": ("guarded", {}, lambda sim: (sim.lift(), sim.put(guarded()))),
}
"""Reader → its verdict, its settings, and the fault from the start."""

ELSEWHERE = {"permission", "taken", "driver", "ambiguous", "braille", "slow"}
"""Verdicts with their own tests, because they need another user, another process, another Python,
names below ``/dev/serial``, braille support, or a bench of their own."""

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
        assert monotonic() < end, codes(found)
        news.wait(0.1)
        news.clear()


def codes(found: list[Verdict]) -> dict[str, set[str]]:
    return {each.reader: {e.code for e in found if e.reader == each.reader} for each in found}


SIDE_BY_SIDE = 6
"""Readers watched at once; a busy machine cannot play all of them in time."""


def some_at_once(names: Iterable[str]) -> list[tuple[str, ...]]:
    left = tuple(names)
    return [left[at : at + SIDE_BY_SIDE] for at in range(0, len(left), SIDE_BY_SIDE)]


@contextmanager
def bench_of(
    folder: Path, names: Iterable[str], before: Callable[[dict[str, SimulatedReader]], None]
) -> Iterator[tuple[Bench, dict[str, SimulatedReader], Callable[..., None]]]:
    """A bench with these readers and a good one, after ``before``; and a wait for verdicts."""
    news = threading.Event()
    with ExitStack() as stack:
        sims = {
            name: stack.enter_context(SimulatedReader(name, folder, **BEFORE[name][1]))  # type: ignore[arg-type]
            if name in BEFORE
            else stack.enter_context(SimulatedReader(name, folder))
            for name in {"good", *names}
        }
        before(sims)
        addresses = {name: Pn532Address(sim.path) for name, sim in sims.items()}
        bench = stack.enter_context(Bench(addresses, news.set))

        def wait(due: dict[str, str], up: Iterable[str] = ()) -> None:
            until(bench, news, lambda found: _all(found, due, bench, up))

        yield bench, sims, wait


def _all(found: list[Verdict], due: dict[str, str], bench: Bench, up: Iterable[str]) -> bool:
    told, measured = codes(found), bench.measured()
    rested = measured["good"].seen >= 20 and all(measured[name].seen >= 5 for name in up)
    return rested and all(code in told[name] for name, code in due.items())


def lay(sim: SimulatedReader, name: str) -> Ntag:
    lies = card(tag_id(name.encode().ljust(16)))
    sim.put(lies)
    return lies


def lay_all(sims: dict[str, SimulatedReader]) -> None:
    for name, sim in sims.items():
        lay(sim, name)


def all_said(told: list[Verdict]) -> None:
    """Every sentence has its values, and every fault a remedy."""
    for each in told:
        for language in languages():
            what, do = each.told(language)
            assert "{" not in what + do
            assert (each.level is Level.OK) or do


@pytest.fixture(autouse=True)
def nothing_is_slow(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """On a busy machine every reader is."""
    if "slow" not in request.node.name:
        monkeypatch.setattr(verdicts, "SLOW_MS", float("inf"))


@pytest.mark.parametrize("names", some_at_once(BEFORE), ids=" ".join)
def test_each_fault_from_the_start_is_recognised_by_its_effects(
    tmp_path: Path, names: tuple[str, ...]
) -> None:
    def before(sims: dict[str, SimulatedReader]) -> None:
        lay_all(sims)
        for name in names:
            BEFORE[name][2](sims[name])

    with bench_of(tmp_path, names, before) as (bench, _, wait):
        wait({name: BEFORE[name][0] for name in names})
        told, asked_nobody = bench.verdicts(), codes(bench.verdicts(cards=False))
    good = next(each for each in told if each.reader == "good")
    assert good.level is Level.OK
    assert good.values["missed"] < good.values["seen"] >= 20
    if "far" in names:
        assert "answers" in asked_nobody["far"]
    if "three-volts" in names:
        assert codes(told)["three-volts"] >= {"good", "blind"}, "it plays, but the user should know"
    all_said(told)


def test_each_fault_during_the_test_is_recognised_by_its_effects(tmp_path: Path) -> None:
    with bench_of(tmp_path, MEANWHILE, lay_all) as (bench, sims, wait):
        wait({}, MEANWHILE)
        for name, (_, deed) in MEANWHILE.items():
            deed(sims[name])
        wait({name: code for name, (code, _) in MEANWHILE.items()})
        all_said(bench.verdicts())


BETWEEN = {"twin-a": "same-card", "twin-b": "same-card", "near": "neighbour"}
COPIES = {"copy-a": "same-id", "copy-b": "same-id"}


def test_a_card_that_two_readers_hear_is_told_from_its_copy(tmp_path: Path) -> None:
    def before(sims: dict[str, SimulatedReader]) -> None:
        lay(sims["good"], "good")
        sims["twin-b"].put(lay(sims["twin-a"], "twin"))  # it is between the two
        sims["near"].couple(0.2)
        sims["near"].put(lay(sims["home"], "home"))  # from farther away
        copy = Ntag(b"\x04copied")  # another tag, written with the same id
        copy.memory[:] = lay(sims["copy-a"], "copy").memory
        sims["copy-b"].put(copy)

    with bench_of(tmp_path, ("home", *BETWEEN, *COPIES), before) as (bench, _, wait):
        wait(BETWEEN | COPIES)
        told = bench.verdicts()
    of_copies = codes(told)["copy-a"] | codes(told)["copy-b"]
    assert not of_copies & {"same-card", "neighbour"}
    (named,) = (each for each in told if each.reader == "copy-a")
    assert "one is here, the other on copy-b" in named.what
    all_said(told)


def test_each_verdict_has_a_test() -> None:
    keys = catalogue("reasons", "en", "hub.readers")
    faults = {key.removesuffix(".do") for key in keys if key.endswith(".do")}
    of_readers = {fault for fault in faults if not fault.startswith("board-")}
    tested = {"answers"} | {row[0] for row in (*BEFORE.values(), *MEANWHILE.values())}
    assert of_readers - tested - {*BETWEEN.values(), *COPIES.values()} == ELSEWHERE


def test_a_slow_reader_is_recognised(tmp_path: Path) -> None:
    news = threading.Event()
    with (
        SimulatedReader("north", tmp_path, time_scale=6.0) as sim,
        Bench({"north": Pn532Address(sim.path)}, news.set) as bench,
    ):
        sim.put(card(tag_id(b"north".ljust(16))))
        until(bench, news, lambda found: "slow" in codes(found)["north"])


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
