"""The toy's characters in files: a name, and tokens."""

from collections.abc import Collection, Iterator
from typing import Any

import msgspec

from hub.games.deeds import Told
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section, read_section
from hub.kernel.faults import is_name
from hub.kernel.reasons import Reason, put

from .rules import MOST_TOKENS, RULESET


class ToySection(Section, frozen=True, kw_only=True):
    ruleset: str
    name: str
    tokens: int = 3
    npc: bool = False

    def faults(self) -> Iterator[tuple[str, Reason]]:
        if not is_name(self.name):
            yield "name", put("is no name")
        if not 0 <= self.tokens <= MOST_TOKENS:
            yield "tokens", put(f"must be from 0 to {MOST_TOKENS}")


def read_layout(document: Document, house: Any = None) -> ToySection:
    sheet = read_section(document, ToySection, document.values)
    document.check()
    return sheet


def read_sheet(
    document: Document, party: Collection[Any] | None = None, house: Any = None
) -> ToySection:
    return read_layout(document)


def write_sheet(sheet: Any) -> str:
    flag = str(sheet.npc).lower()
    lines = [f'ruleset = "{RULESET}"', f'name = "{sheet.name}"', f"tokens = {sheet.tokens}"]
    return "\n".join([*lines, f"npc = {flag}"]) + "\n"


def as_values(sheet: Any) -> dict[str, Any]:
    return {"name": sheet.name, "tokens": sheet.tokens, "npc": sheet.npc}


def of_story(state: Told) -> Iterator[Any]:
    for sheet in state.sheets.values():
        yield msgspec.convert({"ruleset": RULESET, **as_values(sheet)}, ToySection)


def summary(sheet: Any) -> dict[str, str]:
    return {"character": sheet.name, "tokens": str(sheet.tokens)}


def entries(sheet: Any) -> Iterator[tuple[str, str]]:
    yield "tokens", str(sheet.tokens)


def example() -> str:
    return write_sheet(ToySection(ruleset=RULESET, name="Ada"))


def samples() -> dict[str, str]:
    return {"toy-ada": example()}
