"""The set-up page of a clock that has no settings yet: a network of its own, with one page.

Whoever joins it is led there whatever address they ask for (a DNS that knows one answer). The page
writes ``clock.json`` and starts the clock anew. Requests are bounded, and nobody is asked for a
password: the network is there only while the clock has no settings, or its button was held.
"""

import asyncio
import json
import os
import socket

import machine
import network
from led_clock.settings import FILE, NUMBERS, TEXTS, Settings, Wrong
from led_clock.words import ENGLISH, GERMAN, asked, told

HTTP_PORT, DNS_PORT = 80, 53
ADDRESS = "192.168.4.1"
_MOST_HEAD = 4096
_MOST_BODY = 2048
_ASKED = (
    "wifi",
    "wifi_password",
    "host",
    "port",
    "username",
    "password",
    "table",
    "name",
    "shows",
    "of",
    "display",
    "pin",
    "pin2",
    "lights",
    "brightness",
)
_SECRET = ("wifi_password", "password")


def escaped(text: str) -> str:
    """As it may stand in HTML."""
    for sign, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(sign, name)
    return text


def unquoted(text: str) -> str:
    """Out of a form. Raises ValueError."""
    parts = text.replace("+", " ").encode().split(b"%")
    data = parts[0]
    for part in parts[1:]:
        data += bytes([int(part[:2], 16)]) + part[2:]
    return data.decode()


def settings_of(body: bytes) -> dict:
    """What a form says, with numbers as numbers. Raises :class:`Wrong`."""
    found = {}
    try:
        for pair in body.decode().split("&"):
            key, _, value = pair.partition("=")
            key, value = unquoted(key), unquoted(value).strip()
            if value and (key in NUMBERS or key in TEXTS):
                found[key] = int(value) if key in NUMBERS else value
    except ValueError:
        raise Wrong("the form could not be read; numbers are written in digits")
    Settings(found)
    return found


def answer_to(question: bytes) -> bytes:
    """DNS: whatever was asked for is here. Empty for what is no question."""
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


def page(said: dict, wrong: str, language: str = "en") -> str:
    """The form, with what was said before and what is wrong with it."""
    words = GERMAN if language == "de" else ENGLISH
    rows = []
    for key in _ASKED:
        default = NUMBERS[key][0] if key in NUMBERS else TEXTS[key][0]
        kind = "password" if key in _SECRET else "number" if key in NUMBERS else "text"
        value = "" if key in _SECRET else str(said.get(key, default))
        rows.append(
            '<label>%s<input name="%s" type="%s" value="%s"></label>'
            % (words[key], key, kind, escaped(value))
        )
    alert = '<p role="alert">%s</p>' % escaped(wrong) if wrong else ""
    return (
        '<!doctype html><html lang="%s"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        "<title>%s</title><style>body{font:18px/1.5 sans-serif;margin:1em auto;"
        "max-width:30em;padding:0 1em}label{display:block;margin:.8em 0}"
        "input{display:block;width:100%%;font:inherit;padding:.4em;box-sizing:border-box}"
        "button{font:inherit;padding:.6em 2em}[role=alert]{background:#a00;color:#fff;"
        'padding:.6em}</style><h1>%s</h1>%s<form method="post" action="/">%s'
        "<button>%s</button></form></html>"
    ) % (language, words["title"], words["title"], alert, "".join(rows), words["save"])


def saved(language: str) -> str:
    """What follows."""
    words = GERMAN if language == "de" else ENGLISH
    return (
        '<!doctype html><html lang="%s"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>%s</title>'
        "<h1>%s</h1><p>%s</p></html>"
    ) % (language, words["saved"], words["saved"], words["starts"])


def save(said: dict, file: str = FILE) -> None:
    """All of it or nothing, also if the power goes just then."""
    with open(file + ".new", "w") as opened:
        json.dump(said, opened)
    os.rename(file + ".new", file)


class Portal:
    """The page and its DNS."""

    def __init__(self, why: Wrong) -> None:
        self._why = why
        self.saved = asyncio.Event()

    async def run(self) -> None:
        """Until settings are saved; then the board starts anew."""
        name = "facedown-clock-" + "".join(["%02x" % each for each in machine.unique_id()[-2:]])
        point = network.WLAN(network.AP_IF)
        point.config(essid=name, security=0)
        point.active(True)
        print("clock: %s; join the Wi-Fi %s and open http://%s" % (self._why, name, ADDRESS))
        await asyncio.start_server(self._serve, "0.0.0.0", HTTP_PORT)
        naming = asyncio.create_task(self._name())
        await self.saved.wait()
        await asyncio.sleep(1)
        naming.cancel()
        machine.reset()

    async def _name(self) -> None:
        door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        door.setblocking(False)
        door.bind(socket.getaddrinfo("0.0.0.0", DNS_PORT)[0][-1])
        while True:
            try:
                question, who = door.recvfrom(256)
                answer = answer_to(question)
                if answer:
                    door.sendto(answer, who)
            except OSError:
                await asyncio.sleep_ms(50)

    async def _serve(self, reader: object, writer: object) -> None:
        try:
            status, said = await asyncio.wait_for(self._answer(reader), 10)
            data = said.encode()
            head = "HTTP/1.0 %s\r\nContent-Type: text/html; charset=utf-8\r\n" % status
            if status[:1] == "3":
                head += "Location: http://%s/\r\n" % ADDRESS
            writer.write((head + "Content-Length: %d\r\n\r\n" % len(data)).encode() + data)
            await writer.drain()
        except (OSError, EOFError, ValueError, asyncio.TimeoutError):
            pass
        finally:
            writer.close()
            await writer.wait_closed()

    async def _answer(self, reader: object) -> tuple:
        words = (await reader.readline()).decode().split(" ")
        if len(words) < 2:
            raise ValueError
        size = seen = 0
        language = "en"
        while True:
            line = await reader.readline()
            seen += len(line)
            if line in (b"\r\n", b"\n", b""):
                break
            if seen > _MOST_HEAD:
                return "431 Too Large", ""
            if line.lower().startswith(b"content-length:"):
                size = int(line[15:])
            if line.lower().startswith(b"accept-language:"):
                language = asked(line[16:].decode())
        if words[0] == "POST" and words[1] == "/":
            if not 0 <= size <= _MOST_BODY:
                return "413 Too Large", ""
            body = await reader.readexactly(size)
            try:
                found = settings_of(body)
            except Wrong as wrong:
                return "400 Bad Request", page({}, told(wrong, language), language)
            save(found)
            self.saved.set()
            return "200 OK", saved(language)
        if words[1] != "/":  # what phones ask for to see whether they are led somewhere
            return "302 Found", ""
        return "200 OK", page({}, told(self._why, language), language)
