"""The set-up page of a clock without settings: its own Wi-Fi network, with one page.

Every address leads phones in the network to the page (the DNS has only one answer). The page
writes ``clock.json`` and restarts the clock. Requests are limited in size, time and number. No
password is needed, because the network exists only while the clock has no settings, or for a while
after its button was held.
"""

import asyncio
import json
import os
import socket
import time

import machine
import network
from led_clock.form import MOST_BYTES, Draft, typed_in
from led_clock.settings import FILE, Wrong, stands
from led_clock.words import ENGLISH, GERMAN, asked, told

HTTP_PORT, DNS_PORT = 80, 53
ADDRESS = "192.168.4.1"
IDLE_S = 600
"""A clock with usable settings goes back to work after this long without a visitor."""
_ANSWER_S = 10
"""Time limit for a request and its answer."""
_MOST_HEAD = 4096
_MOST_AT_ONCE = 4
_CHUNK = 256


def answer_to(question: bytes) -> bytes:
    """The DNS answer that leads to this board; empty if ``question`` is no question."""
    if len(question) < 17 or question[2] & 0x80 or question[4:6] != b"\0\1":
        return b""
    end = 12
    while end < len(question) and question[end]:
        end += question[end] + 1
    end += 5
    if end > len(question):
        return b""
    here = bytes([int(part) for part in ADDRESS.split(".")])
    head = question[:2] + b"\x81\x80\0\1\0\1\0\0\0\0"
    return head + question[12:end] + b"\xc0\x0c\0\1\0\1\0\0\0\x1e\0\4" + here


def saved(language: str) -> str:
    """The page shown after saving."""
    words = GERMAN if language == "de" else ENGLISH
    return (
        '<!doctype html><html lang="%s"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>%s</title>'
        "<h1>%s</h1><p>%s</p></html>"
    ) % (language, words["saved"], words["saved"], words["starts"])


def save(said: dict, file: str = FILE) -> None:
    """Save the settings completely or not at all, even if the power fails."""
    with open(file + ".new", "w") as opened:
        json.dump(said, opened)
    os.rename(file + ".new", file)


class Portal:
    """The page and its DNS."""

    def __init__(self, why: Wrong, works: bool = False) -> None:
        """``why``: the reason for the page; ``works``: whether the stored settings can be used."""
        self._why, self._works = why, works
        self._draft = Draft(stands())
        self._open = []  # the tasks of its connections, oldest first
        self._seen = time.ticks_ms()
        self.saved = asyncio.Event()

    async def run(self) -> None:
        """Run until settings are saved, or visitors stop coming; then the board resets."""
        name = "facedown-clock-" + "".join(["%02x" % each for each in machine.unique_id()[-2:]])
        point = network.WLAN(network.AP_IF)
        point.config(essid=name, security=0)
        point.active(True)
        await asyncio.start_server(self._serve, "0.0.0.0", HTTP_PORT)
        print("clock: %s; join the Wi-Fi %s and open http://%s" % (self._why, name, ADDRESS))
        naming = asyncio.create_task(self._name())
        self._seen = time.ticks_ms()
        while not self.saved.is_set() and not self._left_alone():
            await asyncio.sleep_ms(200)
        await asyncio.sleep(1)
        naming.cancel()
        machine.reset()

    def _left_alone(self) -> bool:
        if not self._works or time.ticks_diff(time.ticks_ms(), self._seen) < IDLE_S * 1000:
            return False
        print("clock: nobody sets it up; it goes back to work")
        return True

    async def _name(self) -> None:
        door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        door.setblocking(False)
        door.bind(socket.getaddrinfo("0.0.0.0", DNS_PORT)[0][-1])
        while True:
            wait_ms = 0  # let other tasks run, however many questions come
            try:
                question, who = door.recvfrom(256)
                answer = answer_to(question)
                if answer:
                    door.sendto(answer, who)
            except OSError:
                wait_ms = 50
            await asyncio.sleep_ms(wait_ms)

    async def _serve(self, reader: object, writer: object) -> None:
        task = asyncio.current_task()
        self._open.append(task)
        if len(self._open) > _MOST_AT_ONCE:
            self._open.pop(0).cancel()
        try:
            await asyncio.wait_for(self._talk(reader, writer), _ANSWER_S)
        except (OSError, EOFError, ValueError, MemoryError, asyncio.TimeoutError):
            pass
        finally:
            if task in self._open:
                self._open.remove(task)
            writer.close()
            await writer.wait_closed()

    async def _talk(self, reader: object, writer: object) -> None:
        status, said = await self._answer(reader)
        data = said.encode()
        head = "HTTP/1.0 %s\r\nContent-Type: text/html; charset=utf-8\r\n" % status
        if status[:1] == "3":
            head += "Location: http://%s/\r\n" % ADDRESS
        writer.write((head + "Content-Length: %d\r\n\r\n" % len(data)).encode() + data)
        await writer.drain()

    async def _answer(self, reader: object) -> tuple:
        lines, body = await _head(reader)
        if lines is None:
            return "431 Too Large", ""
        words = lines[0].split(" ")
        size, language = None, "en"
        for line in lines[1:]:
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                size = int(value)
            elif name.lower() == "accept-language":
                language = asked(value)
        if words[1] != "/":  # phones probe like this for a redirect
            return "302 Found", ""
        self._seen = time.ticks_ms()
        if words[0] != "POST":
            return "200 OK", self._draft.page(told(self._why, language), language)
        if size is None:
            return "411 Length Required", ""
        if not 0 <= size <= MOST_BYTES:
            return "413 Too Large", ""
        if len(body) < size:
            body += await reader.readexactly(size - len(body))
        return self._take(body[:size], language)

    def _take(self, body: bytes, language: str) -> tuple:
        try:
            found = self._draft.settings(typed_in(body))
        except Wrong as wrong:
            return "400 Bad Request", self._draft.page(told(wrong, language), language)
        if not self._works or found != stands():  # flash memory wears
            save(found)
        self.saved.set()
        return "200 OK", saved(language)


async def _head(reader: object) -> tuple:
    """A request's lines, or None for too many, and the part of its body already received.

    Raises EOFError and ValueError for an invalid request.
    """
    data = b""
    while True:
        if b"\n" in data and b" " not in data.split(b"\n", 1)[0]:
            raise ValueError
        end = data.find(b"\r\n\r\n")
        if end >= 0:
            return data[:end].decode().split("\r\n"), data[end + 4 :]
        if len(data) > _MOST_HEAD:
            return None, b""
        more = await reader.read(_CHUNK)
        if not more:
            raise EOFError
        data += more
