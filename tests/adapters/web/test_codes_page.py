"""The codes on the console, read from a picture of the page as a phone's camera does."""

from io import BytesIO
from pathlib import Path

import zxingcpp
from PIL import Image
from segno.helpers import make_wifi_data

from hub.table.sealed import Sealed
from hub.web.codes import WifiCode
from hub.web.keys import seat_role
from hub.web.settings import PageAddresses
from tests.adapters.web.conftest import Looker
from tests.adapters.web.running import RunningTable

SSID, PASSWORD = 'Den; of "cards"', "semi;colon \\ and: more"
NAME, NUMBER = "facedown.local", "192.0.2.7"
NAMES = "document.querySelector('.address a').href.includes(arguments[0])"


async def read(looker: Looker) -> list[str]:
    """Return the codes that a camera in front of the screen reads."""
    await looker.until("document.querySelector('img.qr')?.naturalWidth")
    await looker.run("document.querySelector('img.qr').scrollIntoView({block: 'center'})")
    await looker.painted()
    picture = Image.open(BytesIO(looker.browser.get_screenshot_as_png()))
    return [found.text for found in zxingcpp.read_barcodes(picture)]


async def shown(looker: Looker, entry: str) -> list[str]:
    """Return the text of an entry's code, with only its fold open."""
    await looker.click(f"[data-fold='key-{entry}']")
    found = await read(looker)
    await looker.click(f"[data-fold='key-{entry}']")
    return found


async def test_a_camera_reads_the_codes_and_a_switch_changes_them_to_numeric_addresses(
    looker: Looker, tmp_path: Path
) -> None:
    where = PageAddresses(lambda: NUMBER)
    where.look(NAME)
    table = RunningTable(tmp_path)
    content = Sealed(str(make_wifi_data(SSID, PASSWORD, "WPA")))
    table.pages = {"wifi": WifiCode(SSID, content), "where": where}
    async with table:
        await looker.open(f"{table.server.url}gm?key={table.server.keys.of('gm')}")
        await looker.click("[data-tab='keys']")
        (joins,) = await shown(looker, "*wifi")
        assert joins == content.unseal()
        assert PASSWORD not in await looker.text("body")
        key = table.server.keys.of(seat_role("north"))
        (by_name,) = await shown(looker, "north")
        assert by_name == f"http://{NAME}:{table.port}/seat/north?key={key}"
        await looker.click("[data-fold='key-north']")
        await looker.click("[data-do='by-other']")
        await looker.until(
            "document.querySelector('.address a').href.includes(arguments[0])", NUMBER
        )
        (by_number,) = await read(looker)
        assert by_number == by_name.replace(NAME, NUMBER)
        await looker.click("[data-do='by-other']")
        await looker.until(NAMES, NAME)
        (again,) = await read(looker)
        assert again == by_name
