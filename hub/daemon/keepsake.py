"""The recap for the console: written by a process of its own, so that the table plays on."""

import asyncio
import logging
import os
import sys
from pathlib import Path

log = logging.getLogger(__name__)

LONGEST_S = 120.0
"""A journal of many conventions on a small machine."""
_NICE = 10
_PROGRAM = "from hub.cli.main import app; app()"


async def write_recap_of(journal: Path, table: str) -> tuple[str, bytes] | None:
    """What ``facedown recap`` writes of a journal that is in use, and what to call it; None, and a
    line in the log, if it fails."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROGRAM, "recap", str(journal), "-o", "-"),
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
    if not body:
        log.warning("no recap was written (try: facedown recap %s)", journal.name)
        return None
    return f"{table}.html", body
