"""Mosquitto takes up what was written for it; if it does not run with that, all is as it was."""

from pathlib import Path

from hub.install.broker import broker_command
from hub.install.carrying import Carrier, Deed, Done, run
from hub.install.steps import Refused

LOG = "/var/log/mosquitto/mosquitto.log"
"""Debian's; what mosquitto says before it has opened it stands in systemd's journal."""
_FAULT = "Error: "
_MOST_BYTES = 4096


def take_up(carrier: Carrier, *, restart: bool) -> Done:
    """Let it read its files. Raises :class:`Refused` after the former ones are back, and it has
    been started with them."""
    log = carrier.place.at(LOG)
    began = _size(log)
    words = broker_command(restart=restart).words
    said = run(words)
    if said is None:
        return Done(Deed.RAN, " ".join(words))
    why = _told(log, began) or said
    carrier.take_back()
    # systemd has tried it some times by now, and would try no more.
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
    """The first fault that it has written since."""
    try:
        with log.open("rb") as file:
            file.seek(began)
            text = file.read(_MOST_BYTES).decode(errors="replace")
    except OSError:
        return ""
    lines = (line.partition(_FAULT)[2].strip() for line in text.splitlines())
    return next(filter(None, lines), "")
