"""Reads characters and challenges from a document, and writes characters so that they read back
unchanged."""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.character import (
    STYLE_OF,
    USUAL_MAX,
    Affliction,
    Character,
    Lasts,
    Style,
    Trait,
)
from hub.games.tricube.rules.tale import DIFFICULTIES, STANDARD, Challenge
from hub.kernel.documents import Document
from hub.kernel.faults import MAX_NUMBER, Place, shown

WordT = TypeVar("WordT", bound=StrEnum)
_REQUIRED = ("trait", "concept")
_OPTIONAL = (
    *("style", "perks", "quirks", "karma", "karma_max", "resolve", "resolve_max"),
    *("afflictions", "dead"),
)
CHALLENGE_KEYS = ("difficulty", "effort", "deadly")


def read_characters(document: Document, value: object, place: Place) -> dict[str, Character]:
    """Read the characters by name, in order; at least one."""
    given = document.table(value, place)
    if document.sound(place) and not given:
        document.blame(place, Reason("needs-characters"))
    return {name: read_character(document, each, (*place, name)) for name, each in given.items()}


def read_character(document: Document, value: object, place: Place) -> Character:
    """Read a character. Missing keys have the usual values."""
    given = document.table(value, place, _REQUIRED, _OPTIONAL)
    trait = one_of(document, given.get("trait", Trait.AGILE), (*place, "trait"), Trait)
    style = STYLE_OF[trait]
    if "style" in given:
        style = one_of(document, given["style"], (*place, "style"), Style)
    concept = document.text(given.get("concept", ""), (*place, "concept"))
    quirks = texts(document, given.get("quirks", ()), (*place, "quirks"))
    dead = document.flag(given.get("dead", False), (*place, "dead"))
    karma_max = _number(document, given, place, "karma_max", USUAL_MAX)
    resolve_max = _number(document, given, place, "resolve_max", USUAL_MAX, least=1)
    most_karma, most_resolve = (
        most if document.sound((*place, key)) else MAX_NUMBER  # an invalid maximum limits nothing
        for key, most in (("karma_max", karma_max), ("resolve_max", resolve_max))
    )
    least = int(not dead and document.sound((*place, "dead")))
    resolve = 0 if dead else resolve_max
    return Character(
        trait,
        concept,
        style,
        texts(document, given.get("perks", ()), (*place, "perks")),
        quirks,
        _number(document, given, place, "karma", karma_max, most=most_karma),
        karma_max,
        _number(document, given, place, "resolve", resolve, least=least, most=most_resolve),
        resolve_max,
        _afflictions(document, given.get("afflictions", ()), (*place, "afflictions"), quirks),
        dead,
    )


def read_challenge(document: Document, given: Mapping[str, Any], place: Place) -> Challenge:
    """Read a challenge from its :data:`CHALLENGE_KEYS`, with all its effort tokens."""
    least, *_, most = DIFFICULTIES
    difficulty = _number(document, given, place, "difficulty", STANDARD, least=least, most=most)
    effort = document.number(given.get("effort", 0), (*place, "effort"))
    deadly = document.flag(given.get("deadly", False), (*place, "deadly"))
    return Challenge(difficulty, effort, effort, deadly)


def character_object(character: Character) -> dict[str, Any]:
    """Every key of a character, for use at the start of the next script."""
    return {
        "trait": str(character.trait),
        "concept": character.concept,
        "style": str(character.style),
        "perks": [*character.perks],
        "quirks": [*character.quirks],
        "karma": character.karma,
        "karma_max": character.karma_max,
        "resolve": character.resolve,
        "resolve_max": character.resolve_max,
        "afflictions": afflictions_list(character.afflictions),
        "dead": character.dead,
    }


def afflictions_list(afflictions: Iterable[Affliction]) -> list[dict[str, str]]:
    """Afflictions as JSON values."""
    return [{"name": each.name, "lasts": str(each.lasts)} for each in afflictions]


def one_of(document: Document, value: object, place: Place, words: type[WordT]) -> WordT:
    """Read one of these words; the first one if the value is wrong."""
    names = [str(each) for each in words]
    if isinstance(value, str) and value in names:
        return words(value)
    document.blame(place, Reason("not-one-of", text=shown(value), names=names))
    return next(iter(words))


def texts(document: Document, value: object, place: Place) -> tuple[str, ...]:
    """Read a list of texts without duplicates."""
    found: list[str] = []
    for index, each in enumerate(document.items(value, place)):
        at = (*place, index)
        faults = len(document.faults)
        text = document.text(each, at)
        if len(document.faults) > faults:
            continue
        if text in found:
            document.blame(at, Reason("stands-twice", value=shown(text)))
        found.append(text)
    return tuple(found)


def _number(
    document: Document,
    given: Mapping[str, Any],
    place: Place,
    key: str,
    usual: int,
    *,
    least: int = 0,
    most: int = MAX_NUMBER,
) -> int:
    """Read a number within limits; ``usual`` if it is missing or faulty."""
    if key not in given:
        return usual
    at = (*place, key)
    found = document.number(given[key], at)
    if not document.sound(at):
        return usual
    if not least <= found <= most:
        document.blame(at, Reason("number-from-to", least=least, most=most))
    return found


def _afflictions(
    document: Document, value: object, place: Place, quirks: tuple[str, ...]
) -> tuple[Affliction, ...]:
    found: list[Affliction] = []
    for index, each in enumerate(document.items(value, place)):
        at = (*place, index)
        given = document.table(each, at, ("name",), ("lasts",))
        name = document.text(given.get("name", ""), (*at, "name"))
        named = document.sound((*at, "name"))
        if named and (name in quirks or any(name == other.name for other in found)):
            document.blame((*at, "name"), Reason("stands-twice", value=shown(name)))
        lasts = one_of(document, given.get("lasts", Lasts.LONGER), (*at, "lasts"), Lasts)
        if named:
            found.append(Affliction(name, lasts))
    return tuple(found)
