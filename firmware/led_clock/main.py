"""Starts the clock, or its set-up page.

The page is for a board without settings, or one whose button (from GP15 to GND) is held at the
start.
"""

import asyncio

import machine
from led_clock import settings

BUTTON = 15


def start() -> None:
    """Run the clock, or its set-up page, for ever."""
    held = machine.Pin(BUTTON, machine.Pin.IN, machine.Pin.PULL_UP).value() == 0
    found, why = None, settings.Wrong("its button is held")
    try:
        found = settings.load()
    except settings.Wrong as wrong:
        why = wrong
    if held or found is None:
        from led_clock.portal import Portal

        asyncio.run(Portal(why, found is not None).run())
    else:
        from led_clock.clock import Clock

        asyncio.run(Clock(found).run())


if __name__ == "__main__":
    start()
