"""The parts on the header's pins: gpiozero's devices, driven only from the event loop.

gpiozero's own blinking, beeping and holding each need a thread; here the loop's timers do that.
Calls from gpiozero's thread are handed over to the loop.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from msgspec import Struct

from hub.panel.settings import Button, Knob, PanelSettings
from hub.panel.signals import Beat, Call, Tone, rhythm

WINK_MS = 180
"""How long a winking lamp stays lit or dark: it lights up at most three times a second."""


class Fault(Struct, frozen=True):
    """A part that cannot be used: what it is, such as ``button (next)``, its pin (GPIO number), and
    why.
    """

    part: str
    pin: int
    why: str


class _Timed:
    """A device that runs a sequence of timed steps. A new sequence replaces the old one."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._timer: asyncio.TimerHandle | None = None

    def close(self) -> None:
        self._stop()
        self._device.close()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _then(self, ms: int, call: Callable[[], None]) -> None:
        self._stop()
        if ms:
            self._timer = asyncio.get_running_loop().call_later(ms / 1000, call)


class Led(_Timed):
    """A seat's lamp, which shows the rhythms of :mod:`hub.panel.signals`."""

    def __init__(self, device: Any) -> None:
        super().__init__(device)
        self._beats: Sequence[Beat] = ()
        self._repeats = False
        self._next = 0
        self.brightness = 1.0
        """The brightness while lit, as a share of full light (0 to 1)."""

    def show(self, pattern: int) -> None:
        """Show a pattern of :mod:`hub.firmware.common.lamps` from the pattern's beginning."""
        found = rhythm(pattern)
        self._beats, self._repeats, self._next = found.beats, found.repeats, 0
        self._step()

    def dim(self, brightness: float) -> None:
        """Change the brightness from the next beat on, or at once if the light is steady."""
        self.brightness = brightness
        if self._beats and self._timer is None:
            self._light(self._beats[-1])

    def wink(self) -> None:
        """Blink twice, as a refusal where there is no buzzer; then restart the pattern."""
        lit = bool(self._device.value)
        self._wink([Beat(WINK_MS, lit=(turn % 2 == 0) != lit) for turn in range(4)])

    def _wink(self, beats: list[Beat]) -> None:
        if not beats:
            self._next = 0
            self._step()
            return
        self._light(beats[0])
        self._then(beats[0].ms, partial(self._wink, beats[1:]))

    def _step(self) -> None:
        self._stop()
        if self._next >= len(self._beats):
            if not self._repeats:
                return
            self._next = 0
        beat = self._beats[self._next]
        self._next += 1
        self._light(beat)
        self._then(beat.ms, self._step)

    def _light(self, beat: Beat) -> None:
        self._device.value = self.brightness if beat.lit else 0.0


class Buzzer(_Timed):
    """Plays one call at a time; a new call replaces the one being played. ``tones``: whether the
    device plays notes, and not only one sound.
    """

    def __init__(self, device: Any, *, tones: bool) -> None:
        super().__init__(device)
        self._tones = tones
        self._left: list[Tone] = []

    def say(self, call: Call) -> None:
        """Play a call from its beginning."""
        self._left = [*call.value]
        self._step()

    def _step(self) -> None:
        tone = self._left.pop(0) if self._left else Tone(0)
        self._sound(tone.hz)
        self._then(tone.ms, self._step)

    def _sound(self, hz: int) -> None:
        if not self._tones:
            self._device.value = bool(hz)
            return
        if hz:
            self._device.frequency = hz
        self._device.value = 0.5 if hz else 0.0


class Board:
    """Every part of a panel that could be opened; :attr:`faults` lists those that could not."""

    def __init__(self, settings: PanelSettings, pins: Any) -> None:
        """``pins``: a factory from :func:`hub.world.pins.open_pins`, which is closed together with
        the board."""
        self._pins, self._loop = pins, asyncio.get_running_loop()
        self._devices: list[Any] = []
        self.faults: list[Fault] = []
        self.buttons: list[tuple[Button, Any]] = []
        self.leds: dict[str, Led] = {}
        self.buzzer: Buzzer | None = None
        self.knob: tuple[Knob, Any, Any] | None = None
        """The knob, its encoder and its contact; a device is None if it cannot be used."""
        for button in settings.buttons:
            device = self._contact(f"button ({button.does})", button.pin)
            if device is not None:
                self.buttons.append((button, device))
        for lamp in settings.lamps:
            led = self._open(f"lamp ({lamp.seat})", lamp.pin, "PWMLED")
            if led is not None:
                self.leds[lamp.seat] = Led(led)
        if (said := settings.buzzer) is not None:
            kind = "PWMOutputDevice" if said.kind == "tone" else "DigitalOutputDevice"
            buzzer = self._open("buzzer", said.pin, kind)
            self.buzzer = Buzzer(buzzer, tones=said.kind == "tone") if buzzer else None
        if (knob := settings.knob) is not None:
            encoder = self._open("knob", knob.a, "RotaryEncoder", knob.b, max_steps=0)
            press = None if knob.press is None else self._contact("knob (press)", knob.press)
            self.knob = knob, encoder, press

    def hand_over(self, call: Callable[[], None]) -> Callable[[], None]:
        """A callback for any thread. It runs ``call`` in the loop, or does nothing once the loop
        has ended.
        """

        def handed() -> None:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(call)

        return handed

    def close(self) -> None:
        """Free every pin. Idempotent."""
        for led in self.leds.values():
            led.close()
        if self.buzzer is not None:
            self.buzzer.close()
        for device in self._devices:
            with suppress(Exception):  # a chip that was unplugged raises
                device.close()
        self._pins.close()

    def _contact(self, part: str, pin: int) -> Any:
        return self._open(part, pin, "DigitalInputDevice", pull_up=True)

    def _open(self, part: str, pin: int, kind: str, *more: Any, **how: Any) -> Any:
        import gpiozero

        try:
            device = getattr(gpiozero, kind)(pin, *more, pin_factory=self._pins, **how)
        except Exception as error:  # lgpio's own is a plain Exception
            self.faults.append(Fault(part, pin, f"{type(error).__name__}: {error}"))
            return None
        self._devices.append(device)
        return device
