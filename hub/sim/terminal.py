"""Pseudo-terminals, the basis of all simulated devices."""

import os


class NoTerminal(Exception):
    """The system provides no pseudo-terminal; the message says what to do."""


def open_terminal() -> tuple[int, int]:
    """The master's and the slave's descriptor. Raises :class:`NoTerminal`."""
    try:
        return os.openpty()
    except OSError as error:
        raise NoTerminal(
            "simulated readers stand on pseudo-terminals, and this system gives none "
            f"({error.strerror}): mount them (mount -t devpts devpts /dev/pts), or start it where "
            "/dev/pts is there"
        ) from None
