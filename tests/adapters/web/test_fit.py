"""A wall screen cannot be scrolled, so every character must be visible on it at every moment of a
turn."""

from collections.abc import AsyncIterator

import pytest

from hub.table import acts as i
from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import PlayedTable, energy, fighter
from tests.support.browser import resize

LANDSCAPE, PORTRAIT = (1920, 1080), (1080, 1920)
OVER = (
    "return [document.documentElement.scrollHeight <= innerHeight,"
    "document.documentElement.scrollWidth <= innerWidth,"
    "[...document.querySelectorAll('.person')].every((one) => "
    "one.getBoundingClientRect().right <= one.closest('.side').getBoundingClientRect().right + 1)]"
)
STEP = (
    "document.querySelector('.headline').textContent !== arguments[0]"
    " && document.querySelector('.still')"
)
COMBO = {"defend-low": ["grapple-high", "attack-high"]}


def long(name: str) -> str:
    """Return a name of forty characters."""
    return f"{name}-of-the-old-northern-lighthouse-keepers"[:40]


def crowd(table: PlayedTable, players: int, others: int) -> tuple[str, str]:
    """Set up sides of this size, all with long names; return one fighter of each."""
    party = [long(f"hero{n}") for n in range(1, players + 1)]
    clan = [long(f"rogue{n}") for n in range(1, others + 1)]
    table.settings = type(table.settings)(
        seats={"north": tuple(party), "gm": tuple(clan)}, gm_seat="gm", commit_s=30
    )
    person = fighter(energy(5, 5, 12), COMBO) | {"specials": ["wax-on-grapple"]}
    table.start(
        sides={"harbour-watch": party, "elbow-clan": clan},
        characters=dict.fromkeys([*party, *clan], person),
    )
    return party[-1], clan[-1]


def reveal(table: PlayedTable) -> None:
    table.tell(i.Tick(), table.settings.reveal_delay_ms)
    for seat in table.settings.seats:
        table.lay(seat)


async def moments(table: PlayedTable, one: str, other: str) -> AsyncIterator[str]:
    """Play a turn that is won, then one with a combo and a disadvantage, moment by moment."""

    def lay(kind: str, north: str, gm: str) -> None:
        table.lay("north", f"{kind} {north}")
        table.lay("gm", f"{kind} {gm}")

    yield "first"
    table.decide("gm", f"active {one}")
    yield "opponent"
    table.decide(one, f"opponent {other}")
    yield "stance"
    lay("stance", "none", "none")
    yield "stance locked"
    reveal(table)
    yield "move"
    lay("move", "defend-low", "attack-low")
    yield "move locked"
    reveal(table)
    yield "split"
    table.decide(other, "split attack 1 grapple 1")
    yield "next"
    table.decide(table.state.scene.pending.must[0], f"active {one}")  # type: ignore[union-attr]
    if table.state.scene.pending.step == "opponent":  # type: ignore[union-attr]
        table.decide(one, f"opponent {other}")
    lay("stance", "grapple 3", "defend 1")
    reveal(table)
    yield "move of the combo"
    lay("move", "grapple-high", "defend-low")
    reveal(table)
    yield "judged"


@pytest.mark.parametrize(
    ("players", "others", "sizes", "language"),
    [
        (4, 9, (LANDSCAPE, PORTRAIT), "de"),
        (2, 2, (LANDSCAPE, PORTRAIT), "en"),
        (4, 4, (PORTRAIT,), "de"),
    ],
)
async def test_every_character_is_visible(
    pages: Pages,
    looker: Looker,
    players: int,
    others: int,
    sizes: tuple[tuple[int, int], ...],
    language: str,
) -> None:
    resize(looker.browser, sizes[0])
    one, other = crowd(pages.table, players, others)
    await looker.open(pages.url(f"display?near&lang={language}"))
    everybody = "document.querySelectorAll('.person').length === arguments[0]"
    await looker.until(everybody, players + others)
    said = ""
    async for moment in moments(pages.table, one, other):
        await looker.until(STEP, said)
        said = await looker.text(".headline")
        for size in sizes:
            resize(looker.browser, size)
            await looker.painted()
            assert await looker.run(OVER) == [True, True, True], (moment, size)
