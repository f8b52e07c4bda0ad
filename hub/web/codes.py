"""QR codes for the pages' addresses and for the Wi-Fi that phones join."""

from io import BytesIO

from msgspec import Struct

from hub.table.sealed import Sealed

_QUIET_MODULES = 4
"""The quiet zone that QR readers need, in modules (ISO/IEC 18004)."""


def code(content: str) -> bytes:
    """The QR code of ``content`` (an address or a Wi-Fi), as SVG."""
    import segno  # needed only to invite phones

    svg = BytesIO()
    segno.make(content, micro=False).save(
        svg, kind="svg", border=_QUIET_MODULES, dark="#000", light="#fff", omitsize=True
    )
    return svg.getvalue()


class WifiCode(Struct, frozen=True):
    """The Wi-Fi that phones join, and the QR code for joining."""

    ssid: str
    content: Sealed[str]
    """The content of the QR code: ``WIFI:T:WPA;S:…;P:…;;``, with the password."""

    def drawn(self) -> bytes:
        """The QR code, as SVG."""
        return code(self.content.unseal())
