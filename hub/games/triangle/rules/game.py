"""The Game protocol for conflicts of the three books."""

from collections.abc import Mapping
from typing import Any, ClassVar

from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, SetupError
from hub.games.steps import StepGame
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.cards import closed_moves
from hub.games.triangle.rules.conflict import RULINGS, Conflict
from hub.games.triangle.rules.consequences import AnyConsequence, of_conflict
from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.overrules.people import OutIs
from hub.games.triangle.rules.overrules.said import BETWEEN, WORD
from hub.games.triangle.rules.passing import may_act
from hub.games.triangle.rules.setup import read_conflict
from hub.games.triangle.rules.special_steps import REPLACE, Specials
from hub.games.triangle.rules.specials import SpecialMeans, means_of
from hub.games.triangle.rules.step import Step
from hub.games.triangle.rules.steps import FIRST, NEXT, go_on, step_of
from hub.games.triangle.rules.views import TriangleView, public_specials, public_view
from hub.kernel.documents import Document


class TriangleGame(StepGame[Conflict]):
    """A conflict of one edition. The state is the :class:`Conflict`."""

    over = Reason("conflict-over")
    rulings = RULINGS
    asks_chance: ClassVar[Mapping[str, str]] = {REPLACE.word: Specials.word}
    beside = Specials()
    gms_word = WORD

    def __init__(self, edition: Edition, view: type[TriangleView]) -> None:
        self.edition = edition
        self.ruleset = edition.id
        self.view_type = view

    def sit_out(self, state: Conflict, actor: str, *, out: bool) -> Conflict:
        """Return the conflict with ``actor`` taken ``out`` or brought back. Its energy stays.

        Raises :class:`IllegalChoice` outside the steps ``first``, ``next`` and ``opponent``, if the
        actor cannot leave or come back, and if its leaving would end the conflict.
        """
        if step_of(state) not in BETWEEN:
            raise IllegalChoice(Reason("sits-out-between-turns", who=actor))
        after = WORD.overrule(state, OutIs(name=actor, out=out))
        if step_of(after) is None:
            raise IllegalChoice(Reason("last-of-side", who=actor))
        return after

    # book: disadvantage.ends-with-conflict, combo.ends-with-conflict
    def begin(self, setup: Mapping[str, Any], rulings: int = RULINGS) -> Conflict:
        """Return a conflict from its description, which is that of ``facedown resolve`` without the
        turns. Characters may also have the keys ``used`` (specials) and ``npc``.

        Raises :class:`SetupError` with every fault and its place.
        """
        document = Document(None)
        conflict = read_conflict(document, self.edition, setup, table=True)
        characters = setup.get("characters") if isinstance(setup, Mapping) else None
        if isinstance(characters, Mapping) and GM in characters:
            document.blame(("characters", GM), Reason("gm-no-name", gm=GM))
        if conflict is None or document.faults:
            raise SetupError(*document.faults)
        return replace(conflict, scene=replace(conflict.scene, rulings=rulings))

    def actors(self, state: Conflict) -> tuple[str, ...]:
        """The characters in setup order, including those who are out."""
        return tuple(state.scene.sheets)

    def sides(self, state: Conflict) -> tuple[str, ...]:
        """The names of both sides, the GM's second."""
        return tuple(state.scene.sides)

    def step_of(self, state: Conflict) -> Step | None:
        """The current step; None when the conflict is over."""
        return step_of(state)

    def go_on(self, state: Conflict) -> Conflict:
        """Return the conflict at the next step that asks an actor."""
        return go_on(state)

    def closed(self, state: Conflict, actor: str) -> dict[Choice, Reason]:
        """The moves that lie on the table or are barred this turn, each with the reason."""
        return {Choice("move", str(move)): why for move, why in closed_moves(state, actor)}

    def turn(self, state: Conflict) -> int:
        """The number of the turn, which grows when an active character is named; 0 before the
        first."""
        return state.turn.number if state.turn else 0

    def view(self, state: Conflict) -> TriangleView:
        """Return the public view. Between turns it names those who may take the next one."""
        between = step_of(state) in (FIRST, NEXT)
        return public_view(self.view_type, state, may_act(state) if between else ())

    def means(self, state: Conflict, actor: str) -> dict[str, SpecialMeans]:
        """Explain the specials that the actor knows, and those that are public: written form of the
        choice → explanation."""
        own = state.scene.sheets[actor].specials
        return means_of((*own, *public_specials(state)), state.scene.edition)

    def consequences(
        self, before: TriangleView | None, after: TriangleView
    ) -> list[AnyConsequence]:
        """Return the consequences between two views: the turn's outcome, who is out or dead, and
        the end."""
        return of_conflict(before, after)
