"""hub.toml: every key, and every fault in one reading, each with its line."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import structs

import hub.config
from hub.config.checks import missing_devices
from hub.config.loader import load_config, load_table
from hub.config.settings import Config
from hub.config.story import load_scene
from hub.daemon.clocks import clocks_of
from hub.daemon.output import wanted
from hub.daemon.outputs import OUTPUTS
from hub.daemon.serve import table_settings
from hub.games.files import read_toml
from hub.games.triangle.sheets import samples
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Faulty
from hub.readers.devices import SERIAL
from hub.table.state import AtZero

EXAMPLE = Path(hub.config.__file__).with_name("example.toml").read_text()
SCENE = """\
title = "A duel"
ruleset = "unroll"

[sides]
players = ["ada", "bo"]
gm-side = ["ninja", "crow"]

[characters.ada]
energy = {attack = 5, defend = 3, grapple = 2}
moves = ["attack-high", "attack-mid"]

[characters.bo]
energy = {attack = 4, defend = 3, grapple = 3}
moves = ["attack-low"]

[characters.ninja]
energy = {attack = 4, defend = 4, grapple = 4}
moves = ["attack-low"]

[characters.crow]
energy = {attack = 3, defend = 2, grapple = 1}
moves = ["attack-mid"]
"""
DECK = '[cards]\nAAAAAAAAAAAAAAAAAAAAAA = "move attack-high"\n'
SMALL = """\
[table]
name = "den"
journal = "den.journal"
deck = "deck.toml"
[[seat]]
name = "north"
reader = "sim:north"
characters = ["ada", "bo", "ninja", "crow"]
[scene]
file = "scene.toml"
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "deck.toml").write_text(DECK)
    (tmp_path / "scene.toml").write_text(SCENE)
    (tmp_path / "mqtt.secret").write_text("hunter2\n")
    for name in ("ca.pem", "hub.pem", "hub.key"):
        (tmp_path / name).touch()
    return tmp_path


def load(home: Path, text: str) -> Config:
    path = home / "hub.toml"
    path.write_text(text)
    return load_config(path, OUTPUTS)


def problems(home: Path, text: str) -> list[str]:
    """Return ``line: fault`` for every fault, without the file's name."""
    with pytest.raises(Faulty) as caught:
        load(home, text)
    name = f"{home / 'hub.toml'}:"
    told = str(caught.value).split("\n")
    assert all(line.startswith(name) for line in told)
    return [line.removeprefix(name) for line in told]


def test_the_example_is_valid_and_shows_the_defaults(home: Path) -> None:
    config = load(home, EXAMPLE)
    assert config.table.journal == home / "kitchen.journal"
    assert [seat.name for seat in config.seats] == ["north", "south", "gm"]
    assert config.seats[2].characters == ("Crow", "Heron")
    assert config.gm_seat == "gm"
    small = load(home, SMALL)
    assert config.timing == small.timing
    assert config.web == small.web
    assert config.log == small.log
    assert config.timing.dwell_s == 0.3
    assert (config.web.host, config.mqtt.enabled) == ("127.0.0.1", False)


def test_the_example_names_every_key_with_its_default(home: Path) -> None:
    everything = re.sub(r"(?m)^# (?=\[|\w+ = )", "", EXAMPLE)
    everything = everything.replace('password = "secret" ', '# password = "secret"')
    everything = everything.replace("password_credential", "# password_credential")
    everything = everything.replace('theme_file = "mine.toml"', '# theme_file = "mine.toml"')
    for name in ("marit.toml", "house.toml"):
        (home / name).touch()
    everything = everything.replace('username = ""', 'username = "hub"')
    everything = everything.replace("[mqtt]\nenabled = false", "[mqtt]\nenabled = true")
    everything = everything.replace("password_credential =", "# password_credential =")
    (home / "wifi.secret").write_text("of the Wi-Fi\n")
    config = load(home, everything)
    small = load(home, SMALL)
    assert config.web.wifi is not None
    assert (config.timing, structs.replace(config.web, wifi=None), config.log) == (
        small.timing,
        small.web,
        small.log,
    )
    assert config.mqtt.tls is not None
    for section in Section.__subclasses__():
        ours = section.__module__.startswith(("hub.config.", "hub.daemon."))
        if ours and section.__name__ != "SceneHead":
            for key in section.__struct_encode_fields__:
                assert re.search(
                    rf"(?m)^(# )?(\[+{key}\]+|\[+(mqtt|story|web)\.{key}\]|{key} = )", EXAMPLE
                )


def test_every_key_is_read(home: Path) -> None:
    config = load(
        home,
        SMALL
        + """
[timing]
dwell_s = 0
commit_s = 60
warnings_s = [10, 2.5]
at_zero = "gm-decides"
[mqtt]
enabled = true
host = "broker.local"
username = "hub"
password_file = "mqtt.secret"
commands = true
protocol = "5"
tls = {}
[web]
host = "::"
hosts = ["table.local", "10.0.0.7"]
""",
    )
    assert config.timing.warnings_s == (10, 2.5)
    assert table_settings(config).at_zero is config.timing.at_zero is AtZero.GM_DECIDES
    assert config.mqtt.password is not None
    assert config.mqtt.password.unseal() == "hunter2"
    assert config.mqtt.broker_port == 8883
    assert "hunter2" not in repr(config) + str(config)
    assert load(home, SMALL).mqtt.broker_port == 1883


def test_every_fault_is_reported_at_once_with_its_line(home: Path) -> None:
    told = problems(
        home,
        """\
[table]
name = "Den"
jurnal = "x"
deck = "none.toml"

[[seat]]
name = "north"
reader = "usb:1"
characters = ["ada", "gm"]

[[seat]]
name = "north"
reader = "sim:a"
characters = [
    "ada",
    "bo",
]

[[seat]]
name = "east"
reader = "sim:a"
characters = []

[timing]
dwell_s = "long"
commit_s = 30
warnings_s = [40]

[mqtt]
port = 70000
password = "hunter2"
commands = true
[web]
host = "http://x/"
[lgo]
""",
    )
    expected = [
        ("1", "table.journal is missing"),
        ("2", "table.name must be 1 to 32 of a-z, 0-9 and -"),
        ("3", "table.jurnal is unknown; did you mean journal?"),
        ("4", "table.deck names"),
        ("8", "seat[0].reader is wrong: 'usb:1'"),
        ("9", "seat[0].characters has gm"),
        ("12", "seat[1].name: 'north' is already taken in line 7"),
        ("14", "seat[1].characters: 'ada' is already taken in line 9"),
        ("21", "seat[2].reader: 'sim:a' is already taken in line 13"),
        ("22", "seat[2].characters must be a list of names"),
        ("25", "timing.dwell_s must be a number of seconds from 0 to 5"),
        ("27", "timing.warnings_s must lie within"),
        ("30", "mqtt.port must be a port, from 1 to 65535"),
        ("31", "mqtt.password needs a username"),
        ("32", "mqtt.commands needs a broker"),
        ("34", "web.host has 'http://x/'"),
        ("35", "lgo is unknown; did you mean log?"),
    ]
    for line, text in expected:
        assert any(each.startswith(f"{line}: {text}") for each in told), (line, text, told)
    assert told[0].startswith(" scene is missing; a table needs a section [scene]")
    assert len(told) == len(expected) + 1
    assert "hunter2" not in "".join(told)


@pytest.mark.parametrize(
    "wrong", ["username = 7", 'usernam = "hub"', 'username = "hub"\npassword = ["hunter2"]']
)
def test_faults_that_only_follow_from_an_unreadable_part_are_left_out(
    home: Path, wrong: str
) -> None:
    password = "" if "password" in wrong else 'password = "hunter2"'
    told = problems(home, f"{SMALL}\n[mqtt]\ncommands = true\n{wrong}\n{password}\n")
    assert len(told) == 1, told


@pytest.mark.parametrize("name", ["ad\u0430", "constructor", "ada\u200b", "ADA"])
def test_deceptive_names_are_faults_of_the_configuration(home: Path, name: str) -> None:
    path = home / "hub.toml"
    path.write_text(SMALL.replace('["ada", ', f'["ada", "{name}", '))
    with pytest.raises(Faulty) as caught:
        load_table(path, OUTPUTS)
    assert f"{name!a}" in str(caught.value)
    assert any(
        word in str(caught.value)
        for word in ("alphabets", "that the pages use", "invisible", "looks like")
    )


@pytest.mark.parametrize(
    ("proxies", "text"),
    [
        ('["127.0.0.1", "fd00::/8", "192.168.1.0/24"]', ""),
        ('["proxy.local"]', "has 'proxy.local', which is neither an address nor a network"),
        ('["10.0.0.1/8"]', "has '10.0.0.1/8', which is neither"),
        ('["0.0.0.0/0"]', "has '0.0.0.0/0', which means everyone"),
        ('"127.0.0.1"', "must be addresses or networks"),
    ],
)
def test_proxies_are_addresses_or_networks(home: Path, proxies: str, text: str) -> None:
    config = f"{SMALL}\n[web]\nproxies = {proxies}\n"
    if text:
        (told,) = problems(home, config)
        assert f"web.proxies {text}" in told
    else:
        assert load(home, config).web.proxies == tuple(json.loads(proxies))


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ("password = 'x'", "mqtt.password needs a username"),
        (
            "username = 'u'\npassword = 'x'\npassword_file = 'mqtt.secret'",
            "cannot be used with password_file",
        ),
        ("username = 'u'\npassword_file = 'none'", "mqtt.password_file must hold a password"),
        ("username = 'u'\npassword_file = 'ca.pem'", "mqtt.password_file must hold a password"),
        ("commands = true", "mqtt.commands needs a broker that knows"),
        ("embedded = true\nhost = 'elsewhere'", "mqtt.embedded is a broker on 127.0.0.1"),
        ("tls = {cert = 'hub.pem'}", "mqtt.tls.cert needs cert and key"),
        ("tls = {ca = 'none.pem'}", "which does not exist"),
        ("host = '1.2.3'", "mqtt.host has '1.2.3'"),
        ("host = ''", "mqtt.host must be a host’s name"),
        ("password = 5", "mqtt.password must be a text"),
        ("enabled = 'yes'", "mqtt.enabled must be true or false"),
        ("protocol = '4'", 'mqtt.protocol must be "3.1.1" or "5"'),
    ],
)
def test_mqtt_settings_that_cannot_work(home: Path, lines: str, text: str) -> None:
    told = problems(home, f"{SMALL}[mqtt]\n{lines}\n")
    assert any(text in each for each in told), told


BROKER = "[mqtt]\nenabled = true\n"
CLOCK = """\
[[clock]]
driver = "wled"
topic = "wled/kitchen"
shows = "countdown"
lights = 24
"""


def test_clocks_are_read(home: Path) -> None:
    seat = CLOCK.replace("countdown", "seat").replace("kitchen", "ada") + 'of = "north"\n'
    config = load(home, SMALL + BROKER + CLOCK + seat + "presets = { lost = 3, locked = 4 }\n")
    told = [(each.topic, each.shows, each.of, each.lights) for each in clocks_of(config)]
    assert told == [("wled/kitchen", "countdown", "", 24), ("wled/ada", "seat", "north", 24)]
    assert clocks_of(config)[1].presets == {"lost": 3, "locked": 4}
    assert wanted(config, OUTPUTS).keys() >= {"clock"}
    assert "clock" not in wanted(load(home, SMALL), OUTPUTS)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("enabled = true", "enabled = false", "[[clock]] needs a broker: set enabled = true"),
        ("enabled = true", "enabled = true\nembedded = true", "cannot reach the hub’s own broker"),
        ('"wled"', '"ws2812"', 'clock[0].driver must be "wled"'),
        ("wled/kitchen", "w" * 33, "clock[0].topic must be the device’s topic, 1 to 32"),
        ("wled/kitchen", "wled/+", "clock[0].topic must be the device’s topic"),
        ("wled/kitchen", "wled/kitchen/", "clock[0].topic must be the device’s topic"),
        ("wled/kitchen", "facedown/den", "clock[0].topic begins as the hub’s own topics do"),
        ("countdown", "clock", 'clock[0].shows must be "countdown", "timer", "seat" or "reveal"'),
        ("countdown", "seat", "clock[0].of is missing; it names the seat"),
        ("countdown", 'seat"\nof = "nroth', "there is no seat 'nroth'; there are north"),
        ("countdown", 'timer"\nof = "north', "clock[0].of names a countdown or a seat, but"),
        ("24", "0", "clock[0].lights must be from 1 to 1024"),
        ("24", "24\nbrightness = 256", "clock[0].brightness must be from 1 to 255"),
        ("24", "24\npresets = { idle = 1 }", "has 'idle'; this clock can be in none, running"),
        ("24", "24\npresets = { full = 0 }", "clock[0].presets.full must be from 1 to 250"),
        ("24", '24\nleds = "x"', "clock[0].leds is unknown"),
        ("lights = 24\n", "", "clock[0].lights is missing; it must be from 1 to 1024"),
        (
            "[[clock]]",
            f"{CLOCK}[[clock]]",
            "'wled/kitchen' and this segment of it are already taken in",
        ),
        ("[[clock]]", "[clock]", "clock must be a [[clock]] for each"),
    ],
)
def test_faults_of_a_clock(home: Path, old: str, new: str, text: str) -> None:
    told = problems(home, (SMALL + BROKER + CLOCK).replace(old, new, 1))
    assert len(told) == 1 and text in told[0], told


def test_the_number_of_clocks_is_limited(home: Path) -> None:
    many = "".join(CLOCK.replace("kitchen", str(number)) for number in range(17))
    assert "at most 16 [[clock]]" in problems(home, SMALL + BROKER + many)[0]


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('"sim:north"', '"pn532:ttyUSB0"', "absolute path"),
        ('"sim:north"', '"sim:North Seat"', "only a-z, 0-9 and -"),
        ('"den.journal"', '"none/den.journal"', "is not a folder; make it first"),
        ('"scene.toml"', '""', "scene.file must be the path of a file"),
        ('"scene.toml"', '"a\\u0000b"', "scene.file must be the path of a file"),
        ('["ada", "bo", "ninja", "crow"]', '"ada"', "must be a list of names"),
        ("[[seat]]", "[seat]", "seat must be a [[seat]] for each reader"),
        (
            'name = "den"',
            'name = "den"\nname = "x"',
            "3: is not TOML: this name is already used above",
        ),
        ("[scene]", "[scene", "9: is not TOML"),
        ("[table]", "timing = 3\n[table]", "1: timing must be a table"),
        ("[scene]", '[timing]\nat_zero = "gm-decides"\n[scene]', "10: timing.at_zero says what"),
        ("[scene]", '[timing]\nat_zero = "end"\n[scene]', 'at_zero must be "nothing" or "gm-'),
        ('["ada", "bo", "ninja", "crow"]', "[]", "must be a list of names"),
        ('characters = ["ada"', '# ["ada"', "seat[0].characters is missing; it must be a list"),
        ("[scene]", "gm = 1\n[scene]", "9: seat[0].gm must be true or false"),
        ('[scene]\nfile = "scene.toml"\n', "", " scene is missing; a table needs a section [sc"),
        ("[table]", "web = [3]\n[table]", "1: web must be a table"),
        ('"den"', '"den', "2: is not TOML"),
    ],
)
def test_single_faults(home: Path, old: str, new: str, text: str) -> None:
    told = problems(home, SMALL.replace(old, new))
    assert any(text in each for each in told), told


def test_characters_without_a_seat_go_to_the_gms(home: Path) -> None:
    only = SMALL.replace('"ada", "bo", "ninja", "crow"', '"ada"')
    (home / "hub.toml").write_text(only)
    with pytest.raises(Faulty, match=r"no seat plays bo; name it in .* or give one gm = true"):
        load_table(home / "hub.toml", OUTPUTS)
    gm = '[[seat]]\nname = "gm"\nreader = "sim:gm"\ngm = true\n'
    (home / "hub.toml").write_text(only + gm)
    config = load_table(home / "hub.toml", OUTPUTS).config
    assert (config.gm_seat, config.seats[1].characters) == ("gm", ())
    assert table_settings(config).seating(["ada", "bo"]) == {"north": ("ada",), "gm": ("bo",)}
    second = gm.replace('"gm"', '"two"').replace("sim:gm", "sim:two")
    assert problems(home, only + gm + second) == ["18: seat[2].gm: only one seat can be the GM’s"]


def test_one_name_at_two_seats_is_refused(home: Path) -> None:
    told = problems(
        home,
        SMALL.replace("sim:north", "pn532:/dev/ttyUSB0?baud=921600")
        + '[[seat]]\nname = "b"\nreader = "seat:/dev/ttyUSB0"\ncharacters = ["cy"]\n',
    )
    assert any("seat[1].reader" in each and "taken in line 7" in each for each in told), told


NUMBERED, SHARED = "usb-FTDI_A9-if00-port0", "usb-1a86_USB2.0-Serial-if00-port0"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("by-id/" + NUMBERED, "by-path/2"), []),
        (("by-id/" + SHARED, "by-path/2"), ["has no serial number", "name its socket, now", "/1"]),
        (
            ("by-path/1", "by-id/" + SHARED),
            ["has no serial number", "leads to the same device as line"],
        ),
        (("by-path/1", "by-path/again"), ["leads to the same device as line 7"]),
    ],
)
def test_names_that_may_lead_to_another_device_are_reported(
    home: Path, names: tuple[str, str], said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    serial = home / "serial"
    monkeypatch.setenv(SERIAL, str(serial))
    links = {"by-id/" + NUMBERED: 1, "by-id/" + SHARED: 1, "by-path/1": 1, "by-path/again": 1}
    for name, number in {**links, "by-path/2": 2}.items():
        (serial / name).parent.mkdir(parents=True, exist_ok=True)
        (home / f"tty{number}").touch()
        (serial / name).symlink_to(home / f"tty{number}")
    one, other = (f"pn532:{serial}/{name}" for name in names)
    (home / "hub.toml").write_text(
        SMALL.replace("sim:north", one).replace('"ninja", "crow"', '"ninja"')
        + f'[[seat]]\nname = "b"\nreader = "{other}"\ncharacters = ["crow"]\n'
    )
    remarks = [str(each) for each in load_table(home / "hub.toml", OUTPUTS).remarks]
    told = [each for each in remarks if ".reader: " in each]
    assert bool(told) == bool(said)
    assert all(any(words in each for each in told) for words in said), told


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("rs485:{}?baud=115200#1", "rs485:{}?baud=115200#2", "nothing else"),
        ("rs485:{}#1", "rs485:{}#1", "taken in line 7"),
        ("rs485:{}#1", "rs485:{}?baud=115200#2", "115200 bit/s, but the board of line 7"),
        ("rs485:{}#1", "seat:{}", "line 7 has a reader of another kind"),
        ("pn532:{}", "rs485:{}#3", "line 7 has a reader of another kind"),
    ],
)
def test_a_device_is_one_reader_or_one_bus(home: Path, first: str, second: str, told: str) -> None:
    device = home / "ttyUSB0"
    device.touch()
    found = problems(
        home,
        SMALL.replace("sim:north", first.format(device))
        + f'[[seat]]\nname = "b"\nreader = "{second.format(device)}"\n'
        'characters = ["cy"]\ngm = "nothing else"\n',
    )
    of_cables = [each for each in found if "seat[1].gm" not in each] or ["nothing else"]
    assert len(of_cables) == 1 and told in of_cables[0], found


def test_a_missing_reader_is_reported_with_the_free_ones(home: Path) -> None:
    """A board without a seat is probably the one that the file misnames."""
    used, free = home / "usb-1", home / "usb-2"
    used.touch()
    one = SMALL.replace("sim:north", f"pn532:{used}?baud=921600")
    (home / "hub.toml").write_text(
        one + f'[[seat]]\nname = "b"\nreader = "pn532:{home}/usb-9"\ncharacters = ["cy"]\n'
    )
    config = load_config(home / "hub.toml", OUTPUTS)
    document = read_toml(home / "hub.toml", 10_000)
    told = missing_devices(document, config, [str(used), str(free)])
    [missing] = map(str, told)
    assert f"seat[1].reader: {home}/usb-9 is not there" in missing
    assert missing.endswith(f"(plugged in, but no seat’s: {free})")
    [alone] = map(str, missing_devices(document, config, [str(used)]))
    assert alone.endswith("plug the reader in, or correct it")


def test_files_that_are_no_configuration(home: Path) -> None:
    assert "nested too deeply" in problems(home, "a = " + "[" * 20000)[0]
    assert "larger than 65536 bytes" in problems(home, "#" * 70_000)[0]
    assert "is not TOML" in problems(home, f"a = {'1' * 5000}")[0]
    path = home / "latin.toml"
    path.write_bytes("[table]\nname = 'küche'\n".encode("latin-1"))
    with pytest.raises(Faulty, match=r":2: is not UTF-8 text"):
        load_config(path, OUTPUTS)
    with pytest.raises(Faulty, match="cannot be read: No such file"):
        load_config(home / "none.toml", OUTPUTS)
    with pytest.raises(Faulty, match="is a folder, not a file"):
        load_config(home, OUTPUTS)


def test_a_table_with_all_its_files(home: Path) -> None:
    (home / "hub.toml").write_text(SMALL)
    files = load_table(home / "hub.toml", OUTPUTS)
    assert files.title == "A duel"
    assert files.setup.ruleset == "unroll"
    assert len(files.deck.cards) == 1


def test_faults_of_all_files_are_reported_together(home: Path) -> None:
    (home / "hub.toml").write_text(SMALL.replace(', "crow"', ""))
    (home / "deck.toml").write_text('[cards]\n"a b" = "move attack-high"\n')
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    told = str(caught.value)
    assert "no seat plays crow" in told
    assert "deck.toml:2: cards.a b: a tag is" in told


BROKEN_DECK = '[cards]\n"a b" = "move attack-high"\n'
BROKEN_SCENE = SCENE.replace('"attack-low"', '"attack-lob"', 1).replace("defend = 3,", "", 1)
OTHERS = {
    "deck.toml:2: cards.a b: a tag is",
    "scene.toml:9: characters.ada.energy.defend: is missing",
    "scene.toml:14: characters.bo.moves[0]: ",
    "bo.toml:2: is not TOML",
    "house.toml:3: level: must be",
    "marit.toml:4: level must be",
}
"""How the faults of the files that a configuration names begin."""


@pytest.mark.parametrize(
    ("old", "new", "own"),
    [
        ("[scene]", "[scene]", set()),
        ('name = "den"', 'name = "Den"', {"hub.toml:2: table.name must be"}),
        (
            'reader = "sim:north"',
            "reader = 5\n[timing]\ndwell_s = 9\n[lgo]",
            {
                "hub.toml:7: seat[0].reader must be",
                "hub.toml:9: timing.dwell_s must be",
                "hub.toml:10: lgo is unknown",
            },
        ),
        ('"bo.toml"', '"bo.toml", "none.toml"', {"hub.toml:12: story.characters names"}),
        ("[scene]", "[log]\nlevel = [\n[scene]", {"hub.toml:11: is not TOML"}),
        ('name = "north"', 'name = "north', {"hub.toml:6: is not TOML"}),
        ('characters = ["ada"', 'characters = "ada"', {"hub.toml:8: is not TOML"}),
    ],
)
def test_a_faulty_configuration_hides_no_other_files_faults(
    home: Path, old: str, new: str, own: set[str]
) -> None:
    story = '[story]\ncharacters = ["marit.toml", "bo.toml"]\nrules = "house.toml"\n'
    (home / "hub.toml").write_text((SMALL + story).replace(old, new, 1))
    (home / "deck.toml").write_text(BROKEN_DECK)
    (home / "scene.toml").write_text(BROKEN_SCENE)
    (home / "bo.toml").write_text("name = 'Bo'\n[moves\n")
    (home / "house.toml").write_text('id = "hard"\nbase = "unroll"\nlevel = "x"\n')
    marit = samples()["unroll-marit"]
    (home / "marit.toml").write_text(re.sub("(?m)^level = .*", "level = 'one'", marit))
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    told = str(caught.value).replace(f"{home}/", "").splitlines()
    expected = OTHERS | own
    assert all(any(line.startswith(each) for line in told) for each in expected), told
    assert len(told) == len(expected), told


def test_a_set_of_the_deck_belongs_to_one_seat(home: Path) -> None:
    (home / "deck.toml").write_text(DECK.replace("[cards]", "[cards.ada]"))
    owned = SMALL.replace("[scene]", 'cards = ["ada"]\n[scene]')
    (home / "hub.toml").write_text(owned)
    assert load_table(home / "hub.toml", OUTPUTS).config.seats[0].cards == ("ada",)
    second = '[[seat]]\nname = "b"\nreader = "sim:b"\ngm = true\ncards = ["ada"]\n'
    assert problems(home, owned + second) == ["16: seat[1].cards: 'ada' is already taken in line 9"]
    (home / "hub.toml").write_text(owned.replace('cards = ["ada"]', 'cards = ["adda", "bo"]'))
    with pytest.raises(Faulty) as caught:
        load_table(home / "hub.toml", OUTPUTS)
    told = str(caught.value)
    assert "hub.toml:9: seat[0].cards: the deck has no set adda; did you mean ada?" in told
    assert "the deck has no set bo; it has ada" in told


@pytest.mark.parametrize(
    ("old", "new", "line", "text"),
    [
        ('"attack-mid"]\n\n', '"attack-mad"]\n\n', 10, "characters.ada.moves[1]"),
        ("[characters.bo]", "[characters.bob]", 5, "sides.players[1]"),
        ("attack = 5,", "attack = 2026-01-01,", 9, "must be a text, a number, true or false"),
        ("attack = 5,", "attack = nan,", 9, "is not a number"),
        ("attack = 5,", f"attack = 1{'0' * 400},", 9, "or is too large"),
        ('"unroll"', '"chess"', 2, "no ruleset 'chess'; this hub knows"),
        ('"A duel"', '"A\\nduel"', 1, "title must be one line"),
        ('"A duel"', "7", 1, "title must be one line"),
        ('ruleset = "unroll"', 'rulset = "unroll"', 2, "rulset"),
    ],
)
def test_faults_of_a_scene(home: Path, old: str, new: str, line: int, text: str) -> None:
    path = home / "scene.toml"
    path.write_text(SCENE.replace(old, new, 1))
    with pytest.raises(Faulty) as caught:
        load_scene(path)
    assert any(p.line == line and text in p.text for p in caught.value.faults), caught.value


@pytest.mark.parametrize("name", ["St. Ada", "Ada: the 2nd", "Ada [2].moves", "2"])
def test_a_scenes_faults_have_their_lines_whatever_a_character_is_called(
    home: Path, name: str
) -> None:
    path = home / "scene.toml"
    text = SCENE.replace("[characters.ada]", f'[characters."{name}"]').replace('"ada"', f'"{name}"')
    path.write_text(text.replace('"attack-mid"]', '"attack-mad"]', 1))
    with pytest.raises(Faulty) as caught:
        load_scene(path)
    (problem,) = caught.value.faults
    assert problem.line == 10
    assert f"characters.{name}.moves[1]: " in problem.text


def test_faults_of_form_do_not_hide_those_found_by_the_rules(home: Path) -> None:
    path = home / "scene.toml"
    text = SCENE.replace('"A duel"', "7").replace("attack = 5,", "attack = 2026-01-01,")
    path.write_text(text.replace('"ninja", "crow"', '"ninja"').replace("defend-low", "defend-moon"))
    with pytest.raises(Faulty) as caught:
        load_scene(path)
    told = [(problem.line, problem.text.split(" ")[0]) for problem in caught.value.faults]
    assert told == [(1, "title"), (9, "characters.ada.energy.attack"), (20, "characters.crow:")]


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("a = 1\n\n# b\nb = 2", ("b",), 4),
        ('a = """\n[b]\nb = 1\n"""\nb = 2', ("b",), 5),
        ("[[s]]\nx = 1\n[[s]]\nx = 2", ("s", 1, "x"), 4),
        ("[[s]]\n[s.t]\nx = 1\n[[s]]\n[s.t]\nx = 2", ("s", 1, "t", "x"), 6),
        ("[[s]]\n[[s.t]]\n[[s.t]]\nx = 2", ("s", 0, "t", 1, "x"), 4),
        ("[a.'b.c']\nd.e = 1", ("a", "b.c", "d", "e"), 2),
        ("[a]\nb = [\n1,\n2,\n]\nc = 1", ("a", "b", 1), 2),
        ("[a]\nb = [\n1,\n2,\n]\nc = 1", ("a", "c"), 6),
        ("\n  [a]  # here\n", ("a", "missing"), 2),
        ("a = 1", ("z",), 0),
        ("a = 1\r\nb = 2\r\n", ("b",), 2),
    ],
)
def test_lines_are_found(
    text: str, place: tuple[str | int, ...], line: int, tmp_path: Path
) -> None:
    assert parse_toml("x", text.encode()).line(place) == line


TOML = st.lists(
    st.sampled_from([*"abtsc[]{}=\"'.,#\n\\01-_ é\0", "seat", "[[seat]]\n", "name = "]), max_size=60
).map("".join)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(TOML, TOML.map(lambda t: SMALL + t)))
def test_any_text_raises_nothing_else(home: Path, text: str) -> None:
    path = home / "any.toml"
    path.write_text(text)
    for load_it in (partial(load_config, outputs=OUTPUTS), load_scene):
        try:
            load_it(path)
        except Faulty as fault:
            assert fault.faults
            assert all("\n" not in str(each) for each in fault.faults)
    try:
        document: Document = parse_toml("x", text.encode())
    except Faulty:
        return
    for key in document.values:
        assert 1 <= document.line((key,)) <= text.count("\n") + 1
