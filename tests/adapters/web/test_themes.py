"""Themes: the shipped ones are readable on every page; faults in a custom one are named."""

import asyncio
import json
import re
from pathlib import Path

import aiohttp
import pytest

import hub.themes
import hub.web
from hub.kernel.faults import Faulty
from hub.themes import OURS, contrast, look_of, our_theme, printed, read_theme
from tests.adapters.web.conftest import Looker, OpenPages
from tests.adapters.web.test_accessibility import ended, judged, show, stance
from tests.support.accessibility import violations
from tests.support.browser import console

BASE = Path(hub.web.__file__).parent / "static" / "css" / "base.css"
WHOLE = (Path(hub.themes.__file__).parent / "paper.toml").read_text()
LOOKED_AT = {
    "paper": [
        *(("display", judged), ("display", ended), ("gm", stance)),
        *(("seat", judged), ("table", stance)),
    ],
    "baize": [("display", ended), ("seat", stance)],
}
"""The pages and states in which each theme is checked."""


@pytest.mark.parametrize("theme", LOOKED_AT)
async def test_shipped_themes_are_readable(
    theme: str, open_pages: OpenPages, looker: Looker
) -> None:
    look = look_of(theme, None)
    for page, state in LOOKED_AT[theme]:
        pages = await open_pages(look=look)
        await show(pages, looker, page, state)
        found = await asyncio.to_thread(violations, looker.browser)
        name = f"{theme}-{page}-{state.__name__}"
        assert not found, "\n".join([name, *found])
        assert await looker.run("return document.documentElement.dataset.sounds") == look.sounds
        for font in look.fonts:
            await looker.until(
                "[...document.fonts].filter((one) => one.family.includes(arguments[0])"
                " && one.status === 'loaded').length > 0",
                f"facedown-{font}",
            )
        assert console(looker.browser) == []


def test_the_night_theme_is_the_pages_default_look() -> None:
    base = BASE.read_text()
    named = our_theme("night").css()
    colours = ("ink", "felt", "raised", "line", "text", "quiet", "gold", "alarm", "paper")
    for key in (*colours, "sans", "serif"):
        value = base.split(f"--{key}: ", 1)[1].split(";", 1)[0]
        assert f"--{key}:{value};" in named
    assert look_of("night", None).css == ""


async def test_a_theme_reaches_manifest_icons_and_fonts(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    look = look_of("baize", None)
    pages = await open_pages(look=look)

    async def text(path: str) -> str:
        async with http.get(pages.url(path)) as answer:
            assert answer.status == 200, path
            return await answer.text()

    manifest = json.loads(await text("seat/north.webmanifest"))
    assert manifest["theme_color"] == manifest["background_color"] == look.ground == "#0b281c"
    drawing = next(each for each in manifest["icons"] if each["type"] == "image/svg+xml")
    assert look.back is not None
    assert {look.ground, *look.back} <= {
        *re.findall("#[0-9a-f]{6}", await text(drawing["src"][1:]))
    }
    page = await text("static/offline.html")
    style = re.findall('href="/(static/[^"]+css)"', page)
    assert f"--ink:{look.ground}" in await text(style[0])
    faces = await text("static/css/fonts.css")
    assert faces.count("@font-face") == 2 * 2 * len(look.fonts) + 1 == 9  # and the wide one
    for font in re.findall(r"\.\./(fonts/[a-z0-9.-]+)", faces):
        async with http.get(pages.url(f"static/{font}")) as answer:
            assert (answer.status, answer.content_type) == (200, f"font/{font.rpartition('.')[2]}")
            assert "font-src 'self';" in answer.headers["Content-Security-Policy"]


def test_a_theme_may_name_the_fonts_of_the_system(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WHOLE.replace('text = "serif"\ntitles = "serif"', 'text = "system"', 1))
    look = look_of("", file)
    assert look.fonts == ("serif",) and '--sans:system-ui, sans-serif, "facedown-wide";' in look.css
    assert printed("system") == "sans"


@pytest.mark.parametrize("name", OURS)
def test_each_shipped_theme_is_valid(name: str) -> None:
    assert our_theme(name).colours.text


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


FAULTS = [
    ('quiet = "#564a37"', 'quiet = "#b9a985"',
     "colours.quiet is hard to read on ink: their contrast is 1.9 to 1 and must be 4.5 to 1; "
     "make one of them darker or lighter"),
    ('quiet = "#564a37"', 'quiet = "brown"',
     'colours.quiet must be a colour, such as "#1a2b3c"'),
    ('quiet = "#564a37"', 'quiet = "#564a37;}body{display:none"',
     'colours.quiet must be a colour, such as "#1a2b3c"'),
    ('lines = "#f0d9bf"', 'lines = "#7a3f2b"',
     "back.lines is hard to read on ground: their contrast is 1.1 to 1 and must be 3 to 1; "
     "make one of them darker or lighter"),
    ('text = "serif"', 'text = "Comic Sans"',
     'fonts.text must be "sans", "serif", "slab", "round", "mono", "system", "system-serif" or '
     '"system-mono"'),
    ('sounds = "steel"', 'sounds = "loud.mp3"',
     'sounds must be "wood", "steel" or "arcade"'),
    ('sounds = "steel"', 'sound = "steel"',
     "sound is unknown; did you mean sounds?"),
    ('alarm = "#95191f"\n', "",
     'colours.alarm is missing; it must be a colour, such as "#1a2b3c"'),
]  # fmt: skip


@pytest.mark.parametrize(("there", "instead", "said"), FAULTS)
def test_each_fault_is_named_once(tmp_path: Path, there: str, instead: str, said: str) -> None:
    file = tmp_path / "mine.toml"
    assert there in WHOLE
    file.write_text(WHOLE.replace(there, instead, 1))
    with pytest.raises(Faulty) as found:
        read_theme(file)
    (fault,) = found.value.faults
    assert str(fault.reason) == said


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(WHOLE + "#" * 20_000)
    with pytest.raises(Faulty, match="16384"):
        read_theme(file)


def test_the_guide_shows_a_shipped_theme() -> None:
    guide = (Path(__file__).parents[3] / "docs/play/themes.md").read_text()
    assert f"```toml\n{WHOLE}```" in guide
