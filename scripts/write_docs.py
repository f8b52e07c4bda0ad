"""Writes what is generated in docs/: the phase diagram and the AsyncAPI file."""

import re
from pathlib import Path

from hub.table.phases import mermaid
from hub.wire.asyncapi import text as asyncapi

DOCS = Path(__file__).resolve().parent.parent / "docs"
PHASES = re.compile(r"(<!-- phases:.*?-->\n```mermaid\n).*?(```\n<!-- /phases -->)", re.DOTALL)


def with_phases(page: str) -> str:
    """The architecture page with today's phase diagram in its place."""
    return PHASES.sub(lambda found: found[1] + mermaid() + found[2], page)


def main() -> None:
    """Write both, in place."""
    page = DOCS / "architecture.md"
    page.write_text(with_phases(page.read_text(encoding="utf-8")), encoding="utf-8")
    (DOCS / "asyncapi.json").write_text(asyncapi(), encoding="utf-8")


if __name__ == "__main__":
    main()
