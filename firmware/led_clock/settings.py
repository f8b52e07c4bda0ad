"""A clock's settings in ``clock.json``: flat keys, all with limits; each fault is one sentence."""

import json

FILE = "clock.json"
MOST_BYTES = 4096

SHOWS = ("countdown", "timer", "seat", "reveal")
DISPLAYS = ("ws2812", "tm1637", "ht16k33")
_TOPIC = "abcdefghijklmnopqrstuvwxyz0123456789-"

# key: (default, least, most) of a number; (default, most characters) of a text
NUMBERS = {
    "port": (1883, 1, 65535),
    "lights": (24, 1, 512),
    "pin": (0, 0, 48),
    "pin2": (1, 0, 48),
    "brightness": (64, 0, 255),
}
TEXTS = {
    "wifi": ("", 32),
    "wifi_password": ("", 63),
    "host": ("", 253),
    "username": ("", 128),
    "password": ("", 128),
    "ca": ("", 64),
    "table": ("", 32),
    "name": ("clock", 32),
    "shows": ("timer", 16),
    "of": ("", 32),
    "display": ("ws2812", 16),
    "ntp": ("", 253),
}
NEEDED = ("wifi", "host", "table")


class Wrong(Exception):
    """The settings cannot be used; the message says why and what to do.

    It is made from ``form`` and ``values``, so that the set-up page can translate it.
    """

    def __init__(self, form: str, *values: object) -> None:
        super().__init__(form % values)
        self.form, self.values = form, values


class Settings:
    """The settings of a clock, each key as an attribute."""

    def __init__(self, given: dict) -> None:
        """Raises :class:`Wrong` if a value is invalid."""
        if not isinstance(given, dict):
            raise Wrong("it must be one JSON object, as in clock.example.json")
        for key in given:
            if key not in NUMBERS and key not in TEXTS and key != "tls":
                raise Wrong("%s is unknown; see clock.example.json", _shown(key))
        for key, (usual, least, most) in NUMBERS.items():
            value = given.get(key, usual)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise Wrong("%s must be a whole number from %d to %d", key, least, most)
            setattr(self, key, value)
        for key, (usual, most) in TEXTS.items():
            value = given.get(key, usual)
            if not isinstance(value, str) or len(value.encode()) > most or not _plain(value):
                raise Wrong("%s must be one line of at most %d characters", key, most)
            setattr(self, key, value)
        self.tls = given.get("tls", False)
        if not isinstance(self.tls, bool):
            raise Wrong("tls must be true or false")
        self._check()

    def _check(self) -> None:
        for key in NEEDED:
            if not getattr(self, key):
                raise Wrong("%s is missing", key)
        for key, words in (("shows", SHOWS), ("display", DISPLAYS)):
            if getattr(self, key) not in words:
                raise Wrong("%s must be one of: %s", key, ", ".join(words))
        for key in ("table", "name", "of"):
            if [each for each in getattr(self, key) if each not in _TOPIC]:
                raise Wrong("%s must be of a to z, 0 to 9 and -, as in its topic", key)
        if not self.name:
            raise Wrong("name is missing")
        if self.shows == "seat" and not self.of:
            raise Wrong("of is missing; it names the seat")
        if self.password and not self.username:
            raise Wrong("password needs a username")
        if self.display != "ws2812" and self.pin == self.pin2:
            raise Wrong("pin and pin2 are the same pin; the display needs two")


def _plain(value: str) -> bool:
    for each in value:
        if ord(each) < 32 or ord(each) == 127:
            return False
    return True


def _shown(key: str) -> str:
    return repr(key[:32])


def load(file: str = FILE) -> Settings:
    """Read the settings in ``file``. Raises a :class:`Wrong` that names the file."""
    given = _given(file)
    try:
        return Settings(given)
    except Wrong as wrong:
        raise Wrong("%s: %s", file, wrong)


def stands(file: str = FILE) -> dict:
    """The file's content even if :func:`load` would refuse it, without impossible values."""
    try:
        given = _given(file)
    except Wrong:
        return {}
    found = {}
    if isinstance(given, dict):
        for key, value in given.items():
            kinds = (int, str) if key in NUMBERS else str if key in TEXTS else ()
            if isinstance(value, bool):
                kinds = bool if key == "tls" else ()
            if isinstance(value, kinds):
                found[key] = value
    return found


def _given(file: str) -> object:
    try:
        with open(file) as opened:
            text = opened.read(MOST_BYTES + 1)
    except OSError:
        raise Wrong("%s is not there", file)
    except ValueError:
        raise Wrong("%s is no text", file)
    if len(text) > MOST_BYTES:
        raise Wrong("%s is longer than %d characters", file, MOST_BYTES)
    try:
        return json.loads(text)
    except ValueError:
        raise Wrong("%s is no JSON; see clock.example.json", file)
