"""Everything the GM's console offers in a tale, pressed by hand: contests, NPCs, offers, healing,
challenges, a defense, overrules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hub.table import acts as c
from tests.adapters.web.conftest import Looker
from tests.adapters.web.tale import SCENE, Evening, evening, t


@pytest.mark.tales
async def test_an_evening_at_the_console(tmp_path: Path, looker: Looker) -> None:
    async with evening(tmp_path, looker) as table:
        for part in PARTS:
            await part(table)
            await table.step("scene")


async def two_against_each_other(table: Evening) -> None:
    """Both approaches are sealed; the winner decides what becomes of the loser."""
    gm, ada, bo = table.gm, table.ada, table.bo
    display = await table.display()
    await gm.unfold("oppose")
    await gm.lacks(t("tricube.gm.call.type.none"))
    await gm.write("who-0", "bo", "oppose")
    await gm.lacks(t("tricube.gm.oppose.two"))
    await gm.pick("hindered-0", "broken arm", "oppose")
    await gm.write("who-0", "ada", "oppose")
    await gm.pick("type-0", "crafty", "oppose")
    await gm.pick("type-1", "brawny", "oppose")
    await gm.pick("scope-0", None, "oppose")
    await gm.pick("hindered-1", "broken arm", "oppose")
    said = json.loads(await gm.would("oppose "))
    assert said == {
        "sides": {
            "ada": {"type": "crafty", "scope": False},
            "bo": {"type": "brawny", "hindered": "broken arm"},
        }
    }, "what counts against one of them stays with that one"
    await gm.press("oppose ")
    await table.step("approach")
    assert {who: (roll.of, roll.count) for who, roll in table.rolls.items()} == {
        "ada": ("crafty", 1), "bo": ("brawny", 3),
    }  # fmt: skip
    await bo.says(t("tricube.beware.hindered", affliction="broken arm"))
    await ada.says(t("tricube.facing.highest"))
    await ada.seal("approach quirk greedy")
    await table.until(lambda: table.table.view.committed == ("ada",))
    for page in (gm, bo, display):
        assert "approach quirk greedy" not in await page.heard(), "it lies sealed"
    await bo.seal("approach plain")
    await table.step("dice")
    assert table.rolls["ada"].quirk == "greedy"
    await ada.throw(6)
    assert table.rolls["ada"].dice is None, "shown with the others"
    await bo.throw(2, 1, 1)
    await table.step("price")
    assert (table.game.rolling.winner, table.rolls["bo"].outcome) == ("ada", "failure")
    await display.says("Ada")
    await gm.says(t("tricube.gm.price.nothing"))
    await table.word("tokens", name="bo", resolve=1)
    await gm.pick("resolve", None, "price")
    await gm.press("price {")
    await table.step("fate")
    assert "What happens to them" not in await bo.text()
    await ada.says(t("tricube.own.fate.not-deadly"))
    await ada.lacks(t("tricube.own.fate.none"))
    await ada.write("affliction", "a broken pride", "fate")
    await ada.pick("lasts", "scene", "fate")
    await ada.pick("stays", None, "fate")
    await ada.press("fate {")
    await table.step("scene")
    bo_now = table.who("bo")
    assert (bo_now.absent, bo_now.resolve) == (None, 3), "may act on"
    assert bo_now.afflictions[-1].name == "a broken pride"
    await bo.says("a broken pride", ".own-sheet")


async def npcs_against_each_other(table: Evening) -> None:
    """Thrown by a player and the GM, then by the GM alone, with up to three dice each."""
    gm, bo = table.gm, table.bo
    await gm.unfold("npcs")
    await gm.lacks(t("tricube.gm.npcs.names"))
    await gm.write("name-0", "the witch", "npcs")
    await gm.write("name-1", "the witch", "npcs")
    await gm.lacks(t("tricube.gm.npcs.names"))
    await gm.write("name-1", "the bear", "npcs")
    await gm.more("dice-0", "npcs")
    await gm.less("dice-1", "npcs")
    await gm.until("document.querySelector('[data-field=dice-0].step:last-of-type').disabled")
    await gm.until("document.querySelector('[data-field=dice-1].step:first-of-type').disabled")
    await gm.write("by-0", "bo", "npcs")
    await gm.press("npcs ")
    await table.step("dice")
    thrown = {who: (roll.count, roll.thrown_by) for who, roll in table.rolls.items()}
    assert thrown == {"the witch": (3, "bo"), "the bear": (1, "gm")}
    await gm.throw(6, of="gm")
    await bo.throw(5, 6, 6)
    await table.step("scene")
    assert table.game.last_rolling.winner == "the witch", "two sixes beat one"
    await gm.write("name-0", "a cat", "npcs")
    await gm.write("name-1", "a dog", "npcs")
    await gm.pick("dice", "table", "npcs")
    await gm.press("npcs ")
    await table.step("throw")
    await gm.press("throw")
    await table.step("scene")
    assert {len(roll.dice) for roll in table.rolls.values()} == {2}
    await gm.write("name-0", "a cat", "npcs")
    await gm.write("name-1", "a dog", "npcs")
    await gm.press("npcs ")
    await table.step("dice")
    await gm.throw(1, 2)
    await table.until(lambda: table.rolls["a cat"].dice == (1, 2))
    await gm.throw(2, 2)
    await table.step("scene")
    assert table.game.last_rolling.winner == "a dog"


async def a_complication_is_offered(table: Evening) -> None:
    """Accepted, refused, at the maximum; because of an affliction, a quirk, the story."""
    gm, ada, bo = table.gm, table.ada, table.bo
    await gm.unfold("offer")
    await gm.lacks(t("tricube.wish.cure.instead.none"))
    assert table.who("ada").karma == 3
    await gm.says(t("tricube.gm.offer.brings.none", who="Ada"))
    await gm.pick("because-ada", "greedy", "offer")
    await gm.press("offer ")
    await ada.says(t("tricube.aside.brings.none"))
    await ada.says(t("tricube.aside.because", why="greedy"))
    await ada.press("accept yes")
    await table.step("scene")
    assert table.who("ada").karma == 3
    await table.word("tokens", name="bo", karma=1)
    for answer, more in (("no", 0), ("yes", 1)):
        await gm.write("who", "bo", "offer")
        await gm.says(t("tricube.gm.offer.brings", who="Bo"))
        await gm.pick("because-bo", "broken arm", "offer")
        await gm.write("told", "It cracks again.", "offer")
        await gm.press("offer ")
        await bo.says(t("tricube.aside.because", why="broken arm"))
        await bo.says("It cracks again.")
        assert "Take it" not in await ada.text()
        await bo.press(f"accept {answer}")
        await table.step("scene")
        assert table.who("bo").karma == 1 + more


async def time_heals(table: Evening) -> None:
    """In a scene, and undone: temporary afflictions go, permanent ones become quirks."""
    gm, bo = table.gm, table.bo
    whole = table.game
    await gm.unfold("heal")
    for again in (True, False):
        await table.does(gm, 'recover {"who":"bo","affliction":"broken arm')
        assert "broken arm" not in afflictions(table, "bo")
        if again:
            await undone(table)
            assert table.game == whole
    for again in (True, False):
        await table.does(gm, 'convert {"who":"bo')
        assert "afraid of ice" in table.who("bo").quirks
        assert not await gm.has('[data-place*=\'recover {"who":"bo","affliction":"afraid\']')
        if again:
            await undone(table)
            assert "afraid of ice" in afflictions(table, "bo")
    await bo.says("afraid of ice", ".part-quirks")


def afflictions(table: Evening, who: str) -> list[str]:
    return [each.name for each in table.who(who).afflictions]


async def a_challenge_changes(table: Evening) -> None:
    """It starts without a roll, the GM changes it, and it ends."""
    gm, display = table.gm, await table.display()
    await gm.unfold("challenge")
    await gm.lacks(t("tricube.gm.call.name.none"))
    await gm.write("name", "goblins", "add")
    await gm.pick("difficulty", "6", "add")
    await gm.more("effort", "add")
    await gm.more("effort", "add")
    await gm.pick("deadly", None, "add")
    await gm.press("challenge ")
    await table.until(lambda: "goblins" in table.game.listed)
    met = table.game.challenges["goblins"]
    assert (met.difficulty, met.effort, met.left, met.deadly) == (6, 2, 2, True)
    await display.says("goblins")
    await says(
        table,
        "challenge",
        ("name", "goblins"),
        ("difficulty goblins", "4"),
        ("deadly goblins", "false"),
        ("left goblins", -1),
    )
    met = table.game.challenges["goblins"]
    assert (met.difficulty, met.effort, met.left, met.deadly) == (4, 2, 1, False)
    await gm.click("[data-tab=log]")
    await gm.says("because The GM says so.")
    assert "says so.." not in await gm.text()
    await gm.click("[data-tab=now]")
    await undone(table)
    assert table.game.challenges["goblins"].difficulty == 6
    await says(table, "bypassed", ("name", "goblins"), ("who goblins", "bo"))
    assert table.game.challenges["goblins"].bypassed == ("bo",)
    await says(table, "no-challenge", ("name", "goblins"))
    assert "goblins" not in table.game.listed
    await display.until("!document.body.textContent.includes('goblins')")
    await undone(table)


async def says(table: Evening, what: str, *fields: tuple[str, str | int], seen: str = "") -> None:
    """Overrule by the form on the console: a menu, a text field, a button, a number control."""
    gm, before = table.gm, table.table.view.seq
    await gm.click(".quick [data-sheet=undo]")
    await gm.click(".any-time [data-sheet=overrule]")
    await gm.write("what", what, "overrule")
    for field, value in fields:
        if isinstance(value, int):
            await (gm.more if value > 0 else gm.less)(field, "overrule")
            continue
        if field.startswith("dice "):
            await gm.click(f"[data-form=overrule][data-key='{field} {value}']")
            continue
        place = f"[data-form=overrule][data-field='{field}']"
        if await gm.run(f"return Boolean(document.querySelector(`:is(input, select){place}`))"):
            await gm.write(field, value, "overrule")
        else:
            await gm.pick(field, value, "overrule")
    await gm.write("why", "The GM says so.", "overrule")
    await gm.click("[data-place=overrule]")
    await gm.click("[data-place='do overrule']")
    await table.until(lambda: table.table.view.seq > before)
    await gm.is_answered()
    await gm.until("!document.querySelector('dialog[open]')")


async def undone(table: Evening) -> None:
    """Undo the newest command on the console."""
    gm, before = table.gm, table.table.view.seq
    await gm.catches_up()
    await gm.click(".quick [data-sheet=undo]")
    await gm.click("[data-place=undo]")
    await table.until(lambda: table.table.view.seq > before)
    await gm.until("!document.querySelector('dialog[open]')")


async def a_defense_again(table: Evening) -> None:
    """One defense each turn; one more by an overrule; a new turn starts again."""
    gm = table.gm
    await gm.pick("challenge", "goblins", "call")
    await gm.pick("type", "agile", "call")
    await gm.pick("defense", None, "call")
    await gm.pick("who", None, "call")  # without ada
    assert json.loads(await gm.would("call "))["rollers"] == {"bo": {}}
    await gm.press("call ")
    await rolled_through(table, "bo", "6 6")
    assert table.rolls["bo"].difficulty.final == 6, "as hard as the challenge is"
    assert table.who("bo").defended
    await gm.pick("challenge", "goblins", "call")
    await gm.pick("type", "agile", "call")
    await gm.pick("defense", None, "call")
    await gm.lacks(t("tricube.gm.call.defended", who="Bo"))
    await gm.says(t("tricube.gm.call.again", who="Bo"))
    await gm.pick("again-bo", None, "call")
    said = json.loads(await gm.would("call "))
    assert said["rollers"] == {"ada": {}, "bo": {"again": True}}
    await gm.press("call ")
    await rolled_through(table, "ada", "6 6 6", "bo", "6 6")
    assert table.game.challenges["goblins"].left == 2, "a defense takes no token"
    await gm.press("turn")
    await table.until(lambda: not table.who("bo").defended)
    await undone(table)
    assert table.who("bo").defended


async def rolled_through(table: Evening, *said: str) -> None:
    """Play a roll by commands: approaches and dice, without karma."""
    await table.step("approach")
    whole = dict(zip(said[::2], said[1::2], strict=True))
    for who in whole:
        await table.table.commit(who, "approach plain")
    await table.step("dice")
    for who, dice in whole.items():
        await table.table.decide(who, f"dice {dice}")


async def a_roll_by_the_gms_word(table: Evening) -> None:
    """Overrule dice and a difficulty, undo each, and finally cancel the roll."""
    gm = table.gm
    await table.rolled("bo", "5 3 2")
    await table.step("scene")
    assert table.rolls["bo"].outcome == "success"
    await table.rolled("bo", "1 3 2")
    await table.step("price")
    assert table.rolls["bo"].difficulty.final == 5
    # A 4 against 5: karma would help, so the page asks for it.
    await says(table, "dice", *(("dice bo", str(face)) for face in (4, 2, 2)))
    assert (table.rolls["bo"].dice, table.table.step) == ((4, 2, 2), "karma")
    await undone(table)
    assert (table.rolls["bo"].dice, table.table.step) == ((1, 3, 2), "price")
    await says(table, "difficulty", ("difficulty bo", "4"))
    assert (table.rolls["bo"].difficulty.final, table.table.step) == (4, "karma")
    await undone(table)
    assert table.rolls["bo"].difficulty.final == 5
    await says(table, "no-roll")
    await table.step("scene")
    assert table.game.rolling is None
    await gm.until("document.querySelector('.calling')")


def of(who: str, *parts: str) -> Callable[[Evening], object]:
    """Return a getter for a character's parts in the published state."""
    return lambda table: tuple(getattr(table.who(who), part) for part in parts)


WORDS: list[tuple[str, tuple[tuple[str, str | int], ...], Callable[[Evening], object], object]] = [
    ("tokens", (("karma ada", -1), ("karma ada", -1)), of("ada", "karma"), (1,)),
    ("tokens", (("karma_max ada", 1), ("karma ada", 1)), of("ada", "karma", "karma_max"), (4, 4)),
    (
        "tokens",
        (("resolve ada", -1), ("resolve_max ada", 1)),
        of("ada", "resolve", "resolve_max"),
        (2, 4),
    ),
    (
        "affliction",
        (("affliction ada", "a cold"), ("lasts ada", "permanent")),
        lambda table: afflictions(table, "ada"),
        ["a cold"],
    ),
    ("no-affliction", (("name", "bo"),), lambda table: afflictions(table, "bo"), []),
    ("quirk", (("quirk ada", "vain"),), of("ada", "quirks"), (("greedy", "vain"),)),
    ("no-quirk", (("quirk bo", "loud"),), of("bo", "quirks"), (("afraid of ice",),)),
    ("out", (("out ada", "true"),), of("ada", "absent"), ("out",)),
    ("dead", (("dead ada", "true"),), of("ada", "absent"), ("dead",)),
]


async def whatever_the_gm_says_is_undone(table: Evening) -> None:
    """Tokens of each kind, afflictions, quirks, out and in, dead and alive."""
    whole = table.game
    for what, fields, look, becomes in WORDS:
        who = next((field.split()[1] for field, _ in fields if " " in field), None)
        named = (("name", who),) if who else ()
        await says(table, what, *named, *fields)
        assert look(table) == becomes, what
        await undone(table)
        assert table.game == whole, f"{what} is undone"
    for what, back in (("out", "in"), ("dead", "alive")):
        await says(table, what, ("name", "ada"), (f"{what} ada", "true"))
        assert table.who("ada").absent
        assert not await table.gm.has("[data-form^=call][data-key=who-ada]"), (
            "nothing is asked of it"
        )
        await says(table, what, ("name", "ada"), (f"{what} ada", "false"))
        assert table.who("ada").absent is None, back
    assert table.game == whole


PARTS = (
    two_against_each_other,
    npcs_against_each_other,
    a_complication_is_offered,
    time_heals,
    a_challenge_changes,
    a_defense_again,
    a_roll_by_the_gms_word,
    whatever_the_gm_says_is_undone,
)


SHEETS: list[dict[str, Any]] = [
    {"ruleset": "tricube", "name": name, **sheet} for name, sheet in SCENE["characters"].items()
]


@pytest.mark.tales
async def test_a_character_comes_while_a_scene_is_played(tmp_path: Path, looker: Looker) -> None:
    """A new character waits until the scene is over, then joins and takes part in the next."""
    story = {"story": SHEETS, "story_by": "tricube"}
    async with evening(tmp_path, looker, **story) as table:
        gm = table.gm
        await gm.click("[data-tab=story]")
        await gm.click(".folder[data-fold=newcomer]")
        await gm.write("name", "Eve", "newcomer")
        await gm.write("concept", "sage", "newcomer")
        await gm.write("quirks", "curious", "newcomer")
        await gm.write("seat", "south", "newcomer")
        await gm.click("[data-place='add sheet true']")
        await gm.refuses("joins-after-scene")
        await gm.click("[data-place='add sheet false']")
        await gm.answers("Done.")
        assert "Eve" not in table.game.cast
        await table.table.decide("gm", "end")
        await table.table.ask(c.EndScene())
        await table.until(lambda: table.game is None)
        await gm.click("[data-place='join-Eve']")
        await table.until(lambda: "Eve" in table.table.view.story.party)
        await gm.click(".folder[data-fold=sheet-bo]")
        await gm.click(".folder[data-fold^='recover-bo']")
        await gm.click("[data-place='recover-bo']")
        await gm.until("!document.querySelector('[data-place=recover-bo]')")
        left = [each.name for each in table.table.view.story.party["bo"].afflictions]
        assert left == ["afraid of ice"]
        await gm.click(".quick [data-sheet=undo]")
        await gm.click("[data-place=undo]")
        await table.until(lambda: len(table.table.view.story.party["bo"].afflictions) == 2)
        await gm.click("[data-tab=scene]")
        await gm.click("[data-place='start tale']")
        await table.until(lambda: table.game is not None)
        assert [*table.game.cast] == ["ada", "bo", "Eve"]
        assert table.who("Eve").quirks == ("curious",)
        south = next(one for one in table.table.view.seats if one.seat == "south")
        assert "Eve" in south.characters, "who was chosen plays"
        await table.bo.click("[data-tab=Eve]")
