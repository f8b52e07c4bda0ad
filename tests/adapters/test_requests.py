"""Characters made by commands: from a sheet or a file's text, with the line of every fault."""

import json
import tomllib
from typing import Any

import pytest

from hub.games.game import GM
from hub.games.triangle.sheets import write_sheet
from hub.table import acts as i
from hub.table.state import SeatFault
from hub.wire.reading import decode_page_command
from tests.rules.cast import starting
from tests.support.asking import OneScene
from tests.support.evening import Evening


def brought(talk: Evening, **command: Any) -> None:
    asked = decode_page_command(json.dumps({"command": "add-character", **command}))
    given = i.request(asked, GM, talk.state, OneScene())
    assert given.sheet is not None
    talk.give(given)


def test_the_text_of_a_file_becomes_a_player_character() -> None:
    talk = Evening(gm_seat="gm")
    brought(talk, toml=write_sheet(starting(name="Kit")), seat="bo")
    talk.do("join Kit")
    assert talk.sheets["Kit"] == starting(name="Kit")
    talk.duel(players=("Kit",), others=("ninja",))
    assert talk.state.scene is not None and talk.state.scene.seat_of("Kit") == "bo"


def test_a_sheet_may_declare_a_player_character() -> None:
    talk = Evening(gm_seat="gm")
    sheet = {
        "name": "Kit",
        "npc": False,
        "level": 1,
        "energy": {"attack": {"max": 4}, "defend": {"max": 3}, "grapple": {"max": 3}},
        "moves": dict.fromkeys(("attack-high", "attack-mid", "defend-mid", "grapple-low"), "x"),
        "belief": {"text": "Debts are paid"},
        "flaw": {"text": "Dares"},
    }
    brought(talk, sheet=sheet)
    talk.do("join Kit")
    brought(talk, sheet={**sheet, "name": "Guard", "npc": True})
    assert talk.sheets["Guard"].npc and not talk.sheets["Kit"].npc


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('name = "Kit"\nlevel =', "sheet:2: "),
        ('name = "Kit"\nlevel = 1\nmight = 3', "sheet:3: .*might"),
    ],
)
def test_an_unreadable_text_names_the_line(text: str, why: str) -> None:
    talk = Evening(gm_seat="gm")
    with pytest.raises(SeatFault, match=why):
        brought(talk, toml=text)


@pytest.mark.parametrize(
    "text",
    [
        "x=[\n" + "1,\n" * 760 + "]",
        "x='''\n" + "\n" * 1900 + "'''",
        "a" + ".a" * 1900 + "=1",
        "[a" + " . 'a'" * 600 + "]",
        "x={" + "a." * 1800 + "a=1}",
        "k" * 3900,
        "\n".join(f"k{number}={number}" for number in range(350)),
    ],
    ids=["list", "text", "key", "table", "inline", "word", "keys"],
)
def test_no_text_blocks_the_loop_for_long(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured in parsed characters, of which a Pi manages a million a second."""
    parsed = 0
    loads = tomllib.loads

    def counting(given: str) -> dict[str, Any]:
        nonlocal parsed
        parsed += len(given) * max(1, given.count("."))
        return loads(given)

    monkeypatch.setattr("hub.kernel.documents.toml.tomllib.loads", counting)
    with pytest.raises(SeatFault) as refused:
        brought(Evening(gm_seat="gm"), toml=text)
    assert parsed < 64 * 1024
    assert len(str(refused.value)) < 8 * 1024
