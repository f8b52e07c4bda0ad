"""Which modules a hub imports: those that its table plays by before it is ready, and later none."""

import json
import re
import sys
from pathlib import Path

import aiohttp
import pytest

from tests.support.hub import HubProcess, Watch, watched_hub

LIBRARIES = {"aiomqtt", "msgspec", "ndef", "nfc", "paho", "serial", "typing_extensions", "usb1"}
"""What a table with PN532 readers and a broker needs."""
OF_PAGES = {
    *("aiohappyeyeballs", "aiohttp", "aiosignal", "attr", "frozenlist", "idna", "multidict"),
    *("propcache", "yarl", "rjsmin", "_rjsmin"),
}
AT_HOME = {"_distutils_hack", "sitecustomize", "socks", "usercustomize"}
"""What Python and paho import if it happens to be installed."""
ROOMS = {
    *("cards", "cli", "config", "daemon", "firmware", "fonts", "games", "journal", "kernel"),
    *("mdns", "mqtt", "panel", "pictures", "players", "ports", "readers", "table", "themes"),
    *("version", "web", "wire", "world"),
}
BY_NEED = re.compile(
    r"hub\.(cards\.(making|printing)|config\.(decks|demo|starter)|cli\.main|daemon\.printouts"
    r"|games\.\w+\.(dealing|demo|faces|fresh|houses|page_types|papers|script|sheets|starter)"
    r"|games\.(tourists|tricube)\.\w+|web\.(captive|metrics))\b"
)
"""What only a press, another command or a scene of another family needs. The table plays Unroll."""
SCENE = """\
title = "The flooded stairs"
ruleset = "tricube"

[characters.Ada]
trait = "agile"
concept = "roof runner"
perks = ["Throwing knives"]
quirks = ["Cannot leave silver lying"]

[challenges."The flooded stairs"]
difficulty = 4
"""
_IMPORTED = re.compile(r"^import '([\w.]+)' # ", re.M)


@pytest.fixture(autouse=True)
def _told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONVERBOSE", "1")


def imported(hub: HubProcess) -> set[str]:
    """The modules that the hub has imported so far."""
    return set(_IMPORTED.findall(hub.output()))


def unexpected(modules: set[str], libraries: set[str]) -> list[str]:
    """The modules of other libraries or rooms than a table needs, and of what is imported by
    need."""
    known = sys.stdlib_module_names | libraries | AT_HOME
    parts = {name: name.split(".") for name in modules if not name.startswith(("__", "_cython"))}
    return sorted(
        name
        for name, (root, *rest) in parts.items()
        if root not in {*known, "hub"}
        or (root == "hub" and rest and rest[0] not in ROOMS)
        or BY_NEED.match(name)
    )


async def open_display(watch: Watch) -> None:
    found = re.search(r"^Display +(\S+)", watch.hub.output(), re.M)
    assert found is not None
    async with aiohttp.ClientSession() as session, session.get(found[1]) as answer:
        assert answer.status == 200


async def test_a_table_imports_what_it_plays_by_and_nothing_during_play(tmp_path: Path) -> None:
    async with watched_hub(tmp_path, web=True) as (watch, _):
        assert unexpected(imported(watch.hub), LIBRARIES | OF_PAGES) == []
        await open_display(watch)
        before = imported(watch.hub)
        await watch.play(until=lambda state: state["phase"] == "over")
        assert imported(watch.hub) - before == set()


async def test_a_hub_without_pages_imports_no_web_server(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        assert unexpected(imported(watch.hub), LIBRARIES) == []


async def test_a_scene_of_another_family_is_imported_when_it_begins(tmp_path: Path) -> None:
    async with watched_hub(tmp_path) as (watch, _):
        assert "hub.games.tricube.games" not in imported(watch.hub)
        (watch.hub.folder / "scene.toml").write_text(SCENE, encoding="utf-8")
        reply = await watch.command(command="start-scene")
        assert reply["ok"], json.dumps(reply)
        state = await watch.until(lambda now: now["phase"] != "idle")
        assert state["game"]["ruleset"] == "tricube"
        assert "hub.games.tricube.playing" in imported(watch.hub)
