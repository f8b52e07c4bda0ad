"""Gathers a recap from a journal: the newest scenes step by step, the chronicle, the seals.

A recap is made only from public views and public events, as pages and brokers get them. So it has
no cards that are still sealed at the end, no secret setups, sheets or keys.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct, field

from hub.audit.verify import Verdict, verify_log
from hub.games.registry import words_of
from hub.games.rulebooks import Rulebooks
from hub.journal.chain import told_of
from hub.ports import Announcement
from hub.table import acts as r
from hub.table.sealed import CHANCE, Opening, SealKind
from hub.table.state import Settings, TableState
from hub.table.views import public_view, seat_views
from hub.web.frames import state_frame
from hub.wire.chronicle import chronicle_entry, ruleset_told
from hub.wire.log import Row, line_hash
from hub.wire.played import played

MOST_SCENES = 40
"""How many scenes a recap has by default; older ones are left out."""
MOST_STEPS = 2000
MOST_ENTRIES = 5000

_VERIFY, _PLAY = 1, 3
"""The relative costs of verifying a row and of replaying it."""
WORK = _VERIFY + _PLAY
"""The work for one row, in the unit of ``done`` (see :func:`gather`)."""


class Step(Struct, frozen=True):
    """The public state of the table after a record. ``what`` is the tag of the record's event."""

    seq: int
    what: str
    change: Any
    """How the state frame differs from the step before (see :func:`difference`)."""


class ShownSeal(Struct, frozen=True):
    """A sealed card that was opened, or chance that was drawn in advance and revealed."""

    seq: int
    """The number of the record that opened the seal."""
    line: dict[str, Any]
    """The event that made the seal; for chance, an event without an actor."""
    opening: Opening


class SceneRecap(Struct, kw_only=True):
    """A scene, with the events up to the next one."""

    number: int
    title: str
    began_ms: int
    ended_ms: int | None = None
    """When the scene ended; None while it is in play."""
    entries: list[Any] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    seals: list[ShownSeal] = field(default_factory=list)
    steps_left_out: int = 0


class Check(Struct, frozen=True):
    """The result of the hub's check of the whole log: whether it is ``sound``, how many ``lines``
    it has, how many seals are ``opened`` and ``unopened``, and the first problems."""

    sound: bool
    lines: int
    opened: int
    unopened: int
    problems: tuple[str, ...]


class Recap(Struct, kw_only=True):
    """Everything that the recap's file shows. ``left_out`` is how many older scenes are not in
    it."""

    table: str
    evening: str = ""
    """The evening's title, if the GM gave it one at the table."""
    log: str
    head: str
    scenes: list[SceneRecap]
    left_out: int
    check: Check
    pictures: list[str] = field(default_factory=list)
    """The digests of the pictures in portraits, the newest first."""


def gather(
    rows: Callable[[], Iterable[Row]],
    table: str,
    rulebooks: Rulebooks,
    most_scenes: int = MOST_SCENES,
    done: Callable[[int], object] = lambda work: None,
) -> Recap:
    """Gather the recap of the journal of ``table``. ``rows`` reads the journal anew at each call.

    ``most_scenes`` is how many of the newest scenes to show. ``done`` is called with the work done
    since its last call, :data:`WORK` for each row. Raises :class:`hub.wire.log.LogFault` and
    :class:`hub.table.state.HubMisuse` for a journal that cannot be played again.
    """
    begun = [row.seq for row in rows() if b'"type":"scene-started"' in row.line]
    checking = told_of(rows(), lambda count: done(count * _VERIFY))
    lines = (row.line for row in checking)
    verdict = verify_log(lines, table, games=rulebooks.games, stories=rulebooks.stories)
    first = begun[-most_scenes] if len(begun) > most_scenes else 0
    gathering = _Gathering(first)
    playing = told_of(rows(), lambda count: done(count * _PLAY))
    for before, row, record, after in played(playing, table, rulebooks):
        gathering.hear(before, row, record, after)
    return Recap(
        table=table,
        evening=gathering.evening,
        log=gathering.log,
        head=verdict.head,
        scenes=gathering.scenes,
        left_out=max(0, len(begun) - most_scenes),
        check=_check(verdict),
        pictures=gathering.pictures[::-1],
    )


def _check(verdict: Verdict) -> Check:
    return Check(
        sound=not verdict.problems,
        lines=verdict.lines,
        opened=verdict.seals_opened,
        unopened=verdict.seals_unopened,
        problems=verdict.problems[:20],
    )


class _Gathering:
    """Collects the recap from the records: the scenes from record ``first`` on, the rest from all
    records."""

    def __init__(self, first: int) -> None:
        self.scenes: list[SceneRecap] = []
        self.log = self.evening = ""
        self.pictures: list[str] = []
        """The digests of the pictures, in the order in which they were chosen."""
        self._first = first
        self._shown: Any = None
        self._sealed: dict[str, dict[str, Any]] = {}
        """The events that sealed this scene's cards, by the seal's digest."""
        self._drawn: dict[str, Any] | None = None
        """The event that sealed the chance of the present step."""

    def hear(self, before: TableState, row: Row, record: r.Record, after: TableState) -> None:
        self.log, self.evening = after.log, after.evening
        if isinstance(record.event, r.Portrayed) and record.event.portrait.picture:
            picture = record.event.portrait.picture
            self.pictures = [*(each for each in self.pictures if each != picture), picture]
        if record.seq < self._first:
            return
        event = record.event
        if isinstance(event, r.SceneStarted):
            self._shown, self._sealed, self._drawn = None, {}, None
            self.scenes.append(
                SceneRecap(number=event.scene, title=event.title, began_ms=record.at_ms)
            )
        if not self.scenes:
            return
        scene = self.scenes[-1]
        if len(scene.entries) < MOST_ENTRIES:
            words = words_of(ruleset_told(before, after))
            scene.entries.append(chronicle_entry(before, record, after, words))
        match event:
            case r.SceneEnded():
                scene.ended_ms = record.at_ms
            case r.SceneReopened():
                scene.ended_ms = None
            case r.ClockSet() if before.scene is not None:
                scene.began_ms += event.by_ms
            case r.SceneCalledOff():
                self.scenes.pop()
                return
            case r.CardSealed():
                self._sealed[event.digest] = msgspec.to_builtins(event)
            case r.Revealed() if len(scene.seals) < MOST_ENTRIES:
                scene.seals += self._opened(before, record.seq, event)
        self._opened_chance(scene, record.seq, event)
        if after.scene is not None and event.on_stage:
            self._step(scene, row, record, after)

    def _step(self, scene: SceneRecap, row: Row, record: r.Record, after: TableState) -> None:
        if len(scene.steps) == MOST_STEPS:
            scene.steps_left_out += 1
            return
        seats = dict(after.scene.seats) if after.scene else {}
        view = public_view(after, seat_views(after, Settings(seats=seats)), line_hash(row.line))
        frame = state_frame(Announcement(view, (), after.revealed_at_ms))
        state = msgspec.json.decode(frame.data)
        change = [state] if self._shown is None else difference(self._shown, state)
        scene.steps.append(Step(record.seq, r.tag_of(record.event), change))
        self._shown = state

    def _opened_chance(self, scene: SceneRecap, seq: int, event: r.Event) -> None:
        if isinstance(event, r.SealMade) and event.kind is SealKind.CHANCE:
            self._drawn = msgspec.to_builtins(event)
        elif isinstance(event, r.Revealed | r.Decided) and event.chance and self._drawn:
            drawn, self._drawn = self._drawn, None
            scene.seals.append(ShownSeal(seq, drawn, Opening(event.chance, CHANCE)))

    def _opened(self, before: TableState, seq: int, event: r.Revealed) -> Iterator[ShownSeal]:
        scene = before.scene
        if scene is None:
            return
        opened = [(scene.seals[actor], given) for actor, given in event.openings.items()]
        for actor, laid in event.beside.items():
            opened += zip(scene.beside[actor], laid, strict=True)
        for seal, opening in opened:
            yield ShownSeal(seq, self._sealed[seal.digest], opening)


def difference(before: Any, after: Any) -> Any:
    """How ``after`` differs from ``before``. For two objects: key → the difference of its values,
    or the new value in a list if the key is new, or 0 if the key was removed. For other values:
    ``after`` in a list."""
    if not (isinstance(before, Mapping) and isinstance(after, Mapping)):
        return [after]
    changes: dict[str, Any] = dict.fromkeys(before.keys() - after.keys(), 0)
    for key, value in after.items():
        if key not in before:
            changes[key] = [value]
        elif before[key] != value:
            changes[key] = difference(before[key], value)
    return changes
