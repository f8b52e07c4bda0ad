"""Audit of a table's public log: report anything that no table could have done.

The audit knows no secrets. Rules, where known, recheck the outcomes of chance and, if the log shows
a scene's setup, every step of the scene. The log itself tells everything else: which actors were
awaited, which were still to decide, and the phase.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from hub.audit import falls, seals, texts, words
from hub.audit.scene import Scene
from hub.audit.told import Told, who
from hub.games.game import Game
from hub.games.story import Story
from hub.table import acts as r
from hub.table.looks import Portrait
from hub.table.state import MOST_COMMIT_S, Undoes
from hub.wire.log import Line

LAST_MS = 253_402_300_799_999
"""The end of the year 9999, in ms since the Unix epoch."""

_IN_PAUSE = (
    r.LogBegun, r.Resumed, r.SceneEnded, r.ReaderLost, r.ReaderReturned, r.ReaderUnreliable,
    r.ReaderReliable, r.ClockSet, *seals.IN_PAUSE,
)  # fmt: skip
_IN_LOCK = (*_IN_PAUSE, r.Paused, r.Undone, *seals.IN_LOCK)


class _Earlier(Struct, frozen=True):
    """An action of the GM that can be taken back."""

    what: Undoes
    seq: int
    """Number of the line before the action."""
    scene: Scene | None = None
    """The scene that was closed, if the action is a scene's end."""


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
        super().__init__(table, whole=whole, games=games, stories=stories)
        self.scene: Scene | None = None
        self._scenes: int | None = 0 if whole else None
        self._story = not whole
        self._earlier: list[_Earlier] = []
        self._known = whole
        """Whether ``_earlier`` holds every such action, because the log is heard from its first
        line."""
        self._lost: set[str] = set()
        self._played_by_gm: set[str] = set()
        self._portraits: dict[str, Portrait] = {}
        self._evening_over = False
        self._at_ms = 0

    def hear(self, number: int, line: Line) -> None:
        """Judge ``line``, which is line ``number`` of the file."""
        self.number, self.now = number, line
        self._time(line)
        event, scene = line.event, self.scene
        texts.judge(self, scene, event)
        if isinstance(event, _ALWAYS_RIGHT):
            return
        if judge := _AT_ANY_TIME.get(type(event)):
            judge(self, event)
        elif scene is not None:
            self._play(scene, event)
            falls.follow(self, scene, event)
        elif self.whole or self._scenes is not None:
            self.blame(f"{r.tag_of(event)} outside a scene")

    def void(self) -> None:
        """Count the seals that remain at the end of the log as unopened."""
        if self.scene is not None:
            self.scene.void(self)

    def _begin_log(self, event: r.LogBegun) -> None:
        self.log = event.log

    def _set_timer(self, event: r.TimerSet) -> None:
        if not 0 <= (event.seconds or 0) <= MOST_COMMIT_S:
            self.blame(f"a timer of {event.seconds:g} s is none that a table can set")

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
        self._earlier = [*lower, each][-r.MOST_EARLIER :]

    def _take_from_pile(self, what: Undoes, to_seq: int) -> _Earlier | None:
        """Pop the newest undoable action. Returns it if it is ``what``, after line ``to_seq``; else
        None, with a fault unless the action can be older than the lines heard."""
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
        """Note the start of a scene after line ``after``, and check that no line lies between,
        except for a deed that told the scene's stakes."""
        told = self._earlier[-1:] == [_Earlier(Undoes.DEED, after)]
        if after != self.now.seq - 1 and not (told and after == self.now.seq - 2):
            self.blame(f"a scene begins here, and not after line {after}")
        self._pile(_Earlier(Undoes.START, after))

    # In a scene

    def _play(self, scene: Scene, event: r.Event) -> None:
        if scene.paused and not isinstance(event, _IN_PAUSE):
            self.blame(f"{r.tag_of(event)} while the table is paused")
        if scene.locked and not isinstance(event, _IN_LOCK):
            self.blame(f"{who(event)} after the lock")
        if judge := _IN_SCENE.get(type(event)):
            judge(self, scene, event)

    def _pass(self, scene: Scene, event: r.Passed) -> None:
        scene.speaks_for(self, event.actor, event.by)
        answers = scene.beside and event.actor in scene.seals
        if not answers and event.actor not in scene.withdrew:
            self.blame(f"{event.actor} has nothing to answer")

    def _pause(self, scene: Scene, _: r.Paused) -> None:
        scene.paused = True

    def _resume(self, scene: Scene, _: r.Resumed) -> None:
        if not scene.paused:
            self.blame("it goes on without a pause")
        scene.paused = False

    def _end(self, scene: Scene, event: r.SceneEnded) -> None:
        words.close(self, scene, event)
        scene.void(self)
        self._pile(_Earlier(Undoes.END, self.now.seq - 1, scene))
        self.scene = None

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


_ALWAYS_RIGHT = (r.ReaderUnreliable, r.ReaderReliable, r.EveningNamed)
_AT_ANY_TIME: dict[type[r.Event], Callable[[Audit, Any], None]] = {
    r.LogBegun: Audit._begin_log,
    r.StoryBegun: Audit._tell,
    r.StoryTold: Audit._tell,
    r.CharacterJoined: Audit._tell,
    r.CharacterLeft: Audit._tell,
    r.StoryUndone: Audit._untell,
    r.ReaderLost: Audit._reader,
    r.ReaderReturned: Audit._reader,
    r.ClockSet: Audit._set_clock,
    r.TimerSet: Audit._set_timer,
    r.PlayedByGm: Audit._gm_plays,
    r.EveningEnded: Audit._end_evening,
    r.StaysAway: Audit._stays_away,
    r.PlayedByHub: Audit._hub_plays,
    r.Portrayed: Audit._portray,
    r.SceneStarted: Audit._start,
    r.SceneReopened: Audit._reopen,
}
"""The judges of events that a log may have both in and outside a scene."""
_IN_SCENE: dict[type[r.Event], Callable[[Audit, Scene, Any], None]] = {
    **seals.JUDGES,
    **words.JUDGES,
    r.Passed: Audit._pass,
    r.Paused: Audit._pause,
    r.Resumed: Audit._resume,
    r.Undone: Audit._undo,
    r.SceneCalledOff: Audit._call_off,
    r.SceneEnded: Audit._end,
}
"""The judges of events that a log may have in a scene only."""
