"""The doctor: each of its findings is caused, mostly for real, and reported.

``CASES`` has one for each finding; a finding without a case fails.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from threading import Event
from time import time
from typing import Any

import jsonschema
import pytest
from paho.mqtt import publish

from hub.cards.deck import Card, Deck, Mark, read_deck, save_deck
from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.doctor import examine as whole
from hub.doctor import system
from hub.doctor.broker import broker
from hub.doctor.files import cards, disk, files
from hub.doctor.findings import Finding
from hub.doctor.pages import pages
from hub.doctor.readers import readers
from hub.games.game import Choice
from hub.journal import SqliteJournal
from hub.journal.files import lock
from hub.kernel.catalogues import catalogue, languages
from hub.readers.devices import SERIAL
from hub.readers.verdicts import Level
from hub.sim.readers import SimulatedReader
from hub.table.acts import LogBegun, Record
from hub.wire.log import GENESIS, Scribe
from hub.wire.tags import tag_id
from tests.adapters.readers.test_reader_faults import line, process
from tests.adapters.readers.test_reader_verdicts import whoever_may_not
from tests.support.broker import Mosquitto, free_port
from tests.support.hub import FACEDOWN
from tests.support.papers import made_in
from tests.support.process import with_us
from tests.support.slow_disk import with_slow_disk

DOCS = Path(__file__).parents[2] / "docs"
SECRET = "swordfish-of-the-broker"
Found = Iterable[Finding]


class World:
    """A table's folder that works until the test breaks something."""

    def __init__(
        self, made: Path, folder: Path, patch: pytest.MonkeyPatch, stack: ExitStack
    ) -> None:
        self.made = made
        self.folder = folder / "table"
        self.file = self.folder / "hub.toml"
        self.patch, self.stack = patch, stack
        copytree(made, self.folder)
        self._tools = folder / "tools"
        self._tools.mkdir()
        patch.setenv("PATH", str(self._tools), prepend=os.pathsep)
        self.tool("systemctl", "LoadState=not-found")
        self.tool("dmesg", "")
        self.port = free_port()
        self.change("port = 8080", f"port = {self.port}")

    def change(self, old: str, new: str) -> None:
        text = self.file.read_text()
        assert old in text
        self.file.write_text(text.replace(old, new, 1))

    def tool(self, name: str, says: str, status: int = 0) -> None:
        """Install a system command that prints this."""
        path = self._tools / name
        path.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\nexit {status}\n")
        path.chmod(0o755)

    @property
    def config(self) -> Any:
        return load_config(self.file, OUTPUTS)

    @property
    def journal(self) -> Path:
        return self.folder / "kitchen.journal"

    def played(self) -> "World":
        """Pretend that a hub runs."""
        held = lock(self.journal)
        self.stack.callback(os.close, held)
        return self

    def lan(self) -> None:
        head, web, tail = self.file.read_text().partition("[web]")
        self.file.write_text(head + web + tail.replace('"127.0.0.1"', '"0.0.0.0"', 1))

    def broker(self, *lines: str, login: bool = True, port: int = 0) -> Found:
        """Return the findings about a mosquitto with these lines of configuration."""
        if not port:
            users = self.folder.parent / "users"
            subprocess.run(["mosquitto_passwd", "-b", "-c", users, "hub", SECRET], check=True)
            named = [f"password_file {users}"] if login else ["allow_anonymous true"]
            running = Mosquitto(self.folder.parent, [*named, *lines])
            port = self.stack.enter_context(running).port
        told = f'enabled = true\nport = {port}\nusername = "hub"\npassword = "{SECRET}"\n'
        head, mqtt, tail = self.file.read_text().partition("[mqtt]\n")
        tail = tail.partition("[web]")[2]
        self.file.write_text(head + mqtt + told + "\n[web]" + tail)
        return broker(self.config)

    def pages(self, **more: Any) -> Found:
        return pages(self.config, **more)

    def readers(self, seconds: float = 0.5) -> Found:
        return readers(self.config, seconds, Event())


# Each case breaks a world and returns the findings about it.


def a_real_reader(world: World) -> SimulatedReader:
    sim = world.stack.enter_context(SimulatedReader("north", world.folder))
    world.change('reader = "sim:gm"', f'reader = "pn532:{sim.path}"')
    return sim


def reader(world: World) -> Found:
    a_real_reader(world)
    return world.readers(2)


def reader_lost(state: str | None) -> Callable[[World], Found]:
    def case(world: World) -> Found:
        a_real_reader(world)
        world.patch.setattr(
            "hub.doctor.readers.told_readers", lambda _: state and {"gm": state, "ada": "ok"}
        )
        world.played()
        return world.readers()

    return case


def reader_unnamed(world: World) -> Found:
    by_id = world.folder.parent / "serial/by-id"
    by_id.mkdir(parents=True)
    world.stack.enter_context(SimulatedReader("usb-1", by_id))
    world.patch.setenv(SERIAL, str(by_id.parent))
    return world.readers()


def a_deck(*kept: Card, all_written: bool = False) -> Callable[[World], Found]:
    def case(world: World) -> Found:
        path = world.folder / "deck.toml"
        deck = read_deck(path)
        if all_written:
            deck = Deck(tuple(deck.marked(deck.cards[0].tag, Mark.WRITTEN).cards))
            for each in deck.cards:
                deck = deck.marked(each.tag, Mark.WRITTEN)
        save_deck(path, Deck((*(deck.cards if all_written else ()), *kept)))
        return cards(world.file, world.config)

    return case


def a_card(text: str) -> Card:
    return Card(tag_id(text.encode().ljust(16)[:16]), Choice.parse(text))


def deck_unread(world: World) -> Found:
    config = world.config
    (world.folder / "deck.toml").write_text("[cards\n")
    return cards(world.file, config)


def config_fault(world: World) -> Found:
    world.change("dwell_s = 0.3", "dwell_s = 99")
    return whole._configuration(world.file)[1]


def config_remark(world: World) -> Found:
    (world.folder / "deck.toml").chmod(0o644)
    return whole._configuration(world.file)[1]


def folder_open(world: World) -> Found:
    world.folder.chmod(0o777)
    return files(world.config)


def journal(mode: int, content: bytes = b"") -> Callable[[World], Found]:
    def case(world: World) -> Found:
        world.journal.write_bytes(content)
        world.journal.chmod(mode)
        return files(world.config)

    return case


def journal_gone(world: World) -> Found:
    world.journal.unlink(missing_ok=True)
    world.journal.with_name(f"{world.journal.name}-told").touch()
    return files(world.config)


def closed(path: Callable[[World], Path]) -> Callable[[World], Found]:
    """Make a file or folder belong to another user."""

    def case(world: World) -> Found:
        there = Path(world.stack.enter_context(TemporaryDirectory()))
        there.chmod(0o755)  # other users cannot enter the tests' folders
        copytree(world.folder, there / "table")
        world.folder, world.file = there / "table", there / "table/hub.toml"
        world.journal.touch()
        world.folder.chmod(0o755)
        path(world).chmod(0o555 if path(world).is_dir() else 0o400)
        config = world.config
        with whoever_may_not():
            return list(files(config))

    return case


def apart(world: World, setup: str, code: str, *words: object, rights: bool = True) -> Found:
    """Return the findings of ``code`` in its own namespaces, after ``setup``. ``rights``: run as
    their root, who may mount and bring networks up but has no rights outside."""
    run = world.folder.parent / "run.py"
    run.write_text(f"import sys, msgspec\n{code}\nprint(msgspec.json.encode([*found]).decode())\n")
    spaces = ["unshare", "--map-root-user", "--mount", "--net", "--uts"]
    own = "exec" if rights else "exec unshare --user"
    script = f'{setup or ":"} && {own} "$@"'
    done = subprocess.run(
        [*spaces, "sh", "-c", script, "sh", FACEDOWN.with_name("python"), run, *map(str, words)],
        capture_output=True,
        text=True,
        cwd=DOCS.parent,
    )
    assert done.returncode == 0, done.stderr
    return [Finding(**{**f, "level": Level(f["level"])}) for f in json.loads(done.stdout)]


def on_a_disk(options: str, fill: str = "") -> Callable[[World], Found]:
    """Return the doctor's findings on a real, separate file system."""

    def case(world: World) -> Found:
        there = world.folder.parent / "disk"
        there.mkdir()
        code = "from pathlib import Path; from hub.doctor.files import disk\n"
        setup = f"mount -t tmpfs -o {options} none {there} && {fill.format(there=there) or ':'}"
        return apart(world, setup, f"{code}found = disk(Path(sys.argv[1]))", there)

    return case


LOOPBACK = "ip link set lo up"
NETWORK = (
    f"{LOOPBACK} && ip address add 10.9.8.7/24 dev lo && ip route add default dev lo src 10.9.8.7"
)
UNREACHABLE = (
    f"{NETWORK} && ip route del local 10.9.8.7 table local && ip route add blackhole 10.9.8.7"
)
"""An address of this machine that drops everything, as behind a firewall."""


def in_a_network(
    setup: str, change: Callable[[World], object] = World.lan, *, rights: bool = True
) -> Callable[[World], Found]:
    """Return the findings about the pages on a machine in its own network, named Pi."""

    def case(world: World) -> Found:
        change(world)
        code = (
            "import socket; from pathlib import Path; from hub.config.loader import load_config; "
            "from hub.daemon.outputs import OUTPUTS; from hub.doctor.pages import pages\n"
            "found = pages(load_config(Path(sys.argv[1]), OUTPUTS), avahi=lambda: True)"
        )
        setting = f"echo Pi >/proc/sys/kernel/hostname && {setup}"
        return apart(world, setting, code, world.file, rights=rights)

    return case


ETHERNET = (
    f"{LOOPBACK} && ip link add eth0 type veth peer other && ip link set eth0 up && "
    "ip link set other up && ip address add 10.9.8.7/24 dev eth0 && "
    "ip address add 10.9.8.9/24 dev eth0"
)
"""A cable to another machine: 10.9.8.9."""
WHO_ANSWERS: dict[str, tuple[bool, dict[str, str], str]] = {
    "mdns": (True, {"facedown": "10.9.8.7"}, ""),
    "mdns-ready": (False, {}, ""),
    "mdns-second": (True, {"facedown": "10.9.8.9", "facedown-2": "10.9.8.7"}, ""),
    "mdns-taken": (False, {"facedown": "10.9.8.9"}, ""),
    "mdns-silent": (True, {"facedown": "10.9.8.9"}, ""),
    "mdns-port": (True, {}, "port"),
    "mdns-missing": (True, {}, "missing"),
    "mdns-unasked": (True, {}, "unasked"),
}
"""Finding → whether the hub plays, which address answers to which name, and what else is wrong."""
ANSWERING = """
import asyncio, json, os, socket
from pathlib import Path
from unittest.mock import patch
from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.doctor.pages import name
from hub.journal.files import lock
from hub.mdns import asking
from hub.mdns.addresses import Interface
from hub.mdns.own import OwnResponder
from hub.mdns.responder import Claim

config = load_config(Path(sys.argv[1]), OUTPUTS)
here = socket.if_nametoindex("eth0"), "eth0"

async def situation(plays, answering, wrong):
    held = lock(Path(config.table.journal)) if plays else None
    responders = []
    for label, address in answering.items():
        responders.append(responder := OwnResponder())
        assert await responder.claim(Claim(label, label, 80, "/", (Interface(*here, (address,)),)))
    taken = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    if wrong == "port":
        taken.bind(("", 5353))
    gone = {"hub.mdns.asking": None} if wrong == "missing" else {}
    fails = patch.object(asking, "who_has", side_effect=OSError(101, "Network is unreachable"))
    with patch.dict(sys.modules, gone):
        if wrong == "unasked":
            fails.start()
        found = await asyncio.to_thread(lambda: [*name(config, lambda: False)])
        if wrong == "unasked":
            fails.stop()
    taken.close()
    for responder in responders:
        await responder.__aexit__()
    if held is not None:
        os.close(held)
    return found

async def all_of_them():
    return [each for s in json.loads(sys.argv[2]) for each in await situation(*s)]

found = asyncio.run(all_of_them())
"""


@cache
def names_in_a_network(made: Path) -> list[Finding]:
    """Return the findings in each of those situations, one after another on one machine."""
    with (
        TemporaryDirectory() as folder,
        ExitStack() as stack,
        pytest.MonkeyPatch.context() as patch,
    ):
        world = World(made, Path(folder), patch, stack)
        head, web, tail = world.file.read_text().partition("[web]")
        world.file.write_text(head + web + tail.replace('"127.0.0.1"', '"10.9.8.7"', 1))
        situations = json.dumps([*WHO_ANSWERS.values()])
        return [*apart(world, ETHERNET, ANSWERING, world.file, situations)]


def name_in_a_network(world: World) -> Found:
    found = names_in_a_network(world.made)
    assert [each.code for each in found] == [*WHO_ANSWERS]
    return found


def disk_slow(world: World) -> Found:
    return with_slow_disk(lambda: [*disk(world.folder)], 0.15)


def disk_worn(world: World) -> Found:
    device = world.folder.stat().st_dev
    sys = world.folder.parent / "sys"
    end = sys / "block/mmcblk0/device/pre_eol_info"
    end.parent.mkdir(parents=True)
    end.write_text("0x02\n")
    (sys / "block/mmcblk0/mmcblk0p2").mkdir()
    (sys / "dev/block").mkdir(parents=True)
    link = sys / "dev/block" / f"{os.major(device)}:{os.minor(device)}"
    link.symlink_to("../../block/mmcblk0/mmcblk0p2")
    return disk(world.folder, sys)


def disk_errors(world: World) -> Found:
    world.tool(
        "dmesg", "[ 9.1] mmcblk0: error -110\n[ 9.2] I/O error, dev mmcblk0, sector 8\n[3] x"
    )
    return disk(world.folder)


def clock(tool: str, ahead_s: float = 0, written_s: float = 0) -> Callable[[World], Found]:
    def case(world: World) -> Found:
        world.tool("timedatectl", tool)
        watched = system.Clock()
        watched._ahead -= ahead_s
        os.utime(world.file, (time(), time() + written_s))
        return watched.findings(world.file)

    return case


def a_log_from_tomorrow(world: World) -> Found:
    scribe = Scribe(GENESIS)
    scribe(Record(1, round((time() + 86_400) * 1000), LogBegun(table="kitchen", log="0" * 64)))
    with closing(SqliteJournal.open(world.journal, "kitchen")) as journal:
        journal.append(scribe.rows)
    world.tool("timedatectl", KNOWN)
    return system.Clock().findings(world.file, world.journal)


def unit(*lines: str) -> Callable[[World], Found]:
    def case(world: World) -> Found:
        world.tool("systemctl", "\n".join(lines))
        return system.unit()

    return case


def pages_that(say: bytes | None) -> Callable[[World], Found]:
    """A hub runs, and this answer comes from its port."""

    def case(world: World) -> Found:
        world.played()
        if say is not None:
            code = """
                import socket, sys
                with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as door:
                    print("open", flush=True)
                    caller, _ = door.accept()
                    caller.recv(4096)
                    caller.sendall(sys.argv[2].encode())
                    caller.close()
            """
            child = world.stack.enter_context(process(code, str(world.port), say.decode()))
            assert line(child) == "open"
        return world.pages()

    return case


def port_taken(world: World) -> Found:
    code = """
        import socket, sys
        with socket.create_server(("127.0.0.1", int(sys.argv[1]))):
            print("open", flush=True)
            sys.stdin.read()
    """
    child = world.stack.enter_context(process(code, str(world.port)))
    assert line(child) == "open"
    found = list(world.pages())
    assert any(f"process {child.pid}" in each.what for each in found)
    return found


def low_port(world: World) -> None:
    world.change(f"port = {world.port}", "port = 80")


def address_foreign(world: World) -> Found:
    world.lan()
    world.change('"0.0.0.0"', '"192.0.2.1"')
    return world.pages()


def firewall(tool: str, says: str, status: int = 0) -> Callable[[World], Found]:
    def case(world: World) -> Found:
        for other in ("ufw", "firewall-cmd", "iptables"):
            world.tool(other, "", 1)
        world.tool(tool, says.replace("PORT", str(world.port)), status)
        world.patch.setattr("hub.doctor.pages.address_of", lambda _: "127.0.0.1")
        world.patch.setattr(
            "hub.doctor.pages.name", lambda *_: ()
        )  # it would query this machine's networks
        world.lan()
        return world.pages()

    return case


def unread(world: World) -> None:
    for other in ("ufw", "firewall-cmd", "nft"):
        world.tool(other, "", 1)
    world.lan()


def pages_off(world: World) -> Found:
    world.change("[web]", "[web]\nenabled = false")
    return world.pages()


def embedded(world: World) -> Found:
    world.change("enabled = false", "enabled = true\nembedded = true")
    return broker(world.config)


def named(world: World) -> None:
    world.lan()
    world.change(f"port = {world.port}", f'port = {world.port}\nhosts = ["pi.local"]')


def unnamed(world: World) -> None:
    world.lan()
    world.file.write_text(world.file.read_text().replace("[web]", '[web]\nname = ""', 1))


def with_messages(*messages: tuple[str, str], lines: tuple[str, ...] = ()) -> Callable[..., Found]:
    def case(world: World) -> Found:
        found = world.broker(*lines)
        del found
        login = {"username": "hub", "password": SECRET}
        for topic, payload in messages:
            port = world.config.mqtt.broker_port
            publish.single(topic, payload, 1, True, "127.0.0.1", port, auth=login)  # type: ignore[arg-type]
        return broker(world.config)

    return case


def clock_away(world: World) -> Found:
    """Of two lamps one is there and reports itself."""
    world.broker()
    clocks = "".join(
        f'[[clock]]\ndriver = "wled"\ntopic = "wled/{name}"\nshows = "reveal"\nlights = 8\n'
        for name in ("here", "away")
    )
    world.change("[mqtt]", f"{clocks}[mqtt]")
    found = with_messages(("wled/here/status", "online"))(world)
    found = [each for each in found if each.code == "clock-away"]
    assert [each.where for each in found] == ["wled/away"]
    return found


def acl(world: World, *lines: str) -> Found:
    file = world.folder.parent / "acl"
    file.write_text("\n".join(("user hub", *lines, "")))
    file.chmod(0o600)
    return world.broker(f"acl_file {file}")


def denied(protocol: str) -> Callable[[World], Found]:
    """Deny events and nothing else."""

    def look(world: World) -> Found:
        acl(world, "topic deny facedown/kitchen/event", "topic readwrite facedown/#")
        world.change("[mqtt]", f'[mqtt]\nprotocol = "{protocol}"')
        return broker(world.config)

    return look


def without_login(world: World) -> Found:
    found = world.broker(login=False)
    world.change("enabled = true", "enabled = true\ncommands = true")
    del found
    return broker(world.config)


def wrong_login(world: World) -> Found:
    world.broker()
    world.change(SECRET, f"not {SECRET}")
    return broker(world.config)


def broken_tls(world: World) -> Found:
    (world.folder / "ca.pem").write_text("no certificate")
    world.broker(port=free_port())
    world.change("\n[web]", '\n[mqtt.tls]\nca = "ca.pem"\n\n[web]')
    return broker(world.config)


def with_tls(ca: str) -> Callable[[World], Found]:
    """A mosquitto that speaks TLS, with the CA that the table trusts."""

    def case(world: World) -> Found:
        papers = made_in(Path(world.stack.enter_context(TemporaryDirectory())))
        world.broker(*(f"{what} {papers}/{file}" for what, file in SPOKEN.items()))
        world.change("\n[web]", f'\n[mqtt.tls]\nca = "{papers}/{ca}"\n\n[web]')
        return broker(world.config)

    return case


def unfinished(world: World) -> Found:
    def fails() -> Found:
        raise ZeroDivisionError(SECRET)

    return whole._looked("disk", fails)


def whole_pack(world: World) -> Found:
    return system.packages()


WRONG, NOTE, OK = Level.WRONG, Level.NOTE, Level.OK
UP = "LoadState=loaded", "ActiveState=active", "Result=success"
KNOWN = "NTP=yes\nNTPSynchronized=yes\nTimezone=Europe/Berlin"
DROPS = "table inet filter { chain input { type filter hook input priority 0; policy drop;"

SPOKEN = {"cafile": "ca.pem", "certfile": "broker.pem", "keyfile": "broker.key"}

CASES: dict[str, tuple[Level, Callable[[World], Found]]] = {
    "python": (OK, lambda _: system.python()),
    "python-old": (WRONG, lambda _: system.python((3, 10, 2))),
    "python-32": (NOTE, lambda _: system.python((3, 11, 2), 2**31 - 1)),
    "packages": (OK, whole_pack),
    "package-missing": (WRONG, lambda _: system.packages(["no-such-thing>=1"])),
    "package-old": (WRONG, lambda _: system.packages(["aiohttp[speed]>=99,<100"])),
    "config": (OK, lambda world: whole._configuration(world.file)[1]),
    "no-config": (NOTE, lambda _: whole._configuration(None)[1]),
    "config-fault": (WRONG, config_fault),
    "config-first": (NOTE, config_fault),
    "config-remark": (NOTE, config_remark),
    "files": (OK, lambda world: files(world.config)),
    "playing": (OK, lambda world: files(world.played().config)),
    "folder-open": (WRONG, folder_open),
    "folder-closed": (WRONG, closed(lambda world: world.folder)),
    "journal-open": (WRONG, journal(0o644)),
    "journal-closed": (WRONG, closed(lambda world: world.journal)),
    "journal-broken": (WRONG, journal(0o600, b"SQLite format 3\0" + bytes(4096))),
    "journal-gone": (WRONG, journal_gone),
    "disk": (OK, lambda world: disk(world.folder)),
    "disk-full": (WRONG, on_a_disk("size=4m")),
    "disk-low": (NOTE, on_a_disk("size=100m")),
    "disk-read-only": (WRONG, on_a_disk("ro,size=64k")),
    "disk-slow": (NOTE, disk_slow),
    "disk-worn": (WRONG, disk_worn),
    "disk-errors": (WRONG, disk_errors),
    "clock": (OK, clock(KNOWN)),
    "clock-loose": (NOTE, clock("NTP=no\nNTPSynchronized=no")),
    "clock-wrong": (WRONG, clock(KNOWN, written_s=86_400)),
    "clock-log": (WRONG, a_log_from_tomorrow),
    "clock-jumps": (WRONG, clock(KNOWN, ahead_s=3)),
    "reader": (OK, reader),
    "reader-simulated": (NOTE, lambda world: world.readers()),
    "reader-playing": (OK, reader_lost("ok")),
    "reader-lost": (WRONG, reader_lost("lost")),
    "readers-held": (NOTE, reader_lost(None)),
    "reader-unnamed": (NOTE, reader_unnamed),
    "deck": (OK, a_deck(all_written=True)),
    "deck-empty": (NOTE, a_deck()),
    "cards-missing": (NOTE, a_deck(a_card("move attack-high"))),
    "cards-unknown": (NOTE, a_deck(a_card("move sing"))),
    "cards-unwritten": (NOTE, a_deck(a_card("move attack-high"))),
    "deck-unread": (WRONG, deck_unread),
    "broker": (OK, lambda world: world.broker()),
    "broker-off": (OK, lambda world: broker(world.config)),
    "broker-embedded": (OK, embedded),
    "broker-unreachable": (WRONG, lambda world: world.broker(port=free_port())),
    "broker-strange": (WRONG, with_tls("other.pem")),
    "broker-login": (WRONG, wrong_login),
    "broker-settings": (WRONG, broken_tls),
    "broker-open": (NOTE, lambda world: world.broker(login=False)),
    "broker-commands-open": (WRONG, without_login),
    "broker-deaf": (NOTE, lambda world: acl(world, "topic write facedown/#")),
    "broker-lacks": (WRONG, lambda world: world.broker("retain_available false")),
    "broker-denies": (WRONG, denied("5")),
    "broker-events": (NOTE, denied("3.1.1")),
    "broker-small": (WRONG, lambda world: world.broker("message_size_limit 10000")),
    "broker-limit": (NOTE, lambda world: world.broker("message_size_limit 65536")),
    "broker-stale": (NOTE, with_messages(("facedown/kitchen/seat/attic", "{}"))),
    "broker-ghost": (NOTE, with_messages(("facedown/kitchen/status", "online"))),
    "clock-away": (NOTE, clock_away),
    "pages": (OK, in_a_network(NETWORK)),
    "pages-answer": (OK, pages_that(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")),
    "pages-off": (NOTE, pages_off),
    "pages-alone": (NOTE, lambda world: world.pages()),
    "pages-silent": (WRONG, pages_that(None)),
    "port-taken": (WRONG, port_taken),
    "port-closed": (WRONG, in_a_network(LOOPBACK, low_port, rights=False)),
    "address-foreign": (WRONG, address_foreign),
    "pages-unreachable": (WRONG, in_a_network(UNREACHABLE)),
    "no-network": (WRONG, in_a_network(LOOPBACK)),
    "name": (OK, in_a_network(NETWORK, named)),
    "name-unlisted": (NOTE, in_a_network(NETWORK, unnamed)),
    "mdns": (OK, name_in_a_network),
    "mdns-ready": (OK, name_in_a_network),
    "mdns-second": (NOTE, name_in_a_network),
    "mdns-taken": (NOTE, name_in_a_network),
    "mdns-silent": (WRONG, name_in_a_network),
    "mdns-port": (NOTE, name_in_a_network),
    "mdns-missing": (NOTE, name_in_a_network),
    "mdns-unasked": (NOTE, name_in_a_network),
    "firewall": (WRONG, firewall("nft", DROPS + " tcp dport 22 accept } }")),
    "firewall-unread": (NOTE, in_a_network(NETWORK, unread, rights=False)),
    "unit": (OK, unit(*UP)),
    "unit-missing": (OK, unit("LoadState=not-found", "ActiveState=inactive")),
    "unit-idle": (NOTE, unit("LoadState=loaded", "ActiveState=inactive")),
    "unit-failed": (WRONG, unit("LoadState=loaded", "ActiveState=failed", "Result=exit-code")),
    "unit-restarts": (WRONG, unit(*UP, "NRestarts=9")),
    "unfinished": (NOTE, unfinished),
}  # fmt: skip


def test_each_finding_has_a_case() -> None:
    said = catalogue("reasons", "en", "hub.doctor")
    assert CASES.keys() == {code for code in said if "." not in code}


@pytest.mark.parametrize("package", ["hub.doctor", "hub.readers"])
@pytest.mark.parametrize("name", ["pages", "reasons"])
def test_it_speaks_every_language(name: str, package: str) -> None:
    english = catalogue(name, "en", package)
    for language in languages():
        said = catalogue(name, language, package)
        assert said.keys() == english.keys()
        for key, text in said.items():
            places = [sorted(re.findall(r"\{\w+\}", each)) for each in (text, english[key])]
            assert places[0] == places[1], key


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as `facedown init` writes it."""
    folder = tmp_path_factory.mktemp("made") / "table"
    words = ["--seats", "2", "--ruleset", "unroll", "--name", "kitchen"]
    subprocess.run([FACEDOWN, "init", folder, *words], check=True, stdin=subprocess.DEVNULL)
    return folder


@pytest.fixture
def world(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with ExitStack() as stack:
        yield World(made, tmp_path, monkeypatch, stack)


@pytest.mark.parametrize("code", CASES)
def test_each_finding_is_reported_in_its_case(world: World, code: str) -> None:
    level, case = CASES[code]
    found = list(case(world))
    said = [each for each in found if each.code == code]
    assert [each.level for each in said[:1]] == [level], [(f.code, f.what) for f in found]
    for each in found:
        for language in languages():
            said_so = " ".join(each.told(language))
            assert "{" not in said_so.replace("{}", "")
            assert SECRET not in said_so + each.where
        assert each.do or each.level is not WRONG


def test_a_broker_with_a_valid_certificate_has_no_findings(world: World) -> None:
    assert [each.code for each in with_tls("ca.pem")(world)] == ["broker"]


@pytest.mark.parametrize(
    ("tool", "says", "closed"),
    [
        ("ufw", "Status: active\n\n22/tcp   ALLOW   Anywhere", True),
        ("ufw", "Status: active\n\nPORT/tcp   ALLOW   Anywhere", False),
        ("ufw", "Status: inactive", False),
        ("firewall-cmd", "22/tcp", True),
        ("firewall-cmd", "PORT/tcp", False),
        ("nft", DROPS + " tcp dport { 22, PORT } accept } }", False),
        ("nft", DROPS.replace("policy drop", "policy accept") + " } }", False),
        ("iptables", "-P INPUT DROP\n-A INPUT -p tcp --dport 22 -j ACCEPT", True),
        ("iptables", "-P INPUT DROP\n-A INPUT -p tcp --dport PORT -j ACCEPT", False),
    ],
)
def test_a_firewall_is_queried_by_its_own_tool(
    world: World, tool: str, says: str, closed: bool
) -> None:
    found = firewall(tool, says)(world)
    assert any(each.code == "firewall" for each in found) is closed


def test_the_report_is_complete_follows_its_schema_and_has_no_secret(world: World) -> None:
    world.broker()
    world.change("[story]", "[story]\ncountdown = 5")  # a fault in the middle of all the secrets
    deck = read_deck(world.folder / "deck.toml")
    words = [str(FACEDOWN), "doctor", "--config", str(world.file)]
    told = subprocess.run([*words, "--json"], capture_output=True, text=True)
    assert told.returncode == 1, told.stderr
    report = json.loads(told.stdout)
    schema = json.loads((DOCS / "doctor.schema.json").read_text())
    jsonschema.validate(report, schema)
    assert report["worst"] == "wrong"
    areas = [each["area"] for each in report["findings"]]
    assert areas == sorted(areas, key=whole._AREAS.index)
    assert (report["findings"][0]["code"], report["findings"][0]["level"]) == ("python", "ok")
    plain = subprocess.run(words, capture_output=True, text=True)
    assert plain.returncode == 1
    assert "\nConfiguration\n  wrong  " in plain.stdout
    assert "         → " in plain.stdout
    secrets = {SECRET, *(card.tag for card in deck.cards), *(str(c.choice) for c in deck.cards)}
    assert not [each for each in secrets if each in told.stdout + plain.stdout + told.stderr]


def test_a_disk_without_any_room_is_also_reported_full(world: World) -> None:
    found = on_a_disk("size=64k", "head -c 60000 /dev/zero > {there}/x")(world)
    assert [each.code for each in found] == ["disk-full"]


def heard(world: World, code: str) -> None:
    """Ask until the hub's display reports this; each question takes a round."""
    until = time() + 60
    while code not in {each.code for each in world.readers()}:
        assert time() < until, [(e.code, e.where, e.what) for e in world.readers()]


def test_a_running_hub_is_asked_for_its_findings(world: World) -> None:
    sim = a_real_reader(world)
    hub = with_us(str(FACEDOWN), "run", "--config", str(world.file))
    with subprocess.Popen(hub, stderr=subprocess.PIPE, text=True) as playing:
        try:
            told = iter(playing.stderr or ())
            assert any("reader is ready" in each for each in told)
            heard(world, "reader-playing")
            found = [*files(world.config), *world.readers(), *world.pages()]
            codes = {each.code for each in found}
            assert {"playing", "reader-playing", "pages-answer"} <= codes
            assert not codes & {"port-taken", "reader", "reader-lost"}
            sim.unplug()
            assert any("lost" in each for each in told)
            heard(world, "reader-lost")
            asked = subprocess.run(
                [FACEDOWN, "readers", "--config", world.file], capture_output=True, text=True
            )
            assert asked.returncode == 1
            assert f"(process {playing.pid})" in asked.stderr
            assert "gm: lost, says the hub" in asked.stderr
        finally:
            playing.terminate()
            playing.communicate(timeout=10)


def test_a_working_table_is_examined_completely(world: World) -> None:
    found = whole.examine(world.file, seconds=0.2)
    areas = {each.area for each in found}
    assert areas == set(whole._AREAS)
    assert not [each for each in found if each.level is WRONG]
    assert [*world.folder.glob(".facedown*")] == []
