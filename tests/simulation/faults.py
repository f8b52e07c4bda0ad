"""Carries out the decisions of a plan: faults of readers, disk, machine and broker, and what hands
do besides playing."""

import asyncio
import contextlib
import shutil
import sqlite3
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from hub.table.state import Phase
from tests.simulation.plan import BROKER, DISK, HANDS, KINDS, READERS, SEATS, Decision
from tests.simulation.readers import Spot

if TYPE_CHECKING:
    from tests.simulation.life import Life


class Faults:
    """The faults of one life. ``by``, from 0 to 1, decides how long or how bad a fault is."""

    def __init__(self, life: "Life") -> None:
        self._life, self._loop = life, life.loop
        self._until_s = 0.0

    @property
    def until_s(self) -> float:
        """When the last of the faults so far is over (virtual time)."""
        return self._until_s

    def last(self, seconds: float) -> None:
        """Note that a fault lasts for so long from now on."""
        self._until_s = max(self._until_s, self._loop.time() + seconds)

    async def happen(self, decision: Decision) -> None:
        """Carry out a decision of the plan."""
        with self._life.span(lane_of(decision), f"{decision.kind} ({decision.by:g})"):
            await self._happen(decision)

    async def _happen(self, decision: Decision) -> None:
        kind, by, seat = decision.kind, decision.by, decision.seat
        life = self._life
        life.tell(seat if kind in READERS else "world", f"{kind} ({by:g})")
        life.outcome.reached[f"fault {kind}"] += 1
        match kind:
            case "last-moment":
                await self._lift_at_last_moment(seat, by)
            case "sneak":
                await self._sneak(seat, by)
            case _ if kind in HANDS:
                await life.hands[seat].deviate(decision)
            case _ if kind in READERS:
                await self._trouble_reader(kind, by, life.spots[seat])
            case "lock-journal":
                await self._lock_journal(by)
            case "replace-journal":
                await self._replace_journal()
            case _ if kind in DISK:
                await self._trouble_disk(kind, by)
            case _ if kind in BROKER:
                if life.mqtt is not None:
                    await self._over(life.mqtt.strike(kind, by))
            case "sleep-phone" if life.phones is not None:
                await life.phones.all[f"seat/{seat}"].sleep(40 * by)
            case "reload" if life.phones is not None:
                life.phones.all["display" if by < 0.5 else f"seat/{seat}"].reload()
            case _:
                await self._trouble_hub(kind, by)

    async def _trouble_hub(self, kind: str, by: float) -> None:
        life = self._life
        match kind:
            case "kill" | "power-cut" | "stop":
                await self._restart(kind, by)
            case "kill-at" | "power-at":
                await self._end_at(kind, by)
            case "lose-wal":
                await self._lose_wal(by)
            case "clock-back" | "clock-ahead":
                life.move_clock((1 if kind == "clock-ahead" else -1) * 3 ** (10 * by - 2))
            case "busy":
                busy = Random(f"{life.plan.seed} busy {by}")
                self._loop.step_s = lambda: busy.random() * 0.002 * by
                await self._over(6 * by)
                self._loop.step_s = None
            case "cut-first-start":
                pass  # by the disk of the first start

    async def _trouble_reader(self, kind: str, by: float, spot: Spot) -> None:
        match kind:
            case "unplug":
                spot.unplug()
                await self._over(0.1 + 6 * by)
                spot.plug()
            case "hang":
                spot.hung_until = self._loop.time() + 5 * by
                await self._over(5 * by)
            case "misses":
                spot.misses = by
                await self._over(8 * by)
                spot.misses = 0.0
            case "slow-reader":
                spot.slow_s = by / 4
                await self._over(8 * by)
                spot.slow_s = 0.0
            case "mute":
                spot.mute_until = self._loop.time() + 5 * by
                await self._over(5 * by)
            case "deaf":
                spot.deaf(True)
                await self._over(1 + 6 * by)
                spot.deaf(False)
            case "brown-out":
                spot.brown_out()
                await self._over(2)
            case "noise":
                spot.noise = by / 4
                await self._over(8 * by)
                spot.noise = 0.0
            case "near":
                number = SEATS.index(spot.name) + 1 + int(by * 3)
                spot.hear(self._life.spots[SEATS[number % len(SEATS)]])
                await asyncio.sleep(8 * by)
                spot.hear(None)

    async def _trouble_disk(self, kind: str, by: float) -> None:
        disk = self._life.disk
        if kind == "slow-disk":
            disk.sync_s = lambda: 0.05 * by
        elif kind == "stall-disk":
            disk.sync_s = lambda: 4 * by
        elif kind == "full":
            disk.full = True
        elif kind == "read-only":
            disk.read_only = True
        else:
            disk.failing_syncs = 1 + int(2 * by)
        if kind in {"stall-disk", "failing-sync"}:
            self._life.oracles.may_end_for(1 + 8 * by)
        await self._over(1 + 8 * by)
        disk.sync_s = lambda: 0.0
        disk.full = disk.read_only = False
        disk.failing_syncs = 0

    async def _over(self, seconds: float) -> None:
        """Let a fault last for so long."""
        self.last(seconds + 5)
        self._life.oracles.slow_for(seconds + 3)
        await asyncio.sleep(seconds)

    async def _restart(self, kind: str, by: float) -> None:
        life = self._life
        async with life.restarting:
            self.last(3)
            await {"kill": life.kill, "power-cut": life.power_cut, "stop": life.stop}[kind]()
            await asyncio.sleep(0.2 + 3 * by)
            await life.boot()

    def _waits_for(self, seat: str) -> str | None:
        """The other seat that the table waits for, if it is the only one, and a card of this seat
        lies sealed."""
        view = self._life.room.view
        if view is None or view.phase is not Phase.SEALED or not self._life.spots[seat].tags:
            return None
        left = [actor for actor in view.awaited if actor not in view.committed]
        seats = [each for each, hands in self._life.hands.items() if hands.waits()]
        return seats[0] if len(left) == len(seats) == 1 and seats[0] != seat else None

    async def _lift_at_last_moment(self, seat: str, by: float) -> None:
        """Lift a sealed card about when the last card that the table waits for is sealed."""
        spots = self._life.spots
        for _ in range(3000):
            await asyncio.sleep(0.01)
            other = self._waits_for(seat)
            if other is not None and spots[other].tags:
                laid_s = spots[other].history[-1][0]
                await asyncio.sleep(max(0.0, laid_s + 0.2 + 0.15 * by - self._loop.time()))
                self._life.hands[seat].busy_until = self._loop.time() + 1
                spots[seat].put()
                return

    async def _sneak(self, seat: str, by: float) -> None:
        """Lift a sealed card just before the last choice is made on a page."""
        hands = self._life.hands
        for _ in range(300):
            await asyncio.sleep(0.1)
            if (other := self._waits_for(seat)) is not None:
                hands[seat].busy_until = self._loop.time() + 1
                self._life.spots[seat].put()
                await asyncio.sleep(0.25 * by)
                await hands[other].deviate(Decision(0.0, "page", other, 0.7 + by / 4))
                return

    async def _lose_wal(self, by: float) -> None:
        """Start a killed hub without its -wal file, and put the file back after a failed start."""
        life = self._life
        async with life.restarting:
            self.last(6)
            await life.kill()
            wal, aside = life.folder / "journal.db-wal", life.folder / "wal-aside"
            if wal.exists():
                wal.rename(aside)
            back = self._loop.create_task(self._put_back(aside, wal, 1 + 2 * by))
            await life.boot()
            back.cancel()
            aside.unlink(missing_ok=True)  # it held nothing that was told

    async def _put_back(self, aside: Path, wal: Path, in_s: float) -> None:
        await asyncio.sleep(in_s)
        while self._life.is_up:
            await asyncio.sleep(0.1)
        if aside.exists():
            aside.rename(wal)
            self._life.disk = None  # the operator waits until the file is stored

    async def _end_at(self, kind: str, by: float) -> None:
        """Cut the power in the middle of one of the disk's next operations, or kill the hub."""
        life = self._life
        disk = life.disk
        disk.dies_at = int(by * 40)
        life.oracles.slow_for(20)
        for _ in range(200):
            await asyncio.sleep(0.05)
            if life.disk is not disk:
                return
            if disk.died:
                break
        async with life.restarting:
            if life.disk is disk:
                self.last(3)
                if kind == "kill-at":
                    life.tell("hub", "is killed")
                    disk.kill()
                    await life.bury()
                else:
                    await (life.end_disk() if disk.died else life.power_cut())
                await asyncio.sleep(0.2 + 3 * by)
                await life.boot()

    async def _lock_journal(self, by: float) -> None:
        """Let another program hold the lock for writing, for less time than SQLite waits."""
        life = self._life
        async with life.restarting:
            life.oracles.slow_for(4 * by)
            file = life.folder / "journal.db"
            other = sqlite3.connect(file, isolation_level=None, timeout=0)
            try:
                with contextlib.suppress(sqlite3.OperationalError):  # the hub has it just now
                    other.execute("BEGIN IMMEDIATE")
                await asyncio.sleep(4 * by)
            finally:
                other.close()
            await asyncio.sleep(0.5)

    async def _replace_journal(self) -> None:
        """Replace the journal's files by copies, as a program that syncs folders does. From then
        on the hub writes files that have no name."""
        life = self._life
        async with life.restarting:
            disk = life.disk
            try:
                disk.note_sync_folder(life.folder)
            except OSError:  # no program can replace anything then
                return
            if disk.read_only:
                return
            life.oracles.is_replaced = True
            self.last(10)
            disk.on_stored = lambda rows: None
            (life.folder / "journal.db-shm").unlink(missing_ok=True)
            for suffix in ("", "-wal"):
                file = life.folder / f"journal.db{suffix}"
                if file.exists():
                    new = life.folder / f"new{suffix}"
                    shutil.copyfile(file, new)
                    new.chmod(0o600)
                    new.rename(file)


def lane_of(decision: Decision) -> str:
    """The lane of a decision's span."""
    group = next(group for group, kinds in KINDS.items() if decision.kind in kinds)
    return decision.seat if group in ("hands", "readers") else group
