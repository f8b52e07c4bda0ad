"""Writes a recap as one self-contained HTML file, with its scripts, styles, texts and data.

The display's own scripts are bundled into one, because such a file cannot load others.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html import escape
from pathlib import Path
from typing import Any

import msgspec

from hub.fonts import BEYOND, Font, Weight, font_data, wide_data
from hub.games.registry import rulebooks
from hub.journal import JournalRows
from hub.kernel.catalogues import languages
from hub.pictures.store import Pictures, folder_of
from hub.recap.gather import MOST_SCENES, Recap, gather
from hub.themes import OURS, Look, look_of
from hub.web.assets import Assets, font_faces

ENTRY = "js/pages/recap.js"
STYLES = ("base", "cards", "display", "curtain")
_FETCHED = re.compile(r'\bfetchStyle\("([a-z-]+)"\)')
"""Styles that scripts load on demand, such as those of a family of rules."""
_INSIDE = {"fonts"}
_SIGNS = 0x1E00, 0x26FF
"""Code points for which no wide font is needed, because the fonts of every machine have them:
further Latin letters, punctuation, arrows and stars."""
LAST = "recap"
_NOT_HERE = ("own.", "door.", "invite.", "hindrance.", "look.")
"""Prefixes of page texts that a recap does not need."""
_YET_HERE = "own.language"
MOST_PICTURES = 40
"""How many pictures a recap has at most; each has up to 64 kB."""
NIGHT = Look()
Found = Callable[[str], bytes | None]

_PAGE = """\
<!doctype html>
<html lang="en" data-languages="{languages}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="{scheme}">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="display recap">
<main id="book"></main>
<div id="stage" hidden><div id="root"></div>
<section id="scrub" aria-label="Facedown"></section></div>
<p id="live" class="unseen" role="status" aria-live="polite" aria-atomic="true"></p>
<noscript><p class="plain">This page needs JavaScript to show its contents.</p></noscript>
{documents}
<script type="module">{script}</script>
</body>
</html>
"""


def write_recap(recap: Recap, look: Look = NIGHT, pictures: Found | None = None) -> bytes:
    """The recap as an HTML file, in the look of a theme. Text that people entered is data in the
    file, never markup. ``pictures`` returns the picture with a digest, None if there is none."""
    assets = Assets(look)
    script = assets.bundler.alone(ENTRY)
    later = sorted({*_FETCHED.findall(script)} - _INSIDE)
    sheets = [assets.body(f"css/{name}.css").decode() for name in (*STYLES, *later, LAST)]
    wide = _data("font/woff", wide_data()) if _is_wide(recap) else ""
    style = "\n".join([*sheets, assets.theme_css.decode(), font_faces(look, _font, wide)])
    worn = {} if pictures is None else dict(_embedded(recap, pictures))
    documents = [_document("recap", recap), _document("pictures", worn)]
    spoken = languages()
    for language in spoken:
        texts = msgspec.json.decode(assets.body(f"texts/{language}.json"))
        here = {k: v for k, v in texts.items() if k == _YET_HERE or not k.startswith(_NOT_HERE)}
        documents.append(_document(f"text-{language}", here))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
    )
    return _PAGE.format(
        languages=" ".join(spoken),
        policy=policy,
        scheme=look.scheme,
        title=escape(f"Facedown: {recap.evening or recap.table}"),
        style=style,
        script=script,
        documents="\n".join(documents),
    ).encode()


def _is_wide(recap: Recap) -> bool:
    """Whether the evening's texts need the wide font, for letters that not every machine has."""
    told = msgspec.json.encode(recap).decode()
    rows = [(first, last) for first, last in BEYOND if not _SIGNS[0] <= first <= _SIGNS[1]]
    return any(first <= ord(sign) <= last for sign in {*told} for first, last in rows)


def _font(font: Font, weight: Weight) -> str:
    return _data("font/woff", font_data(font, weight))


def _embedded(recap: Recap, pictures: Found) -> Iterator[tuple[str, str]]:
    """The digest and the picture, as a data URL, of each of the recap's portraits, up to the
    limit."""
    for digest in recap.pictures[:MOST_PICTURES]:
        if (body := pictures(digest)) is not None:
            yield digest, _data("image/webp", body)


def _data(kind: str, body: bytes) -> str:
    return f"data:{kind};base64,{b64encode(body).decode()}"


def _hash(text: str) -> str:
    """The hash of a script or style, in the form of a content security policy (CSP 3, 2.3.1)."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _document(name: str, values: Any) -> str:
    """A script element with the values as JSON, in which no text can end the element."""
    text = msgspec.json.encode(values).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


def evening_of(
    journal: Path,
    reader: JournalRows,
    theme: str,
    scenes: int = MOST_SCENES,
    done: Callable[[int], object] = lambda work: None,
) -> tuple[Recap, bytes]:
    """The recap of a journal, and its HTML file. ``theme``: one of ours, or a file's path.
    ``scenes``: how many of the newest to show.

    ``done``: see :func:`hub.recap.gather.gather`. Raises what that raises, and
    :class:`hub.kernel.faults.Faulty` for a theme that cannot be used.
    """
    look = look_of(theme, None) if theme in OURS else look_of("", Path(theme))
    found = gather(reader.rows, reader.table, rulebooks(), scenes, done)
    return found, write_recap(found, look, Pictures(folder_of(journal)).read)
