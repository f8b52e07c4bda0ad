"""Whether a hub plays at a table, and what it tells everybody of its readers."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path

from hub.daemon.settings import Config
from hub.journal.files import held_by

_ANSWER_S = 2.0
_MOST_BYTES = 4 * 1024 * 1024
_EVERYWHERE = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared with, not bound to


def playing(config: Config) -> str | None:
    """The number of the process of the hub that plays at this table; None without one."""
    with suppress(OSError):
        return held_by(Path(config.table.journal))
    return None


def own_address(config: Config) -> str | None:
    """Where this machine reaches the pages, as ``http://host:port``; None where no port is set."""
    web = config.web
    if not web.enabled or not web.port:
        return None
    host = "127.0.0.1" if web.host in _EVERYWHERE else web.host
    return f"http://{f'[{host}]' if ':' in host else host}:{web.port}"


def told_readers(config: Config) -> dict[str, str] | None:
    """Seat → ``ok`` or ``lost``, as the running hub's display shows it; None if it cannot be asked
    in time."""
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
    except (
        TimeoutError,
        aiohttp.ClientError,
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RecursionError,
    ):
        pass
    return None
