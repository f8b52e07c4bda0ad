"""The page that sets a table up: a small server of its own, for one page at a time.

It listens on this machine alone, or, asked for other addresses, lets in only whoever has the key
that is printed. What it shows are the questions of :mod:`hub.setup.asking`, in one frame
whenever something has changed; what a page sends is one answer or one request.
"""

import asyncio
import logging
import re
import secrets
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self, cast

import msgspec
from aiohttp import WSMsgType, web

from hub.cards.deck import MAX_DECK_BYTES
from hub.readers.devices import serial_devices
from hub.rules.faults import Faulty
from hub.rules.reasons import Reason
from hub.setup.asking import step_of, steps_of
from hub.setup.broker import broker_fault
from hub.setup.draft import SIMULATED, Draft, Refused
from hub.setup.hearing import Asked, Hearing
from hub.setup.making import folder_fault, free_port, lying_there, make, next_commands, port_fault
from hub.setup.summary import summary
from hub.setup.words import SetupReason, language_of, page_texts, text
from hub.web.assets import Assets
from hub.web.gate import Gate
from hub.web.guard import Guard, add_headers, by_somebody
from hub.web.keys import AddressLimit, Keys
from hub.web.places import Places, limits_of
from hub.web.proxies import Proxies

log = logging.getLogger(__name__)

_ROLE = "setup"
_PLACES = 40
_MAX_FRAME_BYTES = MAX_DECK_BYTES + 256 * 1024
_MAX_SESSIONS = 16
_WRONG_KEYS_PER_MINUTE = 5
_SEND_S = 10.0
_LINGER_S = 0.5
_LOOPBACK = "127.0.0.1"


class Wish(msgspec.Struct, forbid_unknown_fields=True):
    """What a page sends."""

    do: str
    name: str = ""
    value: msgspec.Raw = msgspec.Raw(b"null")


class SetupServer:
    """A context manager; :meth:`written` waits until a folder has been made."""

    def __init__(self, folder: Path, draft: Draft, *, host: str = _LOOPBACK, port: int = 0) -> None:
        self._folder, self._draft, self._host, self._wanted = folder, draft, host, port
        self._keys = None if host == _LOOPBACK else Keys([_ROLE])
        self._sessions: list[str] = []
        self._wrong = AddressLimit(_WRONG_KEYS_PER_MINUTE, time.monotonic)
        self._assets = Assets()
        self._gate = Gate(Places(limits_of(_PLACES)), Proxies(()))
        self._runner: web.AppRunner | None = None
        self.port = 0
        self._page: web.WebSocketResponse | None = None
        self._greeted = False
        self._hearing: Hearing | None = None
        self._asked: Asked | None = None
        self._to_ask: list[tuple[str, str]] = []
        self._taken: dict[str, str] = {}
        self._why = ""
        """What is wrong with the last wish, or with what is heard."""
        self._broker = ""
        self._over: list[str] = []
        self._done: asyncio.Future[Path] = asyncio.get_running_loop().create_future()
        self._news = asyncio.Event()
        self._telling: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Listen. Raises :class:`OSError` when the address or the port cannot be had."""
        own = set() if self._host == "0.0.0.0" else {self._host}  # noqa: S104 - compared with
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
        await self._listen()
        self._telling = asyncio.create_task(self._tell(), name="setup")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._gate.close()
        if self._telling is not None:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)
        if self._runner is not None:
            await self._runner.cleanup()
        await self._deafen()

    def address(self, name: str) -> str:
        """Where the page is, for ``name``: this machine's; with its key, if it needs one."""
        key = f"?key={self._keys.of(_ROLE)}" if self._keys else ""
        return f"http://{name}:{self.port}/{key}"

    async def written(self) -> Path:
        """The configuration of the folder, once there is one."""
        path = await self._done
        await asyncio.sleep(_LINGER_S)  # the page hears of it, and has what it still wants
        return path

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
        return self._assets.respond(request, request.match_info["path"])

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

    # What a page wishes

    async def _hear(self, page: web.WebSocketResponse, data: str) -> None:
        try:
            wish = msgspec.json.decode(data, type=Wish)
        except msgspec.DecodeError:
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
        except (KeyError, msgspec.DecodeError):
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
                self._stop_asking()
                await self._listen()
            case "tell-apart":
                self._begin_asking()
            case "skip":
                self._next_seat()
            case "stop":
                self._stop_asking()
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

    # Readers

    async def _listen(self) -> None:
        """Open whatever is plugged in now."""
        await self._deafen()
        loop = asyncio.get_running_loop()

        def news() -> None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._news.set)

        self._hearing = Hearing(serial_devices(), news).__enter__()
        self._draft.devices = [each.address for each in self._hearing.all()]

    async def _deafen(self) -> None:
        hearing, self._hearing = self._hearing, None
        if hearing is not None:
            await asyncio.to_thread(hearing.__exit__)

    def _begin_asking(self) -> None:
        self._taken = {}
        self._to_ask = [*self._draft.reader_keys().items()]
        for key, _ in self._to_ask:
            self._draft.answer(key, SIMULATED)
        self._next_seat(begins=True)

    def _next_seat(self, *, begins: bool = False) -> None:
        if not begins and self._to_ask:
            self._to_ask.pop(0)
        heard = self._hearing.all() if self._hearing else []
        works = sum(each.answers is True for each in heard)
        if self._to_ask and len(self._taken) < works:
            self._asked = Asked(self._to_ask[0][1], heard)
        else:
            self._stop_asking()

    def _stop_asking(self) -> None:
        self._asked, self._to_ask = None, []

    def _notice(self) -> None:
        """Whether the reader that is asked for was found."""
        if self._asked is None or self._hearing is None:
            return
        address, why = self._asked.answer(self._hearing.all(), self._taken)
        self._why = self._said(why) if why else self._why
        if address is not None:
            key, seat = self._to_ask[0]
            self._why = ""
            self._taken[address] = seat
            self._draft.answer(key, address)
            self._next_seat()

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
            await self._deafen()
            path = make(folder, plan)
        except Faulty as error:
            self._why = str(error)
            await self._listen()
        except OSError as error:
            await self._listen()
            file = str(error.filename or folder)
            raise Refused(
                SetupReason("not-written", file=file, fault=str(error.strerror))
            ) from None
        else:
            self._over = []
            self._done.set_result(path)

    # What a page is shown

    async def _tell(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            self._notice()
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
        devices = self._hearing.all() if self._hearing else []
        return {
            "type": "form",
            **self._words(),
            "steps": msgspec.to_builtins(steps),
            "devices": [
                {
                    "name": each.address.rpartition("/")[2],
                    "answers": each.answers,
                    "why": each.why,
                    "lies": bool(each.tags),
                }
                for each in devices
            ],
            "asks": self._asked.seat if self._asked else "",
            "broker": self._broker,
            "why": self._why,
            "over": self._over,
            "summary": told,
            "next": next_commands(self._folder) if written else [],
        }

    async def _send(self, page: web.WebSocketResponse, frame: Mapping[str, Any]) -> None:
        try:
            async with asyncio.timeout(_SEND_S):
                await page.send_str(msgspec.json.encode(frame).decode())
        except (TimeoutError, ConnectionError, RuntimeError):
            if self._page is page:
                self._page = None
