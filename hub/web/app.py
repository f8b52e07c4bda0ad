"""A seat's page as an app on a phone.

Its service worker (``static/js/worker.js``) caches files below ``static/VERSION/`` and the offline
page. The worker handles requests from seats' pages only, and never serves a seat's page from its
cache. Browsers run service workers on localhost and over TLS; over plain HTTP in a network the
pages work without a worker.

Ref: W3C Web Application Manifest; W3C Service Workers.
"""

import json

from aiohttp import web

from hub.web.assets import TYPES, Assets
from hub.web.settings import WebSettings

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
