"""Processes that tests start, and that end with them."""

import os
import shutil

_SETPRIV = shutil.which("setpriv")


def bound_by_permissions(*command: str) -> list[str]:
    """``command``, for which a file's mode holds even if it is root that runs it."""
    if os.geteuid() or not _SETPRIV:
        return [*command]
    return [_SETPRIV, "--bounding-set", "-dac_override,-dac_read_search", *command]


def with_us(*command: str) -> list[str]:
    """``command``, killed with the thread that starts it, however that ends: a pytest that is
    killed leaves no hub behind that goes on publishing. On Linux alone; elsewhere ``command``.

    Ref: prctl(2), PR_SET_PDEATHSIG; setpriv(1).
    """
    return [_SETPRIV, "--pdeathsig", "KILL", *command] if _SETPRIV else [*command]
