"""The files of the pages: read once at the start, served with their hash as ETag."""

from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from aiohttp import web
from msgspec import Struct

TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}


class Asset(Struct, frozen=True):
    """One file."""

    body: bytes
    content_type: str
    etag: str


class Assets:
    """Every file below ``static/``, by its path there. What is not in here cannot be asked for."""

    def __init__(self) -> None:
        self._assets = dict(_walk(files("hub.web") / "static", ""))

    def body(self, path: str) -> bytes:
        """A file's content. Raises :class:`KeyError`."""
        return self._assets[path].body

    def respond(self, request: web.Request, path: str) -> web.Response:
        """The file, or that the browser's copy is still good. Raises ``HTTPNotFound``."""
        asset = self._assets.get(path)
        if asset is None:
            raise web.HTTPNotFound
        response = web.Response(body=asset.body, content_type=asset.content_type, charset="utf-8")
        response.headers["Cache-Control"] = "no-cache"
        response.etag = asset.etag
        known = request.if_none_match
        if known and any(tag.value in {asset.etag, "*"} for tag in known):
            response = web.Response(status=304)
            response.headers["Cache-Control"] = "no-cache"
            response.etag = asset.etag
        return response


def _walk(folder: Traversable, prefix: str) -> list[tuple[str, Asset]]:
    found: list[tuple[str, Asset]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            found += _walk(entry, f"{prefix}{entry.name}/")
            continue
        content_type = TYPES.get(entry.name[entry.name.rfind(".") :])
        if content_type is not None:
            body = entry.read_bytes()
            asset = Asset(body, content_type, sha256(body).hexdigest()[:32])
            found.append((f"{prefix}{entry.name}", asset))
    return found
