"""``facedown cards write``, ``learn`` and ``read`` at a simulated reader, from outside."""

import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest
from click.testing import Result
from typer.testing import CliRunner

from hub.cards.deck import make_deck, read_deck, write_deck
from hub.cli.main import app
from hub.games.game import Choice
from hub.sim.readers import SimulatedReader
from hub.sim.tags import Ntag, blank
from tests.support.hub import FACEDOWN
from tests.support.tags import MifareClassic

CARDS = [Choice.parse(c) for c in ("move attack-high", "move attack-low", "stance none")]


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedReader]:
    monkeypatch.chdir(tmp_path)
    write_deck(tmp_path / "deck.toml", make_deck(CARDS, group="ada"))
    with SimulatedReader("north", tmp_path, time_scale=0) as reader:
        yield reader


def facedown(*words: object) -> Result:
    return CliRunner().invoke(app, ["cards", *map(str, words)])


class Command:
    """The installed command, and its output line by line."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [str(FACEDOWN), "cards", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def out(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def says(self, words: str) -> str:
        for line in self.out:
            if words in line:
                return line
        raise AssertionError(f"it never says {words!r}: {self.process.communicate()[1]}")

    def ends(self, status: int) -> str:
        said = self.process.communicate(timeout=30)[1]
        assert self.process.returncode == status, said
        return said


def test_cards_are_written_one_by_one_and_after_an_interruption(reader: SimulatedReader) -> None:
    first, second, third = blank(1), blank(2), blank(3)
    command = Command("write", "--reader", f"pn532:{reader.path}")
    assert "lay Attack High of ada on the reader" in command.says("lay Attack High")
    reader.put(first)
    command.says("Attack High of ada: written; take it away")
    reader.lift()
    command.says("lay Attack Low")
    reader.put(first)
    command.says("this is Attack High of ada already: take it away")
    command.process.send_signal(signal.SIGINT)
    assert "2 cards are left: the same command goes on there" in command.ends(130)
    reader.lift()

    command = Command("write", "--reader", f"pn532:{reader.path}", "--set", "ada")
    command.says("lay Attack Low of ada")
    reader.put(second)
    command.says("written")
    reader.unplug()
    assert "; 1 card is left: the same command goes on there" in command.ends(1)
    reader.lift()
    reader.replug()

    command = Command("learn", "--reader", f"pn532:{reader.path}")
    command.says("lay No stance")
    reader.put(MifareClassic(b"\x01\x02\x03\x04"))
    command.says("No stance of ada: learnt")
    assert command.ends(0) == ""
    assert "every card has its tag already" in facedown("learn", "--reader", "pn532:/x").stdout
    deck = read_deck(Path("deck.toml"))
    assert all(card.has_tag for card in deck.cards)
    assert [first.tag_id, second.tag_id] == [card.tag for card in deck.cards[:2]]
    assert third.writes == []

    reader.lift()
    reader.put(second)
    told = facedown("read", "--reader", f"pn532:{reader.path}", "--once")
    assert "Attack Low of ada (NTAG213)" in told.stdout
    assert not [card.tag for card in deck.cards if card.tag in told.output]
    redone = facedown("write", "--reader", f"pn532:{reader.path}", "--only", "move attack-low")
    assert "Attack Low of ada: it is written already" in redone.stdout


def test_an_irreversible_write_needs_a_second_confirmation(
    reader: SimulatedReader, tmp_path: Path
) -> None:
    secret = tmp_path / "password"
    secret.write_text("open sesame\n")
    words = ["write", "--reader", f"pn532:{reader.path}", "--only", "stance none", "--lock"]
    refused = facedown(*words)
    assert refused.exit_code == 2
    assert "LOCKED" in refused.stdout
    assert "--final" in refused.stderr
    tag = blank(1)
    reader.put(tag)
    done = facedown(*words, "--password-file", secret, "--final")
    assert done.exit_code == 0, done.output
    assert "sesame" not in done.output
    assert (tag.auth0, tag.locked(4)) == (4, True)
    told = facedown("read", "--reader", f"pn532:{reader.path}", "--once").stdout
    assert "No stance of ada (NTAG213, locked, guarded by a password)" in told


def test_tags_are_recognised(reader: SimulatedReader) -> None:
    torn = blank(1)
    torn.memory[16:24] = bytes.fromhex("0300d40d 11666163")
    other = Ntag(b"\x04other!")
    other.memory[16:24] = bytes.fromhex("0304d101 0041fe00")
    key_card = MifareClassic(b"\x01\x02\x03\x04")
    for tag, told in (
        (blank(2), "empty: it can be written (NTAG213)"),
        (torn, "unfinished: torn away"),
        (other, "it holds something else (NTAG213)"),
        (key_card, "a key card or a ticket"),
    ):
        reader.lift()
        reader.put(tag)
        assert told in facedown("read", "--reader", f"pn532:{reader.path}", "--once").stdout


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["write"], "say at which reader"),
        (["write", "--reader", "/dev/ttyUSB0"], "a reader is pn532:/dev/"),
        (["write", "--reader", "sim:north"], "is simulated, and is there only while the hub runs"),
        (["write", "none.toml", "--reader", "pn532:/x"], "none.toml: cannot be read"),
        (["write", "--reader", "pn532:/x", "--set", "bo"], "no set 'bo'; it has ada"),
        (["write", "--reader", "pn532:/x", "--only", "move x"], "no card 'move x'"),
        (["write", "--reader", "pn532:/x", "--password-file", "none"], "none: its first line has"),
        (["write", "--config", "none.toml"], "none.toml: cannot be read"),
    ],
)
def test_a_bad_command_is_refused_in_one_line(
    reader: SimulatedReader, words: list[str], why: str
) -> None:
    done = facedown(*words)
    assert done.exit_code == 2
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_missing_or_busy_reader_is_reported(reader: SimulatedReader) -> None:
    gone = facedown("write", "--reader", "pn532:/dev/none")
    assert (gone.exit_code, gone.stderr.count("\n")) == (1, 1)
    assert re.search("no device at /dev/none[:;]", gone.stderr)
    holding = Command("read", "--reader", f"pn532:{reader.path}")
    holding.says("lay a card")
    held = facedown("write", "--reader", f"pn532:{reader.path}")
    assert "is held by another process: stop it" in held.stderr
    holding.process.send_signal(signal.SIGINT)
    holding.ends(130)
