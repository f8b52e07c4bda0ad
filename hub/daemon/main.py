"""Running the hub as a process: signals, logs, and what is said at the start."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TextIO

from hub.daemon import logs
from hub.daemon.config import load_table
from hub.daemon.serve import AutoPlay, Started, StartError, serve
from hub.ports import JournalError

EXIT_FAILED = 1


def run_hub(config: Path) -> int:
    """``facedown run``: play until SIGINT or SIGTERM. Returns the exit status.

    Raises :class:`hub.wire.toml.FileFault` for files that cannot be used.
    """
    files = load_table(config)
    logs.set_up(files.config.log.level, files.config.log.format)

    def ready(started: Started) -> None:
        print_addresses(started, sys.stderr, qr=sys.stderr.isatty())

    return supervise(lambda: serve(files, ready))


def run_demo(folder: Path, *, port: int, autoplay: AutoPlay | None, time_scale: float = 1) -> int:
    """``facedown demo``: a table in ``folder``, played until SIGINT. Returns the exit status."""
    from hub.daemon.demo import make_demo

    files = load_table(make_demo(folder, web_port=port))
    logs.set_up(files.config.log.level, files.config.log.format)

    def ready(started: Started) -> None:
        print_addresses(started, sys.stdout, qr=sys.stdout.isatty())
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


def print_addresses(started: Started, to: TextIO, *, qr: bool) -> None:
    """Say where the pages are. The key is printed here and nowhere else."""
    lines = []
    if started.url is not None:
        lines.append(f"Display        {started.url}display")
        if started.table_key is not None:
            lines.append(f"Virtual table  {started.url}table?key={started.table_key}")
    if started.broker is not None:
        lines.append(f"MQTT broker    {started.broker}")
    to.write("\n" + "\n".join(lines) + "\n\n")
    if qr and started.url is not None and started.table_key is not None:
        import segno

        segno.make(f"{started.url}table?key={started.table_key}").terminal(out=to, compact=True)
    to.flush()
