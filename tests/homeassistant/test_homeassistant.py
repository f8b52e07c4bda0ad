"""A real Home Assistant finds the table, shows its state, and forgets removed entities.

Run by `make homeassistant`, which creates an environment with Home Assistant's own package.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from hub.kernel.catalogues import catalogue
from hub.mqtt.homeassistant import HomeAssistant
from hub.wire.homeassistant import config_payload
from hub.wire.parts import parts
from tests.adapters.mqtt.conftest import Table
from tests.recipes.test_home_assistant import named_entities, wall
from tests.support.broker import Mosquitto, free_port
from tests.support.evening import Evening

pytestmark = [pytest.mark.homeassistant, pytest.mark.timeout(300)]

ROOT = Path(__file__).parents[2]
PYTHON = ROOT / ".homeassistant" / "bin" / "python"
NASTY = "{{ 7*7 }} \"quoted\" 'too' \\ 🜂"
TIDE = "sensor.facedown_test_countdown_the_tide"
QUOTED = "sensor.facedown_test_countdown_7_7_quoted_too"
LOOK_S = 0.1
LONGEST_S = 60.0


class House:
    """A Home Assistant in its own process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def ask(self, do: str, **more: Any) -> Any:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"do": do, **more}).encode() + b"\n")
        return await self.hear()

    async def hear(self) -> Any:
        assert self._process.stdout
        return json.loads(await self._process.stdout.readline())

    async def until(self, do: str, held: Callable[[Any], object]) -> Any:
        """Ask until ``held`` accepts the answer, and return it. Polls, because Home Assistant does
        not report changes."""
        found = None
        try:
            async with asyncio.timeout(LONGEST_S):
                while not held(found := await self.ask(do)):
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            raise AssertionError(f"it stays as it is: {json.dumps(found, indent=1)}") from None
        return found


@asynccontextmanager
async def house(folder: Path, broker: Mosquitto) -> AsyncIterator[House]:
    (folder / "configuration.yaml").touch()
    with (folder / "log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            str(PYTHON),
            str(ROOT / "tests" / "homeassistant" / "core.py"),
            str(folder),
            str(broker.port),
            str(free_port()),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            limit=2**20,
        )
    found = House(process)
    try:
        assert await found.hear() == "started", (folder / "log").read_text()
        yield found
        await found.ask("stop")
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


@pytest.fixture
def broker(tmp_path: Path) -> Any:
    with Mosquitto(tmp_path) as running:
        yield running


def companion(*, commands: bool = True, enabled: bool = True) -> HomeAssistant:
    return HomeAssistant("test", "homeassistant", commands=commands, enabled=enabled)


def all_of(states: Any) -> set[str]:
    return {each["state"] for each in states.values()}


def evening() -> tuple[Table, Evening]:
    table = Table()
    told = table.talk = Evening(commit_s=30)
    told.do("countdown new 6 The tide")
    told.do(f"countdown new 4 {NASTY}")
    return table, told


async def test_home_assistants_schemas_accept_every_component(
    tmp_path: Path, broker: Mosquitto
) -> None:
    _, told = evening()
    words = catalogue("devices", "de")
    some = parts(told.view, words, commands=True)
    payload = json.loads(
        config_payload("test", some, words, gone=["countdown_rain", "next"], language="de")
    )
    async with house(tmp_path, broker) as home:
        assert await home.ask("check", payload=payload) == {}
        for wrong in (
            {"p": "sensor", "state_topic": "a", "device_class": "stale"},
            {"p": "event", "state_topic": "a/b"},
            {"p": "button", "command_topic": "a/#"},
            {"p": "number", "command_topic": "a", "min": 2, "max": 1},
            {"p": "device_automation", "topic": "a"},
            {"p": "sensor", "state_topic": "a", "value_template": "{{ 7 "},
            {"p": "sensor", "state_topic": "a", "colour": "green"},
        ):
            components = {"wrong": wrong | {"unique_id": "x"}}
            faults = await home.ask("check", payload=payload | {"cmps": components})
            assert faults.keys() == {"wrong"}, "a check that takes everything checks nothing"


async def test_home_assistant_follows_a_table(tmp_path: Path, broker: Mosquitto) -> None:
    table, told = evening()
    publisher = table.publisher(
        broker.port, companion=companion(), username="hub", password="any", commands=True
    )
    async with house(tmp_path, broker) as home:
        async with publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            states = await home.until("states", lambda s: len(s) == 16)
            assert named_entities() <= states.keys(), "docs/connect/recipes/home-assistant.yaml"
            devices = await home.ask("devices")
            assert [each["name"] for each in devices] == ["Game table test"]
            ids = {
                *(f"sensor.facedown_test_{name}" for name in ("phase", "waiting", "deadline")),
                *("sensor.facedown_test_says", "event.facedown_test_reveal"),
                *("button.facedown_test_pause", "button.facedown_test_next"),
                "number.facedown_test_commit_seconds",
                TIDE,
                QUOTED,
                *(
                    f"binary_sensor.facedown_test_seat_{seat}_{what}"
                    for seat in ("ada", "bo", "gm")
                    for what in ("committed", "reader")
                ),
            }  # fmt: skip
            assert states.keys() == ids
            states = await home.until(
                "states",
                lambda s: (
                    (s["sensor.facedown_test_phase"]["state"], s[TIDE]["state"]) == ("idle", "0")
                ),
            )
            assert states[TIDE]["attributes"]["boxes"] == 6
            nasty = states[QUOTED]
            assert nasty["attributes"]["name"] == NASTY
            assert nasty["attributes"]["friendly_name"].endswith(NASTY)
            assert states["sensor.facedown_test_deadline"]["state"] == "unknown"
            assert states["button.facedown_test_pause"]["state"] == "unavailable"
            reader = states["binary_sensor.facedown_test_seat_ada_reader"]
            assert (reader["state"], reader["category"]) == ("off", "diagnostic")

            await home.ask("watch")
            told.duel(stakes="The boat")
            table.begin_turn()
            told.lose("bo")
            told.do("countdown mark The tide")
            publisher.announce(table.announcement())
            states = await home.until(
                "states",
                lambda s: (
                    (s["sensor.facedown_test_phase"]["state"], s[TIDE]["state"]) == ("sealed", "1")
                ),
            )
            assert states["sensor.facedown_test_waiting"]["state"] == "2"
            stance = "Ada and Ninja choose a stance"
            states = await home.until(
                "states", lambda s: s["sensor.facedown_test_says"]["state"] == stance
            )
            says = states["sensor.facedown_test_says"]
            told_with = {key: says["attributes"][key] for key in ("why", "waits_for", "names")}
            assert told_with == {
                "why": "",
                "waits_for": "Waiting for Ada and Ninja",
                "names": ["Ada", "Ninja"],
            }
            assert states["binary_sensor.facedown_test_seat_bo_reader"]["state"] == "on"
            assert states["sensor.facedown_test_deadline"]["state"].startswith("1970-01-01T00:")
            assert states["button.facedown_test_pause"]["state"] == "unknown", "to be pressed"
            assert states["event.facedown_test_reveal"]["state"] == "unknown"
            assert await home.ask("fired") == 0
            told.place("ada", "stance attack 1")
            publisher.announce(table.announcement())
            seat = "binary_sensor.facedown_test_seat_ada_committed"
            await home.until("states", lambda s: s[seat]["state"] == "on")
            told.place("gm", "stance attack 1")
            told.wait(1_000)
            publisher.announce(table.announcement())
            states = await home.until(
                "states", lambda s: s["event.facedown_test_reveal"]["state"] != "unknown"
            )
            shown = states["event.facedown_test_reveal"]["attributes"]
            assert shown["event_type"] == "revealed" and shown["seq"] > 0
            await home.until("fired", lambda count: count == 1)

            told.clear()
            told.show(ada="move attack-high", gm="move grapple-high")
            publisher.announce(table.announcement())
            await home.until(
                "states", lambda s: s["sensor.facedown_test_says"]["state"] == "Ada wins."
            )
            shown_on = await home.ask("render", template=wall())
            assert [line for line in shown_on.splitlines() if line] == [
                "# Ada wins.",
                "## Attack beats Grapple",
                "Ninja loses 5.",
                "**Waiting for Ninja and Crow**",
            ], "docs/connect/recipes/home-assistant.yaml"

            told.do("countdown erase The tide")
            publisher.announce(table.announcement())
            await home.until("states", lambda s: s.keys() == ids - {
                TIDE})  # fmt: skip
        await home.until("states", lambda s: all_of(s) == {"unavailable"})


async def test_buttons_and_a_number_send_commands(tmp_path: Path) -> None:
    lines = ("allow_anonymous true", "acl_file " + str(tmp_path / "acl"))
    (tmp_path / "acl").write_text(
        "topic readwrite homeassistant/#\ntopic read facedown/#\n"
        "user hub\ntopic readwrite #\nuser house\ntopic readwrite #\n"
    )
    (tmp_path / "acl").chmod(0o644)
    table, _ = evening()
    with Mosquitto(tmp_path, lines) as broker:
        publisher = table.publisher(
            broker.port, companion=companion(), username="hub", password="any", commands=True
        )
        async with house(tmp_path, broker) as home, publisher:
            publisher.announce(table.announcement())
            await publisher.wait_connected()
            number, button = "number.facedown_test_commit_seconds", "button.facedown_test_next"
            await home.until(
                "states",
                lambda s: (
                    {number, button} <= s.keys()
                    and "unavailable" not in (s[number]["state"], s[button]["state"])
                ),
            )
            commands = table.commands
            await home.ask("call", domain="button", service="press", entity_id=button)
            await home.ask("call", domain="button", service="press", entity_id=button)
            await home.ask("call", domain="number", service="set_value", entity_id=number, value=45)
            await home.until("fired", lambda _: len(commands) == 3)
            assert [type(each).__name__ for each in commands] == ["Next", "Next", "SetTimer"]
            assert len({each.id for each in commands}) == 3
            assert commands[2].seconds == 45  # type: ignore[union-attr]


async def test_entities_removed_while_home_assistant_was_off_are_forgotten(
    tmp_path: Path, broker: Mosquitto
) -> None:
    """Home Assistant keeps its entities over a restart; the hub tells it which are gone."""
    table, told = evening()
    tide, pause = TIDE, "button.facedown_test_pause"
    async with table.publisher(broker.port, companion=companion()) as publisher:
        publisher.announce(table.announcement())
        await publisher.wait_connected()
        async with house(tmp_path, broker) as home:
            await home.until("states", lambda s: len(s) == 16)
    told.do("countdown erase The tide")
    before = len(table.rows)
    again = table.publisher(broker.port, before, companion=companion(commands=False))
    async with again:
        again.announce(table.announcement())
        await again.wait_connected()
        async with house(tmp_path, broker) as home:
            states = await home.until("states", lambda s: len(s) == 12)
            assert tide not in states and pause not in states
            assert "unavailable" not in all_of(states)
            broker.restart()
            await home.until("states", lambda s: all_of(s) == {"unavailable"})
            await home.until(
                "states", lambda s: "unavailable" not in {e["state"] for e in s.values()}
            )
    async with house(tmp_path, broker) as home:
        await home.until("triggers", len)  # the device has been announced again
        off = table.publisher(broker.port, before, companion=companion(enabled=False))
        async with off:
            off.announce(table.announcement())
            await home.until("devices", lambda found: found == [])
