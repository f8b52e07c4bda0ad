"""What holds for every command, whatever the process was started with, and how it fails.

Nothing here may need more of the hub than the standard library, and of that only the smallest
parts before signals are heard: it also tells that there is too little memory for the rest.
"""

import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn, TextIO

if TYPE_CHECKING:
    from collections.abc import Callable

    from hub.daemon.ending import Ending

FAILED = 1
UNUSABLE = 2

_STANDARD = (0, 1, 2)
_MEMORY = "there is not enough memory for it; close other programs, or raise its limit"
_STARVED = ("can't start new thread", "failed to map segment", "cannot allocate memory")
"""How the system's loader and threads say so."""


_HUBS = frozenset({"run", "demo"})
_LASTING = _HUBS | {"witness"}
"""Commands that last until they are asked to end: that they are is no failure."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def run() -> None:
    """The command ``facedown``.

    SIGINT, SIGTERM and SIGHUP end it at any time and without a word: one that lasts until then with
    status 0, any other, which has not done what it was called for, with 128 and the signal's number
    as a shell tells it.
    """
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command in _HUBS:
        _run_hub()
    else:
        _end_by_signals(lasting=command in _LASTING)
        _command()(obj=None)


def _run_hub() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)  # until somebody listens
    try:
        from hub.daemon.ending import Ending

        with Ending() as ending:
            config = _plain_run(sys.argv[1:])
            if config is not None:
                _serve(config, ending)
            app = _command()
            ending.leave_if_asked()
            app(obj=ending)
    except (MemoryError, ImportError, OSError, RuntimeError) as error:
        fail(error)


def _plain_run(arguments: list[str]) -> str | None:
    """The configuration of a ``facedown run`` as a service starts it; None for anything else.

    It does without the library of the command line, which takes 10 MB of memory and as long to
    import as the hub itself.
    """
    match arguments:
        case ["run"]:
            return "hub.toml"
        case ["run", "--config", path] if not path.startswith("-"):
            return path
        case ["run", option] if option.startswith("--config="):
            return option.removeprefix("--config=")
    return None


def _serve(config: str, ending: "Ending") -> NoReturn:
    prepare()
    from pathlib import Path

    from hub.daemon.main import run_hub
    from hub.ports import JournalError
    from hub.wire.toml import FileFault

    ending.leave_if_asked()
    try:
        sys.exit(run_hub(Path(config), ending))
    except (FileFault, JournalError) as error:
        print(error, file=sys.stderr)
        sys.exit(UNUSABLE)
    except Exception as error:
        fail(error)


def _command() -> "Callable[..., object]":
    try:
        from hub.cli.main import app
    except (MemoryError, ImportError, OSError) as error:
        fail(error)
    return app


def _end_by_signals(*, lasting: bool) -> None:
    def end(number: int, _: object) -> None:
        raise SystemExit(0 if lasting else 128 + number)

    for number in _SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def fail(error: Exception) -> NoReturn:
    """End the process with one line for what nobody expected."""
    status, line = reason(error)
    print(f"facedown: {line}", file=sys.stderr)
    sys.exit(status)


def prepare() -> None:
    """Before anything else is opened or said."""
    import resource

    _speak_utf8()
    _open_standard_streams()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # a core would hold sealed cards


def _speak_utf8() -> None:
    """Start again in UTF-8 if the locale knows ASCII alone and the environment keeps Python from
    taking UTF-8 instead (PEP 540): files' names, and what people are called, need it."""
    if sys.getfilesystemencoding() == "ascii" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606


def _open_standard_streams() -> None:
    """Whatever is closed of 0, 1 and 2 leads nowhere: a journal or a socket must never get the
    number to which somebody writes."""
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


def reason(error: Exception) -> tuple[int, str]:
    """Exit status and one line for what nobody expected. What an exception says may name a card,
    so of the program's own faults only the place is told."""
    import errno
    import traceback
    from pathlib import PurePath

    starved = isinstance(error, MemoryError) or getattr(error, "errno", 0) == errno.ENOMEM
    if starved or any(words in str(error).lower() for words in _STARVED):
        return FAILED, _MEMORY
    if isinstance(error, OSError) and error.strerror:
        file = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        return UNUSABLE, f"{file}{error.strerror}"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return FAILED, f"a fault of the program's own: {type(error).__name__}{place}; please report it"
