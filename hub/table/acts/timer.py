"""The commit timer: how long players have to choose, and when that time is over."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, said
from hub.table.fold import with_scene
from hub.table.inputs import Command, Request
from hub.table.records import Event, Record, TableEvent
from hub.table.state import MOST_COMMIT_S, Phase, SeatFault, TableState, commit_s
from hub.table.transaction import Transaction


class SetTimer(Command, frozen=True, tag="set-timer"):
    """Set how long players have to choose, from the next sealed step on. A running timer goes on
    unchanged."""

    seconds: Annotated[float, Meta(ge=0, le=MOST_COMMIT_S)] | None = None
    """The time to choose; 0: no timer; left out: the configured time."""

    def judge(self, transaction: Transaction, request: Request) -> None:
        seconds = self.seconds
        if seconds is not None and not 0 <= seconds <= MOST_COMMIT_S:
            raise SeatFault(Reason("timer-bounds", most=MOST_COMMIT_S))
        if seconds != transaction.state.commit_s:  # ignore a repeated press
            transaction.emit(TimerSet(seconds=None if seconds is None else float(seconds)))


class TimerSet(TableEvent, frozen=True, kw_only=True, tag="timer-set"):
    """The GM set how long players have to choose, from the next sealed step on."""

    seconds: float | None
    """The time to choose; 0: no timer; null: the configured time."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, commit_s=self.seconds)

    def told(self, words: Words) -> list[Said]:
        if self.seconds is None:
            return [Said("gm.log.timer-set.configured")]
        if not self.seconds:
            return [Said("gm.log.timer-set.none")]
        return [said("gm.log.timer-set", seconds=self.seconds)]


class DeadlineSet(Event, frozen=True, kw_only=True, tag="deadline-set"):
    """A commit timer runs for this phase, for ``seconds``."""

    deadline_ms: int
    """When the timer ends, in ms since the Unix epoch."""
    seconds: float
    warnings: tuple[float, ...] = ()
    """Seconds before the timer's end at which clocks warn."""

    on_stage: ClassVar[bool] = False

    def fold(self, state: TableState, record: Record) -> TableState:
        return with_scene(
            state,
            deadline_ms=self.deadline_ms,
            deadline_s=self.seconds,
            warnings_s=self.warnings,
            deadline_passed=False,
        )

    def told(self, words: Words) -> list[Said]:
        return [said("gm.log.deadline-set", seconds=self.seconds)]


class DeadlinePassed(Event, frozen=True, kw_only=True, tag="deadline-passed"):
    """The commit timer ran out; the configuration says what follows."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return with_scene(state, deadline_passed=True)


def start_timer(transaction: Transaction) -> None:
    """Begin the commit timer, if there is one and cards are being sealed."""
    settings = transaction.settings
    seconds = commit_s(transaction.state, settings)
    if transaction.phase is Phase.SEALED and seconds:
        transaction.emit(
            DeadlineSet(
                deadline_ms=transaction.now_ms + round(seconds * 1000),
                seconds=float(seconds),
                warnings=tuple(float(w) for w in settings.warnings_s if w < seconds),
            )
        )


def end_timer_if_due(transaction: Transaction) -> None:
    """Record that the commit timer has run out, once, when its time has come."""
    scene = transaction.state.scene
    if scene is None or transaction.phase is not Phase.SEALED or scene.deadline_passed:
        return
    if scene.deadline_ms is not None and transaction.now_ms >= scene.deadline_ms:
        transaction.emit(DeadlinePassed())
