"""A recap as one HTML file: scripts, styles, texts and data inside, nothing to ask anybody for."""

from base64 import b64encode
from hashlib import sha256
from html import escape
from typing import Any

import msgspec

from hub.catalogues import languages
from hub.recap.bundle import bundle
from hub.recap.gather import Recap
from hub.web.assets import Assets

ENTRY = "js/pages/recap.js"
STYLES = ("base", "cards", "display", "curtain", "opening", "recap")
_NOT_HERE = ("own.", "door.", "invite.", "hindrance.", "look.")
"""What the sentences of pages are called of which nothing is in a recap."""
_YET_HERE = "own.language"

_PAGE = """\
<!doctype html>
<html lang="en" data-languages="{languages}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="display recap">
<main id="book"></main>
<div id="stage" hidden><div id="root"></div>
<section id="scrub" aria-label="Facedown"></section></div>
<p id="live" class="unseen" role="status" aria-live="polite" aria-atomic="true"></p>
<noscript><p class="plain">This page shows what it holds by JavaScript of its own.</p></noscript>
{documents}
<script type="module">{script}</script>
</body>
</html>
"""


def write_recap(recap: Recap, assets: Assets | None = None) -> bytes:
    """The file. Whatever it says of people is data, and never read as a part of the page."""
    assets = assets or Assets()
    style = "\n".join(assets.body(f"css/{name}.css").decode() for name in STYLES)
    script = bundle(lambda path: assets.body(path).decode(), ENTRY)
    documents = [_document("recap", recap)]
    spoken = languages()
    for language in spoken:
        texts = msgspec.json.decode(assets.body(f"texts/{language}.json"))
        here = {k: v for k, v in texts.items() if k == _YET_HERE or not k.startswith(_NOT_HERE)}
        documents.append(_document(f"text-{language}", here))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return _PAGE.format(
        languages=" ".join(spoken),
        policy=policy,
        title=escape(f"Facedown: {recap.table}"),
        style=style,
        script=script,
        documents="\n".join(documents),
    ).encode()


def _hash(text: str) -> str:
    """As a page's policy names what it lets run (CSP 3, 2.3.1)."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _document(name: str, values: Any) -> str:
    """JSON that ends no element, whatever stands in it."""
    text = msgspec.json.encode(values).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'
