"""The same few ports for one web server after another.

A browser caches the pages' files by address: at a known port it requests none of them again, and
has their scripts compiled.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from hub.world import MACHINE, World

_FIRST, _EACH = 21000, 8
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 40
HOME_PORTS = tuple(range(_FIRST + _WORKER * _EACH, _FIRST + (_WORKER + 1) * _EACH))
"""Ports of this test process; if one is taken, the next is used."""


def _at_home(_: World, address: tuple[str, int], *given: Any) -> socket.socket:
    host, port = address
    for home in HOME_PORTS if port == 0 else ():
        try:
            return listen(MACHINE, (host, home), *given)
        except OSError:
            continue
    return listen(MACHINE, address, *given)


listen = World.listen


@contextmanager
def home_ports() -> Iterator[None]:
    """Web servers that ask for any free port get one of :data:`HOME_PORTS`."""
    with patch.object(World, "listen", _at_home):
        yield
