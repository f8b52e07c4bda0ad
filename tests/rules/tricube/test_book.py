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
    cure,
    defense,
    fault,
    last,
    npc,
    opposed,
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
        (BARBARIAN, "melee", True, 3),
        (BARBARIAN, "ranged", True, 2),
        (BARBARIAN, "agile", False, 1),
        (RANGER, "agile", True, 3),
        (RANGER, "crafty", True, 2),
        (RANGER, "crafty", False, 1),
        (WIZARD, "mental", True, 3),
        (WIZARD, "brawny", True, 2),
        (WIZARD, "melee", False, 1),
        (WITCH, "crafty", False, 2),
        (WITCH, "crafty", True, 3),
        (RAKE, "crafty", True, 2),
        (RAKE, "crafty", False, 1),
        (THIEF, "melee", True, 3),
        (THIEF, "ranged", True, 2),
    ],
)
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
        "difficulty": 5,
        "effort": 4,
        "left": 0,
        "over": True,
        "deadly": False,
        "bypassed": [],
    }
    assert [each["karma"] for each in last_["characters"].values()] == [2, 2]
    assert [each["karma"] for each in closing["characters"].values()] == [2, 2]


@pytest.mark.book("opposed.highest", "opposed.tie", "opposed.even", "opposed.critical")
@pytest.mark.parametrize(
    ("one", "other", "outcomes", "winner"),
    [
        ("4 4 4", "4 4 3", ("success", "failure"), "one"),
        ("4 4 4", "4 3 3", ("success", "failure"), "one"),
        ("4 4 2", "4 4 3", ("even", "even"), None),
        ("6 6 1", "5 2", ("exceptional", "failure"), "one"),
        ("1 1", "1 1 1", ("critical", "critical"), None),
        ("3 3 4", "5 5 2", ("failure", "exceptional"), "other"),
        ("6 2 2", "5 5 5", ("success", "failure"), "one"),
        ("1 1 1", "1 2", ("critical", "exceptional"), "other"),
    ],
)
def test_opposed_rolls(one: str, other: str, outcomes: tuple[str, str], winner: str | None) -> None:
    found = last({"x": agile()}, opposed(one=npc(one), other=npc(other)))
    assert tuple(each["outcome"] for each in found["sides"].values()) == outcomes
    assert found["winner"] == winner


@pytest.mark.book("failure-and-success.two", "defeat.permanent")
def test_a_critical_failure_costs_two() -> None:
    events = (challenge(), roll("elf", "1 1 1"))
    found = last(ELF, *events)
    assert (found["outcome"], found["hits"]) == ("critical", 0)
    assert (found["price"]["resolve"], found["characters"]["elf"]["resolve"]) == (2, 1)
    hurt = {"elf": agile(resolve=1)}
    found = last(hurt, challenge(), roll("elf", "1 1 1", fate={"affliction": "blind"}))
    assert (found["price"]["resolve"], found["defeated"]) == (1, True)
    elf = found["characters"]["elf"]
    assert elf["afflictions"] == [{"name": "blind", "lasts": "permanent"}]
    assert (elf["resolve"], elf["out"], elf["retired"]) == (3, True, False)


@pytest.mark.book("defeat.retired")
def test_a_fourth_affliction_retires_and_a_cure_brings_back() -> None:
    three = [{"name": name} for name in ("arm", "leg", "nerve")]
    who = {"elf": agile(resolve=1, afflictions=three)} | DWARF
    *_, retired, scene, cured, _ = played(
        who,
        challenge(),
        roll("elf", "2 2 2", fate={"affliction": "pride", "lasts": "longer"}),
        {"do": "scene"},
        cure("elf", "leg", "healer", by="dwarf"),
    )
    assert retired["characters"]["elf"]["retired"] is True
    assert scene["characters"]["elf"] | {"out": False} == scene["characters"]["elf"]
    assert scene["characters"]["elf"]["retired"] is True
    assert cured["characters"]["elf"]["retired"] is False
    assert [each["name"] for each in cured["characters"]["elf"]["afflictions"]] == [
        "arm",
        "nerve",
        "pride",
    ]


@pytest.mark.book("quirks.declared", "c2.above")
def test_a_quirk_may_raise_a_difficulty_above_six() -> None:
    events = challenge(difficulty=6), roll("elf", "6 6 6", quirk="greedy")
    found = last(ELF, *events)
    assert (found["difficulty"]["final"], found["outcome"]) == (7, "failure")
    events[1]["karma"] = {"perks": ["marksman"]}
    found = last(ELF, *events)
    assert (found["difficulty"]["final"], found["outcome"]) == (6, "exceptional")


def test_the_script_of_the_contract() -> None:
    dwarf = brawny(perks=["berserker", "healer"], karma=2, resolve=1)
    dwarf["afflictions"] = [{"name": "broken arm"}]
    _, shot, hit, closing = played(
        {"elf": agile(perks=["marksman"], quirks=["greedy"]), "dwarf": dwarf},
        challenge("goblins", effort=4),
        roll("elf", "5 3 2", "ranged", "goblins", quirk="greedy"),
        defense("dwarf", "1 1", at="goblins", fate={"affliction": "an arrow in the knee"}),
    )
    whole = {"out": False, "retired": False, "dead": False}
    arm = {"name": "broken arm", "lasts": "longer"}
    assert shot == {
        "event": 2, "do": "roll", "who": "elf", "challenge": "goblins", "type": "ranged",
        "count": 3, "dice": [5, 3, 2], "defense": False,
        "difficulty": {"set": 5, "quirk": 1, "karma": 0, "final": 6},
        "quirk": "greedy", "hindered": None, "karma": None,
        "hits": 0, "outcome": "failure", "removed": 0, "over": False,
        "gain": {"karma": 0}, "price": {"resolve": 1, "complication": None}, "defeated": False,
        "characters": {
            "elf": {"karma": 3, "karma_max": 3, "resolve": 2, "resolve_max": 3,
                    "quirks": ["greedy"], "afflictions": [], **whole},
            "dwarf": {"karma": 2, "karma_max": 3, "resolve": 1, "resolve_max": 3,
                      "quirks": [], "afflictions": [arm], **whole},
        },
        "challenges": {"goblins": {"difficulty": 5, "effort": 4, "left": 4, "over": False,
                                   "deadly": False, "bypassed": []}},
    }  # fmt: skip
    knee = {"name": "an arrow in the knee", "lasts": "permanent"}
    assert hit["characters"]["dwarf"]["afflictions"] == [arm, knee]
    assert hit["characters"]["dwarf"]["out"] is True
    assert closing == {
        "end": True,
        "characters": {
            "elf": {
                "trait": "agile", "concept": "elven ranger", "style": "ranged",
                "perks": ["marksman"], "quirks": ["greedy"], "karma": 3, "karma_max": 3,
                "resolve": 2, "resolve_max": 3, "afflictions": [], "dead": False,
            },
            "dwarf": {
                "trait": "brawny", "concept": "battle priest", "style": "melee",
                "perks": ["berserker", "healer"], "quirks": [], "karma": 2, "karma_max": 3,
                "resolve": 3, "resolve_max": 3, "afflictions": [arm, knee], "dead": False,
            },
        },
    }  # fmt: skip


def test_the_script_of_the_docs() -> None:
    page = (ROOT / "docs" / "rules" / "tricube-scripts.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```json ruins\.json\n(.+?)```", page, re.DOTALL)
    *_, hit, closing = resolve_script(example.encode())
    assert hit["defeated"] and closing["end"]
