"""The display while *undo* is held at the panel."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

import hub.web
from hub.panel.panel import HOLD_S, Panel
from hub.panel.settings import Button, PanelSettings
from hub.ports import AtPanel
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable
from tests.support.accessibility import violations
from tests.support.browser import console, resize

UNDO = 6
FITS = """
const box = document.querySelector('.held').getBoundingClientRect();
return box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight
  && [...document.querySelectorAll('.held *')]
    .every((e) => e.scrollWidth <= e.clientWidth + 1 || !e.clientWidth);
"""


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[RunningTable]:
    async with RunningTable(tmp_path) as running:
        yield running


async def test_the_ring_fills_for_as_long_as_it_is_held() -> None:
    css = Path(hub.web.__file__).parent / "static" / "css" / "held.css"
    assert f"fills {HOLD_S:g}s linear" in css.read_text(encoding="utf-8")


async def test_it_names_what_would_be_undone_and_clears_it_on_release(
    table: RunningTable, looker: Looker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hub.panel.panel.HOLD_S", 600.0)  # longer than the test
    pins = MockFactory(pin_class=MockPWMPin)
    settings = PanelSettings(driver="mock", buttons=(Button(pin=UNDO, does="undo"),))
    runner = table.runner
    panel = Panel(
        settings, lambda _: pins, runner.inbox.ask, runner, runner.now_ms, tell=runner.tell_panel
    )
    async with panel:
        runner.add_publisher(panel)
        await table.face("ada", "ninja")
        await table.commit("ada", "stance attack 2")
        await table.commit("ninja", "stance none")
        await table.until_told("revealed")
        await table.commit("ada", "move attack-high")
        await looker.open(f"{table.server.url}display?lang=en")
        await looker.until_says("Ada")
        pins.pin(UNDO).drive_low()
        await looker.until("document.querySelector('.held')")
        await looker.until_says("Keep holding to undo")
        await looker.until_says("Undo to the last reveal")
        assert "attack" not in (await looker.text(".held")).lower(), "what lies sealed is not said"
        assert await looker.run("return document.querySelector('.held li') !== null")
        assert violations(looker.browser) == []
        for shape in ((390, 844), (1180, 820), (1920, 1080)):
            resize(looker.browser, shape)
            assert await looker.run(FITS)
        pins.pin(UNDO).drive_high()
        await looker.until("!document.querySelector('.held')")
        await looker.open(f"{table.server.url}display?lang=de")
        pins.pin(UNDO).drive_low()
        await looker.until_says("Zum Zurücknehmen halten")
        pins.pin(UNDO).drive_high()
        await looker.until("!document.querySelector('.held')")
    runner.tell_panel(AtPanel(missing=("GPIO17",)))
    await looker.until_says("GPIO17")
    runner.tell_panel(AtPanel(missing=("panel",)))
    await looker.until_says("Bedienpult")
    assert not console(looker.browser)
