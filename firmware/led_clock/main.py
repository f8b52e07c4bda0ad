"""Starts the clock, or the page on which it is set up: on a board without settings, and while its
button (from GP15 to GND) is held at the start."""

import asyncio

import machine
from led_clock import settings

BUTTON = 15


def start() -> None:
    """For ever."""
    held = machine.Pin(BUTTON, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0
    try:
        found = None if held else settings.load()
        why = settings.Wrong("its button is held")
    except settings.Wrong as wrong:
        found, why = None, wrong
    if found is None:
        from led_clock.portal import Portal

        asyncio.run(Portal(why).run())
    else:
        from led_clock.clock import Clock

        asyncio.run(Clock(found).run())


if __name__ == "__main__":
    start()
