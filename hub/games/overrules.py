"""The GM's overrules as values.

A family writes each possible overrule as a :class:`Holds`, with a :class:`Clause` for its form and
its effect. A :class:`GmsWord` has all clauses of one kind of scene, and says which are open when
and what follows from one by the rules.
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
    """Its name in a refusal when its field of the tag's name is false: *in* if ``out`` is false."""

    @property
    def clause(self) -> str:
        """The overrule's name in a refusal."""
        name = tag(type(self))
        return self.otherwise if self.otherwise and not getattr(self, name) else name

    def given(self) -> dict[str, Any]:
        """Its values, without the name and without those left open (None)."""
        values = {key: getattr(self, key) for key in self.__struct_fields__ if key != "name"}
        return {key: value for key, value in values.items() if value is not None}


class HoldsOf(Holds, frozen=True, kw_only=True):
    """An overrule that concerns one character or party."""

    name: Name


def tag(kind: type[Struct]) -> str:
    """The tag of a kind in its values."""
    return str(kind.__struct_config__.tag)


def any_of(kinds: Iterable[type[Struct]]) -> Any:
    """The union of these types."""
    return Union[tuple(kinds)]  # noqa: UP007  (which they are is known at run time)


Form = Callable[[StateT], tuple[Field, ...]]
"""The fields of a form, for a state."""


class Clause(Struct, Generic[StateT], frozen=True):
    """An overrule that the GM can make: its form and its effect."""

    kind: type[Holds]
    follow: Callable[[StateT, Any], StateT]
    """The effect. Raises :class:`hub.games.game.RulesError`."""
    form: Form[StateT] | None
    """The form; None if the overrule needs no fields. If the form returns no fields, the overrule
    cannot be made now."""


def of_each(
    names: Callable[[StateT], Iterable[str]],
    fields: Callable[[StateT, str], tuple[Field, ...]] = lambda *_: (),
) -> Form[StateT]:
    """A form that chooses one of ``names``, each with its ``fields``."""
    return lambda state: each_of(names(state), lambda name: fields(state, name))


def of_some(
    names: Callable[[StateT], Iterable[str]], fields: Callable[[StateT, str], tuple[Field, ...]]
) -> Form[StateT]:
    """A form that chooses one of those ``names`` that have ``fields`` now."""

    def form(state: StateT) -> tuple[Field, ...]:
        found = {name: fields(state, name) for name in names(state)}
        return each_of(filter(found.get, found), lambda name: found[name])

    return form


class GmsWord(Struct, Generic[StateT], frozen=True, kw_only=True):
    """The overrules that the GM can make in one kind of scene, or in a story."""

    clauses: tuple[Clause[Any], ...]
    why_not: Callable[[StateT, type[Holds], str], Reason | None] = lambda *_: None
    """Why an overrule is not open now, from the state, its kind, and its name in a refusal."""
    of: Callable[[StateT], Any] = lambda state: state
    """The part of a state that the clauses read and change."""
    after: Callable[[StateT, Any, Any], StateT] = lambda _, said, __: said
    """The state after an overrule and what follows from it by the rules; made from the state
    before, the changed part and the overrule. Raises :class:`hub.games.game.RulesError`."""

    @property
    def kinds(self) -> Any:
        """The union of all kinds of :class:`Holds`."""
        return any_of(each.kind for each in self.clauses)

    def forms(self, state: StateT) -> tuple[Option, ...]:
        """The overrules that can be made now, by ``what``, each with its fields."""
        open_now = (c for c in self.clauses if self.why_not(state, c.kind, tag(c.kind)) is None)
        found = ((c, c.form(self.of(state)) if c.form else ()) for c in open_now)
        return tuple(Option(tag(c.kind), fields) for c, fields in found if fields or not c.form)

    def overrule(self, state: StateT, holds: Holds) -> StateT:
        """The state after an overrule. Raises :class:`IllegalChoice`."""
        if why := self.why_not(state, type(holds), holds.clause):
            raise IllegalChoice(why)
        clause = next(each for each in self.clauses if each.kind is type(holds))
        try:
            return self.after(state, clause.follow(self.of(state), holds), holds)
        except RulesError as no:
            raise IllegalChoice(no.reason) from None

    def word(self, state: StateT, given: Word) -> Word:
        """See :meth:`hub.games.game.Game.word`."""
        holds = self.holds(given)
        self.overrule(state, holds)
        return Word(holds=msgspec.to_builtins(holds), because=given.because)

    def holds(self, word: Word) -> Any:
        """The overrule as a value of one of ``kinds``. Raises :class:`IllegalChoice`."""
        return typed(word.holds, self.kinds, "word of the GM's")


def typed(given: Mapping[str, Any], kind: Any, what: str) -> Any:
    """Convert JSON values to a type; ``what`` names it in the :class:`IllegalChoice` raised."""
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
