"""Facedown on Debian 12 and 13, by its package and by the guide: `make deb-test`, as root.

Each test begins with its own Debian. Not collected by `make test`.
"""

import asyncio
import re
import shlex
import shutil
import subprocess
import sys

import aiohttp
import pytest

from hub.version import VERSION
from tests.packages.box import ROOT, Box
from tests.packages.installing import FACEDOWN, NEWER, OLDER, PACKAGES, TABLE, install, table
from tests.support.broker import free_port
from tests.support.guides import GUIDES, blocks, commands
from tests.support.playing import sit

GOLDEN = ROOT / "tests" / "vectors" / "golden" / "1.0.0" / "triangle" / "golden.journal"
pytestmark = pytest.mark.timeout(1200)


async def a_turn_is_played(console: str) -> None:
    """Play a conflict up to its first reveal; the hub plays the seats."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        gm = await sit(http, console, "/ws/gm")
        await gm.until(lambda state: state and state["seats"])
        sides = {"players": ["Ada"], "watch": ["Sergeant Thole"]}
        await gm.command(
            command="start-scene", scene={"type": "conflict", "sides": sides, "title": "The quay"}
        )
        everybody = ["Ada", "Sergeant Thole", "gm"]
        await gm.command(command="let-hub-play", actors=everybody, on=True)
        await gm.until(lambda state: state["revealed_at"])
        await gm.socket.close()


def play(box: Box, seconds: float = 120) -> None:
    """Run the table in the foreground with its broker, and play a turn."""
    broker = box.start("exec mosquitto -c /etc/mosquitto/mosquitto.conf")
    handed = "CREDENTIALS_DIRECTORY=/etc/facedown/credentials/table"
    box.run(
        "chmod -R go+rX /etc/facedown/credentials"
    )  # systemd would pass them on, but does not run here
    hub = box.start(f"{handed} exec {FACEDOWN} run --config {TABLE}/hub.toml")
    try:
        assert hub.stdout is not None
        said = ""
        while not (found := re.search(r"GM console\s+(http://\S+)", said)):
            line = hub.stdout.readline()
            assert line, f"the hub has ended: {said}"
            said += line
        asyncio.run(asyncio.wait_for(a_turn_is_played(found[1]), seconds))
    finally:
        for process in (hub, broker):
            box.end(process)
    assert '"type":"revealed"' in box.run(f"{FACEDOWN} log {TABLE}/table.journal")


def test_lintian_finds_nothing(packages: None) -> None:
    for architecture in ("amd64", "arm64"):
        package = PACKAGES / f"facedown_{NEWER}_{architecture}.deb"
        command = ["lintian", "--allow-root", "--fail-on", "error,warning", package]
        said = subprocess.run(command, capture_output=True, text=True)
        assert (said.returncode, said.stdout) == (0, ""), said.stdout


def test_it_is_installed_played_removed_and_purged(box: Box) -> None:
    before = box.files()
    said = install(box)
    assert "facedown provision" in said
    assert "dialout" in box.run("id facedown")
    if box.suite != "bookworm":  # udevadm verify exists since systemd 254
        box.run("udevadm verify /usr/lib/udev/rules.d/70-facedown.rules")
    assert box.run("systemctl is-enabled facedown").strip() == "enabled"
    table(box)
    box.run(f"facedown provision --local --port {free_port()}")
    assert "nothing was changed" in box.run("facedown provision")
    play(box)
    box.run("dpkg --remove facedown")
    assert not box.at("/opt/facedown").exists()
    assert box.at(f"{TABLE}/table.journal").exists()
    assert box.at("/etc/mosquitto/facedown.acl").exists()
    said = box.run("dpkg --purge facedown 2>&1")
    assert "every evening in /var/lib/facedown" in said
    assert box.files() - before == set()
    box.run("! getent passwd facedown")


def test_an_upgrade_backs_up_the_journal_and_goes_on_with_it(box: Box) -> None:
    install(box, OLDER)
    table(box, "--name", "golden")
    journal = f"{TABLE}/golden.journal"
    box.put(GOLDEN, journal)
    box.run(f"chown facedown: {journal}; chmod 600 {journal}")
    before = box.run(f"{FACEDOWN} log {journal}")
    said = install(box)
    backup = re.search(rf"{TABLE}/before-{NEWER}-\S+\.backup", said)
    assert backup, said
    assert box.run(f"{FACEDOWN} log {backup[0]}") == before
    assert box.at(backup[0]).stat().st_mode & 0o077 == 0
    box.run(f"timeout 20 {FACEDOWN} run --config {TABLE}/hub.toml", status=None)
    schema = (
        "import sqlite3,sys; print(*sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version'))"
    )
    newest = max(int(each.stem) for each in (ROOT / "hub/journal/schema").glob("*.sql"))
    assert box.run(f'python3 -c "{schema}" {journal}').strip() == f"({newest},)"
    assert box.run(f"{FACEDOWN} log {journal}").startswith(before)


def test_a_journal_of_a_newer_version_is_refused_and_kept(box: Box) -> None:
    install(box, OLDER)
    table(box, "--name", "golden")
    journal = f"{TABLE}/golden.journal"
    box.put(GOLDEN, journal)
    newer = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version = 99')"
    box.run(f'chown facedown: {journal}; chmod 600 {journal}; python3 -c "{newer}" {journal}')
    content = box.at(journal).read_bytes()
    said = install(box)
    assert "table table cannot start with this version" in said
    assert "made by a newer Facedown" in said
    copy = re.search(r"to go back to it|a copy as it was lies in (\S+)", said)
    assert copy, said
    assert "newer Facedown" in box.run(
        f"timeout 20 {FACEDOWN} run --config {TABLE}/hub.toml", status=1
    )
    assert box.at(journal).read_bytes() == content


def test_reinstalling_repairs_a_broken_install(box: Box) -> None:
    install(box)
    shutil.rmtree(box.at("/opt/facedown/venv/lib"))
    install(box)
    assert VERSION in box.run("facedown --version")
    wheels = box.at("/usr/share/facedown/wheels")
    for wheel in wheels.glob("msgspec*"):
        wheel.unlink()
    said = box.run(
        "dpkg-reconfigure facedown 2>&1 || /var/lib/dpkg/info/facedown.postinst configure 0",
        status=None,
    )
    assert "what was there stays" in said
    assert VERSION in box.run("facedown --version"), "the program that was there still runs"


def test_the_package_refuses_to_replace_a_pip_installation(box: Box) -> None:
    box.at("/etc/systemd/system/facedown.service").write_text("[Unit]\n")
    said = install(box, status=1)
    assert "sudo facedown uninstall" in said
    assert not box.at("/opt/facedown").exists()


def test_the_guide_is_followed_line_by_line(box: Box) -> None:
    """Runs as a user who may use sudo, on a booted machine. Wheels come from a folder, because the
    container's network has none to fetch."""
    guide = GUIDES / "raspberry-pi.md"
    before = box.files()
    box.run("useradd -m pi; echo 'pi ALL=(ALL) NOPASSWD: ALL' >/etc/sudoers.d/pi")
    wheels(box)
    clone = box.at("/home/pi/facedown")
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    for name in filter(None, names.stdout.decode().split("\0")):
        if (ROOT / name).exists():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name, follow_symlinks=False)
    box.run("chown -R pi: /home/pi/facedown")
    box.boot()
    said = {}
    for block in blocks(guide.read_text(encoding="utf-8")):
        assert block.kind == "sh", f"{guide.name}:{block.line}"
        for command in commands(block.text):
            if command.startswith("sudo apt "):
                continue  # already installed, see box.PACKAGES
            if command == "sudo facedown uninstall":
                after_the_start(box, said)
            script = f"cd /home/pi/facedown; {command}"
            said[command] = box.run(f"runuser -u pi -- sh -ec {_quoted(script)}")
    assert not box.at("/opt/facedown").exists()
    assert box.at(f"{TABLE}/table.journal").exists()
    left = {
        path for path in box.files() - before if not path.startswith(("/home/pi", "/etc/sudoers.d"))
    }
    outside = {path for path in left if not path.startswith(("/var/lib/facedown", "/etc/facedown"))}
    assert {path for path in outside if "facedown" in path} == {
        "/etc/mosquitto/facedown.acl",
        "/etc/mosquitto/facedown.users",
        "/etc/mosquitto/conf.d/facedown.conf",
    }


def after_the_start(box: Box, said: dict[str, str]) -> None:
    """Check that the table plays, that its broker refuses clients without a name, and that both are
    back after a power cut."""
    assert "Active: active (running)" in said["systemctl status facedown"]
    assert any("GM console" in words for words in said.values())
    assert box.run("systemctl is-active facedown mosquitto").split() == ["active", "active"]
    password = box.at("/etc/facedown/passwords").read_text().split("display ")[1].split()[0]
    listen = (
        "import asyncio, aiomqtt, sys\n"
        "async def main():\n"
        "    words = dict(zip(('username', 'password'), sys.argv[1:]))\n"
        "    async with aiomqtt.Client('127.0.0.1', **words) as c:\n"
        "        await c.subscribe('facedown/table/status', qos=1)\n"
        "        async for m in c.messages:\n"
        "            print(m.payload.decode(), flush=True)\n"
        "            if m.payload == b'online': break  # it may not have been there yet\n"
        "asyncio.run(asyncio.wait_for(main(), 20))\n"
    )
    box.at("/root/listen.py").write_text(listen)
    python = "/opt/facedown/venv/bin/python /root/listen.py"
    assert box.run(f"{python} display {password}").split()[-1] == "online"
    assert "Not authorized" in box.run(python, status=1)
    box.off()
    box.boot()
    box.run("timeout 60 sh -c 'until systemctl --quiet is-active facedown; do sleep 1; done'")
    assert box.run(f"{python} display {password}").split()[-1] == "online"


def wheels(box: Box) -> None:
    """Make a folder of the wheels that pip would fetch, copied from the package."""
    folder = box.at("/srv/wheels")
    folder.mkdir(parents=True)
    for wheel in (PACKAGES / "unpacked/usr/share/facedown/wheels").glob("*.whl"):
        if not wheel.name.startswith("facedown"):
            shutil.copy(wheel, folder)
    fetch = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "-q",
        "-d",
        str(folder),
        "setuptools>=70",
        "wheel",
    ]
    subprocess.run(fetch, check=True)
    box.at("/etc/pip.conf").write_text("[global]\nno-index = true\nfind-links = /srv/wheels\n")


def _quoted(script: str) -> str:
    return shlex.quote(script)
