"""Faults of the hub, planted one by one, which the simulation has to find.

Most were once found from outside; the others are similar. A plant patches the running program; the
hub has no switch for it.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.daemon import clock, inbox, parts, reports, runner, serve, snapshots
from hub.daemon.journal_retry import JournalRetry
from hub.daemon.repeats import DoneCommands
from hub.journal import journal, marks
from hub.journal.files import Watch
from hub.mqtt.keeper import Keeper
from hub.mqtt.outbox import EventCursor, Retained
from hub.mqtt.publisher import MqttPublisher
from hub.ports import FieldSeen, Hindrance, JournalError
from hub.readers.driver import Driver
from hub.readers.presence import Presence
from hub.table import transaction
from hub.table.acts import commit, field, reveal, undo
from hub.table.fold import fold, with_scene
from hub.table.records import Record
from hub.table.spots import Sight
from hub.wire import log
from tests.simulation import plan
from tests.simulation.life import limits, live
from tests.simulation.plan import Decision, Plan

if TYPE_CHECKING:
    from tests.simulation.life import Life

RESTARTS = ("kill", "power-cut", "stop", "power-at", "kill-at", "lose-wal")


class Plant(Struct, frozen=True):
    """A fault, and the plans in which it may show."""

    what: str
    """The fault, in one line."""
    plant: Callable[["Life"], object]
    needs: Sequence[Sequence[str]] = ()
    """Groups of decisions: the plan has one of each group, in this order."""
    within_s: float = inf
    """How soon each of them has to follow."""
    limit: str = ""
    """A limit of the hub that has to be lowered; see :func:`tests.simulation.life.limits`."""
    mqtt: bool = False

    def may_show_in(self, plan: Plan) -> bool:
        """Whether a plan has what the fault needs."""
        if self.limit and self.limit not in limits(plan.seed):
            return False
        return _have(plan.decisions, self.needs, self.within_s)


def _have(decisions: Sequence[Decision], needs: Sequence[Sequence[str]], within_s: float) -> bool:
    if not needs:
        return True
    return any(
        _have(
            [d for d in decisions[at + 1 :] if d.at_s <= each.at_s + within_s], needs[1:], within_s
        )
        for at, each in enumerate(decisions)
        if each.kind in needs[0]
    )


def _patch(life: "Life", owner: Any, name: str, new: Any) -> None:
    life.planted.enter_context(patch.object(owner, name, new))


def _wrap(life: "Life", owner: Any, name: str, around: Callable[..., Any]) -> None:
    """Replace a function by ``around``, which is given the old one first."""
    whole = getattr(owner, name)
    _patch(life, owner, name, lambda *given, **named: around(whole, *given, **named))


# Cards and readers


def _late_look(life: "Life") -> None:
    _wrap(
        life, Presence, "see", lambda see, field, look: see(field, look._replace(until=look.since))
    )


def _failed_look_sees(life: "Life") -> None:
    _patch(life, Presence, "disturbed", lambda field: [])


def _one_failure_loses(life: "Life") -> None:
    def mend(driver: Driver) -> None:
        raise OSError("it did not answer")

    _patch(life, Driver, "mend", mend)


def _two_readers(life: "Life") -> None:
    _patch(life, field, "is_heard_elsewhere", lambda *_: False)


def _anybodys(life: "Life") -> None:
    _wrap(life, serve, "owners", lambda owners, config: {})


def _lost_lift(life: "Life") -> None:
    def report(whole: Any, box: inbox.Inbox, event: Any) -> None:
        if not (isinstance(event, FieldSeen) and not event.tags and event.sight is Sight.NEW):
            whole(box, event)

    _wrap(life, inbox.Inbox, "report", report)


def _doubt_ignored(life: "Life") -> None:
    _wrap(
        life,
        field.FieldChanged,
        "judge",
        lambda judge, given, about: None if given.sight is Sight.DOUBTFUL else judge(given, about),
    )


def _no_fresh_looks(life: "Life") -> None:
    async def none(readers: Any) -> None:
        pass

    _patch(life, serve, "fresh_looks", none)


def _dwell_goes_on(life: "Life") -> None:
    """A card that replaces another continues the dwell of the first."""

    def see(whole: Any, seen: Presence, look: Any) -> list[Sight]:
        since = seen._since
        told: list[Sight] = whole(seen, look)
        if Sight.NEW in told and since is not None and seen.content:
            seen._since = since
        return told

    _wrap(life, Presence, "see", see)


def _stuck_lost(life: "Life") -> None:
    _patch(life, reports, "ReaderFound", lambda seat: reports.SeatReaderTroubled(seat, 0, 0))


# Seals


def _drop_seal(life: "Life") -> None:
    _patch(life, commit.SealDropped, "fold", lambda event, state, record: state)


def _swapped_openings(life: "Life") -> None:
    """The reveal shows each actor's card as the next one's."""

    def emit(whole: Any, about: Any, event: Any, secret: Any = None) -> None:
        if isinstance(event, reveal.Revealed) and len(event.openings) > 1:
            shown = [*event.openings.values()]
            event = replace(
                event, openings=dict(zip(event.openings, shown[1:] + shown[:1], strict=True))
            )
        whole(about, event, secret)

    _wrap(life, transaction.Transaction, "emit", emit)


def _same_nonce(life: "Life") -> None:
    _patch(life, transaction.Transaction, "nonce", lambda about: "5" * 64)


def _beside_turned(life: "Life") -> None:
    def restored(whole: Any, *given: Any, **named: Any) -> Any:
        found = whole(*given, **named)
        scene = found.state.scene
        if scene is None or not scene.beside:
            return found
        turned = {actor: lie[::-1] for actor, lie in reversed(scene.beside.items())}
        return replace(found, state=with_scene(found.state, beside=turned))

    _wrap(life, serve, "restore", restored)


def _double_press(life: "Life") -> None:
    _patch(life, DoneCommands, "seq", lambda done, key: None)


def _double_press_after_restart(life: "Life") -> None:
    _patch(life, journal.SqliteJournal, "done", lambda kept: {})


def _undo_live(life: "Life") -> None:
    """An undo keeps, in the running hub alone, the number of the phase."""

    def folded(state: Any, record: Record) -> Any:
        after = fold(state, record)
        if isinstance(record.event, undo.Undone):
            return with_scene(after, phase_no=after.scene.phase_no - 1)
        return after

    _patch(life, transaction, "fold", folded)


def _lossy(life: "Life") -> None:
    """A seal's card is not written, and the running hub folds the record in its hand."""

    def encode(whole: Any, record: Record, prev: str) -> Any:
        row = whole(record, prev)
        if row.secret and b'"tag"' in row.secret:
            secret = msgspec.json.decode(row.secret)
            del secret["tag"]
            return replace(row, secret=msgspec.json.encode(secret))
        return row

    def called(scribe: log.Scribe, record: Record) -> Record:
        row = log.encode_record(record, scribe.head)
        scribe.rows.append(row)
        scribe.head = log.line_hash(row.line)
        return record

    _wrap(life, log, "encode_record", encode)
    _patch(life, log.Scribe, "__call__", called)


# The disk


def _told_at_once(kind: bytes) -> Callable[["Life"], None]:
    """Rows of this kind are not waited for."""

    def plant(life: "Life") -> None:
        def store(whole: Any, retry: JournalRetry, rows: Any, once: str) -> Any:
            storing = whole(retry, rows, once)
            if storing is not None and any(b'"type":"%b"' % kind in row.line for row in rows):
                storing.close()
                return None
            return storing

        _wrap(life, JournalRetry, "store", store)

    return plant


def _half_synced(life: "Life") -> None:
    def begun(whole: Any, kept: journal.SqliteJournal) -> None:
        kept._db.execute("PRAGMA synchronous = NORMAL")
        whole(kept)

    _wrap(life, journal.SqliteJournal, "_store_what_is_read", begun)


def _done_before_commit(life: "Life") -> None:
    """The table goes on as soon as only the sync is left."""

    def let_go(job: Any) -> None:
        job._is_done = True
        job._news.put(None)

    _patch(life, parts._Job, "let_go", let_go)


def _no_retry(life: "Life") -> None:
    async def fault(whole: Any, retry: JournalRetry, storing: Any) -> None:
        found = await whole(retry, storing)
        return None if found is not None and found.hindrance is Hindrance.FULL else found

    _wrap(life, JournalRetry, "_fault", fault)


def _mark_first(life: "Life") -> None:
    def append(whole: Any, kept: Any, rows: Any, *given: Any) -> None:
        if kept._mark is not None and rows:
            kept._mark.note(rows[-1].seq, log.line_hash(rows[-1].line))
        whole(kept, rows, *given)

    _wrap(life, journal.SqliteJournal, "append", append)


def _no_watch(life: "Life") -> None:
    for name in ("begin", "check", "note"):
        _patch(life, Watch, name, lambda watch: None)


def _no_mark(life: "Life") -> None:
    _patch(life, journal, "missing", lambda *_: None)


def _impatient(life: "Life") -> None:
    """SQLite does not wait for another program's lock."""
    from hub.journal import rows

    _patch(life, rows, "_BUSY_S", 0.0)


def _not_said(life: "Life") -> None:
    _patch(life, JournalRetry, "_take_long", lambda retry: None)


def _half_snapshot(life: "Life") -> None:
    """A snapshot is written in two pieces, and read without its checksum."""

    def written(path: Any, snapshot: Any, disk: Any) -> None:
        import os

        content = msgspec.msgpack.encode(snapshot)
        file = disk.open(marks.snapshot_at(path), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        disk.write(file, content[: len(content) // 2])
        life.machine.sleep(0.3)
        disk.write(file, content[len(content) // 2 :])
        disk.close(file)

    def read(path: Any, version: str) -> Any:
        try:
            content = marks.snapshot_at(path).read_bytes()
        except FileNotFoundError:
            return None
        try:
            return msgspec.msgpack.decode(content, type=marks.Snapshot)
        except msgspec.MsgspecError as error:
            raise JournalError(f"the snapshot cannot be read: {error}") from None

    _patch(life, journal, "write_snapshot", written)
    _patch(life, journal, "read_snapshot", read)


def _early_snapshot(life: "Life") -> None:
    """A snapshot has the state before its row."""

    def note(whole: Any, taking: Any, state: Any) -> None:
        before, life.__dict__["before"] = life.__dict__.get("before", state), state
        if taking._taken is None and state.seq >= taking._last + snapshots.EVERY:
            whole(taking, replace(before, seq=state.seq, at_ms=state.at_ms))
        else:
            whole(taking, state)

    _wrap(life, snapshots.Snapshots, "note", note)


def _not_stored_again(life: "Life") -> None:
    _patch(life, journal.SqliteJournal, "_store_what_is_read", lambda kept: None)


def _not_begun(life: "Life") -> None:
    _patch(life, journal, "was_begun", lambda path: False)


def _disk_not_tried(life: "Life") -> None:
    _patch(life, journal.SqliteJournal, "_try_the_disk", lambda kept: None)


def _failed_commit_stays(life: "Life") -> None:
    _patch(life, journal, "_COUNTING_FAILURE", "SELECT 1")


# Time


def _clock_follows(life: "Life") -> None:
    _patch(life, clock.SteadyClock, "now_ms", lambda steady: steady._system_ms())


def _clock_unset(life: "Life") -> None:
    """Due times do not move along with a clock that is set."""
    _patch(life, clock.SteadyClock, "move", lambda steady, by_ms: None)


def _no_tick(life: "Life") -> None:
    """Events that fell due while the hub was down do not happen at its start."""
    _wrap(
        life,
        runner,
        "next_due",
        lambda due, state, desk: (
            None if state.scene and state.scene.deadline_ms else due(state, desk)
        ),
    )


def _old_retained(life: "Life") -> None:
    def changed(whole: Any, retained: Retained, told: Any) -> Any:
        found = whole(retained, told)
        first = not hasattr(retained, "_began")
        retained._began = True  # type: ignore[attr-defined]
        life.outcome.reached["connections"] += first
        return [] if first and life.outcome.reached["connections"] > 2 else found

    _wrap(life, Retained, "changed", changed)
    _wrap(life, Keeper, "due", lambda *_: ())


def _hanging_broker(life: "Life") -> None:
    _patch(life, parts, "CLOSE_S", 20.0)
    _patch(life, MqttPublisher, "leave_s", 20.0)


def _published_early(life: "Life") -> None:
    def store(whole: Any, retry: Any, rows: Any, once: str) -> Any:
        runner = life.room.runner if life.room.stage is not None else None
        if runner is not None and rows:
            runner._tail.extend(rows)
            for hear in runner._log_listeners:
                hear(rows[-1].seq)
            for _ in rows:
                runner._tail.pop()
        return whole(retry, rows, once)

    _wrap(life, JournalRetry, "store", store)


def _acks_not_awaited(life: "Life") -> None:
    _wrap(life, EventCursor, "lost", lambda *_: None)


PLANTS: dict[str, Plant] = {
    "late-look": Plant(
        "a look counts as having seen a card until its end", _late_look, [["slow-reader"]]
    ),
    "failed-look-sees": Plant(
        "a look that fails counts as one that saw the card", _failed_look_sees, [["noise"]]
    ),
    "one-failure-loses": Plant(
        "a reader that misses one command is lost", _one_failure_loses, [["noise"]]
    ),
    "two-readers": Plant("a tag that two readers hear is sealed", _two_readers, [["near"]]),
    "anybodys": Plant("a seat's card plays at another seat", _anybodys, [["borrow", "near"]]),
    "lost-lift": Plant(
        "a lifted card is not reported", _lost_lift, [["lift", "short", "slip", "again"]]
    ),
    "doubt-ignored": Plant(
        "a lock does not wait for a card in doubt", _doubt_ignored, [["last-moment", "sneak"]]
    ),
    "no-fresh-looks": Plant(
        "a command locks cards at which no reader has just looked", _no_fresh_looks, [["sneak"]]
    ),
    "dwell-goes-on": Plant(
        "a swapped card goes on with the dwell of the one before", _dwell_goes_on, [["swap", "two"]]
    ),
    "stuck-lost": Plant(
        "a reader that answers again stays lost", _stuck_lost, [["unplug", "hang"]]
    ),
    "drop-seal": Plant("a dropped seal stays", _drop_seal, [["drop"]]),
    "swapped-openings": Plant("a reveal swaps the cards of two actors", _swapped_openings),
    "same-nonce": Plant("a nonce is used twice", _same_nonce),
    "beside-turned": Plant(
        "cards beside a step lie in another order after a restart",
        _beside_turned,
        [["beside"], RESTARTS],
        within_s=3.0,
    ),
    "double-press": Plant("a command that comes twice is done twice", _double_press, [["page"]]),
    "double-press-later": Plant(
        "a restarted hub does a command a second time",
        _double_press_after_restart,
        [["page"], RESTARTS, ["press-again"]],
    ),
    "undo-live": Plant("the live state after an undo is another one", _undo_live, [["undo"]]),
    "lossy": Plant("the live state has what was not written", _lossy),
    "locked-early": Plant(
        "a lock is told before it is stored", _told_at_once(b"locked"), [["slow-disk"]]
    ),
    "revealed-early": Plant(
        "a reveal is told before it is stored", _told_at_once(b"revealed"), [["slow-disk"]]
    ),
    "half-synced": Plant("a commit is not synced", _half_synced, [["power-cut", "power-at"]]),
    "done-before-commit": Plant(
        "the table goes on before the commit", _done_before_commit, [["slow-disk", "stall-disk"]]
    ),
    "no-retry": Plant("what a full disk refuses is not stored later", _no_retry, [["full"]]),
    "mark-first": Plant(
        "the mark says that a line was told before it is stored",
        _mark_first,
        [["failing-sync", "full", "stall-disk", "power-at"]],
    ),
    "no-watch": Plant("a hub writes on to a replaced journal", _no_watch, [["replace-journal"]]),
    "no-mark": Plant("a journal without its -wal file is believed", _no_mark, [["lose-wal"]]),
    "impatient": Plant(
        "a hub ends when another program locks its journal", _impatient, [["lock-journal"]]
    ),
    "not-said": Plant("a locked journal is not said", _not_said, [["lock-journal"]]),
    "half-snapshot": Plant(
        "a snapshot is written in two pieces, and not checked",
        _half_snapshot,
        [RESTARTS],
        limit="snapshots",
    ),
    "early-snapshot": Plant(
        "a snapshot lacks its last row", _early_snapshot, [RESTARTS], limit="snapshots"
    ),
    "not-stored-again": Plant(
        "rows that no sync has stored are shown after a start",
        _not_stored_again,
        [["kill-at"], ["power-cut", "power-at"]],
    ),
    "not-begun": Plant(
        "a journal whose first start was interrupted is refused", _not_begun, [["cut-first-start"]]
    ),
    "disk-not-tried": Plant(
        "a disk that turned read-only ends the hub", _disk_not_tried, [["read-only"]]
    ),
    "failed-commit-stays": Plant(
        "a commit that failed is found by the next hub",
        _failed_commit_stays,
        [["failing-sync"]],
    ),
    "clock-follows": Plant(
        "the table's clock follows the system's back",
        _clock_follows,
        [["clock-back", "clock-ahead"]],
    ),
    "clock-unset": Plant(
        "the log says that the clock was set, and it was not",
        _clock_unset,
        [["clock-back", "clock-ahead"]],
    ),
    "no-tick": Plant("a due reveal waits for somebody's next act", _no_tick),
}

PLANTS |= {
    "old-retained": Plant(
        "what the broker keeps is not put right after a reconnect",
        _old_retained,
        [["cut", "half-open", "broker-away", "split"]],
        mqtt=True,
    ),
    "hanging-broker": Plant(
        "a stop waits for a broker that hangs",
        _hanging_broker,
        [["hang-broker", "half-open", "acks"], ["stop"]],
        within_s=8.0,
        mqtt=True,
    ),
    "told-early": Plant("events are published before they are stored", _published_early, mqtt=True),
    "acks-not-awaited": Plant(
        "events count as published before the broker has taken them",
        _acks_not_awaited,
        [["cut", "half-open", "acks"]],
        mqtt=True,
    ),
}
LATER = {
    "oldest-report": "a full inbox drops the newest report: too rare with a queue of any length",
    "left-is-read": "a card left lying is read in the next step: it takes other cards",
    "chance-late": "random bytes drawn at the reveal: none of the three books seals any",
    "stalled-log": "a log that blocks: the outlet's thread and pipe are real ones",
    "broker-limit": "a broker whose limit is below the state: no plan has such a broker",
    "idle-sockets": "sockets that say nothing: phones always say something",
    "replayed-command": "a retained command that is replayed: no plan has commands over MQTT",
    "two-epochs": "two epochs of one seat board: needs the boards",
    "size-of-lock": "the time of a lock told by a frame's size: frames are not compared",
}


def search(name: str, most: int, first: Iterable[int] = ()) -> tuple[int | None, int, str]:
    """A seed below ``most`` that finds a fault (None: none does), how many were lived through, and
    the finding. Seeds ``first`` are tried before all others."""
    planted, lived = PLANTS[name], 0
    for seed in (*first, *range(most)):
        drawn = plan.drawn(seed, mqtt=planted.mqtt)
        if planted.may_show_in(drawn):
            lived += 1
            if finding := live(drawn, [planted.plant]).finding:
                return seed, lived, finding
    return None, lived, ""


def main(names: Sequence[str], most: int = 1000) -> None:
    """Print for each fault a seed that finds it; as few seeds as come to hand."""
    known: dict[int, None] = {}
    for name in names or PLANTS:
        seed, lived, finding = search(name, most, known)
        if seed is not None:
            known[seed] = None
        print(f'    "{name}": ({seed},),  # after {lived}: {finding[:70]}', flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
