"""A simulated board's connection to the test world: lines of JSON over one wire, both ways.

``SIM_HANDS`` names its file descriptor, which does not block. Only the other fakes import this: no
firmware knows of it.
"""

import json
import os
import select
import sys

POLLIN = select.POLLIN

_fd = os.getenv("SIM_HANDS")
_wire = open(int(_fd), "r+b", 0) if _fd else None
_waiting = b""

levels = {}
"""The levels that the world has set: pin → level."""
others = {}
"""The handlers of the world's other messages: name → function that is called with the whole
line."""

poller = select.poll()
if _wire:
    poller.register(_wire, POLLIN)


def tell(**said):
    """Report ``said`` to the world, as a line of JSON."""
    if _wire:
        _wire.write(json.dumps(said).encode() + b"\n")


def attend():
    """Take in the messages that the world has sent since the last call."""
    global _waiting
    if not _wire:
        return
    while True:
        data = _wire.read(512)
        if data is None:
            break
        if not data:
            sys.exit("the world is gone")
        _waiting += data
    while b"\n" in _waiting:
        line, _waiting = _waiting.split(b"\n", 1)
        done = json.loads(line)
        if "pin" in done:
            levels[done["pin"]] = done["level"]
        for name in done:
            if name in others:
                others[name](done)


attend()
