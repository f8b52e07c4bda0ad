"""Find names in text that the GM writes. A name may hold any word, even a keyword.

Text is matched against the known names. Double quotes settle an ambiguity, because a quoted name is
never a keyword: ``lose "Ada" attack 3``.
"""

from collections.abc import Iterable, Iterator

QUOTE = '"'
_ENDS = ("", " ", ";")
"""Text that may follow a name directly: nothing, a space or a semicolon."""


def readings(names: Iterable[str], text: str) -> Iterator[tuple[str, str]]:
    """Yield each name that the text can start with, longest first, and the rest of the text."""
    for name in sorted(names, key=len, reverse=True):
        for written in (name, quoted(name)):
            if text.startswith(written) and text[len(written) :][:1] in _ENDS:
                yield name, text[len(written) :].strip()


def name_first(names: Iterable[str], text: str) -> tuple[str, str]:
    """Return the longest name that the text starts with, and the rest. The name is empty if there
    is none."""
    return next(readings(names, text), ("", text))


def name_before(names: Iterable[str], text: str, word: str) -> tuple[str, str]:
    """Split ``Marit by Wenna`` at ``word`` into a name and the rest. The longest name wins, because
    a name may hold the word too. If none fits, split at the first ``word``."""
    for name, rest in readings(names, text):
        if f"{rest} ".startswith(f"{word} "):
            return name, rest[len(word) :].strip()
    old, _, new = f"{text} ".partition(f" {word} ")
    return old.strip(), new.strip()


def quoted(name: str) -> str:
    """Return the name in double quotes, which cannot be taken for a keyword."""
    return f"{QUOTE}{name}{QUOTE}"
