"""The GM's console with characters and sides named like the words it uses."""

from typing import Any

from tests.adapters.web.conftest import Looker, Pages
from tests.adapters.web.playing import SEATS, energy, fighter
from tests.support.browser import console

VIC = "Vic because Tor; A / B"
FIELD = (
    "const f = document.querySelector(`[data-form=overrule][data-field='${arguments[0]}']"
    ":is(input, select)`); f.value = arguments[1];"
    "f.dispatchEvent(new Event('input', {bubbles: true}))"
)


async def write(looker: Looker, field: str, text: str) -> None:
    await looker.until(f"document.querySelector('[data-form=overrule][data-field=\"{field}\"]')")
    await looker.run(FIELD, field, text)


async def open_sheet(looker: Looker) -> None:
    await looker.click('.quick [data-sheet="overrule"]')
    await looker.until("document.querySelector('dialog').open")


async def overrule(looker: Looker) -> None:
    """Look at what it changes, and do it."""
    await looker.click('[data-place="overrule"]')
    await looker.click('[data-place="do overrule"]')


async def test_the_console_overrules_whatever_the_names_are(pages: Pages, looker: Looker) -> None:
    table: Any = pages.table
    table.settings = type(table.settings)(
        seats={**SEATS, "north": (VIC,), "south": ("Vic",)}, gm_seat="gm"
    )
    people = {n: fighter(energy(3, 3, 3)) for n in (VIC, "Vic", "ninja")}
    table.start(sides={"players": [VIC, "Vic"], "nobody": ["ninja"]}, characters=people)
    await looker.open(pages.gm_url)
    for who, points in ((VIC, 2), ("Vic", 1)):
        await open_sheet(looker)
        await write(looker, "what", "energy")
        await write(looker, "name", who)
        for taken in range(points):
            await looker.click(f'[data-field="energy.attack {who}"][data-value="{2 - taken}"]')
        await write(looker, "why", "Tor slipped because of Vic")
        await overrule(looker)
        await looker.until("!document.querySelector('dialog').open")
    fighters = table.state.scene.game.fighters
    assert {name: each.energy.attack for name, each in fighters.items()} == {
        VIC: 1, "Vic": 2, "ninja": 3,
    }  # fmt: skip
    await open_sheet(looker)
    await write(looker, "what", "end")
    await write(looker, "why", "it rains")
    await looker.until_says("No one wins, because it rains", ".written")
    await looker.click("[data-field=winner][data-value=nobody]")
    await looker.until_says("Nobody win, because it rains", ".written")
    await overrule(looker)
    await looker.until_says("Nobody win", "html")
    assert table.state.scene.game.result.winner == "nobody"
    assert console(looker.browser) == []
