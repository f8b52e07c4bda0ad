"""Starts a seat board's program.

If the board's button is held at the start, the program does not run, so that the prompt answers and
a board can always be updated.
"""

import time

import machine
import micropython


def start():
    """Run the program; if it ever fails, log the reason and reset the board."""
    micropython.kbd_intr(-1)  # on USB, a byte 03 from the hub is data, from the start on
    from seat_reader import settings

    try:
        wired = settings.read()
    except settings.Faulty as fault:
        print(fault)
        return
    button = machine.Pin(wired["button_pin"], machine.Pin.IN, machine.Pin.PULL_UP)
    if not button.value():
        print("seat_reader is left aside: the button is held")
        return
    if wired["link"] != "usb":
        micropython.kbd_intr(3)  # its USB is only for the prompt
    from seat_reader import program

    try:
        program.run(wired, button, globals().get("__file__", "/main.py"))  # a board does not set it
    except Exception as error:  # unattended: log it and reset
        try:
            from common import files

            files.note("fault.txt", error)
        finally:  # even if logging fails
            time.sleep_ms(500)
            machine.reset()


start()
