"""The GM's panel: it turns buttons and the knob into commands, and plays the buzzer's calls.

Like every output, the panel gets the public view. A button's command goes to the inbox as the GM's.
*Pause* and *undo* carry the version of the table that the panel shows, so that the press refers to
the state that the GM saw.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from logging import getLogger
from typing import Any, Self

from hub.games.game import GM
from hub.panel.board import Board
from hub.panel.controls import Press, Turning, newest
from hub.panel.settings import Button, PanelSettings
from hub.panel.signals import Call, Warnings
from hub.ports import Announcement, AtPanel, CommandSink, Holding, PrivateViews
from hub.table import acts
from hub.table.state import MOST_COMMIT_S, Phase
from hub.table.views import PublicView
from hub.world.pins import PinsAbsent

log = getLogger(__name__)

HOLD_S = 2.0
BRIGHTNESS = (1.0, 0.2, 0.0)
"""The brightness levels that the button *lights* steps through, as shares of full light."""


class Panel:
    """Runs the GM's panel (a :class:`hub.ports.Publisher`). Without usable pins, or with some parts
    only, the table plays on, and the panel reports what is missing.
    """

    def __init__(
        self,
        settings: PanelSettings,
        open_pins: Callable[[str], Any],
        sink: CommandSink,
        private_views: PrivateViews,
        now_ms: Callable[[], int],
        *,
        tell: Callable[[AtPanel], None],
        dim: Callable[[float], None] = lambda share: None,
    ) -> None:
        """``open_pins`` returns the pin factory of a driver. ``now_ms`` returns the table's time.
        ``tell`` gets the panel's public state; ``dim`` the brightness for all lamps that are not
        the panel's.
        """
        self._settings, self._open_pins = settings, open_pins
        self._sink, self._private_views = sink, private_views
        self._tell, self._dim = tell, dim
        self._board: Board | None = None
        self._presses: list[Press] = []
        self._turning: Turning | None = None
        self._warnings = Warnings(now_ms, self._say)
        self._asking: set[asyncio.Task[None]] = set()
        self._view: PublicView | None = None
        self._way: acts.WayBack | None = None
        """The way back that the undo button, now held, would take; None if it is not held."""
        self._brightness = 0
        self._missing: tuple[str, ...] = ()

    async def __aenter__(self) -> Self:
        try:
            pins = self._open_pins(self._settings.driver)
        except PinsAbsent as absent:
            log.warning("the panel is not there, and the table plays without it: %s", absent)
            self._miss("panel")
            return self
        board = self._board = Board(self._settings, pins)
        if board.faults:
            said = "; ".join(f"{each.part} at GPIO{each.pin}: {each.why}" for each in board.faults)
            log.warning("parts of the panel cannot be used, the table plays without them: %s", said)
            self._miss(*(f"GPIO{each.pin}" for each in board.faults))
        for button, device in board.buttons:
            self._listen(board, device, self._press_of(button, partial(_is_down, device)))
        self._open_knob(board)
        for press in self._presses:
            if press.is_down:
                log.warning("a button of the panel is held down; it counts once it has been let go")
        return self

    async def __aexit__(self, *_: object) -> None:
        """Turn all lamps and the buzzer off, and free every pin."""
        for press in self._presses:
            press.close()
        if self._turning is not None:
            self._turning.close()
        self._warnings.close()
        for task in self._asking:
            task.cancel()
        board, self._board = self._board, None
        if board is not None:
            board.close()

    # Announcements

    def announce(self, announcement: Announcement) -> None:
        """Take in an announcement, and sound the buzzer for a reveal, a full countdown or a sealed
        card.
        """
        before, view = self._view, announcement.view
        self._view = view
        self._warnings.follow(view.timer)
        if before is None:
            return
        if view.revealed_at not in {before.revealed_at, None}:
            self._say(Call.REVEAL)
        elif _is_full(view) - _is_full(before):
            self._say(Call.FULL)
        elif _lie(view) > _lie(before):
            self._say(Call.TICK)
        if announcement.lines and self._way is not None:
            self._let_go()  # an undo would no longer do what was shown

    def show_lamp(self, seat: str, pattern: int) -> None:
        """Show a pattern of :mod:`hub.firmware.common.lamps` on a seat's lamp from now on."""
        led = self._board.leds.get(seat) if self._board else None
        if led is not None:
            led.show(pattern)

    # Buttons

    def _press_of(self, button: Button, is_down: Callable[[], bool]) -> Press:
        match button.does:
            case "undo":
                return Press(
                    is_down, self._hold, hold_s=HOLD_S, held=self._undo, let_go=self._let_go
                )
            case "next":
                return Press(is_down, self._next)
            case "pause":
                return Press(is_down, self._pause)
            case "mark-countdown":
                return Press(is_down, partial(self._mark, button.of))
            case "lights":
                return Press(is_down, self._light)

    def _listen(self, board: Board, device: Any, press: Press) -> None:
        self._presses.append(press)
        device.when_activated = device.when_deactivated = board.hand_over(press.edge)

    def _next(self) -> None:
        # Without a version: the panel learns of a step sooner than a GM can press a button for it.
        self._ask(acts.Next())

    def _pause(self) -> None:
        view = self._view
        if view is not None:
            paused = view.phase is Phase.PAUSED
            self._ask((acts.Resume if paused else acts.Pause)(version=view.version))

    def _mark(self, name: str) -> None:
        story = self._view.story if self._view else None
        named = [each for each in story.countdowns if name in {"", each.name}] if story else []
        marked = next((each.name for each in named if each.marked < each.boxes), None)
        if marked is None:
            self._say(Call.NO)
        else:
            self._ask(acts.TellStory(deed={"do": "mark-countdown", "name": marked}))

    def _light(self) -> None:
        self._brightness = (self._brightness + 1) % len(BRIGHTNESS)
        share = BRIGHTNESS[self._brightness]
        for led in self._board.leds.values() if self._board else ():
            led.dim(share)
        self._dim(share)
        self._say(Call.DONE)

    # Undo, which is held

    def _hold(self) -> None:
        ways = [acts.WayBack(**way) for way in map(_fields, self._private_views.console()["undo"])]
        since = min((way.to_seq for way in ways), default=0)
        goes = newest(ways, self._private_views.chronicle(since))
        if goes is None:
            self._say(Call.NO)
            return
        self._way = goes.way
        self._tell_all(Holding(goes.way.what, HOLD_S, goes.entries))

    def _undo(self) -> None:
        way, self._way = self._way, None
        view = self._view
        if way is None or view is None:
            return
        self._tell_all()
        self._ask(acts.Undo(what=way.what, to_seq=way.to_seq, version=view.version))

    def _let_go(self) -> None:
        if self._way is not None:
            self._way = None
            self._tell_all()

    # The knob

    def _open_knob(self, board: Board) -> None:
        if board.knob is None:
            return
        knob, encoder, contact = board.knob
        notch = partial(self._say, Call.TICK)
        turning = self._turning = Turning(knob.step_s, self._commit_s, self._turn_to, notch)
        if encoder is not None:
            encoder.when_rotated_clockwise = board.hand_over(partial(turning.turn, 1))
            encoder.when_rotated_counter_clockwise = board.hand_over(partial(turning.turn, -1))
        if contact is not None:
            self._listen(board, contact, Press(partial(_is_down, contact), turning.press))

    def _commit_s(self) -> float:
        return self._view.commit_seconds if self._view else 0

    def _turn_to(self, seconds: float) -> None:
        self._ask(acts.SetTimer(seconds=min(max(seconds, 0.0), float(MOST_COMMIT_S))))

    # Commands and calls

    def _ask(self, command: acts.Command) -> None:
        task = asyncio.create_task(self._asked(command), name="panel")
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _asked(self, command: acts.Command) -> None:
        reply = await self._sink(command, GM)
        self._say(Call.DONE if reply.ok else Call.NO)
        if not reply.ok:
            log.debug("the panel’s %s: %s", type(command).__name__, reply.code)

    def _say(self, call: Call) -> None:
        board = self._board
        if board is None:
            return
        if board.buzzer is not None:
            board.buzzer.say(call)
        elif call is Call.NO:
            for led in board.leds.values():
                led.wink()

    def _miss(self, *parts: str) -> None:
        self._missing = parts
        self._tell_all()

    def _tell_all(self, holding: Holding | None = None) -> None:
        self._tell(AtPanel(missing=self._missing, holding=holding))


def _is_down(contact: Any) -> bool:
    return bool(contact.is_active)


def _fields(way: Any) -> dict[str, Any]:
    return {"what": way["what"], "to_seq": way["to_seq"]}


def _lie(view: PublicView) -> int:
    """How many sealed cards there are, which everyone at the table can count."""
    return len(view.committed) + len(view.beside)


def _is_full(view: PublicView) -> frozenset[str]:
    countdowns = view.story.countdowns if view.story else ()
    return frozenset(each.id for each in countdowns if each.marked >= each.boxes)
