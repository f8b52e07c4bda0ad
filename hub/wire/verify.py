"""Checking a hub by its event log alone: is the log whole, and did every seal keep its word?

What it proves: no line was changed, dropped, added or moved between the first and the last, and
every card shown at a reveal is the one whose digest was published when it was sealed. What it does
not prove: that the hub never looked; and a hub that rewrote the *whole* log could only be caught
by somebody who kept a copy of a line or of the published head.
"""

from collections.abc import Iterable

from msgspec import Struct

from hub.table import records as r
from hub.table.sealed import SealPlace, seal_digest
from hub.wire.log import GENESIS, LogFault, decode_line, line_hash


class Verdict(Struct, frozen=True):
    """What a check found."""

    lines: int
    seals_opened: int
    seals_unopened: int
    """Taken back, dropped, undone, or still sealed at the end of the log."""
    head: str
    """Hash of the last line."""
    problems: tuple[str, ...]
    """Every fault, with its line number; empty: the log is sound."""


def verify_log(
    lines: Iterable[bytes], table: str, *, start: str = GENESIS, most_problems: int = 100
) -> Verdict:
    """Check a log, line by line, for the table named ``table``.

    ``start`` is what the first line must name as its predecessor; GENESIS for a whole log.
    """
    audit = _Audit(table)
    head, seq = start, None
    count = 0
    for number, data in enumerate(lines, start=1):
        if len(audit.problems) >= most_problems:
            audit.problems.append(f"line {number}: more than {most_problems} faults; stopped here")
            break
        count = number
        try:
            line = decode_line(data)
        except LogFault as fault:
            audit.problems.append(f"line {number}: {fault}")
            continue
        if line.prev != head:
            audit.problems.append(f"line {number}: does not follow on the line before it")
        if seq is not None and line.seq != seq + 1:
            audit.problems.append(f"line {number}: seq {line.seq} follows seq {seq}")
        if seq is None and start == GENESIS and line.seq != 1:
            audit.problems.append(f"line {number}: the log begins with seq {line.seq}, not 1")
        head, seq = line_hash(data), line.seq
        audit.hear(number, line.event)
    unopened = audit.unopened + len(audit.sealed)
    return Verdict(count, audit.opened, unopened, head, tuple(audit.problems))


class _Audit:
    """Follows the seals of a log."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.sealed: dict[str, r.Committed] = {}
        self.locked = False
        self.declared = False
        self.scene: int | None = None
        self.opened = 0
        self.unopened = 0
        self.problems: list[str] = []

    def hear(self, number: int, event: r.AnyEvent) -> None:
        match event:
            case r.Committed():
                self._commit(number, event)
            case r.TakenBack() | r.SealDropped():
                if self.locked:
                    self.problems.append(f"line {number}: a seal is undone after the lock")
                if self.sealed.pop(event.actor, None) is None:
                    self.problems.append(f"line {number}: {event.actor} had no seal to undo")
                self.unopened += 1
            case r.Locked():
                self.locked = True
            case r.Declared():
                self.declared = True
            case r.Revealed():
                self._reveal(number, event)
            case r.Undone() | r.SceneEnded() | r.SceneStarted():
                self.unopened += len(self.sealed)
                self._begin()
                if isinstance(event, r.SceneStarted):
                    self.scene = event.scene
            case _:
                pass

    def _begin(self) -> None:
        """A phase begins in which nothing is sealed yet."""
        self.sealed = {}
        self.locked = self.declared = False

    def _commit(self, number: int, event: r.Committed) -> None:
        earlier = {seal.phase for seal in self.sealed.values()} - {event.phase}
        if earlier and self.declared:  # the declaration led to another phase: seals are void
            self.unopened += len(self.sealed)
            self._begin()
        elif earlier:
            self.problems.append(f"line {number}: {event.actor} commits in another phase")
        if self.scene not in {None, event.scene}:
            self.problems.append(f"line {number}: {event.actor} commits in another scene")
        if self.locked:
            self.problems.append(f"line {number}: {event.actor} commits after the lock")
        if event.actor in self.sealed:
            self.problems.append(f"line {number}: {event.actor} commits twice")
        self.sealed[event.actor] = event

    def _reveal(self, number: int, event: r.Revealed) -> None:
        if not self.locked:
            self.problems.append(f"line {number}: a reveal before everybody was locked")
        if event.openings.keys() != self.sealed.keys():
            self.problems.append(f"line {number}: the reveal does not open exactly what was sealed")
        for actor, opening in event.openings.items():
            seal = self.sealed.get(actor)
            if seal is None:
                continue
            place = SealPlace(self.table, seal.scene, seal.turn, seal.phase, seal.seat)
            try:
                digest = seal_digest(place, opening)
            except ValueError as error:
                self.problems.append(f"line {number}: {actor}'s opening is malformed: {error}")
                continue
            if digest != seal.digest:
                self.problems.append(
                    f"line {number}: {actor}'s card is not the one that was sealed"
                )
            self.opened += 1
        self._begin()
