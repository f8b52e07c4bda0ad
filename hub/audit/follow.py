"""Follow a scene by its rules, if its setup is in the log: the awaited actors, the legal choices,
and when chance falls, and on what.

It uses public lines only, and shares no code with the table's own fold, so that one does not repeat
the other's mistakes.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from hub.games.game import GM, Choice, Game, Kind, RulesError, Word
from hub.table import acts as r
from hub.table.state import LeftOpen

ODD = (
    RulesError, ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError,
)  # fmt: skip
"""Exceptions that rules may raise on a forged log, which can contain anything."""

WITHOUT = "a step in which something falls by chance ends without chance"
NO_STOP = "the rules make a stop here, and none is made"
NOT_BY_RULES = "by the rules this cannot follow"


class Unfollowed(Exception):
    """A line that cannot follow by the rules; the message says why."""


class Followed:
    """A scene replayed by its rules, line by line."""

    def __init__(self, game: Game[Any], event: r.SceneStarted, seq: int) -> None:
        """Begin with ``event``, line ``seq`` of the log. Raises :class:`Unfollowed` if no scene of
        this game can begin like this."""
        self.game = game
        try:
            if event.setup is UNSET:
                raise Unfollowed("the log does not say how the scene began")
            if event.setup.rulings != game.rulings:
                raise Unfollowed(f"rulings {event.setup.rulings} are not known here")
            state = game.begin(event.setup.values(), event.setup.rulings)
            for actor in event.away or ():
                state = game.sit_out(state, actor, out=True)
            actors = game.actors(state)
        except ODD as error:
            raise Unfollowed(f"no scene begins so: {error}") from None
        players = {actor for playing in event.seats.values() for actor in playing}
        if players - {GM} != {*actors}:
            raise Unfollowed("no scene begins so: others are in it than those who play")
        self.decided: dict[str, Choice] = {}
        self._stops = 0
        """How many stops the rules had made at the last checkpoint."""
        self._enter(state, checkpoint=True)
        self._kept = {seq: state}
        """Line number → the rules' state after that line, for each line that an undo may go back
        to."""

    def hear(self, seq: int, event: r.Event, sealed: Sequence[str]) -> None:
        """Apply ``event``, line ``seq``. ``sealed``: actors with a sealed card. Raises
        :class:`Unfollowed`."""
        try:
            self._hear(seq, event, sealed)
        except ODD as error:
            raise Unfollowed(f"{NOT_BY_RULES}: {error}") from None

    def falls_on(self, event: r.Decided | r.Revealed) -> Mapping[str, Any]:
        """The values that, besides the choices, decide the outcome of the chance that ``event``
        reveals. Raises :class:`Unfollowed`."""
        try:
            if isinstance(event, r.Revealed):
                return self.game.falls_on(self.state, *_opened(event))
            decided = {**self.decided, event.actor: self._said(event.choice)}
            return self.game.falls_on(self.state, decided)
        except ODD as error:
            raise Unfollowed(f"{NOT_BY_RULES}: {error}") from None

    def _enter(self, state: Any, *, checkpoint: bool = False) -> None:
        """Begin a new phase; an undo may go back to a ``checkpoint``."""
        self.state = state
        self.is_new = False
        """Whether something said beside the last step has ended it, and no line has named the
        present phase yet: what was chosen in the last one is void."""
        self.pending = self.game.pending(state)
        self.decided = {}
        if checkpoint:
            self._stops = self.pending.stops
        self._due = self.pending.stops != self._stops
        """Whether the rules have reached a stop, which the next line must record."""
        self._drawn = False
        """Whether chance was drawn in this phase."""

    def _hear(self, seq: int, event: r.Event, sealed: Sequence[str]) -> None:
        self._expect(event)
        if hasattr(event, "phase"):
            self.is_new = False
        match event:
            case r.Committed() | r.SetBeside() | r.ChanceSealed():
                self._seal(event)
            case r.Locked():
                self._awaits(event.awaited, self._chosen_by(event.awaited))
            case r.Revealed():
                self._reveal(seq, event)
            case r.Decided():
                self._decide(seq, event)
            case _:
                self._hear_beside(seq, event, sealed)

    def _hear_beside(self, seq: int, event: r.Event, sealed: Sequence[str]) -> None:
        match event:
            case r.Declared():
                choice = self._said(event.choice)
                self._beside(self.game.declare(self.state, event.actor, choice))
            case r.Overruled():
                word = Word(holds=event.holds, because=event.because)
                self._beside(self.game.overrule(self.state, word))
            case r.SatOut() | r.CameBack():
                self._absent(event, sealed)
            case r.StopMade():
                self._kept[seq] = self.state
                self._stops, self._due = self.pending.stops, False
            case r.Undone():
                if event.to_seq in self._kept:  # else the audit has reported it
                    back = self._kept[event.to_seq]
                    self._enter(back, checkpoint=event.step is not True)
            case r.SceneReopened():
                self._enter(self.state)
            case r.SceneEnded(left=LeftOpen(step=step, waits=waits)):
                now = self.pending
                if step != now.step:
                    raise Unfollowed(f"it is closed at {step}, and by the rules at {now.step}")
                if others := {*waits} - {*now.must}:
                    raise Unfollowed(f"{min(others)} had nothing to choose at {step}")

    def _expect(self, event: r.Event) -> None:
        """Check the lines that must begin a phase: a stop, if the rules make one, then chance."""
        is_stop = isinstance(event, r.StopMade)
        if is_stop != self._due:
            raise Unfollowed("a stop is made where the rules make none" if is_stop else NO_STOP)
        before = isinstance(event, r.StopMade | r.DeadlineSet | r.ChanceSealed)
        if self.pending.chance and not self._drawn and not before:
            raise Unfollowed("no chance was drawn where something falls by it")

    def _seal(self, event: r.SealMade) -> None:
        if isinstance(event, r.ChanceSealed):
            if not self.pending.chance:
                raise Unfollowed("chance is drawn where nothing falls by it")
            self._drawn = True
        elif self.pending.kind is not Kind.SEALED:
            raise Unfollowed("a card is sealed where the rules seal none")

    def _awaits(self, said: Sequence[str], wanted: Sequence[str]) -> None:
        if tuple(said) != tuple(wanted):
            awaited = " and ".join(wanted) or "nobody"
            named = " and ".join(said) or "nobody"
            raise Unfollowed(f"{named} awaited, and the rules await {awaited}")

    def _chosen_by(self, chose: Sequence[str]) -> tuple[str, ...]:
        """The actors that the rules await, given that ``chose`` have chosen: of each group in which
        one chooses for all, only that one."""
        groups = [group for group in self.pending.one_of if {*group} & {*chose}]
        spared = {actor for group in groups for actor in group if actor not in chose}
        return tuple(actor for actor in self.pending.must if actor not in spared)

    def _needs_chance(self, chance: str) -> bytes:
        if self.pending.chance and not chance:
            raise Unfollowed(WITHOUT)
        return bytes.fromhex(chance)

    def _reveal(self, seq: int, event: r.Revealed) -> None:
        chosen, beside = _opened(event)
        chance = self._needs_chance(event.chance)
        after = self.game.advance(self.state, chosen, chance, beside)
        self._enter(after, checkpoint=True)
        self._kept[seq] = self.state

    def _decide(self, seq: int, event: r.Decided) -> None:
        self._awaits(event.awaited, self.pending.must)
        if (event.one_of or ()) != self.pending.one_of:
            raise Unfollowed("other groups choose than by the rules")
        decided = {**self.decided, event.actor: self._said(event.choice)}
        left = [actor for actor in self._chosen_by([*decided]) if actor not in decided]
        self._awaits(event.waits_for, left)
        if event.waits_for:
            choice = decided[event.actor]
            if why := self.game.why_not(self.state, event.actor, choice):
                raise Unfollowed(f"{NOT_BY_RULES}: {why}")
            self.decided = decided
            return
        chance = self._needs_chance(event.chance)
        self._enter(self.game.advance(self.state, decided, chance))
        self._kept[seq] = self.state

    def _said(self, text: str) -> Choice:
        return Choice.parse(text, self.pending.most_chars(text.partition(" ")[0]))

    def _absent(self, event: r.SatOut | r.CameBack, sealed: Sequence[str]) -> None:
        after = self.game.sit_out(self.state, event.actor, out=isinstance(event, r.SatOut))
        pending = self.game.pending(after)
        same = (pending.step, pending.kind) == (self.pending.step, self.pending.kind)
        if same and {*sealed} <= {*pending.must}:
            self.state, self.pending = after, pending
        else:
            self._beside(after)

    def _beside(self, after: Any) -> None:
        """Apply a change beside the step. In the same step, still possible decisions remain."""
        if self.game.pending(after) != self.pending:
            self._enter(after)
            self.is_new = True
            return
        self.state = after
        self.decided = {
            actor: choice
            for actor, choice in self.decided.items()
            if self.game.why_not(after, actor, choice) is None
        }


def _opened(event: r.Revealed) -> tuple[dict[str, Choice], dict[str, list[Choice]]]:
    """Actor → choice, and actor → the cards beside the step, as revealed."""
    beside = {a: [Choice.parse(o.choice) for o in lie] for a, lie in event.beside.items()}
    return {a: Choice.parse(o.choice) for a, o in event.openings.items()}, beside
