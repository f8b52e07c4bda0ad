"""QR codes, as the pages show them."""

from io import BytesIO

_QUIET_MODULES = 4
"""The light border that readers of QR codes need (ISO/IEC 18004)."""


def code(content: str) -> bytes:
    """What is to be read, an address or a Wi-Fi, as a QR code, drawn as SVG."""
    import segno  # only who lets phones in needs it

    svg = BytesIO()
    segno.make(content, micro=False).save(
        svg, kind="svg", border=_QUIET_MODULES, dark="#000", light="#fff", omitsize=True
    )
    return svg.getvalue()
