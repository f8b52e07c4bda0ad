"""``facedown readers``: its output, in each format, and how it ends."""

import json
import os
import pty
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from hub.cards.deck import Card, Deck, write_deck
from hub.cli.readers_shown import Naming, state_of
from hub.games.game import Choice
from hub.journal.files import lock
from hub.kernel.catalogues import languages
from hub.readers.causes import Cause
from hub.readers.figures import Measured
from hub.sim.pn532.uart import Fault
from hub.sim.readers import SimulatedReader
from hub.sim.tags import blank, card
from hub.wire.strangers import Strange
from hub.wire.tags import tag_id
from tests.support.hub import FACEDOWN
from tests.support.process import with_us

ATTACK, STANCE = tag_id(b"attack-high-ada-"), tag_id(b"no stance at all")
STRANGE = tag_id(b"of another deck.")
CONFIG = """\
[table]
name = "kitchen"
journal = "kitchen.journal"
deck = "deck.toml"

[[seat]]
name = "north"
reader = "pn532:{folder}/north"
characters = ["Ada"]

[[seat]]
name = "south"
reader = "pn532:{folder}/south"
characters = ["Bo"]

[[seat]]
name = "gm"
reader = "sim:gm"
gm = true

[scene]
file = "scene.toml"

[web]
port = {port}
"""


def facedown(*words: object, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        with_us(str(FACEDOWN), *map(str, words)),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=60,
        cwd=cwd,
    )


@pytest.fixture
def table(tmp_path: Path) -> Iterator[dict[str, SimulatedReader]]:
    """Two real readers in a table's folder, a card on each."""
    (tmp_path / "hub.toml").write_text(CONFIG.format(folder=tmp_path, port=1))
    (tmp_path / "scene.toml").write_text("")
    learnt = Card(STANCE, Choice.parse("stance none"), uid=blank(7).uid.hex())
    deck = Deck((Card(ATTACK, Choice.parse("move attack-high")), learnt))
    write_deck(tmp_path / "deck.toml", deck)
    with SimulatedReader("north", tmp_path) as north, SimulatedReader("south", tmp_path) as south:
        north.put(card(ATTACK))
        south.put(card(STRANGE))
        yield {"north": north, "south": south}


def test_lines_describe_the_cards_on_readers_and_never_name_them(
    table: dict[str, SimulatedReader], tmp_path: Path
) -> None:
    done = facedown("readers", "--seconds", 5, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "north: PN532 1.6: a card of this deck" in done.stdout
    assert "south: PN532 1.6: a card of another deck" in done.stdout
    assert re.search(
        r"north: \d+ looks of [\d.]+, [\d.]+, [\d.]+ ms .*; 0 misses, 0 dist", done.stdout
    )
    assert "gm: simulated" in done.stderr
    for secret in ("attack", ATTACK, STRANGE):
        assert secret not in done.stdout + done.stderr


def test_json_has_numbers_verdicts_and_names_on_request(
    table: dict[str, SimulatedReader], tmp_path: Path
) -> None:
    table["south"].lift()
    table["south"].put(blank(7))
    words = ("readers", "--test", "--seconds", 5, "--json", "--names")
    done = facedown(*words, cwd=tmp_path)
    said = [json.loads(line) for line in done.stdout.splitlines()]
    last = {each["reader"]: each for each in said if "state" in each}
    assert last["north"]["lies"] == ["move attack-high"]
    assert last["south"]["lies"] == ["stance none"]  # by its UID
    assert last["north"]["look_ms"]["p50"] > 0
    assert last["north"]["device"] == f"{tmp_path}/north"
    verdicts = {each["reader"]: each["code"] for each in said if "code" in each}
    assert verdicts == {"north": "good", "south": "good"}
    assert done.returncode == 0


def test_a_failed_reader_test_says_what_to_do(
    table: dict[str, SimulatedReader], tmp_path: Path
) -> None:
    table["south"].suffer(Fault.HANG)
    done = facedown("readers", "--test", "--seconds", 8, cwd=tmp_path)
    assert done.returncode == 1
    assert "Lay one card on each reader" in done.stdout
    assert "north: ok: good: " in done.stdout
    assert "south: wrong: there is no answer at all" in done.stdout
    assert "set the board’s switches to HSU" in done.stdout


def test_a_terminal_shows_a_table(table: dict[str, SimulatedReader], tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        with_us(str(FACEDOWN), "readers", f"{tmp_path}/north", "--test", "--seconds", "4"),
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    ) as child:
        os.close(theirs)
        said = b""
        try:
            while some := os.read(ours, 4096):
                said += some
        except OSError:  # the other end is closed
            pass
        os.close(ours)
    text = said.decode()
    assert child.returncode == 0, text
    for word in ("north", "PN532 1.6", "half 99 % most", "s left", "a card", "good: "):
        assert word in text


def test_a_running_hub_has_its_readers_to_itself(
    table: dict[str, SimulatedReader], tmp_path: Path
) -> None:
    held = lock(tmp_path / "kitchen.journal")
    try:
        done = facedown("readers", cwd=tmp_path)
    finally:
        os.close(held)
    assert done.returncode == 1
    assert f"the hub of this table is running (process {os.getpid()})" in done.stderr
    assert facedown("readers", "--seconds", 1, cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["ttyUSB0"], "the device has to be an absolute path"),
        (["sim:north"], "every reader of this table is simulated"),
        (["--config", "none.toml"], "none.toml"),
        (["--seconds", "0"], "greater than or equal to 1"),
    ],
)
def test_a_bad_command_is_refused_with_its_reason(
    words: list[str], why: str, tmp_path: Path
) -> None:
    done = facedown("readers", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert why in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("language", languages())
def test_every_kind_of_tag_and_loss_has_its_text(language: str) -> None:
    naming = Naming(None, language, names=False)
    assert all(naming(tag) for tag in Strange)
    for cause in Cause:
        assert state_of(Measured(cause=cause), naming)
    assert state_of(Measured(), naming)
    assert state_of(Measured(up=True), naming)
