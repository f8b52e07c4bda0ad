"""Prepares the process so that a command behaves the same however it was started."""

import os
import sys


def prepare() -> None:
    """Prepare the process: UTF-8, open standard streams, no core dumps.

    Must be called before anything is opened or printed.
    """
    import resource

    _speak_utf8()
    _open_standard_streams()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold sealed cards


def _speak_utf8() -> None:
    """Restart Python in its UTF-8 mode if the locale is ASCII and the environment turned the mode
    off (PEP 540)."""
    if sys.getfilesystemencoding() == "ascii" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606


def _open_standard_streams() -> None:
    """Open /dev/null for each standard stream that is closed, so that no other file gets the
    stream's number. Printing never fails afterwards at a character that a stream cannot encode."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
