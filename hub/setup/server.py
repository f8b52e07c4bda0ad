"""Serves the page that sets a table up, to one browser at a time.

It is a small server of its own. By default it listens to this machine only; if other machines may
open the page, the printed key is needed. After each change the server sends one frame with all
questions of :mod:`hub.setup.asking`; a page sends one answer or one request at a time.
"""

import asyncio
import logging
import re
import secrets
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, cast

import msgspec
from aiohttp import WSMsgType, web

from hub.cards.deck import MAX_DECK_BYTES
from hub.config.starter import Plan
from hub.daemon.ending import Ending
from hub.kernel.faults import Faulty
from hub.kernel.reasons import Reason
from hub.mdns.addresses import lan_address
from hub.setup.asking import step_of, steps_of
from hub.setup.broker import broker_fault
from hub.setup.draft import Draft, Refused
from hub.setup.hearing import RollCall
from hub.setup.making import (
    folder_fault,
    free_port,
    lying_there,
    make,
    next_commands,
    port_fault,
    summary,
)
from hub.setup.questions import SetupReason, language_of, page_texts, text
from hub.web.assets import Assets
from hub.web.connection_limits import ConnectionLimits, limits_of
from hub.web.gate import Gate
from hub.web.guard import Guard, Proxies, add_headers, by_somebody
from hub.web.keys import AddressLimit, Keys, new_key

log = logging.getLogger(__name__)

_ROLE = "setup"
_PLACES = 40
_MAX_FRAME_BYTES = MAX_DECK_BYTES + 256 * 1024
_MAX_SESSIONS = 16
_WRONG_KEYS_PER_MINUTE = 5
_SEND_S = 10.0
_LINGER_S = 0.5
_LOOPBACK, _EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - who asks for it wants it


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """A message from a page. ``do``: what the page asks for; ``name`` and ``value``: for an answer,
    its question and the answer itself."""

    do: str
    name: str = ""
    value: msgspec.Raw = msgspec.Raw(b"null")


class Made(msgspec.Struct, frozen=True):
    """The result of the set-up: the folder of a table was made by this ``plan``, in this
    ``language``."""

    plan: Plan
    language: str
    console_key: str
    """The key of the GM's console, to which the page links; empty unless this process becomes the
    table."""

    def __repr__(self) -> str:
        return "Made(…)"


class SetupServer:
    """The server, as an async context manager. ``starts``: this process will become the table, and
    the page links to its console."""

    def __init__(
        self,
        folder: Path,
        draft: Draft,
        *,
        host: str = _LOOPBACK,
        port: int = 0,
        starts: bool = False,
    ) -> None:
        self._folder, self._draft, self._host, self._wanted = folder, draft, host, port
        self._keys = None if host == _LOOPBACK else Keys([_ROLE])
        self._sessions: list[str] = []
        self._wrong = AddressLimit(_WRONG_KEYS_PER_MINUTE, time.monotonic)
        self._assets = Assets()
        self._gate = Gate(ConnectionLimits(limits_of(_PLACES)), Proxies(()))
        self._runner: web.AppRunner | None = None
        self.port = 0
        self._page: web.WebSocketResponse | None = None
        self._greeted = False
        self._why = ""
        """Why the page's last message was refused, or the last card does not count; else
        empty."""
        self._broker = ""
        self._over: list[str] = []
        self._console_key = new_key() if starts else ""
        self._done: asyncio.Future[Made] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()
        self._roll = RollCall(draft, self._news.set)
        self._telling: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Begin to listen. Raises :class:`OSError` if the address or the port is not available."""
        own = set() if self._host == _EVERYWHERE else {self._host}
        app = web.Application(middlewares=[Guard(own).middleware], client_max_size=4096)
        app.on_response_prepare.append(add_headers)
        app.on_shutdown.append(self._leave)
        app.router.add_get("/", self._index)
        app.router.add_get("/ws", self._follow)
        app.router.add_get("/static/{path:.+}", self._static)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        try:
            serve = cast("web.Server", self._runner.server)
            self.port = await self._gate.open(self._host, self._wanted, serve)
        except BaseException:
            await self._runner.cleanup()
            raise
        await self._roll.listen()
        self._telling = asyncio.create_task(self._tell(), name="setup")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._gate.close()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()
        await self._roll.deafen()

    def address(self, name: str) -> str:
        """The page's address, with its key if it needs one. ``name``: this machine's name or
        address."""
        key = f"?key={self._keys.of(_ROLE)}" if self._keys else ""
        return f"http://{name}:{self.port}/{key}"

    async def written(self) -> Made:
        """Wait until a folder has been made, and return the result."""
        made = await self._done
        await asyncio.sleep(_LINGER_S)  # let the page receive the result and fetch the rest
        return made

    # Pages

    async def _index(self, request: web.Request) -> web.Response:
        key = request.query.get("key")
        if self._keys is not None and key is not None:
            return self._exchange(request, key.strip().rpartition("key=")[2])
        if not self._let_in(request):
            return self._locked(401)
        return self._assets.respond(request, "setup.html")

    def _let_in(self, request: web.Request) -> bool:
        return self._keys is None or request.cookies.get(self._cookie, "") in self._sessions

    def _exchange(self, request: web.Request, key: str) -> web.Response:
        address = request.remote or ""
        if not by_somebody(request):
            return self._locked(403)
        if self._keys is None or self._keys.opened_by(key, _ROLE) is None:
            lost = self._wrong.exceeded(address)
            self._wrong.note(address)
            return self._locked(429 if lost else 403)
        session = secrets.token_urlsafe(24)
        self._sessions = [*self._sessions, session][-_MAX_SESSIONS:]
        response = web.Response(status=303, headers={"Location": "/"})
        response.set_cookie(self._cookie, session, path="/", httponly=True, samesite="Strict")
        return response

    def _locked(self, status: int) -> web.Response:
        words = text(self._draft.language, "say.locked")
        return web.Response(status=status, text=f"{words}\n")

    @property
    def _cookie(self) -> str:
        return f"facedown-setup-{self.port}"

    async def _static(self, request: web.Request) -> web.Response:
        return await self._assets.answer(request, request.match_info["path"])

    async def _follow(self, request: web.Request) -> web.StreamResponse:
        if not self._let_in(request) or not Guard.own_origin(request):
            return web.Response(status=401, text="This page needs its key.\n")
        page = web.WebSocketResponse(max_msg_size=_MAX_FRAME_BYTES, heartbeat=20)
        await page.prepare(request)
        if not self._greeted:
            self._greeted = True
            tags = re.findall(r"[A-Za-z-]+", request.headers.get("Accept-Language", "")[:200])
            self._draft.answer("language", language_of(*tags))
        if self._page is None:
            self._take(page)
        else:
            await self._send(page, {"type": "busy", **self._words()})
        try:
            async for message in page:
                if message.type is not WSMsgType.TEXT:
                    break
                await self._hear(page, message.data)
        finally:
            if self._page is page:
                self._page = None
        return page

    def _take(self, page: web.WebSocketResponse) -> None:
        self._page = page
        self._news.set()

    async def _leave(self, _: web.Application) -> None:
        if self._page is not None:
            await self._page.close()

    # Wishes of a page

    async def _hear(self, page: web.WebSocketResponse, data: str) -> None:
        try:
            wish = msgspec.json.decode(data, type=Wish)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return
        if page is not self._page:
            if wish.do == "take-over":
                before, self._page = self._page, None
                self._take(page)
                if before is not None:
                    await self._send(before, {"type": "busy", **self._words()})
            return
        self._why = ""
        try:
            await self._do(wish)
        except Refused as error:
            self._why = error.reason.told(self._draft.language)
        except (KeyError, msgspec.DecodeError, RecursionError):
            return
        self._news.set()

    async def _do(self, wish: Wish) -> None:
        match wish.do:
            case "answer":
                self._over = []
                if wish.name.startswith("broker"):
                    self._broker = ""
                self._draft.answer(wish.name, msgspec.json.decode(wish.value))
            case "look-again":
                self._roll.stop()
                await self._roll.listen()
            case "tell-apart":
                self._roll.begin()
            case "skip":
                self._roll.skip()
            case "stop":
                self._roll.stop()
            case "try-broker":
                broker = self._draft.broker()
                why = await broker_fault(broker) if broker and self._sound("broker") else None
                self._broker = self._said(why) or text(self._draft.language, "say.broker-answers")
            case "write":
                await self._write(over=wish.name == "over")

    def _sound(self, step: str) -> bool:
        return step_of(self._draft, step).sound

    def _said(self, why: Reason | None) -> str:
        return why.told(self._draft.language) if why else ""

    # The folder

    async def _write(self, *, over: bool) -> None:
        draft, folder = self._draft, self._folder
        if self._done.done() or draft.faults():
            return
        plan = draft.plan()
        why = folder_fault(folder, plan.name)
        if why is None and plan.port not in (0, self.port):
            why = port_fault(plan.port, phones=plan.phones)
            if why is not None:
                draft.answer("port", free_port(plan.port))
        if why is not None:
            raise Refused(why)
        self._over = [str(each) for each in lying_there(folder, plan)]
        if self._over and not over:
            return
        try:
            await self._roll.deafen()
            make(folder, plan)
        except Faulty as error:
            self._why = str(error)
            await self._roll.listen()
        except OSError as error:
            await self._roll.listen()
            file = str(error.filename or folder)
            raise Refused(
                SetupReason("not-written", file=file, fault=str(error.strerror))
            ) from None
        else:
            self._over = []
            self._done.set_result(Made(plan, draft.language, self._console_key))

    # Frames for a page

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            found, why = self._roll.notice()
            if found or why:
                self._why = self._said(why)
            if self._page is not None:
                await self._send(self._page, self._form())

    def _words(self) -> dict[str, Any]:
        language = self._draft.language
        return {"language": language, "texts": page_texts(language)}

    def _form(self) -> Mapping[str, Any]:
        draft, written = self._draft, self._done.done()
        steps = steps_of(draft)
        sound = all(step.sound for step in steps)
        told = summary(self._folder, draft.plan(), draft.language) if sound and not written else []
        return {
            "type": "form",
            **self._words(),
            "steps": msgspec.to_builtins(steps),
            "devices": self._roll.devices(),
            "asks": self._roll.seat,
            "broker": self._broker,
            "why": self._why,
            "over": self._over,
            "summary": told,
            "made": self._after() if written else None,
        }

    def _after(self) -> Mapping[str, Any]:
        made = self._done.result()
        address = f":{made.plan.port}/gm" if made.plan.port else ""
        if address and made.console_key:
            address += f"?key={made.console_key}"
        return {
            "next": next_commands(self._folder, made.plan, made.language),
            "console": address,
            "starts": bool(made.console_key),
        }

    async def _send(self, page: web.WebSocketResponse, frame: Mapping[str, Any]) -> None:
        try:
            async with asyncio.timeout(_SEND_S):
                await page.send_str(msgspec.json.encode(frame).decode())
        except (TimeoutError, ConnectionError, RuntimeError):
            if self._page is page:
                self._page = None


def set_up(
    folder: Path,
    ending: Ending,
    *,
    language: str,
    lan: bool = False,
    port: int = 8080,
    starts: bool = False,
) -> Made | None:
    """Serve the page until a folder has been made. Returns None if the process is asked to end
    before.

    ``lan``: other machines may open the page too, with a key. If ``port`` is taken, another one is
    used. ``starts``: this process will become the table.
    """
    made: list[Made] = []
    draft = Draft(name=folder.absolute().name, language=language)
    if lan:
        draft.answer("phones", True)

    async def serve() -> int:
        host = _EVERYWHERE if lan else _LOOPBACK
        server = SetupServer(folder, draft, host=host, port=port, starts=starts)
        try:
            await server.__aenter__()
        except OSError:
            another = free_port(port)
            server = SetupServer(folder, draft, host=host, port=another, starts=starts)
            await server.__aenter__()
        draft.answer("port", server.port)  # free again when the table starts
        try:
            address = server.address(lan_address() or _LOOPBACK if lan else _LOOPBACK)
            print(text(language, "say.open", address=address), file=sys.stderr, flush=True)
            made.append(await server.written())
        finally:
            await server.__aexit__()
        return 0

    ending.run(serve())
    return made[0] if made else None
