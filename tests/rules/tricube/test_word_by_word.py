"""A roll made word by word, as at a table: words out of order are refused and change nothing."""

import pytest

from hub.games.tricube.reasons import Refused
from hub.games.tricube.rules.character import Affliction, Character, Style, Trait
from hub.games.tricube.rules.perks import pay_for_roll
from hub.games.tricube.rules.roll import (
    Judged,
    RollOutcome,
    call,
    face,
    judge,
    judge_both,
    throw,
    with_difficulty,
    with_hindrance,
    with_quirk,
)
from hub.games.tricube.rules.settling import (
    Fate,
    Gain,
    Price,
    Token,
    apply_effort,
    befall,
    charge,
    is_defeated,
    regain,
)
from hub.games.tricube.rules.tale import Tale

ELF = Character(
    Trait.AGILE,
    "ranger",
    Style.RANGED,
    perks=("marksman",),
    quirks=("greedy",),
    karma=1,
    resolve=2,
    afflictions=(Affliction("fear"),),
)
DWARF = Character(Trait.BRAWNY, "priest", Style.MELEE, perks=("brave",))
TALE = Tale({"elf": ELF, "dwarf": DWARF}).begin_challenge("goblins", 5, 3)
CALLED = call(TALE, "elf", Style.RANGED, "goblins")


def part(no: pytest.ExceptionInfo[Refused]) -> tuple[str | int, ...]:
    return no.value.part


def test_a_whole_roll() -> None:
    roll = throw(with_quirk(TALE, CALLED, "greedy"), (5, 6, 5))
    assert judge(roll) == Judged(1, RollOutcome.SUCCESS)
    tale, roll = pay_for_roll(TALE, roll, ["brave"], "dwarf")
    judged = judge(roll)
    assert judged == Judged(3, RollOutcome.EXCEPTIONAL)
    tale, removed = apply_effort(tale, roll, judged)
    assert (removed, tale.challenges["goblins"].over) == (3, True)
    tale, gain = regain(tale, roll, judged, Token.RESOLVE)
    assert gain == Gain(Token.RESOLVE, 1)
    after, paid = charge(tale, roll, judged)
    assert (after, paid) == (tale, None)
    assert (tale.characters["elf"].resolve, tale.characters["dwarf"].karma) == (3, 2)
    assert TALE.characters["elf"] is ELF and TALE.characters["dwarf"] is DWARF


def test_a_sealed_difficulty_delays_the_judgement() -> None:
    roll = throw(call(TALE, "elf", Trait.AGILE), (6, 2, 2))
    assert roll.final is None
    with pytest.raises(ValueError, match="difficulty"):
        judge(roll)
    assert judge(with_difficulty(roll, 6)) == Judged(1, RollOutcome.SUCCESS)
    with pytest.raises(Refused) as no:
        with_difficulty(roll, 7)
    assert part(no) == ("difficulty",)


def test_quirks_and_hindrances_only_before_the_dice() -> None:
    thrown = throw(CALLED, (5, 3, 2))
    with pytest.raises(Refused) as no:
        with_quirk(TALE, thrown, "greedy")
    assert part(no) == ("quirk",)
    with pytest.raises(Refused) as no:
        with_hindrance(TALE, thrown, "fear")
    assert part(no) == ("hindered",)


def test_only_the_first_of_quirk_and_hindrance() -> None:
    with pytest.raises(Refused) as no:
        with_quirk(TALE, with_hindrance(TALE, CALLED, "fear"), "greedy")
    assert part(no) == ("quirk",)
    with pytest.raises(Refused) as no:
        with_hindrance(TALE, with_quirk(TALE, CALLED, "greedy"), "fear")
    assert part(no) == ("hindered",)


def test_one_karma_a_roll() -> None:
    tale, roll = pay_for_roll(TALE, throw(CALLED, (4, 3, 2)), ["marksman"])
    with pytest.raises(Refused) as no:
        pay_for_roll(tale, roll, ["brave"], "dwarf")
    assert part(no) == ()
    assert "elf has paid it" in str(no.value)
    assert tale.characters["dwarf"].karma == 3


def test_fate_is_for_the_defeated() -> None:
    roll = throw(CALLED, (1, 1, 1))
    with pytest.raises(Refused) as no:
        befall(TALE, "elf", judge(roll), Fate("pride"), deadly=True)
    assert part(no) == ()
    tale, paid = charge(TALE, roll, judge(roll), Price(resolve=True, complication="mud"))
    assert paid is not None and (paid.resolve, paid.complication) == (2, "mud")
    assert is_defeated(tale, "elf") and not is_defeated(TALE, "elf")
    assert tale.there() == ("elf", "dwarf")
    tale = befall(tale, "elf", judge(roll), Fate("pride"), deadly=True)
    assert tale.there() == ("dwarf",)
    assert not is_defeated(tale, "elf")


def test_an_opposed_roll() -> None:
    one = throw(call(TALE, "elf", Trait.AGILE), (4, 4, 2))
    other = throw(call(TALE, "dwarf", Trait.BRAWNY), (4, 4, 3))
    one, other = face(one, other)
    assert [each.outcome for each in judge_both(one, other)] == [RollOutcome.EVEN, RollOutcome.EVEN]
    tale, one = pay_for_roll(TALE, one, ["marksman"])
    assert [each.outcome for each in judge_both(one, other)] == [RollOutcome.EVEN, RollOutcome.EVEN]
    assert tale.characters["elf"].karma == 0
    after, paid = charge(tale, other, Judged(0, RollOutcome.FAILURE))
    assert (after, paid and paid.resolve) == (tale, 0)


def test_a_character_who_cannot_roll_is_refused_with_a_reason() -> None:
    said = {}
    for who, changed in {
        "dead": Character(Trait.AGILE, "", Style.RANGED, dead=True, resolve=0, out=True),
        "out": Character(Trait.AGILE, "", Style.RANGED, out=True),
        "retired": Character(
            Trait.AGILE, "", Style.RANGED, afflictions=tuple(map(Affliction, "abcd"))
        ),
    }.items():
        with pytest.raises(Refused) as no:
            call(TALE.put("elf", changed), "elf", Trait.AGILE, "goblins")
        said[who] = no.value.reason.code
    assert said == {"dead": "tale-dead", "out": "tale-out", "retired": "tale-retired"}
    with pytest.raises(Refused) as no:
        call(TALE, "nobody", Trait.AGILE, "goblins")
    assert "there are: elf, dwarf" in str(no.value)
    assert no.value.within("events", 3).part == ("events", 3, "who")
