"""What the lamps of a seat's board show: by what everybody may know, and by what its reader says.

Only the public view and the seat's own signal come in here, and every legal card has the same
signal: lamps are seen by the whole table.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from hub.table.signals import OF_THE_CARD, TO_BE_LAID_AGAIN, Signal
from hub.table.state import Phase
from hub.table.views import PublicView, SeatView

REVEAL_S = 4.0
"""How long a reveal lasts on pages at most; what follows from it is shown no sooner."""


class Pattern(IntEnum):
    """As firmware/PROTOCOL.md numbers them."""

    DARK = 0
    IDLE = 1
    AWAITED = 2
    COMMITTED = 3
    LOCKED = 4
    REVEAL = 5
    REFUSED = 6
    LIFT = 7


def pattern_of(view: PublicView, seat: SeatView, signal: Signal | None) -> Pattern:
    """What the seat's lamps show, but for a reveal."""
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
    """What one seat's lamps are to show. Set in one thread, read in the reader's."""

    pattern: Pattern = Pattern.IDLE
    brightness: int = 150
    """0 to 255."""
    wake: Callable[[], None] = field(default=lambda: None)
    """Called when it has changed."""

    def show(self, pattern: Pattern) -> None:
        """From now on."""
        if pattern is not self.pattern:
            self.pattern = pattern
            self.wake()

    def shine(self, brightness: int) -> None:
        """So bright from now on, 0 to 255."""
        if brightness != self.brightness:
            self.brightness = brightness
            self.wake()


class SeatLamps:
    """The lamps of a table's seats."""

    def __init__(self, brightness: int) -> None:
        self._brightness = brightness
        self._lamps: dict[str, Lamp] = {}
        self._signals: dict[str, Signal] = {}
        self._view: PublicView | None = None
        self._revealing = False

    def of(self, seat: str) -> Lamp:
        """The seat's."""
        return self._lamps.setdefault(seat, Lamp(brightness=self._brightness))

    def dim(self, share: float) -> None:
        """All of them are as bright as this share of what the table file says."""
        for lamp in self._lamps.values():
            lamp.shine(round(self._brightness * share))

    def see(self, view: PublicView) -> bool:
        """The table has changed; whether cards were revealed in it: then :meth:`settle` is to be
        called after :data:`REVEAL_S`."""
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
        """What the seat's own lamp and page are told."""
        self._signals[seat] = signal
        self._show()

    def settle(self) -> None:
        """The reveal is over."""
        self._revealing = False
        self._show()

    def _show(self) -> None:
        if self._view is None or self._revealing:
            return
        for seat in self._view.seats:
            if seat.seat in self._lamps:
                pattern = pattern_of(self._view, seat, self._signals.get(seat.seat))
                self.of(seat.seat).show(pattern)
