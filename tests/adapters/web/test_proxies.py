"""Callers behind a proxy, and the proxies that are trusted to name them."""

import logging

import aiohttp
import pytest

from tests.adapters.web.conftest import OpenPages, Pages

SAID = {
    "one": ({"X-Forwarded-For": "192.0.2.7"}, "192.0.2.7"),
    "with a port": ({"X-Forwarded-For": "192.0.2.7:4711"}, "192.0.2.7"),
    "the caller's own words in front": ({"X-Forwarded-For": "10.9.9.9, 192.0.2.7"}, "192.0.2.7"),
    "a stranger's words in front": ({"X-Forwarded-For": "203.0.113.9, 192.0.2.7"}, "192.0.2.7"),
    "nonsense behind": ({"X-Forwarded-For": "192.0.2.7, unknown"}, ""),
    "too many proxies": ({"X-Forwarded-For": "192.0.2.7" + ", 10.1.2.3" * 20}, "10.1.2.3"),
    "through two proxies": ({"X-Forwarded-For": "192.0.2.7, 10.1.2.3"}, "192.0.2.7"),
    "standard": ({"Forwarded": 'for="[2001:db8::7]:80";proto=https'}, "2001:db8::7"),
    "mapped": ({"X-Forwarded-For": "::ffff:192.0.2.7"}, "192.0.2.7"),
    "both alike": ({"X-Forwarded-For": "192.0.2.7", "Forwarded": "for=192.0.2.7"}, "192.0.2.7"),
    "both, not alike": ({"X-Forwarded-For": "192.0.2.7", "Forwarded": "for=192.0.2.8"}, ""),
    "no address": ({"X-Forwarded-For": "unknown"}, ""),
    "hidden": ({"Forwarded": "for=_secret"}, ""),
    "nonsense": ({"X-Forwarded-For": ",, ;' OR 1"}, ""),
    "nothing": ({}, ""),
    "very much": ({"X-Forwarded-For": ",".join(["10.1.2.3"] * 500)}, "10.1.2.3"),
}


async def caller(
    pages: Pages,
    http: aiohttp.ClientSession,
    headers: dict[str, str],
    log: pytest.LogCaptureFixture,
) -> str:
    """Return the address that the hub logs for a client with a wrong key."""
    log.set_level(logging.WARNING)
    log.clear()
    async with http.get(pages.url("gm?key=wrong"), headers=headers) as answer:
        assert answer.status in {403, 429}
    return log.text.partition(" came from ")[2].strip()


async def test_a_configured_proxy_names_its_callers(
    open_pages: OpenPages, http: aiohttp.ClientSession, caplog: pytest.LogCaptureFixture
) -> None:
    pages = await open_pages(proxies=("127.0.0.1", "10.0.0.0/8"), wrong_keys_per_minute=100)
    for said, (headers, address) in SAID.items():
        assert await caller(pages, http, headers, caplog) == (address or "127.0.0.1"), said


@pytest.mark.parametrize("proxies", [(), ("10.0.0.0/8", "::1")])
async def test_other_clients_are_not_trusted_to_name_callers(
    open_pages: OpenPages,
    http: aiohttp.ClientSession,
    caplog: pytest.LogCaptureFixture,
    proxies: tuple[str, ...],
) -> None:
    pages = await open_pages(proxies=proxies)
    headers = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
    assert await caller(pages, http, headers, caplog) == "127.0.0.1"
    async with http.get(pages.gm_url, headers=headers, allow_redirects=False) as answer:
        assert "Secure" not in answer.headers["Set-Cookie"]


async def test_wrong_keys_behind_a_proxy_are_counted_by_caller(
    open_pages: OpenPages, http: aiohttp.ClientSession
) -> None:
    pages = await open_pages(proxies=("127.0.0.1",))
    statuses = {}
    for caller in ("192.0.2.7", "192.0.2.8"):
        for _ in range(pages.settings.wrong_keys_per_minute + (caller == "192.0.2.7")):
            headers = {"X-Forwarded-For": caller}
            async with http.get(pages.url("gm?key=wrong"), headers=headers) as answer:
                statuses[caller] = answer.status
    assert statuses == {"192.0.2.7": 429, "192.0.2.8": 403}


@pytest.mark.parametrize(
    ("headers", "secure"),
    [
        ({"X-Forwarded-Proto": "https"}, True),
        ({"Forwarded": "for=192.0.2.7;proto=https"}, True),
        ({"X-Forwarded-Proto": "http"}, False),
        ({"X-Forwarded-Proto": "http, https"}, True),
        ({"X-Forwarded-Proto": "https, http"}, False),
        ({"X-Forwarded-Proto": "gopher"}, False),
        ({"X-Forwarded-Proto": "https", "Forwarded": "proto=http"}, False),
    ],
)
async def test_behind_a_tls_proxy_cookies_are_secure_and_addresses_https(
    open_pages: OpenPages, http: aiohttp.ClientSession, headers: dict[str, str], secure: bool
) -> None:
    pages = await open_pages(proxies=("127.0.0.1",))
    async with http.get(pages.gm_url, headers=headers, allow_redirects=False) as answer:
        assert ("Secure" in answer.headers["Set-Cookie"]) is secure
        (cookie,) = answer.cookies.values()
    cookies = {cookie.key: cookie.value}
    async with http.get(pages.url("gm/keys"), headers=headers, cookies=cookies) as answer:
        addresses = [one["url"] for one in await answer.json()]
    scheme = "https" if secure else "http"
    assert f"{scheme}://127.0.0.1:{pages.server.port}/display" in addresses
    assert all(address.startswith(f"{scheme}://") for address in addresses)
