"""Writes what is generated in docs/: the phase diagram, the AsyncAPI file, the coverage pages; and
the types of it for the pages' scripts, and the unit of the first table."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from book_lines import faults, read_marks, read_texts
from coverage_pages import pages
from page_types import schemas_of
from page_types import text as page_types

from hub.books.registry import FAMILIES, rulebooks
from hub.catalogues import ENGLISH, catalogue
from hub.doctor.findings import Report
from hub.table.phases import mermaid
from hub.web import frames, lights
from hub.wire import asyncapi, backstage, chronicle

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
UNITS = ROOT / "systemd"
SCRIPTS = ROOT / "hub" / "web" / "static" / "js"
FRAMES = (
    backstage.Questions, backstage.Deeds, backstage.Console, backstage.Hand, backstage.Preview,
    frames.Tell, frames.Company, frames.Sound, frames.Elsewhere, lights.Lights,
    chronicle.Entry,
)  # fmt: skip
FINDINGS = re.compile(r"(<!-- findings:.*?-->\n).*?(<!-- /findings -->)", re.DOTALL)
PHASES = re.compile(r"(<!-- phases:.*?-->\n```mermaid\n).*?(```\n<!-- /phases -->)", re.DOTALL)


def with_phases(page: str) -> str:
    """The architecture page with today's phase diagram in its place."""
    return PHASES.sub(lambda found: found[1] + mermaid() + found[2], page)


def with_findings(page: str) -> str:
    """The doctor's page with all that it can say today."""
    said = catalogue("reasons", ENGLISH, "hub.doctor")
    codes = [code for code in said if "." not in code]
    rows = [f"| `{code}` | {said[code]} | {said.get(f'{code}.do', '')} |\n" for code in codes]
    table = "| code | what it says | what to do |\n| --- | --- | --- |\n" + "".join(rows)
    return FINDINGS.sub(lambda found: found[1] + table + found[2], page)


def report_schema() -> str:
    """What the doctor writes as JSON, as a JSON Schema."""
    return json.dumps(msgspec.json.schema(Report), indent=2, ensure_ascii=False) + "\n"


def script_types() -> Iterator[tuple[Path, str]]:
    """The types of what is sent to the pages' scripts: of any table, and of each family's own."""
    wire = schemas_of({frame.__name__: frame for frame in FRAMES}) | asyncapi.schemas(rulebooks())
    yield SCRIPTS / "core" / "wire.d.ts", page_types(wire)
    for family in (each for each in FAMILIES if each.games):
        yield SCRIPTS / "games" / family.id / "wire.d.ts", page_types(schemas_of(family.page_types))


def first_table_unit() -> str:
    """``facedown.service``: the template for any table, for the one called ``table``. A plain name
    can be no alias of a template's instance (systemd.unit(5))."""
    template = (UNITS / "facedown@.service").read_text(encoding="utf-8")
    unit = template[template.index("[Unit]") :].replace(" (%i)", "").replace("%i", "table")
    unit = unit.replace("DefaultInstance=table\n", "")
    return (
        f'# The table "table". `make docs` makes it of facedown@.service: change that one.\n{unit}'
    )


def main() -> None:
    """Write all of them, in place; exits with what is wrong with the markers."""
    texts, marks = read_texts(), read_marks()
    if wrong := list(faults(texts, marks)):
        sys.exit("\n".join(wrong))
    for file, text in pages(texts, marks):
        file.write_text(text, encoding="utf-8")
    page = DOCS / "architecture.md"
    page.write_text(with_phases(page.read_text(encoding="utf-8")), encoding="utf-8")
    page = DOCS / "doctor.md"
    page.write_text(with_findings(page.read_text(encoding="utf-8")), encoding="utf-8")
    (DOCS / "doctor.schema.json").write_text(report_schema(), encoding="utf-8")
    (DOCS / "asyncapi.json").write_text(asyncapi.text(rulebooks()), encoding="utf-8")
    for file, types in script_types():
        file.write_text(types, encoding="utf-8")
    (UNITS / "facedown.service").write_text(first_table_unit(), encoding="utf-8")


if __name__ == "__main__":
    main()
