"""Running the hub as a process: signals, logs, and what is said at the start."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine
from logging import getLogger
from pathlib import Path
from typing import Any, TextIO

from hub.daemon import logs
from hub.daemon.config import load_table
from hub.daemon.serve import AutoPlay, Started, StartError, serve
from hub.ports import JournalError

EXIT_FAILED = 1

log = getLogger(__name__)


def run_hub(config: Path) -> int:
    """``facedown run``: play until SIGINT or SIGTERM. Returns the exit status.

    Raises :class:`hub.wire.toml.FileFault` for files that cannot be used.
    """
    files = load_table(config)
    logs.set_up(files.config.log.level, files.config.log.format)

    for remark in files.remarks:
        log.warning("%s", remark)

    def ready(started: Started) -> None:
        advice = 'To let phones in, set host = "0.0.0.0" under [web].'
        print_addresses(started, sys.stderr, qr=sys.stderr.isatty(), let_phones_in=advice)

    return supervise(lambda: serve(files, ready))


def run_demo(
    folder: Path,
    *,
    port: int,
    autoplay: AutoPlay | None,
    lan: bool = False,
    time_scale: float = 1,
) -> int:
    """``facedown demo``: a table in ``folder``, played until SIGINT. ``lan``: for phones, too.
    Returns the exit status."""
    from hub.daemon.demo import OwnTable, make_demo

    try:
        files = load_table(make_demo(folder, web_port=port, lan=lan))
    except (OwnTable, OSError) as error:
        print(f"facedown: {error}", file=sys.stderr)
        return EXIT_FAILED
    logs.set_up(files.config.log.level, files.config.log.format)

    def ready(started: Started) -> None:
        advice = "To let phones in, start it with --lan, or as: make demo ARGS=--lan"
        print_addresses(started, sys.stdout, qr=sys.stdout.isatty(), let_phones_in=advice)
        print("Stop with Ctrl-C.", flush=True)

    return supervise(lambda: serve(files, ready, autoplay=autoplay, time_scale=time_scale))


def supervise(hub: Callable[[], Coroutine[Any, Any, None]]) -> int:
    """Run ``hub`` until it ends or a signal asks it to. One line on standard error if it fails."""
    try:
        asyncio.run(_until_signal(hub()))
    except (StartError, JournalError) as error:
        print(f"facedown: {error}", file=sys.stderr)
        return EXIT_FAILED
    return 0


async def _until_signal(hub: Coroutine[Any, Any, None]) -> None:
    loop = asyncio.get_running_loop()
    playing = loop.create_task(hub, name="hub")
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, playing.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def print_addresses(started: Started, to: TextIO, *, qr: bool, let_phones_in: str) -> None:
    """Say where the pages are. The keys are printed here and nowhere else.

    ``let_phones_in``: what to do so that they can come, if they cannot.
    """
    pages = started.pages
    lines = []
    if pages is not None:
        lines += [("Display", pages.display), ("GM console", pages.gm)]
        lines += [("Virtual table", pages.table)] if pages.table is not None else []
        lines += [(f"Seat {seat}", address) for seat, address in pages.seats.items()]
    if started.broker is not None:
        lines.append(("MQTT broker", started.broker))
    width = max((len(name) for name, _ in lines), default=0)
    to.write("\n" + "".join(f"{name:<{width}}  {where}\n" for name, where in lines) + "\n")
    if pages is not None:
        if pages.phones:
            if qr:
                import segno

                segno.make(pages.gm).terminal(out=to, compact=True)
                to.write("This code opens the GM console. ")
            to.write("The console shows each seat's code.\n")
        else:
            to.write(f"Only this machine can open these pages. {let_phones_in}\n")
    to.flush()
