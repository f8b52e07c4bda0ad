"""The installed hub with few file descriptors and many strangers who connect."""

import asyncio
import resource
import socket
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

from tests.support.demo import demo

CROWD = 350
DESCRIPTORS = 256


async def test_a_crowd_leaves_descriptors_for_the_gm_the_display_and_the_hub() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4 * CROWD), hard))
    held: list[socket.socket] = []
    try:
        async with demo(descriptors=DESCRIPTORS) as table:
            hub = urlsplit(table.display)
            open_files = Path(f"/proc/{table.process.pid}/fd")
            origin = f"{hub.scheme}://{hub.netloc}"
            jar = aiohttp.CookieJar(unsafe=True)
            async with aiohttp.ClientSession(origin, cookie_jar=jar) as gm:
                async with gm.get(table.gm) as answer:
                    assert answer.status == 200
                for number in range(2 * CROWD):
                    source = f"127.0.0.{2 + number % 2}", 0
                    held.append(socket.create_connection(("127.0.0.1", hub.port), 5, source))
                    if number % 2:
                        held[-1].sendall(f"GET /ws HTTP/1.1\r\nHost: {hub.netloc}\r\n".encode())
                async with gm.get("/gm") as answer:
                    assert answer.status == 200
                everybody = aiohttp.TCPConnector(limit=0)
                async with aiohttp.ClientSession(origin, connector=everybody) as strangers:
                    viewers = [await strangers.ws_connect("/ws") for _ in range(200)]
                    display = await viewers[-1].receive_json(timeout=10)
                    assert display["type"] == "state"
                    console = await gm.ws_connect("/ws/gm", origin=origin)
                    command = {"id": "1", "command": "start-scene"}
                    await console.send_json({"do": "command", "command": command})
                    async with asyncio.timeout(20):
                        while (frame := await console.receive_json())["type"] != "reply":
                            pass
                    assert frame["ok"], frame
                    assert len([*open_files.iterdir()]) < DESCRIPTORS - 30
                    await asyncio.gather(*(viewer.close() for viewer in viewers))
                    await console.close()
    finally:
        for one in held:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert "Too many open files" not in table.complaints
