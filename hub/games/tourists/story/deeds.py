"""The GM's changes to characters between Conflicts."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    STAKES_DEEDS,
    WISH_DEEDS,
    Deed,
    DeedTo,
    Does,
    Told,
    Words,
)
from hub.games.game import RulesError
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.story.sheet import MOST_RESERVE, TouristsSheet, faults_of
from hub.kernel.faults import shown


class GainWeakness(DeedTo, frozen=True, kw_only=True, tag="gain-weakness"):
    """A character gains a Weakness."""

    words: Words


class Heal(DeedTo, frozen=True, kw_only=True, tag="heal"):
    """A character's Weakness is removed: healed, mended, found again."""

    words: Words


class GainAspect(DeedTo, frozen=True, kw_only=True, tag="gain-aspect"):
    """A character gains an Aspect."""

    words: Words


class ReserveIs(DeedTo, frozen=True, kw_only=True, tag="reserve-is"):
    """Set the cards in a character's Reserve."""

    cards: Annotated[tuple[Card, ...], Meta(max_length=MOST_RESERVE)] = ()


class SheetDead(DeedTo, frozen=True, kw_only=True, tag="is-dead"):
    """A character can no longer take part, or can again."""

    dead: bool = True


def with_sheet(state: Told, sheet: TouristsSheet) -> Told:
    """The story with this sheet replacing the character's old one. Raises :class:`RulesError`."""
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
    """Refuse a card that is already in another Reserve."""
    mine = {card.number for card in changed.reserve or ()}
    for sheet in state.sheets.values():
        for card in sheet.reserve or ():
            if sheet.name != changed.name and card.number in mine:
                raise RulesError(Reason("card-in-reserve", number=card.number, who=sheet.name))


def _weaker(sheet: TouristsSheet, deed: GainWeakness) -> TouristsSheet:
    return replace(sheet, weaknesses=(*sheet.weaknesses, deed.words.strip()))


def _healed(sheet: TouristsSheet, deed: Heal) -> TouristsSheet:
    if deed.words not in sheet.weaknesses:
        raise RulesError(Reason("no-such-weakness", who=sheet.name, text=shown(deed.words)))
    left = tuple(text for text in sheet.weaknesses if text != deed.words)
    return replace(sheet, weaknesses=left)


DEEDS: Mapping[type[Deed], Does] = {
    **COUNTDOWN_DEEDS,
    **STAKES_DEEDS,
    **WISH_DEEDS,
    GainWeakness: _changing(_weaker),
    Heal: _changing(_healed),
    GainAspect: _changing(
        lambda sheet, deed: replace(sheet, aspects=(*sheet.aspects, deed.words.strip()))
    ),
    ReserveIs: _changing(lambda sheet, deed: replace(sheet, reserve=deed.cards)),
    SheetDead: _changing(lambda sheet, deed: replace(sheet, dead=deed.dead)),
}
