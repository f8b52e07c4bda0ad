"""Check a hub by its event log alone: is the log complete, and was every seal kept?

What it proves: no line was changed, dropped, added or moved between the first and the last; every
card shown at a reveal is the one whose digest was published when it was sealed, in this log, by
this actor, from the stated origin; each outcome of chance follows from bytes drawn before it, on
the subject that the log's own events give; and the events are those of a real table, as far as its
public log shows.

What it does not prove: that the hub never looked. A hub that rewrote its log is caught only if
someone else kept one of its heads. See ``docs/play/checking.md``.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from hub.audit import Audit
from hub.games.game import Game
from hub.games.story import Story
from hub.table import acts
from hub.table.records import Document, SceneSetup, tag_of
from hub.table.sealed import secret_digest
from hub.wire.log import GENESIS, Line, LogFault, OtherSchema, decode_line, in_one_form, line_hash


class Verdict(Struct, frozen=True):
    """The result of checking a log; it is sound if there are no ``problems``."""

    lines: int
    seals_opened: int
    seals_unopened: int
    """How many seals were taken back, dropped, undone, or are still sealed at the end of the
    log."""
    head: str
    """Hash of the last line."""
    problems: tuple[str, ...]
    """Every fault, with its line number; empty: no objection to the log."""
    table: str = ""
    taken_back: int = 0
    """How many seals were taken back, dropped or withdrawn. Only a seal's player
    knows who did it."""
    log: str = ""
    """The log's id; empty if the log does not begin with it."""
    heads: Mapping[int, str] = {}
    """Record number → hash of its line."""
    scene: int = 0
    """The scene in play at the end of the log; 0: none."""
    falls: int = 0
    """How many outcomes of chance were recomputed from the random bytes."""
    falls_unknown: int = 0
    """How many outcomes of chance were not recomputed, because their rules are unknown."""
    clock_sets: tuple[tuple[int, int], ...] = ()
    """The number of each line that corrects the hub's clock, and the correction (ms)."""


def verify_log(
    lines: Iterable[bytes],
    table: str = "",
    *,
    start: str = GENESIS,
    openings: Mapping[int, bytes] = {},
    games: Mapping[str, Game[Any]] | None = None,
    stories: Mapping[str, Story[Any]] | None = None,
    most_problems: int = 100,
) -> Verdict:
    """Check a log, line by line. ``table``: its name, if known.

    ``start`` is the ``prev`` required of the first line; GENESIS for a whole log. ``openings``: the
    secrets that some lines commit to, by record number. ``games``: rules to recompute the outcomes
    of chance, by ruleset id; ``stories``: rules to parse deeds. Without them nothing is judged by
    rules. The check stops after ``most_problems`` faults.

    Raises :class:`OtherSchema` for a log that begins in another schema.
    """
    audit = Audit(table, whole=start == GENESIS, games=games, stories=stories)
    checked = _Checked(audit, start, openings)
    count = 0
    for number, data in enumerate(lines, start=1):
        problems = checked.audit.problems
        if len(problems) >= most_problems:
            problems.append(f"line {number}: more than {most_problems} faults; stopped here")
            break
        count = number
        checked.hear(number, data)
    for seq in sorted(openings.keys() - checked.opened):
        audit.problems.append(f"record {seq}: it commits to nothing that could be opened")
    scene = audit.scene.number if audit.scene else 0
    audit.void()
    return Verdict(
        lines=count,
        seals_opened=audit.opened,
        seals_unopened=audit.unopened,
        head=checked.head,
        problems=tuple(audit.problems),
        table=audit.table,
        taken_back=audit.taken_back,
        log=audit.log,
        heads=checked.heads,
        scene=scene,
        falls=audit.falls,
        falls_unknown=audit.falls_unknown,
        clock_sets=tuple(audit.clock_sets),
    )


class _Checked:
    """Checks the form and the chain of a log, and passes its lines to the audit."""

    def __init__(self, audit: Audit, start: str, openings: Mapping[int, bytes]) -> None:
        self.head = start
        self.opened: set[int] = set()
        self.heads: dict[int, str] = {}
        self._openings = openings
        self.audit = audit
        self._whole = start == GENESIS
        self._seq: int | None = None

    def hear(self, number: int, data: bytes) -> None:
        try:
            line = decode_line(data)
        except LogFault as fault:
            if isinstance(fault, OtherSchema) and self._seq is None:
                raise
            self._blame(number, str(fault))
            return
        if line.prev != self.head:
            self._blame(number, "does not follow on the line before it")
        if self._seq is not None and line.seq != self._seq + 1:
            self._blame(number, f"seq {line.seq} follows seq {self._seq}")
        if self._seq is None and self._whole and line.seq != 1:
            self._blame(number, f"the log begins with seq {line.seq}, not 1")
        if not in_one_form(data, line):
            self._blame(number, "not in the one form in which a line is written")
        self._begin(number, line)
        self.head, self._seq = line_hash(data), line.seq
        self.heads[line.seq] = self.head
        self.audit.hear(number, line)
        if line.seq in self._openings:
            self._open(number, line)

    def _open(self, number: int, line: Line) -> None:
        event = line.event
        digest = getattr(event, "digest", "")
        if not digest or not issubclass(event.secret_type or object, Document):
            return
        self.opened.add(line.seq)
        secret, audit = self._openings[line.seq], self.audit
        if digest != secret_digest(audit.log, audit.table, line.seq, tag_of(event), secret):
            self._blame(number, "what was opened is not what it commits to")
        elif isinstance(event, acts.SceneStarted) and event.setup is not UNSET:
            setup = msgspec.json.decode(secret, type=SceneSetup)
            if event.setup != acts.open_setup(setup.game, setup.rulings):
                self._blame(number, "what was opened shows that the scene began otherwise")

    def _begin(self, number: int, line: Line) -> None:
        """Check that a log begins once, with its id."""
        begun = bool(self.audit.log) or not self._whole
        event = line.event
        if isinstance(event, acts.LogBegun):
            if begun:
                self._blame(number, "the log begins a second time")
            if self.audit.table not in {"", event.table}:
                self._blame(number, f"the log is of table {event.table}, not {self.audit.table}")
            self.audit.table = self.audit.table or event.table
        elif not begun:
            self._blame(number, "the log does not begin with log-begun, which names it")

    def _blame(self, number: int, what: str) -> None:
        self.audit.problems.append(f"line {number}: {what}")
