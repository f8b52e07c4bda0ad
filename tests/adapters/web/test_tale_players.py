"""Everything the players' pages offer in a tale, pressed by hand, with the GM's answers: perks,
cures, karma and changes of mind, quirks' gains, prices and fates, a foe's fate."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.adapters.web.conftest import Looker
from tests.adapters.web.tale import Evening, evening, t


@pytest.mark.tales
async def test_an_evening_at_the_seats(tmp_path: Path, looker: Looker) -> None:
    async with evening(tmp_path, looker) as table:
        for part in PARTS:
            await part(table)
            await table.step("scene")


async def full(table: Evening, **of: dict[str, int]) -> None:
    """Set tokens by overrules."""
    for who, tokens in of.items():
        if any(getattr(table.who(who), each) != value for each, value in tokens.items()):
            await table.word("tokens", name=who, **tokens)


async def perks_without_a_roll(table: Evening) -> None:
    """Each use of a perk; the GM grants or denies those that cost karma."""
    ada, gm = table.ada, table.gm
    for name in ("a wall", "a dog"):
        await table.table.decide("gm", f'challenge {{"name": "{name}"}}')
    await ada.unfold("perk")
    await ada.says(t("tricube.own.perk.costs.karma"))
    await ada.perk("marksman", "perk")
    await ada.write("told", "An arrow cuts the rope.", "perk")
    await ada.press("perk ")
    await gm.says(t("tricube.ask.nod.perk", who="Ada"))
    await gm.says(t("tricube.use.impact") + " An arrow cuts the rope.")
    await gm.press("nod yes")
    await table.step("scene")
    assert table.who("ada").karma == 2
    await ada.unfold("perk")
    await ada.write("use", "automatic", "perk")
    await ada.perk("marksman", "perk")
    await ada.press("perk ")
    await gm.says(t("tricube.use.automatic"))
    await gm.press("nod no")
    await table.step("scene")
    assert table.who("ada").karma == 2, "nothing is paid for what does not happen"
    await ada.unfold("perk")
    await ada.write("use", "bypass", "perk")
    await ada.write("challenge", "a dog", "perk")
    await ada.lacks(t("tricube.wish.cure.perks"))
    await ada.perk("keen eyes", "perk")
    await ada.perk("marksman", "perk")
    said = json.loads(await ada.would("perk "))
    assert said == {"perks": ["marksman", "keen eyes"], "use": "bypass", "challenge": "a dog"}
    await ada.press("perk ")
    await gm.says(t("tricube.use.bypass", challenge="a dog"))
    await gm.press("nod yes")
    await table.step("scene")
    assert table.game.challenges["a dog"].bypassed == ("ada",)
    assert table.who("ada").karma == 1
    for use in ("attempt", "flavour"):
        await ada.unfold("perk")
        await ada.write("use", use, "perk")
        await ada.perk("marksman", "perk")
        await ada.says(t("tricube.own.perk.costs.free"))
        await table.does(ada, "perk ")
        assert (table.table.step, table.who("ada").karma) == ("scene", 1)


async def a_complication_in_place_of_karma(table: Evening) -> None:
    """The GM names no complication, offers one that is refused, and one that is accepted."""
    ada, gm = table.ada, table.gm
    await full(table, ada={"karma": 0})
    for offered, taken in (("", ""), ("The string snaps.", "no"), ("The string snaps.", "yes")):
        await ada.unfold("perk")
        await ada.write("use", "bypass", "perk")
        await ada.says(t("tricube.own.karma.instead"))
        await ada.perk("marksman", "perk")
        await ada.press("perk ")
        await gm.says(t("tricube.ask.instead.perk", who="Ada"))
        if not offered:
            await gm.click("[data-place='decide gm complication']")
        else:
            await gm.write("text", offered, "instead")
            await gm.press(f"complication {offered}")
            await ada.says(offered)
            await ada.says(t("tricube.aside.instead"))
            await ada.press(f"accept {taken}")
        await table.step("scene")
        got = ("ada",) if taken == "yes" else ()
        assert table.game.challenges["a wall"].bypassed == got
        assert table.who("ada").karma == 0


async def cures(table: Evening) -> None:
    """A friend's affliction, one's own, a permanent one, and a cure by a character who is out."""
    ada, bo, gm = table.ada, table.bo, table.gm
    await bo.unfold("cure")
    await bo.write("which", "1", "cure")
    await full(table, bo={"karma": 0})
    await bo.lacks(t("tricube.wish.cure.permanent.none"))
    await full(table, ada={"karma": 3}, bo={"karma": 3})
    await bo.says(t("tricube.wish.cure.costs.permanent"))
    await bo.perk("healer", "cure")
    await bo.press('cure {"affliction":"afraid of ice","perks":["healer"]}')
    await gm.says(t("tricube.ask.nod.cure", who="Bo", patient="Bo", affliction="afraid of ice"))
    await gm.press("nod no")
    await table.step("scene")
    await bo.unfold("cure")
    await bo.write("which", "1", "cure")
    await bo.perk("healer", "cure")
    await bo.press("cure ")
    await gm.press("nod yes")
    await table.step("scene")
    bo_now = table.who("bo")
    assert (bo_now.karma, bo_now.karma_max) == (2, 2)
    assert [each.name for each in bo_now.afflictions] == ["broken arm"]
    await ada.unfold("cure")
    await ada.says(t("tricube.wish.cure.of", affliction="broken arm", who="Bo"))
    await ada.perk("marksman", "cure")
    await ada.press('cure {"affliction":"broken arm","perks":["marksman"],"who":"bo"}')
    await gm.says(t("tricube.ask.nod.cure", who="Ada", patient="Bo", affliction="broken arm"))
    await gm.press("nod yes")
    await table.step("scene")
    assert (table.who("bo").afflictions, table.who("ada").karma) == ((), 2)
    await table.word("affliction", name="bo", affliction="asleep", lasts="scene")
    await table.word("affliction", name="ada", affliction="asleep, too", lasts="scene")
    await table.word("out", name="bo")
    await bo.says(t("tricube.beware.out"))
    assert not await bo.has(".folder[data-fold^=perk]"), "out, it uses no perk"
    await bo.unfold("cure")
    await bo.until(
        "document.querySelectorAll('[data-form^=cure][data-field=which] option').length === 1"
    )
    await bo.perk("healer", "cure")
    await bo.press('cure {"affliction":"asleep"')
    await gm.press("nod yes")
    await table.step("scene")
    assert (table.who("bo").afflictions, table.who("bo").absent) == ((), "out")
    await table.word("out", name="bo", out=False)
    await table.word("no-affliction", name="ada", affliction="asleep, too")


async def karma_and_second_thoughts(table: Evening) -> None:
    """A friend pays, takes it back, and pays after all."""
    ada, bo = table.ada, table.bo
    await full(table, ada={"karma": 3}, bo={"karma": 2})
    await table.rolled("ada", "4 2 1", type="agile", challenge={"name": "a tree", "effort": 1})
    await table.step("karma")
    await bo.says(t("tricube.own.karma.makes.one", final="4", number="1"))
    await bo.perk("berserker", "karma")
    await bo.press('karma {"perks":["berserker"],"for":"ada"}')
    await table.until(lambda: table.table.view.committed == ("bo",))
    await bo.says(t("tricube.ask.karma.again"))
    await bo.says(t("own.want.ready.one", waiting="Ada"), "h1")
    await table.does(bo, "karma none")
    await ada.press("karma none")
    await table.step("price")
    assert (table.who("bo").karma, table.rolls["ada"].karma) == (2, None), "it was taken back"
    await table.table.decide("gm", 'price {"told": "It sways."}')
    await table.rolled("ada", "4 2 1", type="agile", challenge="a tree")
    await table.step("karma")
    await table.does(bo, "karma none")
    await bo.perk("berserker", "karma")
    await bo.perk("healer", "karma")
    await table.does(bo, 'karma {"perks":["berserker","healer"],"for":"ada"}')
    await ada.press("karma none")
    await table.step("victor")
    assert (table.who("bo").karma, table.rolls["ada"].karma.by) == (1, "bo")
    await ada.write("text", "A squirrel falls down.", "told")
    assert await ada.would("told ") == "A squirrel falls down."
    await ada.press("told A squirrel")
    await table.step("scene")
    # The roller pays first; a friend who is not needed keeps their karma.
    await table.rolled("ada", "4 2 1", type="agile", challenge={"name": "a nest", "effort": 1})
    await table.step("karma")
    await bo.perk("berserker", "karma")
    await table.does(bo, 'karma {"perks":["berserker"],"for":"ada"}')
    await ada.perk("marksman", "karma")
    await ada.press("karma marksman")
    await table.step("victor")
    assert [table.who(who).karma for who in ("ada", "bo")] == [2, 1]
    await ada.press("told")


async def karma_of_who_has_none(table: Evening) -> None:
    bo, gm = table.bo, table.gm
    await full(table, bo={"karma": 0})
    await table.rolled("bo", "4 2 1", challenge={"name": "a door", "effort": 1})
    await table.step("karma")
    await bo.says(t("tricube.own.karma.instead"))
    await table.table.decide("ada", "karma none")
    await bo.perk("berserker", "karma")
    await bo.press("karma berserker")
    await gm.says(t("tricube.aside.karma", perks="berserker", roller="Bo"))
    await gm.write("text", "It wakes the dog.", "instead")
    await gm.press("complication It")
    await bo.press("accept yes")
    await table.step("victor")
    assert table.rolls["bo"].karma.complication == "It wakes the dog."
    assert table.rolls["bo"].outcome == "success"
    await bo.press("told")


async def what_a_quirk_brings(table: Evening) -> None:
    """Karma, or after a success resolve."""
    ada = table.ada
    for brings in ("karma", "resolve"):
        await full(table, ada={"karma": 1, "resolve": 1})
        await table.call(type="agile", rollers={"ada": {}})
        await ada.seal("approach quirk greedy")
        await ada.says(t("tricube.aside.hard", final="6"))
        await ada.throw(6, 1, 6)
        await table.step("regain")
        assert table.rolls["ada"].dice == (6, 1, 6), "as they lie"
        await ada.says(t("tricube.aside.regain"))
        await ada.press(f"regain {brings}")
        await table.until(lambda: table.table.step != "regain")
        if table.table.step == "victor":
            await ada.press("told")
        await table.step("scene")
        assert getattr(table.who("ada"), brings) == 2, brings


async def prices(table: Evening) -> None:
    """Each form of a price, and several together."""
    gm = table.gm
    await full(table, bo={"resolve": 3, "karma": 2})
    several = {"resolve": True, "complication": "It rains.", "told": "And so on."}
    forms: list[tuple[dict[str, Any], str, tuple[int, str | None]]] = [
        ({}, "price", (2, None)),
        ({"resolve": True}, 'price {"resolve":true}', (1, None)),
        ({"complication": "It rains."}, 'price {"complication"', (0, "It rains.")),
        ({"told": "A bruise."}, 'price {"told"', (0, None)),
        (several, 'price {"resolve":true,"complication":"It rains.","told"', (1, "It rains.")),
    ]
    for said, choice, (costs, complication) in forms:
        await full(table, bo={"resolve": 3})
        critical = choice == "price"
        await table.rolled("bo", "1 1 1" if critical else "2 1 3")
        await table.step("price")
        await gm.says(t("tricube.gm.price.two" if critical else "tricube.gm.price.one"))
        await gm.lacks(t("tricube.gm.price.none"))
        for field, value in said.items():
            if value is True:
                await gm.pick(field, None, "price")
            else:
                await gm.write(field, str(value), "price")
        if said:
            assert json.loads(await gm.would("price ")) == said
        await gm.press(choice)
        await table.step("scene")
        price = table.rolls["bo"].price
        assert (price.resolve, price.complication) == (costs, complication)
        assert table.who("bo").resolve == 3 - costs


async def fates(table: Evening) -> None:
    """How long it lasts, staying, and death only where it was warned of."""
    gm, bo = table.gm, table.bo
    for deadly in (False, True):
        await full(table, bo={"resolve": 1})
        challenge = {"name": f"a ghost {deadly}", "deadly": deadly}
        await table.rolled("bo", "2 1 3", challenge=challenge)
        await table.step("price")
        if deadly:
            await bo.says(t("tricube.beware.deadly"))
        await gm.press("price")
        await gm.says(t("tricube.ask.fate", roller="Bo"))
        assert await gm.has("[data-field=fatal]") == deadly
        await gm.write("affliction", "haunted" if deadly else "cold hands", "fate")
        if not deadly:
            await gm.pick("lasts", "scene", "fate")
        if deadly:
            await gm.pick("stays", None, "fate")
            await gm.pick("fatal", None, "fate")
            assert json.loads(await gm.would("fate ")) == {"affliction": "haunted", "fatal": True}
        await gm.press("fate ")
        await table.step("scene")
        now = table.who("bo")
        assert now.absent == ("dead" if deadly else "out")
        if not deadly:
            assert [(each.name, each.lasts) for each in now.afflictions] == [
                ("cold hands", "scene")
            ]
            await table.word("out", name="bo", out=False)
    await bo.says(t("tricube.beware.dead"))
    await table.word("dead", name="bo", dead=False)
    await table.rolled("bo", "1 1 1", challenge="a ghost True")
    await table.step("price")
    await full(table, bo={"resolve": 1})
    await gm.press("price")
    await gm.says(t("tricube.aside.permanent"))
    assert not await gm.has("[data-field=lasts]"), "nobody chooses how long"
    await gm.write("affliction", "grey hair", "fate")
    await gm.press("fate ")
    await table.step("scene")
    assert table.who("bo").afflictions[-1].lasts == "permanent"
    assert table.who("bo").resolve == 3, "all of it is back"


PARTS = (
    perks_without_a_roll,
    a_complication_in_place_of_karma,
    cures,
    karma_and_second_thoughts,
    karma_of_who_has_none,
    what_a_quirk_brings,
    prices,
    fates,
)
