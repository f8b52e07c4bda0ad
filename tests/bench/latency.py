"""From the last seal to the reveal in a subscriber's hands; from a tag in the field to its seal."""

import asyncio
import os
import secrets
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TypeGuard

import aiomqtt

from hub.cards.deck import Deck
from hub.daemon.clock import SteadyClock
from hub.daemon.parts import Writer
from hub.daemon.restore import restore
from hub.daemon.runner import Runner
from hub.journal import SqliteJournal
from hub.mqtt.publisher import MqttPublisher
from hub.mqtt.settings import MqttSettings
from hub.ports import FieldSeen, ReaderEvent
from hub.readers.address import Pn532Address
from hub.readers.kinds import open_reader
from hub.rules.game import GM, Choice
from hub.sim.readers import SimulatedReader
from hub.table import inputs as i
from hub.table.records import SceneSetup
from hub.table.sealed import Sealed
from hub.table.state import Settings
from hub.wire.tags import tag_id
from tests.bench.figures import Figure
from tests.support.broker import Mosquitto
from tests.support.tabletalk import DUEL, SEATS

TURNS = 40
_PEOPLE_S = 0.05
"""Between two players who commit at nearly the same time."""
_EVENT = "facedown/bench/event"
_NODELAY = ["allow_anonymous true", "set_tcp_nodelay true"]


async def reveal() -> Figure:
    """Measured and baseline in turn, on one broker, with one subscriber, on one disk."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        writer = Writer(SqliteJournal.open(path / "journal.db", "bench"))
        with Mosquitto(path, _NODELAY) as broker:
            runner = Runner(
                restored=restore(writer.journal, "bench"),
                settings=Settings(seats=SEATS, reveal_delay_ms=0),
                journal=writer.journal,
                writer=writer.thread,
                deck=Deck(),
                seat_of={seat: seat for seat in SEATS},
                scene=lambda: ("", SceneSetup("unroll", DUEL)),
                clock=SteadyClock(),
                entropy=partial(secrets.token_bytes, 32),
            )
            settings = MqttSettings(table="bench", port=broker.port)
            async with (
                MqttPublisher(settings, runner.lines_after, lambda seq: None) as publisher,
                aiomqtt.Client("127.0.0.1", broker.port) as subscriber,
                aiomqtt.Client("127.0.0.1", broker.port) as bare,
            ):
                await subscriber.subscribe(_EVENT, qos=1)
                await subscriber.subscribe("bare", qos=1)
                runner.add_publisher(publisher)
                await publisher.wait_connected()
                measured, baseline = await _reveals(runner, subscriber, bare, path / "fsync")
        await writer.close()
    return Figure.of(
        "last seal → reveal at a subscriber", "ms", measured, baseline,
        "bare publish/subscribe of the same bytes, and one fsync", "≤ 2x",
    )  # fmt: skip


async def _reveals(
    runner: Runner, subscriber: aiomqtt.Client, bare: aiomqtt.Client, file: Path
) -> tuple[list[float], list[float]]:
    heard: asyncio.Queue[tuple[str, bytes]] = asyncio.Queue()

    async def listen() -> None:
        async for message in subscriber.messages:
            await heard.put((str(message.topic), bytes(message.payload)))  # type: ignore[arg-type]

    listening = asyncio.create_task(listen())
    measured, baseline = [], []
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT)
    for _ in range(TURNS):
        await runner.apply(i.StartScene("", SceneSetup("unroll", DUEL)))
        await runner.apply(i.Decide(GM, Choice("active", "ada"), GM))
        await runner.apply(i.Decide("ada", Choice("opponent", "ninja"), GM))
        none = Sealed(Choice("stance", "none"))
        await runner.apply(i.Commit("ada", none, "ada"))
        await _until(heard, b'"committed"')
        await asyncio.sleep(_PEOPLE_S)
        start = time.perf_counter()
        await runner.apply(i.Commit("ninja", none, "gm"))
        payload = await _until(heard, b'"revealed"')
        measured.append((time.perf_counter() - start) * 1000)
        await runner.apply(i.EndScene())
        await _until(heard, b'"scene-ended"')
        await asyncio.sleep(_PEOPLE_S)
        start = time.perf_counter()
        os.write(descriptor, payload)
        os.fsync(descriptor)
        await bare.publish("bare", payload, qos=1)
        await _until(heard, payload)
        baseline.append((time.perf_counter() - start) * 1000)
    os.close(descriptor)
    listening.cancel()
    await asyncio.gather(listening, return_exceptions=True)
    return measured, baseline


async def _until(heard: "asyncio.Queue[tuple[str, bytes]]", words: bytes) -> bytes:
    while True:
        _, payload = await asyncio.wait_for(heard.get(), 10)
        if words in payload:
            return payload


def poll() -> list[Figure]:
    """One reader and six side by side, with the chip's, the wire's and the radio's own times."""
    one = _arrivals(1)
    six = _arrivals(6)
    wire = [_WIRE_FLOOR_MS] * len(one)
    return [
        Figure.of(
            "tag in the field → read, one reader", "ms", one, wire,
            "UART at 115200, radio and chip alone", "near the wire's limit",
        ),
        Figure.of("tag in the field → read, six readers", "ms", six, one, "one reader", "1"),
    ]  # fmt: skip


_WIRE_FLOOR_MS = 29.2
"""UID and NDEF of 18 bytes: 10.2 ms of UART at 115200, 11 ms of radio, 8 ms of the chip."""


def _arrivals(readers: int) -> list[float]:
    import queue

    seen: queue.Queue[tuple[float, ReaderEvent]] = queue.Queue()
    with tempfile.TemporaryDirectory() as folder:
        fields = [SimulatedReader(f"r{n}", Path(folder)) for n in range(readers)]
        for field in fields:
            field.replug()
        opened = [open_reader(field.name, Pn532Address(field.path)) for field in fields]
        for reader in opened:
            reader.open(lambda event: seen.put((time.perf_counter(), event)))
        waits = []
        try:
            baselines = 0
            while baselines < readers:
                baselines += _is_news(seen.get(timeout=10)[1])
            for _ in range(15):
                start = time.perf_counter()
                for field in fields:
                    field.place(tag_id(secrets.token_bytes(16)))
                waits += _wait_all(seen, readers, start, filled=True)
                for field in fields:
                    field.lift()
                _wait_all(seen, readers, start, filled=False)
        finally:
            for reader in opened:
                reader.close()
            for field in fields:
                field.unplug()
    return waits


def _is_news(event: ReaderEvent) -> TypeGuard[FieldSeen]:
    return isinstance(event, FieldSeen) and event.sight is i.Sight.NEW


def _wait_all(seen: "object", readers: int, start: float, *, filled: bool) -> list[float]:
    found: list[float] = []
    while len(found) < readers:
        at, event = seen.get(timeout=10)  # type: ignore[attr-defined]
        if _is_news(event) and bool(event.tags) == filled:
            found.append((at - start) * 1000)
    return found
