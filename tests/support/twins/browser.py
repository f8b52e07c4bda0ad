"""Browsers within the process: connections without a network, with every byte recorded."""

import asyncio
import json
from typing import Any

import msgspec

from tests.support.twins.moment import ADDRESS, Caller, MomentLoop
from tests.support.twins.telling import Framed, Telling

HOST = "127.0.0.1:8080"
_MASK = b"\x11\x22\x33\x44"
_TEXT, _CLOSE, _PING, _PONG = 1, 8, 9, 10


class _Wire(asyncio.Transport):
    """The server's end of a connection."""

    def __init__(self, line: "Line", peer: tuple[str, int]) -> None:
        super().__init__({"peername": peer, "sockname": ADDRESS})
        self._line = line
        self._closing = False
        self._protocol: Any = None
        self._unread: list[bytes] = []

    def begin(self, protocol: Any) -> None:
        """Let ``protocol`` serve the connection from now on."""
        self._protocol = protocol
        protocol.connection_made(self)
        unread, self._unread = self._unread, []
        for data in unread:
            self.feed(data)

    def feed(self, data: bytes) -> None:
        """Deliver bytes that the browser has sent."""
        if self._protocol is None:
            self._unread.append(data)
        elif not self._closing:
            self._protocol.data_received(data)

    def gone(self) -> None:
        """Close the connection because the browser has left."""
        self._closing = True
        if self._protocol is not None:
            self._protocol.connection_lost(None)

    def write(self, data: Any) -> None:
        if not self._closing:
            self._line.hear(bytes(data))

    def writelines(self, parts: Any) -> None:
        self.write(b"".join(parts))

    def close(self) -> None:
        self._end("closed")

    def abort(self) -> None:
        self._end("aborted")

    def _end(self, how: str) -> None:
        if not self._closing:
            self._closing = True
            self._line.ended(how)
            if self._protocol is not None:
                asyncio.get_running_loop().call_soon(self._protocol.connection_lost, None)

    def is_closing(self) -> bool:
        return self._closing

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._protocol = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        return self._protocol

    def is_reading(self) -> bool:
        return True

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


class Line:
    """One connection of a browser: a request, its answer, perhaps a stream after it."""

    def __init__(
        self, loop: MomentLoop, telling: Telling, name: str, peer: str, *, scrapes: bool = False
    ) -> None:
        """``scrapes``: connect as Prometheus does, not where the pages are served."""
        self.name, self.alive = name, True
        self.head, self.body = b"", b""
        self.frames: dict[tuple[str, str], Any] = {}
        """The newest frame of each type."""
        self.replies: list[dict[str, Any]] = []
        self._asked: set[str] = set()
        self._telling = telling
        self._wire = _Wire(self, (peer, 50_000))
        if scrapes:
            assert loop.serving is not None, "nobody is there to be scraped"
            self._wire.begin(loop.serving())
        else:
            loop.listening.call(Caller(self._wire, (peer, 50_000)))

    # The server's side

    def hear(self, data: bytes) -> None:
        if not self.alive:
            return
        self._telling.note(f"web {self.name}", data)
        self.body += data
        if not self.head and b"\r\n\r\n" in self.body:
            self.head, _, self.body = self.body.partition(b"\r\n\r\n")
        if self.status == 101:
            self._read_frames()

    def ended(self, how: str) -> None:
        if self.alive:
            self._telling.note(f"web {self.name}", f"({how})".encode())
        self.alive = False

    # The browser's side

    @property
    def status(self) -> int:
        return int(self.head.split()[1]) if self.head else 0

    def header(self, name: str) -> str:
        for line in self.head.decode().split("\r\n")[1:]:
            key, _, value = line.partition(": ")
            if key.lower() == name.lower():
                return value
        return ""

    def request(self, method: str, path: str, **headers: str) -> None:
        lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}"]
        lines += [f"{key.replace('_', '-')}: {value}" for key, value in headers.items() if value]
        self._send("\r\n".join([*lines, "", ""]).encode())

    def say(self, message: Any) -> None:
        text = message if isinstance(message, str) else json.dumps(message)
        if isinstance(message, dict):
            self._asked.add(str(message.get("command", {}).get("id", "")))
        self._send_frame(_TEXT, text.encode())

    def leave(self) -> None:
        """Drop the connection without a closing handshake."""
        if self.alive:
            self.alive = False
            self._wire.gone()

    def _send(self, data: bytes) -> None:
        if self.alive:
            self._wire.feed(data)

    def _send_frame(self, opcode: int, data: bytes) -> None:
        size = len(data)
        head = bytes([0x80 | opcode])
        head += bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
        masked = bytes(byte ^ _MASK[at % 4] for at, byte in enumerate(data))
        self._send(head + _MASK + masked)

    def _read_frames(self) -> None:
        while len(self.body) >= 2:
            opcode, size, at = self.body[0] & 15, self.body[1] & 127, 2
            if size > 125:
                at = 4 if size == 126 else 10
                size = int.from_bytes(self.body[2:at], "big")
            if len(self.body) < at + size:
                return
            data, self.body = self.body[at : at + size], self.body[at + size :]
            if opcode == _TEXT:
                self._read(data)
            elif opcode in {_PING, _CLOSE}:
                answer = _PONG if opcode == _PING else _CLOSE
                asyncio.get_running_loop().call_soon(self._send_frame, answer, data)

    def _read(self, data: bytes) -> None:
        frame = msgspec.json.decode(data)
        if frame["type"] == "reply":
            self.replies.append(frame)
        asked = frame.get("id") in self._asked
        self._telling.frames.append(Framed(self.name, data, asked))
        self.frames[frame["type"], str(frame.get("seat", ""))] = frame


class Browser:
    """One browser: its cookie, and the connections that it makes."""

    def __init__(self, loop: MomentLoop, telling: Telling, name: str, peer: str) -> None:
        self._loop, self._telling = loop, telling
        self._name, self._peer = name, peer
        self._cookie = ""

    async def get(self, path: str, method: str = "GET") -> Line:
        line = Line(self._loop, self._telling, f"{self._name} {path.partition('?')[0]}", self._peer)
        origin = "" if method == "GET" else f"http://{HOST}"
        line.request(method, path, Cookie=self._cookie, Origin=origin)
        await self._loop.rest()
        if cookie := line.header("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        line.leave()
        return line

    async def follow(self, path: str) -> Line:
        line = Line(self._loop, self._telling, f"{self._name} {path}", self._peer)
        line.request(
            "GET", path, Cookie=self._cookie, Origin=f"http://{HOST}", Connection="Upgrade",
            Upgrade="websocket", Sec_WebSocket_Version="13",
            Sec_WebSocket_Key="dGhlIHNhbXBsZSBub25jZQ==",
        )  # fmt: skip
        await self._loop.rest()
        return line
