"""Tents of a table that plays: what a phone finds behind their codes."""

import subprocess
from pathlib import Path

import aiohttp
import zxingcpp

from tests.adapters.printing.poppler import drawn, words
from tests.support.demo import Demo, demo
from tests.support.hub import FACEDOWN

PLAYERS = ("ada", "bo")


def codes(pdf: Path, folder: Path) -> list[str]:
    """Return the addresses that a phone reads from the players' tents and the GM's."""
    pages = (drawn(pdf, page, 100, folder) for page in (1, 2, 3))
    return [found.text for page in pages for found in zxingcpp.read_barcodes(page)]


async def opens(address: str) -> int:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as phone, phone.get(address) as answer:
        return answer.status


async def test_with_keys_a_code_opens_its_seats_hand(tmp_path: Path) -> None:
    async with demo("--data", str(tmp_path / "demo")) as table:
        config = tmp_path / "demo" / "hub.toml"
        plain, keyed, asked = (tmp_path / f"{name}.pdf" for name in ("plain", "keyed", "asked"))
        _print(config, plain, "--address", table.display.removesuffix("display"))
        assert await _opened(codes(plain, tmp_path)) == [401, 401, 401]
        assert "The first time" in " ".join(each.text for each in words(plain, 1))
        _print(config, keyed, "--keys")
        asked.write_bytes(await _from_the_console(table))
        for pdf in (keyed, asked):
            found = codes(pdf, tmp_path)
            assert found[:2] == [table.seats[seat] for seat in PLAYERS]
            assert await _opened(found) == [200, 200, 401]  # no tent has the GM's key
            assert "This code is the key" in " ".join(each.text for each in words(pdf, 1))


async def _opened(found: list[str]) -> list[int]:
    return [await opens(each) for each in found]


async def _from_the_console(table: Demo) -> bytes:
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(cookie_jar=jar) as gm:
        async with gm.get(table.gm) as answer:
            assert answer.status == 200
        papers = table.display.replace("display", "gm/papers.pdf?what=tents&keys=1")
        async with gm.get(papers) as answer:
            assert answer.status == 200
            return await answer.read()


def _print(config: Path, out: Path, *more: str) -> None:
    command = (FACEDOWN, "cards", "papers", "tents", "--config", config, "--out", out, *more)
    subprocess.run([*map(str, command)], check=True, capture_output=True)


async def test_without_a_hub_there_are_no_keys(tmp_path: Path) -> None:
    async with demo("--data", str(tmp_path / "demo")):
        pass
    command = (
        FACEDOWN,
        "cards",
        "papers",
        "tents",
        "--config",
        tmp_path / "demo/hub.toml",
        "--keys",
    )
    done = subprocess.run([*map(str, command)], capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("no hub runs at this table: ")
