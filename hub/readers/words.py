"""What is said of readers, in each language."""

from functools import cache

from hub.catalogues import ENGLISH, catalogue
from hub.rules.reasons import Reason


class ReaderReason(Reason):
    """What is so with a reader, or what to do about it."""

    package = __package__


def text(language: str, key: str, **places: object) -> str:
    """A text of those that stand around it, its places filled. Raises :class:`KeyError`."""
    return (_texts(language).get(key) or _texts(ENGLISH)[key]).format(**places)


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue("pages", language, __package__)
