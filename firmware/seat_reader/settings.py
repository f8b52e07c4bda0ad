"""This board's wiring: ``seat.json`` on the board holds the differences from the defaults."""

import json

FILE = "seat.json"
USUAL = {
    "link": "usb",
    "address": 0,
    "lamps": 8,
    "pn532": "uart",
    "pn532_uart": 1,
    "pn532_tx": 8,
    "pn532_rx": 9,
    "pn532_i2c": 0,
    "pn532_sda": 4,
    "pn532_scl": 5,
    "baud": 460800,
    "bus_uart": 0,
    "bus_tx": 0,
    "bus_rx": 1,
    "bus_drive": 2,
    "lamps_pin": 6,
    "button_pin": 7,
}
_MOST = {"lamps": 64, "address": 247}
_WORDS = {"link": ("usb", "rs485"), "pn532": ("uart", "i2c")}
_BAUDS = (115200, 230400, 460800)


class Faulty(Exception):
    """The file has an invalid value; the text says which, and what to do."""


def read(path=FILE):
    """The settings in ``path``, or the defaults if it is missing. Raises :exc:`Faulty`."""
    try:
        with open(path) as file:
            text = file.read(2000)
    except OSError:
        return settle({})
    try:
        said = json.loads(text)
    except ValueError:
        raise Faulty(path + " is no JSON: copy seat.example.json anew")
    return settle(said)


def settle(said):
    """The defaults, with the values of ``said``. Raises :exc:`Faulty`."""
    if not isinstance(said, dict):
        raise Faulty(FILE + " has to be one object, as in seat.example.json")
    settings = dict(USUAL)
    for key in said:
        if key not in USUAL:
            raise Faulty(FILE + " has no setting '" + str(key)[:20] + "'")
        settings[key] = said[key]
    for key, words in _WORDS.items():
        if settings[key] not in words:
            raise Faulty(FILE + ": " + key + " is '" + "' or '".join(words) + "'")
    for key in USUAL:
        value = settings[key]
        if (
            key not in _WORDS
            and key != "baud"
            and (
                not isinstance(value, int)
                or isinstance(value, bool)
                or not 0 <= value <= _MOST.get(key, 48)
            )
        ):
            raise Faulty(FILE + ": " + key + " is a number from 0 to " + str(_MOST.get(key, 48)))
    if settings["baud"] not in _BAUDS:
        raise Faulty(FILE + ": baud is 115200, 230400 or 460800, the same at all ends of a bus")
    if settings["link"] == "rs485" and not settings["address"]:
        raise Faulty(FILE + ": on a bus each seat has an address of its own, 1 to 247")
    if settings["link"] == "usb" and settings["address"]:
        raise Faulty(FILE + ': an address needs "link": "rs485"')
    return settings
