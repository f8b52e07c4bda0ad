"""``python -m tests.bench [--json] [PART …]``: speed and size, as ratios within one run.

A part is shown and kept (:mod:`tests.bench.history`) as soon as it is measured. All of them take
some twelve minutes.
"""

import asyncio
import sys
from collections.abc import Callable

from tests.bench import boards, core, idle, latency, pages, peer, prose, reach, reveal, start
from tests.bench.figures import Figure, show
from tests.bench.history import keep

PARTS: dict[str, Callable[[], list[Figure]]] = {
    "core": lambda: [
        *(core.turns(), core.conflicts(), core.playouts()),
        *map(core.inputs, core.PLAYS),
    ],
    "reveal": lambda: asyncio.run(reveal.reveals()),
    "peer": lambda: asyncio.run(peer.peer()),
    "readers": latency.poll,
    "boards": boards.boards,
    "idle": idle.idle,
    "pages": lambda: asyncio.run(pages.pages()),
    "start": start.start,
    "reach": reach.reach,
    "prose": prose.prose,
}


def main() -> None:
    given = [word for word in sys.argv[1:] if word != "--json"]
    if unknown := set(given) - set(PARTS):
        sys.exit(f"no such part: {', '.join(sorted(unknown))} (there are: {', '.join(PARTS)})")
    as_json = "--json" in sys.argv[1:]
    measured: list[Figure] = []
    for part in given or PARTS:
        found = PARTS[part]()
        measured += found
        keep(found)
        if not as_json:
            show(found, as_json=False)
    if as_json:
        show(measured, as_json=True)


main()
