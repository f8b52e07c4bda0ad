"""The text on a clock of four digits: four characters and a colon, from facts and a time."""

SEGMENTS = {
    " ": 0x00, "-": 0x40, "_": 0x08,
    "0": 0x3F, "1": 0x06, "2": 0x5B, "3": 0x4F, "4": 0x66,
    "5": 0x6D, "6": 0x7D, "7": 0x07, "8": 0x7F, "9": 0x6F,
    "E": 0x79, "L": 0x38, "S": 0x6D, "d": 0x5E, "n": 0x54, "o": 0x5C, "t": 0x78,
}  # fmt: skip
"""Character → its segments, A in bit 0 to G in bit 6."""

_BLANK = "    "


def text(mood: str, shows: str, facts: object, now: int) -> tuple:
    """The four characters, all of :data:`SEGMENTS`, and whether the colon is lit.

    ``mood`` is the lights' mood (:func:`faces.mood`).
    """
    on = now % 1000 < 500
    if mood == "offline":
        return ("----" if now % 2000 < 1000 else _BLANK), False
    if mood == "revealed":
        at = now // 150 % 4
        return "8888" if now % 1000 < 700 else _BLANK[:at] + "-" + _BLANK[at + 1 :], True
    if mood == "locked":
        at = now // 120 % 4
        return _BLANK[:at] + "-" + _BLANK[at + 1 :], False
    if shows == "timer":
        return _timer(mood, facts, now, on)
    if shows == "countdown":
        return _countdown(mood, facts, now, on)
    if shows == "seat":
        words = {"awaited": "-  -" if on else _BLANK, "committed": "donE"}
        words["lost"] = "LoSt" if on else _BLANK
        return words.get(mood, _BLANK), False
    if mood == "choosing":
        return _two(facts.committed, facts.awaited), True
    return _BLANK, True


def _two(left: int, right: int) -> str:
    return "%2d%2d" % (min(left, 99), min(right, 99))


def _timer(mood: str, facts: object, now: int, on: bool) -> tuple:
    if mood == "idle":
        return _BLANK, True
    if mood == "timeless":
        return "-  -" if on else " -- ", True
    if mood == "zero":
        return ("0000" if on else _BLANK), on
    left = (facts.deadline - now + 999) // 1000
    figures = "%02d%02d" % (min(left // 60, 99), left % 60)
    return (figures if mood != "warning" or now % 400 < 200 else _BLANK), on


def _countdown(mood: str, facts: object, now: int, on: bool) -> tuple:
    if mood == "none":
        return _BLANK, True
    figures = _two(facts.marked, facts.boxes)
    blinks = (mood == "full" and not on) or (mood == "marked" and now % 400 >= 200)
    return (_BLANK if blinks else figures), True
