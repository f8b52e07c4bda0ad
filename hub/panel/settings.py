"""The section ``[panel]`` of a configuration. Pins have Broadcom's numbers, GPIO2 to GPIO27.

Ref: Raspberry Pi documentation, "GPIO and the 40-pin header"; GPIO0 and GPIO1 are for the memory of
a HAT.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import field

from hub.kernel.documents.sections import Section, must_be
from hub.kernel.reasons import Reason

FIRST_PIN, LAST_PIN = 2, 27
MOST_STEP_S = 60

Pin = Annotated[
    int, must_be(Reason("a-pin", least=FIRST_PIN, most=LAST_PIN), ge=FIRST_PIN, le=LAST_PIN)
]
Does = Literal["next", "undo", "pause", "mark-countdown", "lights"]
DOES = ("next", "undo", "pause", "mark-countdown", "lights")


class Button(Section, frozen=True, kw_only=True):
    """``[[panel.button]]``: a button, wired between its pin and ground."""

    pin: Pin
    does: Annotated[Does, must_be(Reason("one-of-words", words=[f'"{each}"' for each in DOES]))]
    of: Annotated[str, must_be(Reason("one-line-of", most=64), max_length=64)] = ""
    """The countdown that the button marks; empty: the first one that is not full."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Yield a fault if ``of`` is set for a button that does not mark a countdown."""
        if self.of and self.does != "mark-countdown":
            yield "of", Reason("panel-of-unused")


class LampAt(Section, frozen=True, kw_only=True):
    """``[[panel.lamp]]``: a seat's LED with its resistor, wired between its pin and ground."""

    pin: Pin
    seat: str


class Buzzer(Section, frozen=True, kw_only=True):
    """``[panel.buzzer]``: the device that sounds the panel's calls."""

    pin: Pin
    kind: Annotated[
        Literal["active", "tone"], must_be(Reason("one-of-words", words=['"active"', '"tone"']))
    ] = "active"
    """``active``: a buzzer that sounds by itself under power; ``tone``: a piezo or a small speaker,
    driven at each tone's frequency.
    """


class Knob(Section, frozen=True, kw_only=True):
    """``[panel.knob]``: a rotary encoder whose middle leg is at ground. ``a``, ``b``: the pins of
    its outer legs; ``press``: the pin of its push contact, None if it has none.
    """

    a: Pin
    b: Pin
    press: Pin | None = None
    step_s: Annotated[
        int, must_be(Reason("from-to", least=1, most=MOST_STEP_S), ge=1, le=MOST_STEP_S)
    ] = 5
    """How far one notch turns the commit timer, in seconds."""


class PanelSettings(Section, frozen=True, kw_only=True):
    """``[panel]``: all parts of the GM's panel, and the pins that they are wired to."""

    enabled: bool = True
    driver: Annotated[
        Literal["lgpio", "mock"], must_be(Reason("one-of-words", words=['"lgpio"', '"mock"']))
    ] = "lgpio"
    """How pins are driven: ``lgpio`` on a Raspberry Pi; ``mock``, gpiozero's simulated pins, to try
    a configuration without one.
    """
    buttons: Annotated[tuple[Button, ...], must_be(Reason("an-entry-each", key="button"))] = field(
        default=(), name="button"
    )
    lamps: Annotated[tuple[LampAt, ...], must_be(Reason("an-entry-each", key="lamp"))] = field(
        default=(), name="lamp"
    )
    buzzer: Buzzer | None = None
    knob: Knob | None = None

    def pins(self) -> Iterator[tuple[tuple[str | int, ...], int]]:
        """Yield the place of each pin in the section (its keys and indexes), and the
        pin's number.
        """
        for index, button in enumerate(self.buttons):
            yield ("button", index, "pin"), button.pin
        for index, lamp in enumerate(self.lamps):
            yield ("lamp", index, "pin"), lamp.pin
        if self.buzzer:
            yield ("buzzer", "pin"), self.buzzer.pin
        if self.knob:
            yield ("knob", "a"), self.knob.a
            yield ("knob", "b"), self.knob.b
            if self.knob.press is not None:
                yield ("knob", "press"), self.knob.press
