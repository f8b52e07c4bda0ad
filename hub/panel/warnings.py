"""Sounds the commit timer's warnings and its end, each at its moment."""

import asyncio
from collections.abc import Callable
from datetime import datetime

from hub.panel.tones import Call
from hub.table.views import TimerView


class Warnings:
    """Follows the commit timer. Event loop only."""

    def __init__(self, now_ms: Callable[[], int], say: Callable[[Call], None]) -> None:
        self._now_ms, self._say = now_ms, say
        self._timer: TimerView | None = None
        self._due: list[asyncio.TimerHandle] = []

    def follow(self, timer: TimerView | None) -> None:
        """Follow the running timer; None if there is none."""
        if timer == self._timer:
            return
        self.close()
        self._timer = timer
        if timer is None:
            return
        ends_ms = datetime.fromisoformat(timer.deadline).timestamp() * 1000
        left_s = (ends_ms - self._now_ms()) / 1000
        for before_s in (*timer.warnings, 0.0):
            if left_s > before_s:
                call = Call.WARNING if before_s else Call.ZERO
                loop = asyncio.get_running_loop()
                self._due.append(loop.call_later(left_s - before_s, self._say, call))

    def close(self) -> None:
        """Sound no more. Idempotent."""
        for each in self._due:
            each.cancel()
        self._due.clear()
