"""A slow disk: the kernel itself delays each sync of one thread.

Ref: seccomp_unotify(2). Linux 5.9 or newer, no rights needed.
"""

import ctypes
import fcntl
import os
import platform
import select
import struct
import time
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")
_SECCOMP, _FSYNC = {"x86_64": (317, 74), "aarch64": (277, 82)}.get(platform.machine(), (0, 0))
_NO_NEW_PRIVS, _FILTER, _NEW_LISTENER = 38, 1, 8
_LOAD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_ALLOW, _NOTIFY = 0x7FFF0000, 0x7FC00000
_RECEIVE, _SEND, _CONTINUE = 0xC0502100, 0xC0182101, 1
_NOTICE = 80  # size of struct seccomp_notif, in bytes


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def with_slow_disk(do: Callable[[], T], sync_s: float) -> T:
    """The result of ``do`` in its own thread, in which each sync takes at least ``sync_s``."""
    assert _SECCOMP, f"the numbers of system calls are not known for {platform.machine()}"
    given: list[T] = []
    listening: SimpleQueue[int] = SimpleQueue()

    def run() -> None:
        listening.put(_held_up())
        given.append(do())

    held = Thread(target=run, name="slow disk")
    held.start()
    listener = listening.get(timeout=10)
    _let_through(listener, sync_s)
    held.join()
    os.close(listener)
    return given[0]


def _held_up() -> int:
    """Delay this thread's syncs; return the descriptor that reports them."""
    libc = ctypes.CDLL(None, use_errno=True)
    steps = (
        (_LOAD, 0, 0, 0),
        (_JUMP_EQUAL, 0, 1, _FSYNC),
        (_RETURN, 0, 0, _NOTIFY),
        (_RETURN, 0, 0, _ALLOW),
    )
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    assert libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    listener = libc.syscall(_SECCOMP, _FILTER, _NEW_LISTENER, ctypes.byref(_Program(4, code)))
    assert listener >= 0, os.strerror(ctypes.get_errno())
    return int(listener)


def _let_through(listener: int, sync_s: float) -> None:
    """Let each sync go on after the delay, until the thread has ended."""
    told = select.poll()
    told.register(listener, select.POLLIN)
    while told.poll()[0][1] & select.POLLIN:
        notice = bytearray(_NOTICE)
        fcntl.ioctl(listener, _RECEIVE, notice)
        time.sleep(sync_s)
        (number,) = struct.unpack_from("Q", notice)
        fcntl.ioctl(listener, _SEND, struct.pack("QqiI", number, 0, 0, _CONTINUE))
