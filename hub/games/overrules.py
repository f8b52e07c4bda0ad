"""The GM's overrules as values.

A family writes each possible overrule as a :class:`Holds`, with a :class:`Clause` for its form and
its effect. A :class:`GmsWord` has all clauses of one kind of scene; it says when each can be used,
and what follows by the rules from an overrule.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, TypeVar, Union

import msgspec
from msgspec import Meta, Struct

from hub.games.game import IllegalChoice, RulesError, Word
from hub.kernel.bounds import NAME
from hub.kernel.forms import Field, Option, each_of
from hub.kernel.reasons import Reason

StateT = TypeVar("StateT")
Name = Annotated[str, Meta(max_length=NAME.most)]


class Holds(Struct, frozen=True, kw_only=True, tag_field="what", forbid_unknown_fields=True):
    """An overrule by the GM; ``what`` says which."""

    otherwise: ClassVar[str] = ""
    """The overrule's name in a refusal when the field named like its tag is false: *in* if ``out``
    is false. Empty if there is no such field."""

    @property
    def clause(self) -> str:
        """The overrule's name in a refusal."""
        name = tag(type(self))
        return self.otherwise if self.otherwise and not getattr(self, name) else name

    def given(self) -> dict[str, Any]:
        """The overrule's values, except ``name`` and those that are None because they were left
        open."""
        values = {key: getattr(self, key) for key in self.__struct_fields__ if key != "name"}
        return {key: value for key, value in values.items() if value is not None}


class HoldsOf(Holds, frozen=True, kw_only=True):
    """An overrule that concerns one character or party."""

    name: Name


def tag(kind: type[Struct]) -> str:
    """The tag of a struct type, by which JSON values say their type."""
    return str(kind.__struct_config__.tag)


def any_of(kinds: Iterable[type[Struct]]) -> Any:
    """The union of these struct types, which msgspec tells apart by their tags."""
    return Union[tuple(kinds)]  # noqa: UP007  (which they are is known at run time)


Form = Callable[[StateT], tuple[Field, ...]]
"""A function that returns the fields of a form for a state."""


class Clause(Struct, Generic[StateT], frozen=True):
    """An overrule that the GM can make: its form and its effect."""

    kind: type[Holds]
    follow: Callable[[StateT, Any], StateT]
    """The effect of the overrule: state and overrule → new state. Raises
    :class:`hub.games.game.RulesError`."""
    form: Form[StateT] | None
    """The form; None if the overrule needs no fields. If the form returns no fields, the overrule
    cannot be made now."""


def of_each(
    names: Callable[[StateT], Iterable[str]],
    fields: Callable[[StateT, str], tuple[Field, ...]] = lambda *_: (),
) -> Form[StateT]:
    """A form to choose one of ``names`` and fill in the ``fields`` for it."""
    return lambda state: each_of(names(state), lambda name: fields(state, name))


def of_some(
    names: Callable[[StateT], Iterable[str]], fields: Callable[[StateT, str], tuple[Field, ...]]
) -> Form[StateT]:
    """Like :func:`of_each`, without the ``names`` for which there are no ``fields`` now."""

    def form(state: StateT) -> tuple[Field, ...]:
        found = {name: fields(state, name) for name in names(state)}
        return each_of(filter(found.get, found), lambda name: found[name])

    return form


class GmsWord(Struct, Generic[StateT], frozen=True, kw_only=True):
    """The overrules that the GM can make in one kind of scene, or in a story."""

    clauses: tuple[Clause[Any], ...]
    why_not: Callable[[StateT, type[Holds], str], Reason | None] = lambda *_: None
    """Why an overrule is not possible now, from the state, the overrule's type, and its name in a
    refusal; None if it is."""
    of: Callable[[StateT], Any] = lambda state: state
    """The part of a state that the clauses read and change."""
    after: Callable[[StateT, Any, Any], StateT] = lambda _, said, __: said
    """The state after an overrule and after all that follows from it by the rules. The arguments
    are the state before, the part that the overrule changed, and the overrule. Raises
    :class:`hub.games.game.RulesError`."""

    @property
    def kinds(self) -> Any:
        """The union of the types of all overrules that the GM can make."""
        return any_of(each.kind for each in self.clauses)

    def forms(self, state: StateT) -> tuple[Option, ...]:
        """The overrules that can be made now: each option's value is an overrule's tag, with its
        fields."""
        open_now = (c for c in self.clauses if self.why_not(state, c.kind, tag(c.kind)) is None)
        found = ((c, c.form(self.of(state)) if c.form else ()) for c in open_now)
        return tuple(Option(tag(c.kind), fields) for c, fields in found if fields or not c.form)

    def overrule(self, state: StateT, holds: Holds) -> StateT:
        """The state after an overrule. Raises :class:`IllegalChoice` if it is not possible now."""
        if why := self.why_not(state, type(holds), holds.clause):
            raise IllegalChoice(why)
        clause = next(each for each in self.clauses if each.kind is type(holds))
        try:
            return self.after(state, clause.follow(self.of(state), holds), holds)
        except RulesError as no:
            raise IllegalChoice(no.reason) from None

    def word(self, state: StateT, given: Word) -> Word:
        """The overrule in the form the journal keeps. Raises :class:`IllegalChoice` if it is
        malformed or not possible now."""
        holds = self.holds(given)
        self.overrule(state, holds)
        return Word(holds=msgspec.to_builtins(holds), because=given.because)

    def holds(self, word: Word) -> Any:
        """The overrule as a value of its own type, one of ``kinds``. Raises :class:`IllegalChoice`
        if it is malformed."""
        return typed(word.holds, self.kinds, "word of the GM's")


def typed(given: Mapping[str, Any], kind: Any, what: str) -> Any:
    """Convert JSON values to the type ``kind``. ``what`` names them in the reason. Raises
    :class:`IllegalChoice` if they do not fit or a text is not printable."""
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
