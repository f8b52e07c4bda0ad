"""Which serial devices are plugged in, by names that stay when the order of plugging changes.

Ref: udev's 60-serial.rules: ``by-id`` names a device by what it is, ``by-path`` by the socket it is
plugged into.
"""

import os
from pathlib import Path

SERIAL = "FACEDOWN_SERIAL"
"""The environment's name for another folder than ``/dev/serial``, as in a container."""


def serial_devices() -> list[str]:
    """The serial devices that are plugged in, each by a name that lasts, sorted.

    Adapters without a serial number share one name below ``by-id``, which then leads to the one
    that was plugged in last. Where a device has no name there, all are named by their sockets.
    """
    by_id, by_path = _named("by-id"), _named("by-path")
    chosen = by_id if by_path.keys() <= by_id.keys() else by_id | by_path
    return sorted(chosen.values())


def _named(kind: str) -> dict[str, str]:
    """The device itself → its first name of this kind."""
    folder = Path(os.environ.get(SERIAL) or "/dev/serial") / kind
    try:
        names = sorted(folder.iterdir(), reverse=True)
    except OSError:
        return {}
    return {os.path.realpath(name): str(name) for name in names}
