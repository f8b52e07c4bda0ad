"""How much the display loads: it also has to open on old tablets and over slow networks."""

import os
import re
from pathlib import Path

import hub.web

STATIC = Path(hub.web.__file__).parent / "static"


def test_the_display_is_small() -> None:
    """All that it loads, with the longest of the languages, before compression."""
    found = loaded_by("display.html")
    assert {"css/display.css", "js/display.js", "js/dom.js", "js/turn.js"} <= found
    texts = [path.stat().st_size for path in STATIC.glob("texts/??.json")]
    languages = (STATIC / "texts" / "languages.json").stat().st_size
    files = sum((STATIC / name).stat().st_size for name in found)
    assert files + languages + max(texts) < 150_000


def test_the_display_does_without_the_reasons() -> None:
    """They explain what somebody may not choose; on the display nobody chooses."""
    assert "js/reasons.js" not in loaded_by("display.html")


def loaded_by(page: str) -> set[str]:
    """A page, what it links, and the scripts that these import, by their path in ``static/``."""
    found, left = set[str](), [page]
    while left:
        name = left.pop()
        if name in found:
            continue
        found.add(name)
        text = (STATIC / name).read_text(encoding="utf-8")
        if name == page:
            left += re.findall(r'(?:src|href)="/?static/([^"]+)"', text)
        folder = Path(name).parent
        imported = re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', text)
        left += [os.path.normpath(folder / path) for path in imported]
    return found
