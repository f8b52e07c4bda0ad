"""What is said to a WLED device: small JSON documents to the topic ``api`` below its own.

A device takes each light's colour only while it is on, so it is woken first, by a message of its
own. It reads what comes in one piece of the network's at most, and has room for some 256 entries.

Ref: kno.wled.ge, JSON API and MQTT; wled00/mqtt.cpp, wled00/json.cpp of WLED 0.14 and 0.15.
"""

from collections.abc import Iterator, Sequence

import msgspec

MOST_TOPIC_CHARS = 32
"""The longest device topic that WLED keeps."""
MOST_BYTES = 1000
"""Of one message: older versions drop what comes in more than one piece."""
MOST_LIGHTS = 1024
MOST_SEGMENT = 31
MOST_PRESET = 250

Colour = tuple[int, int, int]


def api_topic(device: str) -> str:
    """Where a device takes commands."""
    return f"{device}/api"


def status_topic(device: str) -> str:
    """Where it says ``online``, at each change of its state too; ``offline`` is its last will."""
    return f"{device}/status"


def brightness_topic(device: str) -> str:
    """Where it says how bright it is, from 0 for off to 255, whoever has changed it."""
    return f"{device}/g"


def wake(brightness: int) -> bytes:
    """Switch it on, at a brightness of 1 to 255, without a transition."""
    return _said({"on": True, "bri": brightness, "tt": 0})


def preset(number: int) -> bytes:
    """Apply one of its presets, 1 to 250."""
    return _said({"ps": number})


def pixels(segment: int, old: Sequence[Colour | None], new: Sequence[Colour]) -> list[bytes]:
    """Messages that set the lights of ``segment`` that are not yet as ``new`` has them; None in
    ``old`` for a light that nobody knows. In order; none where nothing changes."""
    found: list[bytes] = []
    entries: list[int | str] = []
    empty = len(_pixels(segment, []))
    size = empty
    for start, stop, (red, green, blue) in _runs(old, new):
        entry: list[int | str] = [start, stop, f"{red:02X}{green:02X}{blue:02X}"]
        grown = len(msgspec.json.encode(entry)) - 1  # brackets go, a comma comes
        if size + grown > MOST_BYTES:
            found.append(_pixels(segment, entries))
            entries, size = [], empty
        entries += entry
        size += grown
    if entries:
        found.append(_pixels(segment, entries))
    return found


def _runs(old: Sequence[Colour | None], new: Sequence[Colour]) -> Iterator[tuple[int, int, Colour]]:
    """Neighbours of one colour in which something changes: the first, the one behind the last."""
    start = 0
    while start < len(new):
        stop = start + 1
        if old[start] == new[start]:
            start = stop
            continue
        while stop < len(new) and new[stop] == new[start] and old[stop] != new[stop]:
            stop += 1
        yield start, stop, new[start]
        start = stop


def _pixels(segment: int, entries: Sequence[int | str]) -> bytes:
    return _said({"seg": {"i": entries, "id": segment}})


def _said(document: object) -> bytes:
    return msgspec.json.encode(document, order="sorted")
