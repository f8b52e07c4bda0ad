"""Reads the deck and the parties of a Conflict from a document."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace

from hub.games.game import LINE, MAX_WORD_CHARS
from hub.games.scripts import Part
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.conflict import FEWEST, Conflict, Party, Sheet
from hub.games.tourists.rules.deck import ATTRIBUTES, BEATS, EXCUSES, TRIUMPHS, Card, Deck, deck_of
from hub.kernel.documents import Document
from hub.kernel.faults import Place, shown

_CARD = re.compile(r"(0|[1-9][0-9]{0,3}) (upright|reversed)")
_DECK_KEYS = ("excuse", "triumphs", "attributes", "beats")
_PARTY_KEYS = ("goal", "gm")
_SHEET_KEYS = ("attribute", "aspects", "weaknesses", "reserve", "reserve_max")
_NOWHERE = Card(-1)
_NO_LINE = Reason("no-sheet-text", most=MAX_WORD_CHARS)

Numbers = list[tuple[Place, int]]
_Keeps = tuple[str, str, tuple[Card, ...] | None, int | None]
"""Party and character, and the Reserve and ``reserve_max`` that it keeps from the Conflict before;
each of these two is None if the document gives a new one."""


def read_card(document: Document, value: object, place: Place, deck: Deck) -> Card:
    """Read a card with its orientation, such as ``39 upright``. Malformed text, or a number that is
    not in ``deck``, is recorded as a fault."""
    found = _CARD.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        document.blame(place, Reason("no-card-text", value=shown(value)))
        return _NOWHERE
    number = int(found[1])
    if number not in deck:
        document.blame(place, Reason("no-card-of-deck", number=number))
    return Card(number, found[2] == "reversed")


# book: at-hand.deck, t1.data
def read_deck(document: Document, value: object, place: Place) -> Deck:
    """Read the deck. Parts that ``value`` lacks are those of the default deck."""
    given = Part(document, value, place, (), _DECK_KEYS)
    parts: dict[str, Numbers] = {
        key: _numbers(given, key)
        if key in given
        else [(given.at(key), number) for number in default]
        for key, default in (("excuse", EXCUSES), ("triumphs", TRIUMPHS))
    }
    written = given.given.get("attributes", ATTRIBUTES)
    names = Part(document, written, given.at("attributes"), optional=None)
    attributes = {name: _numbers(names, name) for name in names.given}
    seen: set[int] = set()
    everywhere = [
        *(("excuse" in given, each) for each in parts["excuse"]),
        *(("triumphs" in given, each) for each in parts["triumphs"]),
        *(("attributes" in given, each) for cards in attributes.values() for each in cards),
    ]
    # On a clash between a default and a written number, blame the written one.
    for _, (where, number) in sorted(everywhere, key=lambda each: each[0]):
        if number in seen:
            document.blame(where, Reason("number-twice", number=number))
        seen.add(number)
    default = {} if "attributes" in given else BEATS
    beats = Part(document, given.given.get("beats", default), given.at("beats"), optional=None)
    return deck_of(
        [number for _, number in parts["excuse"]],
        [number for _, number in parts["triumphs"]],
        {name: [number for _, number in cards] for name, cards in attributes.items()},
        _beats(beats, attributes),
    )


# book: agendas.two, parties-and-goals.*, reframing.anew, t13.return
def read_parties(
    document: Document, value: object, place: Place, deck: Deck, before: Conflict | None = None
) -> list[Party]:
    """Read the parties, in order around the table. After a Reframing, ``before`` is the Conflict
    that it stopped: characters keep their Reserves from there, unless the document gives new ones
    (T13)."""
    parts = Part(document, value, place, optional=None)
    given = parts.given
    if document.sound(place) and len(given) < FEWEST:
        parts.blame(Reason("two-parties"))
    parties = [_party(parts, name, deck) for name in given]
    _blame_double_names(document, parties, place)
    kept = [] if before is None else [*_kept(parties, before, given)]
    _blame_double_cards(document, parties, given, place, kept)
    sheets = {name: dict(party.sheets) for name, party in zip(given, parties, strict=True)}
    for name, who, cards, most in kept:
        sheet = sheets[name][who]
        if cards is not None:
            sheet = replace(sheet, reserve=cards)
        sheets[name][who] = sheet if most is None else replace(sheet, reserve_max=most)
    return [replace(party, sheets=sheets[party.name]) for party in parties]


def _blame_double_names(document: Document, parties: list[Party], place: Place) -> None:
    """Record a fault for each character that has the same name as a party or another character. A
    party's only character may have the party's name."""
    names = {party.name for party in parties}
    for party in parties:
        if [*party.sheets] == [party.name]:
            continue
        for who in party.sheets:
            if who in names:
                at = (*place, party.name, "characters", who)
                document.blame(at, Reason("name-twice", who=who))
            names.add(who)


def _blame_double_cards(
    document: Document,
    parties: list[Party],
    given: dict[str, Any],
    place: Place,
    kept: list[_Keeps],
) -> None:
    """Record a fault for each Reserve Card that another Reserve has, too."""
    seen = {card.number for _, _, cards, _ in kept for card in cards or ()}
    for party in parties:
        for who, sheet in party.sheets.items():
            for index, card in enumerate(sheet.reserve):
                if card.number in seen and card != _NOWHERE:
                    at = _sheet_place(place, given[party.name], party.name, who)
                    why = Reason("number-twice", number=card.number)
                    document.blame((*at, "reserve", index), why)
                seen.add(card.number)


# book: t13.reserves
def _kept(parties: list[Party], before: Conflict, given: dict[str, Any]) -> Iterator[_Keeps]:
    for party in parties:
        for who in party.sheets:
            old = before.party_of.get(who)
            if old is None:
                continue
            written = given[party.name]
            if "characters" in written:
                written = written["characters"][who]
            cards = None if "reserve" in written else before.reserves[who]
            most = before.parties[old].sheets[who].reserve_max
            yield party.name, who, cards, None if "reserve_max" in written else most


def blame_texts(
    document: Document, parties: list[Party], given: dict[str, Any], place: Place
) -> None:
    """Record faults for texts that do not keep to :data:`LINE`: a Reserve Card is justified by
    repeating the exact text of an Aspect or a Weakness."""
    for party in parties:
        written = given[party.name]
        if party.goal and not LINE.holds(party.goal):
            document.blame((*place, party.name, "goal"), _NO_LINE)
        for who, sheet in party.sheets.items():
            at = _sheet_place(place, written, party.name, who)
            if sheet.attribute_name and not LINE.holds(sheet.attribute_name):
                document.blame((*at, "attribute", "name"), _NO_LINE)
            for key in ("aspects", "weaknesses"):
                for index, text in enumerate(getattr(sheet, key)):
                    if not LINE.holds(text):
                        document.blame((*at, key, index), _NO_LINE)


def _sheet_place(place: Place, written: object, party: str, who: str) -> Place:
    own = not isinstance(written, dict) or "characters" not in written
    return (*place, party) if own else (*place, party, "characters", who)


def _party(parties: Part, name: str, deck: Deck) -> Party:
    value = parties.given[name]
    if isinstance(value, dict) and "characters" in value:
        given = parties.part(name, ("characters",), _PARTY_KEYS)
        characters = given.by_name("characters")
        sheets = {
            who: _sheet(characters.part(who, (), _SHEET_KEYS), deck) for who in characters.given
        }
        attributes = [each.attribute for each in sheets.values()]
        if given.document.sound(characters.place) and all(each is None for each in attributes):
            characters.blame(Reason("no-attribute") if sheets else Reason("needs-character"))
    else:
        given = parties.part(name, ("attribute",), (*_PARTY_KEYS, *_SHEET_KEYS[1:]))
        sheets = {name: _sheet(given, deck)}
    return Party(name, sheets, given.text("goal"), given.flag("gm"))


# book: establishing-control.attribute, establishing-control.special, npc-reserve.gm
def _sheet(given: Part, deck: Deck) -> Sheet:
    value, name = None, ""
    if "attribute" in given:
        attribute = given.part("attribute", ("name", "value"))
        name, value = attribute.text("name"), attribute.number("value")
    reserve = given.each("reserve", read_card, deck)
    most = given.number("reserve_max", usual=len(reserve))
    return Sheet(value, _texts(given, "aspects"), _texts(given, "weaknesses"), reserve, most, name)


def _texts(given: Part, key: str) -> tuple[str, ...]:
    found: list[str] = []
    for index, text in enumerate(given.items(key)):
        if isinstance(text, str) and text in found:
            given.blame(Reason("text-twice", value=shown(text)), key, index)
        found.append(given.document.text(text, given.at(key, index)))
    return tuple(found)


def _numbers(given: Part, key: str) -> Numbers:
    return [(given.at(key, index), number) for index, number in enumerate(given.numbers(key))]


def _beats(given: Part, attributes: Collection[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in given.given:
        if name not in attributes:
            given.blame(Reason("not-one-of", text=shown(name), names=[*attributes]), name)
        found[name] = []
        for index, other in enumerate(given.items(name)):
            if not isinstance(other, str) or other not in attributes:
                why = Reason("not-one-of", text=shown(other), names=[*attributes])
                given.blame(why, name, index)
            elif other == name or name in found.get(other, ()):
                given.blame(Reason("beats-each-other", value=shown(other)), name, index)
            else:
                found[name].append(other)
    return found
