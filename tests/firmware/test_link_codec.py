"""The hub's codec and the firmware's agree on the same bytes (firmware/PROTOCOL.md)."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire import link as hub
from tests.support import micropython

sys.path.insert(0, str(micropython.FIRMWARE))
try:
    from common import link as board  # type: ignore[import-not-found]
finally:
    sys.path.pop(0)

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parents[1] / "vectors" / "link.json").read_text()
)
frames = st.builds(
    hub.Frame,
    *[st.integers(0, 255)] * 3,
    st.binary(max_size=hub.MOST_PAYLOAD) | st.integers(0, hub.MOST_PAYLOAD).map(bytes),
)


def _plain(frame: hub.Frame) -> tuple[int, int, int, bytes]:
    return frame.address, frame.kind, frame.seq, frame.payload


def _both(data: bytes, cut: int = 0) -> tuple[list[tuple[int, int, int, bytes]], int]:
    """Return the frames in a stream and the number of damaged ones, on which both codecs agree."""
    ours, its = hub.Stream(), board.Stream()
    parts = (data[:cut], data[cut:])
    found = [_plain(frame) for part in parts for frame in ours.feed(part)]
    assert found == [frame for part in parts for frame in its.feed(part)]
    assert ours.damaged == its.damaged
    return found, ours.damaged


@pytest.mark.parametrize("case", VECTORS["cobs"], ids=lambda case: case["plain"][:16])
def test_stuffing(case: dict[str, str]) -> None:
    plain, stuffed = bytes.fromhex(case["plain"]), bytes.fromhex(case["stuffed"])
    for codec in (hub, board):
        assert codec.stuff(plain) == stuffed
        assert codec.unstuff(stuffed) == plain


@pytest.mark.parametrize("case", VECTORS["frames"], ids=lambda case: case["what"])
def test_frames(case: dict[str, Any]) -> None:
    frame = hub.Frame(case["address"], case["kind"], case["seq"], bytes.fromhex(case["payload"]))
    assert hub.encode(frame).hex() == case["wire"]
    assert board.encode(*_plain(frame)).hex() == case["wire"]
    assert _both(bytes.fromhex(case["wire"])) == ([_plain(frame)], 0)


@pytest.mark.parametrize("case", VECTORS["streams"], ids=lambda case: case["what"])
def test_streams(case: dict[str, Any]) -> None:
    wanted = [VECTORS["frames"][at] for at in case["frames"]]
    found, damaged = _both(bytes.fromhex(case["stream"]))
    assert [frame[3].hex() for frame in found] == [each["payload"] for each in wanted]
    assert damaged == case["damaged"]


def test_the_vectors_pass_on_micropython() -> None:
    code = f"""
import json
from common import link
vectors = json.load(open({str(Path(__file__).parents[1] / "vectors" / "link.json")!r}))
un = bytes.fromhex
for each in vectors["cobs"]:
    assert link.stuff(un(each["plain"])) == un(each["stuffed"]), each
    assert link.unstuff(un(each["stuffed"])) == un(each["plain"]), each
for each in vectors["frames"]:
    made = link.encode(each["address"], each["kind"], each["seq"], un(each["payload"]))
    assert made == un(each["wire"]), each
for each in vectors["streams"]:
    stream = link.Stream()
    found = stream.feed(un(each["stream"]))
    wanted = [un(vectors["frames"][at]["payload"]) for at in each["frames"]]
    assert [frame[3] for frame in found] == wanted, each
    assert stream.damaged == each["damaged"], each
print("the same")
"""
    assert micropython.run(code) == "the same\n"


@given(frames, st.data())
def test_any_frame_survives_being_cut_in_two(frame: hub.Frame, data: st.DataObject) -> None:
    wire = hub.encode(frame)
    assert wire == board.encode(*_plain(frame))
    assert 0 not in wire[1:-1]
    assert _both(wire, data.draw(st.integers(0, len(wire)))) == ([_plain(frame)], 0)


@given(frames, st.binary(max_size=400), st.data())
def test_noise_neither_loses_nor_creates_a_frame(
    frame: hub.Frame, noise: bytes, data: st.DataObject
) -> None:
    wire = hub.encode(frame)
    found, _ = _both(noise + wire, data.draw(st.integers(0, len(noise))))
    assert found[-1] == _plain(frame)
    bit = data.draw(st.integers(8, 8 * len(wire) - 9))
    turned = bytearray(wire)
    turned[bit // 8] ^= 1 << bit % 8
    found, _ = _both(bytes(turned))
    assert found == []


@given(st.binary(max_size=80))
def test_a_payload_is_parsed_or_refused(payload: bytes) -> None:
    readers = (hub.welcome, hub.looked, hub.ready, hub.health, hub.failure, hub.refusal)
    for read in readers:
        try:
            read(payload)
        except hub.LinkError:
            continue
