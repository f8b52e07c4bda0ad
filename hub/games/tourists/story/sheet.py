"""A character, or a party with a single sheet, as it lasts between Conflicts."""

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.conflict import is_line
from hub.games.tourists.rules.deck import ATTRIBUTES, BEATS, EXCUSES, TRIUMPHS, Card, deck_of
from hub.kernel.faults import MAX_NUMBER, is_name, shown
from hub.kernel.reasons import Reason as CommonReason

RULESET = "tourists"
MOST_ENTRIES = 64
MOST_RESERVE = 83
STANDARD = deck_of(
    [*EXCUSES],
    [*TRIUMPHS],
    {name: [*cards] for name, cards in ATTRIBUTES.items()},
    {name: [*others] for name, others in BEATS.items()},
)
"""The book's deck."""


# book: using-reserve.secondary, establishing-control.special
class TouristsSheet(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A character."""

    ruleset: str
    name: str
    npc: bool = False
    dead: bool = False
    """Whether it can no longer take part in Conflicts."""
    description: str = ""
    attributes: dict[str, int] = {}
    """Name → value; a Conflict uses one of them."""
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    """Lasting Losses of past Conflicts are included."""
    reserve: tuple[Card, ...] | None = None
    """The cards as drawn. None: still to be laid at the table, up to ``reserve_max``."""
    reserve_max: int = 0


def as_values(sheet: TouristsSheet) -> dict[str, Any]:
    """The sheet as JSON values."""
    values: dict[str, Any] = msgspec.to_builtins(sheet)
    return values


def faults_of(sheet: TouristsSheet) -> Iterator[tuple[str, CommonReason]]:
    """The faults of a sheet: the key, and the reason."""
    if sheet.ruleset != RULESET:
        yield "ruleset", Reason("sheet-of-other-book", book=shown(sheet.ruleset))
    if not is_name(sheet.name):
        yield "name", Reason("no-sheet-name")
    if not is_line(sheet.description, 0):
        yield "description", Reason("no-sheet-text", most=MAX_WORD_CHARS)
    if not sheet.attributes:
        yield "attributes", Reason("sheet-needs-attribute")
    for name, value in sheet.attributes.items():
        if not is_name(name) or not 0 <= value <= MAX_NUMBER:
            yield "attributes", Reason("no-attribute-value", most=MAX_NUMBER)
    for key in ("aspects", "weaknesses"):
        texts: tuple[str, ...] = getattr(sheet, key)
        if not all(is_line(text, 1) for text in texts) or len(texts) > MOST_ENTRIES:
            yield key, Reason("no-sheet-text", most=MAX_WORD_CHARS)
        elif len({*texts}) < len(texts):
            yield key, Reason("each-text-once")
    if not 0 <= sheet.reserve_max <= MOST_RESERVE:
        yield "reserve_max", Reason("no-reserve-max", most=MOST_RESERVE)
    numbers = [card.number for card in sheet.reserve or ()]
    if len({*numbers}) < len(numbers) or not all(number in STANDARD for number in numbers):
        yield "reserve", Reason("no-reserve")
