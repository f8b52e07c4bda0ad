"""The game rules on one page, and a printed character sheet, in our own words."""

from collections.abc import Iterator, Mapping
from typing import Any

from hub.games.faces import Line, Part, Texts

_CARD = "tricube.card"
_ROOM = (Line(write=True),) * 2
"""Blank lines to write on."""
_PARTS: Mapping[str, tuple[str, ...]] = {
    "dice": ("three", "two", "fewer", "fight"),
    "outcome": ("difficulty", "exceptional", "success", "failure", "critical", "tokens"),
    "tokens": ("begin", "karma", "quirk", "complication", "perk"),
    "price": ("failure", "defeat", "affliction", "cure"),
    "against": ("each", "tie", "defense"),
    "between": ("turn", "scene", "session"),
}
"""Sections of the page, with the lines of each."""


def rules_parts(say: Texts) -> Iterator[Part]:
    """Dice, outcomes, tokens, the price of failure, opposed rolls and recovery."""
    for part, lines in _PARTS.items():
        yield Part(say(f"{_CARD}.rules.{part}"), tuple(_line(part, line, say) for line in lines))


def _line(part: str, line: str, say: Texts) -> Line:
    key = f"{_CARD}.rules.{part}.{line}"
    return Line(say(key), say(f"{key}.more"))


def sheet_parts(sheet: Any, say: Texts) -> Iterator[Part]:
    """A character's data, with room for later entries."""
    if sheet.description:
        yield Part(say(f"{_CARD}.sheet.about"), (Line(text=sheet.description),))
    style = say(f"{_CARD}.sheet.{sheet.style}")
    archetype = Line(say(f"{_CARD}.sheet.{sheet.trait}"), sheet.concept)
    fights = Line(say(f"{_CARD}.sheet.style"), style)
    yield Part(say(f"{_CARD}.sheet.archetype"), (archetype, fights))
    for key, texts in (("perks", sheet.perks), ("quirks", sheet.quirks)):
        yield Part(say(f"{_CARD}.sheet.{key}"), (*(Line(text=each) for each in texts), *_ROOM[:1]))
    yield Part(
        say(f"{_CARD}.sheet.tokens"),
        (
            Line(say(f"{_CARD}.sheet.karma"), "", sheet.karma_max, sheet.karma),
            Line(say(f"{_CARD}.sheet.resolve"), "", sheet.resolve_max, sheet.resolve),
        ),
    )
    gone = [Line(text=f"{each.name} ({say(f'{_CARD}.lasts.{each.lasts}')})") for each in
            sheet.afflictions]  # fmt: skip
    yield Part(say(f"{_CARD}.sheet.afflictions"), (*gone, *_ROOM))
    yield Part(say(f"{_CARD}.sheet.notes"), _ROOM * 2)
