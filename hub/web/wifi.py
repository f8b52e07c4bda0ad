"""The QR code that joins phones to the Wi-Fi. With its password, only the console may show it."""

from msgspec import Struct

from hub.table.sealed import Sealed
from hub.web.codes import code


class WifiCode(Struct, frozen=True):
    """The Wi-Fi that phones join."""

    ssid: str
    """Its name, which is public."""
    content: Sealed[str]
    """The content of the code: ``WIFI:T:WPA;S:…;P:…;;``."""

    def drawn(self) -> bytes:
        """The code, as SVG."""
        return code(self.content.unseal())
