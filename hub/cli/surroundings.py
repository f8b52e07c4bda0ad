"""Prepares the process for any command, independent of how it was started."""

import os
import sys
from typing import TextIO

_STANDARD = (0, 1, 2)


def prepare() -> None:
    """Call before opening or printing anything."""
    import resource

    _speak_utf8()
    _open_standard_streams()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core dump would hold sealed cards


def _speak_utf8() -> None:
    """Restart in UTF-8 if the locale is ASCII only and the environment prevents PEP 540's mode."""
    if sys.getfilesystemencoding() == "ascii" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606


def _open_standard_streams() -> None:
    """Open /dev/null for closed ones of 0, 1 and 2, so that no journal gets their number."""
    for number in _STANDARD:
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
        _never_fail_to_print(stream)


def _never_fail_to_print(stream: TextIO) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="backslashreplace")
