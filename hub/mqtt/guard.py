"""Looks at each packet of a broker before paho takes it.

paho hides the reason with which a broker refuses a message (PUBREC), and hangs up where it does not
know the reason's number (PUBACK: mosquitto refuses what is too large by one that MQTT 5 has for
other packets).

Ref: MQTT 5 §3.4.2.1 (PUBACK reason code), §3.5.2.1 (PUBREC), §4.3.3 (one that refuses ends it).
"""

from paho.mqtt.client import PUBACK, PUBCOMP, PUBREC, Client
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

_REFUSES = 0x80
"""This reason code and those above say no (MQTT 5 §4.13)."""
_ANSWERS = frozenset({PUBACK, PUBREC, PUBCOMP})


class Guard:
    """Of one client."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._refusals: dict[int, str] = {}
        self._handle = client._packet_handle
        client._packet_handle = self._look  # type: ignore[method-assign]

    def refusal(self, number: int) -> str | None:
        """Why the broker has refused the message of that packet identifier, which is done now;
        None: it has taken it."""
        return self._refusals.pop(number, None)

    def _look(self) -> MQTTErrorCode:
        packet = self._client._in_packet
        kind, body = packet["command"] & 0xF0, packet["packet"]
        if kind in _ANSWERS and len(body) > 2 and body[2] >= _REFUSES:  # noqa: PLR2004
            number = int.from_bytes(body[:2], "big")
            if kind != PUBCOMP and number in self._client._out_messages:
                self._refusals[number] = named(body[2])
            # Whatever its QoS, that message is done: nothing more is said of it.
            packet["command"], packet["packet"] = PUBACK, body[:2]
        return self._handle()


def named(code: int) -> str:
    """A reason code of MQTT 5, as the standard names it."""
    return next(iter(ReasonCode.names.get(code, ())), f"reason code 0x{code:02x}")
