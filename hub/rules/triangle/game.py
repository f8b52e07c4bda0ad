"""The Koeninger family at the table: the Game protocol over the conflict's steps."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from hub.rules.game import GM, RULINGS, Choice, IllegalChoice, Kind, Offer, Pending, SetupError
from hub.rules.reading import Reader
from hub.rules.triangle.beside import (
    lay_all,
    lay_openly,
    may_lay,
    special_offers,
    why_not_ask,
    why_not_special,
)
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.consequences import AnyConsequence, of_conflict
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.overrule.clauses import overrule, overrules, why_not_overrule
from hub.rules.triangle.overrule.written import OVERRULE
from hub.rules.triangle.passing import may_act, why_not_named
from hub.rules.triangle.setup import read_conflict
from hub.rules.triangle.special_steps import SPECIAL
from hub.rules.triangle.step import turn_of
from hub.rules.triangle.steps import (
    AGREED,
    END_COMBO,
    FIRST,
    NEXT,
    USE,
    begin_turn,
    go_on,
    step_of,
)
from hub.rules.triangle.turn import end_combo, why_not_end_combo
from hub.rules.triangle.views import TriangleView, public_view

OVER = "over"


class TriangleGame:
    """A conflict of one edition. The state is the :class:`Conflict`."""

    def __init__(self, edition: Edition, view: type[TriangleView]) -> None:
        self.edition = edition
        self._view = view

    @property
    def ruleset(self) -> str:
        """The edition's id."""
        return self.edition.id

    # book: disadvantage.ends-with-conflict, combo.ends-with-conflict
    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> Conflict:
        """A conflict from its description: ``facedown resolve``'s, without the turns. Characters
        may say as well which specials are ``used`` up, and whether they are an ``npc``.

        Raises :class:`SetupError` with every fault and its place.
        """
        reader = Reader()
        conflict = read_conflict(reader, self.edition, setup, table=True)
        characters = setup.get("characters") if isinstance(setup, Mapping) else None
        if isinstance(characters, Mapping) and GM in characters:
            reader.fault(("characters", GM), f"no character may be called {GM}")
        if conflict is None or reader.faults:
            raise SetupError(*reader.faults)
        return replace(conflict, scene=replace(conflict.scene, rulings=rulings))

    def actors(self, state: Conflict) -> tuple[str, ...]:
        """The characters, those who are out included."""
        return tuple(state.scene.sheets)

    def sides(self, state: Conflict) -> tuple[str, ...]:
        """Both of them."""
        return tuple(state.scene.sides)

    # book: simultaneous.shown-at-once
    def pending(self, state: Conflict) -> Pending:
        """The step, and whom it waits for."""
        step = step_of(state)
        if step is None:
            return Pending(OVER, Kind.DECISION, (), ())
        must, may = step.must(state), may_lay(state, step)
        words = dict.fromkeys(step.word_for(state, actor) for actor in must)
        return Pending(
            step.name,
            step.kind,
            must,
            tuple(words) or (step.word,),
            may=may,
            beside=(SPECIAL,) if may or (step.beside and step.kind is Kind.SEALED) else (),
            asides=(*step.asides, OVERRULE),
            chance=step.chance,
        )

    def why_not(
        self, state: Conflict, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> str | None:
        """Why this is not open to the actor now, as its choice or as an open declaration."""
        step = step_of(state)
        if step is None:
            return "the conflict is over"
        if choice.kind in (*step.asides, OVERRULE):
            return _why_not_aside(state, actor, choice)
        if choice.kind == SPECIAL != step.word:
            try:
                lying = lay_all(state, step, {actor: beside})
            except IllegalChoice as illegal:
                return str(illegal)
            return why_not_special(lying, actor, step, choice.value)
        must = step.must(state)
        words = {name: step.word_for(state, name) for name in must}
        if choice.kind not in words.values():
            return f"a {step.word} is awaited now, this is a {choice.kind}"
        if actor not in must:
            return f"{actor} has nothing to choose now (awaited: {', '.join(must)})"
        if choice.kind != words[actor]:
            return f"a {words[actor]} is awaited from {actor}, this is a {choice.kind}"
        return step.why_not(state, actor, choice.value)

    def offers(self, state: Conflict, actor: str) -> tuple[Offer, ...]:
        """What to put before the actor: its choices in this step, and what it may declare."""
        step = step_of(state)
        if step is None:
            return ()
        found = list(step.offers(state, actor)) if actor in step.must(state) else []
        hears = step.kind is Kind.SEALED or actor in may_lay(state, step)
        if step.beside and hears and actor in state.fighters:
            found += special_offers(state, step, actor)
        found += [
            Offer(choice)
            for choice in _asides(state, step.asides)
            if _why_not_aside(state, actor, choice) is None
        ]
        return tuple(found)

    def advance(
        self,
        state: Conflict,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> Conflict:
        """What follows when all awaited have chosen; ``beside`` are specials, shown with them."""
        step = step_of(state)
        if step is None:
            raise IllegalChoice("the conflict is over")
        must = step.must(state)
        for actor in must:
            if actor not in choices:
                raise IllegalChoice(f"{actor} has not chosen a {step.word_for(state, actor)}")
        for actor, choice in choices.items():
            if choice.kind == SPECIAL != step.word:
                raise IllegalChoice(f"a {step.word} is awaited now, this is a {choice.kind}")
            if why := self.why_not(state, actor, choice):
                raise IllegalChoice(why)
        values = {actor: choices[actor].value for actor in must}
        return go_on(step.follow(lay_all(state, step, beside), values, chance))

    def aside(self, state: Conflict, actor: str, choice: Choice) -> Conflict:
        """``end-combo`` by a character of the turn (R3), ``use`` by one that could set a special
        down (R11), ``agreed NAME`` (R9) and ``overrule NAME …`` (R11) by the GM."""
        step = step_of(state)
        if step and step.kind is not Kind.SEALED and choice.kind == SPECIAL and step.beside:
            if why := why_not_special(state, actor, step, choice.value):
                raise IllegalChoice(why)
            return go_on(lay_openly(state, step, actor, choice.value))
        if step is None or choice.kind not in (*step.asides, OVERRULE):
            raise IllegalChoice(f"{choice.kind} cannot be declared now")
        why = _why_not_aside(state, actor, choice)
        if why:
            raise IllegalChoice(why)
        if choice.kind == USE:
            return replace(state, turn=replace(turn_of(state), window=step.name, asked_by=actor))
        if choice.kind == AGREED:
            return begin_turn(state, choice.value, agreed=True)
        if choice.kind == OVERRULE:
            return overrule(state, choice.value)
        return end_combo(state, turn_of(state))

    def overrules(self, state: Conflict) -> tuple[str, ...]:
        """The clauses of ``overrule`` that are open."""
        return overrules(state)

    def turn(self, state: Conflict) -> int:
        """The number of the turn, from the naming of its active character on."""
        return state.turn.number if state.turn else 0

    def view(self, state: Conflict) -> TriangleView:
        """The public fields."""
        step = step_of(state)
        between = step in (FIRST, NEXT)
        name = step.name if step else OVER
        return public_view(self._view, state, name, may_act(state) if between else ())

    @property
    def view_type(self) -> type[TriangleView]:
        """The edition's view."""
        return self._view

    def consequences(
        self, before: TriangleView | None, after: TriangleView
    ) -> list[AnyConsequence]:
        """Turns won, losses, who is out, and the end."""
        return of_conflict(before, after)


def _asides(state: Conflict, kinds: tuple[str, ...]) -> Iterator[Choice]:
    """Everything that anybody could declare beside the step."""
    for kind in (END_COMBO, USE):
        if kind in kinds:
            yield Choice(kind)
    if AGREED in kinds:
        for name in state.still_in():
            yield Choice(AGREED, name)


def _why_not_aside(state: Conflict, actor: str, choice: Choice) -> str | None:
    """Why the actor may not declare this now."""
    if choice.kind in (AGREED, OVERRULE):
        if actor != GM:
            return f"only the GM ({GM}) records what is agreed otherwise"
        if choice.kind == OVERRULE:
            return why_not_overrule(state, choice.value)
        return why_not_named(state, choice.value, agreed=True)
    if choice.value:
        return f"{choice.kind} stands alone, without {choice.value[:40]!r}"
    if choice.kind == USE:
        return why_not_ask(state, actor)
    return why_not_end_combo(state, turn_of(state), actor)
