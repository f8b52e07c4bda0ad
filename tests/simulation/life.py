"""One evening of a simulated hub, with its players and faults, from a plan to an outcome."""

import asyncio
import contextlib
import hashlib
import logging
import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec

from hub.daemon import inbox, snapshots
from hub.daemon.ending import END_S
from hub.daemon.mqtt import MQTT
from hub.daemon.output import StartError
from hub.daemon.pages import WEB
from hub.daemon.serve import serve
from hub.journal import JournalRows
from hub.ports import JournalError
from tests.simulation import tables
from tests.simulation.chips import ChipSpot, in_virtual_time
from tests.simulation.client import paho_time
from tests.simulation.disk import SimDisk
from tests.simulation.faults import Faults
from tests.simulation.hands import Hands
from tests.simulation.loop import START_S, Deadlock, Pct, Policy, SimLoop, SimTask, Uniform
from tests.simulation.machine import Machine
from tests.simulation.mqtt_room import MqttRoom
from tests.simulation.oracles import Oracles
from tests.simulation.outcome import Happened, Outcome, Span
from tests.simulation.pages import Phones, numbered_clients
from tests.simulation.plan import Plan
from tests.simulation.readers import Spot
from tests.simulation.room import Room

FOLDER = Path("/dev/shm" if Path("/dev/shm").is_dir() else "/tmp") / f"facedown-sim-{os.getpid()}"
_HUB: ContextVar[int] = ContextVar("hub", default=0)


class _Log(logging.Handler):
    """Turns faults that the hub logs into findings."""

    def __init__(self, life: "Life") -> None:
        super().__init__(logging.WARNING)
        self._life = life

    def emit(self, record: logging.LogRecord) -> None:
        said = record.getMessage()
        self._life.tell("log", f"{record.levelname.lower()}: {said}")
        if record.exc_info or "could not be shown everywhere" in said or "hub's" in said:
            self._life.find(f"a fault in the log: {said}")


class Life:
    """The hub of one plan, from its first start to its end. ``plants`` are called with this object
    before the first start; each patches a fault into the hub."""

    def __init__(self, plan: Plan, plants: Iterable[Callable[["Life"], Any]] = ()) -> None:
        self.plan, self._plants = plan, tuple(plants)
        seed = plan.seed
        self.loop: Any = self.make_loop()
        self.table = tables.drawn(
            Random(f"{seed} table"), mqtt=plan.mqtt, chips=plan.chips, pages=plan.pages
        )
        self.room = self.make_room()
        self.spots = {
            seat: (ChipSpot if plan.chips else Spot)(self.loop, Random(f"{seed} {seat}"), seat)
            for seat in self.table.seats
        }
        self.hands = {seat: self.make_hands(seat) for seat in self.spots}
        self.outcome = Outcome(plan)
        self.folder = FOLDER
        self.oracles = Oracles(self)
        self.machine: Machine
        self.disk: Any = None
        self.planted = contextlib.ExitStack()
        self.faults = Faults(self)
        self.phones: Phones | None = None
        if plan.pages:
            self.phones = Phones(self.loop, Random(f"{seed} phones"), self.table.seats)
        self.mqtt: MqttRoom | None = None
        if plan.mqtt:
            self.mqtt = MqttRoom(self.loop, Random(f"{seed} mqtt"), self.room)
        self._boots = 0
        self._hub: asyncio.Task[None] | None = None
        self._tasks: dict[asyncio.Task[Any], int] = {}
        self._turns = 0
        self.playing: list[asyncio.Task[None]] = []
        self._ahead_s = 0.0
        self._handler = _Log(self)
        self.restarting = asyncio.Lock()
        """Held while the hub is ended and started again."""
        self._up_s: float | None = None
        self._count = 0
        self._digest = hashlib.sha256()

    def make_loop(self) -> Any:
        return SimLoop(Random(f"{self.plan.seed} loop"), _policy(self.plan))

    def make_machine(self, number: int) -> Machine:
        """The machine from its ``number``th start on."""
        chance = Random(f"{self.plan.seed} machine {number}")
        machine = Machine(self.loop, chance, self.disk, boot=str(number))
        machine.spots, machine.mqtt = self.spots, self.mqtt
        return machine

    def make_room(self) -> Room:
        return Room()

    def make_hands(self, seat: str) -> Hands:
        return Hands(seat, self.spots[seat], self.room, self.table, self.plan.seed)

    @property
    def boots(self) -> int:
        """How many hubs there have been."""
        return self._boots

    @property
    def is_up(self) -> bool:
        """Whether a hub runs, starts or stops."""
        return self._hub is not None

    def move_clock(self, by_s: float) -> None:
        """Set the machine's wall clock ahead, or back."""
        self._ahead_s += by_s
        self.machine.ahead_s = self._ahead_s

    # Telling

    def now_s(self) -> float:
        return round(self.loop.time() - START_S, 3)

    def tell(self, who: str, what: str) -> None:
        what = what.replace(str(self.folder), "TABLE")
        self.outcome.story.append(Happened(self.now_s(), who, what))

    @contextlib.contextmanager
    def span(self, lane: str, what: str) -> Iterator[None]:
        """Note how long something lasts."""
        from_s = self.now_s()
        try:
            yield
        finally:
            self.outcome.spans.append(Span(lane, from_s, self.now_s(), what))

    def find(self, why: str) -> None:
        if not self.outcome.finding:
            why = why.replace(str(self.folder), "TABLE")
            self.outcome.finding = why
            self.tell("finding", why)

    # The hub's life

    async def boot(self) -> None:
        """Start the hub, as often as it takes."""
        while not self.outcome.finding:
            self._boots += 1
            number = self._boots
            self.disk = self._fresh_disk(number)
            self.machine = self.make_machine(number)
            self.machine.ahead_s = self._ahead_s
            ready: asyncio.Future[object] = self.loop.create_future()
            self._read_journal()
            self.room.begin()
            outputs = [self.room.output(), *([MQTT] if self.plan.mqtt else [])]
            outputs += [WEB] if self.plan.pages else []

            serving = serve(
                self.table.files(self.folder), ready.set_result, outputs=outputs, world=self.machine
            )
            before = _HUB.get()
            _HUB.set(number)
            self._hub = self.loop.create_task(serving, name="hub")
            _HUB.set(before)
            await asyncio.wait({self._hub, ready}, return_when=asyncio.FIRST_COMPLETED)
            if ready.done():
                self.tell("hub", "is up")
                self._up_s = self.now_s()
                if self.phones is not None:
                    self.phones.meet(ready.result().pages)
                self.oracles.began()
                return
            why = self._hub.exception()
            self.tell("hub", f"does not start: {why}")
            died = self.disk.died
            await self.end_disk()
            if not (died or isinstance(why, StartError)) or not self._may_fail():
                self.find(f"the hub does not start: {why!r}")
                return
            await asyncio.sleep(2)

    def _fresh_disk(self, number: int) -> Any:
        chance = Random(f"{self.plan.seed} disk {number}")
        disk = SimDisk(self.folder, chance, self._pause_disk, before=self.disk)
        disk.on_stored = self._stored
        disk.on_death = self.room.end
        early = [d for d in self.plan.decisions if d.kind == "cut-first-start"]
        if number == 1 and early:
            disk.dies_at = int(early[0].by * 60)
            self.faults.last(3)
        return disk

    def _pause_disk(self, seconds: float) -> None:
        thread = getattr(self.loop, "current", None)
        if thread is not None and thread.name == "journal":
            self.oracles.disk_pauses(seconds)
        self.loop.sleep(seconds)

    async def end_disk(self) -> None:
        """End the hub's process, or, if the power went in it, its machine."""
        if self.disk.died:
            self.tell("machine", "loses its power")
            self.disk.crash()
        else:
            self.disk.kill()
        await self.bury(power=self.disk.died)

    def _read_journal(self) -> None:
        """Note the rows that a hub that starts now will read. The last hub may have died before it
        learnt that some of them are stored."""
        with (
            contextlib.suppress(JournalError),
            JournalRows.read(self.folder / "journal.db") as rows,
        ):
            found = [(row.seq, row.line, None) for row in rows.rows()]
            self.oracles.finds([seq for seq, _, _ in found if seq not in self.room.stored])
            self._stored(found)

    def _may_fail(self) -> bool:
        """Whether a fault may keep the hub from starting now."""
        return self.loop.time() < self.faults.until_s

    async def bury(self, *, power: bool = False) -> None:
        """End the tasks, connections and threads of a hub whose process has ended. ``power``: its
        machine lost its power, so that its peers hear nothing of the end."""
        number = self._boots
        if self._up_s is not None:
            self.outcome.spans.append(Span("hub", self._up_s, self.now_s(), "up"))
            self._up_s = None
        self.room.end()
        self.machine.end()
        if self.phones is not None:
            self.phones.part()
        if self.mqtt is not None:
            self.mqtt.part(self.machine, power=power)
        self.oracles.ended()
        for _ in range(50):
            left = [task for task, of in self._tasks.items() if of == number and not task.done()]
            if not left:
                break
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1)
        self._tasks = {task: of for task, of in self._tasks.items() if of != number}
        self._hub = None

    async def kill(self) -> None:
        self.tell("hub", "is killed")
        self.oracles.ends()
        self.disk.kill()
        await self.bury()

    async def power_cut(self) -> None:
        self.tell("machine", "loses its power")
        self.oracles.ends()
        self.disk.crash()
        await self.bury(power=True)

    async def stop(self) -> None:
        """Stop the hub as SIGTERM does."""
        assert self._hub is not None
        self.tell("hub", "is stopped")
        self.oracles.ends()
        began_s = self.loop.time()
        self._hub.cancel()
        await asyncio.wait({self._hub}, timeout=END_S)
        if not self._hub.done() and began_s > self.oracles.calm_s:
            self.find(f"the hub does not stop within {END_S} s")
        self.tell("hub", f"has stopped after {self.loop.time() - began_s:.3f} s")
        self.disk.kill()
        await self.bury()

    # Oracles

    def _stored(self, rows: list[tuple[int, bytes, bytes | None]]) -> None:
        """Called once rows are stored."""
        for seq, line, secret in rows:
            self._digest.update(line + (secret or b""))
            if self.room.stored.get(seq, line) != line:
                if seq in self.room.told:
                    self.find(f"record {seq} was told, and another one is stored in its place")
                for later in [each for each in self.room.stored if each > seq]:
                    del self.room.stored[later]
            if seq not in self.room.stored:
                self.outcome.reached["rows"] += 1
                self._turns += b'"type":"revealed"' in line
                self.room.stored[seq] = line
                self.oracles.stored(seq, line, secret)
            self.room.stored[seq] = line

    def _watch(self) -> None:
        if self.room.findings:
            self.find(self.room.findings[0])
        if self.phones is not None and self.room.view is not None:
            page = self.phones.behind(self.room.view.seq)
            if page:
                self.find(f"the page {page} shows an old state")
        hub = self._hub
        if hub is not None and hub.done() and not hub.cancelled() and hub.exception():
            why = hub.exception()
            is_start = isinstance(why, StartError) and self._may_fail()
            if not (is_start or self.disk.died or self.oracles.may_end(why)):
                self.find(f"the hub ended by itself: {why!r}")

    # The evening

    async def evening(self) -> None:
        await self.boot()
        self.playing = playing = [
            self.loop.create_task(hands.play(), name=f"hands {seat}")
            for seat, hands in self.hands.items()
        ]
        if self.phones is not None:
            self.playing += [
                self.loop.create_task(phone.stay(), name=page)
                for page, phone in self.phones.all.items()
            ]
        happening = set()
        began_s = self.loop.time()
        for decision in self.plan.decisions:
            await self._until(began_s + decision.at_s)
            if self.outcome.finding or self._turns >= self.plan.turns:
                break
            task = self.loop.create_task(self.faults.happen(decision))
            happening.add(task)
        while not self.outcome.finding and self._turns < self.plan.turns:
            if self.loop.time() > max(self.faults.until_s, began_s) + 240:
                self.find("the table does not play on")
            await self._until(self.loop.time() + 1)
        for task in (*playing, *happening):
            task.cancel()
        results = await asyncio.gather(*playing, *happening, return_exceptions=True)
        for result in results:
            if isinstance(result, Exception):
                self.find(f"somebody cannot go on: {result!r}")
        if not self.outcome.finding and not (self._hub and self._hub.done()):
            if self.mqtt is not None:
                await self.mqtt.settle()
                self._watch()
            await self._end()
            if self.mqtt is not None:
                await self.mqtt.ended()
                self._watch()
        elif self._hub is not None:
            self.disk.kill()
            await self.bury()

    async def _until(self, at_s: float) -> None:
        while not self.outcome.finding and self.loop.time() < at_s:
            await asyncio.sleep(min(0.5, at_s - self.loop.time()))
            self.oracles.look()
            await self._see_to_it()
            for task in self.playing:
                if task.done() and task.exception():
                    self.find(f"somebody cannot go on: {task.exception()!r}")

    async def _see_to_it(self) -> None:
        """Start a hub that has ended by itself, as systemd does."""
        async with self.restarting:
            hub = self._hub
            if hub is not None and hub.done():
                self._watch()
                self.tell("hub", f"has ended: {hub.exception()}")
                self.oracles.gives_up(hub.exception())
                await self.end_disk()
                await asyncio.sleep(2)
                await self.boot()

    async def _end(self) -> None:
        await self.stop()
        self.oracles.judge_the_end()

    def run(self) -> Outcome:
        """Live through the plan."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(mode=0o700)
        loop = self.loop
        loop.set_task_factory(self._made)
        loop.on_step = self._watch
        loop.set_exception_handler(lambda _, context: self.find(f"unhandled: {context}"))
        logger = logging.getLogger("hub")
        logger.addHandler(self._handler)
        propagate, logger.propagate = logger.propagate, False
        try:
            with (
                self.planted,
                tables.with_hands(self.spots),
                in_virtual_time(loop),
                numbered_clients(),
                paho_time(loop.time),
                self.oracles.watching(),
            ):
                self._lower_limits()
                for plant in self._plants:
                    plant(self)
                loop.run_until_complete(self.evening())
        except Deadlock as error:
            self.find(str(error))
        finally:
            logger.propagate = propagate
            logger.removeHandler(self._handler)
            self.outcome.steps, self.outcome.virtual_s = loop.steps, self.now_s()
            self._conclude()
            self._close()
        return self.outcome

    def _conclude(self) -> None:
        outcome = self.outcome
        outcome.reached.update(self.room.reached)
        if self._up_s is not None:
            outcome.spans.append(Span("hub", self._up_s, self.now_s(), "up"))
        outcome.told = [
            Happened(round(at_s - START_S, 3), who, what) for at_s, who, what in self.room.noted
        ]
        names = self.table.cards
        outcome.cards = {
            seat: [
                (round(max(0.0, at_s - START_S), 3), tuple(names.get(tag, tag) for tag in tags))
                for at_s, tags in spot.history
            ]
            for seat, spot in self.spots.items()
        }
        whole = (outcome.story, outcome.spans, outcome.cards, outcome.told)
        self._digest.update(msgspec.json.encode((*whole, outcome.steps, self.loop.time())))
        outcome.digest = self._digest.hexdigest()

    def _lower_limits(self) -> None:
        """Let some lives reach what takes an evening otherwise."""
        lowered = limits(self.plan.seed)
        if "snapshots" in lowered:
            self.planted.enter_context(patch.multiple(snapshots, EVERY=20, BEHIND=5))
        if "inbox" in lowered:
            self.planted.enter_context(patch.object(inbox, "MAX_WAITING", 4))

    def _close(self) -> None:
        loop, loop.on_step = self.loop, None
        loop.set_exception_handler(lambda *_: None)
        self.room.end()
        self.machine.end()
        with contextlib.suppress(Deadlock):
            loop.steps = 0
            loop.run_until_complete(self._all_ended())
        for actor in loop.actors:
            actor.unwind()
        loop._closed = True  # its base class would wait for threads
        with contextlib.suppress(ValueError):  # it has ended
            self.disk.kill()
        asyncio.set_event_loop(None)
        shutil.rmtree(self.folder, ignore_errors=True)

    async def _all_ended(self) -> None:
        for _ in range(50):
            left = asyncio.all_tasks() - {asyncio.current_task()}
            if not left:
                return
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1)

    def _made(self, loop: Any, coro: Any, **how: Any) -> Any:
        self._count += 1
        task = SimTask(coro, self._count, loop=loop, **how)
        if number := _HUB.get():
            self._tasks[task] = number
        return task


def limits(seed: int) -> set[str]:
    """Which limits of the hub a seed lowers."""
    chance = Random(f"{seed} limits")
    return {
        name for name, share in (("snapshots", 0.3), ("inbox", 0.15)) if chance.random() < share
    }


def _policy(plan: Plan) -> Policy | None:
    chance = Random(f"{plan.seed} order")
    return {"uniform": Uniform, "pct": Pct}[plan.order](chance) if plan.order != "fifo" else None


def live(plan: Plan, plants: Iterable[Callable[[Life], Any]] = ()) -> Outcome:
    """Live through a plan."""
    return Life(plan, plants).run()
