"""Writes what is generated in docs/: the phase diagram, the AsyncAPI file, the coverage pages; and
the types of it for the pages' scripts."""

import re
import sys
from pathlib import Path

from book_lines import faults, read_marks, read_texts
from coverage_pages import pages
from page_types import text as page_types

from hub.books.registry import rulebooks
from hub.table.phases import mermaid
from hub.wire import asyncapi

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
TYPES = ROOT / "hub" / "web" / "static" / "js" / "core" / "wire.d.ts"
PHASES = re.compile(r"(<!-- phases:.*?-->\n```mermaid\n).*?(```\n<!-- /phases -->)", re.DOTALL)


def with_phases(page: str) -> str:
    """The architecture page with today's phase diagram in its place."""
    return PHASES.sub(lambda found: found[1] + mermaid() + found[2], page)


def main() -> None:
    """Write all of them, in place; exits with what is wrong with the markers."""
    texts, marks = read_texts(), read_marks()
    if wrong := list(faults(texts, marks)):
        sys.exit("\n".join(wrong))
    for file, text in pages(texts, marks):
        file.write_text(text, encoding="utf-8")
    page = DOCS / "architecture.md"
    page.write_text(with_phases(page.read_text(encoding="utf-8")), encoding="utf-8")
    topics = asyncapi.text(rulebooks())
    (DOCS / "asyncapi.json").write_text(topics, encoding="utf-8")
    TYPES.write_text(page_types(topics), encoding="utf-8")


if __name__ == "__main__":
    main()
