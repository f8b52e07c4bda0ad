"""No signal ends a hub silently: it shuts down in order, or ignores the signal."""

import signal
from pathlib import Path

import pytest

from hub.daemon.ending import SIGNALS, UNHEEDED
from tests.support.hub import watched_hub

FAULTS = {
    *(signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV),
    signal.SIGSYS,
}
"""Sent by the processor and the kernel to a program that is broken."""
STOPS = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGCONT}
"""Used to suspend a program and resume it."""
HARMLESS = {signal.SIGCHLD, signal.SIGURG, signal.SIGWINCH}
"""Ignored by default; Python itself ignores SIGPIPE and SIGXFSZ."""
BY_PYTHON = {signal.SIGPIPE, signal.SIGXFSZ}


def test_every_signal_is_covered() -> None:
    known = FAULTS | STOPS | HARMLESS | BY_PYTHON | SIGNALS | UNHEEDED | {signal.SIGKILL}
    assert {int(each) for each in signal.valid_signals()} == {int(each) for each in known}


@pytest.mark.parametrize("number", sorted(SIGNALS - {signal.SIGINT, signal.SIGTERM}))
async def test_it_ends_in_order(number: int, tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        process, watch.hub.process = watch.hub.process, None
        assert process is not None
        process.send_signal(number)
        assert process.wait(20) == 0
        await watch.until_status(b"offline")
        assert "Traceback" not in watch.hub.output()


async def test_it_plays_on(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        process = watch.hub.process
        assert process is not None
        for number in (*UNHEEDED, *BY_PYTHON, *HARMLESS):
            process.send_signal(number)
        await watch.commit("Ada", ["stance attack 2"])
        assert watch.hub.stop() == 0
        await watch.until_status(b"offline")
