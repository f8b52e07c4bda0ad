"""Specials on the pages: a window opened by a button, a card beside, the chance to answer."""

from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE
from tests.support.browser import console

CHARACTERS: dict[str, dict[str, object]] = SCENE["characters"]  # type: ignore[assignment]
GIFTED = {
    **CHARACTERS,
    "ada": {**CHARACTERS["ada"], "specials": ["there-can-be-only-one", "wax-on-attack"]},
}


async def test_specials_are_declared_named_and_answered(pages: Pages, looker: Looker) -> None:
    table = pages.table
    table.start(characters=GIFTED)
    table.decide("gm", "active ada")
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until_says("Specials: There Can Be Only One, Wax On Attack")
    await looker.click('[data-place="decide ada use"]')
    await looker.until_says("Ada may set specials down")
    table.lay("north", "special there-can-be-only-one")
    table.reveal()
    await looker.until_says("Whom does Ada’s special affect?")
    await looker.until_says("Ada: There Can Be Only One")
    assert "can face only each other" not in await looker.text("html")
    await looker.click('[data-place="decide ada target sensei"]')
    await looker.until_says("Ada: There Can Be Only One (Sensei)")
    await looker.until_says("Ada and Sensei can face only each other until one is out.")
    await looker.click('[data-place="decide ada opponent ninja"]')
    await looker.until_says("Ada and Ninja choose a stance")
    assert console(looker.browser) == []


async def test_a_card_beside_asks_the_other_and_is_shown_with_the_moves(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    table.start(characters=GIFTED)
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="none")
    table.lay("gm", "move attack-low")
    table.lay("north", "special wax-on-attack")
    await looker.open(pages.url(f"table?key={pages.key}"))
    await looker.until_says("Ada has added a card face down")
    assert "Ada: Wax On Attack" not in await looker.text("html")
    table.lay("north")
    table.lay("north", "move defend-low")
    await looker.until_says("A card was added face down. Does Ninja answer with a special?")
    await looker.click('[data-place="decide ninja pass"]')
    await looker.until_says("All cards are in")
    table.reveal()
    await looker.until_says("Ada: Wax On Attack")
    await looker.until("document.querySelector('.turn.judged .specials')")
    assert console(looker.browser) == []


async def test_two_cards_of_a_bystander_are_counted(pages: Pages, looker: Looker) -> None:
    table = pages.table
    bo = {**CHARACTERS["bo"], "specials": ["yojimbo", "to-blave"]}
    table.start(characters={**CHARACTERS, "bo": bo})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="none")
    await looker.open(pages.url(f"table?key={pages.key}"))
    table.lay("south", "special to-blave")
    await looker.until_says("Bo has added a card face down")
    table.lay("south")
    table.lay("south", "special yojimbo")
    await looker.until_says("Bo has added 2 cards face down")
    table.both("move", ada="attack-low", ninja="grapple-high")
    await looker.until_says("Bo: Yojimbo")
    await looker.until_says("Bo: To Blave")
    assert console(looker.browser) == []


async def test_a_house_special_is_told_like_its_original(pages: Pages, looker: Looker) -> None:
    table = pages.table
    house = {"id": "grove", "base": "unroll", "specials": {"wax-on": "willow"}}
    ninja = {**CHARACTERS["ninja"], "specials": ["willow-grapple"]}
    table.start(house=house, characters={**CHARACTERS, "ninja": ninja})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="grapple 3", ninja="defend 1")
    table.lay("gm", "special willow-grapple")
    table.lay("gm")
    table.both("move", ada="grapple-high", ninja="defend-low")
    await looker.open(pages.url("display?near"))
    against = "against Grapple, the stance of Ada takes nothing."
    await looker.until_says(f"Ninja: Willow Grapple – {against}")
    await looker.until_says("cancelled", ".fighter.left .use")
    assert console(looker.browser) == []
