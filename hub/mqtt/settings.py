"""How the table connects to its broker, as read from the configuration."""

import ssl
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from hub.games.files import open_named
from hub.wire.topics import Topics
from hub.world import MACHINE, World

MAX_PORT = 65535


class MqttSettingsError(ValueError):
    """The settings cannot work with any broker; the message says what to change."""


class Protocol(StrEnum):
    """The version of MQTT to speak."""

    V311 = "3.1.1"
    V5 = "5"


class Tls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The paths of PEM files. The broker's name is always checked against its certificate."""

    ca: str = ""
    """The file of the authorities accepted for the broker's certificate; empty: those of this
    machine.
    """
    cert: str = ""
    """The file of the hub's own certificate, if the broker asks for one; it needs ``key``, too."""
    key: str = ""
    """The file of the certificate's key. It must not be encrypted, because nobody can enter a pass
    phrase.
    """


class MqttSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A broker and how to use it. Raises :class:`MqttSettingsError` if that cannot work."""

    table: str
    """The table's name, which is part of every topic: see :func:`hub.wire.topics.check_name`."""
    host: str = "127.0.0.1"
    port: int = 1883
    username: str = ""
    password: str = ""
    tls: Tls | None = None
    client_id: str = ""
    """The hub's client id, which no other client of the broker may use; empty: ``facedown-`` and
    the table's name.

    MQTT 3.1.1 §3.1.3.1 promises 23 characters; most brokers accept more.
    """
    keepalive_s: int = 15
    """A broker that is silent for twice this long counts as lost."""
    protocol: Protocol = Protocol.V311
    commands: bool = False
    """Whether commands are accepted, which needs a broker that authenticates its clients."""
    timeout_s: float = 5
    retry_first_s: float = 0.5
    """The pause before the first retry after a lost connection; it doubles with each failure."""
    retry_most_s: float = 3
    most_qos: int = 2
    """The best quality of service to ask of the broker, because some brokers offer less than 2."""
    world: World = MACHINE
    """The machine that connects to the broker."""
    most_behind: int = 1000
    """How many events may wait for the broker; of more, the older ones are never announced."""

    def __post_init__(self) -> None:
        Topics(self.table)
        if not self.host:
            raise MqttSettingsError("mqtt host is empty: name the broker's host or address")
        if not 0 < self.port <= MAX_PORT:
            raise MqttSettingsError(f"mqtt port {self.port} is not between 1 and {MAX_PORT}")
        if self.password and not self.username:
            raise MqttSettingsError("mqtt has a password but no username")
        if self.tls and bool(self.tls.cert) != bool(self.tls.key):
            raise MqttSettingsError("mqtt tls: cert and key go together; one is missing")
        if min(self.keepalive_s, self.timeout_s, self.retry_first_s, self.most_behind) <= 0:
            raise MqttSettingsError(
                "mqtt keepalive_s, timeout_s, retry_first_s and most_behind are above zero"
            )
        if self.commands and not self.authenticated:
            raise MqttSettingsError(
                "commands over MQTT need a broker that knows who its clients are: set username "
                "and password (or tls cert and key), or turn commands off"
            )

    def __repr__(self) -> str:
        return f"MqttSettings(table={self.table!r}, broker={self.broker!r})"

    @property
    def authenticated(self) -> bool:
        """Whether the hub identifies itself to the broker."""
        return bool(self.username or (self.tls and self.tls.cert))

    @property
    def broker(self) -> str:
        """The broker as ``host:port``, for logs and pages."""
        return f"{self.host}:{self.port}"

    @property
    def identifier(self) -> str:
        """The client id to connect with: ``client_id``, or the default."""
        return self.client_id or f"facedown-{self.table}"


class _Socket(ssl.SSLSocket):
    """A TLS socket that closes when the handshake fails; paho leaves that to the garbage
    collector.
    """

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BlockingIOError:
            raise
        except OSError:
            self.close()
            raise


def tls_context(tls: Tls | None) -> ssl.SSLContext | None:
    """The context made from the files of ``tls``; None without ``tls``.

    Raises :class:`MqttSettingsError` naming the file that cannot be used.
    """
    if tls is None:
        return None
    reading = tls.ca
    try:
        if tls.ca:
            open_named(Path(tls.ca)).close()  # OpenSSL would block on a pipe
        context = ssl.create_default_context(cafile=tls.ca or None)
        if tls.cert:
            reading = f"{tls.cert} with {tls.key}"
            context.load_cert_chain(tls.cert, tls.key, password=lambda: "")
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise MqttSettingsError(f"mqtt tls: {reading} cannot be used: {why}") from None
    context.sslsocket_class = _Socket
    return context
