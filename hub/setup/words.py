"""Texts for the set-up of a table, in each language."""

from functools import cache, partial

from hub.kernel import catalogues
from hub.kernel.catalogues import ENGLISH, catalogue, languages
from hub.kernel.reasons import Reason


class SetupReason(Reason):
    """Why an answer is invalid."""

    package = __package__


text = partial(catalogues.text, __package__)


def knows(key: str) -> bool:
    """Whether there is a text with this key."""
    return key in _texts(ENGLISH)


def page_texts(language: str) -> dict[str, str]:
    """The page's own texts, around its questions."""
    texts = _texts(language).items()
    return {key.removeprefix("page."): each for key, each in texts if key.startswith("page.")}


def language_of(*tags: str) -> str:
    """The first of some tags, as ``de_DE.UTF-8``, that has a catalogue; else English."""
    wanted = (tag.replace("-", "_").partition("_")[0].lower() for tag in tags)
    return next((each for each in wanted if each in languages()), ENGLISH)


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue("pages", language, __package__)
