"""Character files: TOML, one character each. ``docs/rules/characters.md`` explains every key.

``layout`` reads a file. Files are written with their keys in a fixed order.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from hub.games.deeds import everybody as of_story
from hub.games.triangle.layout import read_layout, read_sheet
from hub.games.triangle.rules.characters.sheet import Rest, Sheet, Trait, as_values
from hub.games.triangle.rules.edition import Action
from hub.kernel.documents.toml import packaged_text, packaged_texts, toml_value

__all__ = [
    "as_values", "entries", "example", "of_story", "read_layout", "read_sheet", "samples",
    "summary", "write_sheet",
]  # fmt: skip


def example() -> str:
    """A character file with every key explained."""
    return packaged_text(__package__, "example.toml")


def samples() -> dict[str, str]:
    """The characters that come with Facedown: name → the text of its file, in order."""
    found = packaged_texts(__package__, "samples")
    return {name.removesuffix(".toml"): text for name, text in found.items()}


def summary(sheet: Sheet) -> dict[str, str]:
    """A table row about the character: column → text."""
    energy = ", ".join(f"{each} {sheet.energy.of(each)}/{sheet.max.of(each)}" for each in Action)
    marks = [key for key in ("belief", "flaw", "goal") if getattr(sheet, key).marked]
    marks += [f"{action} zero" for action in sheet.zero]
    marks += [f"{special.id} used" for special in sheet.specials if special.used]
    marks += [] if sheet.veto or sheet.npc else ["veto used"]
    marks += ["dead"] if sheet.dead else []
    who = f"{sheet.name} (NPC)" if sheet.npc else sheet.name
    return {
        "character": who,
        "ruleset": sheet.ruleset,
        "level": str(sheet.level),
        "energy": energy,
        "marks": ", ".join(marks),
    }


def entries(sheet: Sheet) -> Iterator[tuple[str, str]]:
    """Yield each value whose changes are shown: its dotted key, and its text."""
    energy = {a: f"{sheet.energy.of(a)}/{sheet.max.of(a)}" for a in Action}
    values: dict[str, Any] = {
        "level": sheet.level,
        **{f"energy.{action}": points for action, points in energy.items()},
        **{f"energy.{action}.zero": action in sheet.zero for action in Action},
        **{f"moves.{move}": move.name for move in sheet.moves},
        **{f"combos.{start}": ", ".join(moves) for start, moves in sheet.combos.items()},
        **{f"specials.{each.id}": "used" if each.used else "ready" for each in sheet.specials},
        **{f"backgrounds.{b.name}": f"{b.left}/{b.points}" for b in sheet.backgrounds},
        "veto": sheet.veto,
        **{f"rested.{rest}": True for rest in sheet.rested},
    }
    for key in ("belief", "flaw", "goal"):
        trait = getattr(sheet, key)
        values |= {key: trait.text, f"{key}.marked": trait.marked, f"{key}.counted": trait.counted}
    for key, value in values.items():
        yield key, {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def write_sheet(sheet: Sheet) -> str:
    """Return the text of a character file. If the sheet is valid, reading the text gives the same
    sheet."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    yield from _person(sheet)
    yield from ("", "[energy]")
    for each in Action:
        points = [("now", sheet.energy.of(each)), ("max", sheet.max.of(each))]
        yield f"{each} = {_inline([*points, ('zero', each in sheet.zero)])}"
    yield from ("", "[rested]")
    for rest in (Rest.BREATHER, Rest.SHORT):
        yield f"{rest} = {toml_value(rest in sheet.rested)}"
    yield from _learned(sheet)
    for background in sheet.backgrounds:
        yield from ("", "[[backgrounds]]")
        for key in ("name", "points", "left"):
            yield f"{key} = {toml_value(getattr(background, key))}"


def _person(sheet: Sheet) -> Iterator[str]:
    yield "# A character of Facedown; docs/rules/characters.md explains every key."
    for key in ("ruleset", "name", "level", "npc", "style", "description"):
        yield f"{key} = {toml_value(getattr(sheet, key))}"
    for key in ("belief", "flaw", "goal"):
        trait: Trait = getattr(sheet, key)
        counted = [("counted", True)] if trait.counted else []
        yield f"{key} = {_inline([('text', trait.text), ('marked', trait.marked), *counted])}"
    yield f"veto = {toml_value(sheet.veto)}"
    yield f"decided = {sheet.decided}"
    for key in ("dead", "sits_out"):
        if getattr(sheet, key):
            yield f"{key} = true"


def _learned(sheet: Sheet) -> Iterator[str]:
    yield from ("", "[moves]")
    for move in sheet.moves:
        yield f"{_key(str(move))} = {toml_value(move.name)}"
    if sheet.combos:
        yield from ("", "[combos]")
    for start, follow_ups in sheet.combos.items():
        yield f"{_key(start)} = [{', '.join(map(toml_value, follow_ups))}]"
    if sheet.specials:
        yield from ("", "[specials]")
    for special in sheet.specials:
        yield f"{_key(special.id)} = {_inline([('name', special.name), ('used', special.used)])}"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else toml_value(key)


def _inline(pairs: Iterable[tuple[str, str | int | bool]]) -> str:
    return "{" + ", ".join(f"{key} = {toml_value(value)}" for key, value in pairs) + "}"
