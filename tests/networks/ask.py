"""Asks who has a name, as a phone does: ``python -m tests.networks.ask NAME``."""

import asyncio
import sys

from zeroconf import AddressResolverIPv4
from zeroconf.asyncio import AsyncZeroconf


async def ask(name: str) -> list[str]:
    async with AsyncZeroconf() as asking:
        resolver = AddressResolverIPv4(f"{name}.")
        await resolver.async_request(asking.zeroconf, 2000)
        return resolver.parsed_addresses()


if __name__ == "__main__":
    print(*asyncio.run(ask(sys.argv[1])))
