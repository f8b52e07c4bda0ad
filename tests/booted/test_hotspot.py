"""Port 80, where phones check a Wi-Fi for internet access; the guide's drop-in lets the service
bind it."""

import re
from pathlib import Path

import aiohttp
import pytest

import hub as package
from tests.booted.table import booted
from tests.support.broker import free_port

pytestmark = [pytest.mark.booted, pytest.mark.timeout(900)]
GUIDE = Path(package.__file__).parents[1] / "docs/build/networks.md"
HOTSPOT = "127.0.0.80"
CAPTIVE = f'\n[web.captive]\nenabled = true\nhost = "{HOTSPOT}"\n'


def drop_in() -> str:
    """Return the guide's drop-in."""
    (found,) = re.findall(
        r"```text\n(\[Service\]\nAmbient.*?)```", GUIDE.read_text("utf-8"), re.DOTALL
    )
    return str(found)


async def probed() -> int:
    url = f"http://{HOTSPOT}/generate_204"
    async with aiohttp.ClientSession() as phone, phone.get(url) as answer:
        return answer.status


@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
async def test_the_guides_drop_in_lets_the_hub_answer_phones_at_port_80(
    suite: str, tmp_path: Path
) -> None:
    async with booted(suite, tmp_path, free_port(), start=False) as (hub, watch, _):
        file = hub.table / "hub.toml"
        file.write_text(file.read_text() + CAPTIVE)
        hub.up()
        await watch.until_ready()
        with pytest.raises(aiohttp.ClientConnectorError):
            await probed()
        await hub.until_told(f"{HOTSPOT}:80")
        hub.tune(drop_in())
        hub.machine.run("systemctl", "restart", "facedown", check=True)
        await watch.until_ready()
        assert await probed() == 204
        # Each exception weakens the sandbox a little; the exposure must stay below 2.0.
        hub.machine.run("systemd-analyze", "security", "--threshold=20", "facedown", check=True)
