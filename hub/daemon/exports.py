"""The console's downloads (recap, deck, papers), written by a separate process, so that the table
plays on."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeVar, cast

import msgspec

from hub.daemon.export_jobs import DeckJob, Job, PapersJob, RecapJob, What
from hub.daemon.progress import far_of
from hub.kernel.called import called
from hub.kernel.catalogues import languages
from hub.kernel.faults import one_line
from hub.world import World

log = logging.getLogger(__name__)

LONGEST_S = 120.0
"""How long the process may work without reporting progress (s): enough for a small machine."""
_NICE = 10
_PROCESS = "hub.daemon.export_process"
"""The name of the process's module, which is not imported here because that would make a circle."""
_PAPERS = ("a4", "letter")
_LAYOUTS: tuple[Literal["duplex", "fold"], ...] = ("duplex", "fold")
_MOST_SAID = 1 << 16
"""The most bytes read at once, and the most kept of an unfinished line."""
_MOST_WHY = 300
"""The most characters of the reason in the log."""

T = TypeVar("T")
Tell = Callable[[int], object]
"""A function that is called with the progress in percent."""


async def write_recap_of(
    world: World, journal: Path, table: str, theme: str, tell: Tell = lambda _: None
) -> tuple[str, bytes] | None:
    """The recap of a journal in use: a file name and the content. None, and a line in the log, if
    it fails. ``tell`` is called with the progress."""
    body, why = await _written(world, RecapJob(str(journal), theme), tell)
    if not body:
        log.warning("no recap was written: %s (%s recap %s)", why, called(), journal.name)
        return None
    return f"{table}.html", body


async def print_deck_of(
    world: World, config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """A configuration's deck as PDF: a file name and the content. None, and a line in the log, if
    it fails. ``wish``, from a page: ``paper``, ``layout``, ``locale``, ``starter`` (1: only the
    cards that the characters know now)."""
    job = DeckJob(
        str(config),
        theme,
        paper=_one_of(_PAPERS, wish.get("paper")),
        layout=_one_of(_LAYOUTS, wish.get("layout")),
        locale=_one_of(languages(), wish.get("locale")),
        starter=wish.get("starter") == "1",
    )
    body, why = await _written(world, job)
    if not body:
        log.warning("no deck was printed: %s (%s cards print --config %s)", why, called(), config)
        return None
    return f"{table}-cards.pdf", body


async def print_papers_of(
    world: World, config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """A configuration's papers as PDF: a file name and the content. None, and a line in the log, if
    it fails. ``wish``, from a page: ``what``, ``paper``, ``locale``; for tents also the pages'
    ``address``, and ``keys`` (1: codes include the keys of the players' seats)."""
    what = _one_of(tuple(What), wish.get("what"))
    tents = what is What.TENTS
    job = PapersJob(
        str(config),
        what,
        theme,
        paper=_one_of(_PAPERS, wish.get("paper")),
        locale=_one_of(languages(), wish.get("locale")),
        address=wish.get("address", "") if tents else "",
        keys=tents and wish.get("keys") == "1",
    )
    body, why = await _written(world, job)
    if not body:
        asked = called(), what, config
        log.warning("%s: not printed: %s (%s cards papers %s --config %s)", what, why, *asked)
        return None
    return f"{table}-{what}.pdf", body


def _one_of(there: Sequence[T], wanted: str | None) -> T:
    """The requested value, or the first one if the request is invalid."""
    return next((each for each in there if each == wanted), there[0])


async def _written(world: World, job: Job, tell: Tell = lambda _: None) -> tuple[bytes, str]:
    """The result of a job; empty, with the reason, if it fails or is silent for too long."""
    process = await world.program(
        *(sys.executable, "-X", "utf8", "-m", _PROCESS),
        msgspec.json.encode(job),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
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
    """The first line on the process's standard error that is not progress. Progress is passed to
    ``tell``, and extends the ``patience``."""
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
