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

from hub.web import gate

_FIRST, _EACH = 21000, 8
_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 40
HOME_PORTS = tuple(range(_FIRST + _WORKER * _EACH, _FIRST + (_WORKER + 1) * _EACH))
"""Ports of this test process; if one is taken, the next is used."""


class _Socket:
    """The socket module with another ``create_server``."""

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
    """Web servers that ask for any free port get one of :data:`HOME_PORTS`."""
    with patch.object(gate, "socket", _Socket()):
        yield
