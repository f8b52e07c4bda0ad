"""The evening: its title and its end."""

from typing import Annotated, ClassVar

from msgspec import Meta
from msgspec.structs import replace

from hub.games.story import MAX_TITLE_CHARS
from hub.games.telling import Words
from hub.kernel.bounds import TITLE
from hub.kernel.faults import shown
from hub.kernel.likeness import text_fault
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said, said
from hub.table.inputs import SCENE, Command, Request
from hub.table.records import Record, TableEvent
from hub.table.state import SeatFault, TableState
from hub.table.transaction import Transaction


class NameEvening(Command, frozen=True, tag="name-evening"):
    """Give the evening a title, which the display shows between scenes; an empty one restores the
    configured title."""

    title: Annotated[str, Meta(max_length=MAX_TITLE_CHARS)]

    def judge(self, transaction: Transaction, request: Request) -> None:
        title = self.title.strip()
        if not TITLE.holds(title):
            raise SeatFault(Reason("not-one-line", most=TITLE.most))
        if (fault := text_fault(title)) is not None:
            raise SeatFault(Reason("text-refused", text=shown(title), fault=fault))
        if title != transaction.state.evening:  # ignore a repeated press
            transaction.emit(EveningNamed(title=title))


class EveningNamed(TableEvent, frozen=True, kw_only=True, tag="evening-named"):
    """The GM gave the evening a title."""

    title: str
    """The title; empty: back to the configured one."""

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, evening=self.title)

    def told(self, words: Words) -> list[Said]:
        if not self.title:
            return [Said("gm.log.evening.none")]
        return [said("gm.log.evening", title=self.title)]


class EndEvening(Command, frozen=True, tag="end-evening"):
    """End the evening, between scenes, so that the display shows a summary and thanks until the
    next scene begins; or (``on`` false) continue the evening after all."""

    on: bool = True

    stale_by: ClassVar[tuple[str, ...]] = (SCENE,)

    def judge(self, transaction: Transaction, request: Request) -> None:
        if self.on != transaction.state.evening_over:
            transaction.emit(EveningEnded(on=self.on))


class EveningEnded(TableEvent, frozen=True, kw_only=True, tag="evening-ended"):
    """The GM ended the evening between two scenes, or continued it after all. The next scene begins
    the next evening."""

    on: bool

    def fold(self, state: TableState, record: Record) -> TableState:
        return replace(state, evening_over=self.on)

    def told(self, words: Words) -> list[Said]:
        return [Said("gm.log.evening-ended" if self.on else "gm.log.evening-ended.over")]
