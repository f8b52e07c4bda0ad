"""Losses and gains are entered on the pages within the hub's bounds, in both languages; also by a
character who bears another's loss, and by one who aims."""

from typing import Any

import pytest

from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SCENE, PlayedTable, energy, fighter
from tests.support.browser import console

LANGUAGES = ("en", "de")
STEP = "[data-actor={0}][data-split={1}][data-by='{2}']"


def scene(**specials: list[str]) -> dict[str, Any]:
    known: dict[str, Any] = dict(SCENE["characters"])  # type: ignore[call-overload]
    return {name: {**sheet, "specials": specials.get(name, [])} for name, sheet in known.items()}


def borne(table: PlayedTable) -> None:
    """ada loses 3 + 3 of her own stance to the ninja's 4; bo bears it, with other types
    available."""
    table.start(characters=scene(bo=["yojimbo"], sensei=["yojimbo"]))
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="defend 3", ninja="none")
    table.lay("south", "special yojimbo")
    table.lay("south")
    table.both("move", ada="defend-low", ninja="grapple-high")


def borne_by_an_npc(table: PlayedTable) -> None:
    table.start(characters=scene(sensei=["yojimbo"]))
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="defend 3")
    table.lay("gm", "special yojimbo")
    table.lay("gm")
    table.both("move", ada="grapple-high", ninja="defend-low")


async def no_fault(looker: Looker) -> None:
    assert console(looker.browser) == []


def lost(table: PlayedTable, name: str) -> int:
    scene: Any = table.state.scene
    turn = scene.game.turn
    return int(turn.splits[name].total) if turn.splits else -1


@pytest.mark.parametrize("where", ["seat", "table"])
async def test_a_bearer_splits_a_loss_that_came_with_another_ones_stance(
    pages: Pages, looker: Looker, where: str
) -> None:
    borne(pages.table)
    url = pages.seat_url("south") if where == "seat" else pages.url(f"table?key={pages.key}")
    await looker.open(url)
    await looker.click(STEP.format("bo", "defend", -1))
    await looker.click(STEP.format("bo", "attack", 1))
    await looker.click(".split .offer")
    await looker.until("!document.querySelector('.split')")
    assert lost(pages.table, "bo") == 7
    await no_fault(looker)


async def test_the_gm_splits_a_loss_that_an_npc_bears(pages: Pages, looker: Looker) -> None:
    borne_by_an_npc(pages.table)
    await looker.open(f"{pages.gm_url}&lang=de")
    await looker.click(STEP.format("sensei", "defend", -1))
    await looker.click(STEP.format("sensei", "attack", 1))
    await looker.click(".split .offer")
    await looker.until("!document.querySelector('.split')")
    assert lost(pages.table, "sensei") == 7
    await no_fault(looker)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_display_shows_a_loss_that_another_bears(
    pages: Pages, looker: Looker, language: str
) -> None:
    borne(pages.table)
    await looker.open(pages.url(f"display?near&lang={language}"))
    words = {"en": "Bo loses", "de": "Bo verliert"}[language]
    await looker.until_says(words)
    whose = {"en": "Ada’s stance", "de": "Haltung: Ada"}[language]
    await looker.until_says(whose, ".sums")
    await no_fault(looker)


async def test_a_stance_that_a_special_took_out_is_named_so_when_another_bears_the_loss(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    table.start(characters=scene(bo=["yojimbo"], ada=["wax-on-grapple"]))
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="grapple 2")
    for seat, special in (("south", "yojimbo"), ("north", "wax-on-grapple")):
        table.lay(seat, f"special {special}")
        table.lay(seat)
    table.both("move", ada="defend-low", ninja="grapple-high")
    await looker.open(pages.url("display?near"))
    await looker.until_says("Bo loses")
    assert (
        await looker.run("return document.querySelectorAll('.slot.stance.cancelled').length") == 1
    )
    await no_fault(looker)


async def test_an_overrule_can_leave_less_than_was_committed(pages: Pages, looker: Looker) -> None:
    """Then no point has to come from the stance's type, and the rest can be entered."""
    table = pages.table
    table.start(characters=scene())
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="defend 3", ninja="none")
    table.both("move", ada="defend-low", ninja="grapple-high")
    table.decide("gm", "overrule loss ada 2 because it slipped")
    await looker.open(pages.seat_url("north"))
    await looker.click(STEP.format("ada", "grapple", -1))
    await looker.click(STEP.format("ada", "attack", 1))
    await looker.click(".split .offer")
    await looker.until("!document.querySelector('.split')")
    assert lost(table, "ada") == 2
    await no_fault(looker)


async def test_gains_are_spread_within_the_available_room(pages: Pages, looker: Looker) -> None:
    table = pages.table
    ada = fighter(energy(3, 1, 1)) | {
        "max": energy(4, 4, 4), "specials": ["santa-carla-attack"],
    }  # fmt: skip
    table.start(characters={**scene(), "ada": ada})
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="attack 3", ninja="none")
    table.lay("north", "special santa-carla-attack")
    table.lay("north")
    table.both("move", ada="attack-high", ninja="grapple-high")
    table.decide("ninja", "split attack 6 defend 3")
    await looker.open(pages.seat_url("north"))
    more = STEP.format("ada", "attack", 1)
    await looker.until_says("of 1", ".split .type.attack")
    await looker.click(STEP.format("ada", "defend", -1))
    await looker.click(more)
    await looker.until(f'document.querySelector("{more}").disabled')
    await looker.click(".split .offer")
    await looker.until("!document.querySelector('.split')")
    scene_now: Any = table.state.scene
    assert scene_now.game.fighters["ada"].energy.attack == 4
    await no_fault(looker)


async def test_points_are_counted_by_cards_and_taken_back_on_the_seats_page(
    pages: Pages, looker: Looker
) -> None:
    table = pages.table
    table.start(characters=scene())
    table.decide("gm", "active ada")
    table.decide("ada", "opponent ninja")
    table.both("stance", ada="none", ninja="none")
    table.both("move", ada="defend-low", ninja="grapple-high")
    await looker.open(pages.seat_url("north"))
    await looker.until_says("Which 4 does Ada give up?")
    for action in ("attack", "defend"):
        table.lay("north", f"split {action} 1")
        table.lay("north")
    await looker.until_says("2 of 4: Attack 1, Defend 1", ".counted")
    await looker.click(".counted button")
    await looker.until_says("1 of 4: Attack 1", ".counted")
    await looker.until_says("3 more to give up", ".split")
    await looker.open(pages.gm_url)
    await looker.click(".counted button")
    await looker.until("!document.querySelector('.counted')")
    table.lay("north", "split attack 1")
    table.lay("north")
    await looker.until_says("1 of 4: Attack 1", ".counted")
    await looker.open(pages.url("display?near&lang=de"))
    await looker.until_says("1 von 4: Angriff 1", ".waits")
    table.lay("north", "split grapple 3")
    await looker.until("!document.querySelector('.waits')?.textContent.includes('von 4')")
    assert lost(table, "ada") == 4
    await no_fault(looker)
