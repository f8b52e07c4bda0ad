"""Runs a command's process, and lets signals end it from its first moment on.

Only the smallest parts of the standard library are imported at the top, so that signals are handled
as early as possible.
"""

import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, NoReturn

from hub.cli.failing import fail, status_of
from hub.cli.surroundings import prepare

if TYPE_CHECKING:
    from collections.abc import Callable

    from hub.daemon.ending import Ending

_HUBS = frozenset({"run", "demo"})
_LASTING = _HUBS | {"witness", "readers"}
"""Commands that run until they are asked to end, so that a signal is not a failure."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_CALLBACK_S = 0.001


def run() -> None:
    """Run the command ``facedown``.

    SIGINT, SIGTERM and SIGHUP end it at any time and without a message. The exit status is then 0
    for a command that is meant to run until it is ended. Any other command has not finished its
    work: its status is 128 plus the signal's number, as in shells.
    """
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    if command in _HUBS:
        _run_hub()
    else:
        watched = command == "status" and "--watch" in sys.argv
        _end_by_signals(lasting=watched or (command in _LASTING and "--test" not in sys.argv))
        _obey(_command(), None)


def _run_hub() -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # until a handler is set
    try:
        from hub.daemon.ending import SIGNALS, UNHEEDED, Ending

        with Ending() as ending:
            for number in UNHEEDED:
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, signal.valid_signals() - SIGNALS)
            config = _plain_run(sys.argv[1:])
            if config is not None:
                _serve(config, ending)
            app = _command()
            ending.leave_if_asked()
            _obey(app, ending)
    except (MemoryError, ImportError, OSError, RuntimeError, SyntaxError, SystemError) as error:
        fail(error, may_pass=True)


def _obey(app: "Callable[..., object]", ending: "Ending | None") -> None:
    """Run the command, and make sure that its output has been written. A failure to write is
    reported."""
    try:
        app(obj=ending)
    except SystemExit as ended:
        _flush(failed=ended.code not in (0, None))
        raise
    _flush(failed=False)


def _flush(*, failed: bool) -> None:
    """Flush standard output before Python does, because Python reports a failure at exit by a
    warning and status 120. ``failed``: the command has failed already, so its own exit status
    stays."""
    try:
        sys.stdout.flush()
    except OSError as error:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)  # the interpreter flushes again
        os.close(nowhere)
        if failed:
            return
        if isinstance(error, BrokenPipeError):  # as click ends it when a line cannot be written
            sys.exit(1)
        fail(OSError(error.errno, error.strerror, "standard output"))


def _plain_run(arguments: list[str]) -> str | None:
    """The configuration file if the command is a plain ``facedown run``; None for anything else.

    Such a command, which a service runs, needs no command-line library. That library takes 10 MB,
    and as long to import as the hub itself.
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
    gc.disable()  # imported objects stay, and would be searched for garbage: see run_hub
    try:
        _keep_libraries_quiet()
        from pathlib import Path

        from hub.daemon.main import run_hub
        from hub.kernel.faults import Faulty
        from hub.ports import JournalError
    except Exception as error:  # short of memory, an import may even raise SyntaxError
        fail(error, may_pass=True)

    ending.leave_if_asked()
    try:
        if sys.argv[1:] == ["run"] and not Path(config).exists():
            _set_up_here(ending)
        sys.exit(run_hub(Path(config), ending))
    except (Faulty, JournalError) as error:
        print(error, file=sys.stderr)
        sys.exit(status_of(error))
    except Exception as error:
        fail(error, may_pass=True)


def _set_up_here(ending: "Ending") -> NoReturn:
    """Serve the set-up page for this folder. When a table has been made, replace this process by
    the same command, which then runs the table."""
    from pathlib import Path

    from hub.cli.language import spoken
    from hub.daemon.setup_key import leave_key
    from hub.setup.server import set_up

    made = set_up(Path(), ending, language=spoken(), starts=True)
    if made is None:
        sys.exit(0)
    leave_key(made.console_key)
    # The ending has been used up: a table needs a fresh process.
    os.execv(sys.executable, [sys.executable, *sys.argv])  # noqa: S606


def _command() -> "Callable[..., object]":
    try:
        _keep_libraries_quiet()
        from hub.cli.main import app
    except Exception as error:  # see _serve
        fail(error, may_pass=True)
    return app


def _keep_libraries_quiet() -> None:
    """Discard hashlib's log messages: if memory is short, it logs each algorithm that it cannot
    load."""
    import logging

    logging.getLogger().addHandler(logging.NullHandler())


def _end_by_signals(*, lasting: bool) -> None:
    asked = False

    def end(number: int, _: object) -> None:
        nonlocal asked
        asked = True
        raise SystemExit(0 if lasting else 128 + number)

    def again(lost: "sys.UnraisableHookArgs") -> None:
        """Raise the signal's SystemExit again if Python has dropped it, as it does with exceptions
        in a destructor or in a weak reference's callback."""
        if not (asked and isinstance(lost.exc_value, SystemExit)):
            sys.__unraisablehook__(lost)
            return
        status = lost.exc_value.code

        def leave(*_: object) -> None:
            raise SystemExit(status)

        signal.signal(signal.SIGALRM, leave)
        signal.setitimer(signal.ITIMER_REAL, _CALLBACK_S)

    sys.unraisablehook = again
    for number in _SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, end)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
