"""The cost of a table at which no one plays: processor, memory, and the time until it is ready."""

import os
import re
import secrets
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from hub.cards.deck import write_deck
from hub.config.demo import demo_deck
from hub.games.triangle.demo import files
from hub.sim.readers import SimulatedReader
from hub.wire.tags import tag_id
from tests.bench.figures import Figure, at_most, at_most_times
from tests.bench.held import PI_ZERO_2_W, cpu_s, held
from tests.support.broker import Mosquitto, free_port

SEATS = {
    **{"ada": ["Ada"], "bo": ["Bo"], "east": ["Crow"], "west": ["Heron"], "north": ["Magpie"]},
    "gm": [],
}
READERS = len(SEATS)
SECONDS = 15.0
_ASK_S = 0.005
_AS_INSTALLED = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""An installed program has its byte code beside it."""
_IMPORTS = "import asyncio, aiomqtt, msgspec, nfc.clf.pn532, sqlite3"
_ASLEEP = "print('ready', flush=True)\nasyncio.run(asyncio.sleep(3600))"
_BARE = f"{_IMPORTS}, aiohttp.web\n{_ASLEEP}"
_BARE_WITHOUT_PAGES = f"{_IMPORTS}\n{_ASLEEP}"


def idle() -> list[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        with Mosquitto(path) as broker:
            config = _table(path, broker.port)
            readers = [SimulatedReader(f"r{n}", path) for n in range(READERS)]
            for reader in readers:
                reader.replug()
            try:
                return _measure(config, readers)
            finally:
                for reader in readers:
                    reader.unplug()


def _table(folder: Path, broker_port: int, name: str = "bench") -> Path:
    seats = list(SEATS.items())
    lines = [f'[table]\nname = "{name}"\njournal = "journal.db"\ndeck = "deck.toml"']
    lines += [
        f'[[seat]]\nname = "{seat}"\nreader = "pn532:{folder}/r{n}"\n'
        + (f"characters = {actors!r}" if actors else "gm = true")
        for n, (seat, actors) in enumerate(seats)
    ]
    lines += [
        '[scene]\nfile = "scene.toml"',
        f"[mqtt]\nenabled = true\nport = {broker_port}",
        f"[web]\nport = {free_port()}",
    ]
    write_deck(folder / "deck.toml", demo_deck())
    (folder / "scene.toml").write_text(files()["scene.toml"])
    config = folder / "hub.toml"
    config.write_text("\n\n".join(lines))
    return config


def _measure(config: Path, readers: list[SimulatedReader]) -> list[Figure]:
    hub_ready, bare_ready = [], []
    hub_cpu, bare_cpu = [], []
    _stop(_start(_hub(config), b"Display")[0])  # the first one writes its modules' byte code
    for _ in range(3):
        bare, spent = _start(_python(_BARE), b"ready")
        bare_ready.append(spent)
        bare_cpu.append(cpu_s(bare.pid))
        _stop(bare)
        hub, spent = _start_pages(config)
        hub_ready.append(spent)
        hub_cpu.append(cpu_s(hub.pid))
        _stop(hub)
    bare, slow_bare = _start(_python(_BARE), b"ready", PI_ZERO_2_W)
    _stop(bare)
    hub, slow_hub = _start_pages(config, PI_ZERO_2_W)
    _stop(hub)
    without, bare_without = _without_pages(config)
    bare, _ = _start(_python(_BARE), b"ready")
    hub, _ = _start(_hub(config), b"Display")
    try:
        empty, asleep = _used((hub.pid, bare.pid))
        for reader in readers:
            reader.place(tag_id(secrets.token_bytes(16)))
        lying, _ = _used((hub.pid, bare.pid))
        memory = _memory(hub.pid), _memory(bare.pid)
    finally:
        _stop(hub)
        _stop(bare)
    libraries = "a Python process with the same libraries, asleep"
    return [
        # Earlier versions: 4.5 % where this had 2.2, because they polled 18 times a second.
        Figure.of("six readers with a card each: one core", "%", [lying], [empty],
                  "the same readers without", at_most(0.5)),
        Figure.of("six readers, nothing on them: one core", "%", [empty], [max(asleep, 0.01)],
                  libraries, at_most(0.5)),
        # Before: 65 MB and 2.6x; the command line's library alone took 10 MB and half the time.
        Figure.of("six readers: resident", "MB", [memory[0]], [memory[1]], libraries, at_most(50)),
        Figure.of("six readers, no pages: resident", "MB", [without], [bare_without],
                  "the same without aiohttp", at_most(30)),
        Figure.of("start until the pages answer", "s", hub_ready, bare_ready,
                  "importing the same libraries", at_most_times(1.3)),
        Figure.of("start: processor time", "s", hub_cpu, bare_cpu,
                  "importing the same libraries", at_most_times(1.3)),
        Figure.of("start at 7 % of a core, as on a Pi Zero 2 W", "s", [slow_hub], [slow_bare],
                  "importing the same libraries", at_most(5)),
    ]  # fmt: skip


def _used(processes: tuple[int, int]) -> list[float]:
    """Per cent of one core that each process uses once it is at rest."""
    time.sleep(3)
    before = [cpu_s(each) for each in processes]
    time.sleep(SECONDS)
    return [(cpu_s(p) - b) / SECONDS * 100 for p, b in zip(processes, before, strict=True)]


def _without_pages(config: Path) -> tuple[float, float]:
    """What a hub without pages takes, and a process with its libraries (MB)."""
    own = config.with_name("no-pages.toml")
    own.write_text(config.read_text().replace("[web]", "[web]\nenabled = false"))
    hub, _ = _start(_hub(own), b"MQTT broker")
    bare, _ = _start(_python(_BARE_WITHOUT_PAGES), b"ready")
    try:
        time.sleep(3)
        return _memory(hub.pid), _memory(bare.pid)
    finally:
        _stop(hub)
        _stop(bare)


def _python(program: str) -> list[str]:
    return [sys.executable, "-c", program]


def _hub(config: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("facedown")), "run", "--config", str(config)]


def _start(
    command: list[str], sign: bytes, share: float | None = None
) -> tuple["subprocess.Popen[bytes]", float]:
    """Start a process, held to a share of a core if there is one. Returns it once it has written
    ``sign``, and how long that took (s)."""
    start = time.perf_counter()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=_AS_INSTALLED
    )
    assert process.stdout is not None
    said = b""
    with held(process, share) if share else nullcontext():
        while sign not in said:
            line = process.stdout.readline()
            assert line, f"{command} ended: {said.decode()}"
            said += line
        return process, time.perf_counter() - start


def _start_pages(
    config: Path, share: float | None = None
) -> tuple["subprocess.Popen[bytes]", float]:
    """Start a hub, as :func:`_start` does. Returns it once its pages have answered."""
    (port,) = re.findall(r"\[web\]\nport = (\d+)", config.read_text())
    start = time.perf_counter()
    process = subprocess.Popen(
        _hub(config), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_AS_INSTALLED
    )
    with held(process, share) if share else nullcontext():
        while True:
            assert process.poll() is None, f"the hub ended with {process.returncode}"
            try:
                with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=30) as answer:
                    assert answer.status == 200
                    return process, time.perf_counter() - start
            except URLError:
                time.sleep(_ASK_S)


def _stop(process: "subprocess.Popen[bytes]") -> None:
    process.terminate()
    process.communicate(timeout=20)


def _memory(pid: int) -> float:
    """Resident, in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6
