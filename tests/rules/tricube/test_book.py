"""The examples of the book and of the contract, with every figure that they name."""

import re
from pathlib import Path

import pytest

from hub.games.resolve import resolve_script
from tests.rules.tricube.scripts import (
    TURN,
    agile,
    brawny,
    challenge,
    crafty,
    defense,
    fault,
    played,
    roll,
)

ROOT = Path(__file__).parents[3]
ELF = {"elf": agile(perks=["marksman"], quirks=["greedy"])}
DWARF = {"dwarf": brawny(perks=["berserker", "healer"])}


def dice_of(who: dict[str, object], kind: str, *, scope: bool = True) -> int:
    """The number of dice that a roll takes: any other number is a fault."""
    takes = []
    for count in (1, 2, 3):
        event = roll("x", " ".join("3" * count), kind, scope=scope)
        if fault({"x": who}, challenge(), event) == "":
            takes.append(count)
    (found,) = takes
    return found


BARBARIAN, RANGER, WIZARD = brawny("barbarian"), agile("elven ranger"), crafty("wizard")
WITCH, RAKE, THIEF = crafty("old witch"), agile("rake"), agile("thief", style="melee")


@pytest.mark.book("archetypes.examples", "context.examples")
@pytest.mark.parametrize(
    ("who", "kind", "scope", "count"),
    [
        (BARBARIAN, "melee", True, 3), (BARBARIAN, "ranged", True, 2),
        (BARBARIAN, "agile", False, 1), (RANGER, "agile", True, 3), (RANGER, "crafty", True, 2),
        (RANGER, "crafty", False, 1), (WIZARD, "mental", True, 3), (WIZARD, "brawny", True, 2),
        (WIZARD, "melee", False, 1), (WITCH, "crafty", False, 2), (WITCH, "crafty", True, 3),
        (RAKE, "crafty", True, 2), (RAKE, "crafty", False, 1), (THIEF, "melee", True, 3),
        (THIEF, "ranged", True, 2),
    ],
)  # fmt: skip
def test_the_number_of_dice(who: dict[str, object], kind: str, scope: bool, count: int) -> None:
    assert dice_of(who, kind, scope=scope) == count


@pytest.mark.book("ruins.example")
def test_the_fight_against_goblins_and_hobgoblins() -> None:
    goblins, hobgoblins = {"at": "goblins"}, {"at": "hobgoblins"}
    found = played(
        ELF | DWARF,
        challenge("goblins", effort=4),
        challenge("hobgoblins", effort=2),
        roll("elf", "5 3 2", "ranged", **goblins),
        defense("elf", "1 6 5", **goblins),
        defense("dwarf", "3 5", **goblins),
        roll("dwarf", "4 2 4", "melee", karma={"perks": ["berserker"]}, **hobgoblins),
        TURN,
        roll("elf", "5 4 4", "ranged", karma={"perks": ["marksman"]}, **goblins),
    )
    _, _, shot, dodged, held, smashed, _, last_, closing = found
    assert (shot["hits"], shot["removed"], shot["outcome"]) == (1, 1, "success")
    assert shot["challenges"]["goblins"]["left"] == 3
    assert (dodged["outcome"], held["outcome"]) == ("exceptional", "success")
    assert dodged["removed"] == held["removed"] == 0
    assert held["challenges"]["goblins"]["left"] == 3
    assert smashed["difficulty"] == {"set": 5, "quirk": 0, "karma": -1, "final": 4}
    assert (smashed["hits"], smashed["removed"], smashed["over"]) == (2, 2, True)
    paid = {"by": "elf", "perks": ["marksman"], "paid": 1, "complication": None}
    assert (last_["hits"], last_["removed"], last_["over"], last_["karma"]) == (3, 3, True, paid)
    assert last_["challenges"]["goblins"] == {
        "difficulty": 5, "effort": 4, "left": 0, "over": True, "deadly": False, "bypassed": [],
    }  # fmt: skip
    assert [each["karma"] for each in last_["characters"].values()] == [2, 2]
    assert [each["karma"] for each in closing["characters"].values()] == [2, 2]


def test_the_script_of_the_docs() -> None:
    page = (ROOT / "docs" / "rules" / "tricube-scripts.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json ruins\.json\n(.+?)```", page, re.DOTALL)
    *_, hit, closing = resolve_script(example.encode())
    assert hit["defeated"] and closing["end"]
