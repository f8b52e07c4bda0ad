"""Messages to a WLED device: small enough for it, and with changes only."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire.wled import MOST_BYTES, Colour, pixels, preset, wake

COLOURS = st.tuples(*[st.integers(0, 255)] * 3)
LIGHTS = st.lists(COLOURS | st.just((0, 0, 0)), min_size=1, max_size=200)


def set_by(messages: list[bytes], old: list[Colour | None], segment: int) -> list[Colour | None]:
    lights = [*old]
    for message in messages:
        said: dict[str, Any] = json.loads(message)
        assert said["seg"]["id"] == segment and said.keys() == {"seg"}
        entries = said["seg"]["i"]
        for start, stop, colour in zip(*[iter(entries)] * 3, strict=True):
            lights[start:stop] = [tuple(bytes.fromhex(colour))] * (stop - start)
    return lights


@given(LIGHTS, st.data())
def test_the_messages_set_the_lights(new: list[Colour], data: st.DataObject) -> None:
    some = st.lists(st.none() | COLOURS | st.sampled_from(new), min_size=len(new))
    old = data.draw(some)[: len(new)]
    assert set_by(pixels(3, old, new), old, 3) == new


@given(LIGHTS)
def test_unchanged_lights_are_not_sent(new: list[Colour]) -> None:
    assert pixels(0, new, new) == []


@pytest.mark.parametrize("count", [1, 24, 1024])
def test_each_message_fits_the_device(count: int) -> None:
    motley = [(n % 256, n // 256, 7) for n in range(count)]
    found = pixels(31, [None] * count, motley)
    assert all(len(each) <= MOST_BYTES for each in found)
    assert max(len(json.loads(each)["seg"]["i"]) for each in found) <= 240
    assert set_by(found, [None] * count, 31) == motley
    assert len(pixels(0, [None] * count, [(1, 2, 3)] * count)) == 1


def test_waking_has_its_own_message() -> None:
    assert json.loads(wake(128)) == {"on": True, "bri": 128, "tt": 0}
    assert json.loads(preset(5)) == {"ps": 5}
