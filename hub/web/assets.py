"""The pages' static files: prepared when first asked for, compressed, and cached by browsers for
good.

A page refers to its files below ``static/VERSION/``, which browsers cache forever: a reload fetches
only the page itself. The version is a digest over all files.
"""

import asyncio
import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, partial
from gzip import compress
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from aiohttp import hdrs, web
from msgspec import Struct

from hub.fonts import (
    BEYOND,
    OFTEN,
    WEIGHTS,
    WHOLE,
    WIDE,
    Font,
    Ranges,
    Weight,
    file_name,
    font_data,
    often_data,
    wide_data,
)
from hub.games import registry
from hub.games.registry import catalogue
from hub.kernel.called import called
from hub.kernel.catalogues import COMMON, ENGLISH, languages
from hub.kernel.program import ProgramFile, digest_of, files_below
from hub.themes import Look
from hub.web.bundle import Bundler, asked_later

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
}
FACES = ("room", "stage", "seat", "gm", "recap", "between")
"""The scripts that a family's folder ``pages`` may have: for all pages, the player's, the GM's, the
recap, and the display between scenes. A generic script stands in for each that the family lacks.
"""
_PACKED = frozenset({"image/png", "font/woff", "font/woff2"})
"""Content types that are already compressed and binary."""
_OWN = Look()
_VERSION = re.compile(r"^[0-9a-f]{12}/")
_STYLES = re.compile(r'(?:<link rel="stylesheet" href="/?static/css/\w+\.css">\n)+')
_STYLE = re.compile(r'href="(/?)static/css/(\w+)\.css"')
_SCRIPT = re.compile(r'<script type="module" src="/?static/(js/pages/[^"]+)"></script>')
_FILE = re.compile(r'((?:href|src)="/?)static/')
_NAMED = re.compile(r'"#(core/[\w-]+\.js|games)"')
"""Matches an import by a name of package.json's ``imports``, which Node and TypeScript resolve."""
_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
_SPACE = re.compile(r"\s*([{};,])\s*|(?<=:) ")
_ZERO = re.compile(r"(?<![\w.])0(?=\.\d)")
_OF_GAMES = "js/games/"
_BETWEEN = "between."
"""The prefix of texts that the display needs only between scenes."""
_NEAR = (
    *("guide", "effect.", "worth", "special.shown", "special.gain", "special.replaced"),
    *("special.beside", "loss.missed", "loss.capped", "loss.taken", "disadvantage.more"),
    *("combo.bonus", "takes.turn", "is.chosen", "wins"),
)
"""The prefixes of texts that the display needs only for viewers at the table."""
_NOT_OF_THE_ROOM = (
    *_NEAR,
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
    catalogues below ``texts/``. A file is read when it is first asked for. A page's script holds
    all that it imports; ``bundler`` joins any other.
    """

    def __init__(self, look: Look = _OWN) -> None:
        self.look = look
        found = [*_sources()]
        sources = {path: entry.path for path, entry in found}
        spoken = languages()
        written: dict[str, Callable[[], bytes]] = {
            path: partial(_written, path, file) for path, file in sources.items()
        }
        written["js/games/index.js"] = lambda: _index(sources).encode()
        self.bundler = Bundler(lambda path: written[path]().decode())
        self._scripts = frozenset(path for path in written if path.endswith(".js"))
        self._makers = dict(written)
        self._makers.update(_catalogues(spoken))
        self._makers.update(_fonts(look))
        self._makers["icon.svg"] = lambda: _icon(Path(sources["icon.svg"]).read_bytes(), look)
        pages = {
            path: Path(file).read_text(encoding="utf-8")
            for path, file in sources.items()
            if path.endswith(".html")
        }
        self._pages: set[str] = set()
        for path, text in pages.items():
            self._makers[path] = partial(self._page, text, spoken)
            for links in _STYLES.findall(text):
                names = _style_names(links)
                self._makers[_joined(names)] = partial(self._one_style, names)
            self._pages.update(_SCRIPT.findall(text))
        self._ready: dict[str, Asset] = {}
        self._packed: dict[str, bytes] = {}
        every = digest_of((*found, *_other_sources()))
        self.version = sha256(f"{every}{look}{called()}{spoken}".encode()).hexdigest()[:12]

    def text(self, key: str, **places: str) -> str:
        """The pages' English text for ``key``, with ``places`` filled in. Raises
        :class:`KeyError`.
        """
        return self._english[key].format(**places)

    @cached_property
    def _english(self) -> dict[str, str]:
        return catalogue("pages", ENGLISH)

    def body(self, path: str) -> bytes:
        """The content of the file at ``path``. Raises :class:`KeyError`."""
        return self._asset(path).body

    def _asset(self, path: str) -> Asset:
        ready = self._ready.get(path)
        if ready is None:
            ready = self._ready[path] = _asset(path, self._maker(path)())
        return ready

    def _maker(self, path: str) -> Callable[[], bytes]:
        """The function that makes the file at ``path``. Raises :class:`KeyError`."""
        if path in self._pages:
            return lambda: self.bundler.page(path).encode()
        if path in self._scripts:
            return lambda: self.bundler.single(path).encode()
        asked = asked_later(path)
        # Only what a page imports: each file is kept in memory, and requests need no key.
        if (
            asked
            and asked[0] in self._pages
            and self._scripts.issuperset(asked)
            and self.bundler.imports_later(*asked[1:])
        ):
            return lambda: self.bundler.later(*asked).encode()
        return self._makers[path]

    async def answer(self, request: web.Request, path: str) -> web.Response:
        """Like :meth:`respond`, but a file that is not ready yet is made in a thread, so that the
        table does not wait."""
        name = _VERSION.sub("", path, count=1)
        if name not in self._ready:
            with suppress(KeyError):
                await asyncio.to_thread(self._asset, name)
        return self.respond(request, path)

    def respond(self, request: web.Request, path: str) -> web.Response:
        """The file, or 304 if the browser's copy is current. Raises ``HTTPNotFound``.

        The version in ``path`` may be that of an earlier run, which a page that is still open may
        ask for.
        """
        lasting = path.startswith(f"{self.version}/")
        path = _VERSION.sub("", path, count=1)
        try:
            asset = self._asset(path)
        except KeyError:
            raise web.HTTPNotFound from None
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
        return self.look.css.encode() + self.body("css/theme.css")

    def _pack(self, path: str, asset: Asset) -> bytes:
        packed = self._packed.get(path)
        if packed is None:
            packed = self._packed[path] = compress(asset.body, mtime=0)
        return packed

    def _page(self, text: str, languages: list[str]) -> bytes:
        text = _STYLES.sub(_one_link, text)
        text = _FILE.sub(rf"\1static/{self.version}/", text)
        scheme = f'content="{self.look.scheme}"'
        text = text.replace('name="color-scheme" content="dark"', f'name="color-scheme" {scheme}')
        text = text.replace(f'content="{_OWN.ground}"', f'content="{self.look.ground}"')
        said = f'data-languages="{" ".join(languages)}" data-sounds="{self.look.sounds}"'
        return text.replace("<html ", f"<html {said} ", 1).encode()

    def _one_style(self, names: Sequence[str]) -> bytes:
        return b"".join([*(self.body(f"css/{name}.css") for name in names), self.theme_css])


def _asset(path: str, body: bytes) -> Asset:
    return Asset(body, TYPES[path[path.rfind(".") :]], sha256(body).hexdigest()[:32])


def _style_names(links: str) -> list[str]:
    return [name for _, name in _STYLE.findall(links)]


def _joined(names: Sequence[str]) -> str:
    """The path of the style sheet that stands for several."""
    return f"css/{'+'.join(names)}.css"


def _one_link(links: re.Match[str]) -> str:
    root = _STYLE.findall(links[0])[0][0]
    return f'<link rel="stylesheet" href="{root}static/{_joined(_style_names(links[0]))}">\n'


def _written(path: str, file: str) -> bytes:
    """The file. Its scripts name others by their paths, as browsers do; styles are without
    comments, spaces and what else a browser does not need."""
    body = Path(file).read_bytes()
    if path.endswith(".js"):
        return _NAMED.sub(lambda found: f'"{_relative(path, found[1])}"', body.decode()).encode()
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


def _sources() -> Iterator[ProgramFile]:
    """The pages' own files, and the scripts and styles of the families' pages."""
    yield from _known(_folder("hub.web", "static"))
    for family in registry.FAMILIES:
        if not family.package:
            continue
        for path, file in _known(_folder(family.package, "pages")):
            yield (
                (f"css/{path}" if path.endswith(".css") else f"{_OF_GAMES}{family.id}/{path}"),
                file,
            )


def _other_sources() -> Iterator[ProgramFile]:
    """The other files that those of the pages are made from."""
    for package in ("hub.fonts", "hub.web"):
        yield from files_below(_folder(package))
    for package in (COMMON, *(family.package for family in registry.FAMILIES if family.package)):
        yield from files_below(_folder(package, "catalogues"), f"{package}/")


def _folder(package: str, name: str = "") -> Path:
    return Path(str(files(package)), name)


def _known(folder: Path) -> Iterator[ProgramFile]:
    """The files with a known type in a folder, if it exists."""
    found = files_below(folder) if folder.is_dir() else ()
    return ((path, file) for path, file in found if path[path.rfind(".") :] in TYPES)


def _index(sources: Collection[str]) -> str:
    """The script by which pages find the families' own."""
    games, between = [], []
    for family in registry.FAMILIES:
        has = [face for face in FACES if f"{_OF_GAMES}{family.id}/{face}.js" in sources]
        if not has:
            continue
        fetches = {face: f'() => import("./{family.id}/{face}.js")' for face in has}
        if later := fetches.pop("between", None):
            between.append(f"{family.id}:{later}")
        games.append(
            f"{family.id}:{{{','.join(f'{face}:{get}' for face, get in fetches.items())}}}"
        )
    listed = (("GAMES", games), ("BETWEEN", between))
    return "".join(f"export const {name}={{{','.join(rows)}}};\n" for name, rows in listed)


def _fonts(look: Look) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The fonts of a look, and the style sheet with their ``@font-face`` rules, each with a
    function that makes it."""
    for font in look.fonts:
        for weight in WEIGHTS:
            path = f"fonts/{file_name(font, weight)}"
            yield path, partial(font_data, font, weight)
            yield f"{path}2", partial(often_data, font, weight)
    yield f"fonts/{WIDE}", wide_data
    yield "css/fonts.css", lambda: _font_style(look).encode()


def _font_style(look: Look) -> str:
    """The style sheet with a look's ``@font-face`` rules."""
    faces = font_faces(look, lambda f, w: f"../fonts/{file_name(f, w)}", f"../fonts/{WIDE}")
    often = (
        _face(font, f"../fonts/{file_name(font, weight)}2", weight, OFTEN)
        for font in look.fonts
        for weight in WEIGHTS
    )
    # Of two faces that have a letter, browsers load and use the later one.
    return "".join((faces, *often))


def font_faces(look: Look, address: Callable[[Font, Weight], str], wide: str = "") -> str:
    """The ``@font-face`` rules of a look, each of which browsers load only if needed. ``address``:
    the URL of a font's whole file. ``wide``: the URL of the wide font; empty: without it.
    """
    own = [_face(f, address(f, w), w, WHOLE) for f in look.fonts for w in WEIGHTS]
    return "".join((*own, _face("wide", wide, None, BEYOND) if wide else ""))


def _face(name: str, address: str, weight: Weight | None, ranges: Ranges) -> str:
    rows = ",".join(f"U+{a:X}" if a == b else f"U+{a:X}-{b:X}" for a, b in ranges)
    form = "woff2" if address.endswith("2") else "woff"
    return (
        f'@font-face{{font-family:"facedown-{name}";font-display:swap;unicode-range:{rows};'
        + (f"font-weight:{weight};" if weight else "")
        + f'src:url("{address}") format("{form}")}}\n'
    )


def _icon(drawing: bytes, look: Look) -> bytes:
    if look.back is None:
        return drawing
    ground, lines = look.back
    colours = {"#12151c": look.ground, "#262c3b": ground, "#f2ede2": lines, "#e8b04b": lines}
    for night, own in colours.items():
        drawing = drawing.replace(night.encode(), own.encode())
    return drawing


def _catalogues(spoken: list[str]) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """The files of texts, each with a function that makes it."""
    yield "texts/languages.json", lambda: _json(spoken)
    own = {family.id: f"{family.id}." for family in registry.FAMILIES}
    elsewhere = (*_NOT_OF_THE_ROOM, *own.values())
    # Texts prefixed with a family's name are fetched only by that family's pages.
    parts: tuple[tuple[str, str | tuple[str, ...]], ...] = (
        *own.items(), ("between", _BETWEEN), ("near", _NEAR)
    )  # fmt: skip
    for code in spoken:
        yield f"texts/{code}.json", partial(_texts, code, lambda key: True)
        for name, first in parts:
            yield f"texts/{code}.{name}.json", partial(_texts, code, partial(_begins, first))
        room = partial(_texts, code, lambda key: not key.startswith(elsewhere))
        yield f"texts/{code}.room.json", room
        yield f"texts/reasons.{code}.json", partial(_reasons, code)


def _texts(language: str, wanted: Callable[[str], bool]) -> bytes:
    return _json({k: v for k, v in catalogue("pages", language).items() if wanted(k)})


def _begins(first: str | tuple[str, ...], key: str) -> bool:
    return key.startswith(first)


def _reasons(language: str) -> bytes:
    return _json(catalogue("reasons", language))


def _json(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()


def _takes_packed(request: web.Request) -> bool:
    """Whether the browser accepts gzip (RFC 9110 §12.5.3)."""
    for coding in request.headers.get(hdrs.ACCEPT_ENCODING, "").split(","):
        name, _, weight = coding.strip().partition(";")
        if name.strip().lower() == "gzip":
            return not re.fullmatch(r"\s*q=0(\.0*)?\s*", weight)
    return False
