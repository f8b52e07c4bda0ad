"""The declarations that actors may make openly during the steps of a conflict."""

# ruff: noqa: D102  (what each method of a declaration means is said once, on Declaration)

from collections.abc import Iterator

from msgspec.structs import replace

from hub.games import steps
from hub.games.game import GM
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.passing import why_not_named
from hub.games.triangle.rules.step import turn_of
from hub.games.triangle.rules.turn import begin_turn, end_combo, why_not_end_combo
from hub.games.triangle.rules.windows import BEFORE, OPPONENT, STANCE, may_use

Declaration = steps.Declaration[Conflict]
NOT_THE_GM = Reason("gm-records-agreed", gm=GM)


# book: passing.otherwise-agreed
class Agreed(Declaration):
    """The GM records which character takes the next turn, as the table has agreed (R9)."""

    word = "agreed"

    def values(self, state: Conflict) -> Iterator[str]:
        yield from state.still_in()

    def why_not(self, state: Conflict, actor: str, value: str) -> Reason | None:
        return NOT_THE_GM if actor != GM else why_not_named(state, value, agreed=True)

    def follow(self, state: Conflict, actor: str, value: str) -> Conflict:
        return begin_turn(state, value, agreed=True)


class EndCombo(Declaration):
    """A character in the turn ends the combo (R3)."""

    word = "end-combo"

    def why_not(self, state: Conflict, actor: str, value: str) -> Reason | None:
        return _not_alone(self, value) or why_not_end_combo(state, turn_of(state), actor)

    def follow(self, state: Conflict, actor: str, value: str) -> Conflict:
        return end_combo(state, turn_of(state))


class Use(Declaration):
    """A character announces that it wants to set a special down; the step ``specials`` follows
    (R11)."""

    word = "use"

    def why_not(self, state: Conflict, actor: str, value: str) -> Reason | None:
        if alone := _not_alone(self, value):
            return alone
        if actor not in state.fighters:
            return Reason("no-character", who=actor)
        if may_use(state, turn_of(state), _window(state), actor):
            return None
        return Reason("no-special-left", who=actor, what=BEFORE[_window(state)])

    def follow(self, state: Conflict, actor: str, value: str) -> Conflict:
        return replace(state, turn=replace(turn_of(state), window=_window(state), asked_by=actor))


def _window(state: Conflict) -> str:
    return STANCE if turn_of(state).opponent else OPPONENT


def _not_alone(declaration: Declaration, value: str) -> Reason | None:
    return Reason("alone-without", what=declaration.word, more=repr(value[:40])) if value else None


AGREED, END_COMBO, USE = Agreed(), EndCombo(), Use()
