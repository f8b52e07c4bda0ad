"""Serves the setup page until a folder has been made or the process is ended."""

import sys
from pathlib import Path

from hub.daemon.ending import Ending
from hub.mdns.addresses import lan_address
from hub.setup.draft import Draft
from hub.setup.making import free_port
from hub.setup.server import Made, SetupServer
from hub.setup.words import text

_HERE, _EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - who asks for it wants it


def set_up(
    folder: Path,
    ending: Ending,
    *,
    language: str,
    lan: bool = False,
    port: int = 8080,
    starts: bool = False,
) -> Made | None:
    """Serve the page until a folder has been made; None if the process is ended first.

    ``lan``: for other machines too, with a key. If ``port`` is taken, another one is used.
    ``starts``: this process becomes the table.
    """
    made: list[Made] = []
    draft = Draft(name=folder.absolute().name, language=language)
    if lan:
        draft.answer("phones", True)

    async def serve() -> int:
        host = _EVERYWHERE if lan else _HERE
        server = SetupServer(folder, draft, host=host, port=port, starts=starts)
        try:
            await server.__aenter__()
        except OSError:
            another = free_port(port)
            server = SetupServer(folder, draft, host=host, port=another, starts=starts)
            await server.__aenter__()
        draft.answer("port", server.port)  # free again when the table starts
        try:
            address = server.address(lan_address() or _HERE if lan else _HERE)
            print(text(language, "say.open", address=address), file=sys.stderr, flush=True)
            made.append(await server.written())
        finally:
            await server.__aexit__()
        return 0

    ending.run(serve())
    return made[0] if made else None
