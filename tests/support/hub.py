"""The installed hub as a process, with readers, a broker and cards that outlive it.

The readers are PN532 chips simulated on ptys in the test's own process, so that killing the hub
leaves them and their cards alone. Play is watched and steered over MQTT alone.
"""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from hub.cards.deck import Deck, write_deck
from hub.config.demo import demo_deck
from hub.games.triangle import demo
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.sheets import write_sheet
from hub.sim.readers import SimulatedReader
from tests.support.broker import Mosquitto
from tests.support.process import with_us
from tests.support.subscriber import WAIT_S, Subscriber, subscriber

FACEDOWN = Path(sys.executable).with_name("facedown")
SEATS = {"ada": ("Ada",), "bo": ("Bo",), "gm": ("Crow", "Heron", "Magpie")}
SECONDS = 90.0

CONFIG = """\
[table]
name = "test"
journal = "journal.db"
deck = "deck.toml"
{seats}
[timing]
dwell_s = {dwell_s}
reveal_delay_s = {reveal_delay_s}

[scene]
file = "scene.toml"

[mqtt]
enabled = true
port = {port}
username = "hub"
password = "secret-of-the-broker"
commands = true
protocol = "{protocol}"

[web]
enabled = {web}
port = 0

[log]
level = "debug"
"""
SCENE_FILE = '[scene]\nfile = "scene.toml"\n'
SEAT = '\n[[seat]]\nname = "{name}"\nreader = "pn532:{path}"\ncharacters = {characters}\n'


class HubProcess:
    """facedown run in its own folder."""

    def __init__(
        self,
        folder: Path,
        broker: Mosquitto,
        *,
        dwell_s: float = 0.05,
        reveal_delay_s: float = 0,
        web: bool = False,
        deck: Deck | None = None,
        story: Sequence[Sheet] = (),
        story_alone: bool = False,
        protocol: str = "3.1.1",
    ) -> None:
        self.folder = folder
        (folder / "readers").mkdir()
        self.readers = {
            seat: SimulatedReader(seat, folder / "readers", time_scale=0) for seat in SEATS
        }
        self.deck = deck or demo_deck()
        write_deck(folder / "deck.toml", self.deck)
        (folder / "scene.toml").write_text(demo.files()["scene.toml"], encoding="utf-8")
        seats = "".join(
            SEAT.format(name=seat, path=self.readers[seat].path, characters=json.dumps(actors))
            + ("gm = true\n" if seat == "gm" and story_alone else "")
            for seat, actors in SEATS.items()
        )
        self.config = folder / "hub.toml"
        self.config.write_text(
            CONFIG.format(
                seats=seats,
                dwell_s=dwell_s,
                reveal_delay_s=reveal_delay_s,
                port=broker.port,
                web=str(web).lower(),
                protocol=protocol,
            ),
            encoding="utf-8",
        )
        if story:
            files = [f"{number}.toml" for number in range(len(story))]
            for file, sheet in zip(files, story, strict=True):
                (folder / file).write_text(write_sheet(sheet), encoding="utf-8")
            with self.config.open("a", encoding="utf-8") as config:
                config.write(f"\n[story]\ncharacters = {json.dumps(files)}\n")
        if story_alone:
            text = self.config.read_text(encoding="utf-8")
            self.config.write_text(text.replace(SCENE_FILE, ""), encoding="utf-8")
        self.config.chmod(0o600)
        self.log = folder / "log.txt"
        self.process: subprocess.Popen[bytes] | None = None
        self._began: int | None = None
        """Where the latest start's log begins in the file; None if it goes elsewhere."""

    def start(self, command: Sequence[str] = (str(FACEDOWN),), stderr: int | None = None) -> None:
        """Start the hub. ``stderr``: a descriptor to log to instead of the file."""
        written = self.log.stat().st_size if self.log.exists() else 0
        self._began = written if stderr is None else None
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                with_us(*command, "run", "--config", str(self.config)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log if stderr is None else stderr,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill it, as a power cut would."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Stop it as systemd does, and return the exit status."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        if self.process is None:
            return 0
        if self.process.poll() is None:
            os.kill(self.process.pid, how)
        status = self.process.wait(timeout=SECONDS)
        self.process = None
        return status

    async def until_logged(self, words: str, times: int = 1) -> None:
        """Wait until a line has been logged this many times."""
        async with asyncio.timeout(SECONDS):
            while self.output().count(words) < times:
                await asyncio.sleep(0.01)  # nothing notifies of a growing file

    async def until_looked(self) -> None:
        """Wait until every reader has reported its cards since the last start.

        A card laid before that may count as laid while the hub was down.
        """
        if self._began is None:
            return
        async with asyncio.timeout(SECONDS):
            while True:
                said = self.log.read_bytes()[self._began :].decode()
                looked = set(re.findall(r'"cards on the reader: \d+" seat=(\w+)', said))
                if looked >= self.readers.keys():
                    return
                await asyncio.sleep(0.01)  # nothing notifies of a growing file

    def output(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def tag(self, seat: str, card: str) -> str:
        return next(c.tag for c in self.deck.cards if c.group == seat and str(c.choice) == card)


class Watch:
    """A table watched and steered over MQTT, with hands at its readers."""

    wait_s = WAIT_S
    """How long something may take, however busy the machine is."""

    def __init__(self, hub: HubProcess, heard: Subscriber) -> None:
        self.hub = hub
        self.heard = heard
        self._asked = 0

    # Observing

    @property
    def state(self) -> dict[str, Any]:
        payload = self.heard.newest().get("facedown/test/state", b"{}")
        return json.loads(payload)  # type: ignore[no-any-return]

    @property
    def status(self) -> bytes:
        return self.heard.newest().get("facedown/test/status", b"")

    def seat(self, name: str) -> dict[str, Any]:
        return json.loads(self.heard.newest()[f"facedown/test/seat/{name}"])  # type: ignore[no-any-return]

    def lines(self) -> list[bytes]:
        """The event log as received, each event once, ordered by number."""
        found = {json.loads(line)["seq"]: line for line in self.heard.lines()}
        return [found[seq] for seq in sorted(found)]

    async def until(self, held: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        await self.heard.until(lambda: held(self.state), self.wait_s)
        return self.state

    async def until_status(self, status: bytes) -> None:
        await self.heard.until(lambda: self.status == status, self.wait_s)

    async def until_ready(self) -> None:
        """Wait until the hub is online and every reader found: then nothing changes by itself."""
        await self.until_status(b"online")
        await self.heard.until(
            lambda: all(self.seat(name)["reader"] == "ok" for name in self.hub.readers)
        )

    # Acting

    async def command(self, **command: Any) -> dict[str, Any]:
        self._asked += 1
        name = f"{id(self)}-{self._asked}"
        await self.heard.client.publish(
            "facedown/test/cmd", json.dumps({"id": name, **command}), qos=1
        )
        found: list[dict[str, Any]] = []

        def answered() -> bool:
            replies = map(json.loads, self.heard.payloads("facedown/test/reply"))
            found[:] = [reply for reply in replies if reply["id"] == name]
            return bool(found)

        await self.heard.until(answered)
        return found[0]

    async def decide(self, actor: str, choice: str) -> dict[str, Any]:
        return await self.command(command="decide", actor=actor, choice=choice)

    def lay(self, seat: str, card: str) -> None:
        self.hub.readers[seat].lift()
        self.hub.readers[seat].place(self.hub.tag(seat, card))

    def clear(self) -> None:
        for reader in self.hub.readers.values():
            reader.lift()

    async def commit(self, actor: str, cards: Sequence[str]) -> str:
        """Lay one card after the other until one is sealed.

        The last is waited for, however busy the machine is.
        """
        seat = seat_of(actor)
        for card in cards:
            before = self.state
            self.lay(seat, card)

            def heard(before: dict[str, Any] = before) -> bool:
                now = self.state
                moved_on = now["phase"] != "sealed" or now["step"] != before["step"]
                return moved_on or actor in now["committed"]

            try:
                async with asyncio.timeout(60 if card == cards[-1] else 2):
                    await self.until(lambda _, heard=heard: heard())  # type: ignore[misc]
            except TimeoutError:
                continue
            return card
        raise AssertionError(f"{actor} could not commit any of {cards}")

    async def play(self, *, until: Callable[[dict[str, Any]], object], most: int = 200) -> None:
        """Play on for all awaited actors until ``until(state)``."""
        for _ in range(most):
            state = self.state
            if until(state):
                return
            await self.play_step(state)
        raise AssertionError("the conflict does not end")

    async def play_step(self, state: dict[str, Any]) -> None:
        """Do what is awaited now."""
        done = state["seq"] + 1
        match state["phase"], state.get("step"):
            case "idle", _:
                reply = await self.command(command="start-scene")
                assert reply["ok"], reply
                await self.until(lambda now: now["phase"] != "idle")
                return
            case "sealed", step:
                waiting = [a for a in state["awaited"] if a not in state["committed"]]
                for actor in waiting:
                    await self.commit(actor, self.cards(actor, str(step)))
            case "decision", step:
                # A reader that is found meanwhile is an event, too: wait for the answer's own.
                done = await self.answer(str(step), state)
            case _:
                await self.until(lambda now: now["seq"] > state["seq"])
        if self.state["phase"] != "idle":
            await self.until(lambda now: now["seq"] >= done)
        if self.state.get("phase") != "sealed":
            self.clear()

    async def answer(self, step: str, state: dict[str, Any]) -> int:
        """Decide for the first who has to; return the number of the event that came of it."""
        actor = next(a for a in state["awaited"] if a not in state["committed"])
        characters = state["game"]["characters"]
        match step:
            case "first":
                choices = ["active Ada"]
            case "opponent":
                side = characters[actor]["side"]
                choices = [f"opponent {n}" for n, c in characters.items()
                           if c["side"] != side and not c["out"]]  # fmt: skip
            case "split" if actor not in state["game"]["turn"]["losses"]:
                choices = ["let-be"]
            case "split":
                loser = state["game"]["turn"].get("aims", {}).get(actor, actor)
                loss = state["game"]["turn"]["losses"][loser]
                choices = splits(characters[loser]["energy"], loss, state["game"]["turn"], loser)
            case "next":
                choices = [f"active {n}" for n in state["game"]["may_act"]]
            case "kill":
                choices = ["kill no"]
            case _:
                raise AssertionError(step)
        for choice in choices:
            reply = await self.decide(actor, choice)
            if reply["ok"]:
                return int(reply["seq"])
        raise AssertionError(f"{actor} was refused all of {choices}: {reply['reason']}")

    def cards(self, actor: str, step: str) -> list[str]:
        """The cards an actor could lay, those most likely to be legal first."""
        character = self.state["game"]["characters"][actor]
        if step == "stance":
            energy = character["energy"]
            best = max(energy, key=lambda kind: energy[kind])
            return [f"stance {best} {min(energy[best], 2)}", "stance none"]
        known = character["available"] or [
            m for m in NPC_MOVES[actor] if m not in character["face_up"]
        ]
        moves = sorted(known)
        Random(f"{actor} {self.state['turn_number']}").shuffle(moves)
        return [*(f"move {move}" for move in moves), "move surrender"]


NPC_MOVES = {
    "Crow": ["attack-high", "attack-low", "defend-mid", "grapple-mid"],
    "Heron": ["attack-mid", "defend-low", "defend-high", "grapple-low"],
    "Magpie": ["attack-low", "defend-mid", "grapple-low", "grapple-high"],
}


def seat_of(actor: str) -> str:
    return next(seat for seat, actors in SEATS.items() if actor in actors)


def splits(
    energy: dict[str, int], loss: dict[str, Any], turn: dict[str, Any], actor: str
) -> list[str]:
    """Every split of a loss that fits the energy and takes the committed stance from its type."""
    stance = str((turn["stances"] or {}).get(actor, "none")).split()[0]
    least = {kind: loss["own_stance"] if kind == stance else 0 for kind in energy}
    found = []
    for attack in range(least["attack"], energy["attack"] + 1):
        for defend in range(least["defend"], energy["defend"] + 1):
            grapple = loss["total"] - attack - defend
            if least["grapple"] <= grapple <= energy["grapple"]:
                found.append(f"split attack {attack} defend {defend} grapple {grapple}")
    return found


def with_passwords(folder: Path) -> list[str]:
    """Broker settings that require the hub's password."""
    passwords = folder / "passwords"
    passwords.touch(mode=0o600)
    subprocess.run(
        ["mosquitto_passwd", "-b", str(passwords), "hub", "secret-of-the-broker"],
        check=True,
        capture_output=True,
    )
    return ["allow_anonymous false", f"password_file {passwords}"]


@asynccontextmanager
async def watched_hub(folder: Path, **options: Any) -> AsyncIterator[tuple[Watch, Mosquitto]]:
    """A broker with passwords, a running hub with its readers plugged in, and a watch on it."""
    folder.mkdir(exist_ok=True)
    async with AsyncExitStack() as stack:
        broker = stack.enter_context(Mosquitto(folder, with_passwords(folder)))
        hub = HubProcess(folder, broker, **options)
        for reader in hub.readers.values():
            stack.enter_context(reader)
        stack.callback(hub.kill)
        hub.start()
        watch = await stack.enter_async_context(watching(hub, broker))
        await watch.until_ready()
        await hub.until_looked()
        yield watch, broker


@asynccontextmanager
async def watching(hub: HubProcess, broker: Mosquitto) -> AsyncIterator[Watch]:
    login = {"username": "hub", "password": "secret-of-the-broker"}
    async with subscriber(broker.port, "facedown/test/#", **login) as heard:
        yield Watch(hub, heard)
