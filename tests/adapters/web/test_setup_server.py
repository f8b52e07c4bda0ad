"""Access to the setup page, and the input it accepts."""

import json
import socket
import tomllib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from hub.cards.deck import make_deck, write_deck
from hub.config.starter import starter_of
from hub.games.game import Choice
from hub.games.sheets import sheets_of
from hub.kernel.catalogues import catalogue, languages
from hub.readers.devices import SERIAL
from hub.setup.draft import Draft
from hub.setup.server import SetupServer
from hub.web.guard import CONTENT_POLICY

Serve = Callable[..., AbstractAsyncContextManager[SetupServer]]


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Serve:
    monkeypatch.setenv(SERIAL, str(tmp_path / "serial"))

    @asynccontextmanager
    async def serving(**how: Any) -> AsyncIterator[SetupServer]:
        async with SetupServer(tmp_path / "den", Draft(name="den"), **how) as server:
            yield server

    return serving


def browser() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))


async def follow(http: aiohttp.ClientSession, server: SetupServer) -> Any:
    origin = f"http://127.0.0.1:{server.port}"
    return await http.ws_connect(f"{origin}/ws", headers={"Origin": origin})


async def form(stream: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(await stream.receive_str(timeout=20))
    return found


async def test_other_machines_need_the_key(serve: Serve) -> None:
    async with serve(host="0.0.0.0") as server, browser() as http:
        address = server.address("127.0.0.1")
        plain = address.partition("?")[0]
        async with http.get(plain) as answer:
            assert answer.status == 401
            assert "needs its key" in await answer.text()
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await follow(http, server)
        for _ in range(6):
            async with http.get(f"{plain}?key=wrong") as answer:
                status = answer.status
        assert status == 429
        async with http.get(address) as answer:
            assert answer.status == 200
            assert "key" not in str(answer.url)
            assert answer.headers["Content-Security-Policy"] == CONTENT_POLICY
        async with await follow(http, server) as stream:
            assert (await form(stream))["type"] == "form"


async def test_a_page_of_another_site_reaches_nothing(serve: Serve) -> None:
    async with serve() as server, browser() as http:
        here = f"http://127.0.0.1:{server.port}"
        for headers in ({"Origin": "http://evil.example"}, {}):
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await http.ws_connect(f"{here}/ws", headers=headers)
        async with http.get(here, headers={"Host": "evil.example"}) as answer:
            assert answer.status == 421


DEEP = 5000
NONSENSE = (
    *("", "{", "[]", "\x00", "[" * DEEP, '{"do":"rm"}', '{"do":"answer","name":' + '{"a":' * DEEP),
    '{"do":"answer","name":"../x","value":1}',
    '{"do":"answer","name":"player.99.name","value":"x"}',
    '{"do":"answer","name":"name","value":1e999}',
    '{"do":"answer","name":"name","value":1e999999}',
    '{"do":"answer","name":"name","value":"\\ud800"}',
    '{"do":"answer","name":"name","value":' + "[" * DEEP + "]" * DEEP + "}",
)


async def test_a_malformed_answer_changes_nothing_and_ends_nothing(
    serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with serve() as server, browser() as http, await follow(http, server) as stream:
        first = await form(stream)
        for nonsense in NONSENSE:
            await stream.send_str(nonsense)
        for name, value, why in (
            ("players", 16, "a number from 1 to 15"),
            ("players", True, "a number from 1 to 15"),
            ("ruleset", "chess", "'chess' is not a choice"),
            ("phones", "yes", "the answer is yes or no"),
            ("evening", "a\nb", "one line"),
            ("player.0.text", "x" * 70_000, "too long"),
        ):
            await stream.send_json({"do": "answer", "name": name, "value": value})
            told = await form(stream)
            while why not in told["why"]:
                told = await form(stream)
        assert told["steps"] == first["steps"]
        await stream.send_json({"do": "answer", "name": "player.0.seat", "value": "A b"})
        await stream.send_json({"do": "write"})
        while not (told := await form(stream))["steps"][2]["questions"][3]["fault"]:
            pass
        assert told["summary"] == []
    assert not (tmp_path / "den").exists()
    assert "Traceback" not in caplog.text and "Error" not in caplog.text


async def test_a_folder_that_cannot_be_written_is_reported(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "den").write_text("a file")
    async with serve() as server, browser() as http, await follow(http, server) as stream:
        await stream.send_json({"do": "write"})
        while "is not a folder" not in (await form(stream))["why"]:
            pass


async def told(stream: Any, held: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return the first form that ``held`` accepts."""
    while not held(found := await form(stream)):
        pass
    return found


async def test_existing_files_and_settings_are_used(serve: Serve, tmp_path: Path) -> None:
    """A character and a deck from files, a broker with a password, a port taken by another program;
    at the end the console's key, to go on with."""
    fresh = starter_of("unroll").fresh("unroll", "Vic", 0)
    write_deck(tmp_path / "old.toml", make_deck([Choice.parse("move surrender")], group="vic"))
    deck = (tmp_path / "old.toml").read_text()
    given: list[tuple[str, object]] = [
        ("players", 1),
        ("player.0.character", "file"),
        ("player.0.text", sheets_of("unroll").write_sheet(fresh)),
        ("deck", "old"),
        ("deck.text", deck),
        ("broker", "elsewhere"),
        ("broker.host", "broker.invalid"),
        ("broker.port", 8883),
        ("broker.tls", True),
        ("broker.username", "hub"),
        ("broker.password", "sesame"),
    ]
    async with (
        serve(starts=True) as server, browser() as http, await follow(http, server) as stream
    ):  # fmt: skip
        for name, value in given:
            await stream.send_json({"do": "answer", "name": name, "value": value})
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            await stream.send_json({"do": "answer", "name": "port", "value": port})
            shown = await told(stream, lambda form: question(form, "port")["value"] == port)
            assert ["Cards", "the existing deck"] in shown["summary"]
            assert "sesame" not in json.dumps(shown)
            await stream.send_json({"do": "try-broker"})
            await told(stream, lambda form: "does it use TLS" in form["broker"])
            await stream.send_json({"do": "write"})
            shown = await told(stream, lambda form: form["why"])
            assert shown["why"] == f"port {port} is in use by another program"
        another = question(shown, "port")["value"]
        assert another != port
        await stream.send_json({"do": "write"})
        made = (await told(stream, lambda form: form["made"]))["made"]
        key = (await server.written()).console_key
    assert made["console"] == f":{another}/gm?key={key}"
    assert [command.split()[1] for command, _ in made["next"]] == ["check-config", "run"]
    folder = tmp_path / "den"
    config = tomllib.loads((folder / "hub.toml").read_text(encoding="utf-8"))
    assert config["mqtt"]["host"] == "broker.invalid"
    assert "tls" in config["mqtt"]
    assert (folder / config["mqtt"]["password_file"]).read_text() == "sesame\n"
    assert (folder / "deck.toml").read_text() == deck
    assert config["seat"][0]["characters"] == ["Vic"]


def question(form: dict[str, Any], name: str) -> dict[str, Any]:
    every = (each for step in form["steps"] for each in step["questions"])
    return next(each for each in every if each["name"] == name)


@pytest.mark.parametrize("name", ["pages", "reasons"])
def test_it_asks_in_every_language(name: str) -> None:
    english = catalogue(name, "en", "hub.setup")
    for language in languages():
        texts = catalogue(name, language, "hub.setup")
        assert texts.keys() == english.keys()
        for key, text in texts.items():
            assert sorted(places(text)) == sorted(places(english[key])), key


def places(text: str) -> list[str]:
    return [part.partition("}")[0] for part in text.split("{")[1:]]
