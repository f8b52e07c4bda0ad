"""The recap and the printed deck for the console: a process of their own writes them, so that the
table plays on."""

import asyncio
import logging
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hub.catalogues import languages

log = logging.getLogger(__name__)

LONGEST_S = 120.0
"""A journal of many conventions on a small machine."""
_NICE = 10
_WISHES = {"paper": ("a4", "letter"), "layout": ("duplex", "fold")}
"""What the console may ask of a printed deck; the first where it asks for nothing that there is."""
_PROGRAM = "from hub.cli.main import app; app()"


async def write_recap_of(journal: Path, table: str, theme: str) -> tuple[str, bytes] | None:
    """What ``facedown recap`` writes of a journal that is in use, and what to call it; None, and a
    line in the log, if it fails."""
    body = await _written("recap", str(journal), "-o", "-", "--theme", theme)
    if not body:
        log.warning("no recap was written (try: facedown recap %s)", journal.name)
        return None
    return f"{table}.html", body


async def print_deck_of(
    config: Path, table: str, theme: str, wish: Mapping[str, str]
) -> tuple[str, bytes] | None:
    """What ``facedown cards print`` makes of a configuration's deck, and what to call it; None, and
    a line in the log, if it fails. ``wish``: paper, layout and language, as a page asks for
    them."""
    asked = {**_WISHES, "locale": languages()}
    options = [
        f"--{key}={wish[key] if wish.get(key) in there else there[0]}"
        for key, there in asked.items()
    ]
    body = await _written(
        "cards", "print", f"--config={config}", f"--theme={theme}", *options, "--out=-"
    )
    if not body:
        log.warning("no deck was printed (try: facedown cards print --config %s)", config.name)
        return None
    return f"{table}-cards.pdf", body


async def _written(*command: str) -> bytes:
    """What a command of ``facedown`` writes to its standard output; nothing if it fails."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, *command),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICE)
        async with asyncio.timeout(LONGEST_S):
            body, _ = await process.communicate()
    except (TimeoutError, OSError):
        body = b""
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return b"" if process.returncode else body
