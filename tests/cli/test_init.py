"""From an empty folder to a revealed turn: ``facedown init``, and names across several files."""

import asyncio
import re
import signal
import subprocess
import tomllib
from pathlib import Path

import aiohttp
import pytest
from click.testing import Result
from typer.testing import CliRunner

from hub.cli.main import app
from tests.support.hub import FACEDOWN
from tests.support.playing import sit
from tests.support.process import with_us

SECONDS = 90.0


def facedown(*words: object, cwd: Path | None = None) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [FACEDOWN, *map(str, words)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=SECONDS,
        cwd=cwd,
    )


def facedown_here(*words: object) -> Result:
    """The same in this process, because starting one takes longer than the command."""
    return CliRunner().invoke(app, [*map(str, words)])


@pytest.mark.parametrize("ruleset", ["unroll", "iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("seats", [2, 4, 16])
def test_every_folder_written_by_init_is_sound(tmp_path: Path, ruleset: str, seats: int) -> None:
    folder = tmp_path / "den"
    done = facedown_here("init", folder, "--seats", seats, "--ruleset", ruleset)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "facedown run --config" in done.stdout
    checked = facedown_here("check-config", folder / "hub.toml")
    assert (checked.exit_code, checked.stderr) == (0, "")
    sheets = [*(folder / "characters").iterdir()]
    assert facedown_here("sheet", "check", *sheets, "--together").exit_code == 0
    config = tomllib.loads((folder / "hub.toml").read_text())
    assert len(config["seat"]) == seats
    assert config["table"]["name"] == "den"
    assert [seat["name"] for seat in config["seat"]][-1] == "gm"
    assert all((folder / name).stat().st_mode & 0o077 == 0 for name in ("hub.toml", "deck.toml"))


def test_names_readers_and_phones_are_taken_as_given(tmp_path: Path) -> None:
    words = ["--seats", "3", "--ruleset", "unroll", "--phones", "--name", "harbour"]
    people = ["--player", "Zoë O'Hara", "--player", 'Q "the" Crow']
    device = "pn532:/dev/serial/by-id/usb-none-port0"
    done = facedown("init", *words, *people, "--reader", device, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    config = tomllib.loads((tmp_path / "hub.toml").read_text())
    assert config["table"]["name"] == "harbour"
    assert config["seat"][0] == {
        "name": "zoe-o-hara", "reader": device, "characters": ["Zoë O'Hara"],
    }  # fmt: skip
    assert config["seat"][1]["characters"] == ['Q "the" Crow']
    assert config["web"]["host"] == "0.0.0.0"
    checked = facedown("check-config", tmp_path / "hub.toml")
    assert checked.returncode == 0
    assert re.fullmatch(
        r"remark: \S+hub\.toml:\d+: seat\[0\]\.reader: /dev/serial/by-id/usb-none-port0 is not "
        r"there; plug the reader in, or correct it.*\n",
        checked.stderr,
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--seats", "1"], "1 seats: a table has 2 to 16"),
        (["--seats", "17"], "17 seats: a table has 2 to 16"),
        (["--ruleset", "unrol"], "--ruleset: 'unrol' is not a choice; there are: unroll, iron-"),
        (["--seats", "2", "--player", "A", "--player", "B"], "2 characters, but 1 players"),
        (["--player", "Ada", "--player", "ada"], "the name ada is taken"),
        (["--player", "gm"], "the name gm is taken"),
        (["--player", " "], "a name is printable and has 1 to 64"),
        (["--player", "Sergeant Thole"], "the name Sergeant Thole is taken"),
        (["--reader", "/dev/ttyUSB0"], "a reader is pn532:/dev/"),
        (["--seat", "North"], "--seat: the short name of a seat has 1 to 32 of"),
        (["--seat", "gm"], "--seat: two seats are called gm"),
        (["--character", "iron-triangle-pike"], "--character: iron-triangle-pike cannot be read"),
        (["--character", "/"], "--character: / cannot be read: is a folder, not a file"),
        (["--deck", "none.toml"], "--deck: none.toml cannot be read: No such file"),
        (["--theme", "pink"], "--theme: 'pink' is not a choice; there are: night, paper, baize"),
        (["--port", "70000"], "--port: that must be a number from 0 to 65535"),
        (["--broker", "ho st"], "--broker: 'ho st' is not an address"),
        (["--broker", "den:0"], "--broker: that must be a number from 1 to 65535"),
        (["--title", "a" * 81], "--title: that is too long: at most 80"),
        (["--title", "a\nb"], "--title: that must be one line"),
        (["--reader", "pn532:/dev/x", "--reader", "pn532:/dev/x"], "--reader: seat"),
        (["--name", "Den!"], "the short name of a table has 1 to 32 of a-z, 0-9 and -"),
    ],
)
def test_a_bad_command_is_refused_in_one_line_and_nothing_is_written(
    tmp_path: Path, words: list[str], why: str
) -> None:
    done = facedown_here("init", tmp_path / "den", *words)
    assert (done.exit_code, done.stdout) == (2, "")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "den").exists()


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    (tmp_path / "hub.toml").write_text("mine\n")
    done = facedown("init", tmp_path, "--seats", 4)
    assert done.returncode == 2
    assert f"{tmp_path / 'hub.toml'} would be written over" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["hub.toml"]
    assert (tmp_path / "hub.toml").read_text() == "mine\n"
    (tmp_path / "hub.toml").unlink()
    (tmp_path / "den.journal").touch()
    done = facedown("init", tmp_path, "--name", "den")
    assert "a table was already played here; name another folder" in done.stderr


def test_the_demo_does_not_touch_another_configuration(tmp_path: Path) -> None:
    assert facedown("init", tmp_path, "--seats", 2).returncode == 0
    before = (tmp_path / "hub.toml").read_text()
    done = facedown("demo", "--data", tmp_path, "--port", "0")
    assert done.returncode == 1
    assert "hub.toml is not this demo's" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (tmp_path / "hub.toml").read_text() == before


EXAMPLE_OF_CASE = """\
[table]
name = "den"
journal = "den.journal"
deck = "deck.toml"
[[seat]]
name = "north"
reader = "sim:north"
characters = ["ada"]
[[seat]]
name = "south"
reader = "sim:south"
characters = ["Bo", "Bosun"]
[[seat]]
name = "gm"
reader = "sim:gm"
characters = ["Crow", "ninja"]
gm = true
[scene]
file = "scene.toml"
"""


def _demo_files(folder: Path, config: str) -> None:
    """Write the files of a demo with another configuration."""
    from hub.config.demo import make_demo

    (folder / "hub.toml").unlink(missing_ok=True)
    make_demo(folder, web_port=0)
    (folder / "hub.toml").write_text(config)


def checked_here(folder: Path) -> Result:
    """``facedown check-config`` in this process."""
    return facedown_here("check-config", folder / "hub.toml")


def test_a_name_in_another_case_is_a_fault(tmp_path: Path) -> None:
    _demo_files(tmp_path, EXAMPLE_OF_CASE)
    checked = facedown("check-config", tmp_path / "hub.toml")
    assert (checked.returncode, checked.stdout) == (2, "")
    assert checked.stderr == (
        f"{tmp_path / 'hub.toml'}:8: seat[0].characters: no one is called ada; did you mean Ada?\n"
    )
    started = facedown("run", "--config", tmp_path / "hub.toml")
    assert started.returncode == 2
    assert "did you mean Ada?" in started.stderr


def test_a_name_in_another_case_is_a_fault_beside_a_correct_one(tmp_path: Path) -> None:
    _demo_files(tmp_path, EXAMPLE_OF_CASE.replace('["ada"]', '["Ada", "magpie"]'))
    checked = checked_here(tmp_path)
    assert checked.exit_code == 2
    assert "hub.toml:8: seat[0].characters: no one is called magpie; did you mean Magpie?" in (
        checked.stderr
    )


def test_a_seat_without_known_characters_is_a_fault_and_a_stray_name_a_remark(
    tmp_path: Path,
) -> None:
    _demo_files(tmp_path, EXAMPLE_OF_CASE.replace('["ada"]', '["Rurik"]'))
    checked = checked_here(tmp_path)
    assert checked.exit_code == 2
    assert "hub.toml:8: seat[0].characters: no one is called Rurik; " in checked.stderr
    assert "the scene and the sheets have Ada, Bo, Crow, Heron, Magpie" in checked.stderr

    _demo_files(tmp_path, EXAMPLE_OF_CASE.replace('["ada"]', '["Ada"]'))
    checked = checked_here(tmp_path)
    assert checked.exit_code == 0
    first, second = checked.stderr.splitlines()
    assert first.startswith("remark: ")
    assert "no one is called Bosun" in first
    assert second.startswith("remark: ")
    assert "no one is called ninja" in second


def test_a_players_character_that_falls_to_the_gm_is_remarked(tmp_path: Path) -> None:
    assert facedown("init", tmp_path, "--seats", 3).returncode == 0
    config = tmp_path / "hub.toml"
    text = config.read_text().replace('characters = ["Bo"]', 'characters = ["Ada"]')
    text = text.replace('name = "ada"\nreader = "sim:ada"\ncharacters = ["Ada"]', "", 1)
    text = text.replace("[[seat]]\n\n", "", 1)
    config.write_text(text)
    checked = facedown("check-config", config)
    assert checked.returncode == 0, checked.stderr
    assert "no seat names Bo (bo.toml), so the GM plays it" in checked.stderr


async def test_the_folder_plays(tmp_path: Path) -> None:
    folder = tmp_path / "den"
    assert facedown("init", folder, "--seats", 2, "--player", "Ada").returncode == 0
    config = folder / "hub.toml"
    config.write_text(config.read_text().replace("port = 8080", "port = 0"))
    hub = subprocess.Popen(
        with_us(str(FACEDOWN), "run", "--config", str(config)), stderr=subprocess.PIPE, text=True
    )
    assert hub.stderr is not None
    said = ""
    try:
        while "Only this machine" not in said:
            line = await asyncio.to_thread(hub.stderr.readline)
            assert line, said
            said += line
        pages = dict(re.findall(r"(GM console|Seat \S+)\s+(http://\S+)", said))
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
            gm = await sit(http, pages["GM console"], "/ws/gm")
            await gm.until(lambda state: state.get("phase") == "idle")
            sides = {"players": ["Ada"], "watch": ["Sergeant Thole"]}
            scene = {"type": "conflict", "sides": sides, "title": "On the quay"}
            await gm.command(command="start-scene", scene=scene)
            await gm.until(lambda state: state["phase"] == "decision")
            await gm.command(command="decide", actor="gm", choice="active Ada")
            await gm.until(lambda state: state["step"] != "first")
            async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as phone:
                ada = await sit(phone, pages["Seat ada"], "/ws/seat/ada")
                if gm.state["step"] == "opponent":
                    choice = "opponent Sergeant Thole"
                    await ada.command(command="decide", actor="Ada", choice=choice)
                for step, card in (("stance", "stance none"), ("move", "move surrender")):
                    await gm.until(lambda state, step=step: state["step"] == step)
                    await gm.command(command="commit", actor="Sergeant Thole", choice=card)
                    await ada.command(command="commit", actor="Ada", choice=card)
                await gm.until(lambda state: state["phase"] == "over")
                await ada.socket.close()
            await gm.socket.close()
    finally:
        hub.send_signal(signal.SIGTERM)
        await asyncio.to_thread(hub.communicate, timeout=SECONDS)
    assert hub.returncode == 0


def test_init_reports_what_it_made(tmp_path: Path) -> None:
    """No question was asked: the names are suggestions, and the output says how to give others."""
    said = facedown("init", tmp_path / "den", "--seats", 4, "--yes").stdout
    assert "4: the GM’s, and 3 for players" in said
    for each in ("ada: Ada, simulated reader", "English", "--player"):
        assert each in said
    said = facedown("init", tmp_path / "own", "--player", "Zoë", "--language", "de").stdout
    assert "zoe: Zoë, simulierter Leser" in said
    assert "Deutsch" in said
    assert "--player" not in said
