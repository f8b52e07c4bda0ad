"""The pages' static files: read once at the start, compressed, and cached by browsers for good.

A page refers to its files below ``static/VERSION/``, which browsers cache forever: a reload fetches
only the page itself. The version is a hash over all files.

A seat's page can be installed as a phone app. Its service worker (``static/js/worker.js``) caches
files below ``static/VERSION/`` and the offline page. The worker handles requests from seats' pages
only, and never serves a seat's page from its cache. Browsers run service workers on localhost and
over TLS; over plain HTTP in a network the pages work without a worker.

Ref: W3C Web Application Manifest; W3C Service Workers.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, normpath

from aiohttp import hdrs, web
from msgspec import Struct

from hub.fonts import BEYOND, WEIGHTS, WIDE, Font, Weight, file_name, font_data, wide_data
from hub.games import registry
from hub.games.registry import catalogue
from hub.kernel.catalogues import ENGLISH, languages
from hub.themes import Look
from hub.web.settings import WebSettings

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff": "font/woff",
}
FACES = ("room", "stage", "seat", "gm", "recap", "between")
"""The scripts that a family's folder ``pages`` may have: for all pages, the player's, the GM's, the
recap, and the display between scenes. A generic script stands in for each that the family lacks.
"""
_PACKED = frozenset({"image/png", "font/woff"})
"""Content types that are already compressed and binary."""
_OWN = Look()
_VERSION = re.compile(r"[0-9a-f]{12}/")
_STYLES = re.compile(r'(?:<link rel="stylesheet" href="/?static/css/\w+\.css">\n)+')
_STYLE = re.compile(r'href="(/?)static/css/(\w+)\.css"')
_SCRIPT = re.compile(r'<script type="module" src="(/?)static/(js/[^"]+)"></script>')
_FILE = re.compile(r'((?:href|src)="/?)static/')
_NAMED = re.compile(r'"#(core/[\w-]+\.js|games)"')
"""Matches an import by a name of package.json's ``imports``, which Node and TypeScript resolve."""
_IMPORT = re.compile(r'^(?:import|export) (?:[^";]* from )?"(\.[^"]+)";$', re.MULTILINE)
_FOR_PEOPLE = re.compile(r"/\*\*(?:(?!\*/).)*\*/[ \t]*|^[ \t]*//[^\n]*|^[ \t]+", re.M | re.S)
"""Matches JSDoc comments, comment lines and indentation."""
_BLANK = re.compile(r"^\n", re.MULTILINE)
_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s*([{};,])\s*|(?<=:) ")
_ZERO = re.compile(r"(?<![\w.])0(?=\.\d)")
_BETWEEN = "between."
"""The prefix of texts that the display needs only between scenes."""
_NOT_OF_THE_ROOM = (
    *("gm.", "own.", "door.", "recap.", "invite.", "word.", "level.", "build.", "look.", "deck."),
    *("health.", "hindrance."),
    *("signal.", "reply.", "offer.", "hand.", "command.", "points.", _BETWEEN),
    *("question.", "form.", "card.", "countdown.", "table.", "invite", "split.take"),
    *("lamps", "lights"),
    *("log.kept", "log.broken", "log.shorter", "log.seal", "reader.put"),
    *("reader.unplug", "reader.unreliable"),
)
"""The prefixes of texts that pages for the room do not need."""


class Asset(Struct, frozen=True):
    """A file, ready to be sent. ``etag``: a hash of its content."""

    body: bytes
    content_type: str
    etag: str


class Assets:
    """Every file below ``static/`` by its path there, the families' pages, the fonts, and the
    catalogues below ``texts/``.
    """

    def __init__(self, look: Look = _OWN) -> None:
        sources = {**dict(_walk(files("hub.web") / "static", "")), **dict(_games())}
        found = {path: _bare(path, body) for path, body in sources.items()}
        spoken = languages()
        found.update((path, _json(texts)) for path, texts in _catalogues(spoken))
        found.update(_fonts(look))
        found["icon.svg"] = _icon(found["icon.svg"], look)
        self._assets = {path: _asset(path, body) for path, body in found.items()}
        self._packed: dict[str, bytes] = {}
        self.look = look
        every = "".join((*(asset.etag for asset in self._assets.values()), look.css, look.sounds))
        self.version = sha256(every.encode()).hexdigest()[:12]
        self._english = catalogue("pages", ENGLISH)
        for path, body in found.items():
            if path.endswith(".html"):
                self._assets[path] = _asset(path, self._page(body.decode(), spoken).encode())

    def text(self, key: str, **places: str) -> str:
        """The pages' English text for ``key``, with ``places`` filled in. Raises
        :class:`KeyError`.
        """
        return self._english[key].format(**places)

    def body(self, path: str) -> bytes:
        """The content of the file at ``path``. Raises :class:`KeyError`."""
        return self._assets[path].body

    def respond(self, request: web.Request, path: str) -> web.Response:
        """The file, or 304 if the browser's copy is current. Raises ``HTTPNotFound``.

        The version in ``path`` may be that of an earlier run, which a page that is still open may
        ask for.
        """
        lasting = path.startswith(f"{self.version}/")
        path = _VERSION.sub("", path, count=1) if _VERSION.match(path) else path
        asset = self._assets.get(path)
        if asset is None:
            raise web.HTTPNotFound
        known = request.if_none_match
        if known and any(tag.value in {asset.etag, "*"} for tag in known):
            response = web.Response(status=304)
        else:
            letters = asset.content_type not in _PACKED
            packed = letters and _takes_packed(request)
            body = self._pack(path, asset) if packed else asset.body
            charset = "utf-8" if letters else None
            response = web.Response(body=body, content_type=asset.content_type, charset=charset)
            if packed:
                response.headers[hdrs.CONTENT_ENCODING] = "gzip"
        keep = "max-age=31536000, immutable" if lasting else "no-cache"
        response.headers[hdrs.CACHE_CONTROL] = keep
        response.headers[hdrs.VARY] = hdrs.ACCEPT_ENCODING
        response.etag = asset.etag
        return response

    @property
    def theme_css(self) -> bytes:
        """The CSS of the configured look; empty for the default look."""
        if not self.look.css:
            return b""
        return self.look.css.encode() + self._assets["css/theme.css"].body

    def _pack(self, path: str, asset: Asset) -> bytes:
        packed = self._packed.get(path)
        if packed is None:
            packed = self._packed[path] = compress(asset.body, mtime=0)
        return packed

    def _page(self, text: str, languages: list[str]) -> str:
        text = _STYLES.sub(lambda links: self._one_style(links[0]), text)
        text = _SCRIPT.sub(lambda script: self._ahead(*script.groups()) + script[0], text)
        text = _FILE.sub(rf"\1static/{self.version}/", text)
        scheme = f'content="{self.look.scheme}"'
        text = text.replace('name="color-scheme" content="dark"', f'name="color-scheme" {scheme}')
        text = text.replace(f'content="{_OWN.ground}"', f'content="{self.look.ground}"')
        said = f'data-languages="{" ".join(languages)}" data-sounds="{self.look.sounds}"'
        return text.replace("<html ", f"<html {said} ", 1)

    def _one_style(self, links: str) -> str:
        roots, names = zip(*_STYLE.findall(links), strict=True)
        path = f"css/{'+'.join(names)}.css"
        bodies = [self._assets[f"css/{name}.css"].body for name in names]
        bodies.append(self.theme_css)
        self._assets[path] = _asset(path, b"".join(bodies))
        return f'<link rel="stylesheet" href="{roots[0]}static/{path}">\n'

    def _ahead(self, root: str, script: str) -> str:
        needed = self._imports(script)
        return "".join(f'<link rel="modulepreload" href="{root}static/{n}">\n' for n in needed)

    def _imports(self, script: str) -> list[str]:
        found = dict.fromkeys([script])
        for path in (left := [script]):
            for name in _IMPORT.findall(self.body(path).decode()):
                needed = normpath(f"{dirname(path)}/{name}")
                if needed not in found:
                    found[needed] = None
                    left.append(needed)
        return [*found][1:]


def _asset(path: str, body: bytes) -> Asset:
    return Asset(body, TYPES[path[path.rfind(".") :]], sha256(body).hexdigest()[:32])


def _bare(path: str, body: bytes) -> bytes:
    """The file without comments, indentation and empty lines, which a browser does not need."""
    if path.endswith(".js"):
        text = _NAMED.sub(lambda found: f'"{_relative(path, found[1])}"', body.decode())
        return _BLANK.sub("", _FOR_PEOPLE.sub("", text)).encode()
    if path.endswith(".css"):
        close = _SPACE.sub(lambda found: found[1] or "", _REMARK.sub("", body.decode()))
        return _ZERO.sub("", close.replace(";}", "}")).encode()
    return body


def _relative(path: str, name: str) -> str:
    """The relative path by which the script at ``path`` imports ``name``: a module below ``js/``,
    such as ``core/dom.js``, or ``games``, the index of the families' pages.
    """
    up = "../" * (path.count("/") - 1) or "./"
    return up + ("games/index.js" if name == "games" else name)


def _games() -> Iterator[tuple[str, bytes]]:
    """The scripts and styles of the families' own pages, and the index by which pages find them."""
    faces: dict[str, list[str]] = {}
    for family in registry.FAMILIES:
        if not family.package or not (folder := files(family.package) / "pages").is_dir():
            continue
        for path, body in _walk(folder, ""):
            yield (f"css/{path}" if path.endswith(".css") else f"js/games/{family.id}/{path}"), body
        faces[family.id] = [face for face in FACES if (folder / f"{face}.js").is_file()]
    yield "js/games/index.js", _index(faces).encode()


def _index(faces: Mapping[str, Collection[str]]) -> str:
    games, between = [], []
    for family, has in faces.items():
        fetches = {face: f'() => import("./{family}/{face}.js")' for face in has}
        if later := fetches.pop("between", None):
            between.append(f"{family}:{later}")
        games.append(f"{family}:{{{','.join(f'{face}:{get}' for face, get in fetches.items())}}}")
    listed = (("GAMES", games), ("BETWEEN", between))
    return "".join(f"export const {name}={{{','.join(rows)}}};\n" for name, rows in listed)


def _fonts(look: Look) -> Iterator[tuple[str, bytes]]:
    """The fonts of a look, and the style sheet with their ``@font-face`` rules, by path."""
    for font in look.fonts:
        for weight in WEIGHTS:
            yield f"fonts/{file_name(font, weight)}", font_data(font, weight)
    yield f"fonts/{WIDE}", wide_data()
    faces = font_faces(look, lambda f, w: f"../fonts/{file_name(f, w)}", f"../fonts/{WIDE}")
    yield "css/fonts.css", faces.encode()


def font_faces(look: Look, address: Callable[[Font, Weight], str], wide: str = "") -> str:
    """The ``@font-face`` rules of a look. ``address``: the URL of a font's file. ``wide``: the URL
    of the wide font, which browsers fetch only if needed; empty: without it.
    """
    own = "".join(
        f'@font-face{{font-family:"facedown-{font}";font-weight:{weight};font-display:swap;'
        f'src:url("{address(font, weight)}") format("woff")}}\n'
        for font in look.fonts
        for weight in WEIGHTS
    )
    if not wide:
        return own
    rows = ",".join(f"U+{first:X}-{last:X}" for first, last in BEYOND)
    return own + (
        f'@font-face{{font-family:"facedown-wide";font-display:swap;unicode-range:{rows};'
        f'src:url("{wide}") format("woff")}}\n'
    )


def _icon(drawing: bytes, look: Look) -> bytes:
    if look.back is None:
        return drawing
    ground, lines = look.back
    colours = {"#12151c": look.ground, "#262c3b": ground, "#f2ede2": lines, "#e8b04b": lines}
    for night, own in colours.items():
        drawing = drawing.replace(night.encode(), own.encode())
    return drawing


def _catalogues(spoken: list[str]) -> Iterator[tuple[str, object]]:
    yield "texts/languages.json", spoken
    own = {family.id: f"{family.id}." for family in registry.FAMILIES}
    for language in spoken:
        texts = catalogue("pages", language)
        yield f"texts/{language}.json", texts
        elsewhere = (*_NOT_OF_THE_ROOM, *own.values())
        room = {k: v for k, v in texts.items() if not k.startswith(elsewhere)}
        for name, first in own.items():
            # Texts prefixed with a family's name are fetched only by that family's pages.
            shown = {k: v for k, v in texts.items() if k.startswith(first)}
            yield f"texts/{language}.{name}.json", shown
        yield f"texts/{language}.room.json", room
        rest = {k: v for k, v in texts.items() if k.startswith(_BETWEEN)}
        yield f"texts/{language}.between.json", rest
        yield f"texts/reasons.{language}.json", catalogue("reasons", language)


def _json(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


def _takes_packed(request: web.Request) -> bool:
    """Whether the browser accepts gzip (RFC 9110 §12.5.3)."""
    for coding in request.headers.get(hdrs.ACCEPT_ENCODING, "").split(","):
        name, _, weight = coding.strip().partition(";")
        if name.strip().lower() == "gzip":
            return not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight)
    return False


def _walk(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            yield from _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name[entry.name.rfind(".") :] in TYPES:
            yield f"{prefix}{entry.name}", entry.read_bytes()


_ICONS = (
    ("icon.svg", "any", "any"),
    ("icons/192.png", "192x192", "any"),
    ("icons/512.png", "512x512", "any"),
    ("icons/maskable.png", "512x512", "maskable"),
)


class App:
    """Serves the manifest and the service worker of a seat's page. Neither contains a key or a
    cookie.
    """

    def __init__(self, settings: WebSettings, assets: Assets) -> None:
        self._seats = settings.seats
        self._assets = assets

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register the routes. The worker's path limits its scope to ``/seat/``."""
        router.add_get("/seat/worker.js", self._worker)
        router.add_get("/seat/{seat:[a-z0-9-]+}.webmanifest", self._manifest)

    async def _worker(self, _: web.Request) -> web.Response:
        body = self._assets.body("js/worker.js").replace(
            b"@VERSION@", self._assets.version.encode()
        )
        return _fresh(body, "text/javascript")

    async def _manifest(self, request: web.Request) -> web.Response:
        seat = request.match_info["seat"]
        if seat not in self._seats:
            raise web.HTTPNotFound
        page = f"/seat/{seat}"
        name = " ".join(word.capitalize() for word in seat.split("-"))
        manifest = {
            "id": page,
            "start_url": page,
            "scope": "/seat/",
            "name": f"Facedown: {name}",
            "short_name": name,
            "display": "standalone",
            "background_color": self._assets.look.ground,
            "theme_color": self._assets.look.ground,
            "icons": [
                {
                    "src": f"/static/{self._assets.version}/{path}",
                    "sizes": sizes,
                    "type": TYPES[path[path.rfind(".") :]],
                    "purpose": purpose,
                }
                for path, sizes, purpose in _ICONS
            ],
        }
        return _fresh(json.dumps(manifest).encode(), "application/manifest+json")


def _fresh(body: bytes, content_type: str) -> web.Response:
    headers = {"Cache-Control": "no-cache"}
    return web.Response(body=body, content_type=content_type, charset="utf-8", headers=headers)
