"""Questions as data: a terminal asks them one by one, a page shows them as forms."""

from typing import Literal

from msgspec import Struct

Kind = Literal["text", "number", "choice", "yes", "file", "password"]
Value = str | int | bool


class Option(Struct, frozen=True):
    """One of several answers."""

    value: str
    label: str
    about: str = ""


class Question(Struct, frozen=True, kw_only=True):
    """One question with its answer so far."""

    name: str
    kind: Kind
    label: str
    value: Value
    about: str = ""
    options: tuple[Option, ...] = ()
    least: int = 0
    most: int = 0
    """The bounds of a number; the longest text."""
    minor: bool = False
    """Whether its default is nearly always right: it is asked only on request."""
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
