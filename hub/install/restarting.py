"""Makes mosquitto load its new files; if it fails to run with them, restores the old ones."""

from pathlib import Path

from hub.install.broker import broker_command
from hub.install.carrying import Carrier, Deed, Done, run
from hub.install.steps import Refused

LOG = "/var/log/mosquitto/mosquitto.log"
"""Debian's log; messages from before mosquitto opens it are in systemd's journal."""
_FAULT = "Error: "
_MOST_BYTES = 4096


def take_up(carrier: Carrier, *, restart: bool) -> Done:
    """Make mosquitto load its files.

    Raises :class:`Refused` after restoring the old files and restarting mosquitto with them.
    """
    log = carrier.place.at(LOG)
    began = _size(log)
    words = broker_command(restart=restart).words
    said = run(words)
    if said is None:
        return Done(Deed.RAN, " ".join(words))
    why = _told(log, began) or said
    carrier.take_back()
    # systemd has tried several times by now, and would refuse another start.
    run(("systemctl", "reset-failed", "mosquitto"))
    again = run(("systemctl", "restart", "mosquitto"))
    ends = (
        "its former files are back, and it runs with them; nothing was changed"
        if again is None
        else "its former files are back, but it does not run with them either: "
        f"journalctl -u mosquitto -e and {LOG} say why"
    )
    raise Refused(f"mosquitto does not start with what is new: {why}", ends)


def _size(log: Path) -> int:
    try:
        return log.stat().st_size
    except OSError:
        return 0


def _told(log: Path, began: int) -> str:
    """The first error logged since ``began``."""
    try:
        with log.open("rb") as file:
            file.seek(began)
            text = file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    lines = (line.partition(_FAULT)[2].strip() for line in text.splitlines())
    return next(filter(None, lines), "")
