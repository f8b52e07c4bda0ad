"""The common part of all games that are played in steps.

A family writes each step as a :class:`Step`, each declaration as a :class:`Declaration`, and says
which step a state is at. :class:`StepGame` implements the Game protocol on top. Steps, declarations
and games are stateless.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from hub.games.game import Choice, IllegalChoice, Kind, Offer, Pending, Tally, Word
from hub.games.overrules import GmsWord
from hub.games.step import Beside, Declaration, Step, value_of
from hub.kernel.faults import shown
from hub.kernel.forms import Option
from hub.kernel.memo import Memo
from hub.kernel.reasons import Reason

__all__ = ["OVER", "Beside", "Declaration", "Step", "StepGame"]

OVER = "over"
"""The name of the step when a game is over."""

StateT = TypeVar("StateT")
_MADE = Memo()
"""What the newest state asks: the table puts several questions to the same state."""


class Asked(NamedTuple):
    """The step that a state is at, and whom it asks."""

    step: Step[Any]
    must: tuple[str, ...]
    words: Mapping[str, str]
    """Actor that has to choose → the kind of choice awaited from it."""
    judged: dict[str, tuple[Choice, Reason | None]]
    """Actor → the open choice of it that was judged last, and why it cannot make it. A choice is
    judged before it is recorded and again when it is carried out. Sealed choices are not kept."""


class StepGame(ABC, Generic[StateT]):
    """The part of the Game protocol that follows from a game's steps. A family adds ``ruleset``,
    ``begin``, ``actors``, ``view``, ``view_type`` and ``consequences``."""

    over: ClassVar[Reason]
    """The reason a choice is refused once the game is over."""
    rulings: ClassVar[int] = 1
    beside: Beside[StateT] | None = None
    gms_word: GmsWord[StateT] | None = None
    """The overrules that the GM can make; None if there are none."""
    gm_seals: ClassVar[bool] = False
    shows_setup: ClassVar[bool] = False
    asks_chance: ClassVar[Mapping[str, str]] = {}
    texts: ClassVar[tuple[str, ...]] = ()
    tells_falls: ClassVar[bool] = False
    """Whether the game publishes the results of chance. It then has to override :meth:`fall`."""

    @abstractmethod
    def step_of(self, state: StateT) -> Step[StateT] | None:
        """The step that a state is at, derived from the state alone; None when the game is over."""

    def asked(self, state: StateT) -> Asked | None:
        """The step that a state is at, and whom it asks; None when the game is over."""
        return _MADE.of("asked", (self, state), partial(self._asked, state))

    def _asked(self, state: StateT) -> Asked | None:
        step = self.step_of(state)
        if step is None:
            return None
        must = step.must(state)
        return Asked(step, must, {actor: step.word_for(state, actor) for actor in must}, {})

    def sides(self, state: StateT) -> tuple[str, ...]:
        """The names of the scene's sides; by default there are none."""
        return ()

    def means(self, state: StateT, actor: str) -> Mapping[str, Any]:
        """Explanations of the actor's own cards; by default there are none."""
        return {}

    def sheet(self, state: StateT, actor: str) -> Any:
        """The actor's sheet; see :meth:`hub.games.game.Game.sheet`. By default there is none."""
        return None

    def turn(self, state: StateT) -> int:
        """The number of the current turn; by default 1, for a game without turns."""
        return 1

    def stops(self, state: StateT) -> int:
        """How many undo barriers there have been; by default 0, so that only reveals are
        barriers."""
        return 0

    def anew(self, state: StateT) -> int:
        """How often the current step has been asked again; by default 0. A family overrides it if a
        declaration makes it ask again."""
        return 0

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """The overrules that the GM can make now; see :meth:`hub.games.game.Game.overrules`."""
        return self.gms_word.forms(state) if self.gms_word else ()

    @property
    def holds_type(self) -> Any:
        """The type of the overrules for this kind of scene; None if there are none."""
        return self.gms_word and self.gms_word.kinds

    def word(self, state: StateT, given: Word) -> Word:
        """The overrule in the form the journal keeps. Raises :class:`IllegalChoice`, also if the
        game has no overrules."""
        return self._gms_word().word(state, given)

    def overrule(self, state: StateT, word: Word) -> StateT:
        """The state after an overrule. Raises :class:`IllegalChoice`, also if the game has no
        overrules."""
        gms = self._gms_word()
        return gms.overrule(state, gms.holds(word))

    def _gms_word(self) -> GmsWord[StateT]:
        if self.gms_word is None:
            raise IllegalChoice(Reason("nothing-overruled"))
        return self.gms_word

    def sit_out(self, state: StateT, actor: str, *, out: bool) -> StateT:
        """Refuse by default, because the scene needs every actor in it. Raises
        :class:`IllegalChoice`."""
        raise IllegalChoice(Reason("needs-everybody"))

    # book: simultaneous.shown-at-once
    def pending(self, state: StateT) -> Pending:
        """The choices that the current step waits for; none once the game is over."""
        asked = self.asked(state)
        if asked is None:
            return Pending(OVER, Kind.DECISION, (), ())
        step = asked.step
        may = self.beside.may(state, step) if self.beside and step.beside else ()
        heard = may or (step.beside and step.kind is Kind.SEALED)
        words = dict.fromkeys(asked.words.values())
        return Pending(
            step.name,
            step.kind,
            asked.must,
            (*(words or (step.word,)), *step.others),
            may=may,
            beside=(self.beside.word,) if self.beside and heard else (),
            declarations=tuple(declaration.word for declaration in step.declarations),
            chance=step.chance,
            one_of=step.one_of(state),
            asides=tuple(each.word for each in step.declarations if each.by_card),
            early=step.early,
            anew=self.anew(state),
            texts=(
                *((step.word,) if step.is_text else ()),
                *(each.word for each in step.declarations if each.is_text),
            ),
            stops=self.stops(state),
            stands=step.stands,
            settled=step.settled,
        )

    def why_not(
        self, state: StateT, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> Reason | None:
        """Why the actor may not choose or declare this now; None if it may."""
        asked = self.asked(state)
        if asked is None:
            return self.over
        step = asked.step
        if declaration := self._declaration(step, choice):
            return declaration.why_not(state, actor, choice.value)
        if self.beside and choice.kind == self.beside.word != step.word:
            try:
                state = self._shown(state, step, {actor: beside})
            except IllegalChoice as illegal:
                return illegal.reason
            return self.beside.why_not(state, step, actor, choice.value)
        refused = self._refused(state, asked, actor, choice)
        return refused or step.why_not_new(state, actor, value_of(step, choice))

    def offers(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """The actor's choices in this step, the cards it may add, and its declarations."""
        asked = self.asked(state)
        if asked is None:
            return ()
        step = asked.step
        found = [*step.offers(state, actor)] if actor in asked.must else []
        if self.beside and step.beside:
            found += self.beside.offers(state, step, actor)
        found += (
            Offer(Choice(declaration.word, value))
            for declaration in step.declarations
            for value in declaration.values(state)
            if declaration.why_not(state, actor, value) is None
        )
        return tuple(found)

    def counts(self, state: StateT, actor: str, card: Choice) -> tuple[str, ...]:
        """The points that a card counts in the step; none for an actor that need not choose."""
        asked = self.asked(state)
        if asked is None or actor not in asked.must:
            return ()
        return asked.step.counts(state, actor, card)

    def tally(self, state: StateT, actor: str, points: Sequence[str]) -> Tally:
        """The tally of these points in the current step."""
        asked = self.asked(state)
        if asked is None or actor not in asked.must:
            raise IllegalChoice(Reason("nothing-counted"))
        return asked.step.tally(state, actor, points)

    def closed(self, state: StateT, actor: str) -> Mapping[Choice, Reason]:
        """The cards that an actor has but cannot use for now; by default none."""
        return {}

    def stand_in(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """The choices that the GM may make for the actor: by default, the step's values that are
        open to it."""
        asked = self.asked(state)
        if asked is None or actor not in asked.must:
            return ()
        return tuple(asked.step.stand_in(state, actor))

    def advance(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> StateT:
        """The state after all have chosen; cards ``beside`` the step are revealed first."""
        asked = self.asked(state)
        if asked is None:
            raise IllegalChoice(self.over)
        step = asked.step
        groups = [group for group in step.one_of(state) if choices.keys() & {*group}]
        spared = {actor for group in groups for actor in group} - choices.keys()
        for group in groups:
            if len(chose := [actor for actor in group if actor in choices]) > 1:
                raise IllegalChoice(Reason("chosen-for-all", who=chose[0], names=[*group]))
        for actor, word in asked.words.items():
            if actor not in choices and actor not in spared:
                raise IllegalChoice(Reason("not-chosen-yet", who=actor, what=word))
        for actor, choice in choices.items():
            if self._declaration(step, choice):
                raise IllegalChoice(Reason("declared-openly", what=choice.kind))
            if refused := self._refused(state, asked, actor, choice):
                raise IllegalChoice(refused)
        values = {
            actor: value_of(step, choices[actor]) for actor in asked.must if actor not in spared
        }
        return self.go_on(step.follow(self._shown(state, step, beside), values, chance))

    def falls_on(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> Mapping[str, Any]:
        """The public input for chance in the current step."""
        asked = self.asked(state)
        if asked is None:
            raise IllegalChoice(self.over)
        step = asked.step
        chosen = (actor for actor in asked.must if actor in choices)
        values = {actor: value_of(step, choices[actor]) for actor in chosen}
        return step.falls_on(self._shown(state, step, beside), values)

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> Mapping[str, Any]:
        """The result of chance; by default nothing."""
        return {}

    def declare(self, state: StateT, actor: str, choice: Choice) -> StateT:
        """The state after an open declaration, or after a card laid openly beside a decision."""
        asked = self.asked(state)
        step = asked.step if asked else None
        laid = self.beside if step and step.beside and step.kind is not Kind.SEALED else None
        if step and laid and choice.kind == laid.word:
            if why := laid.why_not(state, step, actor, choice.value):
                raise IllegalChoice(why)
            return self.go_on(laid.lay(state, step, actor, choice.value))
        declaration = self._declaration(step, choice) if step else None
        if declaration is None:
            raise IllegalChoice(Reason("not-declarable", what=choice.kind))
        if why := declaration.why_not(state, actor, choice.value):
            raise IllegalChoice(why)
        return declaration.follow(state, actor, choice.value)

    def go_on(self, state: StateT) -> StateT:
        """The state at the next step that needs a choice; by default ``state`` itself."""
        return state

    def not_awaited(self, step: Step[StateT], choice: Choice) -> Reason:
        """The reason against a choice whose kind does not fit the step."""
        return Reason("wrong-kind", what=step.word, kind=choice.kind)

    def _declaration(self, step: Step[StateT], choice: Choice) -> Declaration[StateT] | None:
        return next((each for each in step.declarations if each.word == choice.kind), None)

    def _refused(self, state: StateT, asked: Asked, actor: str, choice: Choice) -> Reason | None:
        """Why this cannot be the actor's choice in this step; None if it can."""
        step, must, words, judged = asked
        alone = choice.kind in step.others
        if choice.kind not in words.values() and not alone:
            return self.not_awaited(step, choice)
        if actor not in must:
            return Reason("nothing-to-choose", who=actor, names=[*must])
        if choice.kind != words[actor] and not alone:
            return Reason("wrong-kind-from", what=words[actor], who=actor, kind=choice.kind)
        if alone and choice.value:
            return Reason("alone-without", what=choice.kind, more=shown(choice.value))
        if step.kind is Kind.SEALED:
            return step.why_not(state, actor, value_of(step, choice))
        if actor not in judged or judged[actor][0] != choice:
            judged[actor] = choice, step.why_not(state, actor, value_of(step, choice))
        return judged[actor][1]

    def _shown(
        self, state: StateT, step: Step[StateT], beside: Mapping[str, Sequence[Choice]]
    ) -> StateT:
        """The state with the cards beside the step revealed. Each card is judged together with its
        actor's earlier ones. Raises :class:`IllegalChoice` at the first one that is not allowed."""
        sealed = self.beside if step.beside and step.kind is Kind.SEALED else None
        for actor, choices in beside.items():
            for choice in choices:
                if sealed is None or choice.kind != sealed.word:
                    raise IllegalChoice(Reason("not-beside", kind=choice.kind, what=step.word))
                if why := sealed.why_not(state, step, actor, choice.value):
                    raise IllegalChoice(why)
                state = sealed.show(state, step, actor, choice.value)
        return state
