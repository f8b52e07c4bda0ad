"""Guards who could still bear a loss, on the GM's page: cards next to "let it be", and one press
for all."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.triangle.rules.characters.sheet import KnownSpecial
from hub.table.views import public_view, questions
from tests.adapters.web.conftest import Looker
from tests.adapters.web.test_gm_page import Console, OpenTable, lead, settled
from tests.support.evening import sheets

__all__ = ["lead"]

YOJIMBO = (KnownSpecial("yojimbo"),)


@pytest.fixture
async def lost(lead: OpenTable, looker: Looker) -> Console:
    """ninja loses; crow, who has a Yojimbo, and owl are bystanders."""
    *others, crow = sheets()
    party = [*others, replace(crow, specials=YOJIMBO), replace(crow, name="owl")]
    page = Console(looker, await lead(party=party))
    await page.open()
    await page.table.duel()
    await page.table.choose(ada="stance none", ninja="stance none")
    await page.table.choose(ada="move defend-mid", ninja="move attack-low")
    assert asked(page) == {"crow", "owl"}
    return page


def asked(page: Console) -> set[str]:
    open_now = questions(page.table.state)
    return {q.actor for q in open_now for o in q.offers if o.choice.kind == "let-be"}


def bearers(page: Console) -> set[str]:
    game: Any = public_view(page.table.state).game
    return {*game.turn.losses}


async def test_one_press_lets_it_be_for_all(lost: Console) -> None:
    await lost.place("let-be")
    await settled(lambda: not asked(lost))
    assert not await lost.looker.run("return document.querySelector('dialog').open")
    assert lost.table.step == "split", "the losers give up what they lose"
    said = lost.table.state.scene and lost.table.state.scene.decided
    assert {name: str(choice) for name, choice in (said or {}).items()} == {
        "crow": "let-be",
        "owl": "let-be",
    }


async def test_a_usable_card_is_offered_next_to_it(lost: Console) -> None:
    await lost.looker.until("document.querySelector('[data-place=\"decide crow let-be\"]')")
    assert not await lost.looker.run(
        "return document.querySelector('[data-place=\"decide owl special yojimbo\"]')"
    )
    await lost.says("Yes, with Yojimbo", ".asked")
    await lost.place("decide crow special yojimbo")
    await settled(lambda: "crow" in bearers(lost))


async def test_a_guard_without_a_card_is_told_why(lead: OpenTable, looker: Looker) -> None:
    """The loss waits even for a question with a single answer, and the page gives the reason."""
    *others, crow = sheets()
    wax_on = replace(crow, specials=(KnownSpecial("wax-on-attack"),))
    page = Console(looker, await lead(party=[*others, wax_on]))
    await page.open()
    await page.table.duel()
    await page.table.choose(ada="stance none", ninja="stance none")
    await page.table.choose(ada="move defend-mid", ninja="move attack-low")
    assert asked(page) == {"crow"}
    await looker.until_says("None of Crow’s cards can do this now.")
    closed = "[...document.querySelectorAll('.question .closed li')].map((one) => one.textContent)"
    [why] = await looker.run(f"return {closed}")
    assert why.startswith("Wax On")
    await page.place("decide crow let-be")
    await settled(lambda: not asked(page))


async def test_a_single_guard_gets_no_press_for_all(lost: Console) -> None:
    await lost.place("decide owl let-be")
    await lost.looker.until("!document.querySelector('[data-place=\"let-be\"]')")
    assert asked(lost) == {"crow"}
