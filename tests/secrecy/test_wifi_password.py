"""The Wi-Fi's password is on no channel: only the console draws it, as a code."""

import logging
from base64 import b64encode
from collections.abc import Callable
from urllib.parse import quote

import msgspec
import pytest
from aiohttp import web

import hub.daemon.health
import hub.daemon.serve
import hub.mqtt.outbox
import hub.web.console
import hub.web.metrics
import hub.web.server
from hub.mqtt.outbox import Outgoing
from hub.web.codes import WifiCode
from tests.secrecy.leaks import STARED, after, before
from tests.support.twins.hands import Hands
from tests.support.twins.setting import WIFI_PASSWORD, Setting
from tests.support.twins.telling import Telling
from tests.support.twins.world import Leak, World, live

_WRITTEN = {
    WIFI_PASSWORD.encode(),
    WIFI_PASSWORD.encode().hex().encode(),
    quote(WIFI_PASSWORD).encode(),
    *(b64encode(b"x" * at + WIFI_PASSWORD.encode())[8:16] for at in range(3)),
}
"""All forms in which it could appear."""
PICTURE = "web gm /gm/keys/wifi.svg"


def stared_at(leak: Leak | None = None) -> Telling:
    """All output of a hub while everything there is gets looked at."""
    kind, step, feints = STARED
    deeds = lambda world: Hands(world, "stares", 0).tour(kind, step, *feints)  # noqa: E731
    return live(Setting(), deeds, "stares", leak).telling


def told(telling: Telling) -> set[str]:
    """The channels that contain it."""
    return {each.channel for each in telling.said if any(way in each.data for way in _WRITTEN)}


def a_log_line(world: World) -> None:
    before(world, WifiCode, "drawn", lambda code: logging.info("drawn: %s", code.content.unseal()))


def a_topic(world: World) -> None:
    after(world, hub.mqtt.outbox.Retained, "changed", lambda found, *_: [
        *found, Outgoing("facedown/test/wifi", WIFI_PASSWORD.encode(), retain=True)])  # fmt: skip


def a_public_page(world: World) -> None:
    after(world, hub.web.server.WebServer, "_healthz", lambda _, *__:
          web.Response(text=f"ok {quote(WIFI_PASSWORD)}\n"))  # fmt: skip


def the_list_of_codes(world: World) -> None:
    after(world, hub.web.console.Keyring, "_seat", lambda entry, *_:
          msgspec.structs.replace(entry, wifi=WIFI_PASSWORD))  # fmt: skip


def the_picture_as_text(world: World) -> None:
    after(world, WifiCode, "drawn", lambda drawn, code:
          drawn + b"<!-- " + code.content.unseal().encode() + b" -->")  # fmt: skip


def a_metric(world: World) -> None:
    after(world, hub.web.metrics, "generate_latest", lambda text, *_:
          text + b"# " + WIFI_PASSWORD.encode().hex().encode())  # fmt: skip


def the_status(world: World) -> None:
    after(world, hub.daemon.health.Counters, "health", lambda found, *_, **__:
          msgspec.structs.replace(found, version=WIFI_PASSWORD))  # fmt: skip


@pytest.mark.parametrize(
    ("plant", "where"),
    [
        (a_log_line, "log"),
        (a_topic, "mqtt facedown/test/wifi"),
        (a_public_page, "web gm /healthz"),
        (the_list_of_codes, "web gm /gm/keys"),
        (the_picture_as_text, PICTURE),
        (a_metric, "web prometheus"),
        (the_status, "file journal.db.status"),
    ],
)
def test_a_planted_password_is_found(plant: Callable[[World], None], where: str) -> None:
    found = told(stared_at(plant))
    assert any(channel.startswith(where) for channel in found)


def test_the_password_is_on_no_channel() -> None:
    telling = stared_at()
    assert PICTURE in {each.channel for each in telling.said}
    assert told(telling) == set()
