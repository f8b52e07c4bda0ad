"""A floor of hubs: many tables in one room, on one broker, for a virtual day."""

import asyncio
import shutil
from pathlib import Path
from random import Random
from typing import Any

from msgspec.structs import replace

from hub.daemon.mqtt import MQTT
from hub.daemon.serve import serve
from hub.wire.payloads import OFFLINE, ONLINE, state_payload
from hub.wire.topics import Topics
from tests.simulation import tables
from tests.simulation.client import Service, mqtt_client, paho_time
from tests.simulation.disk import SimDisk
from tests.simulation.life import FOLDER
from tests.simulation.loop import START_S, SimLoop
from tests.simulation.machine import Machine
from tests.simulation.mqtt_broker import Broker
from tests.simulation.mqtt_room import LOGIN
from tests.simulation.readers import Spot
from tests.simulation.room import Room
from tests.simulation.sockets import Network

PACE_S = 240.0
"""How long the hub's players think: a table makes some hundreds of choices a day."""


class _Way:
    def __init__(self, network: Network) -> None:
        self._network = network

    def client(self, machine: object, *where: Any, **how: Any) -> Any:
        return mqtt_client(self._network, *where, owner=machine, **how)


class FloorTable:
    """One table of the floor; the hub plays all of its characters."""

    def __init__(self, floor: "Floor", number: int) -> None:
        self.name = f"t{number}"
        self.topics = Topics(self.name)
        self.room = Room()
        self._folder = floor.folder / self.name
        self._folder.mkdir()
        loop = floor.loop
        self._disk = SimDisk(self._folder, Random(f"disk {number}"), loop.sleep)
        self._disk.on_stored = self._stored
        self._machine = Machine(loop, Random(f"machine {number}"), self._disk)
        self._machine.mqtt = floor.way
        self._ready: asyncio.Future[Any] = loop.create_future()
        books = [*tables.BOOKS]
        table = tables.Table(books[number % len(books)], (0.0, 1.0), mqtt=True)
        files = table.files(self._folder)
        config = replace(files.config, table=replace(files.config.table, name=self.name))
        serving = serve(
            replace(files, config=config),
            self._ready.set_result,
            pace_s=PACE_S,
            demo=True,
            autoplay=True,
            outputs=[self.room.output(), MQTT],
            world=self._machine,
        )
        self.hub = loop.create_task(serving, name=self.name)

    def _stored(self, rows: Any) -> None:
        self.room.stored.update((seq, line) for seq, line, _ in rows)

    async def ready(self) -> None:
        await asyncio.wait({self.hub, self._ready}, return_when=asyncio.FIRST_COMPLETED)
        if self.hub.done():
            self.hub.result()

    async def stop(self) -> None:
        self.hub.cancel()
        await asyncio.wait({self.hub})
        self._disk.kill()
        self._machine.end()


class Floor:
    """``hubs`` tables."""

    def __init__(self, hubs: int) -> None:
        self.folder: Path = FOLDER
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        self.loop = SimLoop(Random("floor"))
        network = Network(self.loop, Random("network"))
        self.broker = Broker(self.loop.time, LOGIN)
        Service(network, self.broker)
        self.way = _Way(network)
        self._hubs = hubs
        self.tables: list[FloorTable] = []
        self.findings: list[str] = []

    async def day(self, seconds: float) -> None:
        """Let all tables play for so long, then look at what the broker has of each."""
        self.tables = [FloorTable(self, number) for number in range(self._hubs)]
        for table in self.tables:
            await table.ready()
        until_s = self.loop.time() + seconds
        while self.loop.time() < until_s:
            await asyncio.sleep(60)
            self._look()
        await asyncio.sleep(5)
        kept = self.broker.retained()
        for table in self.tables:
            view, topics = table.room.view, table.topics
            assert view is not None
            if kept.get(topics.status) != ONLINE or kept.get(topics.state) != state_payload(view):
                self.findings.append(f"{table.name}: the broker has an old state")
        await asyncio.gather(*(table.stop() for table in self.tables))
        await asyncio.sleep(1)
        kept = self.broker.retained()
        for table in self.tables:
            if kept.get(table.topics.status) != OFFLINE:
                self.findings.append(f"{table.name}: it is gone, and online")

    def _look(self) -> None:
        for table in self.tables:
            self.findings += [f"{table.name}: {why}" for why in table.room.findings]
            table.room.findings.clear()
            if table.hub.done():
                self.findings.append(f"{table.name} has ended by itself")

    @property
    def rows(self) -> int:
        """How many records all tables have stored."""
        return sum(len(table.room.stored) for table in self.tables)

    def run(self, seconds: float) -> None:
        """Live through so many virtual seconds."""
        loop = self.loop
        loop.most_steps = None
        spots = {seat: Spot(loop, Random(seat), seat) for seat in tables.SEATS}
        try:
            with tables.with_hands(spots), paho_time(loop.time):
                loop.run_until_complete(self.day(seconds))
        finally:
            for actor in loop.actors:
                actor.unwind()
            loop._closed = True
            shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def virtual_s(self) -> float:
        return self.loop.time() - START_S
