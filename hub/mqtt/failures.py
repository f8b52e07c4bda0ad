"""Why a connection failed or ended, worded for the log, the console and the GM.

A broker may also hang up without a reason; then only its behaviour before that is known.

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
"""Bad user name or password, and not authorized; paho maps the codes of 3.1.1 to these."""
_BAD_MESSAGE = frozenset({0x81, 0x82, 0x95})
"""Malformed packet, protocol error, packet too large: a message may cause a broker to hang up
with one of these codes."""
_VERSION, _NO_RETAIN, _NO_QOS = 0x84, 0x9A, 0x9B


class ConnectionFailed(Exception):
    """The connection could not be made or is lost. The message is for the log: no payloads.

    ``of_a_message``: the broker hung up because of a message (only MQTT 5 says so).
    """

    hindrance = Hindrance.BROKER_AWAY
    """The reason as the GM is told."""

    def __init__(self, words: str, *, of_a_message: bool = False) -> None:
        super().__init__(words)
        self.of_a_message = of_a_message


class NotTrusted(ConnectionFailed):
    """The broker's certificate is expired, for another name, or signed by an unknown authority."""

    hindrance = Hindrance.BROKER_NOT_TRUSTED


class LoginRefused(ConnectionFailed):
    """The broker knows no such user, or the password is wrong."""

    hindrance = Hindrance.BROKER_REFUSES


class BrokerLacks(ConnectionFailed):
    """The broker does not support the quality of service ``qos``; 0: it keeps no messages."""

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
    """The broker hung up before it accepted or refused the hub."""


class TooLarge(ConnectionFailed):
    """The broker sent a larger packet than the hub reads, on ``topic`` if that has arrived."""

    def __init__(self, words: str, topic: str) -> None:
        super().__init__(words)
        self.topic = topic


def refused(code: ReasonCode, settings: MqttSettings) -> ConnectionFailed:
    """Why the broker refuses the connection."""
    if code.value in _BAD_LOGIN:
        return LoginRefused(f"it refuses the login ({code}): check username, password, tls")
    if code.value == _VERSION:
        return other_version(settings)
    if code.value in (_NO_RETAIN, _NO_QOS):
        return lacks(code, settings)
    return ConnectionFailed(f"it refuses the connection: {code}")


def lacks(code: ReasonCode, settings: MqttSettings) -> BrokerLacks:
    """What the broker does not support, by the reason code for its refusal."""
    return BrokerLacks(qos=settings.most_qos if code.value == _NO_QOS else 0)


def other_version(settings: MqttSettings) -> ConnectionFailed:
    """The failure of a broker that does not know the configured version of MQTT."""
    other = next(each for each in Protocol if each is not settings.protocol)
    return ConnectionFailed(
        f'it does not speak MQTT {settings.protocol}: set protocol = "{other}" under [mqtt]'
    )


def ended(code: ReasonCode, settings: MqttSettings) -> ConnectionFailed:
    """Why the broker ended the connection, by its reason code (MQTT 5 only)."""
    if code.value in (_NO_RETAIN, _NO_QOS):
        return lacks(code, settings)
    if code.value in _BAD_LOGIN:
        return LoginRefused(f"it says: {code}")
    if code.value == 0:
        return ConnectionFailed("it ended the connection")
    return ConnectionFailed(f"it says: {code}", of_a_message=code.value in _BAD_MESSAGE)


def hung_up_first(settings: MqttSettings) -> HungUp:
    """The possible reasons why it hung up before it answered."""
    if settings.tls and not settings.tls.cert:
        may = "ask for a client certificate (tls cert, key)"
    elif settings.tls:
        may = f"not speak MQTT {settings.protocol}"
    else:
        may = f"want TLS, or not speak MQTT {settings.protocol}"
    return HungUp(f"it hung up without an answer; it may {may}")


def failed(error: aiomqtt.MqttError, *, connected: bool) -> ConnectionFailed:
    """Why the connection failed, as aiomqtt and the system report it; ``connected``: whether it had
    been made."""
    if isinstance(error.__context__, ssl.SSLCertVerificationError):  # aiomqtt keeps only its text
        return NotTrusted(str(error))
    if str(error) == TIMED_OUT:
        return ConnectionFailed("it does not answer any more" if connected else "no answer")
    if connected:  # aiomqtt's own texts are for programmers
        return Broke()
    return ConnectionFailed(str(error))
