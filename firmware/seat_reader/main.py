"""What a seat board starts with. Held down meanwhile, its button leaves the program aside, so that
a board can always be updated: the prompt answers then.
"""

import time

import machine
import micropython


def start():
    """Run the program; should it ever fail, write down why and start the board anew."""
    micropython.kbd_intr(-1)  # on USB a 03 of the hub's is a byte like any other, from the first on
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
        micropython.kbd_intr(3)  # its USB is the prompt's alone
    from seat_reader import program

    try:
        program.run(wired, button, globals().get("__file__", "/main.py"))  # a board gives it none
    except Exception as error:  # nobody is there who could look after it
        try:
            from common import files

            files.note("fault.txt", error)
        finally:  # whatever becomes of that
            time.sleep_ms(500)
            machine.reset()


start()
