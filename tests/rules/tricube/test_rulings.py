"""C1 to C8, checked by their texts: number of dice, outcomes, declarations, payments."""

import json

import pytest

from tests.rules.tricube.scripts import (
    TURN,
    Json,
    agile,
    brawny,
    challenge,
    crafty,
    defense,
    fault,
    last,
    npc,
    opposed,
    perk,
    played,
    roll,
    script,
    side,
    told,
)

ELF = {"elf": agile(perks=["marksman", "keen eyes"], quirks=["greedy", "vain"])}
POOR = {"elf": agile(perks=["marksman"], quirks=["greedy"], karma=0, resolve=2)}
DWARF = {"dwarf": brawny(perks=["brave"])}
MARKSMAN = {"perks": ["marksman"]}


def outcome(dice: str, kind: str = "agile", difficulty: int = 5, **more: object) -> str:
    """The outcome of an elf's roll with nothing else going on."""
    found = last(ELF, challenge(difficulty=difficulty), roll("elf", dice, kind, **more))
    assert isinstance(found["outcome"], str)
    return found["outcome"]


# C1


@pytest.mark.book("c1.trait", "challenges.dice", "archetypes.three", "archetypes.two")
@pytest.mark.parametrize("who", [agile(), brawny(), crafty()], ids=lambda who: who["trait"])
def test_c1_three_dice_in_the_own_trait_otherwise_two(who: Json) -> None:
    for kind in ("agile", "brawny", "crafty"):
        count = 3 if kind == who["trait"] else 2
        for dice in ("3", "3 3", "3 3 3", "3 3 3 3"):
            right = len(dice.split()) == count
            place = fault({"x": who}, challenge(), roll("x", dice, kind))
            assert place == ("" if right else "events[1].dice")


@pytest.mark.book("c1.scope", "archetypes.scope")
def test_c1_one_fewer_out_of_scope_never_below_one() -> None:
    found = played(
        ELF,
        challenge(),
        roll("elf", "3 4", "agile", scope=False),
        roll("elf", "3", "crafty", scope=False),
        roll("elf", "5 4", "crafty", scope=True),
    )
    assert [each["count"] for each in found[1:4]] == [2, 1, 2]
    assert fault(ELF, challenge(), roll("elf", "3 4", "crafty", scope=False)) == "events[1].dice"


@pytest.mark.book("c1.style", "styles.usual", "styles.chosen")
@pytest.mark.parametrize(
    ("who", "style"),
    [
        (agile(), "ranged"),
        (brawny(), "melee"),
        (crafty(), "mental"),
        (agile(style="melee"), "melee"),
        (crafty(style="ranged"), "ranged"),
        (brawny(style="melee"), "melee"),
    ],
)
def test_c1_in_combat_the_style_counts(who: Json, style: str) -> None:
    *_, closing = played({"x": who})
    assert closing["characters"]["x"]["style"] == style
    for kind in ("melee", "ranged", "mental"):
        dice = "3 3 3" if kind == style else "3 3"
        assert fault({"x": who}, challenge(), roll("x", dice, kind)) == ""


# C2


@pytest.mark.book("c2.exceptional", "challenges.hit", "challenges.exceptional")
@pytest.mark.book("failure-and-success.four")
@pytest.mark.parametrize(
    ("dice", "difficulty", "came"),
    [
        ("5 3 2", 5, "success"), ("4 4 4", 5, "failure"), ("5 6 2", 5, "exceptional"),
        ("4 4 4", 4, "exceptional"), ("6 5 5", 6, "success"), ("1 1 2", 4, "failure"),
        ("1 1 5", 5, "success"),
    ],
)  # fmt: skip
def test_c2_each_die_at_or_over_the_difficulty(dice: str, difficulty: int, came: str) -> None:
    assert outcome(dice, difficulty=difficulty) == came


@pytest.mark.book("c2.critical", "challenges.critical")
@pytest.mark.parametrize(("dice", "scope"), [("1 1 1", True), ("1 1", False), ("1", False)])
def test_c2_all_ones(dice: str, scope: bool) -> None:
    kind = "agile" if len(dice) > 1 else "crafty"
    assert outcome(dice, kind, scope=scope) == "critical"


@pytest.mark.book("c2.above", "quirks.declared")
def test_c2_no_die_reaches_a_difficulty_above_six() -> None:
    assert outcome("6 6 6", difficulty=6, quirk="greedy") == "failure"
    assert outcome("6 6 1", difficulty=6, quirk="greedy", karma=MARKSMAN) == "exceptional"
    assert outcome("1 1 1", difficulty=4, karma=MARKSMAN) == "critical", "karma helps no ones"


# C3


@pytest.mark.book("c3.as-fell")
def test_c3_the_scripts_dice_are_used() -> None:
    document = script(ELF, challenge(effort=9), *(roll("elf", "2 6 3") for _ in range(20)))
    first, again = (json.dumps(told(document)) for _ in range(2))
    assert first == again
    assert {tuple(each["dice"]) for each in told(document)[0][1:-1]} == {(2, 6, 3)}


# C4


@pytest.mark.book("c4.highest", "opposed.highest", "opposed.npcs")
def test_c4_the_highest_die_of_the_other_is_the_difficulty() -> None:
    found = last(ELF, opposed(one=npc("2 5 1"), other=npc("3 4")))
    sets = [each["difficulty"]["set"] for each in found["sides"].values()]
    assert (sets, found["winner"]) == ([4, 5], "one")


@pytest.mark.book("c4.tie", "opposed.tie")
def test_c4_more_dice_at_the_number_win_normally() -> None:
    found = last(ELF, opposed(one=npc("4 4 3"), other=npc("4 4 4")))
    assert [each["outcome"] for each in found["sides"].values()] == ["failure", "success"]
    assert found["winner"] == "other"


@pytest.mark.book("c4.even", "opposed.even")
def test_c4_equally_many_dice_are_even() -> None:
    found = last(ELF, opposed(one=npc("4 4 2"), other=npc("4 4")))
    assert [each["outcome"] for each in found["sides"].values()] == ["even", "even"]
    assert found["winner"] is None


@pytest.mark.book("c4.critical", "opposed.critical")
def test_c4_critical_failures_stay_critical() -> None:
    found = last(ELF, opposed(one=npc("1 1"), other=npc("1")))
    assert [each["outcome"] for each in found["sides"].values()] == ["critical", "critical"]


# C5


@pytest.mark.book("c5.each", "c5.moment", "perks.one", "quirks.one")
def test_c5_one_karma_and_one_quirk_for_each_roll() -> None:
    again = roll("elf", "6 2 2", quirk="greedy", karma=MARKSMAN)
    first, second = played(ELF, challenge(effort=3), again, again)[1:3]
    assert first["characters"]["elf"]["karma"] == second["characters"]["elf"]["karma"] == 3
    for each in (first, second):
        assert each["difficulty"] == {"set": 5, "quirk": 1, "karma": -1, "final": 5}
    both = roll("elf", "6 6 6", quirk="greedy", hindered="fear")
    ill = {"elf": agile(quirks=["greedy"], afflictions=[{"name": "fear"}])}
    assert fault(ill, challenge(), both) == "events[1].hindered"


@pytest.mark.book("c5.friend", "assisting.roll", "assisting.one")
def test_c5_a_friends_karma_counts_as_the_one_karma() -> None:
    brave = {"perks": ["brave"], "by": "dwarf"}
    found = last(ELF | DWARF, challenge(), roll("elf", "4 4 2", karma=brave))
    assert found["outcome"] == "exceptional"
    assert found["karma"] == {"by": "dwarf", "perks": ["brave"], "paid": 1, "complication": None}
    assert [each["karma"] for each in found["characters"].values()] == [3, 2]
    wrong = {"perks": ["marksman"], "by": "dwarf"}
    place = fault(ELF | DWARF, challenge(), roll("elf", "4 4 2", karma=wrong))
    assert place == "events[1].karma.perks", "the perk of whoever pays"


# C6


@pytest.mark.book("c6.maximum", "quirks.karma")
def test_c6_gains_never_exceed_the_maximum() -> None:
    found = last(ELF, challenge(), roll("elf", "6 6 6", quirk="greedy"))
    assert (found["gain"], found["characters"]["elf"]["karma"]) == ({"karma": 0}, 3)
    found = last(POOR, challenge(), roll("elf", "6 6 6", quirk="greedy"))
    assert (found["gain"], found["characters"]["elf"]["karma"]) == ({"karma": 1}, 1)
    offered = last(ELF, {"do": "complication", "who": "elf"})
    assert (offered["gain"], offered["characters"]["elf"]["karma"]) == ({"karma": 0}, 3)


@pytest.mark.book("quirks.resolve")
def test_c6_resolve_may_be_regained_instead_after_a_success() -> None:
    event = roll("elf", "6 6 6", quirk="greedy", regain="resolve")
    for resolve, more in ((1, 1), (2, 1), (3, 0)):
        found = last({"elf": agile(quirks=["greedy"], resolve=resolve)}, challenge(), event)
        assert found["gain"] == {"resolve": more}
        assert found["characters"]["elf"]["resolve"] == min(resolve + 1, 3)
    event = roll("elf", "2 2 2", quirk="greedy", regain="resolve")
    assert fault(POOR, challenge(), event) == "events[1].regain"
    event["regain"] = "karma"
    assert last(POOR, challenge(), event)["gain"] == {"karma": 1}, "after a failure, too"


@pytest.mark.book("c6.settled")
def test_c6_a_quirks_gain_cannot_pay_for_its_own_roll() -> None:
    event = roll("elf", "5 5 5", quirk="greedy", karma=MARKSMAN)
    assert fault(POOR, challenge(), event) == "events[1].karma.complication"
    assert last(POOR, challenge(), roll("elf", "6 6 6", quirk="greedy"))["gain"] == {"karma": 1}


# C7


@pytest.mark.book("c7.place", "defeat.counts")
def test_c7_an_affliction_may_replace_the_quirk() -> None:
    ill = {"elf": agile(karma=1, resolve=2, afflictions=[{"name": "fear"}])}
    found = last(ill, challenge(), roll("elf", "5 5 6", hindered="fear"))
    assert found["difficulty"] == {"set": 5, "quirk": 1, "karma": 0, "final": 6}
    assert (found["hindered"], found["quirk"], found["gain"]) == ("fear", None, {"karma": 1})
    back = roll("elf", "5 5 6", hindered="fear", regain="resolve")
    assert last(ill, challenge(), back)["gain"] == {"resolve": 1}
    assert fault(ill, challenge(), roll("elf", "6 6 6", hindered="cold")) == "events[1].hindered"


# C8


@pytest.mark.book("c8.one-success")
def test_c8_without_tokens_one_success_overcomes() -> None:
    found = played(ELF, challenge(), roll("elf", "2 2 2"), roll("elf", "6 2 2"))
    assert [each["over"] for each in found[1:3]] == [False, True]
    assert [each["removed"] for each in found[1:3]] == [0, 0]
    events = challenge(), roll("elf", "6 2 2"), roll("elf", "6 2 2")
    assert fault(ELF, *events) == "events[2].challenge", "it has been overcome"


@pytest.mark.book("challenges.tokens", "challenges.together", "foes.tokens", "foes.group")
def test_c8_several_rolls_remove_tokens_in_turn() -> None:
    found = played(
        ELF | DWARF,
        challenge("goblins", effort=4),
        roll("elf", "5 5 2", at="goblins"),
        roll("dwarf", "2 2 2", "melee", at="goblins"),
        roll("dwarf", "6 6 6", "melee", at="goblins"),
    )
    assert [each["removed"] for each in found[1:4]] == [2, 0, 2]
    assert [each["challenges"]["goblins"]["left"] for each in found[1:4]] == [2, 2, 0]
    assert [each["over"] for each in found[1:4]] == [False, False, True]
    assert found[2]["price"] == {"resolve": 1, "complication": None}


# C16

FIRM = {"elf": agile(), "dwarf": brawny(), "witch": crafty(perks=["hex"], quirks=["vain"])}


def together(who: str, dice: str, kind: str, **more: object) -> Json:
    return roll(who, dice, kind, together=True, **more)


@pytest.mark.book("c16.alone", "c16.spare", "challenges.together", "c9.which")
@pytest.mark.parametrize("effort", [0, 1])
def test_c16_a_critical_failure_costs_even_after_the_last_token(effort: int) -> None:
    """Lines 9 and 11 of the book: failing any of these rolls has its consequences."""
    hit, ones = roll("elf", "6 2 2"), roll("dwarf", "1 1")
    wall = challenge(effort=effort)
    behind = played(FIRM, wall, hit, ones | {"together": True})[2]
    before = played(FIRM, wall, ones, hit | {"together": True})
    assert behind["price"] == before[1]["price"] == {"resolve": 2, "complication": None}
    assert behind["characters"]["dwarf"]["resolve"] == 1
    assert (behind["outcome"], behind["removed"], behind["over"]) == ("critical", 0, True)
    assert behind["characters"] == before[2]["characters"]
    assert behind["challenges"] == before[2]["challenges"]


@pytest.mark.book("c16.call")
def test_c16_only_rolls_of_one_call_follow_an_overcome_challenge() -> None:
    """Other rolls at an overcome challenge are refused."""
    wall, hit = challenge(), roll("elf", "6 2 2")
    tail = together("dwarf", "6 6", "agile")
    at, over = "events[2].together", "events[2].challenge"
    assert fault(FIRM, wall, hit, tail) == ""
    assert fault(FIRM, wall, hit, tail, together("witch", "1 1", "agile")) == ""
    assert fault(FIRM, wall, hit, tail | {"together": False}) == over
    assert fault(FIRM, wall, tail) == "events[1].together", "nothing was rolled before it"
    assert fault(FIRM, wall, hit, together("elf", "6 6 6", "agile")) == at
    assert fault(FIRM, wall, hit, TURN, tail) == "events[3].together"
    assert fault(FIRM, wall, hit, challenge("dogs"), tail) == "events[3].together"
    two = (wall, challenge("dogs"), roll("elf", "6 2 2", at="dogs"))
    assert fault(FIRM, *two, tail) == "events[3].together"
    assert fault(FIRM, wall, hit, tail, roll("witch", "1 1")) == "events[3].challenge"
    assert fault(FIRM, wall, hit, {**tail, "together": 1}) == at
    assert fault(FIRM, wall, hit, {**tail, "challenge": "moat"}) == over


@pytest.mark.book("c8.defense", "turns.one-defense", "turns.players-roll", "c8.again")
def test_c8_a_defense_removes_no_tokens_and_comes_once_a_turn() -> None:
    wall = challenge(effort=2)
    found = last(ELF, wall, defense("elf", "6 6 6"))
    assert (found["outcome"], found["removed"], found["over"]) == ("exceptional", 0, False)
    assert last(ELF, challenge(), defense("elf", "6 6 6"))["over"] is False
    second = defense("elf", "6 6 6")
    assert fault(ELF, wall, second, second) == "events[2].defense"
    assert fault(ELF, wall, second, {**second, "again": False}) == "events[2].defense"
    assert fault(ELF, wall, second, {**second, "again": True}, second) == "events[3].defense"
    assert fault(ELF, wall, {**second, "again": True}) == ""
    assert fault(ELF, wall, second, TURN, second) == ""
    assert fault(ELF, wall, second, {"do": "scene"}, wall, second) == ""
    assert fault(ELF | DWARF, wall, second, defense("dwarf", "2 6")) == "", "one for each"
    assert fault(ELF, wall, roll("elf", "6 6 6", again=True)) == "events[1].again"


@pytest.mark.book("c8.relative", "foes.difficulty", "challenges.difficulty")
def test_c8_the_gm_may_change_the_difficulty_of_a_roll() -> None:
    assert last(ELF, challenge())["challenges"]["wall"]["difficulty"] == 5
    for difficulty in (4, 6):
        event = roll("elf", "2 2 2", difficulty=difficulty)
        found = last(ELF, challenge(), event)
        assert found["difficulty"]["set"] == difficulty
        assert found["challenges"]["wall"]["difficulty"] == 5
    for difficulty in (0, 3, 7):
        event = roll("elf", "2 2 2", difficulty=difficulty)
        assert fault(ELF, challenge(), event) == "events[1].difficulty"
        assert fault(ELF, challenge(difficulty=difficulty)) == "events[0].difficulty"


@pytest.mark.book("perks.reduce", "stacking.several")
def test_several_perks_may_justify_one_karma() -> None:
    event = roll("elf", "4 2 2", karma={"perks": ["marksman", "keen eyes"]})
    found = last(ELF, challenge(), event)
    assert (found["outcome"], found["difficulty"]["final"]) == ("success", 4)
    assert found["characters"]["elf"]["karma"] == 2


@pytest.mark.book("perspective.instead", "c12.instead")
def test_a_complication_may_replace_karma() -> None:
    event = roll("elf", "4 2 2", karma=MARKSMAN | {"complication": "the bow breaks"})
    found = last(POOR, challenge(), event)
    assert found["karma"] == {
        "by": "elf",
        "perks": ["marksman"],
        "paid": 0,
        "complication": "the bow breaks",
    }
    assert (found["outcome"], found["characters"]["elf"]["karma"]) == ("success", 0)
    assert fault(ELF, challenge(), event) == "events[1].karma.complication", "who has some, pays"
    free = perk("elf", "impact", "marksman", complication="rain")
    found = last(POOR, free)
    assert (found["paid"], found["complication"]) == (0, "rain")
    assert fault(ELF, free) == "events[0].complication"


def test_karma_in_an_opposed_roll_is_paid_in_order() -> None:
    one = {"a": agile(perks=["luck"], karma=1), "b": brawny(perks=["brave"], karma=1)}
    help_of_b = side("4 2 2", karma={"perks": ["brave"], "by": "b"})
    own = side("4 2", karma={"perks": ["brave"]})
    assert fault(one, opposed(a=help_of_b, b=own)) == "events[0].sides.b.karma.complication"
    assert fault(one, opposed(b=own, a=help_of_b)) == "events[0].sides.a.karma.complication"
