"""``[web]``: the pages, the Wi-Fi that phones join, and their connectivity checks there."""

import os
import re
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated

from hub.config.values import (
    Credential,
    FilePath,
    Host,
    Label,
    Port,
    bad_host,
    bad_proxy,
    missing,
    read_password,
)
from hub.kernel.documents.sections import Section, must_be, one_of
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed
from hub.themes import OURS, Ours

HOTSPOT = "10.42.0.1"
"""This machine's address in a Wi-Fi hosted by NetworkManager."""
MOST_SSID = 32
"""Most bytes of a Wi-Fi's name (IEEE 802.11, 9.4.2.2)."""
_PASSPHRASE = re.compile(r"[ -~]{8,63}")
"""A Wi-Fi's passphrase: 8 to 63 printable ASCII characters (IEEE 802.11, J.4.1)."""


class Wifi(Section, frozen=True, kw_only=True):
    """``[web.wifi]``: the Wi-Fi that phones join, for the QR code that lets them in."""

    ssid: Annotated[
        str, must_be(Reason("one-line-of", most=MOST_SSID), pattern=r"^[^\x00-\x1f\x7f]+\Z")
    ]
    password_file: FilePath | None = None
    password_credential: Credential = ""
    hidden: bool = False

    @property
    def password(self) -> Sealed[str] | None:
        """The Wi-Fi's password; None for an open network, or if it cannot be read."""
        file = self._file()
        return read_password(file) if file is not None else None

    @property
    def code(self) -> Sealed[str]:
        """The content of the QR code for joining; it includes the password."""
        from segno.helpers import make_wifi_data

        password = self.password
        secret = password.unseal() if password is not None else None
        kind = "WPA" if secret else None
        return Sealed(make_wifi_data(self.ssid, secret, kind, hidden=self.hidden))

    def _file(self) -> Path | None:
        if self.password_credential:
            folder = os.environ.get("CREDENTIALS_DIRECTORY")
            return Path(folder or os.devnull, self.password_credential)
        return self.password_file

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of the name's length, and of the password."""
        if len(self.ssid.encode()) > MOST_SSID:
            yield "ssid", Reason("ssid-long", most=MOST_SSID)
        if self.password_file is not None and self.password_credential:
            yield "password_credential", Reason("two-passwords")
            return
        if self._file() is None:
            return
        key = "password_file" if self.password_file is not None else "password_credential"
        password = self.password
        if password is None:
            yield key, Reason("password-unread")
        elif not _PASSPHRASE.fullmatch(password.unseal()):
            yield key, Reason("no-passphrase")


class Captive(Section, frozen=True, kw_only=True):
    """``[web.captive]``: answers to phones' connectivity checks in the hub's own Wi-Fi."""

    enabled: bool = False
    host: Host = HOTSPOT
    port: Port = 80
    """The port of the answers; phones ask only at port 80."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """A fault unless ``host`` is a single address, because only phones in the hub's own Wi-Fi
        are to be answered."""
        try:
            wild = ip_address(self.host).is_unspecified
        except ValueError:
            wild = True
        if wild:
            yield "host", Reason("one-address", example=HOTSPOT)


class Web(Section, frozen=True, kw_only=True):
    """``[web]``: where the pages are served, and how they look."""

    enabled: bool = True
    host: Host = "127.0.0.1"
    port: Annotated[int, must_be(Reason("a-port-or-none"), ge=0, le=65535)] = 8080
    name: Label = "facedown"
    """The name by which phones find the hub, before ``.local``; empty: they use its address."""
    hosts: Annotated[tuple[Host, ...], must_be(Reason("some-hosts"))] = ()
    proxies: Annotated[tuple[str, ...], must_be(Reason("some-addresses"), max_length=32)] = ()
    """Proxies whose headers about the client are trusted."""
    theme: Annotated[Ours, one_of(*OURS)] = OURS[0]
    theme_file: FilePath | None = None
    wifi: Wifi | None = None
    captive: Captive = Captive()

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of host names, of proxies, and of a missing theme file."""
        yield from missing(theme_file=self.theme_file)
        yield from bad_host(host=self.host)
        for proxy in self.proxies:
            yield from bad_proxy(proxy)
        for name in self.hosts:
            yield from bad_host(hosts=name)
