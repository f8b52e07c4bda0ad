"""A page of a PDF as pixels, by PDFium."""

from io import BytesIO
from math import ceil

from hub.cards.printing.pdf import MM


def write_png(pdf: bytes, dpi: int, page: int = 0) -> bytes:
    """A page as PNG with so many pixels an inch, and with that number in it."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf)
    try:
        bitmap = document[page].render(scale=dpi / 72)
        image = bitmap.to_pil().convert("RGB")
    finally:
        document.close()
    written = BytesIO()
    image.save(written, "PNG", dpi=(dpi, dpi))
    return written.getvalue()


def pixels(length: float, dpi: int) -> int:
    """How many a length in mm has."""
    return ceil(length * MM / 72 * dpi - 1e-6)
