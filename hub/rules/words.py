"""The GM's word over what is being played: what it can be, as values.

A family writes each thing that the GM can say holds as one :class:`Holds`, and says in a
:class:`GmsWord` which of them are open and what each leads to.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from hub.rules.forms import Option
from hub.rules.game import IllegalChoice, Word
from hub.rules.reasons import Reason

StateT = TypeVar("StateT")


class Holds(Struct, frozen=True, kw_only=True, tag_field="what", forbid_unknown_fields=True):
    """What is to hold by the GM's word; ``what`` says which it is."""

    @property
    def clause(self) -> str:
        """What a refusal calls it."""
        return tag(type(self))


def tag(kind: type[Struct]) -> str:
    """What its values call it."""
    return str(kind.__struct_config__.tag)


class GmsWord(Struct, Generic[StateT], frozen=True, kw_only=True):
    """What the GM can say of one kind of scene."""

    kinds: Any
    """A union of :class:`Holds`."""
    forms: Callable[[StateT], tuple[Option, ...]]
    """What can be said now, each with its fields."""
    overrule: Callable[[StateT, Any], StateT]
    """What follows from one of ``kinds``. Raises :class:`IllegalChoice`."""
    read: Callable[[StateT, str], tuple[Holds, str]] | None = None
    """What is to hold, and why, from text as logs of version 0.1.0 have it; None: this kind of
    scene is younger than that."""

    def word(self, state: StateT, given: Word | str) -> Word:
        """See :meth:`hub.rules.game.Game.word`."""
        if isinstance(given, Word):
            holds, because = self.holds(given), given.because
        elif self.read is not None:
            holds, because = self.read(state, given)
        else:
            raise IllegalChoice(Reason("word-as-values"))
        self.overrule(state, holds)
        return Word(holds=msgspec.to_builtins(holds), because=because)

    def holds(self, word: Word) -> Any:
        """What is to hold, as a value of one of ``kinds``. Raises :class:`IllegalChoice`."""
        return typed(word.holds, self.kinds, "word of the GM's")


def typed(given: Mapping[str, Any], kind: Any, what: str) -> Any:
    """JSON values as values of this kind, which are called ``what``. Raises
    :class:`IllegalChoice`."""
    try:
        value = msgspec.convert(given, kind)
    except msgspec.ValidationError as error:
        raise IllegalChoice(Reason("malformed", what=what, why=str(error))) from None
    if not all(text.isprintable() for text in _texts(given)):
        raise IllegalChoice(Reason("malformed", what=what, why=Reason("not-printable-signs")))
    return value


def _texts(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, Mapping):
        yield from given
        for each in given.values():
            yield from _texts(each)
    elif isinstance(given, list | tuple):
        for each in given:
            yield from _texts(each)
