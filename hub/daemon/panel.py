"""Wiring of the panel: checks for conflicts over its pins, and its output."""

from contextlib import AsyncExitStack
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from hub.config.settings import Config
from hub.daemon.output import Opened, Output, Stage
from hub.kernel.documents import Document
from hub.kernel.reasons import Reason
from hub.panel.claims import taken_at_boot, taken_by_readers
from hub.panel.settings import PanelSettings
from hub.ports import Announcement, Publisher
from hub.readers.kinds import parse_address
from hub.readers.lamp import Lamp, SeatLamps

if TYPE_CHECKING:
    from hub.daemon.lamps import LampKeeper


def _check(document: Document, config: Config, panel: PanelSettings) -> None:
    """Check the panel's parts against each other, the seats, and other users of the header."""
    if not document.sound(("panel",)):
        return
    sound = document.sound(("seat",))
    devices = [parse_address(seat.reader).path for seat in config.seats] if sound else []
    readers = taken_by_readers(devices)
    others = (taken_at_boot() if panel.driver != "mock" else {}) | readers
    taken: dict[int, int] = {}
    for at, pin in panel.pins():
        place = ("panel", *at)
        if pin in taken:
            document.blame(place, Reason("panel-pin-twice", pin=pin, line=taken[pin]))
        elif pin in others:
            document.blame(place, Reason("panel-pin-taken", pin=pin, by=others[pin]))
        taken.setdefault(pin, document.line(place))
    seats = [seat.name for seat in config.seats]
    lit: dict[str, int] = {}
    for index, lamp in enumerate(panel.lamps):
        place = ("panel", "lamp", index, "seat")
        if lamp.seat not in seats and sound:
            name = ascii(lamp.seat[:64])
            document.blame(place, Reason("panel-no-seat", name=name, seats=seats))
        elif lamp.seat in lit:
            document.blame(place, Reason("panel-seat-twice", seat=lamp.seat, line=lit[lamp.seat]))
        lit.setdefault(lamp.seat, document.line(place))


class _WithLamps:
    """A :class:`hub.ports.Publisher` for two: the panel, and the keeper of its lamps."""

    def __init__(self, panel: Publisher, keeper: "LampKeeper") -> None:
        self._panel, self._keeper = panel, keeper

    async def __aenter__(self) -> Self:
        await self._panel.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._keeper.__aexit__()
        await self._panel.__aexit__()

    def announce(self, announcement: Announcement) -> None:
        """Announce to the panel, then to the keeper of its lamps."""
        self._panel.announce(announcement)
        self._keeper.announce(announcement)


async def open_panel(stage: Stage, said: PanelSettings, stack: AsyncExitStack) -> Opened:
    """Open the panel until ``stack`` is left. The result's ``shown``: how many pins it uses."""
    from hub.daemon.lamps import LampKeeper
    from hub.panel.panel import Panel

    runner, others = stage.runner, stage.lamps
    panel = Panel(
        said,
        stage.world.pins,
        runner.inbox.ask,
        runner,
        runner.now_ms,
        tell=runner.tell_panel,
        dim=others.dim if others else lambda share: None,
    )
    lamps = SeatLamps(stage.config.lamps.brightness)
    keeper = LampKeeper(lamps)
    both = await stack.enter_async_context(_WithLamps(panel, keeper))
    for each in said.lamps:
        lamp = lamps.of(each.seat)
        lamp.wake = partial(_shown, panel.show_lamp, each.seat, lamp)
        lamp.wake()
    runner.add_listener(keeper.hear)
    return Opened(both, len([*said.pins()]))


def _shown(show: Any, seat: str, lamp: Lamp) -> None:
    show(seat, int(lamp.pattern))


PANEL = Output("panel", PanelSettings, open_panel, check=_check)
