"""Each role at a real mosquitto that uses the provisioned files: what it may read and write, and
everything it must not."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import aiomqtt
import pytest

from hub.install.broker import ACL, CONF, USERS
from hub.install.mosquitto import hashed
from tests.install.machine import Machine
from tests.support.broker import Mosquitto
from tests.support.subscriber import Subscriber

ROLES = ("hub", "display", "device", "gm", "homeassistant")
REFEREE = "referee"
"""The test's own user, who may read and write everything."""

PUBLIC = (
    "facedown/den/status",
    "facedown/den/state",
    "facedown/den/seat/ada",
    "facedown/den/countdown/tide",
    "facedown/den/timer",
    "facedown/den/moment",
    "facedown/den/said",
    "facedown/den/event",
    "facedown/den/health",
    "facedown/den/trial",
)
COMMANDS, REPLIES = ("facedown/den/cmd",), ("facedown/den/reply", "facedown/den/reply/phone")
CLOCK, DIM = "facedown/den/clock/wall/status", "facedown/den/clock/wall/dim"
LAMP = ("wled/kitchen/status", "wled/kitchen/g", "wled/kitchen/c", "wled/kitchen/v")
LAMP_TAKES = ("wled/kitchen", "wled/kitchen/api", "wled/kitchen/col")
DISCOVERY = "homeassistant/device/facedown_den/config"
OTHERS = (
    "homeassistant/status",
    "homeassistant/light/kitchen/config",
    "homie/5/den/$state",
    "esphome/wall/status",
    "esphome/wall/command",
    "house/door",
    "facedown",
    "$SYS/broker/uptime",
)
TOPICS = (
    *PUBLIC, *COMMANDS, *REPLIES, CLOCK, DIM, *LAMP, *LAMP_TAKES, DISCOVERY, *OTHERS,
)  # fmt: skip
SAYABLE = tuple(topic for topic in TOPICS if not topic.startswith("$"))

SEEN = {*PUBLIC, CLOCK, DIM, "facedown"}
"""Topics that everyone at the table may read."""
READS = {
    "hub": {*SEEN, *COMMANDS, *REPLIES, *LAMP, *LAMP_TAKES, DISCOVERY, "homeassistant/status"}
    | {"homie/5/den/$state"},
    "display": SEEN,
    "device": SEEN | {*LAMP_TAKES},
    "gm": {*SEEN, *COMMANDS, *REPLIES},
    "homeassistant": SEEN
    | {DISCOVERY, "homeassistant/status", "homeassistant/light/kitchen/config"}
    | {"homie/5/den/$state"},
}
WRITES = {
    "hub": READS["hub"] - {"homeassistant/status"},
    "display": set[str](),
    "device": {CLOCK, *LAMP, "esphome/wall/status"},
    "gm": {*COMMANDS, DIM},
    "homeassistant": {"homeassistant/status", DIM},
}


class Table:
    """A broker with the provisioned files, and its clients."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.pi = Machine(folder / "pi")
        self.pi.provision(*words)
        files = {path: self.pi.at(path) for path in (USERS, ACL)}
        conf = self.pi.text(CONF)
        for path, file in files.items():
            assert f" {path}\n" in conf
            conf = conf.replace(path, str(file))
        with files[USERS].open("a") as users:
            users.write(f"{REFEREE}:{hashed(REFEREE)}\n")
        with files[ACL].open("a") as acl:
            acl.write(f"\nuser {REFEREE}\ntopic readwrite #\n")
        lines = [line for line in conf.splitlines() if not line.startswith("listener")]
        self.broker = Mosquitto(folder, lines)

    @asynccontextmanager
    async def client(self, user: str) -> AsyncIterator[Subscriber]:
        """Connect as ``user``, subscribed to every topic."""
        password = REFEREE if user == REFEREE else self.pi.password(user) if user else None
        async with aiomqtt.Client(
            "127.0.0.1", self.broker.port, username=user or None, password=password
        ) as client:
            listener = Subscriber(client)
            task = asyncio.create_task(listener.collect())
            try:
                await client.subscribe("#", qos=1)
                await client.subscribe("$SYS/#", qos=1)
                yield listener
            finally:
                task.cancel()
                await asyncio.wait([task])


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path, "--homeassistant")
    with made.broker:
        yield made


async def says(speaker: Subscriber, *topics: str, what: bytes = b"said") -> None:
    for topic in topics:
        await speaker.client.publish(topic, what, qos=1)


async def heard(listener: Subscriber, last: str, what: bytes = b"said") -> set[str]:
    """Return the topics on which ``what`` was received before ``last``."""
    await listener.until_payload(last, what)
    return {each.topic for each in listener.heard if each.payload == what} - {last}


async def test_each_role_reads_and_writes_only_what_it_may(table: Table) -> None:
    async with AsyncExitStack() as stack:
        everybody = {
            user: await stack.enter_async_context(table.client(user)) for user in (*ROLES, REFEREE)
        }
        referee = everybody[REFEREE]
        for role in ROLES:
            referee.heard.clear()
            await says(everybody[role], *SAYABLE)
            await says(referee, "facedown/end")  # arrives after all earlier messages
            assert await heard(referee, "facedown/end") == WRITES[role], f"{role} writes"
        await says(referee, *SAYABLE, "facedown/last", what=b"for all")
        for role in ROLES:
            read = await heard(everybody[role], "facedown/last", b"for all")
            assert read == READS[role], f"{role} reads"
            assert not [each for each in everybody[role].heard if each.topic.startswith("$")]


@pytest.mark.parametrize(("user", "password"), [("display", "guessed"), ("nobody", "x"), ("", "")])
async def test_unknown_users_are_refused(table: Table, user: str, password: str) -> None:
    stranger = aiomqtt.Client(
        "127.0.0.1", table.broker.port, username=user or None, password=password or None
    )
    with pytest.raises(aiomqtt.MqttError):
        async with stranger:
            pass


async def test_clients_without_a_name_only_read_and_only_if_allowed(tmp_path: Path) -> None:
    table = Table(tmp_path, "--anonymous-reading")
    with table.broker:
        async with table.client("") as stranger, table.client(REFEREE) as referee:
            await says(stranger, *SAYABLE)
            await says(referee, "facedown/end")
            assert await heard(referee, "facedown/end") == set()
            await says(referee, *SAYABLE, "facedown/last", what=b"for all")
            assert await heard(stranger, "facedown/last", b"for all") == SEEN


async def test_home_assistant_commands_only_if_allowed(tmp_path: Path) -> None:
    table = Table(tmp_path, "--homeassistant-commands")
    with table.broker:
        async with table.client("homeassistant") as home, table.client(REFEREE) as referee:
            await says(home, *SAYABLE)
            await says(referee, "facedown/end")
            written = await heard(referee, "facedown/end")
            assert written == {*COMMANDS, DIM, "homeassistant/status"}
