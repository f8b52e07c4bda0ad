"""Ask who has a name, as a phone does: ``python -m tests.networks.ask NAME [6]``."""

import asyncio
import sys

from zeroconf import AddressResolverIPv4, AddressResolverIPv6, IPVersion
from zeroconf.asyncio import AsyncZeroconf


async def ask(name: str, version: str) -> list[str]:
    six = version == "6"
    async with AsyncZeroconf(ip_version=IPVersion.V6Only if six else IPVersion.All) as asking:
        resolver = (AddressResolverIPv6 if six else AddressResolverIPv4)(f"{name}.")
        await resolver.async_request(asking.zeroconf, 2000)
        return [each for each in resolver.parsed_addresses() if (":" in each) is six]


if __name__ == "__main__":
    print(*asyncio.run(ask(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "4")))
