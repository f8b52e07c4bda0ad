"""The code that lets a phone into the Wi-Fi. Its password is a key: the console alone shows it."""

from msgspec import Struct

from hub.table.sealed import Sealed
from hub.web.codes import code


class WifiCode(Struct, frozen=True):
    """The Wi-Fi that phones join."""

    ssid: str
    """Its name, which everybody in the room can see."""
    content: Sealed[str]
    """What the code says: ``WIFI:T:WPA;S:…;P:…;;``."""

    def drawn(self) -> bytes:
        """The code, as SVG."""
        return code(self.content.unseal())
