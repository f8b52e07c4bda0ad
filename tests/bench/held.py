"""A process that may use only a share of one core, as on a machine that is that much slower."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

PI_ZERO_2_W = 0.07
"""The share of a core of the machines that this project is developed on."""
_LOOK_S = 0.002


@contextmanager
def held(process: "subprocess.Popen[bytes]", share: float) -> Iterator[None]:
    """Hold a process that has just begun to a share of one core: it is stopped whenever it has had
    more. This needs no rights, unlike a control group."""
    begun, done = time.monotonic(), Event()

    def hold() -> None:
        with suppress(ProcessLookupError, FileNotFoundError):
            while not done.wait(_LOOK_S):
                ahead_s = cpu_s(process.pid) / share - (time.monotonic() - begun)
                if ahead_s > 0:
                    os.kill(process.pid, signal.SIGSTOP)
                    done.wait(ahead_s)
                    os.kill(process.pid, signal.SIGCONT)

    holding = Thread(target=hold)
    holding.start()
    try:
        yield
    finally:
        done.set()
        holding.join()


def cpu_s(pid: int) -> float:
    """Seconds on a processor so far, of all its threads."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9
