"""Messages to a WLED device: small JSON documents to the topic ``api`` below its own.

A device sets single lights only while it is on, so a separate message turns it on first. It reads
at most one network packet per message, and has room for some 256 entries.

Ref: kno.wled.ge, JSON API and MQTT; wled00/mqtt.cpp, wled00/json.cpp of WLED 0.14 and 0.15.
"""

from collections.abc import Iterator, Sequence

import msgspec

MOST_TOPIC_CHARS = 32
"""The longest device topic that WLED keeps."""
MOST_BYTES = 1000
"""The longest message, because older versions drop those that arrive in more than one packet."""
MOST_LIGHTS = 1024
MOST_SEGMENT = 31
MOST_PRESET = 250

Colour = tuple[int, int, int]


def api_topic(device: str) -> str:
    """The topic where a device takes commands."""
    return f"{device}/api"


def status_topic(device: str) -> str:
    """The topic where a device says ``online``, again at each change of its state; its last will
    there is ``offline``."""
    return f"{device}/status"


def brightness_topic(device: str) -> str:
    """The topic of a device's current brightness, from 0 (off) to 255, however it was changed."""
    return f"{device}/g"


def wake(brightness: int) -> bytes:
    """The message that switches a device on, at a brightness of 1 to 255, without a transition."""
    return _said({"on": True, "bri": brightness, "tt": 0})


def preset(number: int) -> bytes:
    """The message that applies preset ``number`` of the device, 1 to 250."""
    return _said({"ps": number})


def pixels(segment: int, old: Sequence[Colour | None], new: Sequence[Colour]) -> list[bytes]:
    """Messages that update ``segment`` from ``old`` to ``new``, in order; empty without changes.
    None in ``old`` marks a light of unknown colour."""
    found: list[bytes] = []
    entries: list[int | str] = []
    empty = len(_pixels(segment, []))
    size = empty
    for start, stop, (red, green, blue) in _runs(old, new):
        entry: list[int | str] = [start, stop, f"{red:02X}{green:02X}{blue:02X}"]
        grown = len(msgspec.json.encode(entry)) - 1  # without its brackets, plus a comma
        if size + grown > MOST_BYTES:
            found.append(_pixels(segment, entries))
            entries, size = [], empty
        entries += entry
        size += grown
    if entries:
        found.append(_pixels(segment, entries))
    return found


def _runs(old: Sequence[Colour | None], new: Sequence[Colour]) -> Iterator[tuple[int, int, Colour]]:
    """Yield each run of adjacent changed lights of one colour: its first light, the light after its
    last, and the colour."""
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
