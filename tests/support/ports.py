"""The same few ports for one web server after another.

A browser keeps the pages' files for good, by their address: at a port that it has been to it asks
for none of them again, and has their scripts compiled.
"""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from hub.web import gate

_FIRST, _EACH = 21000, 8
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 40
HOME_PORTS = tuple(range(_FIRST + _WORKER * _EACH, _FIRST + (_WORKER + 1) * _EACH))
"""Of this test process; where one is taken, the next."""


class _Socket:
    """The module, with another way to make a listener."""

    def __getattr__(self, name: str) -> Any:
        return getattr(socket, name)

    @staticmethod
    def create_server(address: tuple[str, int], **given: Any) -> socket.socket:
        host, port = address
        for home in HOME_PORTS if port == 0 else ():
            try:
                return socket.create_server((host, home), **given)
            except OSError:
                continue
        return socket.create_server(address, **given)


@contextmanager
def home_ports() -> Iterator[None]:
    """Web servers that may have any port have one of :data:`HOME_PORTS`."""
    with patch.object(gate, "socket", _Socket()):
        yield
