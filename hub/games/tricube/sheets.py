"""Character files: TOML, with one player character each. ``example.toml`` explains every key."""

from collections.abc import Collection, Iterator
from typing import Any

from hub.games.deeds import everybody as of_story
from hub.games.tricube.story import sheet as written
from hub.games.tricube.story.sheet import TaleSheet, as_values
from hub.kernel.documents import Document
from hub.kernel.documents.toml import packaged_text, packaged_texts, toml_value

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
    """Read and check a character. ``party`` and ``house`` have no effect in this family. Raises
    :class:`hub.kernel.faults.Faulty` with every fault."""
    sheet = written.read_sheet(document, document.values)
    document.check()
    return sheet


def read_layout(document: Document, house: Any = None) -> TaleSheet:
    """Read a character, ignoring the key ``npc``: this book has no NPC sheets, but the hub adds the
    key to a sheet that lacks it. Raises :class:`hub.kernel.faults.Faulty`."""
    sheet = written.read_sheet(document, document.values, layout=True)
    document.check()
    return sheet


def write_sheet(sheet: TaleSheet) -> str:
    """The text of a character file. A valid sheet reads back unchanged."""
    lines = ["# A character of Facedown; `facedown sheet example tricube` explains every key."]
    values = as_values(sheet)
    for key in (*_TEXTS, *_LISTS, *_TOKENS):
        lines.append(f"{key} = {toml_value(values[key])}")
    if sheet.dead:
        lines.append("dead = true")
    for each in values["afflictions"]:
        lines += ["", "[[afflictions]]", *(f"{key} = {toml_value(each[key])}" for key in each)]
    return "\n".join(lines) + "\n"


def summary(sheet: TaleSheet) -> dict[str, str]:
    """A table row about the character: column → text."""
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
    """Each key of the file with its value as text, to show what changed."""
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
    """The text of a character file that explains every key."""
    return packaged_text(__package__, "example.toml")


def samples() -> dict[str, str]:
    """The characters that come with Facedown: name → the text of the file."""
    found = packaged_texts(__package__, "samples")
    return {name.removesuffix(".toml"): text for name, text in found.items()}
