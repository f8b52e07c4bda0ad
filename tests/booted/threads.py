"""Freeze one thread of a process, as a driver call that never returns does.

Ref: ptrace(2): ``PTRACE_SEIZE`` and ``PTRACE_INTERRUPT`` stop a single thread.
"""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SEIZE, _INTERRUPT, _DETACH = 0x4206, 0x4207, 17
_WALL = 0x40000000
_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def reading_thread(pid: int, terminal: str) -> int:
    """Return the thread of ``pid`` that waits for the pseudo terminal of this number."""
    while True:
        for task in Path(f"/proc/{pid}/task").iterdir():
            for number in _waits_for(task):
                try:
                    where = Path(f"/proc/{pid}/fd/{number}").readlink().name
                except OSError:
                    continue
                if where == terminal:
                    return int(task.name)


def _waits_for(task: Path) -> list[int]:
    """Return the descriptors that a thread's read(), poll() or select() waits for."""
    try:
        said = (task / "syscall").read_text().split()
        number, first, second = int(said[0]), int(said[1], 16), int(said[2], 16)
        match number:
            case 0:  # read
                return [first]
            case 7 | 271:  # poll, ppoll
                with (task.parent.parent / "mem").open("rb") as memory:
                    memory.seek(first)
                    found = memory.read(8 * min(second, 16))
                return [
                    int.from_bytes(found[at : at + 4], "little") for at in range(0, len(found), 8)
                ]
            case 23 | 270:  # select, pselect6
                with (task.parent.parent / "mem").open("rb") as memory:
                    memory.seek(second)
                    bits = int.from_bytes(memory.read(128), "little")
                return [n for n in range(first) if bits >> n & 1]
    except (OSError, ValueError, IndexError):
        pass
    return []


@contextmanager
def held(thread: int) -> Iterator[None]:
    """Keep the thread stopped while the context lasts."""
    for request in (_SEIZE, _INTERRUPT):
        if _LIBC.ptrace(request, thread, None, None):
            raise OSError(ctypes.get_errno(), "ptrace")
    os.waitpid(thread, _WALL)
    try:
        yield
    finally:
        _LIBC.ptrace(_DETACH, thread, None, None)
