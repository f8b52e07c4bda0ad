"""Checking a hub by its event log alone: is the log whole, and did every seal keep its word?

What it proves: no line was changed, dropped, added or moved between the first and the last, and
every card shown at a reveal is the one whose digest was published when it was sealed. What it does
not prove: that the hub never looked; and a hub that rewrote the *whole* log could only be caught
by somebody who kept a copy of a line or of the published head.
"""

from collections.abc import Iterable, Mapping, Sized

from msgspec import Struct

from hub.table import records as r
from hub.table.sealed import CHANCE, Opening, SealPlace, seal_digest
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
    audit.void()
    return Verdict(count, audit.opened, audit.unopened, head, tuple(audit.problems))


_Seal = r.Committed | r.SetBeside


class _Audit:
    """Follows the seals of a log."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.sealed: dict[str, list[_Seal]] = {}
        self.beside: dict[str, list[_Seal]] = {}
        self.chance: r.ChanceSealed | None = None
        self.locked = False
        self.declared = False
        self.scene: int | None = None
        self.opened = 0
        self.unopened = 0
        self.problems: list[str] = []

    def hear(self, number: int, event: r.AnyEvent) -> None:
        match event:
            case r.Committed() | r.SetBeside():
                self._commit(number, event)
            case r.TakenBack() | r.SealDropped():
                self._undo(number, event.actor, self.sealed)
            case r.Withdrawn():
                self._undo(number, event.actor, self.beside, event.digest)
            case r.ChanceSealed():
                if self.chance and not self.declared:
                    self.problems.append(f"line {number}: chance is drawn a second time")
                self.chance = event
            case r.Decided(chance=chance) if chance:
                self._show_chance(number, chance)
            case r.Locked():
                self.locked = True
            case r.Declared():
                self.declared = True
            case r.Revealed():
                self._reveal(number, event)
            case r.Undone() | r.SceneEnded() | r.SceneStarted():
                self.void()
                self.chance = None
                if isinstance(event, r.SceneStarted):
                    self.scene = event.scene
            case _:
                pass

    def void(self) -> None:
        """Whatever is sealed will not be opened."""
        self.unopened += len(self._seals())
        self._begin()

    def _seals(self) -> list[_Seal]:
        return [seal for seals in (*self.sealed.values(), *self.beside.values()) for seal in seals]

    def _begin(self) -> None:
        """A phase begins in which nothing is sealed yet."""
        self.sealed, self.beside = {}, {}
        self.locked = self.declared = False

    def _undo(
        self, number: int, actor: str, sealed: dict[str, list[_Seal]], digest: str = ""
    ) -> None:
        """The seal of an actor is undone; ``digest`` says which where there may be several."""
        if self.locked:
            self.problems.append(f"line {number}: a seal is undone after the lock")
        seals = sealed.pop(actor, [])
        stay = [seal for seal in seals if digest not in {"", seal.digest}]
        if len(stay) == len(seals):
            self.problems.append(f"line {number}: {actor} had no seal to undo")
        if stay:
            sealed[actor] = stay
        self.unopened += 1

    def _commit(self, number: int, event: _Seal) -> None:
        phases = {seal.phase for seal in self._seals()}
        if phases - {event.phase} and self.declared:  # it led to another phase: seals are void
            self.void()
        elif phases - {event.phase}:
            self.problems.append(f"line {number}: {event.actor} commits in another phase")
        if self.scene not in {None, event.scene}:
            self.problems.append(f"line {number}: {event.actor} commits in another scene")
        if self.locked:
            self.problems.append(f"line {number}: {event.actor} commits after the lock")
        if isinstance(event, r.SetBeside):
            self.beside.setdefault(event.actor, []).append(event)
            return
        if event.actor in self.sealed:
            self.problems.append(f"line {number}: {event.actor} commits twice")
        self.sealed[event.actor] = [event]

    def _reveal(self, number: int, event: r.Revealed) -> None:
        phases = {seal.phase for seal in self._seals()}
        if not self.locked:
            self.problems.append(f"line {number}: a reveal before everybody was locked")
        one_each = {actor: (opening,) for actor, opening in event.openings.items()}
        for sealed, opened in ((self.sealed, one_each), (self.beside, event.beside)):
            if _counts(sealed) != _counts(opened):
                self.problems.append(
                    f"line {number}: the reveal does not open exactly what was sealed"
                )
            for actor, openings in opened.items():
                for seal, opening in zip(sealed.get(actor, ()), openings, strict=False):
                    self._open(number, actor, seal, opening)
        if event.chance:
            self._show_chance(number, event.chance)
        elif self.chance and self.chance.phase in phases:
            self.problems.append(f"line {number}: the chance that was drawn is not shown")
            self.chance = None
        self._begin()

    def _open(self, number: int, actor: str, seal: _Seal, opening: Opening) -> None:
        place = SealPlace(self.table, seal.scene, seal.turn, seal.phase, seal.seat)
        try:
            digest = seal_digest(place, opening)
        except ValueError as error:
            self.problems.append(f"line {number}: {actor}'s opening is malformed: {error}")
            return
        if digest != seal.digest:
            self.problems.append(f"line {number}: {actor}'s card is not the one that was sealed")
        self.opened += 1

    def _show_chance(self, number: int, shown: str) -> None:
        drawn, self.chance = self.chance, None
        if drawn is None:
            self.problems.append(f"line {number}: chance is shown that was never drawn")
            return
        place = SealPlace(self.table, drawn.scene, drawn.turn, drawn.phase, "")
        try:
            digest = seal_digest(place, Opening(shown, CHANCE))
        except ValueError as error:
            self.problems.append(f"line {number}: the chance that is shown is malformed: {error}")
            return
        if digest != drawn.digest:
            self.problems.append(f"line {number}: chance is not the one that was drawn")


def _counts(by_actor: Mapping[str, Sized]) -> dict[str, int]:
    return {actor: len(items) for actor, items in by_actor.items()}
