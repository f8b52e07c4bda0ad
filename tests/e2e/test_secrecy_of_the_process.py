"""Noninterference of the installed hub: up to the reveal the broker, page stream and log of two
runs are the same bytes, although the players place different cards. A kill and a restart are part
of it."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from hub.wire.payloads import lines_of
from tests.support.hub import Watch, watched_hub

VOLATILE = [
    (re.compile(rb'"[0-9a-f]{64}"'), rb'""'),
    (re.compile(rb'"(at_ms|reveal_at_ms)":\d+'), rb'"\1":0'),
    (re.compile(rb'"(at|started_at)":"[^"]*"'), rb'"\1":""'),
    (re.compile(rb"time=\S+"), b"time="),
    (re.compile(rb"127\.0\.0\.1:\d+"), b"127.0.0.1:0"),
    (re.compile(rb"/\S*/pytest-of-\S+?/(readers|journal)"), rb"/\1"),
    (re.compile(rb'"id":"[^"]*"'), b'"id":""'),
    (re.compile(rb"key=[\w-]{22}"), b"key="),
    (re.compile(rb"process \d+"), b"process 0"),
]


def plain(data: bytes) -> bytes:
    for pattern, instead in VOLATILE:
        data = pattern.sub(instead, data)
    return data


def once_each(messages: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Remove repeated events. An event whose acknowledgement was lost in a kill is sent again with
    the same number, in one message with the events after it."""
    messages = [
        (topic, each)
        for topic, payload in messages
        for each in (lines_of(payload) if topic == "facedown/test/event" else [payload])
    ]
    return [
        message
        for at, message in enumerate(messages)
        if message[0] != "facedown/test/event" or message not in messages[:at]
    ]


def in_any_order(messages: list[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Make the order after a start canonical, because readers answer in any order: messages about
    seats are split off, from each reader's first answer on, and equal states count once."""
    offline = messages.index(("facedown/test/status", b"offline"))
    before, after = messages[:offline], messages[offline:]
    seats = [m for m in after if m[0].startswith("facedown/test/seat/")]
    answered = dict.fromkeys(m for m in seats if b'"reader":"lost"' not in m[1])
    others = [(topic, _answered(data)) for topic, data in after if (topic, data) not in seats]
    told = [m for at, m in enumerate(others) if "state" not in m[0] or m not in others[:at]]
    return before + told + sorted(answered)


def _answered(payload: bytes) -> bytes:
    for said in (b'"reader":"', b'"state":"'):  # of a seat; of the health
        payload = payload.replace(said + b'lost"', said + b'ok"')
    return payload


class Told:
    """Everything that a hub said in the part of a run in which cards were secret."""

    def __init__(self) -> None:
        self.mqtt: list[tuple[str, bytes]] = []
        self.page: list[bytes] = []
        self.keyed: dict[str, list[bytes]] = {}
        self.log: list[bytes] = []


Hands = Callable[[Watch, aiohttp.ClientSession, Told, tuple[str, str]], Awaitable[None]]


async def run(folder: Path, cards: tuple[str, str], hands: Hands) -> Told:
    told = Told()
    async with watched_hub(folder, web=True, reveal_delay_s=1) as (watch, _):
        await watch.play(until=lambda now: now["phase"] == "sealed")
        heard_before = len(watch.heard.heard)
        log_before = len(watch.hub.output())
        async with aiohttp.ClientSession() as session:
            await hands(watch, session, told, cards)
        told.mqtt = [(m.topic, plain(m.payload)) for m in watch.heard.heard[heard_before:]]
        told.mqtt = [m for m in told.mqtt if m[0] != "facedown/test/cmd"]
        told.mqtt = once_each(told.mqtt)
        # Readers report from their own threads, so at a start their lines come in any order.
        log = watch.hub.output()[log_before:].encode().splitlines()
        # A frame cut short by the kill may disturb its reader, with any card.
        told.log = sorted(plain(line) for line in log if b": disturbed (" not in line)
    return told


async def readers(
    watch: Watch, session: aiohttp.ClientSession, told: Told, cards: tuple[str, str]
) -> None:
    """Play by cards on readers; everyone sees the same. ``cards`` are Ada's: one she takes back and
    one that stays."""
    display = re.findall(r"Display\s+(http://\S+)display", watch.hub.output())[-1]
    async with (
        session.ws_connect(f"{display}ws") as stream,
        following(watch, display, "GM console", "ws/gm") as gm,
        following(watch, display, "Seat bo", "ws/seat/bo") as bo,
    ):
        for card in cards:
            watch.lay("ada", card)
            await watch.until(lambda now: now["committed"] == ["Ada"])
            watch.clear()
            await watch.until(lambda now: now["committed"] == [])
        watch.lay("ada", cards[0])
        await watch.until(lambda now: now["committed"] == ["Ada"])
        while b'"committed":["Ada"]' not in (told.page or [b""])[-1] or len(told.page) < 10:
            message = await asyncio.wait_for(stream.receive(), 10)
            told.page.append(plain(str(message.data).encode()))
        told.keyed = {"gm": await all_of(gm), "bo": await all_of(bo)}
    await watch.hub.until_logged("GET /ws 101")
    ready = watch.hub.output().count("cards on the reader")
    watch.hub.kill()
    await watch.until_status(b"offline")
    watch.hub.start()
    await watch.until_status(b"online")
    await watch.hub.until_logged("cards on the reader", ready + 3)
    await watch.hub.until_logged("connected to the broker", 2)
    await watch.until(lambda now: now["committed"] == ["Ada"])


async def phones(
    watch: Watch, session: aiohttp.ClientSession, told: Told, cards: tuple[str, str]
) -> None:
    """Play from Ada's own page; everyone else only sees that she is ready."""
    display = re.findall(r"Display\s+(http://\S+)display", watch.hub.output())[-1]
    async with (
        session.ws_connect(f"{display}ws") as stream,
        following(watch, display, "GM console", "ws/gm") as gm,
        following(watch, display, "Seat bo", "ws/seat/bo") as bo,
        following(watch, display, "Seat ada", "ws/seat/ada") as ada,
    ):
        for number, card in enumerate([*cards, cards[0]]):
            for name, sent in (("commit", {"choice": card}), ("take-back", {})):
                if name == "take-back" and number == len(cards):
                    break
                command = {"id": f"{name}-{number:016}", "command": name, "actor": "Ada", **sent}
                await ada.send_json({"do": "command", "command": command})
                there = ["Ada"] if name == "commit" else []
                await watch.until(lambda now, there=there: now["committed"] == there)
        told.page = await all_of(stream)
        told.keyed = {"gm": await all_of(gm), "bo": await all_of(bo)}
        own = await all_of(ada)
        assert len([frame for frame in own if b'"code":"done"' in frame]) == 2 * len(cards) + 1
        for card in cards:
            # The page offers her choices, but never repeats the one she made.
            assert not [f for f in own if card.encode() in f and b'"type":"hand"' not in f]
    for path in ("/ws", "/ws/gm", "/ws/seat/bo", "/ws/seat/ada"):
        await watch.hub.until_logged(f"GET {path} 101")


@asynccontextmanager
async def following(
    watch: Watch, base: str, page: str, stream: str
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Open the stream of a page, by the address with its key that the hub has printed."""
    address = re.findall(page + r"\s+(http://\S+)", watch.hub.output())[-1]
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(address) as answer:
            assert answer.status == 200
        async with session.ws_connect(f"{base}{stream}", origin=base.rstrip("/")) as followed:
            yield followed


async def all_of(stream: aiohttp.ClientWebSocketResponse) -> list[bytes]:
    """Return every frame until no more come."""
    found = []
    with suppress(TimeoutError):
        while True:
            found.append(plain((await stream.receive_str(timeout=0.5)).encode()))
    return found


@pytest.mark.parametrize("hands", [readers, phones])
async def test_two_runs_with_different_cards_say_the_same(tmp_path: Path, hands: Hands) -> None:
    first = await run(tmp_path / "first", ("stance attack 2", "stance defend 1"), hands)
    second = await run(tmp_path / "second", ("stance grapple 1", "stance none"), hands)
    if hands is readers:
        first.mqtt, second.mqtt = in_any_order(first.mqtt), in_any_order(second.mqtt)
    assert first.mqtt == second.mqtt
    assert first.page == second.page
    assert first.keyed == second.keyed
    for kind in (b"console", b"chronicle"):
        assert any(b'"type":"' + kind in frame for frame in first.keyed["gm"])
    assert any(b'"type":"hand"' in frame for frame in first.keyed["bo"])
    assert first.log == second.log
    assert len(first.mqtt) > 10 and len(first.page) >= 10 and len(first.log) > 10
