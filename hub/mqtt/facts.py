"""The table's facts for a clock that the hub itself drives."""

from datetime import datetime

from hub.firmware.common import faces
from hub.firmware.common.faces import Facts
from hub.ports import Announcement
from hub.table.views import PublicView, count_awaited


def learn(facts: Facts, shows: str, of: str, told: Announcement, now_ms: int) -> None:
    """Copy from an announcement the facts that the clock's face needs.

    For ``shows`` and ``of`` see :class:`hub.mqtt.wled.WledSettings`.
    """
    view = told.view
    facts.online = not told.stalled
    facts.phase = str(view.phase)
    facts.awaited, facts.committed = count_awaited(view), len(view.committed)
    facts.reveal_at = None if view.reveal_at is None else _ms(view.reveal_at)
    facts.revealed_at = told.revealed_at_ms
    timer = view.timer
    facts.deadline = None if timer is None else _ms(timer.deadline)
    facts.total = 0 if timer is None else round(timer.seconds * 1000)
    facts.warnings = () if timer is None else tuple(round(each * 1000) for each in timer.warnings)
    if shows == faces.COUNTDOWN:
        facts.count(*_countdown(view, of), now_ms)
    for seat in view.seats:
        if seat.seat == of:
            facts.seat_lost = seat.reader == "lost"
            facts.seat_awaited, facts.seat_committed = seat.awaited, seat.committed


def _countdown(view: PublicView, of: str) -> tuple[int, int]:
    for each in view.story.countdowns if view.story else ():
        if of in ("", each.id, each.name):
            return each.boxes, each.marked
    return 0, 0


def _ms(utc: str) -> int:
    return round(datetime.fromisoformat(utc).timestamp() * 1000)
