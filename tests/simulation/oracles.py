"""The promises that every life has to keep, judged from outside: by the fields, the disk, the log.

The hub's own view of a card is not trusted: a field knows which cards lay in it and which looks saw
them, and the disk knows which rows are stored.
"""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec
from msgspec import Struct, field

from hub.audit.verify import verify_log
from hub.games.registry import rulebooks
from hub.journal import JournalRows
from hub.ports import FieldSeen, JournalError, ReaderDown, ReaderEvent
from hub.readers.supervisor import Supervisor
from hub.table.records import Document
from hub.table.spots import Sight
from hub.table.state import HubMisuse, TableState
from hub.wire.log import LogFault, Row, decode_line
from hub.wire.played import played
from hub.wire.snapshot import freeze
from tests.simulation.disk import BUSY_PAUSE_S
from tests.simulation.readers import Spot
from tests.simulation.room import broken_chain

if TYPE_CHECKING:
    from tests.simulation.life import Life

DWELL_S = 0.3
ALONE_S = 1.0
"""A card that two readers heard is sealed once only one has heard it for so long."""
CALM_S, HASTY_S = 0.3, 30.0
"""How old the rest that leads to a seal may be: usually, and while something is slow."""
GONE_S = 0.15
"""For how long a card may be gone when it is locked: the time of a look, and of the disk."""
BACK_S = 5.0
"""How long a reader may be shown as lost that answers again: the longest pause between attempts."""
STALLED_S = 1.6
"""How long the journal may be locked until the table says so."""
_EXACT_S = 1e-6
_OF_ALL_SEALS = frozenset({"undone", "scene-ended", "scene-called-off", "scene-reopened"})
_DOCUMENTS = msgspec.json.Decoder(dict[str, Any])


class Told(Struct):
    """A reader's report, as handed over, and whether the looks bear it out."""

    at_s: float
    event: ReaderEvent
    is_rest: bool = False


class Lain(Struct):
    """A seal of a card on a reader."""

    seat: str
    tag: str
    at_s: float
    boot: int


class Watched(Struct):
    """A seat's reader, as its reports tell."""

    told: list[Told] = field(default_factory=list)
    lost_s: float = -1.0
    """When it was last reported as lost."""


class Oracles:
    """Judges one life."""

    def __init__(self, life: "Life") -> None:
        self.life = life
        self.spots: dict[str, Spot] = life.spots
        self.watched = {seat: Watched() for seat in life.spots}
        self.calm_s = 0.0
        """Until when the disk, the loop or a reader counts as slow."""
        self.may_end_s = 0.0
        """Until when a fault of the disk may end a hub."""
        self.is_replaced = False
        """Whether the running hub's files were replaced."""
        self._refused = False
        self._seals: dict[str, Lain] = {}
        self._upset_s = 0.0
        """When play last paused, or a reader was last lost."""
        self._locked: tuple[float, int] | None = None
        self._last_lock_s = 0.0
        self._is_locked = False
        self._stall = 0.0, 0.0
        """From when and until when the hub waits for its disk."""
        self._up_s: float | None = None
        self._folded: tuple[int, bytes | None, TableState | None] = 0, None, None
        """A state that a journal was folded to, and the last line of it."""

    # Events

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Hear what each reader reports, before the hub does."""
        whole = Supervisor.open

        def open_(supervisor: Supervisor, sink: Any) -> None:
            watched, spot = self.watched[supervisor.name], self.spots[supervisor.name]

            def hear(event: ReaderEvent) -> None:
                if not self.life.machine.off:
                    self._hear(watched, spot, event)
                sink(event)

            whole(supervisor, hear)

        with patch.object(Supervisor, "open", open_):
            yield

    def _hear(self, watched: Watched, spot: Spot, event: ReaderEvent) -> None:
        told = Told(self.life.loop.time(), event)
        if isinstance(event, FieldSeen) and event.sight is Sight.RESTED:
            told.is_rest = spot.has_rested(event.tags, DWELL_S)
        if isinstance(event, ReaderDown):
            watched.lost_s = self._upset_s = told.at_s
        watched.told.append(told)

    def began(self) -> None:
        """A hub is up."""
        self._up_s = self.life.loop.time()
        self.is_replaced = False
        for watched in self.watched.values():
            watched.told.clear()
        self._same_as_journal("the hub starts with")

    def ends(self) -> None:
        """A hub is about to end."""
        if self._up_s is not None:
            self._same_as_journal("the hub ends with")

    def gives_up(self, why: BaseException | None) -> None:
        """A hub has ended by itself. Rows that its disk refused must not turn up later."""
        by_disk = isinstance(why, JournalError) and not self.life.disk.died
        self._refused = by_disk and not self.is_replaced

    def finds(self, new: list[int]) -> None:
        """A hub is about to start, and finds rows of which no commit is known to have ended."""
        if self._refused and new:
            self.life.find(f"record {new[0]} was refused by the disk, and is found at the start")
        self._refused = False

    def ended(self) -> None:
        """No hub runs."""
        self._up_s, self._locked = None, None

    def slow_for(self, seconds: float) -> None:
        """Something is slow for so long."""
        self.calm_s = max(self.calm_s, self.life.loop.time() + seconds + 2)

    def may_end_for(self, seconds: float) -> None:
        """The disk may fail for good within this time."""
        # A sync that fails may have begun before, and be told after a stall.
        self.may_end_s = max(self.may_end_s, self.life.loop.time() + seconds + 10)

    def disk_pauses(self, seconds: float) -> None:
        """The hub waits for its disk, or for a program that has locked the journal."""
        now_s = self.life.loop.time()
        was_locked, self._is_locked = self._is_locked, seconds == BUSY_PAUSE_S
        if not (was_locked and self._is_locked and now_s <= self._stall[1] + _EXACT_S):
            self._stall = now_s, now_s
        self._stall = self._stall[0], now_s + seconds

    # Stored rows

    def stored(self, seq: int, line: bytes, secret: bytes | None) -> None:
        """Judge a row that is on the disk now for the first time."""
        said = _DOCUMENTS.decode(line)
        kind, now_s, life = said["type"], self.life.loop.time(), self.life
        if kind in {"committed", "set-beside"} and secret is not None:
            if tag := _DOCUMENTS.decode(secret).get("tag"):
                life.outcome.reached["seals of cards"] += 1
                self._see_seal(seq, said["seat"], tag)
                if kind == "committed":  # a card beside the step is tapped, and lifted
                    self._seals[said["digest"]] = Lain(said["seat"], tag, now_s, life.boots)
        elif kind == "reader-lost":
            self._see_lost(seq, said["seat"])
        elif kind == "locked":
            self._see_lock(seq, said["digests"])
            late = now_s < self.calm_s  # it may have been judged long before it was stored
            self._last_lock_s = 0.0 if late else now_s
            self._locked = None if late or self._up_s is None else (now_s, life.boots)
        elif kind == "revealed":
            self._see_reveal(seq)
        elif kind in {"paused", "resumed", "clock-set"} or kind in _OF_ALL_SEALS:
            self._upset_s = now_s
            if kind != "clock-set":
                self._locked = None

    def _see_seal(self, seq: int, seat: str, tag: str) -> None:
        """A card is sealed only after it lay still in its field, and was heard in no other."""
        life, now_s = self.life, self.life.loop.time()
        oldest_s = now_s - (HASTY_S if now_s < self.calm_s else CALM_S)
        rests = [
            told
            for told in self.watched[seat].told
            if told.is_rest and told.at_s >= oldest_s and tag in told.event.tags
        ]
        if not rests:
            life.find(f"record {seq} seals a card that has not lain at {seat} for {DWELL_S} s")
            return
        if self.spots[seat].lies_since(tag) < self._last_lock_s:
            life.find(f"record {seq} seals a card that was left at {seat} before the last lock")
        if self.life.table.owner(tag) not in {"", seat}:
            life.find(f"record {seq} seals a card of {self.life.table.owner(tag)}'s at {seat}")
        if self.life.table.owner(tag) == seat or now_s < self.calm_s:
            return
        for other, watched in self.watched.items():
            if other != seat and heard(watched.told, tag, rests[-1].at_s):
                life.find(f"record {seq} seals a card at {seat} that {other} hears, too")

    def _see_lost(self, seq: int, seat: str) -> None:
        spot, now_s = self.spots[seat], self.life.loop.time()
        oldest_s = now_s - (HASTY_S if now_s < self.calm_s else 2.0)
        if spot.gone_s < oldest_s:
            self.life.find(f"record {seq} says that {seat}'s reader is lost, which answers")

    def _see_lock(self, seq: int, digests: list[str]) -> None:
        """A card that is locked lies in its field, unless no look could have seen its lifting."""
        now_s, life = self.life.loop.time(), self.life
        if now_s < self.calm_s:
            return
        for digest in digests:
            lain = self._seals.get(digest)
            if lain is None or lain.boot != life.boots or lain.at_s <= self._upset_s:
                continue
            gone_s = self.spots[lain.seat].gone_for(lain.tag, now_s)
            if gone_s > GONE_S:
                life.find(f"record {seq} locks a card that was lifted {gone_s:.3f} s ago")

    def _see_reveal(self, seq: int) -> None:
        if self._locked is None:
            return
        at_s, boot = self._locked
        waited_s, delay_s = self.life.loop.time() - at_s, self.life.table.reveal_delay_s
        if boot == self.life.boots and waited_s < delay_s - 0.05:
            self.life.find(f"record {seq} reveals {waited_s:.3f} s after the lock, not {delay_s} s")

    # From time to time

    def look(self) -> None:
        """Judge what is shown now."""
        room, now_s = self.life.room, self.life.loop.time()
        if room.view is None or self._up_s is None:
            return
        since_s, until_s = self._stall
        stalls = self._up_s < since_s < now_s - STALLED_S and now_s < until_s
        if stalls and not room.stalled:
            self.life.find(f"the journal stands still for {now_s - since_s:.1f} s, unsaid")
        if now_s < max(self.calm_s, self._up_s) + BACK_S:
            return
        for seat in room.runner.state.lost:
            spot = self.spots[seat]
            lost_s = max(spot.gone_s, self.watched[seat].lost_s)
            if spot.plugged and spot.answered_s > lost_s and now_s > lost_s + 2 * BACK_S:
                self.life.find(f"{seat}'s reader answers, and is still shown as lost")

    def may_end(self, why: BaseException) -> bool:
        """Whether a hub that ran may have ended by itself with this error."""
        may = self.is_replaced or self.life.loop.time() < self.may_end_s
        return may and isinstance(why, JournalError)

    # The journal

    def _same_as_journal(self, what: str) -> None:
        """The hub's state is what the journal folds to, and everything told is in it."""
        life = self.life
        state = life.room.runner.state
        live, folded = freeze(state), None
        try:
            with JournalRows.read(life.folder / "journal.db") as reader:
                lines = {row.seq: row.line for row in reader.unchecked()}
                seq, line, after = self._folded
                if lines.get(seq) != line or seq > state.seq:
                    seq, after = 0, None
                rows = reader.rows(seq) if seq < state.seq else ()
                for *_, folds in played(rows, "test", rulebooks(), after):
                    after = folds
                    if after.seq == state.seq:
                        break
                if after is not None and after.seq == state.seq:
                    folded = freeze(after)
                    self._folded = state.seq, lines[state.seq], after
        except (JournalError, LogFault, HubMisuse) as error:
            life.find(f"the journal cannot be read: {error}")
            return
        if state.seq and folded != live:
            life.find(f"{what} another state than the journal folds to")
        self._look_for_told(lines)

    def _look_for_told(self, lines: dict[int, bytes]) -> None:
        for seq, line in self.life.room.told.items():
            if lines.get(seq) != line:
                self.life.find(f"record {seq} was told, and is not in the journal")
                return

    def judge_the_end(self) -> None:
        """Judge the journal that the last hub left behind."""
        try:
            with JournalRows.read(self.life.folder / "journal.db") as reader:
                rows = [*reader.rows()]
        except (JournalError, LogFault) as error:
            self.life.find(f"the journal cannot be read: {error}")
            return
        lines = {row.seq: row.line for row in rows}
        if why := broken_chain(lines) or unsound(rows):
            self.life.find(why)
        self._look_for_told(lines)


def heard(told: list[Told], tag: str, at_s: float) -> bool:
    """Whether a reader has reported this tag shortly before, or still does."""
    lies, left_s = False, -1.0
    for each in told:
        if each.at_s > at_s - 0.05:
            break
        if isinstance(each.event, FieldSeen):
            if lies and tag not in each.event.tags:
                left_s = each.at_s
            lies = tag in each.event.tags
        elif isinstance(each.event, ReaderDown):
            lies, left_s = False, -1.0
    return lies or 0 <= at_s - left_s < ALONE_S - 0.1


def unsound(rows: list[Row]) -> str:
    """Why the independent verifier does not accept a log; empty if it does."""
    books = rulebooks()
    opened, nonces = {}, set()
    for row in rows:
        if row.secret is None:
            continue
        kind = decode_line(row.line).event.secret_type
        if isinstance(kind, type) and issubclass(kind, Document):
            opened[row.seq] = row.secret
        secret = _DOCUMENTS.decode(row.secret)
        nonce = secret.get("nonce") or secret.get("salt")
        if nonce in nonces:
            return f"record {row.seq} uses a nonce for the second time"
        nonces.add(nonce)
    lines = (row.line for row in rows)
    verdict = verify_log(lines, "test", openings=opened, games=books.games, stories=books.stories)
    return f"the log is not sound: {verdict.problems[0]}" if verdict.problems else ""
