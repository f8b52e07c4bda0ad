"""Why a connection could not be made, or has ended: what the log, the console and the GM are told.

Ref: MQTT 3.1.1 §3.2.2.3 (return codes), MQTT 5 §4.13 (reason codes).
"""

import ssl

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from hub.mqtt.settings import MqttSettings
from hub.ports import Hindrance

TIMED_OUT = "Operation timed out"
"""What aiomqtt says when an answer does not come in time."""

_BAD_LOGIN = frozenset({0x86, 0x87})
"""Reason codes for a bad user name or password and for not authorized; those of 3.1.1 are given as
these."""
_BAD_MESSAGE = frozenset({0x81, 0x82, 0x95})
"""Malformed packet, protocol error, packet too large: mosquitto says the second of the third."""
_UNSPECIFIED = 0x80
"""What paho makes of a connection that ended without a word."""


class ConnectionFailed(Exception):
    """The connection could not be made or is lost. The message is for the log: no payloads.

    ``of_a_message``: the broker hung up because of what it was sent (MQTT 5 alone says so).
    """

    hindrance = Hindrance.BROKER_AWAY
    """What the GM is told of it."""

    def __init__(self, words: str, *, of_a_message: bool = False) -> None:
        super().__init__(words)
        self.of_a_message = of_a_message


class NotTrusted(ConnectionFailed):
    """The broker's certificate is signed by somebody else, made out to another name, or old."""

    hindrance = Hindrance.BROKER_NOT_TRUSTED


class LoginRefused(ConnectionFailed):
    """The broker knows no such user, or the password is another."""

    hindrance = Hindrance.BROKER_REFUSES


class TooLarge(ConnectionFailed):
    """The broker sends more at once than the hub reads. ``topic``: of such a message, as far as it
    has come; empty if it is none, or its topic has not come yet."""

    def __init__(self, words: str, topic: str) -> None:
        super().__init__(words)
        self.topic = topic


def failed(error: aiomqtt.MqttError, settings: MqttSettings) -> ConnectionFailed:
    """No more than what went wrong and, where it is known, what to do."""
    cause = error.__cause__ or error
    code = getattr(cause, "rc", None)
    if isinstance(code, ReasonCode):
        if code.value in _BAD_LOGIN:
            return LoginRefused(f"it refuses the login ({code}): check username, password, tls")
        lost = code.value == _UNSPECIFIED
        return ConnectionFailed(
            "the connection broke" if lost else f"it says: {code}",
            of_a_message=code.value in _BAD_MESSAGE,
        )
    if isinstance(error.__context__, ssl.SSLCertVerificationError):  # aiomqtt keeps its words alone
        return NotTrusted(str(cause))
    if str(cause) != TIMED_OUT:
        return ConnectionFailed(str(cause))
    if settings.tls and not settings.tls.cert:
        return ConnectionFailed("no answer; it may ask for a client certificate (tls cert, key)")
    return ConnectionFailed("no answer")
