"""Scenes of Tricube Tales at simulated PN532 readers: the book's fight with the goblins, a duel, a
defeat, a retirement, a cure.

``make tricube`` plays them in full and kills and restarts the hub after every word. `make test`
plays a roll of two, with a kill while dice are tapped in and another between the dice and the
karma.
"""

import asyncio
import json
from pathlib import Path

import pytest

from tests.support.tale import GM, Tale, dice_again, tag, tale

SCENE = """\
title = "The ruins"
ruleset = "tricube"
dice = "hand"

[characters.elf]
trait = "agile"
concept = "elven ranger"
perks = ["marksman"]
quirks = ["greedy"]

[characters.dwarf]
trait = "brawny"
concept = "dwarven battle priest"
perks = ["berserker", "healer"]
quirks = ["hates goblins"]
"""
WOUNDED = SCENE.replace(
    'quirks = ["greedy"]\n',
    'quirks = ["greedy"]\nresolve = 1\n'
    'afflictions = [{ name = "limp" }, { name = "cough" }, { name = "shaken" }]\n',
)
SEATS = {"gm": (), "elf": ("elf",), "dwarf": ("dwarf",)}
WORDS = (
    "approach quirk greedy",
    "approach quirk hates goblins",
    "karma marksman",
    "karma berserker",
    "karma healer",
)
GOBLINS = {"name": "goblins", "effort": 4}
HOBGOBLINS = {"name": "hobgoblins", "effort": 2}
MOST_ATTACKS = 60


async def test_a_roll_whose_hub_is_killed_between_the_dice_and_the_karma(tmp_path: Path) -> None:
    async with tale(tmp_path, SCENE, SEATS, WORDS) as table:
        await table.call(GOBLINS, "ranged", "elf", "dwarf", sealed=True)
        assert table.state["awaited"] == ["elf", "dwarf", "gm"]
        await what_is_not_ones_own_is_refused(table)
        await a_difficulty_is_sealed_twice(table)
        await table.approach(elf="quirk greedy", dwarf="plain")
        await table.lift("gm")
        assert table.game["challenges"]["goblins"]["difficulty"] == 6
        await dice_that_nobody_could_throw_are_refused(table)
        await table.tap_dice("elf", 6)
        await table.killed(always=True)
        assert table.step == "dice" and table.state["awaited"] == ["elf", "dwarf"]
        await table.tap_dice("elf", 6, 1)
        assert await table.refused("elf", "dice 6 6 6"), "they lie there, though one is to come"
        await of_two_pages_one_enters_the_dice(table)
        assert table.step == "karma" and table.rolls["elf"]["dice"] == [6, 6, 1]
        await table.killed(always=True)
        await a_friend_thinks_again(table)
        assert table.step == "scene" and table.left("goblins") == 2
        assert table.who("elf")["karma"] == 3, "what it has paid for the perk its quirk brings back"
        assert table.who("dwarf")["karma"] == 3
        outcomes = {who: roll["outcome"] for who, roll in table.rolls.items()}
        assert outcomes == {"elf": "exceptional", "dwarf": "failure"}


async def what_is_not_ones_own_is_refused(table: Tale) -> None:
    """Try to use another character's quirk."""
    await table.refused_card("dwarf", "approach quirk greedy")
    assert table.state["committed"] == []


async def a_difficulty_is_sealed_twice(table: Tale) -> None:
    """While two cards are on the reader the seal is withdrawn; the one that stays is sealed."""
    table.put("gm", "difficulty 4")
    await table.until(lambda now: GM in now["committed"])
    both = '"cards on the reader: 2" seat=gm'
    table.put("gm", "difficulty 6")
    await table.hub.until_logged(both)
    table.hub.readers["gm"].lift(tag("difficulty 4", "gm"))
    await table.hub.until_logged('"cards on the reader: 1" seat=gm', 2)
    await table.until(lambda now: GM in now["committed"])
    assert table.game["challenges"]["goblins"]["difficulty"] is None


async def dice_that_nobody_could_throw_are_refused(table: Tale) -> None:
    assert table.step == "dice" and table.state["awaited"] == ["elf", "dwarf"]
    for dice in ("5 3", "5 3 2 1", "5 3 7", "0 3 2", "5 3 two", "5,3,2"):
        assert await table.refused("elf", f"dice {dice}")


async def of_two_pages_one_enters_the_dice(table: Tale) -> None:
    """Two pages enter different dice for the same roll at once: the first entry counts."""
    entered = ["3 1", "2 2"]
    replies = await asyncio.gather(*(table.decide("dwarf", f"dice {dice}") for dice in entered))
    assert sorted(reply["ok"] for reply in replies) == [False, True]
    (why,) = (reply["reason"] for reply in replies if not reply["ok"])
    assert why
    held = next(dice for dice, reply in zip(entered, replies, strict=True) if reply["ok"])
    await table.until(lambda now: now["step"] == "karma")
    assert table.rolls["dwarf"]["dice"] == [int(face) for face in held.split()]


async def a_friend_thinks_again(table: Tale) -> None:
    """A friend who offered to pay takes it back before everyone has spoken."""
    assert table.state["awaited"] == ["elf", "dwarf"]
    await table.said("dwarf", 'karma {"perks": ["berserker"], "for": "elf"}')
    await table.until(lambda now: "dwarf" in now["committed"])
    await table.said("dwarf", "karma none")
    await table.card("elf", "karma marksman")
    await table.until(lambda now: now["step"] == "price")
    await table.told(GM, 'price {"told": "It misses."}')


async def settled(table: Tale, **said: str) -> None:
    """Answer every remaining question of a roll, by default or as in ``said``, until the GM can
    call for the next."""
    words = {
        "karma": "karma none",
        "price": "price",
        "regain": "regain karma",
        "victor": "told",
        "fate": 'fate {"affliction": "wound %d", "lasts": "scene", "stays": true}',
    }
    while table.step != "scene":
        stood = table.state
        who = next(each for each in stood["awaited"] if each not in stood["committed"])
        word = said.pop(stood["step"], words[stood["step"]])
        await table.told(who, word % stood["seq"] if "%d" in word else word)


async def attack(table: Tale, who: str, kind: str, foes: str, dice: str) -> None:
    """A plain attack with physical dice and without karma."""
    await table.call(foes, kind, who)
    await table.approach(**{who: "plain"})
    await table.tap_dice(who, *map(int, dice.split()))


@pytest.mark.book("c3.by-hand")
@pytest.mark.tales
@pytest.mark.timeout(900)
async def test_the_fight_with_the_goblins_by_hand(tmp_path: Path) -> None:
    """Two turns, as in the book: four goblins, two hobgoblins."""
    async with tale(tmp_path, SCENE, SEATS, WORDS, kills=True) as table:
        await table.says(GM, "challenge", **GOBLINS)
        await table.says(GM, "challenge", **HOBGOBLINS)
        await attack(table, "elf", "ranged", "goblins", "5 3 2")
        await settled(table)
        assert table.left("goblins") == 3, "one goblin drops dead"
        await table.call("goblins", "agile", "elf", "dwarf", defense=True)
        await table.approach(elf="plain", dwarf="plain")
        await table.tap_dice("dwarf", 3, 5)
        await table.told("elf", "dice 1 6 5")
        await settled(table)
        assert {who: roll["outcome"] for who, roll in table.rolls.items()} == {
            "elf": "exceptional", "dwarf": "success",
        }  # fmt: skip
        assert table.left("goblins") == 3, "a defense takes no token"
        again = {"challenge": "goblins", "type": "agile", "rollers": {"elf": {}}, "defense": True}
        assert await table.refused(GM, f"call {json.dumps(again)}"), "one defense in a turn"
        await attack(table, "dwarf", "melee", "hobgoblins", "4 2 4")
        assert table.state["awaited"] == ["elf", "dwarf"], "the elf could not, the dwarf could help"
        await table.card("elf", "karma none")
        await table.card("dwarf", "karma berserker")
        assert (table.step, table.state["awaited"]) == ("victor", ["dwarf"])
        await table.told("dwarf", "told Both of them, by one swing.")
        assert table.game["challenges"]["hobgoblins"]["overcome"]
        await table.told(GM, "turn")
        await attack(table, "elf", "ranged", "goblins", "5 4 4")
        await table.card("dwarf", "karma none")
        await table.card("elf", "karma marksman")
        await table.told("elf", "told Shish kebab!")
        assert table.game["challenges"]["goblins"]["overcome"] and table.game["turns"] == 2
        assert [table.who(who)["karma"] for who in ("elf", "dwarf")] == [2, 2]
        lines = table.log_lines()
        entered = [
            e for e in map(json.loads, lines.splitlines()) if e.get("choice") == "dice 1 6 5"
        ]
        assert [(e["actor"], e["by"]) for e in entered] == [("elf", "gm")], "who entered them"
        status, said = table.verified(lines)
        assert (status, said.split(":")[0]) == (0, "sound"), said


@pytest.mark.book("c3.committed")
@pytest.mark.tales
@pytest.mark.timeout(900)
async def test_the_fight_with_the_goblins_by_the_tables_dice(tmp_path: Path) -> None:
    """Fight as long as it takes; the log alone tells what every die showed, and why."""
    async with tale(
        tmp_path, SCENE.replace('"hand"', '"table"'), SEATS, WORDS, kills=True
    ) as table:
        await table.call(GOBLINS, "ranged", "elf", "dwarf", sealed=True)
        await table.approach(gm="5", elf="quirk greedy", dwarf="plain")
        seen = [{who: roll["dice"] for who, roll in table.rolls.items()}]
        await settled(table)
        for _ in range(MOST_ATTACKS):
            if table.game["challenges"]["goblins"]["overcome"]:
                break
            await table.call("goblins", "ranged", "elf")
            await table.approach(elf="plain")
            seen.append({"elf": table.rolls["elf"]["dice"]})
            await settled(table)
        assert table.game["challenges"]["goblins"]["overcome"]
        lines = table.log_lines()
        revealed = [e for e in map(json.loads, lines.splitlines()) if e["type"] == "revealed"]
        told = [e["fell"]["came"]["dice"] for e in revealed]
        assert told == seen, "what lay there is what the log says"
        for event in revealed:
            for who, dice in event["fell"]["came"]["dice"].items():
                assert dice_again(event["chance"], who, len(dice)) == dice
        status, said = table.verified(lines)
        assert status == 0 and f"{len(seen)} outcomes of chance worked out again" in said, said
        forged = [line for line in lines.splitlines() if b'"fell"' in line]
        assert forged
        loaded = lines.replace(forged[0], _loaded(forged[0]))
        assert table.verified(loaded)[0] == 1, "a die that lies otherwise is found"


def _loaded(line: bytes) -> bytes:
    """Return the line with one of the elf's dice turned over."""
    event = json.loads(line)
    dice = event["fell"]["came"]["dice"]["elf"]
    dice[0] = 7 - dice[0]
    return json.dumps(event, separators=(",", ":"), sort_keys=True).encode()


@pytest.mark.tales
@pytest.mark.timeout(900)
async def test_a_defeat_that_retires_and_a_cure(tmp_path: Path) -> None:
    async with tale(tmp_path, WOUNDED, SEATS, WORDS, kills=True) as table:
        sides = {"elf": {"type": "crafty"}, "dwarf": {"type": "brawny"}}
        await table.says(GM, "oppose", sides=sides)
        await table.approach(elf="quirk greedy", dwarf="plain")
        await table.tap_dice("dwarf", 6, 6, 1)
        await table.tap_dice("elf", 5, 2)
        rolling = table.game["rolling"]
        assert (rolling["winner"], rolling["rolls"]["dwarf"]["outcome"]) == ("dwarf", "exceptional")
        assert (table.step, table.state["awaited"]) == ("price", [GM]), "no perk helps"
        await table.says(GM, "price", resolve=True)
        assert (table.step, table.state["awaited"]) == ("fate", ["dwarf"]), "in the victor's words"
        assert await table.refused("dwarf", 'fate {"affliction": "limp"}'), "it has that already"
        assert await table.refused("dwarf", 'fate {"affliction": "dead", "fatal": true}')
        await table.says("dwarf", "fate", affliction="a broken pride")
        elf = table.who("elf")
        assert (table.step, elf["absent"], elf["resolve"]) == ("scene", "retired", 3)
        assert len(elf["afflictions"]) == 4
        attack = {"challenge": GOBLINS, "type": "ranged", "rollers": {"elf": {}}}
        assert await table.refused(GM, f"call {json.dumps(attack)}"), "it is retired"
        await table.says("dwarf", "cure", affliction="limp", who="elf", perks=["healer"])
        assert (table.step, table.game["asked"]["what"]) == ("nod", "cure")
        await table.told(GM, "nod yes")
        assert (table.who("elf")["absent"], table.who("dwarf")["karma"]) == ("out", 2)
        assert len(table.who("elf")["afflictions"]) == 3
        assert await table.refused(GM, f"call {json.dumps(attack)}"), (
            "it is out until the scene ends"
        )
        await table.says(GM, "offer", who="dwarf", told="The ceiling creaks.")
        assert table.game["asked"]["brings"] == 1, "it says what it brings before"
        await table.card("dwarf", "accept yes")
        assert table.who("dwarf")["karma"] == 3
        await table.told(GM, "end")
        assert table.state["phase"] == "over"
        assert table.verified(table.log_lines())[0] == 0


@pytest.mark.tales
@pytest.mark.timeout(900)
async def test_conflicting_and_late_commands_between_a_throw_and_its_end(tmp_path: Path) -> None:
    """The hub is killed after each command that counts: each refusal is one sentence, nothing is
    lost, and no player is stuck."""
    scene = SCENE.replace('["hates goblins"]', '["hates goblins"]\nresolve = 1')
    async with tale(tmp_path, scene, SEATS, WORDS, kills=True) as table:
        await table.call({"name": "goblins", "effort": 5}, "ranged", "elf", "dwarf")
        await table.approach(elf="plain", dwarf="plain")
        await table.tap_dice("elf", 4, 4)
        why = "write the dice as they fell, a number from 1 to 6 for each, 3 here: 5 3 2"
        assert await table.refused("elf", "dice 1 2 3 4") == why
        await table.tap_dice("elf", 1)
        await table.tap_dice("dwarf", 1, 1)
        await karma_is_taken_back_while_it_is_spent(table)
        assert (table.step, table.state["awaited"]) == ("price", [GM])
        late = await table.refused("dwarf", 'karma {"perks": ["berserker"], "for": "elf"}')
        assert late == "dwarf has nothing to choose now"
        while table.step not in {"victor", "scene"}:
            said = {
                "price": 'price {"resolve": true}',
                "fate": 'fate {"affliction": "an arrow in the knee"}',
            }
            await table.told(GM, said[table.step])
        assert (table.who("dwarf")["absent"], table.who("dwarf")["resolve"]) == ("out", 3)
        await who_was_just_defeated_does_nothing(table)
        await table.call("goblins", "ranged", "elf")
        await table.approach(elf="quirk greedy")
        entered = ("6 6 1", "1 1 1", "2 2 2")
        replies = await asyncio.gather(*(table.decide("elf", f"dice {dice}") for dice in entered))
        assert sorted(reply["ok"] for reply in replies) == [False, False, True]
        assert table.verified(table.log_lines())[0] == 0


async def karma_is_taken_back_while_it_is_spent(table: Tale) -> None:
    """A friend gives karma and takes it back while the roller makes the last decision: the first
    command counts, and no one pays for nothing."""
    assert table.state["awaited"] == ["elf", "dwarf"]
    replies = await asyncio.gather(
        table.decide("dwarf", 'karma {"perks": ["berserker"], "for": "elf"}'),
        table.decide("elf", "karma none"),
        table.decide("dwarf", "karma none"),
    )
    assert [reply["ok"] for reply in replies[:2]] == [True, True]
    await table.until(lambda now: now["step"] != "karma")
    paid = table.rolls["elf"]["karma"]
    assert table.who("dwarf")["karma"] == 3 - (paid["paid"] if paid else 0)
    assert replies[2]["ok"] is (paid is None), replies[2]
    await table.killed()


async def who_was_just_defeated_does_nothing(table: Tale) -> None:
    call = {"challenge": "goblins", "type": "melee", "rollers": {"dwarf": {}}}
    for who, word in (
        (GM, f"call {json.dumps(call)}"),
        ("dwarf", 'perk {"perks": ["berserker"], "use": "impact"}'),
        (GM, 'offer {"who": "dwarf"}'),
    ):
        assert await table.refused(who, word) == "dwarf is out of this scene"
