"""Ports of a demo, opened before the parts that use them."""

import socket
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager

from hub.config.demo import LOOPBACK, host_of

_BACKLOG = 128


@contextmanager
def held_ports(web_port: int, *, lan: bool = False) -> Iterator[Mapping[str, socket.socket]]:
    """Listening sockets for ``web`` and ``mqtt``, opened early so that no other program can take
    their ports. Raises :class:`OSError` if no port is free."""
    with ExitStack() as stack:
        yield {
            "web": stack.enter_context(_held(web_port, host_of(lan=lan))),
            "mqtt": stack.enter_context(_held(1883, LOOPBACK)),
        }


def port_of(held: socket.socket) -> int:
    """The port that was free for ``held``."""
    return int(held.getsockname()[1])


def _held(wanted: int, host: str) -> socket.socket:
    """A socket listening at ``wanted``, else at one of the next ports, else at any."""
    next_ones = range(wanted + 1, min(wanted + 100, 0x10000)) if wanted else ()
    for port in (wanted, *next_ones, 0):
        try:
            return socket.create_server((host, port), backlog=_BACKLOG)
        except OSError:
            continue
    raise OSError(f"no port is free on {host}")
