"""Runs the hub as a process: signals, logs, and the messages at the start."""

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from hub.config.loader import TableFiles, load_table
from hub.daemon import logs
from hub.daemon.addresses import COMMAND
from hub.daemon.ending import Ending
from hub.daemon.outlet import Outlet
from hub.daemon.output import StartError
from hub.daemon.outputs import OUTPUTS
from hub.daemon.serve import Started, serve
from hub.daemon.systemd import is_kept
from hub.kernel.faults import one_line
from hub.ports import JournalError

EXIT_FAILED = 1
_STDOUT, _STDERR = 1, 2
_log = logging.getLogger(__name__)


def run_hub(config: Path, ending: Ending) -> int:
    """``facedown run``: play until a signal of ``ending``. Returns the exit status.

    Raises :class:`hub.kernel.faults.Faulty` for files that cannot be used.
    """
    files = load_table(config, OUTPUTS)

    def ready(started: Started) -> None:
        advice = 'To let phones in, set host = "0.0.0.0" under [web].'
        say_addresses(started, sys.stderr, advice, config.absolute())
        settle()

    return supervise(files, lambda: serve(files, ready), ending)


def run_demo(
    folder: Path,
    ending: Ending,
    *,
    port: int,
    pace_s: float,
    autoplay: bool = False,
    lan: bool = False,
    ruleset: str = "",
    firmware: bool = False,
) -> int:
    """``facedown demo``: play a table in ``folder`` until a signal of ``ending``. ``pace_s``: how
    long the hub's players think; ``autoplay``: they play every character; ``lan``: open it to
    phones; ``ruleset``: which demo; ``firmware``: simulate boards that run it. Returns the exit
    status."""
    from hub.config.demo import NoDemo, make_demo
    from hub.daemon.held_ports import held_ports, port_of
    from hub.sim.boards import NoMicroPython, find_micropython

    ending.leave_if_asked()

    def ready(started: Started) -> None:
        advice = "To let phones in, start it with --lan, or as: make demo ARGS=--lan"
        say_addresses(started, sys.stdout, advice)
        if firmware:
            print("Every seat has a board that runs the firmware, and so has the clock.")
        print("Stop with Ctrl-C.", flush=True)
        settle()

    with contextlib.ExitStack() as stack:
        try:
            micropython = find_micropython() if firmware else ()
            held = stack.enter_context(held_ports(port, lan=lan))
            web_port, mqtt_port = port_of(held["web"]), port_of(held["mqtt"])
            file = make_demo(
                folder, web_port=web_port, mqtt_port=mqtt_port, lan=lan, ruleset=ruleset
            )
            files = load_table(file, OUTPUTS)
        except (NoDemo, NoMicroPython, OSError) as error:
            print(f"facedown: {error}", file=sys.stderr)
            return EXIT_FAILED
        play = partial(
            serve,
            files,
            ready,
            pace_s=pace_s,
            demo=True,
            autoplay=autoplay,
            micropython=micropython,
            held=held,
        )
        return supervise(files, play, ending)


def settle() -> None:
    """Exempt everything created so far from garbage collection. A collection over all of it would
    stop the table for some 20 ms, now and then. It is not collected once more before: that takes a
    seventh of the start, and writing to every object takes more memory than the little garbage."""
    gc.freeze()
    gc.enable()


def supervise(
    files: TableFiles, hub: Callable[[], Coroutine[Any, Any, None]], ending: Ending
) -> int:
    """Run ``hub`` until it ends or a signal asks it to; a failure prints one line to standard
    error. Returns the exit status. Output goes through outlets: an unread pipe cannot block the
    hub."""

    async def played() -> int:
        try:
            await hub()
        except (StartError, JournalError) as error:
            return failed(error)
        except asyncio.CancelledError as asked:
            # A signal during the shutdown of a failed table must not hide the failure.
            before: BaseException | None = asked
            while before is not None:
                if isinstance(before, StartError | JournalError):
                    return failed(before)
                before = before.__context__
            raise
        return 0

    def failed(error: StartError | JournalError) -> int:
        print(f"facedown: {one_line(str(error))}", file=sys.stderr)
        return EXIT_FAILED

    def last_words(stuck: str) -> None:
        _log.warning("broken off, because it did not end by itself: %s", stuck)
        err.close()

    ending.leave_if_asked()
    with (
        Outlet(_STDOUT) as out,
        Outlet(_STDERR) as err,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        log = files.config.log
        ending.last_words = last_words
        err.gap = partial(logs.gap, logs.set_up(log.level, log.format))
        for remark in files.remarks:
            _log.warning("%s", remark)
        return ending.run(played())


def say_addresses(started: Started, to: TextIO, advice: str, config: Path | None = None) -> None:
    """Print the addresses, and again whenever they change."""

    def say(now: Started) -> None:
        print_addresses(now, to, qr=to.isatty(), let_phones_in=advice, config=config)

    say(started)
    started.follow(lambda pages: say(Started(pages, started.broker)))


def print_addresses(
    started: Started, to: TextIO, *, qr: bool, let_phones_in: str, config: Path | None = None
) -> None:
    """Print the addresses of the pages. If ``to`` goes to a log, print no keys, but the command
    that shows them; ``config`` is its argument. ``let_phones_in``: advice if phones cannot reach
    the pages."""
    pages, keys = started.pages, not is_kept(to)
    lines = pages.named(keys=keys) if pages is not None else []
    if started.broker is not None:
        lines.append(("MQTT broker", started.broker))
    to.write("\n" + columns(lines) + "\n")
    if pages is None:
        pass
    elif not keys:
        asked = f"{COMMAND} --config {config}" if config else COMMAND
        to.write(f"The GM console and the seats have keys, which no log keeps: {asked}\n")
    elif pages.phones:
        if qr:
            draw_code(pages.gm, to)
        to.write("The console shows each seat's code.\n")
        if pages.number:
            to.write(f"Phones that do not find that name call {pages.number} in its place.\n")
    else:
        to.write(f"Only this machine can open these pages. {let_phones_in}\n")
    to.flush()


def columns(lines: Sequence[tuple[str, str]]) -> str:
    """Names and values in two columns, a line for each pair."""
    width = max((len(name) for name, _ in lines), default=0)
    return "".join(f"{name:<{width}}  {where}\n" for name, where in lines)


def draw_code(gm: str, to: TextIO) -> None:
    """Draw the GM console's address as a QR code for a phone's camera."""
    import segno

    segno.make(gm).terminal(out=to, compact=True)
    to.write("This code opens the GM console. ")
