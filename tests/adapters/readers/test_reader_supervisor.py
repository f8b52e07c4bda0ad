"""The supervisor alone, over devices that fail on cue."""

import errno
import queue
import threading
from itertools import pairwise
from time import monotonic
from types import SimpleNamespace

import pytest

from hub.ports import FieldSeen, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp
from hub.readers.causes import explain
from hub.readers.driver import Driver
from hub.readers.kinds import KINDS
from hub.readers.presence import Care, Look
from hub.readers.supervisor import WINDOW_S, Supervisor, Troubles
from hub.table.acts import Sight

Seen = tuple[str, ...] | Exception
PN532 = KINDS["pn532"].model


class Scripted(Driver):
    """A device that sees a scripted series of contents, and then waits until it is cancelled."""

    blind = False

    def __init__(self, *looks: Seen, starts: bool = True, mends: bool = False) -> None:
        self.looks = list(looks)
        self.starts = starts
        self.mends = mends
        self.cancelled = threading.Event()
        self.closed = 0
        self.thorough: list[bool] = []

    def start(self) -> None:
        if not self.starts:
            raise RuntimeError("no answer")

    def mend(self) -> None:
        if not self.mends:
            raise RuntimeError("no answer")

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        if not self.looks:
            self.cancelled.wait()
            raise OSError(errno.ECANCELED, "cancelled")
        self.thorough.append(care is Care.THOROUGH)
        look = self.looks.pop(0)
        if isinstance(look, Exception):
            raise look
        return Look(look, monotonic(), monotonic())

    def cancel(self) -> None:
        self.cancelled.set()

    def close(self) -> None:
        self.closed += 1


class Bench:
    """A supervisor over a series of devices; an exception stands for a missing one."""

    def __init__(self, *devices: Scripted | Exception) -> None:
        self.devices = list(devices)
        self.attempts: list[float] = []
        self.events: queue.Queue[ReaderEvent] = queue.Queue()
        self.troubles: queue.Queue[ReaderEvent] = queue.Queue()
        self.supervisor = Supervisor("n", "/dev/null", PN532, self._connect, retry_s=(0.01, 0.04))

    def _connect(self) -> Scripted:
        self.attempts.append(monotonic())
        device = self.devices.pop(0)
        if isinstance(device, Exception):
            raise device
        return device

    def run(self, count: int) -> list[ReaderEvent]:
        def sink(event: ReaderEvent) -> None:
            (self.troubles if isinstance(event, ReaderTroubled) else self.events).put(event)

        self.supervisor.open(sink)
        try:
            return [self.events.get(timeout=5) for _ in range(count)]
        finally:
            self.supervisor.close()
            assert self.events.empty()


def test_up_then_the_field_then_changes() -> None:
    device = Scripted(("a",), ("a",), ("a", "b"), ("a", "b"))
    assert Bench(device).run(3) == [
        ReaderUp("n"),
        FieldSeen("n", ("a",)),
        FieldSeen("n", ("a", "b")),
    ]
    assert device.closed == 1


def test_doubt_makes_every_look_thorough() -> None:
    device = Scripted(("a", "b"), ("a",), ("a",), ("a",), ("a", "b"))
    Bench(device).run(5)
    assert device.thorough == [True, False, True, True, False]


def test_a_disturbed_look_makes_doubt_at_once_and_may_be_mended() -> None:
    device = Scripted(("a",), OSError(errno.EIO, "noise"), ("a",), mends=True)
    assert Bench(device).run(4)[2:] == [
        FieldSeen("n", ("a",), Sight.DOUBTFUL),
        FieldSeen("n", ("a",), Sight.AGAIN),
    ]
    assert device.thorough == [True, False, True]
    assert device.closed == 1


def test_a_loss_is_reported_once_however_long_it_lasts() -> None:
    dead = [Scripted(starts=False), OSError(errno.ENOENT, "gone"), OSError(errno.EBUSY, "held")]
    bench = Bench(Scripted(("a",), OSError(errno.EIO, "gone")), *dead, Scripted(("a",)))
    up, seen, doubt, down, up_again, seen_again = bench.run(6)
    assert (up, seen) == (up_again, seen_again) == (ReaderUp("n"), FieldSeen("n", ("a",)))
    assert doubt == FieldSeen("n", ("a",), Sight.DOUBTFUL)
    assert isinstance(down, ReaderDown)
    assert isinstance(dead[0], Scripted)
    assert dead[0].closed == 1


def test_pauses_double_up_to_the_longest() -> None:
    bench = Bench(*[OSError(errno.ENOENT, "gone")] * 5, Scripted(("a",)))
    bench.run(3)
    pauses = [b - a for a, b in pairwise(bench.attempts)]
    for pause, least in zip(pauses, [0.01, 0.02, 0.04, 0.04, 0.04], strict=True):
        assert pause >= least


def test_a_flapping_reader_is_retried_less_and_less_often() -> None:
    flapping = [Scripted(("a",), OSError(errno.EIO, "loose")) for _ in range(4)]
    bench = Bench(*flapping, Scripted(("a",)))
    bench.run(18)
    assert bench.attempts[-1] - bench.attempts[0] >= 0.01 + 0.02 + 0.04 + 0.04


def test_losses_and_disturbances_are_counted() -> None:
    noise = OSError(errno.EIO, "noise")
    bench = Bench(
        Scripted(("a",), noise, ("a",), noise, noise, mends=True),
        OSError(errno.ENOENT, "gone"),
        Scripted(("a",)),
    )
    bench.run(8)
    counted = [bench.troubles.get(timeout=5) for _ in range(bench.troubles.qsize())]
    assert counted[0] == ReaderTroubled("n", losses=0, disturbances=0)
    assert counted[-1] == ReaderTroubled("n", losses=1, disturbances=2)
    assert len(counted) == len(set(counted))


def test_troubles_are_forgotten_in_time() -> None:
    troubles = Troubles()
    assert troubles.news(0, blind=True) == (0, 0, True)
    troubles.disturbed(1)
    troubles.lost(2)
    assert troubles.news(2, blind=True) == (1, 1, True)
    assert troubles.news(2, blind=True) is None
    assert troubles.news(2, blind=False) == (1, 1, False)
    assert troubles.news(1 + WINDOW_S, blind=False) == (1, 0, False)
    assert troubles.news(2 + WINDOW_S, blind=False) == (0, 0, False)


def test_close_is_idempotent_and_needs_no_open() -> None:
    bench = Bench()
    bench.supervisor.close()
    bench.supervisor.close()
    with pytest.raises(RuntimeError):
        bench.supervisor.open(bench.events.put)


def test_close_ends_a_pause() -> None:
    supervisor = Supervisor(
        "n", "/dev/null", PN532, Bench(OSError(2, "gone"))._connect, retry_s=(60, 60)
    )
    told: queue.Queue[ReaderEvent] = queue.Queue()
    supervisor.open(told.put)
    told.get(timeout=5)
    began = monotonic()
    supervisor.close()
    assert monotonic() - began < 1


def test_a_second_open_raises() -> None:
    bench = Bench(Scripted(("a",)))
    bench.supervisor.open(bench.events.put)
    with pytest.raises(RuntimeError):
        bench.supervisor.open(bench.events.put)
    bench.supervisor.close()


@pytest.mark.parametrize(
    ("error", "was_up", "words"),
    [
        (OSError(errno.EACCES, ""), False, "a udev rule must give it the group dialout"),
        (OSError(errno.EAGAIN, ""), False, "held by another process"),
        (OSError(errno.EBUSY, ""), False, "held by another process"),
        (OSError(errno.ENOENT, ""), False, "plug the reader in"),
        (OSError(errno.ENXIO, ""), True, "plug the reader in"),
        (OSError(errno.EIO, ""), True, "stopped answering"),
        (OSError(errno.EIO, ""), False, "no PN532 answers"),
        (ImportError("libusb"), False, "install nfcpy"),
        (ValueError("?"), False, "no PN532 answers"),
    ],
)
def test_reasons_say_what_to_do(error: Exception, was_up: bool, words: str) -> None:
    assert words in str(explain(error, "/dev/null", PN532, was_up=was_up))


def test_the_group_that_may_open_the_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grp.getgrgid", lambda gid: SimpleNamespace(gr_name="uucp"))
    reason = explain(PermissionError(errno.EACCES, ""), "/dev/null", PN532, was_up=False)
    assert "add the user to the group uucp (sudo usermod -aG uucp " in str(reason)


def test_a_missing_path_is_named() -> None:
    told = explain(RuntimeError(), "/dev/gone", PN532, was_up=True)
    assert "no device at /dev/gone" in str(told)


def test_a_requested_look_is_answered_after_its_content() -> None:
    class Patient(Scripted):
        """Looks only when the test allows it."""

        turn = threading.Semaphore(0)

        def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
            self.turn.acquire()
            return super().observe(patience_s, care)

    device = Patient(("a",), ("a",), ("a",), (), starts=True)
    bench = Bench(device)
    told: queue.Queue[object] = queue.Queue()
    assert not bench.supervisor.look(lambda: told.put("nothing lies there"))
    bench.supervisor.open(lambda e: None if isinstance(e, ReaderTroubled) else told.put(e))
    device.turn.release()
    assert told.get(timeout=5) == ReaderUp("n")
    assert told.get(timeout=5) == FieldSeen("n", ("a",))
    device.turn.release()
    while not bench.supervisor.look(lambda: told.put("first")):
        pass
    device.turn.release(2)
    answers = [told.get(timeout=5), told.get(timeout=5)]
    assert answers in (["first", FieldSeen("n", ("a",), Sight.DOUBTFUL)],
                       [FieldSeen("n", ("a",), Sight.DOUBTFUL), "first"])  # fmt: skip
    assert bench.supervisor.look(lambda: told.put("lost"))
    device.cancel()
    device.turn.release(9)
    assert "lost" in [told.get(timeout=5), told.get(timeout=5)]
    bench.supervisor.close()
