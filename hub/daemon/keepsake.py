"""The recap and the printed deck for the console: a process of their own writes them, so that the
table plays on."""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from hub.called import called
from hub.catalogues import languages
from hub.rules.faults import one_line

log = logging.getLogger(__name__)

LONGEST_S = 120.0
"""A journal of many conventions on a small machine."""
_NICE = 10
_PAPER = {"paper": ("a4", "letter")}
_LAYOUT = {"layout": ("duplex", "fold")}
"""What the console may wish for; the first where it wishes for nothing that there is."""
PAPERS = ("rules", "sheets", "countdowns", "tents")
"""What lies beside the cards."""
_MOST_WHY = 300
"""Letters of the reason in the log."""
_PROGRAM = "from hub.cli.main import app; app()"


async def write_recap_of(journal: Path, table: str, theme: str) -> tuple[str, bytes] | None:
    """What ``facedown recap`` writes of a journal that is in use, and what to call it; None, and a
    line in the log, if it fails."""
    body, why = await _written("recap", str(journal), "-o", "-", "--theme", theme)
    if not body:
        log.warning("no recap was written: %s (%s recap %s)", why, called(), journal.name)
        return None
    return f"{table}.html", body


async def print_deck_of(
    config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """What ``facedown cards print`` makes of a configuration's deck, and what to call it; None, and
    a line in the log that says why, if it fails. ``wish``: paper, layout and language, as a page
    asks for them."""
    options = _options(wish, _PAPER | _LAYOUT)
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
    """What ``facedown cards papers`` makes for a configuration, and what to call it; None, and a
    line in the log, if it fails. ``wish``: what, paper and language; ``address``: of the pages;
    ``keys``: 1 for tents with those of the players' seats in their codes."""
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
    """What is wished, as options of the command."""
    known = {**there, "locale": languages()}
    return [
        f"--{key}={wish[key] if wish.get(key) in values else values[0]}"
        for key, values in known.items()
    ]


async def _written(*command: str) -> tuple[bytes, str]:
    """What a command of ``facedown`` writes to its standard output; if it fails, nothing, and its
    first line about why."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, *command),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    why = f"not done within {LONGEST_S:.0f} s"
    try:
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
        async with asyncio.timeout(LONGEST_S):
            body, told = await process.communicate()
        why = one_line(next(iter(told.decode(errors="replace").splitlines()), "no reason given"))
    except TimeoutError:
        body = b""
    except OSError as error:
        body, why = b"", error.strerror or "the system refuses it"
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return (b"" if process.returncode else body), why[:_MOST_WHY]
