"""`facedown init` on a terminal, when something goes wrong: typed by pexpect, readers on ptys."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

from hub.readers.devices import SERIAL
from hub.sim.readers import SimulatedReader
from hub.sim.tags import blank
from hub.wire.tags import ID_BYTES, tag_id
from tests.support.broker import Mosquitto
from tests.support.hub import FACEDOWN

SECONDS = 40
Terminal = "pexpect.spawn[str]"


@contextmanager
def typing(folder: Path, *words: str, language: str = "C") -> Iterator["pexpect.spawn[str]"]:
    """The command on a terminal of its own, in ``folder``."""
    env = {**os.environ, SERIAL: str(folder / "serial"), "LC_ALL": "", "LANG": language}
    spawned = pexpect.spawn(
        str(FACEDOWN), ["init", *words], cwd=folder, env=env, encoding="utf-8", timeout=SECONDS,
        echo=False, dimensions=(50, 160),
    )  # fmt: skip
    try:
        yield spawned
    finally:
        spawned.close(force=True)


def status(terminal: "pexpect.spawn[str]") -> int | None:
    terminal.expect(pexpect.EOF)
    terminal.wait()
    return terminal.exitstatus


def test_what_goes_wrong_with_readers_is_said_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    by_id = tmp_path / "serial" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-mouse").symlink_to(tmp_path)
    fields = [SimulatedReader(n, by_id, time_scale=0, misses=0) for n in ("usb-a", "usb-b")]
    for field in fields:
        field.replug()
    said = ("--seats", "2", "--ruleset", "unroll", "--title", "", "--theme", "night")
    try:
        with typing(tmp_path, "den", *said, language="de_DE.UTF-8") as terminal:
            for wrong, why in (("3", "'3' steht nicht zur Wahl"), ("Deutsch", "welche Figur")):
                terminal.expect_exact("Nummer [2]: ")
                terminal.sendline(wrong)
                terminal.expect_exact(why)
            terminal.expect_exact("Nummer [1]: ")
            terminal.sendline("")
            terminal.expect_exact("[Ada]: ")
            terminal.sendline("gm")
            terminal.expect_exact("der Name gm ist vergeben")
            terminal.expect_exact("]: ")
            terminal.sendline("Zoë")
            terminal.expect_exact("usb-a: ein PN532, der antwortet")
            terminal.expect("! no PN532 answers at .*usb-mouse")
            terminal.expect_exact("unterscheiden? [Y/n]: ")
            terminal.sendline("ja")
            terminal.expect_exact("auf den Leser von Platz zoe")
            for field in fields:
                field.put(blank())
            terminal.expect_exact("mehrere Leser hören gerade eine Karte")
            fields[1].lift()
            terminal.expect("Platz zoe hat .*usb-a")
            terminal.expect_exact("auf den Leser von Platz gm")
            fields[0].lift()
            fields[0].place(tag_id(bytes(ID_BYTES)))
            terminal.expect_exact("das ist der Leser von Platz zoe")
            fields[1].unplug()
            terminal.expect("! .*usb-b")
            terminal.sendline("")
            terminal.expect_exact("Platz gm hat einen simulierten Leser")
            terminal.expect_exact("Nummer [1]: ")
            terminal.sendintr()
            terminal.expect_exact("nichts wurde geschrieben")
            assert status(terminal) == 130
    finally:
        for field in fields:
            field.unplug()
    assert [each.name for each in tmp_path.iterdir()] == ["serial"]


def test_a_broker_is_tried_and_nothing_is_written_over_unasked(tmp_path: Path) -> None:
    (tmp_path / "hub.toml").write_text("mine\n")
    said = ("--seats", "2", "--player", "Ada", "--ruleset", "unroll", "--title", "", "--theme")
    with Mosquitto(tmp_path) as broker:
        where = ("night", "--language", "en", "--deck", "none", "--no-phones", "--port", "0")
        with typing(tmp_path, ".", *said, *where) as terminal:
            terminal.expect_exact("Look again, with a reader plugged in? [y/N]: ")
            terminal.sendline("perhaps")
            terminal.expect_exact("the answer is yes or no")
            terminal.sendline("n")
            for words in ("3", "ho st", "127.0.0.1", "70000", "1", "", "", ""):
                terminal.expect_exact(": ")
                terminal.sendline(words)
                if words == "ho st":
                    terminal.expect_exact("is no address of a machine")
                if words == "70000":
                    terminal.expect_exact("a number from 1 to 65535")
            terminal.expect_exact("the broker at 127.0.0.1:1 does not answer")
            terminal.expect_exact("Change what you said of it? [Y/n]: ")
            terminal.sendline("")
            for words in ("", "", str(broker.port), "", "", ""):
                terminal.expect_exact(": ")
                terminal.sendline(words)
            terminal.expect_exact("The broker answers.")
            terminal.expect_exact("This will be written")
            terminal.expect_exact("hub.toml: write over what is there? [y/N]: ")
            terminal.sendline("")
            terminal.expect_exact("nothing was written")
            assert status(terminal) == 2
    assert (tmp_path / "hub.toml").read_text() == "mine\n"
    assert not (tmp_path / "deck.toml").exists()
