"""Whether a hub is running a table, and its public view of the readers."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from hub.config.settings import Config
from hub.config.values import EVERY_ADDRESS
from hub.journal.files import held_by

_ANSWER_S = 2.0
_MOST_BYTES = 4 * 1024 * 1024


def playing(config: Config) -> str | None:
    """The process id of the hub that runs this table; None if there is none."""
    with suppress(OSError):
        return held_by(Path(config.table.journal))
    return None


def own_address(config: Config) -> str | None:
    """The pages' URL for programs on this machine, ``http://host:port``; None without a fixed
    port."""
    web = config.web
    if not web.enabled or not web.port:
        return None
    host = "127.0.0.1" if web.host in EVERY_ADDRESS else web.host
    return f"http://{f'[{host}]' if ':' in host else host}:{web.port}"


def told_readers(config: Config) -> dict[str, str] | None:
    """Seat → its reader's state, as on the running hub's display; None without a timely answer."""
    address = own_address(config)
    return asyncio.run(_ask(address)) if address else None


async def _ask(address: str) -> dict[str, str] | None:
    import aiohttp

    try:
        async with (
            asyncio.timeout(_ANSWER_S),
            aiohttp.ClientSession() as session,
            session.ws_connect(f"{address}/ws", max_msg_size=_MOST_BYTES) as pages,
        ):
            async for message in pages:
                if message.type is aiohttp.WSMsgType.TEXT:
                    frame = json.loads(message.data)
                    if frame.get("type") == "state":
                        return {str(s["seat"]): str(s["reader"]) for s in frame["seats"]}
    except (aiohttp.ClientError, OSError, ValueError, KeyError, TypeError, RecursionError):
        pass  # a TimeoutError is an OSError
    return None
