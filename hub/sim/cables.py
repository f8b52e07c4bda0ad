"""Pseudo-terminals, and a board's own USB cable to the hub."""

import os
import tty
from pathlib import Path


class NoTerminal(Exception):
    """The system provides no pseudo-terminal; the message says what to do."""


def open_terminal() -> tuple[int, int]:
    """A new pseudo-terminal: the master's and the slave's descriptor. Raises
    :class:`NoTerminal`.
    """
    try:
        return os.openpty()
    except OSError as error:
        raise NoTerminal(
            "simulated readers stand on pseudo-terminals, and this system gives none "
            f"({error.strerror}): mount them (mount -t devpts devpts /dev/pts), or start it where "
            "/dev/pts is there"
        ) from None


def linked_terminal(link: Path) -> tuple[int, int]:
    """A new pseudo-terminal whose slave side is found at ``link``: the master's and the slave's
    descriptor. Raises :class:`NoTerminal`.
    """
    master, slave = open_terminal()
    tty.setraw(slave)
    fresh = link.with_name(f".{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(os.ttyname(slave))
    fresh.replace(link)
    return master, slave


class UsbCable:
    """A board's USB cable: the device at ``path`` comes and goes with the board."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._slave: int | None = None

    def open(self) -> int:
        """Make a new device, and return the descriptor of the board's end. The old device
        hangs up.
        """
        self.close()
        master, self._slave = linked_terminal(Path(self.path))
        os.set_blocking(master, False)
        return master

    def close(self) -> None:
        """Remove the device. Idempotent."""
        Path(self.path).unlink(missing_ok=True)
        if self._slave is not None:
            os.close(self._slave)
            self._slave = None
