"""The hub's MQTT client over a simulated network: unmodified aiomqtt and paho on simulated sockets.

paho's own network loop, with its thread and its pair of real sockets, is not used by aiomqtt.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import aiomqtt
import paho.mqtt.client as paho

from tests.simulation.mqtt_broker import Broker
from tests.simulation.sockets import Network, SimSocket


def mqtt_client(network: Network, *where: Any, owner: object = None, **how: Any) -> aiomqtt.Client:
    """A client of a broker that listens in ``network``; other arguments as for
    :class:`aiomqtt.Client`. ``owner``: see :class:`tests.simulation.sockets.Wire`."""
    client = aiomqtt.Client(*where, **how)
    below = client._client

    def connect() -> SimSocket:
        return network.connect(below.host, below.port, owner)

    below._create_socket_connection = connect  # type: ignore[assignment, method-assign]
    return client


@contextmanager
def paho_time(now: Callable[[], float]) -> Iterator[None]:
    """Let every client of paho read this clock, in seconds. It must not be 0, which means 'no
    PINGREQ is under way' to paho."""
    former = paho.time_func
    paho.time_func = now
    try:
        yield
    finally:
        paho.time_func = former


class Service:
    """A broker that listens at ``host:port`` and whose time passes with the network's loop."""

    def __init__(
        self, network: Network, broker: Broker, host: str = "127.0.0.1", port: int = 1883
    ) -> None:
        self._loop, self._broker = network.loop, broker
        self._timer: Any = None
        broker.due_sooner = self._await
        network.listen(host, port, broker.accept)

    def _await(self) -> None:
        due_s = self._broker.next_due()
        if self._timer is not None:
            if self._timer.when() <= due_s:
                return
            self._timer.cancel()
            self._timer = None
        if due_s < float("inf"):
            self._timer = self._loop.call_at(due_s, self._tick)

    def _tick(self) -> None:
        self._timer = None
        self._broker.tick()
        self._await()
