"""Audit of a table's public log: report anything that no table could have done.

It knows no secrets, and of the rules only the outcomes of chance. The log itself has the rest:
which actors were awaited, which were still to decide, and the phase.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from hub.audit import falls, seals, texts, words
from hub.audit.scene import Scene
from hub.audit.told import Told, who
from hub.games.game import Game
from hub.games.story import Story
from hub.table import records as r
from hub.table.back import MOST_EARLIER
from hub.table.looks import Portrait
from hub.table.state import MOST_COMMIT_S, Undoes
from hub.wire.log import Line

LAST_MS = 253_402_300_799_999
"""The end of the year 9999."""

_IN_PAUSE = (
    r.LogBegun, r.Resumed, r.SceneEnded, r.ReaderLost, r.ReaderReturned, r.ReaderUnreliable,
    r.ReaderReliable, r.ChanceSealed, r.ClockSet,
)  # fmt: skip
_IN_LOCK = (*_IN_PAUSE, r.Paused, r.Revealed, r.Undone)


class _Earlier(Struct, frozen=True):
    """An action of the GM that can be taken back."""

    what: Undoes
    seq: int
    """Number of the line before it."""
    scene: Scene | None = None
    """For a scene's end: the scene."""


class Audit(Told):
    """Follows a log line by line; :attr:`problems` lists the faults found."""

    def __init__(
        self,
        table: str,
        *,
        whole: bool = True,
        games: Mapping[str, Game[Any]] | None = None,
        stories: Mapping[str, Story[Any]] | None = None,
    ) -> None:
        """See :class:`Told`."""
        super().__init__(table, whole=whole, games=games, stories=stories)
        self.scene: Scene | None = None
        self._scenes: int | None = 0 if whole else None
        self._story = not whole
        self._earlier: list[_Earlier] = []
        self._known = whole
        """Whether ``_earlier`` is complete, with nothing done before the first line heard."""
        self._lost: set[str] = set()
        self._played_by_gm: set[str] = set()
        self._portraits: dict[str, Portrait] = {}
        self._evening_over = False
        self._at_ms = 0

    def hear(self, number: int, line: Line) -> None:  # noqa: PLR0912  (one case for each)
        """Line ``number`` of the log."""
        self.number, self.now = number, line
        self._time(line)
        event, scene = line.event, self.scene
        texts.judge(self, scene, event)
        match event:
            case r.LogBegun():
                self.log = event.log
            case r.StoryBegun() | r.StoryTold() | r.CharacterJoined() | r.CharacterLeft():
                self._tell(event)
            case r.StoryUndone():
                self._untell(event)
            case r.ReaderLost() | r.ReaderReturned():
                self._reader(event)
            case r.ReaderUnreliable() | r.ReaderReliable() | r.EveningNamed():
                pass
            case r.ClockSet():
                self._set_clock(event)
            case r.TimerSet():
                if not 0 <= (event.seconds or 0) <= MOST_COMMIT_S:
                    self.blame(f"a timer of {event.seconds:g} s is none that a table can set")
            case r.PlayedByGm():
                self._gm_plays(event)
            case r.EveningEnded():
                self._end_evening(event)
            case r.StaysAway():
                self._stays_away(event)
            case r.PlayedByHub():
                self._hub_plays(event)
            case r.Portrayed():
                self._portray(event)
            case r.SceneStarted():
                self._start(event)
            case r.SceneReopened():
                self._reopen(event)
            case _ if scene is None:
                if self.whole or self._scenes is not None:
                    self.blame(f"{r.tag_of(event)} outside a scene")
            case _:
                self._play(scene, event)
                falls.follow(self, scene, event)

    def void(self) -> None:
        """The log has ended: remaining seals count as unopened."""
        if self.scene is not None:
            self.scene.void(self)

    def _time(self, line: Line) -> None:
        set_by_ms = line.event.by_ms if isinstance(line.event, r.ClockSet) else 0
        early_ms = self._at_ms - (line.at_ms - set_by_ms)
        if not 0 <= line.at_ms <= LAST_MS:
            self.blame(f"its time {line.at_ms} is in no calendar")
        elif early_ms > 0:
            self.blame(f"it is {early_ms} ms earlier than the line before it")
        self._at_ms = line.at_ms if set_by_ms else max(self._at_ms, line.at_ms)

    def _set_clock(self, event: r.ClockSet) -> None:
        """Move due times along with the clock."""
        if not event.by_ms:
            self.blame("the clock is set to what it shows already")
        self.clock_sets.append((self.now.seq, event.by_ms))
        if self.scene is not None:
            self.scene.move_due(event.by_ms)

    # Between scenes

    def _tell(self, event: r.Event) -> None:
        begins = isinstance(event, r.StoryBegun)
        if begins == self._story and self.whole:
            self.blame("a story begins twice" if begins else f"{r.tag_of(event)} without a story")
        if begins and self.scene is not None:
            self.blame("a story begins in a scene")
        self._story = True
        if isinstance(event, r.StoryBegun) and self.stories is not None:
            self.story = self.stories.get(event.ruleset)
            if self.story is None:
                self.blame(f"a story by rules that are not known here: {event.ruleset!r}")
        if isinstance(event, r.CharacterLeft):
            self._played_by_gm.discard(event.name)
            self.away.discard(event.name)
            self.played_by_hub.discard(event.name)
        if not begins:
            self._pile(_Earlier(Undoes.DEED, self.now.seq - 1))

    def _pile(self, each: _Earlier) -> None:
        lower = [one for one in self._earlier if one.seq < each.seq]
        self._earlier = [*lower, each][-MOST_EARLIER:]

    def _take_from_pile(self, what: Undoes, to_seq: int) -> _Earlier | None:
        """Pop the newest undoable action, if it is this one."""
        newest = self._earlier.pop() if self._earlier else None
        if newest is None and not self._known:
            return None
        if newest is None or (newest.what, newest.seq) != (what, to_seq):
            self.blame(f"no {what} that followed line {to_seq} can be taken back")
            return None
        return newest

    def _untell(self, event: r.StoryUndone) -> None:
        self._take_from_pile(Undoes.DEED, event.to_seq)

    def _reopen(self, event: r.SceneReopened) -> None:
        if self.scene is not None:
            self.blame(f"a scene is reopened in scene {self.scene.number}")
            self.scene.void(self)
        self._evening_over = False
        ended = self._take_from_pile(Undoes.END, event.to_seq)
        self.scene = ended.scene if ended else None
        if self.scene is not None:
            self.scene.turn = None
            self.scene.go_on(self, self.scene.low + 1, self.scene.high + 1)
            falls.follow(self, self.scene, event)

    def _call_off(self, scene: Scene, event: r.SceneCalledOff) -> None:
        self._take_from_pile(Undoes.START, event.to_seq)
        if len(scene.checkpoints) > 1 or scene.touched():
            self.blame("a scene is called off in which something was played")
        scene.void(self)
        self.scene = None

    def _reader(self, event: r.ReaderLost | r.ReaderReturned) -> None:
        loses = isinstance(event, r.ReaderLost)
        if loses == (event.seat in self._lost) and self.whole:
            self.blame(f"the reader of {event.seat} is {'lost' if loses else 'back'} twice")
        (self._lost.add if loses else self._lost.discard)(event.seat)

    def _gm_plays(self, event: r.PlayedByGm) -> None:
        if event.on == (event.actor in self._played_by_gm) and self.whole:
            self.blame(f"the GM plays for {event.actor} already, or not at all")
        (self._played_by_gm.add if event.on else self._played_by_gm.discard)(event.actor)

    def _end_evening(self, event: r.EveningEnded) -> None:
        if self.scene is not None:
            self.blame("the evening ends, or goes on, in a scene")
        if event.on == self._evening_over and self.whole:
            self.blame("the evening is over already, or goes on already")
        self._evening_over = event.on

    def _stays_away(self, event: r.StaysAway) -> None:
        if event.on == (event.actor in self.away) and self.whole:
            self.blame(f"{event.actor} stays away already, or not at all")
        (self.away.add if event.on else self.away.discard)(event.actor)

    def _hub_plays(self, event: r.PlayedByHub) -> None:
        if event.on == (event.actor in self.played_by_hub) and self.whole:
            self.blame(f"{event.actor} is played by the hub already, or not at all")
        (self.played_by_hub.add if event.on else self.played_by_hub.discard)(event.actor)

    def _portray(self, event: r.Portrayed) -> None:
        if event.portrait == self._portraits.get(event.name, Portrait()) and self.whole:
            self.blame(f"{event.name} is shown like that already")
        self._portraits[event.name] = event.portrait

    def _start(self, event: r.SceneStarted) -> None:
        if self.scene is not None:
            self.blame(f"scene {event.scene} begins in scene {self.scene.number}")
            self.scene.void(self)
        if self._scenes is not None and event.scene != self._scenes + 1:
            self.blame(f"scene {event.scene} follows scene {self._scenes}")
        players = [actor for playing in event.seats.values() for actor in playing]
        if len(set(players)) != len(players):
            self.blame("somebody is played by two seats")
        if self.whole and {*(event.away or ())} != self.away & {*players}:
            self.blame("it begins without others than those who stay away")
        self._scenes = event.scene
        self._evening_over = False
        self._began(event.after)
        self.scene = Scene(event.scene, event.seats, [(self.now.seq, 1)], event.ruleset)
        falls.begin(self, self.scene, event)

    def _began(self, after: int) -> None:
        """A scene has begun, perhaps right after the deed that told its stakes."""
        told = self._earlier[-1:] == [_Earlier(Undoes.DEED, after)]
        if after != self.now.seq - 1 and not (told and after == self.now.seq - 2):
            self.blame(f"a scene begins here, and not after line {after}")
        self._pile(_Earlier(Undoes.START, after))

    # In a scene

    def _play(self, scene: Scene, event: r.AnyEvent) -> None:  # noqa: PLR0912  (one case for each)
        if scene.paused and not isinstance(event, _IN_PAUSE):
            self.blame(f"{r.tag_of(event)} while the table is paused")
        if scene.locked and not isinstance(event, _IN_LOCK):
            self.blame(f"{who(event)} after the lock")
        match event:
            case r.Committed() | r.SetBeside():
                seals.seal(self, scene, event)
            case r.TakenBack() | r.SealDropped():
                seals.take_back(self, scene, event.actor, event.seat)
            case r.Withdrawn():
                seals.withdraw(self, scene, event)
            case r.Passed():
                scene.speaks_for(self, event.actor, event.by)
                answers = scene.beside and event.actor in scene.seals
                if not answers and event.actor not in scene.withdrew:
                    self.blame(f"{event.actor} has nothing to answer")
            case r.ChanceSealed():
                seals.draw(self, scene, event)
            case r.Locked():
                seals.lock(self, scene, event)
            case r.Revealed():
                seals.reveal(self, scene, event)
            case r.Decided():
                words.decide(self, scene, event)
            case r.Counted():
                words.count(self, scene, event)
            case r.Declared():
                words.declare(self, scene, event)
            case r.Overruled():
                words.overrule(self, scene, event)
            case r.SatOut() | r.CameBack() | r.StopMade() | r.DeadlineSet() | r.DeadlinePassed():
                words.beside(self, scene, event)
            case r.Paused():
                scene.paused = True
            case r.Resumed():
                if not scene.paused:
                    self.blame("it goes on without a pause")
                scene.paused = False
            case r.Undone():
                self._undo(scene, event)
            case r.SceneCalledOff():
                self._call_off(scene, event)
            case r.SceneEnded():
                words.close(self, scene, event)
                scene.void(self)
                self._pile(_Earlier(Undoes.END, self.now.seq - 1, scene))
                self.scene = None
            case _:
                pass

    def _undo_step(self, scene: Scene, event: r.Undone) -> None:
        spoken = scene.spoke or scene.decided or scene.counted
        steps = scene.steps if spoken else scene.steps[:-1]
        if not steps or steps[-1] != (event.to_seq, event.to_phase):
            self.blame("an undo goes back to a decision that it cannot go back to")
        scene.steps = steps
        scene.turn, scene.spoke = None, False
        scene.go_on(self, scene.low + 1, scene.high + 1)

    def _undo(self, scene: Scene, event: r.Undone) -> None:
        if event.step is True:
            self._undo_step(scene, event)
            return
        back = scene.checkpoints if scene.touched() else scene.checkpoints[:-1]
        if not back or back[-1] != (event.to_seq, event.to_phase):
            self.blame("an undo goes back to what it cannot go back to")
        scene.checkpoints = back or scene.checkpoints
        scene.turn, scene.went_on = None, False
        scene.steps, scene.spoke = [], False
        scene.go_on(self, scene.low + 1, scene.high + 1)
