"""Who could still bear a loss, on the GM's page: cards beside "let it be", one press for all."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.rules.triangle.characters.sheet import KnownSpecial
from hub.table.views import public_view, questions
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled
from tests.support.evening import sheets

__all__ = ["lead"]

YOJIMBO = (KnownSpecial("yojimbo"),)


@pytest.fixture
async def tied(lead: OpenTable, looker: Looker) -> Console:
    """ada and ninja both lose; bo and crow, who hold a Yojimbo, stand beside them."""
    party = [
        replace(sheet, specials=YOJIMBO) if sheet.name in {"bo", "crow"} else sheet
        for sheet in sheets()
    ]
    page = Console(looker, await lead(party=party))
    await page.open()
    await page.table.duel()
    await page.table.choose(ada="stance none", ninja="stance none")
    await page.table.choose(ada="move defend-mid", ninja="move defend-mid")
    assert asked(page) == {"bo", "crow"}
    return page


def asked(page: Console) -> set[str]:
    open_now = questions(page.table.state)
    return {q.actor for q in open_now for o in q.offers if o.choice.kind == "let-be"}


def bearers(page: Console) -> set[str]:
    game: Any = public_view(page.table.state).game
    return {*game.turn.losses}


async def test_one_press_lets_it_be_for_all(tied: Console) -> None:
    await tied.place("let-be")
    await settled(lambda: not asked(tied))
    assert not await tied.looker.run("return document.querySelector('dialog').open")
    assert tied.table.step == "split", "the losers give up what they lose"
    said = tied.table.state.scene and tied.table.state.scene.decided
    assert {name: str(choice) for name, choice in (said or {}).items()} == {
        "bo": "let-be",
        "crow": "let-be",
    }


async def test_the_gms_cards_stand_beside_it_and_a_players_do_not(tied: Console) -> None:
    await tied.looker.until("document.querySelector('[data-place=\"decide crow let-be\"]')")
    assert not await tied.looker.run(
        "return document.querySelector('[data-place=\"decide bo special yojimbo\"]')"
    )
    await tied.place("decide crow special yojimbo")
    await settled(lambda: "crow" in bearers(tied))


async def test_one_who_is_asked_alone_has_no_press_for_all(tied: Console) -> None:
    await tied.place("decide bo let-be")
    await tied.looker.until("!document.querySelector('[data-place=\"let-be\"]')")
    assert asked(tied) == {"crow"}
