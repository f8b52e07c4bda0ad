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
    """One of the answers to choose from. ``value``: the answer itself; ``label`` and ``about``:
    what a person reads."""

    value: str
    label: str
    about: str = ""


class Question(Struct, frozen=True, kw_only=True):
    """A question with its present answer (``value``). ``about`` is empty if the ``label`` says
    enough."""

    name: str
    kind: Kind
    label: str
    value: Value
    about: str = ""
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    """``least`` and ``most``: the bounds of a number; both 0 for other questions."""
    minor: bool = False
    """Whether the question is asked only on request, because its default is nearly always right."""
    fault: str = ""
    """Why the answer is invalid; empty if it is valid."""


class Step(Struct, frozen=True, kw_only=True):
    """A group of questions that belong together, such as those about the broker."""

    id: str
    title: str
    about: str
    questions: tuple[Question, ...]

    @property
    def sound(self) -> bool:
        """Whether every answer is valid."""
        return not any(each.fault for each in self.questions)


class SetupReason(Reason):
    """The reason why an answer is invalid or a table cannot be made, with a text in each
    language."""

    package = __package__


text = partial(catalogues.text, __package__)


def knows(key: str) -> bool:
    """Whether the set-up has a text with this key."""
    return key in _texts(ENGLISH)


def page_texts(language: str) -> dict[str, str]:
    """The texts of the set-up page other than its questions: key → text."""
    texts = _texts(language).items()
    return {key.removeprefix("page."): each for key, each in texts if key.startswith("page.")}


def language_of(*tags: str) -> str:
    """The first language of ``tags``, such as ``de_DE.UTF-8``, that Facedown has texts in; English
    if there is none."""
    wanted = (tag.replace("-", "_").partition("_")[0].lower() for tag in tags)
    return next((each for each in wanted if each in languages()), ENGLISH)


@cache
def _texts(language: str) -> dict[str, str]:
    return catalogue("pages", language, __package__)
