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
PERIOD_S = 0.1
"""As the kernel does it (``cpu.max``): in each period a process runs until it has had its share."""
_LOOK_S = 0.0005


@contextmanager
def held(process: "subprocess.Popen[bytes]", share: float) -> Iterator[None]:
    """Hold a process that has just begun to a share of one core. This needs no rights, unlike a
    control group, and takes as long: two starts 5.0 and 5.7 s, in a control group 5.7 and 5.8."""
    done = Event()

    def hold() -> None:
        ends, debt_s = time.monotonic(), 0.0
        while not done.is_set():
            ends += PERIOD_S
            until_s = cpu_s(process.pid) + share * PERIOD_S - debt_s
            while (left_s := until_s - cpu_s(process.pid)) > 0 and time.monotonic() < ends:
                time.sleep(max(left_s, _LOOK_S))  # of each thread: one runs at a time
            os.kill(process.pid, signal.SIGSTOP)
            done.wait(ends - time.monotonic())
            debt_s = max(cpu_s(process.pid) - until_s, 0.0)
            os.kill(process.pid, signal.SIGCONT)

    def end() -> None:
        with suppress(ProcessLookupError, FileNotFoundError):
            hold()

    holding = Thread(target=end)
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
