"""Lamp patterns of a seat's board, derived from public state and the seat's own signal.

No other knowledge is used, and every legal card has the same signal, because the whole table sees
the lamps.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from hub.table.signals import OF_THE_CARD, TO_BE_LAID_AGAIN, Signal
from hub.table.state import Phase
from hub.table.views import PublicView, SeatView

REVEAL_S = 4.0
"""The longest that pages show a reveal; the lamps keep its pattern that long."""


class Pattern(IntEnum):
    """What a seat's lamps show. The numbers are those of firmware/PROTOCOL.md."""

    DARK = 0
    IDLE = 1
    AWAITED = 2
    COMMITTED = 3
    LOCKED = 4
    REVEAL = 5
    REFUSED = 6
    LIFT = 7


def pattern_of(view: PublicView, seat: SeatView, signal: Signal | None) -> Pattern:
    """The pattern of the seat's lamps when no reveal is shown. ``signal``: None if there is none
    yet.
    """
    if signal in OF_THE_CARD:
        return Pattern.REFUSED
    match view.phase:
        case Phase.LOCKED:
            return Pattern.LOCKED
        case Phase.IDLE | Phase.PAUSED | Phase.OVER:
            return Pattern.IDLE
    if seat.committed or (signal is Signal.WAITS and not seat.awaited):
        return Pattern.COMMITTED
    if signal in TO_BE_LAID_AGAIN or signal is Signal.NOTHING_SEEN:
        return Pattern.LIFT
    return Pattern.AWAITED if seat.awaited else Pattern.IDLE


@dataclass
class Lamp:
    """The pattern and brightness for one seat's lamps. They are set in one thread and read in the
    reader's; ``wake`` is called at each change.
    """

    pattern: Pattern = Pattern.IDLE
    brightness: int = 150
    """The brightness of the lamps, from 0 to 255."""
    wake: Callable[[], None] = field(default=lambda: None)

    def show(self, pattern: Pattern) -> None:
        """Show this pattern from now on."""
        if pattern is not self.pattern:
            self.pattern = pattern
            self.wake()

    def shine(self, brightness: int) -> None:
        """Light the lamps with this brightness, 0 to 255, from now on."""
        if brightness != self.brightness:
            self.brightness = brightness
            self.wake()


class SeatLamps:
    """The lamps of all seats of a table. ``brightness``: the configured one, 0 to 255."""

    def __init__(self, brightness: int) -> None:
        self._brightness = brightness
        self._lamps: dict[str, Lamp] = {}
        self._signals: dict[str, Signal] = {}
        self._view: PublicView | None = None
        self._revealing = False

    def of(self, seat: str) -> Lamp:
        """The lamps of ``seat``, made at the first call."""
        return self._lamps.setdefault(seat, Lamp(brightness=self._brightness))

    def dim(self, share: float) -> None:
        """Dim all lamps to this share, 0 to 1, of the configured brightness."""
        for lamp in self._lamps.values():
            lamp.shine(round(self._brightness * share))

    def see(self, view: PublicView) -> bool:
        """Take in the table's new state. Returns whether cards were revealed.

        If so, call :meth:`settle` after :data:`REVEAL_S`.
        """
        before, self._view = self._view, view
        reveals = before is not None and view.revealed_at != before.revealed_at
        if reveals:  # an undo ends it at once
            self._revealing = view.revealed_at is not None
        if reveals and self._revealing:
            for seat in self._lamps:
                self.of(seat).show(Pattern.REVEAL)
            return True
        self._show()
        return False

    def hear(self, seat: str, signal: Signal) -> None:
        """Take in a seat's own signal, which the seat's page shows, too."""
        self._signals[seat] = signal
        self._show()

    def settle(self) -> None:
        """End the pattern of the reveal, and show each seat's own pattern again."""
        self._revealing = False
        self._show()

    def _show(self) -> None:
        if self._view is None or self._revealing:
            return
        for seat in self._view.seats:
            if seat.seat in self._lamps:
                pattern = pattern_of(self._view, seat, self._signals.get(seat.seat))
                self.of(seat.seat).show(pattern)
