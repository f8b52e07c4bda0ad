"""Character files: TOML, with one player character each. ``example.toml`` explains every key."""

import json
from collections.abc import Collection, Iterator
from importlib import resources
from typing import Any

from hub.games.deeds import Told
from hub.games.tricube.story import sheet as written
from hub.games.tricube.story.sheet import TaleSheet, as_values
from hub.kernel.documents import Document

__all__ = [
    "as_values", "entries", "example", "of_story", "read_layout", "read_sheet", "samples",
    "summary", "write_sheet",
]  # fmt: skip

_TEXTS = ("ruleset", "name", "description", "trait", "concept", "style")
_LISTS = ("perks", "quirks")
_TOKENS = ("karma", "karma_max", "resolve", "resolve_max")


def read_sheet(
    document: Document, party: Collection[Any] | None = None, house: Any = None
) -> TaleSheet:
    """Read a file's character and check it. Raises :class:`hub.kernel.faults.Faulty` with every
    fault."""
    sheet = written.read_sheet(document, document.values)
    document.check()
    return sheet


def read_layout(document: Document, house: Any = None) -> TaleSheet:
    """Read a character, ignoring ``npc``: this book has no NPC sheets, but the hub assumes an NPC
    if a newcomer's sheet does not say."""
    sheet = written.read_sheet(document, document.values, layout=True)
    document.check()
    return sheet


def write_sheet(sheet: TaleSheet) -> str:
    """The text of the file. A valid sheet reads back unchanged."""
    lines = ["# A character of Facedown; `facedown sheet example tricube` explains every key."]
    values = as_values(sheet)
    for key in (*_TEXTS, *_LISTS, *_TOKENS):
        lines.append(f"{key} = {_value(values[key])}")
    if sheet.dead:
        lines.append("dead = true")
    for each in values["afflictions"]:
        lines += ["", "[[afflictions]]", *(f"{key} = {_value(each[key])}" for key in each)]
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """A TOML value. JSON writes texts, numbers and lists of texts the same way, except for one
    character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def of_story(state: Told) -> Iterator[TaleSheet]:
    """All sheets, including those in reserve."""
    yield from state.sheets.values()
    yield from state.reserve.values()


def summary(sheet: TaleSheet) -> dict[str, str]:
    """See :class:`hub.games.family.Sheets`."""
    absent = sheet.character.absent
    return {
        "character": f"{sheet.name} ({absent})" if absent else sheet.name,
        "ruleset": sheet.ruleset,
        "archetype": f"{sheet.trait} {sheet.concept}",
        "karma": f"{sheet.karma} of {sheet.karma_max}",
        "resolve": f"{sheet.resolve} of {sheet.resolve_max}",
        "perks": str(len(sheet.perks)),
        "quirks": str(len(sheet.quirks)),
        "afflictions": str(len(sheet.afflictions)),
    }


def entries(sheet: TaleSheet) -> Iterator[tuple[str, str]]:
    """Every value with its key in the file."""
    values = as_values(sheet)
    for key in _TEXTS[2:]:
        yield key, values[key]
    for key in _LISTS:
        yield key, "; ".join(values[key])
    for key in _TOKENS:
        yield key, str(values[key])
    yield "afflictions", "; ".join(f"{each.name} ({each.lasts})" for each in sheet.afflictions)
    yield "dead", "yes" if sheet.dead else "no"


def example() -> str:
    """A character file that explains every key."""
    return (resources.files(__package__) / "example.toml").read_text(encoding="utf-8")


def samples() -> dict[str, str]:
    """The characters that come with Facedown: the texts of their files by name, in order."""
    found = (resources.files(__package__) / "samples").iterdir()
    named = ((f.name.removesuffix(".toml"), f) for f in found if f.name.endswith(".toml"))
    return {name: file.read_text(encoding="utf-8") for name, file in sorted(named)}
