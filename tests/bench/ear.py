"""``python -m tests.bench.ear PORT TOPIC…``: a subscriber in a separate process.

Prints ``ready``, then a line for each message: its time (s, by the machine's monotonic clock) and
its beginning in hex.
"""

import asyncio
import sys
import time

import aiomqtt

SHOWN = 4096
"""Bytes of a message that are printed."""


async def listen(port: int, topics: list[str]) -> None:
    async with aiomqtt.Client("127.0.0.1", port) as client:
        for topic in topics:
            await client.subscribe(topic, qos=1)
        print("ready", flush=True)
        async for message in client.messages:
            heard = time.monotonic()
            payload = bytes(message.payload)  # type: ignore[arg-type]
            print(heard, payload[:SHOWN].hex(), flush=True)


asyncio.run(listen(int(sys.argv[1]), sys.argv[2:]))
