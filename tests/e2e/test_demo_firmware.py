"""``facedown demo --firmware``: the virtual table's lights are computed by MicroPython."""

import asyncio
import os
import re
import signal
from pathlib import Path

from selenium import webdriver

from hub.firmware.common import faces, lamps
from tests.e2e.test_demo import SHINES, passes, shows, was_lost, watch
from tests.support.browser import console
from tests.support.demo import Demo, Page, demo
from tests.support.micropython import micropython

RING = '.wall-clock[aria-label^="Clock, countdown"] .light'


def boards(table: Demo) -> dict[str, int]:
    """Return the process of each seat's or clock's board."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            session = int((process / "stat").read_text().rpartition(")")[2].split()[3])
            said = (process / "cmdline").read_bytes().decode()
            where = (process / "cwd").readlink().name
        except (OSError, ValueError):
            continue
        if session == table.process.pid and re.search(r"firmware/\w+/main\.py", said):
            found[where.removesuffix("-board")] = int(process.name)
    return found


async def test_the_firmware_lights_lamps_and_clock(browser: webdriver.Chrome) -> None:
    micropython()
    async with demo("--firmware") as table:
        assert "runs the firmware" in table.said
        await asyncio.to_thread(_play, browser, table)
        running = boards(table)
        assert running.keys() == {"ada", "bo", "gm", "clock"}
    assert not boards(table)
    assert not any(Path(f"/proc/{process}").exists() for process in running.values())


def _play(browser: webdriver.Chrome, table: Demo) -> None:
    virtual = Page(browser, table.table)
    shows(virtual, "ada", lamps.IDLE)
    virtual.click('[data-tab="story"]')
    virtual.click('[data-place="tell mark-countdown The tide comes in"]')
    red, green, blue = faces.MARKED
    lit = SHINES.format(selector=f"'{RING}'", what="fill")
    marked = f"rgb({red},{green},{blue})"
    virtual.until(f"{lit}.filter((one) => one === '{marked}').length === 3")

    virtual.click('[data-tab="scene"]')
    virtual.click('[data-place="start prepared"]')
    virtual.click('[data-place="decide gm active Ada"]')
    virtual.click('[data-place="decide Ada opponent Crow"]')
    virtual.says("choose a stance")
    shows(virtual, "gm", lamps.AWAITED)
    virtual.lay("ada", "Grapple 2")
    virtual.says("Sealed.")
    shows(virtual, "ada", lamps.COMMITTED)

    watch(virtual)
    os.kill(boards(table)["ada"], signal.SIGKILL)
    was_lost(virtual, "ada")
    virtual.until("!document.querySelector('[data-panel=ada] .badge.lost')")
    shows(virtual, "ada", lamps.COMMITTED)  # its seal is kept
    virtual.click("[data-cable=unplug][data-seat=bo]")
    virtual.has('[data-panel=bo] .lamps[aria-label="Lamps: off"]')
    virtual.click("[data-cable=replug][data-seat=bo]")
    shows(virtual, "bo", lamps.IDLE)

    watch(virtual)
    virtual.lay("gm", "Defend 1")
    passes(virtual, "bo", lamps.LOCKED)
    passes(virtual, "ada", lamps.REVEAL)
    white = f"rgb({faces.WHITE[0]},{faces.WHITE[1]},{faces.WHITE[2]})"
    virtual.until(f"{lit}.includes('{white}')")  # it sweeps
    virtual.says("choose a move")
    assert console(browser) == []
    browser.close()
    browser.switch_to.window(browser.window_handles[0])
