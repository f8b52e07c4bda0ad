"""The scripts of a page come in few files, and do the same as their sources."""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import hub.web.bundle
from hub.web.assets import Assets
from hub.web.bundle import Bundler, CannotBundle
from tests.adapters.web.test_weight import loaded_by
from tests.support.page_files import page_files

SHAPES = Path(__file__).parents[2] / "js" / "shapes.js"
LATER = re.compile(r"\$later\('([^']+)', ?'([^']+)'\)")
HAS = re.compile(r"\$load\['([^']+)'\] ?\?\?=")
TAKES = re.compile(r'import \$o\d+ from"([^"]+)"')
PAGES = sorted(
    found[1]
    for path, file in page_files().items()
    if path.endswith(".html")
    and (found := re.search(r'src="/?static/(js/pages/[^"]+)"', file.read_text()))
)


def modules(assets: Assets, page: str) -> Iterator[tuple[str, str, str]]:
    """Each module that a page may fetch later: its path, who imports it, and what is imported."""
    left = [*LATER.findall(assets.body(page).decode())]
    seen = set()
    while left:
        wanted, by = left.pop()
        if (wanted, by) in seen:
            continue
        seen.add((wanted, by))
        name = page.removeprefix("js/pages/").removesuffix(".js")
        path = f"js/later/{name}/{by[3:-3]}/-/{wanted[3:]}"
        yield path, by, wanted
        left += LATER.findall(assets.body(path).decode())


def differing(pairs: dict[str, tuple[str, str]]) -> list[str]:
    done = subprocess.run(
        ["node", SHAPES], input=json.dumps(pairs), capture_output=True, check=True, text=True
    )
    return list(json.loads(done.stdout))


def test_what_is_left_out_of_a_script_has_no_meaning(monkeypatch: pytest.MonkeyPatch) -> None:
    small, paths = Assets(), {path for path in page_files() if path.endswith(".js")}
    for page in PAGES:
        paths |= {path for path, *_ in modules(small, page)}
    monkeypatch.setattr(hub.web.bundle, "_small", str)
    whole = Assets()
    pairs = {p: (small.body(p).decode(), whole.body(p).decode()) for p in paths}
    assert len(pairs) > 200
    assert sum(len(one) for one, _ in pairs.values()) < 0.85 * sum(
        len(other) for _, other in pairs.values()
    )
    assert differing(pairs) == []


def test_a_difference_would_be_seen() -> None:
    pairs = {
        "string": ("f('a  b')", "f('a b')"),
        "template": ("f(`${g(` a  b`)}`)", "f(`${g(` a b`)}`)"),
        "line": ("function f() { return\na }", "function f() { return a }"),
        "kind": ("let a = 1", "const a = 1"),
        "space": ("f ( { a : 1, } ) // b", "f({a:1})"),
    }
    assert differing(pairs) == ["string", "template", "line", "kind"]


@pytest.mark.parametrize("page", PAGES)
def test_a_page_gets_what_its_scripts_import(page: str) -> None:
    """At once all that it imports; later all that the other script imports, whichever other modules
    have come before."""
    assets = Assets()

    def brought(path: str) -> set[str]:
        text = assets.body(path).decode()
        folder = Path("/", path).parent
        others = [str(Path(folder, name).resolve())[1:] for name in TAKES.findall(text)]
        return {*HAS.findall(text)}.union(*map(brought, others))

    def needed(script: str) -> set[str]:
        return {path for path in loaded_by(script) if path.endswith(".js")}

    games = {"js/games/index.js"}
    at_once = {page, *brought(page)}
    assert at_once - games == needed(page)
    for path, by, wanted in modules(assets, page):
        come = brought(path)
        assert not come & at_once
        assert needed(wanted) <= come | at_once | needed(by), path


def test_only_what_a_page_may_import_is_served() -> None:
    assets = Assets()
    for path in (
        "js/later/none/pages/display/-/pages/room.js",
        "js/later/display/pages/none/-/pages/room.js",
        "js/later/display/pages/display/-/pages/none.js",
        "js/later/display/pages/display/-/../room.js",
        "js/later/display/pages/room.js",
        "js/later/display/pages/room/-/pages/display.js",
        "js/later/display/pages/display/-/pages/gm/act.js",
    ):
        with pytest.raises(KeyError):
            assets.body(path)


def test_a_script_that_is_missing_is_named() -> None:
    bundler = Bundler({"a.js": 'import { b } from "./b.js";\n'}.__getitem__)
    with pytest.raises(CannotBundle, match=r"b\.js: there is no such script"):
        bundler.page("a.js")
