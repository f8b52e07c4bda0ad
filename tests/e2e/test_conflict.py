"""The book's Conflicts, card by card at simulated PN532 readers, with two tags a card.

``make tourists`` plays them in full and kills and restarts the hub after every word. `make test`
plays the beginning of one, with a kill between a card and its answers.
"""

from pathlib import Path
from typing import Any

import pytest

from tests.support.conflict import Conflict, conflict

TWO = """\
title = "The giant"
ruleset = "tourists"

[parties.Giant]
goal = "the tower"
gm = true
attribute = { name = "strength", value = 8 }
reserve = ["51 reversed"]
reserve_max = 2

[parties.Guard]
goal = "save the town"
attribute = { name = "paper", value = 5 }
aspects = ["trained", "agile", "at home here"]
weaknesses = ["second in command in hospital"]
reserve = ["6 reversed"]
reserve_max = 1
"""
TWO_SEATS = {"gm": ("Giant",), "guard": ("Guard",)}
FIRST = "Guard 39, Giant 66, Guard 79, Giant -, Guard 19, Giant 9r turn"
LONG = (
    "Guard -, Giant 48r, Guard -, Giant 13r, Guard -, Giant 76, Guard -, Giant 12, Guard -, "
    "Giant 70, Guard -, Giant 15, Guard -, Giant 11, Guard -, Giant 21r, Guard -, Giant -"
)
FOUR = """\
title = "Newcomers"
ruleset = "tourists"

[parties.Giant]
gm = true
attribute = { name = "strength", value = 8 }

[parties.Guard.characters.Ada]
attribute = { name = "paper", value = 5 }
aspects = ["trained", "agile"]

[parties.Guard.characters.Bo]
aspects = ["at home here"]
weaknesses = ["second in command in hospital"]

[parties.Corps]
attribute = { name = "blades", value = 5 }
aspects = ["trained", "deadly", "support", "alloy"]
weaknesses = ["strangers here"]

[parties.News]
attribute = { name = "serpent", value = 4 }
aspects = ["no fear"]
"""
FOUR_SEATS = {"gm": ("Giant", "Corps"), "ada": ("Ada",), "bo": ("Bo",), "news": ("News",)}
SECOND = "Ada 20, Corps 40r, Giant 14, News 78r turn, Ada -, Corps -, Giant -, News 67"
THIRD = (
    "Ada -, Corps -, Giant -, News 46, Bo -, Corps -, Giant -, "
    "News 84r, Ada -, Corps -, Giant -, News 62r, Bo -, Corps -, Giant -, News -"
)


async def the_giant_begins(table: Conflict) -> None:
    totals = {name: each["total"] for name, each in table.game["parties"].items()}
    assert totals == {"Giant": 8, "Guard": 7} and table.control == ("Giant", 1)
    assert table.game["typical_reserve"] == {"Giant": 1} and not table.game["foregone"]
    await table.default("tactics", Giant="tactics We trample.", Guard="tactics")
    assert table.game["parties"]["Giant"]["tactics"] == "We trample."
    assert table.step == "bid" and table.game["round"]["had"] == 1


async def test_a_conflict_survives_a_kill_between_a_card_and_its_answers(tmp_path: Path) -> None:
    async with conflict(tmp_path, TWO, TWO_SEATS) as table:
        await the_giant_begins(table)
        await table.draw_by_both_ends("Guard", "39")
        assert table.state["awaited"] == ["Giant", "Guard"], "one could turn it, both cover it"
        await table.killed(always=True)
        await table.let_be()
        await table.play("Giant 66, Guard 79, Giant -, Guard 19")
        await table.draw("Giant", "9r")
        table.hub.readers["gm"].unplug()
        await table.until(lambda _: table.seat("gm")["reader"] == "lost")
        await table.said("Giant", "turn")
        await table.until(lambda now: now["game"]["round"]["spent"] == 1)
        assert table.laid("Giant") == ["66", "9"]
        await table.let_be()
        table.hub.readers["gm"].replug()
        await table.until(lambda _: table.seat("gm")["reader"] == "ok")
        await table.play("Guard -, Giant 48r")
        assert table.laid("Giant") == ["66", "9", "48r"]


@pytest.mark.book("t3.all", "bidding.example-two", "using-losses.example-two",
                  "conceding.example-out")  # fmt: skip
@pytest.mark.conflicts
@pytest.mark.timeout(1200)
async def test_the_giant_whole(tmp_path: Path) -> None:
    async with conflict(tmp_path, TWO, TWO_SEATS, kills=True) as table:
        await the_giant_begins(table)
        await table.play(FIRST)
        assert table.laid("Giant") == ["66", "9"]
        await table.play(LONG)
        assert table.step == "losses"
        await table.default("losses", Giant="losses 48,13,21 A cable gets me.")
        assert table.control == ("Giant", 2) and table.lasting("Giant") == [[48, 13, 21]]
        told = table.game["round"]
        assert (told["outcome"], told["spent"]) == ("held", 1)
        assert (told["winners"], told["losers"]) == (["Giant"], ["Guard"])
        assert told["suffered"]["Giant"]["gravity"] == 1 and "Guard" not in told["suffered"]
        assert told["narrate"] == ["Giant", "Guard"]
        await table.default("tell", Giant="told Fun in the sand.")
        await table.default("part")
        assert table.step == "refill" and table.state["awaited"] == ["Giant"]
        await table.refused_card("gm", "51r")
        assert "Reserve of Giant" in await table.refused("Giant", "drawn 51 reversed")
        await register(table, "Giant", "10")
        await table.killed()
        await the_next_round(table)
        await the_reserve(table, "22")  # 21 already marks a Loss
        reserve = table.game["members"]["Giant"]["reserve"]
        assert [each["number"] for each in reserve] == [10]
        await the_wipe_out(table)


@pytest.mark.book("t3.all", "using-reserve.example")
@pytest.mark.conflicts
@pytest.mark.timeout(1200)
async def test_the_giants_reserve(tmp_path: Path) -> None:
    async with conflict(tmp_path, TWO, TWO_SEATS) as table:
        await the_reserve(table, "21")
        assert table.game["members"]["Giant"]["reserve"] == []


async def register(table: Conflict, who: str, card: str) -> None:
    """Place a card for the Reserve. It is registered at once, or, if several draw one each, after
    the last of them."""
    count = len(table.game["members"][who]["reserve"])
    table.put(table.seat_of(who), card)
    await table.until(
        lambda now: (
            len(now["game"]["members"][who]["reserve"]) == count + 1 or who in now["committed"]
        )
    )
    await table.lift(table.seat_of(who))


async def the_next_round(table: Conflict) -> None:
    await table.default("tactics")
    assert table.game["round"]["had"] == 2
    await table.play("Guard -")
    await table.draw("Giant", "26")
    await table.killed()
    table.put("guard", "reject", "guard")
    await table.until(lambda now: now["step"] == "loss")
    await table.lift("guard")
    await table.killed()
    await table.said("Giant", "loss 48")
    await table.until(lambda now: now["step"] == "redraw")
    await table.killed()
    table.put("gm", "5")
    await table.until(lambda _: table.laid("Giant") == ["5"])
    await table.lift("gm")
    assert table.game["parties"]["Giant"]["lasting"][0]["face_down"] == [48]
    await table.let_be()
    await table.play("Guard -, Giant -")
    await table.default("losses", "tell", "part")
    assert table.control == ("Giant", 3)


async def the_reserve(table: Conflict, card: str) -> None:
    await table.default("tactics")
    await table.draw("Guard", card)
    await table.killed()
    table.put("gm", "51r")
    await table.until(lambda now: now["step"] == "because")
    await table.lift("gm")
    await table.killed()
    await table.said("Giant", "because weakness second in command in hospital")
    await table.until(lambda _: table.laid("Guard") == ["51r"])
    assert table.game["parties"]["Guard"]["reversed"] == 1
    await table.let_be()
    ranks = table.game["control"]["ranks"]
    await table.play("Giant 26, Guard -, Giant -")
    await table.default("losses", "tell", "part")
    await table.default("refill")
    assert table.temporary("Guard") == [51] and table.control == ("Giant", ranks + 1)


async def the_wipe_out(table: Conflict) -> None:
    await table.default("tactics")
    words = (f"Guard {number}r, Giant {26 if number == 27 else '-'}" for number in range(27, 31))
    await table.play(", ".join(words))
    await table.draw("Guard", "31r")
    await table.let_be()
    await table.until(lambda now: now["game"]["parties"]["Guard"]["out"] is not None)
    assert table.game["parties"]["Guard"]["out"] == "wiped-out"
    assert table.game["round"]["narrate"] in ([], ["Giant"]), "the victor tells"
    await table.default("losses", "tell", "part", "refill")
    await table.until(lambda now: now["phase"] == "idle" or now["game"]["result"] is not None)
    result = table.game["result"]
    assert (result["winner"], result["reason"]) == ("Giant", "last-standing")
    assert [each["gravity"] for each in result["carried"]["Giant"]] == [1]


async def the_newcomers_begin(table: Conflict) -> None:
    totals = {name: each["total"] for name, each in table.game["parties"].items()}
    assert totals == {"Giant": 8, "Guard": 7, "Corps": 8, "News": 5} and table.control is None
    await table.default("tactics")
    assert table.step == "draw"
    await table.draw("Ada", "9r")
    await table.killed()
    assert "Bo" not in [w for w in table.state["awaited"] if w not in table.state["committed"]]
    await table.draw("News", "21")
    await table.killed()
    await table.draw("Giant", "19r")
    await table.killed()
    await table.draw("Corps", "79r")
    await table.killed()
    assert table.game["round"]["outcome"] == "taken" and table.control == ("News", 1)
    await table.default("losses")
    marks = {name: table.temporary(name) for name in table.game["parties"]}
    assert marks == {"Giant": [19], "Guard": [9], "Corps": [79], "News": []}
    assert table.game["round"]["narrate"] == ["News", "Giant", "Guard", "Corps"]
    await table.default("tell", "part", "refill", "tactics")
    await table.said("gm", "order Guard,Corps,Giant")
    await table.until(lambda now: now["game"]["round"]["order"][0] == "Guard")


@pytest.mark.book("t3.all", "breaker.example", "bidding.example-four", "who-draws.one")
@pytest.mark.conflicts
@pytest.mark.timeout(1200)
async def test_the_newcomers_whole(tmp_path: Path) -> None:
    async with conflict(tmp_path, FOUR, FOUR_SEATS, kills=True) as table:
        await the_newcomers_begin(table)
        await table.play(SECOND)
        await pulled(table)
        await table.play(THIRD)
        assert table.step == "losses"
        await table.default("losses", News="losses 84 Between houses.")
        told = table.game["round"]
        assert (told["outcome"], table.control) == ("broken", None)
        assert sorted(told["by"]) == ["Giant", "Guard"]
        assert {name: _numbers(each) for name, each in told["suffered"].items()} == {
            "Corps": [40], "News": [84],
        }  # fmt: skip
        assert (told["winners"], told["losers"]) == (["Guard"], ["News"])
        assert told["narrate"] == ["Guard", "News", "Giant", "Corps"]
        await table.default("tell")
        await conceded(table)


def _numbers(suffered: dict[str, Any]) -> list[int]:
    return [each["number"] for each in suffered["cards"]]


async def pulled(table: Conflict) -> None:
    """A reader is unplugged during its party's turn: the party draws by a button and plays on."""
    await table.play("Bo -, Corps -, Giant -")
    table.hub.readers["news"].unplug()
    await table.until(lambda _: table.seat("news")["reader"] == "lost")
    assert table.state["awaited"] == ["News"]
    await table.said("News", "drawn 59 upright")
    await table.until(lambda _: table.laid("News")[-1] == "59")
    table.hub.readers["news"].replug()
    await table.until(lambda _: table.seat("news")["reader"] == "ok")


async def conceded(table: Conflict) -> None:
    """First one of the Guard leaves, then the other; the three remaining go on, and then
    reframe."""
    assert table.step == "part"
    for who in ("ada", "bo"):
        name = who.title()
        table.put(who, "concede", who)
        await table.until(lambda now, name=name: now["game"]["members"][name]["conceded"])  # type: ignore[misc]
        await table.lift(who)
        await table.killed()
    assert table.game["parties"]["Guard"]["out"] == "conceded"
    await table.default("part", "refill", "tactics")
    assert table.state["awaited"] == ["Giant", "Corps", "News"], "the Conflict goes on with three"
    await table.draw("News", "30")
    await table.said("News", "reframe We lead it out of town.")
    assert table.game["wish"]["who"] == "News" and table.step == "draw"
    await table.killed()
    await table.said("gm", "reframe yes")
    await table.until(lambda now: now["step"] == "parting-draw")
    assert table.game["result"]["reason"] == "reframed"
    assert table.game["result"]["draws"] == {"Ada": 1, "Bo": 1}
    await register(table, "Bo", "84r")
    await table.killed()
    await register(table, "Ada", "30")
    await table.until(lambda now: now["phase"] == "over" or now["step"] == "over")
    found = {who: table.game["members"][who]["reserve"] for who in ("Ada", "Bo")}
    assert {who: [each["number"] for each in cards] for who, cards in found.items()} == {
        "Ada": [30], "Bo": [84],
    }  # fmt: skip


@pytest.mark.book("t3.all", "using-losses.example-four")
@pytest.mark.conflicts
@pytest.mark.timeout(1200)
async def test_the_newcomers_use_a_loss(tmp_path: Path) -> None:
    async with conflict(tmp_path, FOUR, FOUR_SEATS) as table:
        await the_newcomers_begin(table)
        await table.draw("Ada", "20")
        await table.said("News", "reject")
        await table.until(lambda now: now["step"] == "redraw")
        assert table.state["awaited"] == ["Ada"], "the same hand, and nobody is asked which Loss"
        await table.killed(always=True)
        table.put("ada", "33")
        await table.until(lambda _: table.laid("Guard") == ["33"])
        assert table.temporary("Guard") == []
