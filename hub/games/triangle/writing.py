"""Write a character as TOML, always in the same layout."""

import json
from collections.abc import Iterable, Iterator

from hub.games.triangle.rules.characters.book import Rest
from hub.games.triangle.rules.characters.sheet import Sheet, Trait
from hub.games.triangle.rules.edition import Action


def write_sheet(sheet: Sheet) -> str:
    """Return the file's text. A valid sheet survives the round trip unchanged."""
    return "\n".join(_lines(sheet)) + "\n"


def _lines(sheet: Sheet) -> Iterator[str]:
    yield from _person(sheet)
    yield from ("", "[energy]")
    for each in Action:
        points = [("now", sheet.energy.of(each)), ("max", sheet.max.of(each))]
        yield f"{each} = {_inline([*points, ('zero', each in sheet.zero)])}"
    yield from ("", "[rested]")
    for rest in (Rest.BREATHER, Rest.SHORT):
        yield f"{rest} = {_value(rest in sheet.rested)}"
    yield from _learned(sheet)
    for background in sheet.backgrounds:
        yield from ("", "[[backgrounds]]")
        for key in ("name", "points", "left"):
            yield f"{key} = {_value(getattr(background, key))}"


def _person(sheet: Sheet) -> Iterator[str]:
    yield "# A character of Facedown; docs/rules/characters.md explains every key."
    for key in ("ruleset", "name", "level", "npc", "style", "description"):
        yield f"{key} = {_value(getattr(sheet, key))}"
    for key in ("belief", "flaw", "goal"):
        trait: Trait = getattr(sheet, key)
        counted = [("counted", True)] if trait.counted else []
        yield f"{key} = {_inline([('text', trait.text), ('marked', trait.marked), *counted])}"
    yield f"veto = {_value(sheet.veto)}"
    yield f"decided = {sheet.decided}"
    for key in ("dead", "sits_out"):
        if getattr(sheet, key):
            yield f"{key} = true"


def _learned(sheet: Sheet) -> Iterator[str]:
    yield from ("", "[moves]")
    for move in sheet.moves:
        yield f"{_key(str(move))} = {_value(move.name)}"
    if sheet.combos:
        yield from ("", "[combos]")
    for start, follow_ups in sheet.combos.items():
        yield f"{_key(start)} = [{', '.join(map(_value, follow_ups))}]"
    if sheet.specials:
        yield from ("", "[specials]")
    for special in sheet.specials:
        yield f"{_key(special.id)} = {_inline([('name', special.name), ('used', special.used)])}"


def _value(value: str | int | bool) -> str:
    """A TOML value. JSON writes strings, numbers and booleans the same way, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else _value(key)


def _inline(pairs: Iterable[tuple[str, str | int | bool]]) -> str:
    return "{" + ", ".join(f"{key} = {_value(value)}" for key, value in pairs) + "}"
