"""``python -m tests.bench [--json]``: speed and size, as ratios against baselines of one run."""

import asyncio
import sys

from tests.bench import core, idle, latency, pages, reveal, start
from tests.bench.figures import show


def main() -> None:
    figures = [
        core.turns(),
        core.conflicts(),
        core.playouts(),
        core.inputs(),
        *asyncio.run(reveal.reveals()),
        *latency.poll(),
        *idle.idle(),
        *start.start(),
        *asyncio.run(pages.pages()),
    ]
    show(figures, as_json="--json" in sys.argv[1:])


main()
