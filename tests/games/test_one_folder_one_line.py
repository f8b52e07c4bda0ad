"""The toy is added to a copy of the project as the docs say: its folder, and its registry line."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path
from shutil import copytree, which

import pytest
from selenium import webdriver

from tests.support.added import command, with_family, with_toy
from tests.support.browser import console
from tests.support.demo import Demo, Page, demo

ROOT = Path(__file__).parents[2]
GENERATED = """
import sys
sys.path[:0] = sys.argv[1:]
from write_docs import script_pictures, script_types
for file, text in (*script_types(), *script_pictures()):
    file.write_text(text, encoding="utf-8")
"""
PLAYED = """
import sys
sys.path[:0] = sys.argv[1:]
from hub.games.registry import family_of, rulebooks
from tests.support.tabletalk import TableTalk
assert {str(card) for card in family_of("coin").demo.hands()["ada"]} == {"call heads", "call tails"}
talk = TableTalk({"ruleset": "coin", "players": {"ada": {}, "bo": {}}}, rulebooks=rulebooks())
talk.start()
talk.place("ada", "call heads")
assert talk.committed == ("ada",)
talk.place("bo", "call heads")
talk.reveal()
assert talk.view.game.points == {"ada": 1, "bo": 1}
talk.clear()
talk.decide("gm", "next end")
assert talk.phase == "over"
"""
PROJECT = str(ROOT / "pyproject.toml")


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = with_toy(tmp_path_factory.mktemp("added"))
    for name in ("biome.json", "hardware", "node_modules", "package.json", "pyproject.toml"):
        (root / name).symlink_to(ROOT / name)
    copytree(ROOT / "tests" / "js", root / "tests" / "js")
    (root / "tsconfig.json").write_bytes((ROOT / "tsconfig.json").read_bytes())
    (root / "scripts").mkdir()
    for script in (ROOT / "scripts").glob("*.py"):
        (root / "scripts" / script.name).write_bytes(script.read_bytes())
    return root


def run(root: Path, *arguments: str) -> str:
    done = subprocess.run(arguments, cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_import_contracts_hold_for_it(added: Path) -> None:
    run(added, str(Path(sys.executable).with_name("lint-imports")))


@pytest.mark.skipif(not which("node"), reason="the pages' scripts are checked by Node")
def test_its_pages_pass_the_checks_of_scripts(added: Path) -> None:
    run(added, sys.executable, "-c", GENERATED, str(added), str(added / "scripts"))
    toy = added / "hub" / "games" / "toy" / "pages"
    assert (ROOT / "tests" / "toy" / "pages" / "pictures.js").read_text() == (
        toy / "pictures.js"
    ).read_text()
    assert "export type ReachView" in (
        added / "hub" / "web" / "static" / "js" / "core" / "wire.d.ts"
    ).read_text(encoding="utf-8")
    bin = ROOT / "node_modules" / ".bin"
    run(added, str(bin / "tsc"))
    run(added, str(bin / "biome"), "check", "hub/games/toy")


async def test_it_is_played_in_a_browser(
    added: Path, tmp_path: Path, browser: webdriver.Chrome
) -> None:
    arguments = ("--ruleset", "toy-dice", "--data", str(tmp_path))
    async with demo(*arguments, command=command(added)) as table:
        await asyncio.to_thread(_play, browser, table)


def _play(browser: webdriver.Chrome, table: Demo) -> None:
    gm = Page(browser, table.gm)
    gm.click('[data-place="start prepared"]')
    display = Page(browser, f"{table.display}?lang=de")
    display.says("Zu erreichen: 7")
    display.has('.one-of[data-name="Ada"].awaited')
    near = Page(browser, f"{table.display}?near&lang=de")
    near.has(".toy-player")
    display.until("[...document.styleSheets].some((one) => one.href?.endsWith('/css/toy.css'))")
    seats = {name: Page(browser, address) for name, address in table.seats.items()}
    for name, choice, other in (("ada", "bold", "Careful"), ("bo", "careful", "Bold")):
        seat = seats[name]
        seat.says("Three dice, but a token is at stake.")
        seat.says(other)
        seat.click(f'[data-pick="approach {choice}"]')
        seat.click(f'[data-seal="{name.capitalize()}"]')
    for page in (display, near):
        page.has('.toy-dice[aria-label^="Ada: "]')
        page.until("document.querySelectorAll('.toy-dice span').length === 5")
        page.says("Kühn")
    gm.front()
    gm.until('document.querySelector(\'[data-press*="next "], [data-press*="spend "]\')')
    for page in (display, near, gm, *seats.values()):
        page.front()
        said = [entry["message"] for entry in console(browser)]
        assert [each for each in said if "ERR_CONNECTION" not in each] == [], json.dumps(said)


def test_the_docs_own_game_is_added_as_the_page_says(tmp_path: Path) -> None:
    """Copy its files and its line from the page, and play it."""
    page = (ROOT / "docs" / "games" / "add-a-ruleset.md").read_text(encoding="utf-8")
    files = re.findall(r"^```python (\S+)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert [Path(name).name for name, _ in files] == ["rules.py", "__init__.py", "demo.py"]
    root = with_family(tmp_path, "coin")
    for name, text in files:
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    assert '    _family("hub.games.coin"),\n' in page
    run(root, sys.executable, "-c", PLAYED, str(root), str(ROOT))
    run(
        root,
        str(Path(sys.executable).with_name("ruff")),
        "check",
        "--config",
        PROJECT,
        "hub/games/coin",
    )
