"""What is said while a table is set up, in each language."""

from functools import cache, partial

from hub.kernel import catalogues
from hub.kernel.catalogues import ENGLISH, catalogue, languages
from hub.kernel.reasons import Reason


class SetupReason(Reason):
    """Why an answer cannot stand."""

    package = __package__


text = partial(catalogues.text, __package__)
"""A text of those that stand around it; see :func:`hub.kernel.catalogues.text`."""


def knows(key: str) -> bool:
    """Whether there is a text of this name."""
    return key in _texts(ENGLISH)


def page_texts(language: str) -> dict[str, str]:
    """What stands on the page around its questions."""
    texts = _texts(language).items()
    return {key.removeprefix("page."): each for key, each in texts if key.startswith("page.")}


def language_of(*tags: str) -> str:
    """The first of some tags, as ``de_DE.UTF-8``, that there is a catalogue for; else English."""
    wanted = (tag.replace("-", "_").partition("_")[0].lower() for tag in tags)
    return next((each for each in wanted if each in languages()), ENGLISH)


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue("pages", language, __package__)
