"""``[mqtt]``: the broker, and Home Assistant's discovery of the table there."""

from collections.abc import Iterator
from typing import Annotated, Literal

from hub.config.values import (
    LOOPBACK,
    Credential,
    FilePath,
    Host,
    Language,
    Port,
    bad_host,
    bad_language,
    missing,
    read_password,
)
from hub.kernel.documents.sections import Section, must_be, one_of
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed

PLAIN_PORT, TLS_PORT = 1883, 8883
MOST_PREFIX_CHARS = 64


class HomeAssistantSection(Section, frozen=True, kw_only=True):
    """``[mqtt.homeassistant]``: the announcement of the table to Home Assistant, over the
    broker."""

    enabled: bool = True
    """Whether to announce the table; false: an earlier announcement is removed."""
    prefix: Annotated[
        str,
        must_be(
            Reason("a-topic-prefix", most=MOST_PREFIX_CHARS),
            pattern=r"^(?=.{1,64}\Z)[A-Za-z0-9_-]+(/[A-Za-z0-9_-]+)*\Z",
        ),
    ] = "homeassistant"
    language: Language = "en"

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of a prefix inside the table's own topics, or of an unknown language."""
        if self.prefix.partition("/")[0] == "facedown":
            yield "prefix", Reason("prefix-ours")
        yield from bad_language(self.language)


class Tls(Section, frozen=True, kw_only=True):
    """``[mqtt.tls]``: the authority that the hub trusts, and the hub's own certificate and key."""

    ca: FilePath | None = None
    """The authority's certificate; None: the authorities that this machine trusts."""
    cert: FilePath | None = None
    key: FilePath | None = None

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of missing files, or of a certificate or key without the other."""
        yield from missing(ca=self.ca, cert=self.cert, key=self.key)
        if (self.cert is None) != (self.key is None):
            yield "key" if self.cert is None else "cert", Reason("cert-and-key")


class Mqtt(Section, frozen=True, kw_only=True):
    """``[mqtt]``: the broker, and how the hub connects and logs in to it."""

    enabled: bool = False
    host: Host = "127.0.0.1"
    port: Port | None = None
    """The broker's port; None: the default, see :attr:`broker_port`."""
    username: str = ""
    password: Sealed[str] | None = None
    """The password; the loader also sets it from ``password_file`` or ``password_credential``."""
    password_file: FilePath | None = None
    password_credential: Credential = ""
    tls: Tls | None = None
    protocol: Annotated[Literal["3.1.1", "5"], one_of("3.1.1", "5")] = "3.1.1"
    commands: bool = False
    embedded: bool = False
    """Whether the hub runs its own broker, on loopback."""
    homeassistant: HomeAssistantSection | None = None

    @property
    def broker_port(self) -> int:
        """The port to connect to: ``port`` or, without one, 8883 with TLS and 1883 without."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of the host, of the login (which commands need), and of an embedded broker."""
        yield from bad_host(host=self.host)
        if self.password_file and read_password(self.password_file) is None:
            yield "password_file", Reason("password-unread")
        has_password = bool(self.password or self.password_file or self.password_credential)
        if self.password_credential and (self.password or self.password_file):
            yield "password_credential", Reason("passwords")
        if self.password is not None and self.password_file is not None:
            yield "password", Reason("two-passwords")
        if has_password and not self.username:
            key = "password_file" if self.password_file else "password_credential"
            yield "password" if self.password else key, Reason("needs-username")
        known = self.username or (self.tls and self.tls.cert)
        if self.commands and not known:
            yield "commands", Reason("commands-need-login")
        if self.embedded and (self.tls or known or self.host not in LOOPBACK):
            yield "embedded", Reason("embedded-alone")
