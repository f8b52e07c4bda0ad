"""The steps that specials add to a conflict, and specials set down beside the cards of another step
(R11, R12)."""

# ruff: noqa: D102  (what each method of a step means is said once, on Step)

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import Choice, Kind, Offer
from hub.games.steps import Beside
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules import windows
from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Move
from hub.games.triangle.rules.grammar import NO_SPECIAL, parse_split
from hub.games.triangle.rules.interplay import aimers_of, gain_after, gains_due
from hub.games.triangle.rules.judging import Gain, Split
from hub.games.triangle.rules.specials import redraws, set_down
from hub.games.triangle.rules.step import SpreadStep, Step, YesStep, loss_split, turn_of, verdict_of
from hub.games.triangle.rules.turn import judge, judge_again
from hub.kernel.faults import shown

SPECIAL = "special"


# book: specials.answered
class SpecialsStep(Step):
    """Once a special is announced, each character who could have one sets a special down, or none
    (R11).

    This step asks the two characters of the turn (only the active one before an opponent is chosen)
    and the character who announced the special, even from outside the turn.
    """

    name = "specials"
    kind = Kind.SEALED
    word = SPECIAL

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        turn = turn_of(conflict)
        asked = (*players_of(conflict), turn.asked_by)
        return tuple(
            name
            for name in conflict.scene.sheets
            if name in asked and windows.may_use(conflict, turn, turn.window, name)
        )

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        turn = turn_of(conflict)
        yield NO_SPECIAL
        yield from windows.cards(conflict, turn, turn.window, actor)

    def default(self, conflict: Conflict, actor: str) -> str | None:
        return None  # a secret choice, even where there is only one

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        turn = turn_of(conflict)
        if value == NO_SPECIAL:
            return None
        return windows.why_not_window(conflict, turn, turn.window, actor, value)

    def stand_in(self, conflict: Conflict, actor: str) -> Iterator[Offer]:
        """The GM, in place of the player, can only set down no special, so that none is used up."""
        yield Offer(Choice(SPECIAL, NO_SPECIAL))

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn = turn_of(conflict)
        uses = [
            windows.read_use(conflict, turn, turn.window, actor, value)
            for actor, value in values.items()
            if value != NO_SPECIAL
        ]
        return windows.show(conflict, turn, uses)


def players_of(conflict: Conflict) -> tuple[str, ...]:
    """The characters in the turn, in setup order: one or, once an opponent is chosen, two."""
    turn = turn_of(conflict)
    return tuple(n for n in conflict.scene.sheets if n in (turn.active, turn.opponent))


class TargetStep(Step):
    """The player of a special that was shown names the character that it concerns (R12)."""

    name = "target"
    word = "target"

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        return tuple(use.player for use in turn_of(conflict).unsaid)

    def values(self, conflict: Conflict, actor: str) -> Iterator[str]:
        turn = turn_of(conflict)
        use = next(use for use in turn.unsaid if use.player == actor)
        yield from windows.persons(conflict, turn, use)

    def why_not(self, conflict: Conflict, actor: str, value: str) -> Reason | None:
        names = tuple(self.values(conflict, actor))
        return None if value in names else Reason("not-one-of", text=shown(value), names=[*names])

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn = turn_of(conflict)
        conflict = replace(conflict, turn=replace(turn, unsaid=()))
        for use in turn.unsaid:
            named = replace(use, person=values[use.player])
            conflict = set_down(conflict, turn_of(conflict), named)
        return conflict


# book: redraw.effect
class ReplaceStep(YesStep):
    """A player may have the shown move replaced by a drawn one (R12, redraw)."""

    name = "replace"
    word = "replace"
    chance: ClassVar[bool] = True

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        turn = turn_of(conflict)
        return tuple(
            name
            for name in players_of(conflict)
            if redraws(conflict, turn, name) and _drawable(conflict, name)
        )

    # book: redraw.drawn
    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn = turn_of(conflict)
        moves = dict(turn.moves or {})
        first = {name: moves[name] for name, value in values.items() if value == "yes"}
        for name in first:
            found = _drawable(conflict, name)
            draw = sha256(b"facedown/draw/1" + chance + name.encode()).digest()
            moves[name] = found[int.from_bytes(draw, "big") % len(found)]
        return judge(conflict, replace(turn, replaced=first), moves)


def _drawable(conflict: Conflict, name: str) -> list[Move]:
    showed = (turn_of(conflict).moves or {}).get(name)
    return [move for move in available(conflict, name) if move != showed]


# book: aim.effect
class AimStep(SpreadStep):
    """A special lets its player split the opponent's loss (R12, aim)."""

    name = "aim"
    word = "aim"

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        turn, losses = turn_of(conflict), verdict_of(conflict).losses
        undecided = losses.keys() - turn.divided.keys()
        return tuple(
            aimer
            for loser, aimer in aimers_of(turn).items()
            if loser in undecided and not loss_split(conflict, loser).is_forced()
        )

    def whose(self, conflict: Conflict, actor: str) -> str:
        return turn_of(conflict).other(actor)

    def spread(self, conflict: Conflict, actor: str) -> Split:
        return loss_split(conflict, self.whose(conflict, actor))

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn = turn_of(conflict)
        splits = {turn.other(actor): parse_split(value) for actor, value in values.items()}
        return replace(conflict, turn=replace(turn, divided={**turn.divided, **splits}))


# book: recover.spread, drain.spread
class GainStep(SpreadStep):
    """A player who regains energy spreads it after the losses are split (R12)."""

    name = "gain"
    word = "gain"

    def must(self, conflict: Conflict) -> tuple[str, ...]:
        turn = turn_of(conflict)
        return tuple(
            name
            for name in gains_due(turn)
            if name not in turn.spread and not self.spread(conflict, name).is_forced()
        )

    def spread(self, conflict: Conflict, actor: str) -> Gain:
        return gain_after(conflict, turn_of(conflict), actor)

    def follow(self, conflict: Conflict, values: Mapping[str, str], chance: bytes) -> Conflict:
        turn = turn_of(conflict)
        spread = {name: parse_split(value) for name, value in values.items()}
        return replace(conflict, turn=replace(turn, spread=spread))


SPECIALS, TARGET, REPLACE = SpecialsStep(), TargetStep(), ReplaceStep()
AIM, GAIN = AimStep(), GainStep()


class Specials(Beside[Conflict]):
    """Specials laid beside another step's cards. The step's name is also the name of the window
    they belong to (see :mod:`hub.games.triangle.rules.windows`)."""

    word = SPECIAL

    def may(self, state: Conflict, step: Step) -> tuple[str, ...]:
        turn = turn_of(state)
        if step.name != windows.MOVE:
            return windows.bystanders(state, turn)
        return tuple(n for n in state.fighters if windows.may_use(state, turn, step.name, n))

    def why_not(self, state: Conflict, step: Step, actor: str, value: str) -> Reason | None:
        turn = state.turn
        if turn is None or step.name not in windows.MOMENTS:
            return Reason("specials-not-here", what=step.word)
        if actor not in state.fighters:
            return Reason("no-character", who=actor)
        if why := windows.why_not_window(state, turn, step.name, actor, value):
            return why
        return None if step.beside else Reason("say-use-first", special=value)

    def offers(self, state: Conflict, step: Step, actor: str) -> Iterator[Offer]:
        hears = step.kind is Kind.SEALED or actor in self.may(state, step)
        if not hears or actor not in state.fighters:
            return
        for card in windows.cards(state, turn_of(state), step.name, actor):
            yield Offer(Choice(SPECIAL, card), self.why_not(state, step, actor, card))

    def show(self, state: Conflict, step: Step, actor: str, value: str) -> Conflict:
        turn = turn_of(state)
        return windows.show(state, turn, [windows.read_use(state, turn, step.name, actor, value)])

    def lay(self, state: Conflict, step: Step, actor: str, value: str) -> Conflict:
        """Show the special and recompute the losses at once (R17)."""
        use = windows.read_use(state, turn_of(state), step.name, actor, value)
        shown = self.show(state, step, actor, value)
        return judge_again(shown, turn_of(shown), use)
