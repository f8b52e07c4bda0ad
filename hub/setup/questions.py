"""The questions of the set-up as data, and its texts in each language.

A terminal asks the questions one by one; a page shows them as forms.
"""

from functools import cache, partial
from typing import Literal

from msgspec import Struct

from hub.kernel import catalogues
from hub.kernel.catalogues import ENGLISH, catalogue, languages
from hub.kernel.reasons import Reason

Kind = Literal["text", "number", "choice", "yes", "file", "password"]
Value = str | int | bool


class Option(Struct, frozen=True):
    """One of several answers."""

    value: str
    label: str
    about: str = ""


class Question(Struct, frozen=True, kw_only=True):
    """A question with its present answer (``value``)."""

    name: str
    kind: Kind
    label: str
    value: Value
    about: str = ""
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    """``least`` and ``most``: the bounds of a number."""
    minor: bool = False
    """Whether its default is nearly always right, so that it is asked only on request."""
    fault: str = ""
    """Why the answer is invalid."""


class Step(Struct, frozen=True, kw_only=True):
    """Questions that belong together."""

    id: str
    title: str
    about: str
    questions: tuple[Question, ...]

    @property
    def sound(self) -> bool:
        """Whether every answer is valid."""
        return not any(each.fault for each in self.questions)


class SetupReason(Reason):
    """Why an answer is invalid."""

    package = __package__


text = partial(catalogues.text, __package__)


def knows(key: str) -> bool:
    """Whether there is a text with this key."""
    return key in _texts(ENGLISH)


def page_texts(language: str) -> dict[str, str]:
    """The texts of the set-up page other than its questions."""
    texts = _texts(language).items()
    return {key.removeprefix("page."): each for key, each in texts if key.startswith("page.")}


def language_of(*tags: str) -> str:
    """The language of the first of ``tags``, such as ``de_DE.UTF-8``, that we have texts in; else
    English."""
    wanted = (tag.replace("-", "_").partition("_")[0].lower() for tag in tags)
    return next((each for each in wanted if each in languages()), ENGLISH)


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue("pages", language, __package__)
