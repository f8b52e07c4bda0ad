"""Looks names up in the background.

On a board ``getaddrinfo`` blocks everything until there is an answer, and a thread for it is not
safe on an RP2040, where two threads run at once.

Ref: RFC 1035 §4.1 (messages), RFC 6762 §6.7 (``.local``, asked by multicast), RFC 6761 §6.3.
"""

import asyncio
import os
import socket
import struct
import time

DNS_PORT, MDNS_PORT = 53, 5353
WAIT_S = 30
"""How long a question is repeated, at growing intervals, before it is given up."""
_KNOWN_WAIT_MS = 2000
"""How long to wait for a new answer if an old one is known."""
_GROUP = "224.0.0.251"
_LOOK_MS = 50
_NO_NAME = 3


class Names:
    """Finds addresses by name, and remembers them. ``server()``: the network's name server."""

    def __init__(self, server: object) -> None:
        self._server = server
        self._known, self._tasks = {}, {}

    async def find(self, name: str) -> str:
        """The address of ``name``; the last known one if no answer comes soon. Raises OSError."""
        if name == "localhost":
            return "127.0.0.1"
        if ":" in name or _is_address(name):
            return name
        task = self._tasks.get(name)
        if task is None or task.done():
            task = self._tasks[name] = asyncio.create_task(self._ask(name))
        began = time.ticks_ms()
        while not task.done():
            waited = time.ticks_diff(time.ticks_ms(), began)
            if name in self._known and waited > _KNOWN_WAIT_MS:
                break
            await asyncio.sleep_ms(_LOOK_MS)
        if name not in self._known:
            raise OSError("no address for " + name)
        return self._known[name]

    async def _ask(self, name: str) -> None:
        local = name.lower().rstrip(".").endswith(".local")
        server = _GROUP if local else self._server()
        number = os.urandom(2)
        asking = None
        try:
            question = _question(number, name)
            where = socket.getaddrinfo(server, MDNS_PORT if local else DNS_PORT)[0][-1]
            if server == "0.0.0.0":
                return
            asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            if not local:
                asking.connect(where)  # accepts answers from this server only
            asking.setblocking(False)
            await self._try(name, number, lambda: asking.sendto(question, where), asking)
        except (OSError, ValueError):
            pass
        finally:
            if asking is not None:
                asking.close()

    async def _try(self, name: str, number: bytes, ask: object, asking: object) -> None:
        began, due_ms = time.ticks_ms(), 0
        while True:
            waited = time.ticks_diff(time.ticks_ms(), began)
            if waited > WAIT_S * 1000:
                return
            if waited >= due_ms:
                ask()
                due_ms = 2 * due_ms + 1000
            await asyncio.sleep_ms(_LOOK_MS)
            try:
                answer = asking.recv(512)
            except OSError:
                continue
            if answer[:2] != number or len(answer) < 12 or not answer[2] & 0x80:
                continue
            try:
                found = _address_in(answer)
            except (IndexError, ValueError):
                continue
            if found:
                self._known[name] = found
            if found or answer[3] & 15 in (0, _NO_NAME):
                return


def _is_address(name: str) -> bool:
    parts = name.split(".")
    return len(parts) == 4 and all(part.isdigit() for part in parts)


def _question(number: bytes, name: str) -> bytes:
    """The question for an IPv4 address of ``name``. Raises ValueError for an impossible name."""
    said = number + b"\1\0\0\1\0\0\0\0\0\0"
    for word in name.rstrip(".").split("."):
        data = word.encode()
        if not 0 < len(data) < 64:
            raise ValueError
        said += bytes([len(data)]) + data
    return said + b"\0\0\1\0\1"


def _past_name(said: bytes, at: int) -> int:
    while said[at]:
        if said[at] >= 0xC0:
            return at + 2
        at += said[at] + 1
    return at + 1


def _address_in(said: bytes) -> str:
    """The first address of an answer; empty for none. Raises IndexError and ValueError."""
    asked, told = struct.unpack(">HH", said[4:8])
    at = 12
    for _ in range(asked):
        at = _past_name(said, at) + 4
    for _ in range(told):
        at = _past_name(said, at)
        if len(said) < at + 10:
            raise ValueError
        kind, of, _, size = struct.unpack(">HHIH", said[at : at + 10])
        data = said[at + 10 : at + 10 + size]
        at += 10 + size
        if len(data) < size:
            raise ValueError
        if kind == 1 and of & 0x7FFF == 1:
            if size != 4:
                raise ValueError
            return "%d.%d.%d.%d" % tuple(data)
    return ""
