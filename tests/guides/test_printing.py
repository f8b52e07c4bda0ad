"""The guide to printed cards: every command in it, from top to bottom.

They run in one process: a dozen interpreter starts would test nothing more.
"""

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hub.cli.main import app
from hub.readers.devices import SERIAL
from tests.support.guides import GUIDES, blocks, commands


def test_the_guide_leads_to_cards_and_papers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(SERIAL, str(tmp_path / "no-readers"))
    typed = 0
    for block in blocks((GUIDES / "printing.md").read_text(encoding="utf-8")):
        assert block.kind == "sh", f"line {block.line}: nobody has said what this does"
        for line in commands(block.text):
            program, *words = shlex.split(line)
            assert program == "facedown"
            done = CliRunner().invoke(app, words)
            assert done.exit_code == 0, f"{line}\n{done.output}"
            typed += 1
    assert typed > 10
    assert {each.name for each in tmp_path.glob("*.pdf")} == {
        *("cards.pdf", "begin.pdf", "den.pdf", "folded.pdf", "gm.pdf", "shop.pdf"),
        *("tourists.pdf", "tourists-rules.pdf"),
        *("rules.pdf", "sheets.pdf", "countdowns.pdf", "tents.pdf"),
    }
    assert (tmp_path / "shop" / "back.png").exists()
    assert (tmp_path / "drawings" / "back.svg").exists()
