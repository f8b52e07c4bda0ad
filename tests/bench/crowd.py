"""``python -m tests.bench.crowd COUNT URL…``: this many open pages in a separate process.

The pages are spread over the addresses, and all are read. Prints ``ready`` when each has its first
frame.
"""

import asyncio
import sys
from contextlib import AsyncExitStack
from urllib.parse import urlsplit

import aiohttp


async def follow(count: int, pages: list[str]) -> None:
    async with AsyncExitStack() as stack:
        streams = []
        for number in range(count):
            at = urlsplit(pages[number % len(pages)])
            origin = f"{at.scheme}://{at.netloc}"
            everybody = aiohttp.TCPConnector(limit=0)
            jar = aiohttp.CookieJar(unsafe=True)
            session = await stack.enter_async_context(
                aiohttp.ClientSession(connector=everybody, cookie_jar=jar)
            )
            await (await session.get(at.geturl())).read()  # exchanges the key for a session
            stream = "ws" if at.path == "/display" else f"ws{at.path}"
            streams.append(await session.ws_connect(f"{origin}/{stream}", origin=origin))
        for stream in streams:
            await stream.receive()
        print("ready", flush=True)
        await asyncio.gather(*map(read, streams))


async def read(stream: aiohttp.ClientWebSocketResponse) -> None:
    async for _ in stream:
        pass


asyncio.run(follow(int(sys.argv[1]), sys.argv[2:]))
