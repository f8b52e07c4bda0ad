"""Parts of the clock that need no board: its settings, its set-up page, its digits."""

import json
import socket
import ssl
import struct
import subprocess
import threading
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest

from hub.firmware.common import faces, figures
from tests.support import micropython
from tests.support.broker import Mosquitto, free_port
from tests.support.clocks import clock

GOOD = {"wifi": "den", "host": "10.0.0.2", "table": "den"}
EXAMPLE = micropython.FIRMWARE / "led_clock" / "clock.example.json"
WRONG: list[tuple[object, str]] = [
    ([], "must be one JSON object"),
    ({}, "wifi is missing"),
    (GOOD | {"wifi": ""}, "wifi is missing"),
    (GOOD | {"colour": 1}, "'colour' is unknown; see clock.example.json"),
    (GOOD | {"lights": 0}, "lights must be a whole number from 1 to 512"),
    (GOOD | {"lights": True}, "lights must be a whole number from 1 to 512"),
    (GOOD | {"port": "1883"}, "port must be a whole number from 1 to 65535"),
    (GOOD | {"wifi": "x" * 33}, "wifi must be one line of at most 32 characters"),
    (GOOD | {"wifi": "a\nb"}, "wifi must be one line of at most 32 characters"),
    (GOOD | {"shows": "clock"}, "shows must be one of: countdown, timer, seat, reveal"),
    (GOOD | {"display": "oled"}, "display must be one of: ws2812, tm1637, ht16k33"),
    (GOOD | {"table": "Den/#"}, "table must be of a to z, 0 to 9 and -"),
    (GOOD | {"shows": "seat"}, "of is missing; it names the seat"),
    (GOOD | {"password": "x"}, "password needs a username"),
    (GOOD | {"tls": 1}, "tls must be true or false"),
    (GOOD | {"display": "tm1637", "pin": 1}, "pin and pin2 are the same pin"),
]
_SETTINGS = """
import json, sys
from led_clock import settings
for case in json.load(open(sys.argv[1])):
    try:
        settings.Settings(case)
        print("sound")
    except settings.Wrong as wrong:
        print(wrong)
for text in (None, "wifi = den", "x" * 5000):
    if text is not None:
        with open(sys.argv[2], "w") as file: file.write(text)
    try:
        settings.load(sys.argv[2])
    except settings.Wrong as wrong:
        print(wrong)
"""


def test_each_fault_of_the_settings_is_one_sentence(tmp_path: Path) -> None:
    cases = [each for each, _ in WRONG] + [GOOD, json.loads(EXAMPLE.read_text())]
    file = tmp_path / "clock.json"
    (tmp_path / "cases").write_text(json.dumps(cases))
    said = micropython.run(_SETTINGS, str(tmp_path / "cases"), str(file)).splitlines()
    for (case, text), told in zip(WRONG, said, strict=False):
        assert text in told, case
    assert said[len(WRONG) : -3] == ["sound", "sound"]
    assert [line.removeprefix(str(file)) for line in said[-3:]] == [
        " is not there",
        " is no JSON; see clock.example.json",
        " is longer than 4096 characters",
    ]


_PORTAL = """
import asyncio, os, sys
from led_clock import portal, settings
os.chdir(sys.argv[3])
portal.HTTP_PORT, portal.DNS_PORT = int(sys.argv[1]), int(sys.argv[2])
asyncio.run(portal.Portal(settings.Wrong("%s is not there", "clock.json")).run())
"""


def test_a_new_clock_is_set_up_on_its_own_page(tmp_path: Path) -> None:
    http, dns = free_port(), free_port()
    ended: list[str] = []

    def run() -> None:
        try:
            micropython.run(_PORTAL, str(http), str(dns), str(tmp_path))
        except AssertionError as error:  # a board that restarts ends its process
            ended.append(str(error))

    board = threading.Thread(target=run)
    board.start()
    base = f"http://127.0.0.1:{http}/"

    def get(path: str = "", data: bytes | None = None, asks: str = "") -> tuple[int, str]:
        opener = urllib.request.build_opener(_Stay)
        asked = urllib.request.Request(base + path, data, {"Accept-Language": asks})
        try:
            with opener.open(asked, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    for _ in range(200):
        try:
            status, page = get()
            break
        except urllib.error.URLError:
            threading.Event().wait(0.05)  # nothing reports that its port is open
    assert status == 200 and "Set up the clock" in page and "clock.json is not there" in page
    for asks in ("de-AT,de;q=0.9,en;q=0.8", "fr,de;q=0.5", "DE"):
        status, page = get(asks=asks)
        assert status == 200 and '<html lang="de">' in page and "Die Uhr einrichten" in page
        assert "clock.json ist nicht da" in page and "Name deines WLANs" in page
    for asks in ("en-GB,de;q=0.1", "fr", "", ";;,,"):
        assert '<html lang="en">' in get(asks=asks)[1]
    status, page = get("", b"wifi=den&host=10.0.0.2&table=den&lights=0", asks="de")
    assert status == 400 and "lights muss eine ganze Zahl von 1 bis 512 sein" in page
    assert get("generate_204") == (302, "")
    assert get("", b"wifi=%zz")[0] == 400
    assert get("", b"x" * 3000)[0] == 413
    status, page = get("", b"wifi=den&host=10.0.0.2&table=DEN")
    assert status == 400 and "table must be of a to z" in page
    with socket.create_connection(("127.0.0.1", http), 10) as noise:
        noise.sendall(b"\0\1\2\r\n")
        assert noise.recv(100) == b""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.settimeout(10)
        name = b"\7connect\4test\0"
        question = struct.pack(">6H", 7, 0x0100, 1, 0, 0, 0) + name + b"\0\1\0\1"
        for noise_ in (b"", b"\0" * 12, question[:14], b"\xff" * 200):
            asked.sendto(noise_, ("127.0.0.1", dns))
        asked.sendto(question, ("127.0.0.1", dns))
        assert asked.recv(512).endswith(bytes([192, 168, 4, 1]))
    status, page = get("", b"wifi=Caf%C3%A9+%26+Co&host=10.0.0.2&table=den&lights=8&password=")
    assert status == 200 and "Saved" in page
    board.join(20)
    assert ended and "ended with 3" in ended[0]
    assert json.loads((tmp_path / "clock.json").read_text()) == {
        "wifi": "Café & Co", "host": "10.0.0.2", "table": "den", "lights": 8,
    }  # fmt: skip
    assert not (tmp_path / "clock.json.new").exists()


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@pytest.mark.parametrize(
    ("shows", "mood", "text"),
    [
        ("timer", "running", ("0025", False)),
        ("timer", "zero", ("0000", True)),
        ("countdown", "running", (" 3 6", True)),
        ("countdown", "none", ("    ", True)),
        ("seat", "committed", ("donE", False)),
        ("seat", "lost", ("LoSt", False)),
        ("reveal", "choosing", (" 1 3", True)),
        ("timer", "offline", ("----", False)),
    ],
)
def test_four_digits_show_the_mood(shows: str, mood: str, text: tuple[str, bool]) -> None:
    it = faces.Facts()
    it.marked, it.boxes, it.committed, it.awaited = 3, 6, 1, 3
    now = 100_000
    it.deadline = now + 25_000
    assert figures.text(mood, shows, it, now)[0] == text[0]


def test_every_figure_can_be_drawn() -> None:
    for shows in faces.SHOWS:
        for mood in (*faces.MOODS[shows], *faces.ALWAYS):
            for now in range(0, 4000, 70):
                it = faces.Facts()
                it.deadline, it.marked, it.boxes = 9_999_999, 31, 32
                word, _ = figures.text(mood, shows, it, now)
                assert len(word) == 4 and {*word} <= figures.SEGMENTS.keys(), (shows, mood, word)


_GERMAN = """
import json, sys
from led_clock import settings, words
for case in json.load(open(sys.argv[1])):
    try:
        settings.Settings(case)
    except settings.Wrong as wrong:
        print(words.told(settings.Wrong("%s: %s", "clock.json", wrong), "de"))
print(sorted(words.ENGLISH) == sorted(key for key in words.GERMAN if key in words.ENGLISH))
"""


def test_each_fault_has_a_german_text(tmp_path: Path) -> None:
    cases = tmp_path / "cases"
    cases.write_text(json.dumps([each for each, _ in WRONG]))
    *said, whole = micropython.run(_GERMAN, str(cases)).splitlines()
    assert whole == "True"
    assert len(said) == len(WRONG)
    for told, (_, english) in zip(said, WRONG, strict=True):
        assert told.startswith("clock.json: ")
        assert english not in told


_NTP = """
import asyncio, json, sys
from led_clock import clock, settings
clock.NTP_PORT = int(sys.argv[1])
wall = clock.Clock(settings.Settings(json.loads(sys.argv[2])))
table = wall.table
async def ask():
    timer = {"deadline": "2040-03-01T00:00:30.000Z", "seconds": 60, "warnings": []}
    table.hear("facedown/den/timer", json.dumps(timer).encode(), True, wall._ticks.now())
    for _ in range(4):
        await wall._ask_time()
        left = table.facts.deadline and table.facts.deadline - wall._ticks.now()
        print(table.facts.timeless, left and (left + 500) // 1000)
    moment = {"at": "2040-03-01T00:00:20.000Z", "awaited": 0, "committed": 0, "phase": "sealed",
              "reveal_at": None, "revealed_at": None}
    for retained in (True, False):
        table.hear("facedown/den/moment", json.dumps(moment).encode(), retained, wall._ticks.now())
        print((table.facts.deadline - wall._ticks.now() + 500) // 1000)
asyncio.run(ask())
"""


def test_time_comes_by_ntp_and_the_tables_own_takes_precedence() -> None:
    """First silence, noise and a server without the right time; then a good server, in the NTP era
    that begins in 2036."""
    at = int(datetime(2040, 3, 1, tzinfo=UTC).timestamp()) + 2_208_988_800 - (1 << 32)

    def answer(mode: int, stratum: int) -> bytes:
        return struct.pack(">BB38xII", 0x20 | mode, stratum, at, 1 << 20)

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        said = [
            [],
            [b"x", b"\xff" * 47, answer(3, 2), answer(4, 0), answer(4, 16)],
            [struct.pack(">BB38xII", 0x24, 2, 0, 0)],
            [b"", answer(4, 2)],
        ]

        def serve() -> None:
            for each in said:
                _, who = server.recvfrom(100)
                for data in each:
                    server.sendto(data, who)

        serving = threading.Thread(target=serve)
        serving.start()
        port = server.getsockname()[1]
        lines = micropython.run(_NTP, str(port), json.dumps(GOOD | {"ntp": "127.0.0.1"}))
        serving.join(5)
    told = [line for line in lines.splitlines() if not line.startswith("clock:")]
    assert told == ["True None"] * 3 + ["False 30", "30", "10"]
    assert lines.count("no answer from 127.0.0.1") == 3


_CHIPS = """
from led_clock import displays
trace = []
class Pin:
    def __init__(self, name): self.name = name
    def value(self, level): trace.append((self.name, level))
class Bus:
    def __init__(self): self.fails = 1
    def writeto(self, address, data):
        if self.fails:
            self.fails -= 1
            raise OSError
        print(address, bytes(data).hex())
displays.Tm1637(Pin("c"), Pin("d")).put([0x06, 0x5b, 0x4f, 0x66], True, 255)
print("".join(name + str(level) for name, level in trace))
chip = displays.Ht16k33(Bus())
chip.put([0x06, 0x5b, 0x4f, 0x66], True, 255)
chip.put([0x06, 0x5b, 0x4f, 0x66], True, 255)
"""


def test_display_chips_receive_what_their_data_sheets_specify() -> None:
    wires, *bus = micropython.run(_CHIPS).splitlines()
    assert heard(wires) == [[0x40], [0xC0, 0x06, 0x5B | 0x80, 0x4F, 0x66], [0x8F]]
    assert bus == ["112 21", "112 81", "112 ef", "112 0006005b0002004f006600"]


def heard(wires: str) -> list[list[int]]:
    """Decode the TM1637's two wires into messages: data that changes while the clock is high begins
    or ends one; otherwise a bit is read at each rising clock, lowest bit first, nine to a byte."""
    clock = data = 1
    said: list[list[int]] = []
    bits: list[int] = []
    for at in range(0, len(wires), 2):
        name, level = wires[at], int(wires[at + 1])
        if name == "d":
            if clock and level < data:
                bits = []
            elif clock and level > data:
                whole = [bits[n : n + 9] for n in range(0, len(bits) - 1, 9)]
                said.append([sum(bit << n for n, bit in enumerate(each[:8])) for each in whole])
            data = level
        else:
            if level and not clock:
                bits.append(data)
            clock = level
    return said


_HOUR = """
import gc, json
from common import faces
from led_clock.displays import Chain
from led_clock.table import Table
class Strip:
    def __init__(self): self.lights = [None] * 60
    def __len__(self): return 60
    def __setitem__(self, at, colour): self.lights[at] = colour
    def write(self): pass
chains = [Chain(Strip()) for _ in faces.SHOWS]
tables = [Table("den", shows, "x", "wall") for shows in faces.SHOWS]
used = []
def utc(s): return "2026-11-22T%02d:%02d:%02d.500Z" % (s // 3600 % 24, s // 60 % 60, s % 60)
for second in range(3600):
    now = second * 1000
    moment = {"at": utc(second), "awaited": 2, "committed": second % 3, "phase": "sealed",
              "reveal_at": None, "revealed_at": utc(second)}
    said = {
        "status": b"online",
        "moment": json.dumps(moment).encode(),
        "timer": json.dumps({"deadline": utc(second + 9), "seconds": 30.0, "warnings": [5]}),
        "countdown/x": b'{"boxes": 6, "marked": %d}' % (second % 7),
        "seat/x": b'{"reader": "ok", "awaited": true, "committed": false}',
    }
    for table, chain, shows in zip(tables, chains, faces.SHOWS):
        for topic in said:
            payload = said[topic]
            if second % 5 == 0:
                payload = payload[: second % 40]
            table.hear("facedown/den/" + topic, payload, second % 11 == 0, now)
        table.hear("facedown/den/countdown/n%d" % second, b"[" * (second % 900), False, now)
        chain.show(shows, table.facts, now, 200)
    if second % 600 == 599:
        gc.collect()
        used.append(gc.mem_alloc())
print(*used)
"""


def test_memory_is_flat_over_an_hour() -> None:
    used = [int(each) for each in micropython.run(_HOUR).split()]
    assert max(used[1:]) - min(used[1:]) < 1024, used


_REFUSED = b"not correctly signed by the trusted CA"


def test_over_tls_only_the_right_broker_is_trusted(tmp_path: Path) -> None:
    def openssl(*words: str) -> None:
        subprocess.run(["openssl", *words], cwd=tmp_path, check=True, capture_output=True)

    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    for name in ("ca", "other"):
        openssl("req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "2",
                "-subj", f"/CN={name}", "-addext", "keyUsage=critical,keyCertSign")  # fmt: skip
    openssl("req", *key, "-keyout", "b.key", "-out", "b.csr", "-subj", "/CN=localhost")
    openssl("x509", "-req", "-in", "b.csr", "-CA", "ca.pem", "-CAkey", "ca.key",
            "-CAcreateserial", "-out", "b.pem", "-days", "2")  # fmt: skip
    tls = [f"{word}file {tmp_path / name}" for word, name in (("cert", "b.pem"), ("key", "b.key"))]
    with Mosquitto(tmp_path, ("allow_anonymous true", *tls)) as broker:
        for name, fits in (("ca", True), ("other", False)):
            folder = tmp_path / f"board-{name}"
            board = clock(folder, broker.port, host="localhost", tls=True, ca="authority.der")
            openssl("x509", "-in", f"{name}.pem", "-outform", "DER", "-out",
                    str(folder / "authority.der"))  # fmt: skip
            with board:
                if fits:
                    context = ssl.create_default_context(cafile=tmp_path / "ca.pem")
                    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
                    client.tls_set_context(context)
                    client.connect("localhost", broker.port)
                    said = threading.Event()
                    client.on_message = lambda *_, said=said: said.set()
                    client.subscribe("facedown/den/clock/clock/status")
                    client.loop_start()
                    assert said.wait(15), board.said
                    client.disconnect()
                    client.loop_stop()
                else:
                    assert board.wait_for(lambda board=board: _REFUSED in board.said), board.said
