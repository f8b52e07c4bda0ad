"""Pictures of characters: uploaded by browsers with a key, public to see.

A command, judged like any other, assigns a picture to a character; unused pictures are deleted
after a while.
"""

import asyncio
import json
from typing import Protocol

from aiohttp import web

from hub.web.assets import Assets
from hub.web.login import Login

MOST_BYTES = 8_000_000
_AT_ONCE = 2
"""How many pictures are processed at the same time; the number is small because each may use much
memory.
"""
_WAIT_S = 20.0
_SEND_S = 60.0
_STATUS = {"large": 413, "kind": 415, "pixels": 422, "damaged": 422, "busy": 503, "room": 507}


class Pictures(Protocol):
    """Stores pictures; see :class:`hub.pictures.store.Pictures`."""

    async def keep(self, given: bytes) -> str:
        """Store an uploaded picture and return its digest. Raises an error whose ``why`` is the
        reason.
        """
        ...

    def read(self, digest: str) -> bytes | None:
        """A picture by its digest, as WebP; None if there is none."""
        ...


class _TooLarge(Exception):
    why = "large"


class Portraits:
    """Answers ``/portraits``: uploads by browsers with a key, and requests for a picture by
    anybody.
    """

    def __init__(self, login: Login, assets: Assets, pictures: Pictures) -> None:
        self._login = login
        self._assets = assets
        self._pictures = pictures
        self._places = asyncio.Semaphore(_AT_ONCE)

    def add_routes(self, router: web.UrlDispatcher) -> None:
        """Register both routes: for a picture by its digest, and for uploads."""
        router.add_get("/portraits/{digest:[0-9a-f]{64}}.webp", self._show)
        router.add_post("/portraits", self._take, expect_handler=self._expect)

    async def _show(self, request: web.Request) -> web.Response:
        body = await asyncio.to_thread(self._pictures.read, request.match_info["digest"])
        if body is None:
            raise web.HTTPNotFound
        response = web.Response(body=body, content_type="image/webp")
        response.headers["Cache-Control"] = "max-age=31536000, immutable"
        return response

    async def _expect(self, request: web.Request) -> web.Response | None:
        """Refuse a too large upload before its body is sent (RFC 9110 §10.1.1)."""
        if (request.content_length or 0) > MOST_BYTES:
            return self._refusal("large")
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        return None

    async def _take(self, request: web.Request) -> web.Response:
        if not self._login.roles(request):
            return web.Response(status=401, text="This needs the key of a seat or of the GM.\n")
        try:
            if (request.content_length or 0) > MOST_BYTES:
                raise _TooLarge
            digest = await self._taken(request)
        except TimeoutError:
            return self._refusal("busy")
        except Exception as error:
            why = getattr(error, "why", None)
            if why is None:
                raise
            return self._refusal(why)
        return _json({"digest": digest}, 200)

    async def _taken(self, request: web.Request) -> str:
        async with asyncio.timeout(_WAIT_S):
            await self._places.acquire()
        try:
            async with asyncio.timeout(_SEND_S):
                body = bytearray()
                async for part in request.content.iter_any():
                    body += part
                    if len(body) > MOST_BYTES:
                        raise _TooLarge
            return await self._pictures.keep(bytes(body))
        finally:
            self._places.release()

    def _refusal(self, why: str) -> web.Response:
        said = self._assets.text(f"look.picture.{why}")
        return _json({"why": why, "said": said}, _STATUS.get(why, 500))


def _json(values: dict[str, str], status: int) -> web.Response:
    return web.Response(
        status=status, text=json.dumps(values) + "\n", content_type="application/json"
    )
