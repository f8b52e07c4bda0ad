"""The GM's word over what is being played: what it can be, as values.

A family writes each thing that the GM can say holds as one :class:`Holds`, and as a :class:`Clause`
in which form it is said and what it leads to; a :class:`GmsWord` says which of them are open when.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, Generic, TypeVar, Union

import msgspec
from msgspec import Meta, Struct

from hub.games.game import IllegalChoice, Word
from hub.kernel.bounds import NAME
from hub.kernel.forms import Field, Option, each_of
from hub.kernel.reasons import Reason

StateT = TypeVar("StateT")
Name = Annotated[str, Meta(max_length=NAME.most)]


class Holds(Struct, frozen=True, kw_only=True, tag_field="what", forbid_unknown_fields=True):
    """What is to hold by the GM's word; ``what`` says which it is."""

    @property
    def clause(self) -> str:
        """What a refusal calls it."""
        return tag(type(self))


class HoldsOf(Holds, frozen=True, kw_only=True):
    """What is to hold of somebody."""

    name: Name


def tag(kind: type[Struct]) -> str:
    """What its values call it."""
    return str(kind.__struct_config__.tag)


def any_of(kinds: Iterable[type[Struct]]) -> Any:
    """The type of a value that is of one of these."""
    return Union[tuple(kinds)]  # noqa: UP007  (which they are is known at run time)


Form = Callable[[StateT], tuple[Field, ...]]
"""What has to be said, as things stand."""


class Clause(Struct, Generic[StateT], frozen=True):
    """One thing that the GM can say holds."""

    kind: type[Holds]
    follow: Callable[[StateT, Any], StateT]
    """What follows from it. Raises :class:`hub.games.game.RulesError`."""
    form: Form[StateT] | None
    """Without a field it cannot be said now; None: nothing has to be said with it."""


def of_each(
    names: Callable[[StateT], Iterable[str]],
    fields: Callable[[StateT, str], tuple[Field, ...]] = lambda *_: (),
) -> Form[StateT]:
    """The form of what is said of one of these ``names``, each with its ``fields``."""
    return lambda state: each_of(names(state), lambda name: fields(state, name))


class GmsWord(Struct, Generic[StateT], frozen=True, kw_only=True):
    """What the GM can say of one kind of scene, or of a story."""

    clauses: tuple[Clause[StateT], ...]
    open_now: Callable[[StateT], Collection[type[Holds]]] | None = None
    """What can be said now; None: all of it at any time."""
    not_now: Callable[[StateT, type[Holds], str], Reason] = lambda *_: Reason("nothing-overruled")
    """Why one of the others cannot; with what it is called."""
    read: Callable[[StateT, str], tuple[Holds, str]] | None = None
    """What is to hold, and why, from text as logs of version 0.1.0 have it; None: this kind of
    scene is younger than that."""

    @property
    def kinds(self) -> Any:
        """A union of every :class:`Holds`."""
        return any_of(each.kind for each in self.clauses)

    def forms(self, state: StateT) -> tuple[Option, ...]:
        """What can be said now, by ``what``, each with its fields."""
        now = self._now(state)
        found = ((c, c.form(state) if c.form else ()) for c in self.clauses if c.kind in now)
        return tuple(Option(tag(c.kind), fields) for c, fields in found if fields or not c.form)

    def _now(self, state: StateT) -> Collection[type[Holds]]:
        return self.open_now(state) if self.open_now else [each.kind for each in self.clauses]

    def overrule(self, state: StateT, holds: Holds) -> StateT:
        """What follows if this holds. Raises :class:`hub.games.game.RulesError`."""
        kind = type(holds)
        if kind not in self._now(state):
            raise IllegalChoice(self.not_now(state, kind, holds.clause))
        return next(each for each in self.clauses if each.kind is kind).follow(state, holds)

    def word(self, state: StateT, given: Word | str) -> Word:
        """See :meth:`hub.games.game.Game.word`."""
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
