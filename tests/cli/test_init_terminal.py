"""Failures of `facedown init` on a terminal: typed by pexpect, readers on ptys."""

import os
import socket
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pexpect

from hub.cards.deck import make_deck, write_deck
from hub.config.starter import starter_of
from hub.games.game import Choice
from hub.games.sheets import sheets_of
from hub.readers.devices import SERIAL
from hub.sim.readers import SimulatedReader
from hub.sim.tags import blank
from hub.wire.tags import ID_BYTES, tag_id
from tests.support.broker import Mosquitto, free_port
from tests.support.hub import FACEDOWN, with_passwords
from tests.support.papers import made_in
from tests.support.process import bound_by_permissions

SECONDS = 90.0


@contextmanager
def typing(folder: Path, *words: str, language: str = "C") -> Iterator["pexpect.spawn[str]"]:
    """The command on its own terminal, in ``folder``."""
    env = {**os.environ, SERIAL: str(folder / "serial"), "LC_ALL": "", "LANG": language}
    program, *arguments = bound_by_permissions(str(FACEDOWN), "init", *words)
    spawned = pexpect.spawn(
        program, arguments, cwd=folder, env=env, encoding="utf-8", timeout=SECONDS, echo=False,
        dimensions=(50, 160),
        codec_errors="replace",  # at Ctrl-C a terminal drops pending output, even half a character
    )  # fmt: skip
    try:
        yield spawned
    finally:
        spawned.close(force=True)


def status(terminal: "pexpect.spawn[str]") -> int | None:
    terminal.expect(pexpect.EOF)
    terminal.wait()
    return terminal.exitstatus


def test_reader_faults_are_reported_and_ctrl_c_leaves_nothing(tmp_path: Path) -> None:
    by_id = tmp_path / "serial" / "by-id"
    by_id.mkdir(parents=True)
    (by_id / "usb-mouse").symlink_to(tmp_path)
    fields = [SimulatedReader(n, by_id, time_scale=0, misses=0) for n in ("usb-a", "usb-b")]
    for field in fields:
        field.replug()
    locked = SimulatedReader("usb-locked", by_id)
    locked.replug()
    Path(locked.path).chmod(0)
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
            terminal.expect("! .* darf .*usb-locked nicht öffnen: .*Gruppe")
            terminal.expect("! PN532 unter .*usb-mouse: keine Antwort; nachsehen, ob .*HSU")
            terminal.expect_exact("unterscheiden? [J/n]: ")
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
        for field in (*fields, locked):
            field.unplug()
    assert [each.name for each in tmp_path.iterdir()] == ["serial"]


def test_a_broker_is_tried_and_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
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
                    terminal.expect_exact("is not an address")
                if words == "70000":
                    terminal.expect_exact("a number from 1 to 65535")
            terminal.expect_exact("the broker at 127.0.0.1:1 does not answer")
            terminal.expect_exact("Change your answers about it? [Y/n]: ")
            terminal.sendline("")
            for words in ("", "", str(broker.port), "", "", ""):
                terminal.expect_exact(": ")
                terminal.sendline(words)
            terminal.expect_exact("The broker answers.")
            terminal.expect_exact("This will be written")
            terminal.expect_exact("hub.toml: overwrite? [y/N]: ")
            terminal.sendline("")
            terminal.expect_exact("nothing was written")
            assert status(terminal) == 2
    assert (tmp_path / "hub.toml").read_text() == "mine\n"
    assert not (tmp_path / "deck.toml").exists()


def test_existing_files_and_brokers_are_used(tmp_path: Path) -> None:
    """A character and a deck in files, a broker with a password, a port already in use."""
    sheet = tmp_path / "vic.toml"
    fresh = starter_of("unroll").fresh("unroll", "Vic", 0)
    sheet.write_text(sheets_of("unroll").write_sheet(fresh), encoding="utf-8")
    (tmp_path / "rules.toml").write_text("[house]\n")
    write_deck(tmp_path / "old.toml", make_deck([Choice.parse("move surrender")], group="vic"))
    said = ("--seats", "2", "--ruleset", "unroll", "--title", "", "--theme", "paper")
    papers = made_in(tmp_path / "papers")
    secure, spoken = free_port(), (("cafile", "ca.pem"), ("certfile", "broker.pem"))
    lines = [
        *with_passwords(tmp_path),
        f"listener {secure} 127.0.0.1",
        *(f"{what} {papers}/{file}" for what, file in (*spoken, ("keyfile", "broker.key"))),
    ]
    with Mosquitto(tmp_path, lines) as broker, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with typing(
            tmp_path, "den", *said, "--port", str(port), "--no-phones", language="de_DE.UTF-8"
        ) as terminal:

            def tell(question: str, *words: str) -> None:
                for word in words:
                    terminal.expect_exact(question)
                    terminal.sendline(word)

            tell("Nummer [2]: ", "")
            tell("Nummer [1]: ", "Aus einer Datei")
            tell("die Datei der Figur: ", "nobody.toml", "rules.toml", "vic.toml")
            tell("eingestecktem Leser? [j/N]: ", "")
            tell("Nummer [1]: ", "2")
            tell("Die Datei des Decks: ", "", "old.toml")
            tell("Nummer [1]: ", "3")
            tell("Adresse des Brokers: ", "127.0.0.1")
            tell("Sein Port [1883]: ", str(broker.port))
            tell("TLS? [j/N]: ", "j")
            tell("unterschrieben hat: ", f"{papers}/other.pem")
            tell("Benutzername dort: ", "hub")
            tell("Passwort dort: ", "wrong")
            terminal.expect("! .*antwortet nicht, wie er soll, mit TLS: ")

            def again(port: str, old: int, *rest: tuple[str, str]) -> None:
                tell("ändern? [J/n]: ", "")
                tell("Nummer [3]: ", "")
                tell("[127.0.0.1]: ", "")
                tell(f"[{old}]: ", port)
                for question, word in rest:
                    tell(question, word)

            user, password = ("Benutzername dort [hub]: ", ""), "Passwort dort: "
            again("", broker.port, ("TLS? [J/n]: ", "n"), user, (password, ""))
            terminal.expect("! .*antwortet nicht, wie er soll: .*[Nn]ot authori")
            signed = "unterschrieben hat: "
            again(
                str(secure), broker.port, ("TLS? [j/N]: ", "j"), (signed, ""), user,
                (password, "secret-of-the-broker"),
            )  # fmt: skip
            terminal.expect("! .*kann nicht zeigen, dass er der richtige ist: .*certificate")
            again("", secure, ("TLS? [J/n]: ", ""), (signed, f"{papers}/ca.key"))
            terminal.expect_exact("! in dieser Datei ist ein privater Schlüssel")
            for question, word in ((signed, f"{papers}/ca.pem"), user):
                tell(question, word)
            tell(password, "secret-of-the-broker")
            terminal.expect_exact("Der Broker antwortet.")
            terminal.expect_exact(f"! den Port {port} benutzt ein anderes Programm")
            tell("So schreiben? [J/n]: ", "")
            terminal.expect_exact("den ist fertig")
            rest = terminal.read()
            assert "facedown run --config" in rest
            assert "facedown cards" not in rest, "its deck is there already"
            assert status(terminal) == 0
    folder = tmp_path / "den"
    config = tomllib.loads((folder / "hub.toml").read_text(encoding="utf-8"))
    assert config["seat"][0]["characters"] == ["Vic"]
    assert (config["mqtt"]["port"], config["mqtt"]["username"]) == (secure, "hub")
    signer = folder / config["mqtt"]["tls"]["ca"]
    assert signer.read_text() == (papers / "ca.pem").read_text()
    secret = folder / config["mqtt"]["password_file"]
    assert (secret.read_text(), secret.stat().st_mode & 0o777) == ("secret-of-the-broker\n", 0o600)
    assert (folder / "deck.toml").read_text() == (tmp_path / "old.toml").read_text()
    assert (folder / "characters" / "vic.toml").exists()
