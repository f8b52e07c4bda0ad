"""The package on a booted Debian: an upgrade in the middle of a turn, a broker that other machines
reach by TLS, the display on its own screen. Part of `make deb-test`, as root."""

import asyncio
import re
import secrets
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import aiomqtt
import pytest

from tests.packages.box import Box
from tests.packages.installing import FACEDOWN, NEWER, OLDER, TABLE, install, table
from tests.support.papers import made_in
from tests.support.playing import Ear, sit
from tests.support.subscriber import Subscriber

HERE, THERE = "203.0.113.1", "203.0.113.2"
"""This machine and the box, connected by a cable. Ref: RFC 5737."""
TLS_PORT, PLAIN_PORT = 8883, 1883
SECONDS = 60
CONNECT = b"\x10\x0d\x00\x04MQTT\x04\x02\x00\x3c\x00\x01a"
CONNACK = b"\x20"
"""Ref: MQTT 3.1.1 §3.1, §3.2."""
STATUS = "facedown/table/status"
BROKERS = (
    "/etc/mosquitto/conf.d/facedown.conf",
    "/etc/mosquitto/facedown.users",
    "/etc/mosquitto/facedown.acl",
    "/etc/mosquitto/certs/facedown.pem",
    "/etc/mosquitto/certs/facedown.key",
    "/etc/facedown/written.json",
    "/etc/facedown/passwords",
)
pytestmark = pytest.mark.timeout(900)


def until(box: Box, script: str) -> None:
    """Repeat a command in the box until it succeeds."""
    box.run(f"timeout {SECONDS} sh -c 'until {script}; do sleep 0.2; done'")


def shown(box: Box, unit: str, name: str) -> str:
    return box.run(f"systemctl show --value --property={name} {unit}").strip()


@asynccontextmanager
async def at(box: Box, page: str, stream: str) -> AsyncIterator[Ear]:
    """Open a page of the running table and follow its stream."""
    told = box.run(f"facedown addresses --config {TABLE}/hub.toml")
    pages = dict(re.findall(r"(GM console|Seat \S+)\s+(http://\S+)", told))
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        ear = await sit(http, pages[page], stream)
        ear.count = secrets.randbelow(10**12)  # the hub remembers command ids across a restart
        yield ear
        await ear.socket.close()


async def ada_seals_her_stance(box: Box) -> None:
    async with at(box, "GM console", "/ws/gm") as gm, at(box, "Seat ada", "/ws/seat/ada") as ada:
        await gm.until(lambda state: state.get("phase") == "idle")
        sides = {"players": ["Ada"], "watch": ["Sergeant Thole"]}
        scene = {"type": "conflict", "sides": sides, "title": "The quay"}
        await gm.command(command="start-scene", scene=scene)
        await gm.until(lambda state: state["phase"] == "decision")
        await gm.command(command="decide", actor="gm", choice="active Ada")
        await gm.until(lambda state: state["step"] != "first")
        if gm.state["step"] == "opponent":
            await ada.command(command="decide", actor="Ada", choice="opponent Sergeant Thole")
        await gm.until(lambda state: state["step"] == "stance")
        await ada.command(command="commit", actor="Ada", choice="stance attack 1")
        await gm.until(lambda state: state["committed"] == ["Ada"])


async def the_seal_stands_and_opens(box: Box) -> None:
    async with at(box, "GM console", "/ws/gm") as gm:
        await gm.until(lambda state: state.get("committed") == ["Ada"])
        assert gm.state["step"] == "stance"
        await gm.command(command="commit", actor="Sergeant Thole", choice="stance none")
        await gm.until(lambda state: state["step"] == "move")


def test_an_upgrade_in_the_middle_of_a_turn_keeps_seals(box: Box) -> None:
    install(box, OLDER)
    table(box, "--player", "Ada")
    box.run("systemctl mask mosquitto")  # its network is this machine's
    box.boot(network=True)
    until(box, "systemctl --quiet is-active facedown")
    asyncio.run(ada_seals_her_stance(box))
    log = f"{FACEDOWN} log {TABLE}/table.journal"
    before, program = box.run(log), shown(box, "facedown", "MainPID")
    assert '"attack 1"' not in before
    said = install(box)
    backup = re.search(rf"{TABLE}/before-{NEWER}-\S+\.backup", said)
    assert backup, said
    assert box.run(f"{FACEDOWN} log {backup[0]}") == before
    assert shown(box, "facedown", "ActiveState") == "active"
    assert shown(box, "facedown", "MainPID") not in ("0", program)
    assert shown(box, "facedown", "NRestarts") == "0"
    assert NEWER in box.run("dpkg-query -W facedown")
    asyncio.run(the_seal_stands_and_opens(box))
    after = box.run(log)
    assert after.startswith(before)
    assert "attack 1" in after
    box.run(f"{log} >/root/log; facedown verify /root/log")


@pytest.fixture
def tls(box: Box, tmp_path: Path) -> Path:
    """Boot a box with a table, and put certificates for its broker in ``/root``."""
    papers = made_in(tmp_path / "papers", THERE)
    install(box)
    table(box)
    for name in ("broker.pem", "broker.key", "ca.pem", "other.pem"):
        box.put(papers / name, f"/root/{name}")
    box.run(f"cp /root/ca.pem /root/other.pem {TABLE}; chown facedown: {TABLE}/*.pem")
    box.boot()
    box.plug_in(HERE, THERE)
    until(box, "systemctl --quiet is-active facedown")
    return papers


def trusting(ca: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=ca)


def password(box: Box, user: str) -> str:
    lines = box.at("/etc/facedown/passwords").read_text().splitlines()
    return dict(line.split(" ") for line in lines)[user]


@asynccontextmanager
async def guest(box: Box, user: str, ca: Path) -> AsyncIterator[Subscriber]:
    """Connect to the box's broker as ``user``, from this machine."""
    async with aiomqtt.Client(
        THERE, TLS_PORT, username=user, password=password(box, user), tls_context=trusting(ca)
    ) as client:
        listener = Subscriber(client)
        task = asyncio.create_task(listener.collect())
        await client.subscribe("facedown/#", qos=1)
        yield listener
        task.cancel()
        await asyncio.wait([task])


def test_other_machines_reach_the_broker_only_by_tls(box: Box, tls: Path) -> None:
    box.run("facedown provision --tls /root/broker.pem /root/broker.key")
    assert box.at(BROKERS[4]).stat().st_mode & 0o007 == 0
    asyncio.run(hub_display_and_device_meet(box, tls))
    asyncio.run(nobody_comes_otherwise(box, tls))


async def hub_display_and_device_meet(box: Box, papers: Path) -> None:
    async with guest(box, "display", papers / "ca.pem") as display:
        await display.until_payload(STATUS, b"online")
        comes_by_tls(box, "ca.pem")
        await display.until(lambda: statuses(display)[-2:] == [b"offline", b"online"])
        async with guest(box, "device", papers / "ca.pem") as device:
            clock = "facedown/table/clock/wall/status"
            await device.client.publish(clock, b"online", qos=1)
            await display.until_payload(clock, b"online")
            await display.client.publish(clock, b"forged", qos=1)
            await device.client.publish(clock, b"still", qos=1)
            await display.until_payload(clock, b"still")
            assert b"forged" not in [each.payload for each in display.heard]
    assert "nothing was changed" in box.run("facedown provision"), "a hub that comes by TLS stays"


def statuses(listener: Subscriber) -> list[bytes]:
    return [each.payload for each in listener.heard if each.topic == STATUS]


def comes_by_tls(box: Box, ca: str) -> None:
    """Let the box's own hub connect to its broker by TLS."""
    file = box.at(f"{TABLE}/hub.toml")
    way = f'host = "{THERE}"\nport = {TLS_PORT}\ntls = {{ ca = "{ca}" }}\n'
    here = re.compile(r"(?<=^\[mqtt\]\nenabled = true\n)host = .*\nport = .*\n(tls = .*\n)?", re.M)
    text, times = here.subn(way, file.read_text())
    assert times == 1
    file.write_text(text)
    box.run(f"facedown check-config {TABLE}/hub.toml; systemctl restart facedown")


async def answer_to_plaintext() -> bytes:
    """Return what the TLS port answers to a plaintext CONNECT."""
    reader, writer = await asyncio.open_connection(THERE, TLS_PORT)
    try:
        writer.write(CONNECT)
        return await reader.read(1)
    except ConnectionResetError:
        return b""
    finally:
        writer.close()
        with suppress(ConnectionResetError):
            await writer.wait_closed()


async def nobody_comes_otherwise(box: Box, papers: Path) -> None:
    known = password(box, "display")
    with pytest.raises(ConnectionRefusedError):
        await asyncio.open_connection(THERE, PLAIN_PORT)
    assert (await answer_to_plaintext())[:1] != CONNACK
    with pytest.raises(ssl.SSLCertVerificationError):
        await asyncio.open_connection(THERE, TLS_PORT, ssl=trusting(papers / "other.pem"))
    for user, given in (("display", "guessed"), ("nobody", known)):
        stranger = aiomqtt.Client(
            THERE, TLS_PORT, username=user, password=given,
            tls_context=trusting(papers / "ca.pem"),
        )  # fmt: skip
        with pytest.raises(aiomqtt.MqttError):
            async with stranger:
                pass


def test_a_hub_with_the_wrong_ca_reports_it_once_and_plays_on(box: Box, tls: Path) -> None:
    box.run("facedown provision --tls /root/broker.pem /root/broker.key")
    comes_by_tls(box, "other.pem")
    tried = 'grep -c "unknown ca" /var/log/mosquitto/mosquitto.log'
    until(box, f"[ $({tried}) -ge 4 ]")
    told = box.run("journalctl -b -o cat -u facedown").splitlines()
    faults = [line for line in told if "certificate" in line]
    assert len(faults) == 1, told
    assert f"{THERE}:{TLS_PORT}" in faults[0]
    assert shown(box, "facedown", "ActiveState") == "active"
    comes_by_tls(box, "ca.pem")
    until(box, 'journalctl -b -o cat -u facedown | grep -q "connected to the broker"')


def test_the_old_files_are_restored_if_the_broker_does_not_start(box: Box, tls: Path) -> None:
    box.run("facedown provision")
    before = {path: box.at(path).read_bytes() for path in BROKERS if box.at(path).exists()}
    box.run("chmod 700 /etc/mosquitto/certs")  # mosquitto reads its key as its own user
    provision = "facedown provision --tls /root/broker.pem /root/broker.key 2>&1"
    for _ in range(3):  # retrying does not help
        said = box.run(provision, status=2)
        assert said.splitlines()[-1].startswith("its former files are back, and it runs"), said
        assert "mosquitto does not start with what is new: Unable to load server" in said
        after = {path: box.at(path).read_bytes() for path in BROKERS if box.at(path).exists()}
        assert after == before
        assert shown(box, "mosquitto", "ActiveState") == "active"
    until(box, f"facedown status --config {TABLE}/hub.toml | grep -q connected")
    box.run("chmod 755 /etc/mosquitto/certs")
    box.run(provision)
    asyncio.run(someone_is_let_in(box, tls))


async def someone_is_let_in(box: Box, papers: Path) -> None:
    async with guest(box, "display", papers / "ca.pem") as display:
        await display.until_payload(STATUS, b"online")


def test_provisioning_is_refused_before_any_change_if_the_port_is_taken(
    box: Box, tls: Path
) -> None:
    other = 'import socket, time; s = socket.create_server(("", 8883)); time.sleep(600)'
    box.run(f"systemd-run --unit=other python3 -c '{other}'")
    until(box, "grep -q :22B3 /proc/net/tcp")
    said = box.run("facedown provision --tls /root/broker.pem /root/broker.key 2>&1", status=2)
    assert said.startswith("port 8883 is in use by python3"), said
    assert not any(box.at(path).exists() for path in BROKERS)


def test_the_display_uses_the_machines_own_screen(box: Box) -> None:
    before = box.files()
    install(box)
    said = box.run("facedown install --kiosk 2>&1", status=2)
    assert "sudo apt install cage xwayland chromium kbd" in said
    box.run("apt-get install -y -q --no-install-recommends cage xwayland chromium kbd")
    with_browser = box.files() - before
    box.run("systemctl set-default multi-user.target")  # as a Raspberry Pi OS Lite has it
    table(box)
    box.boot()
    said = box.run("facedown install --kiosk")
    assert "facedown-kiosk" in said
    assert {"video", "render", "input"} <= {*re.findall(r"\((\w+)\)", box.run("id facedown-kiosk"))}
    box.off()
    box.boot()
    # A box has no screen, so the display is not started; that systemd checked its condition shows
    # that it is enabled.
    assert shown(box, "facedown-kiosk", "ConditionResult") == "no"
    assert shown(box, "facedown-kiosk", "ConditionTimestampMonotonic") != "0"
    box.run("dpkg --purge facedown")
    box.off()
    left = {path for path in box.files() - before - with_browser if "facedown" in path}
    assert left == set()
    box.run("! getent passwd facedown-kiosk")
