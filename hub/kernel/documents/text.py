"""Decodes text as editors save it: UTF-8, with or without a byte order mark.

Windows Notepad writes the mark in front of UTF-8 and also offers UTF-16. The mark is skipped.
UTF-16 is refused by name, because *is not UTF-8* would tell the author nothing.
"""

import codecs

from hub.kernel.reasons import Reason

ENCODING = "utf-8-sig"
"""UTF-8; a byte order mark is skipped."""
_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


def decode_text(data: bytes) -> str:
    """Decode a file's bytes. Raises :class:`UnicodeDecodeError`, which :func:`why_no_text`
    explains."""
    return data.decode(ENCODING)


def why_no_text(data: bytes) -> Reason | None:
    """Name UTF-16 as the encoding if ``data`` begins with its byte order mark; else None."""
    return Reason("utf-16") if data.startswith(_UTF_16) else None
