"""Why a connection failed or ended, worded for the log, the console and the GM.

A broker may hang up without a reason; then only its behaviour before that is known.

Ref: MQTT 3.1.1 §3.2.2.3 (return codes), MQTT 5 §4.13 (reason codes).
"""

import ssl

import aiomqtt
from paho.mqtt.reasoncodes import ReasonCode

from hub.mqtt.settings import MqttSettings, Protocol
from hub.ports import Hindrance

TIMED_OUT = "Operation timed out"
"""aiomqtt's message for an answer that does not come in time."""
NOT_MQTT = "what answers there does not speak MQTT"

_BAD_LOGIN = frozenset({0x86, 0x87})
"""Bad user name or password; not authorized. paho maps the return codes of MQTT 3.1.1 to these."""
_BAD_MESSAGE = frozenset({0x81, 0x82, 0x95})
"""Malformed packet; protocol error; packet too large. With one of these codes a broker hangs up
because of a message.
"""
_VERSION, _NO_RETAIN, _NO_QOS = 0x84, 0x9A, 0x9B


class ConnectionFailed(Exception):
    """The connection could not be made or is lost. The message is for the log and holds no
    payloads.

    ``of_a_message``: the broker hung up because of a message (only MQTT 5 says so).
    """

    hindrance = Hindrance.BROKER_AWAY
    """The kind of failure, as shown to the GM."""

    def __init__(self, words: str, *, of_a_message: bool = False) -> None:
        super().__init__(words)
        self.of_a_message = of_a_message


class NotTrusted(ConnectionFailed):
    """The broker's certificate cannot be verified: expired, say, for another name, or signed by an
    unknown authority.
    """

    hindrance = Hindrance.BROKER_NOT_TRUSTED


class LoginRefused(ConnectionFailed):
    """The broker rejects the user name or the password, or does not authorize the client."""

    hindrance = Hindrance.BROKER_REFUSES


class BrokerLacks(ConnectionFailed):
    """The broker does not support the quality of service ``qos``, or, if that is 0, retained
    messages.
    """

    hindrance = Hindrance.BROKER_LACKS

    def __init__(self, *, qos: int = 0) -> None:
        super().__init__(
            f"it takes no messages of QoS {qos} (mosquitto: max_qos)"
            if qos
            else "it keeps no messages (mosquitto: retain_available)"
        )
        self.qos = qos


class Broke(ConnectionFailed):
    """The connection ended without a reason."""

    def __init__(self) -> None:
        super().__init__("the connection broke")


class HungUp(ConnectionFailed):
    """The broker hung up before it accepted or refused the connection."""


class TooLarge(ConnectionFailed):
    """The broker sent a packet larger than the hub reads. ``topic``: the packet's topic, as far as
    it was read; empty if it is not a message.
    """

    def __init__(self, words: str, topic: str) -> None:
        super().__init__(words)
        self.topic = topic


def refused(code: ReasonCode, settings: MqttSettings) -> ConnectionFailed:
    """The failure for a connection that the broker has refused with ``code``."""
    if code.value in _BAD_LOGIN:
        return LoginRefused(f"it refuses the login ({code}): check username, password, tls")
    if code.value == _VERSION:
        return other_version(settings)
    if code.value in (_NO_RETAIN, _NO_QOS):
        return lacks(code, settings)
    return ConnectionFailed(f"it refuses the connection: {code}")


def lacks(code: ReasonCode, settings: MqttSettings) -> BrokerLacks:
    """The failure for a broker whose reason code says that it lacks a QoS or retained messages."""
    return BrokerLacks(qos=settings.most_qos if code.value == _NO_QOS else 0)


def other_version(settings: MqttSettings) -> ConnectionFailed:
    """The failure of a broker that does not know the configured version of MQTT."""
    other = next(each for each in Protocol if each is not settings.protocol)
    return ConnectionFailed(
        f'it does not speak MQTT {settings.protocol}: set protocol = "{other}" under [mqtt]'
    )


def ended(code: ReasonCode, settings: MqttSettings) -> ConnectionFailed:
    """The failure for a connection that the broker has ended with ``code`` (MQTT 5 only)."""
    if code.value in (_NO_RETAIN, _NO_QOS):
        return lacks(code, settings)
    if code.value in _BAD_LOGIN:
        return LoginRefused(f"it says: {code}")
    if code.value == 0:
        return ConnectionFailed("it ended the connection")
    return ConnectionFailed(f"it says: {code}", of_a_message=code.value in _BAD_MESSAGE)


def hung_up_first(settings: MqttSettings) -> HungUp:
    """The failure for a broker that hung up before it answered; the text gives the possible
    reasons.
    """
    if settings.tls and not settings.tls.cert:
        may = "ask for a client certificate (tls cert, key)"
    elif settings.tls:
        may = f"not speak MQTT {settings.protocol}"
    else:
        may = f"want TLS, or not speak MQTT {settings.protocol}"
    return HungUp(f"it hung up without an answer; it may {may}")


def failed(error: aiomqtt.MqttError, *, connected: bool) -> ConnectionFailed:
    """The failure for an error of aiomqtt or the system. ``connected``: whether the connection had
    been made.
    """
    if isinstance(error.__context__, ssl.SSLCertVerificationError):  # aiomqtt keeps only its text
        return NotTrusted(str(error))
    if str(error) == TIMED_OUT:
        return ConnectionFailed("it does not answer any more" if connected else "no answer")
    if connected:  # aiomqtt's own texts are for programmers
        return Broke()
    return ConnectionFailed(str(error))
