"""Tests share a browser, and their servers a few ports: a page's storage must be gone for the next
test, while cached files stay."""

from tests.adapters.web.conftest import Looker, OpenPages, Pages
from tests.support.browser import forget
from tests.support.ports import HOME_PORTS

PUT_BY = """
localStorage.setItem("kept", "yes"); sessionStorage.setItem("kept", "yes");
document.cookie = "kept=yes";
return caches.open("kept").then(() => navigator.serviceWorker.getRegistrations())
  .then((workers) => workers.length);
"""
KEPT = """
return Promise.all([caches.keys(), navigator.serviceWorker.getRegistrations()])
  .then((found) => [localStorage.length, sessionStorage.length, document.cookie,
    ...found.map((one) => one.length)]);
"""
ASKED = """
return performance.getEntriesByType("resource").filter((one) => one.transferSize)
  .map((one) => one.name.replace(location.origin, ""))
"""


async def test_a_pages_storage_is_forgotten(pages: Pages, looker: Looker) -> None:
    addresses = [pages.url("display"), pages.url("display").replace("127.0.0.1", "localhost")]
    for address in addresses:
        await looker.open(address)
        await looker.run(PUT_BY)
        assert await looker.run(KEPT) == [1, 1, "kept=yes", 1, 0]
    forget(looker.browser)
    for address in addresses:
        await looker.open(address)
        assert await looker.run(KEPT) == [0, 0, "", 0, 0]


async def test_each_server_reuses_the_port_and_is_asked_for_no_file_again(
    open_pages: OpenPages, looker: Looker
) -> None:
    looker.browser.execute_cdp_cmd("Network.clearBrowserCache", {})
    ports, asked = list[int](), list[set[str]]()
    for _ in range(2):
        pages = await open_pages()
        ports.append(pages.server.port)
        pages.table.announce()
        await looker.open(pages.url("display"))
        await looker.until_says("The table is ready")
        found = await looker.run(ASKED)
        assert isinstance(found, list)
        asked.append({name for name in found if name.startswith("/static/")})
        await pages.server.__aexit__(None, None, None)
        forget(looker.browser)
    assert ports[0] == ports[1] and ports[0] in HOME_PORTS
    assert len(asked[0]) > 6, "nothing was asked for"
    assert not asked[0] & asked[1]
