"""Text as editors save it: UTF-8, perhaps with a byte order mark.

Windows' Notepad writes the mark in front of UTF-8, and offers UTF-16 beside it. The mark is
skipped. UTF-16 is refused by its name, because *is not UTF-8* tells the author nothing.
"""

import codecs

from hub.kernel.reasons import Reason

ENCODING = "utf-8-sig"
"""UTF-8 whose byte order mark, if there is one, is skipped."""
_UTF_16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE


def decode_text(data: bytes) -> str:
    """The text of a file. Raises :class:`UnicodeDecodeError`; :func:`why_no_text` explains it."""
    return data.decode(ENCODING)


def why_no_text(data: bytes) -> Reason | None:
    """The encoding's name, where ``data`` begins with the mark of another one than UTF-8."""
    return Reason("utf-16") if data.startswith(_UTF_16) else None
