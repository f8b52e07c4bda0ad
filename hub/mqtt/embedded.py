"""A broker in the hub's own process, for a demo on one machine: amqtt on the loopback address.

It asks clients for no login, so it accepts none from outside. A real table has mosquitto. Known
fault of amqtt 0.12.1: a client that returns to a persistent session gets retained messages of
other clients' subscriptions.
"""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

from hub.world import MACHINE

LOOPBACK = "127.0.0.1"

_LISTENER = "default"
_QUIET = ("amqtt", "transitions")
"""Loggers that would report every connection."""


class EmbeddedBrokerError(Exception):
    """The broker cannot run; the message says why, and how to install it if it is missing."""


@asynccontextmanager
async def embedded_broker(
    port: int = 1883, held: socket.socket | None = None
) -> AsyncIterator[None]:
    """Run a broker on 127.0.0.1. ``held``: a socket that listens there already. Raises
    :class:`EmbeddedBrokerError` if the broker cannot run.
    """
    try:
        from amqtt.broker import Broker
        from amqtt.errors import BrokerError
    except ImportError:
        raise EmbeddedBrokerError(
            "the demo's broker is not installed: pip install 'facedown[demo]'"
        ) from None
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    broker = Broker(
        {
            "listeners": {_LISTENER: {"type": "external", "bind": f"{LOOPBACK}:{port}"}},
            "plugins": {
                "amqtt.plugins.authentication.AnonymousAuthPlugin": {"allow_anonymous": True}
            },
        }
    )
    try:
        listening = held or MACHINE.listen((LOOPBACK, port))
    except OSError as error:
        raise EmbeddedBrokerError(
            f"the demo's broker cannot listen on {LOOPBACK}:{port}: {error.strerror}"
        ) from None
    try:
        await broker.start()
    except BrokerError as error:
        listening.close()
        raise EmbeddedBrokerError(f"the demo's broker cannot run: {error}") from None
    serve = partial(broker.stream_connected, listener_name=_LISTENER)
    server = await asyncio.start_server(serve, sock=listening)
    try:
        yield
    finally:
        server.close()
        await broker.shutdown()
