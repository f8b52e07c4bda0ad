"""QR codes for the pages."""

from io import BytesIO

_QUIET_MODULES = 4
"""The quiet zone that QR readers need, in modules (ISO/IEC 18004)."""


def code(content: str) -> bytes:
    """Return a QR code of this content (an address or a Wi-Fi) as SVG."""
    import segno  # needed only to invite phones

    svg = BytesIO()
    segno.make(content, micro=False).save(
        svg, kind="svg", border=_QUIET_MODULES, dark="#000", light="#fff", omitsize=True
    )
    return svg.getvalue()
