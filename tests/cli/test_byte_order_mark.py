"""Files saved by Windows' Notepad: with a byte order mark, or as UTF-16."""

import codecs
import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from hub.cards.deck import Deck, read_deck, save_deck
from hub.cli.main import app
from hub.config.values import read_password
from hub.install.table import Became, Reach, set_reach
from hub.kernel.documents.toml import rest_of_toml
from tests.cli.test_resolve import DUEL

SECRET = "pass word"


def run(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def made(folder: Path, ruleset: str) -> list[Path]:
    """All files of a folder made by `facedown init`, with a password beside it."""
    password = folder.with_name("secret")
    password.touch(0o600)
    password.write_text(f"{SECRET}\n", encoding="utf-8")
    words = ("init", str(folder), "--seats", "3", "--ruleset", ruleset, "--yes")
    broker = ("--broker", "192.0.2.1", "--broker-user", "hub", "--broker-password-file")
    done = run(*words, *broker, str(password))
    assert done.exit_code == 0, done.output
    return sorted(path for path in folder.rglob("*") if path.is_file())


def remark(path: Path, mark: bytes, encoding: str = "utf-8") -> None:
    mode, text = path.stat().st_mode, path.read_text(encoding="utf-8")
    path.write_bytes(mark + text.replace("\n", "\r\n").encode(encoding))
    path.chmod(mode)


@pytest.mark.parametrize("ruleset", ["unroll", "iron-triangle-1e", "tourists", "tricube"])
def test_every_file_of_a_table_may_begin_with_the_mark(ruleset: str, tmp_path: Path) -> None:
    files = made(tmp_path / "den", ruleset)
    assert len([file for file in files if file.suffix == ".toml"]) >= 4
    before = run("check-config", str(tmp_path / "den" / "hub.toml"))
    for file in files:
        remark(file, codecs.BOM_UTF8)
    after = run("check-config", str(tmp_path / "den" / "hub.toml"))
    assert (after.exit_code, after.output) == (before.exit_code, before.output)
    assert after.exit_code == 0, after.output


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE])
@pytest.mark.parametrize("name", ["hub.toml", "deck.toml"])
def test_utf_16_is_named_in_the_fault(name: str, mark: bytes, tmp_path: Path) -> None:
    made(tmp_path / "den", "unroll")
    encoding = "utf-16-le" if mark == codecs.BOM_UTF16_LE else "utf-16-be"
    remark(tmp_path / "den" / name, mark, encoding)
    checked = run("check-config", str(tmp_path / "den" / "hub.toml"))
    assert checked.exit_code != 0
    (line,) = checked.output.splitlines()
    assert name in line
    assert "UTF-16" in line
    assert "save it as UTF-8" in line


def test_a_script_may_begin_with_the_mark(tmp_path: Path) -> None:
    script = tmp_path / "duel.json"
    script.write_bytes(codecs.BOM_UTF8 + json.dumps(DUEL).encode())
    assert run("resolve", str(script)).exit_code == 0
    script.write_bytes(json.dumps(DUEL).encode("utf-16"))
    assert "UTF-16" in run("resolve", str(script)).stderr


def test_a_deck_with_the_mark_is_edited_in_its_place(tmp_path: Path) -> None:
    made(tmp_path / "den", "unroll")
    file = tmp_path / "den" / "deck.toml"
    file.write_text(f"# our deck\n{file.read_text(encoding='utf-8')}", encoding="utf-8-sig")
    first, second, *others = read_deck(file).cards
    deck = Deck((replace(first, choice=second.choice), second, *others))
    save_deck(file, deck)
    assert {*read_deck(file).cards} == {*deck.cards}
    assert file.read_text(encoding="utf-8").startswith("# our deck")


def test_a_password_is_not_the_mark(tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_bytes(codecs.BOM_UTF8 + f"{SECRET}\r\n".encode())
    password = read_password(file)
    assert password is not None
    assert password.unseal() == SECRET


def test_a_broken_file_with_the_mark_is_still_read_in_part() -> None:
    assert rest_of_toml(codecs.BOM_UTF8 + b"a = 1\nb = = 2\n") == {"a": 1}


def test_a_configuration_with_the_mark_gets_its_broker(tmp_path: Path) -> None:
    file = tmp_path / "hub.toml"
    file.write_text('[table]\nname = "den"\n', encoding="utf-8-sig")
    reach = Reach(host="127.0.0.1", port=1883, username="hub", password_credential="mqtt")
    assert set_reach(file, reach) is Became.SET
    assert file.read_text("utf-8").startswith("[table]")
