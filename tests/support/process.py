"""Processes that tests start and that end with the test process."""

import os
import shutil

_SETPRIV = shutil.which("setpriv")


def bound_by_permissions(*command: str) -> list[str]:
    """``command``, wrapped so that file modes hold for root, too."""
    if os.geteuid() or not _SETPRIV:
        return [*command]
    return [_SETPRIV, "--bounding-set", "-dac_override,-dac_read_search", *command]


def with_us(*command: str) -> list[str]:
    """``command``, wrapped so that it is killed with the thread that starts it.

    A killed pytest then leaves no hub behind that goes on publishing. On Linux only; elsewhere
    ``command`` unchanged.

    Ref: prctl(2), PR_SET_PDEATHSIG; setpriv(1).
    """
    return [_SETPRIV, "--pdeathsig", "KILL", *command] if _SETPRIV else [*command]
