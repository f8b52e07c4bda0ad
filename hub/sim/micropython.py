"""MicroPython for Unix, which runs the firmware of simulated boards."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

OLDEST = (1, 24)
_ANSWER_S = 10.0
_UNPACKED = Path(__file__).parents[2] / ".micropython" / "start"
"""Where `make micropython` puts it in a checkout, if the system has none."""


class NoMicroPython(Exception):
    """No usable MicroPython was found; the message says why and what to do."""


def find_micropython() -> Sequence[str]:
    """The command that starts MicroPython: the checkout's, or else the system's.

    Raises :class:`NoMicroPython`.
    """
    oldest = ".".join(map(str, OLDEST))
    advice = (
        f"install micropython for Unix, {oldest} or newer, with the system's package manager, or "
        "in a checkout run: make micropython"
    )
    found = str(_UNPACKED) if _UNPACKED.exists() else shutil.which("micropython")
    if found is None:
        raise NoMicroPython(f"there is no MicroPython on this machine: {advice}")
    asks = f"import sys; sys.exit(sys.implementation.version < {OLDEST})"
    try:
        status = subprocess.run(  # noqa: S603 - the system's own, or the checkout's
            [found, "-c", asks], timeout=_ANSWER_S, capture_output=True, check=False
        ).returncode
    except (OSError, subprocess.TimeoutExpired):
        raise NoMicroPython(f"{found} does not run: {advice}") from None
    if status:
        raise NoMicroPython(f"{found} is older than {oldest}, or no MicroPython: {advice}")
    return (found,)
