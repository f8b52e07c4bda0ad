"""The recap and the printed deck for the console, written by a separate process, so that the table
plays on."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import cast

from hub.daemon.progress import AS_JSON, far_of
from hub.kernel.called import called
from hub.kernel.catalogues import languages
from hub.kernel.faults import one_line

log = logging.getLogger(__name__)

LONGEST_S = 120.0
"""Longest silence allowed, on a small machine. A journal of many conventions takes longer, but
reports progress."""
_NICE = 10
_PAPER = {"paper": ("a4", "letter")}
_LAYOUT = {"layout": ("duplex", "fold")}
"""Options offered by the console; the first of each is the default for an invalid choice."""
PAPERS = ("rules", "sheets", "countdowns", "tents")
"""Printed matter other than cards."""
_MOST_SAID = 1 << 16
"""Bytes of one line."""
_MOST_WHY = 300
"""Characters of the reason in the log."""
_PROGRAM = "from hub.cli.main import app; app()"


Tell = Callable[[int], object]
"""Called with the progress in percent."""


def _nobody(_: int) -> None:
    pass


async def write_recap_of(
    journal: Path, table: str, theme: str, tell: Tell = _nobody
) -> tuple[str, bytes] | None:
    """Run ``facedown recap`` on a journal in use: a file name and the content. None, and a line in
    the log, if it fails. ``tell`` is called with the progress."""
    body, why = await _written("recap", str(journal), "-o", "-", "--theme", theme, tell=tell)
    if not body:
        log.warning("no recap was written: %s (%s recap %s)", why, called(), journal.name)
        return None
    return f"{table}.html", body


async def print_deck_of(
    config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """Run ``facedown cards print`` for a configuration's deck: a file name and the content. None,
    and a line in the log with the reason, if it fails. ``wish``: paper, layout and language, as
    requested by a page; ``starter``: 1 for the cards that the characters know now."""
    options = _options(wish, _PAPER | _LAYOUT)
    if wish.get("starter") == "1":
        options.append("--starter")
    body, why = await _written(
        "cards", "print", f"--config={config}", f"--theme={theme}", *options, "--out=-"
    )
    if not body:
        log.warning("no deck was printed: %s (%s cards print --config %s)", why, called(), config)
        return None
    return f"{table}-cards.pdf", body


async def print_papers_of(
    config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """Run ``facedown cards papers`` for a configuration: a file name and the content. None, and a
    line in the log, if it fails. ``wish``: ``what``, paper and language; ``address``: of the pages;
    ``keys``: 1 for tents whose codes include the keys of the players' seats."""
    asked = wish.get("what", "")
    what = asked if asked in PAPERS else PAPERS[0]
    options = _options(wish, _PAPER)
    if what == "tents" and wish.get("address"):
        options.append(f"--address={wish['address']}")
    if what == "tents" and wish.get("keys") == "1":
        options.append("--keys")
    body, why = await _written(
        "cards", "papers", what, f"--config={config}", f"--theme={theme}", *options, "--out=-"
    )
    if not body:
        log.warning(
            "%s: not printed: %s (%s cards papers %s --config %s)",
            what,
            why,
            called(),
            what,
            config,
        )
        return None
    return f"{table}-{what}.pdf", body


def _options(wish: Mapping[str, str], there: Mapping[str, Sequence[str]]) -> list[str]:
    """The requested values as options of the command."""
    known = {**there, "locale": languages()}
    return [
        f"--{key}={wish[key] if wish.get(key) in values else values[0]}"
        for key, values in known.items()
    ]


async def _written(*command: str, tell: Tell = _nobody) -> tuple[bytes, str]:
    """The standard output of a ``facedown`` command; empty, with the reason, if it fails or is
    silent for too long."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, *command),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, AS_JSON: "json"},
    )
    why = f"not done within {LONGEST_S:.0f} s"
    wrote, said = (cast("asyncio.StreamReader", each) for each in (process.stdout, process.stderr))
    try:
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
        async with asyncio.timeout(LONGEST_S) as patience:
            body, told = await asyncio.gather(wrote.read(), _heard(said, patience, tell))
            await process.wait()
        why = one_line(told.decode(errors="replace") or "no reason given")
    except TimeoutError:
        body = b""
    except OSError as error:
        body, why = b"", error.strerror or "the system refuses it"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return (b"" if process.returncode else body), why[:_MOST_WHY]


async def _heard(said: asyncio.StreamReader, patience: asyncio.Timeout, tell: Tell) -> bytes:
    """The first line of a command's standard error other than progress. Progress is passed on, and
    extends the ``patience``."""
    waiting, first = b"", b""
    while part := await said.read(_MOST_SAID):
        *lines, waiting = (waiting + part).split(b"\n")
        waiting = waiting[:_MOST_SAID]
        for line in lines:
            if (far := far_of(line)) is None:
                first = first or line
                continue
            patience.reschedule(asyncio.get_running_loop().time() + LONGEST_S)
            tell(far.percent)
    return first or waiting
