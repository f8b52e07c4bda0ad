"""A character, or a party with one sheet, between Conflicts, and the GM's changes to it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.deeds import COMMON_DEEDS, Deed, DeedTo, Does, Told, Words
from hub.games.game import LINE, MAX_WORD_CHARS, RulesError
from hub.games.tourists.reasons import Reason
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
"""The deck of the book, with 83 cards."""


# book: using-reserve.secondary, establishing-control.special
class TouristsSheet(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A character between Conflicts, or a party that has one sheet."""

    ruleset: str
    name: str
    npc: bool = False
    dead: bool = False
    """Whether the character can no longer take part in Conflicts."""
    description: str = ""
    attributes: dict[str, int] = {}
    """Name of an Attribute → its value; a Conflict uses one of them."""
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    """The character's Weaknesses, including Lasting Losses of past Conflicts."""
    reserve: tuple[Card, ...] | None = None
    """The Reserve Cards as drawn. None if they are still to be laid at the table, up to
    ``reserve_max``."""
    reserve_max: int = 0


def as_values(sheet: TouristsSheet) -> dict[str, Any]:
    """The sheet as JSON values, as the journal keeps it."""
    values: dict[str, Any] = msgspec.to_builtins(sheet)
    return values


def faults_of(sheet: TouristsSheet) -> Iterator[tuple[str, CommonReason]]:
    """The faults of a sheet, each as its key and the reason."""
    if sheet.ruleset != RULESET:
        yield "ruleset", Reason("sheet-of-other-book", book=shown(sheet.ruleset))
    if not is_name(sheet.name):
        yield "name", Reason("no-sheet-name")
    if sheet.description and not LINE.holds(sheet.description):
        yield "description", Reason("no-sheet-text", most=MAX_WORD_CHARS)
    if not sheet.attributes:
        yield "attributes", Reason("sheet-needs-attribute")
    for name, value in sheet.attributes.items():
        if not is_name(name) or not 0 <= value <= MAX_NUMBER:
            yield "attributes", Reason("no-attribute-value", most=MAX_NUMBER)
    for key in ("aspects", "weaknesses"):
        texts: tuple[str, ...] = getattr(sheet, key)
        if not all(map(LINE.holds, texts)) or len(texts) > MOST_ENTRIES:
            yield key, Reason("no-sheet-text", most=MAX_WORD_CHARS)
        elif len({*texts}) < len(texts):
            yield key, Reason("each-text-once")
    if not 0 <= sheet.reserve_max <= MOST_RESERVE:
        yield "reserve_max", Reason("no-reserve-max", most=MOST_RESERVE)
    numbers = [card.number for card in sheet.reserve or ()]
    if len({*numbers}) < len(numbers) or not all(number in STANDARD for number in numbers):
        yield "reserve", Reason("no-reserve")


class GainWeakness(DeedTo, frozen=True, kw_only=True, tag="gain-weakness"):
    """A character gains a Weakness, ``words``."""

    words: Words


class Heal(DeedTo, frozen=True, kw_only=True, tag="heal"):
    """The character's Weakness ``words`` is removed: it is healed, mended or found again."""

    words: Words


class GainAspect(DeedTo, frozen=True, kw_only=True, tag="gain-aspect"):
    """A character gains an Aspect, ``words``."""

    words: Words


class ReserveIs(DeedTo, frozen=True, kw_only=True, tag="reserve-is"):
    """The GM sets the cards in a character's Reserve."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=MOST_RESERVE)] = ()


class SheetDead(DeedTo, frozen=True, kw_only=True, tag="is-dead"):
    """A character can no longer take part in Conflicts or, with ``dead`` false, can again."""

    dead: bool = True


def with_sheet(state: Told, sheet: TouristsSheet) -> Told:
    """The story with ``sheet`` instead of the character's old one. Raises :class:`RulesError` if
    the sheet has a fault."""
    for _, why in faults_of(sheet):
        raise RulesError(why)
    return replace(state, sheets={**state.sheets, sheet.name: sheet})


def _changing(change: Callable[[TouristsSheet, Any], TouristsSheet]) -> Does:
    def does(state: Told, deed: Any) -> Told:
        sheet = state.sheets.get(deed.name)
        if sheet is None:
            raise RulesError(Reason("not-of-this-story", who=shown(deed.name)))
        changed = change(sheet, deed)
        _check_reserves(state, changed)
        return with_sheet(state, changed)

    return does


def _check_reserves(state: Told, changed: TouristsSheet) -> None:
    """Raise :class:`RulesError` if a card of the changed sheet is already in another Reserve."""
    mine = {card.number for card in changed.reserve or ()}
    for sheet in state.sheets.values():
        for card in sheet.reserve or ():
            if sheet.name != changed.name and card.number in mine:
                raise RulesError(Reason("card-in-reserve", number=card.number, who=sheet.name))


def _healed(sheet: TouristsSheet, deed: Heal) -> TouristsSheet:
    if deed.words not in sheet.weaknesses:
        raise RulesError(Reason("no-such-weakness", who=sheet.name, text=shown(deed.words)))
    left = tuple(text for text in sheet.weaknesses if text != deed.words)
    return replace(sheet, weaknesses=left)


DEEDS: Mapping[type[Deed], Does] = {
    **COMMON_DEEDS,
    GainWeakness: _changing(
        lambda sheet, deed: replace(sheet, weaknesses=(*sheet.weaknesses, deed.words.strip()))
    ),
    Heal: _changing(_healed),
    GainAspect: _changing(
        lambda sheet, deed: replace(sheet, aspects=(*sheet.aspects, deed.words.strip()))
    ),
    ReserveIs: _changing(lambda sheet, deed: replace(sheet, reserve=deed.cards)),
    SheetDead: _changing(lambda sheet, deed: replace(sheet, dead=deed.dead)),
}
