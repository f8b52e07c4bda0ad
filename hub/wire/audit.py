"""Following a table by its public log: what no table could have done is a fault.

It knows no rules and no secret. What it needs of them the log says itself: who was awaited, who
was still to decide, which phase it was. A line of log schema 1 does not say so: what it leaves
open is not judged.
"""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct, field

from hub.rules.game import GM
from hub.table import records as r
from hub.table.back import MOST_EARLIER
from hub.table.sealed import CHANCE, Opening, from_page, from_reader, seal_digest
from hub.table.state import Undoes
from hub.table.work import MOST_BESIDE
from hub.wire.format1 import seal_digest_1
from hub.wire.log import OLD_SCHEMA, Line

LAST_MS = 253_402_300_799_999
"""The end of the year 9999."""

_IN_PAUSE = (
    r.LogBegun, r.Resumed, r.SceneEnded, r.ReaderLost, r.ReaderReturned, r.ReaderUnreliable,
    r.ReaderReliable, r.ChanceSealed,
)  # fmt: skip
_IN_LOCK = (*_IN_PAUSE, r.Paused, r.Revealed, r.Undone)


class _Sealed(Struct, frozen=True):
    """A seal that has not been opened."""

    event: r.Seal
    schema: int


class _Earlier(Struct, frozen=True):
    """Something that the GM did and can take back."""

    what: Undoes
    seq: int
    """Number of the line before it."""
    scene: "_Scene | None" = None
    """Of a scene's end: the scene."""


class _Scene(Struct):
    """What the log says of the scene that is being played."""

    number: int
    seats: dict[str, tuple[str, ...]]
    checkpoints: list[tuple[int, int]]
    """Number and phase of the scene's start, and of each reveal that stands."""
    exact: bool
    """Whether every line of it says its phase."""
    low: int = 1
    """The phase is one of ``low`` to ``high``."""
    high: int = 1
    turn: tuple[int, int] | None = None
    """The highest phase that named its turn, and that turn; None after an undo."""
    seals: dict[str, _Sealed] = field(default_factory=dict)
    beside: dict[str, list[_Sealed]] = field(default_factory=dict)
    withdrew: set[str] = field(default_factory=set)
    """Who has withdrawn a card in this phase, and so has a word left."""
    chance: _Sealed | None = None
    decided: dict[str, str] = field(default_factory=dict)
    awaited: tuple[str, ...] = ()
    """Of the decision that is being made."""
    declared: bool = False
    """Whether something was declared in this phase: it may have ended it."""
    went_on: bool = False
    """Whether something was decided or declared since the last checkpoint."""
    locked: r.Locked | None = None
    paused: bool = False
    deadline_ms: int | None = None

    def lying(self) -> list[_Sealed]:
        """Everything that is sealed by players."""
        return [*self.seals.values(), *chain.from_iterable(self.beside.values())]

    def touched(self) -> bool:
        """Whether anything was played since the last checkpoint."""
        return bool(self.went_on or self.lying() or self.decided or self.locked)

    def seat_of(self, actor: str) -> str | None:
        """The seat that plays an actor."""
        return next((seat for seat, playing in self.seats.items() if actor in playing), None)


class Audit:
    """Hears a log line by line; :attr:`problems` says what is wrong with it."""

    def __init__(self, table: str, *, whole: bool = True) -> None:
        """``whole``: the log is heard from its first line."""
        self.table = table
        self.log = ""
        self.opened = 0
        self.unopened = 0
        self.taken_back = 0
        self.problems: list[str] = []
        self.scene: _Scene | None = None
        self._whole = whole
        self._scenes: int | None = 0 if whole else None
        self._story = not whole
        self._earlier: list[_Earlier] = []
        self._known = whole
        """Whether that is all that can be taken back: nothing was done before the first line."""
        self._lost: set[str] = set()
        self._at_ms = 0
        self._digests: set[str] = set()
        self._line = 0
        self._now = Line(0, 0, "", r.Paused())

    def hear(self, number: int, line: Line) -> None:
        """Line ``number`` of the log."""
        self._line, self._now = number, line
        self._time(line)
        event, scene = line.event, self.scene
        match event:
            case r.LogBegun():
                self.log = event.log
            case r.StoryBegun() | r.StoryTold() | r.CharacterJoined() | r.CharacterLeft():
                self._tell(event)
            case r.StoryUndone():
                self._untell(event)
            case r.ReaderLost() | r.ReaderReturned():
                self._reader(event)
            case r.ReaderUnreliable() | r.ReaderReliable():
                pass
            case r.SceneStarted():
                self._start(event)
            case r.SceneReopened():
                self._reopen(event)
            case _ if scene is None:
                if self._whole or self._scenes is not None:
                    self._blame(f"{r.tag_of(event)} outside a scene")
            case _:
                self._play(scene, event)

    def void(self) -> None:
        """The log ends: whatever is sealed will not be opened."""
        if self.scene is not None:
            self._void(self.scene)

    def _blame(self, what: str) -> None:
        self.problems.append(f"line {self._line}: {what}")

    @property
    def _old(self) -> bool:
        return self._now.schema == OLD_SCHEMA

    def _time(self, line: Line) -> None:
        if not 0 <= line.at_ms <= LAST_MS:
            self._blame(f"its time {line.at_ms} is in no calendar")
        elif line.at_ms < self._at_ms and not self._old:
            self._blame(f"it is {self._at_ms - line.at_ms} ms earlier than the line before it")
        self._at_ms = max(self._at_ms, line.at_ms)

    # Between scenes

    def _tell(self, event: r.Event) -> None:
        begins = isinstance(event, r.StoryBegun)
        if begins == self._story and self._whole:
            self._blame("a story begins twice" if begins else f"{r.tag_of(event)} without a story")
        if begins and self.scene is not None:
            self._blame("a story begins in a scene")
        self._story = True
        if not begins:
            self._pile(_Earlier(Undoes.DEED, self._now.seq - 1))

    def _pile(self, each: _Earlier) -> None:
        lower = [one for one in self._earlier if one.seq < each.seq]
        self._earlier = [*lower, each][-MOST_EARLIER:]

    def _take_from_pile(self, what: Undoes, to_seq: int) -> _Earlier | None:
        """The newest thing that can be taken back, if it is this one."""
        newest = self._earlier.pop() if self._earlier else None
        if newest is None and not self._known:
            return None
        if newest is None or (newest.what, newest.seq) != (what, to_seq):
            self._blame(f"no {what} that followed line {to_seq} can be taken back")
            return None
        return newest

    def _untell(self, event: r.StoryUndone) -> None:
        self._take_from_pile(Undoes.DEED, event.to_seq)

    def _reopen(self, event: r.SceneReopened) -> None:
        if self.scene is not None:
            self._blame(f"a scene is reopened in scene {self.scene.number}")
            self._void(self.scene)
        ended = self._take_from_pile(Undoes.END, event.to_seq)
        self.scene = ended.scene if ended else None
        if self.scene is not None:
            self.scene.turn = None
            self._next(self.scene, self.scene.low + 1, self.scene.high + 1)

    def _call_off(self, scene: _Scene, event: r.SceneCalledOff) -> None:
        self._take_from_pile(Undoes.START, event.to_seq)
        if scene.exact and (len(scene.checkpoints) > 1 or scene.touched()):
            self._blame("a scene is called off in which something was played")
        self._void(scene)
        self.scene = None

    def _reader(self, event: r.ReaderLost | r.ReaderReturned) -> None:
        loses = isinstance(event, r.ReaderLost)
        if loses == (event.seat in self._lost) and self._whole:
            self._blame(f"the reader of {event.seat} is {'lost' if loses else 'back'} twice")
        (self._lost.add if loses else self._lost.discard)(event.seat)

    def _start(self, event: r.SceneStarted) -> None:
        if self.scene is not None:
            self._blame(f"scene {event.scene} begins in scene {self.scene.number}")
            self._void(self.scene)
        if self._scenes is not None and event.scene != self._scenes + 1:
            self._blame(f"scene {event.scene} follows scene {self._scenes}")
        players = [actor for playing in event.seats.values() for actor in playing]
        if len(set(players)) != len(players):
            self._blame("somebody is played by two seats")
        self._scenes = event.scene
        self._began(event.after or self._now.seq - 1)
        self.scene = _Scene(event.scene, event.seats, [(self._now.seq, 1)], not self._old)

    def _began(self, after: int) -> None:
        """A scene has begun; what is at stake may have been told with it."""
        told = self._earlier[-1:] == [_Earlier(Undoes.DEED, after)]
        if after != self._now.seq - 1 and not (told and after == self._now.seq - 2):
            self._blame(f"a scene begins here, and not after line {after}")
        self._pile(_Earlier(Undoes.START, after))

    # In a scene

    def _play(self, scene: _Scene, event: r.AnyEvent) -> None:  # noqa: PLR0912  (one case for each)
        if scene.paused and not isinstance(event, _IN_PAUSE):
            self._blame(f"{r.tag_of(event)} while the table is paused")
        if scene.locked and not isinstance(event, _IN_LOCK):
            self._blame(f"{_who(event)} after the lock")
        match event:
            case r.Committed() | r.SetBeside():
                self._seal(scene, event)
            case r.TakenBack() | r.SealDropped():
                self._take_back(scene, event.actor, event.seat)
            case r.Withdrawn():
                self._withdraw(scene, event)
            case r.Passed():
                self._speaks_for(scene, event.actor, event.by)
                answers = scene.beside and event.actor in scene.seals
                if not answers and event.actor not in scene.withdrew:
                    self._blame(f"{event.actor} has nothing to answer")
            case r.ChanceSealed():
                self._draw(scene, event)
            case r.Locked():
                self._lock(scene, event)
            case r.Revealed():
                self._reveal(scene, event)
            case r.Decided():
                self._decide(scene, event)
            case r.Declared():
                self._declare(scene, event)
            case r.DeadlineSet() | r.DeadlinePassed():
                self._deadline(scene, event)
            case r.Paused():
                scene.paused = True
            case r.Resumed():
                if not scene.paused:
                    self._blame("it goes on without a pause")
                scene.paused = False
            case r.Undone():
                self._undo(scene, event)
            case r.SceneCalledOff():
                self._call_off(scene, event)
            case r.SceneEnded():
                self._void(scene)
                self._pile(_Earlier(Undoes.END, self._now.seq - 1, scene))
                self.scene = None
            case _:
                pass

    def _at_phase(self, scene: _Scene, phase: int) -> None:
        """Something names the phase that it happened in."""
        if self._old and phase == 0:
            return
        if not scene.low <= phase <= scene.high:
            known = f"{scene.low}" if scene.low == scene.high else f"{scene.low} to {scene.high}"
            self._blame(f"{_who(self._now.event)} in another phase: {phase}, not {known}")
        if scene.low < phase:  # a declaration has ended the step: seals are void
            self._void(scene)
            scene.decided, scene.awaited, scene.declared = {}, (), False
        scene.low = scene.high = phase

    def _at_turn(self, scene: _Scene, phase: int, turn: int) -> None:
        before = scene.turn
        if before is not None:
            fits = turn == before[1] if phase == before[0] else turn >= before[1]
            if not fits or turn - before[1] > max(0, phase - before[0]):
                self._blame(f"turn {turn} in phase {phase} after turn {before[1]}")
        scene.turn = (phase, turn)

    def _next(self, scene: _Scene, low: int, high: int) -> None:
        """A new phase begins, in which nothing is sealed yet."""
        self._void(scene)
        scene.low, scene.high = low, high
        scene.decided, scene.awaited, scene.declared = {}, (), False
        scene.locked = scene.deadline_ms = None

    def _void(self, scene: _Scene) -> None:
        self.unopened += len(scene.lying())
        scene.seals, scene.beside, scene.chance = {}, {}, None
        scene.withdrew = set()

    def _speaks_for(self, scene: _Scene, actor: str, by: str) -> None:
        seat = scene.seat_of(actor)
        if seat is None and actor != GM:
            self._blame(f"{actor} is played by nobody")
        elif by not in {seat, GM}:
            self._blame(f"{by} speaks for {actor}")

    def _placed(self, scene: _Scene, event: r.Seal) -> None:
        if event.scene != scene.number:
            self._blame(f"{_who(event)} in another scene: {event.scene}")
        self._at_phase(scene, event.phase)
        self._at_turn(scene, event.phase, event.turn)
        if event.digest in self._digests:
            self._blame(f"{_who(event)} under a digest that was used before")
        self._digests.add(event.digest)

    def _seal(self, scene: _Scene, event: r.Committed | r.SetBeside) -> None:
        self._placed(scene, event)
        if event.actor not in scene.seats.get(event.seat, ()):
            self._blame(f"{event.actor} is not played at seat {event.seat}")
        if scene.decided:
            self._blame(f"{event.actor} commits where words are awaited")
        origins = {from_reader(event.seat), from_page(event.seat), from_page(GM)}
        if not self._old and event.origin not in origins:
            self._blame(f"{event.actor}'s card comes from nowhere: {event.origin}")
        sealed = _Sealed(event, self._now.schema)
        if isinstance(event, r.SetBeside):
            lie = scene.beside.setdefault(event.actor, [])
            lie.append(sealed)
            if len(lie) > MOST_BESIDE:
                self._blame(f"{len(lie)} cards of {event.actor} lie beside")
            return
        if event.actor in scene.seals:
            self._blame(f"{event.actor} commits twice")
            self.unopened += 1
        scene.seals[event.actor] = sealed

    def _take_back(self, scene: _Scene, actor: str, seat: str) -> None:
        sealed = scene.seals.pop(actor, None)
        if sealed is None:
            self._blame(f"{actor} had no seal to undo")
            return
        self.unopened += 1
        self.taken_back += 1
        if isinstance(sealed.event, r.Committed) and sealed.event.seat != seat:
            self._blame(f"{actor}'s seal is undone at another seat: {seat}")

    def _withdraw(self, scene: _Scene, event: r.Withdrawn) -> None:
        lie = scene.beside.get(event.actor, [])
        scene.withdrew.add(event.actor)
        stay = [sealed for sealed in lie if sealed.event.digest != event.digest]
        if len(stay) == len(lie):
            self._blame(f"{event.actor} had no seal to undo")
            return
        self.unopened += 1
        self.taken_back += 1
        if stay:
            scene.beside[event.actor] = stay
        else:
            del scene.beside[event.actor]

    def _draw(self, scene: _Scene, event: r.ChanceSealed) -> None:
        self._placed(scene, event)
        if scene.chance is not None:
            self._blame("chance is drawn a second time")
        if scene.lying() or scene.decided:
            self._blame("chance is drawn after a choice that it meets")
        scene.chance = _Sealed(event, self._now.schema)

    def _lock(self, scene: _Scene, event: r.Locked) -> None:
        if scene.locked:
            self._blame("locked twice")
        if not self._old:
            self._at_phase(scene, event.phase)
            self._at_turn(scene, event.phase, event.turn)
            if event.scene != scene.number:
                self._blame(f"locked in another scene: {event.scene}")
            if event.reveal_at_ms < self._now.at_ms:
                self._blame("the reveal is due before the lock")
            for actor in event.awaited:
                if actor not in scene.seals:
                    self._blame(f"locked without a card of {actor}, who was awaited")
            for actor in scene.seals.keys() - set(event.awaited):
                self._blame(f"a card of {actor} is locked, who was not awaited")
            if len(set(event.awaited)) != len(event.awaited) or not event.awaited:
                self._blame("locked, and nobody was awaited, or somebody twice")
            if list(event.digests) != _locked_digests(scene, event.awaited):
                self._blame("what is locked is not what was sealed")
        scene.locked = event

    def _reveal(self, scene: _Scene, event: r.Revealed) -> None:
        if not scene.locked:
            self._blame("a reveal before everybody was locked")
        elif self._now.at_ms < scene.locked.reveal_at_ms and not self._old:
            self._blame(
                f"a reveal {scene.locked.reveal_at_ms - self._now.at_ms} ms before its time"
            )
        self._at_phase(scene, event.phase)
        sealed = {actor: (each,) for actor, each in scene.seals.items()}
        opened = {actor: (opening,) for actor, opening in event.openings.items()}
        self._open_all(sealed, opened)
        self._open_all(scene.beside, event.beside)
        self._show_chance(scene, event.chance)
        scene.seals, scene.beside = {}, {}
        self._next(scene, scene.low + 1, scene.high + 1)
        scene.went_on = False
        scene.checkpoints.append((self._now.seq, scene.low))

    def _open_all(
        self,
        sealed: Mapping[str, Sequence[_Sealed]],
        opened: Mapping[str, Sequence[Opening]],
    ) -> None:
        if {a: len(x) for a, x in sealed.items()} != {a: len(x) for a, x in opened.items()}:
            self._blame("the reveal does not open exactly what was sealed")
        for actor, openings in opened.items():
            for seal, opening in zip(sealed.get(actor, ()), openings, strict=False):
                self.opened += 1
                self._open(seal, opening, actor)

    def _open(self, seal: _Sealed, opening: Opening, actor: str) -> None:
        what = f"{actor}'s card" if actor else "chance"
        try:
            if seal.schema == OLD_SCHEMA:
                digest = seal_digest_1(self.table, seal.event, opening)
            else:
                digest = seal_digest(r.place_of(seal.event, self.log, self.table), opening)
        except ValueError as error:
            self._blame(f"{what}: its opening is malformed: {error}")
            return
        if digest != seal.event.digest:
            self._blame(f"{what} is not the one that was {'sealed' if actor else 'drawn'}")

    def _show_chance(self, scene: _Scene, shown: str) -> None:
        drawn, scene.chance = scene.chance, None
        if drawn is None and shown:
            self._blame("chance is shown that was never drawn")
        elif drawn is not None and not shown:
            if not self._old:
                self._blame("the chance that was drawn is not shown")
        elif drawn is not None:
            self._open(drawn, Opening(shown, CHANCE), "")

    def _decide(self, scene: _Scene, event: r.Decided) -> None:
        self._at_phase(scene, event.phase)
        self._speaks_for(scene, event.actor, event.by)
        if scene.lying():
            self._blame(f"{event.actor} decides where cards are sealed")
        if scene.decided.get(event.actor) == event.choice and not self._old:
            self._blame(f"{event.actor} decides the same twice")
        scene.decided[event.actor] = event.choice
        if self._old:
            scene.went_on = True
            if event.chance:
                self._show_chance(scene, event.chance)
            scene.high += 1
            return
        waits = set(event.waits_for)
        if event.actor not in event.awaited or event.actor in waits or waits - set(event.awaited):
            self._blame(f"{event.actor} decides and was not awaited")
        if scene.awaited not in {(), event.awaited} and not scene.declared:
            self._blame("others are awaited than before")
        for actor in set(event.awaited) - waits - scene.decided.keys():
            self._blame(f"{actor} was awaited and has not decided")
        again = waits & scene.decided.keys()
        if again and not scene.declared:
            self._blame(f"{min(again)} has decided and is awaited again")
        scene.awaited = event.awaited
        scene.decided = {a: choice for a, choice in scene.decided.items() if a not in waits}
        if waits:
            if event.chance:
                self._blame("chance is shown before everybody has decided")
            return
        scene.went_on = True
        self._show_chance(scene, event.chance)
        self._next(scene, scene.low + 1, scene.high + 1)

    def _declare(self, scene: _Scene, event: r.Declared) -> None:
        self._at_phase(scene, event.phase)
        self._speaks_for(scene, event.actor, event.by)
        if event.actor in scene.seals:
            self._blame(f"{event.actor} declares something beside a sealed card")
        scene.declared = scene.went_on = True
        scene.high += 1

    def _deadline(self, scene: _Scene, event: r.DeadlineSet | r.DeadlinePassed) -> None:
        if isinstance(event, r.DeadlineSet):
            scene.deadline_ms = event.deadline_ms
            if event.deadline_ms != self._now.at_ms + round(event.seconds * 1000) and not self._old:
                self._blame("the commit timer does not end when it says")
            return
        if scene.deadline_ms is None:
            self._blame("a commit timer ends that does not run")
        elif self._now.at_ms < scene.deadline_ms and not self._old:
            self._blame("the commit timer ends before its time")
        scene.deadline_ms = None

    def _undo(self, scene: _Scene, event: r.Undone) -> None:
        back = scene.checkpoints if scene.touched() else scene.checkpoints[:-1]
        if scene.exact and (not back or back[-1] != (event.to_seq, event.to_phase)):
            self._blame("an undo goes back to what it cannot go back to")
        scene.checkpoints = back or scene.checkpoints
        scene.turn, scene.went_on = None, False
        self._next(scene, scene.low + 1, scene.high + 1)


def _locked_digests(scene: _Scene, awaited: Sequence[str]) -> list[str]:
    seals = [scene.seals[actor] for actor in awaited if actor in scene.seals]
    lying = [each for _, lie in sorted(scene.beside.items()) for each in lie]
    return [each.event.digest for each in (*seals, *lying)]


def _who(event: r.AnyEvent) -> str:
    match event:
        case r.Committed(actor=actor) | r.SetBeside(actor=actor):
            return f"{actor} commits"
        case r.TakenBack() | r.SealDropped() | r.Withdrawn():
            return "a seal is undone"
        case _:
            return r.tag_of(event)
