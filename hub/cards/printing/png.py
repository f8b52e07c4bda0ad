"""The pages of a PDF as pixels, by PDFium."""

from collections.abc import Iterator
from io import BytesIO
from math import ceil

from hub.cards.printing.pdf import MM


def write_pngs(pdf: bytes, dpi: int) -> Iterator[bytes]:
    """Each page as PNG with this resolution, which the file states too."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            image = page.render(scale=dpi / 72, rev_byteorder=True).to_pil()
            written = BytesIO()
            image.convert("RGB").save(written, "PNG", dpi=(dpi, dpi), compress_level=4)
            yield written.getvalue()
    finally:
        document.close()


def pixels(length: float, dpi: int) -> int:
    """The number of pixels in a length in mm."""
    return ceil(length * MM / 72 * dpi - 1e-6)
