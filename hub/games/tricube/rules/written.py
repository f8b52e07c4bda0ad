"""Reads characters and challenges from a document, and writes characters."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from hub.games.scripts import Part
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
TOKENS = ("karma", "karma_max", "resolve", "resolve_max")
_REQUIRED = ("trait", "concept")
_OPTIONAL = ("style", "perks", "quirks", *TOKENS, "afflictions", "dead")
CHALLENGE_KEYS = ("difficulty", "effort", "deadly")


def read_characters(document: Document, value: object, place: Place) -> dict[str, Character]:
    """Read the characters: name → character, in order. There has to be at least one."""
    given = Part(document, value, place, optional=None)
    if document.sound(place) and not given.given:
        given.blame(Reason("needs-characters"))
    return {
        name: read_character(document, each, given.at(name)) for name, each in given.given.items()
    }


def read_character(document: Document, value: object, place: Place) -> Character:
    """Read a character. Missing optional keys have the usual values."""
    given = Part(document, value, place, _REQUIRED, _OPTIONAL)
    trait = given.read("trait", one_of, Trait) or Trait.AGILE
    style = given.read("style", one_of, Style) or STYLE_OF[trait]
    concept, quirks = given.text("concept"), given.read("quirks", texts) or ()
    dead = given.flag("dead")
    karma_max = _number(given, "karma_max", USUAL_MAX)
    resolve_max = _number(given, "resolve_max", USUAL_MAX, least=1)
    most_karma, most_resolve = (
        most if document.sound(given.at(key)) else MAX_NUMBER  # an invalid maximum limits nothing
        for key, most in (("karma_max", karma_max), ("resolve_max", resolve_max))
    )
    least = int(not dead and document.sound(given.at("dead")))
    resolve = 0 if dead else resolve_max
    return Character(
        trait,
        concept,
        style,
        given.read("perks", texts) or (),
        quirks,
        _number(given, "karma", karma_max, most=most_karma),
        karma_max,
        _number(given, "resolve", resolve, least=least, most=most_resolve),
        resolve_max,
        _afflictions(given, quirks),
        dead,
    )


def read_challenge(given: Part) -> Challenge:
    """Read a challenge from its :data:`CHALLENGE_KEYS`, with all its effort tokens."""
    least, *_, most = DIFFICULTIES
    difficulty = _number(given, "difficulty", STANDARD, least=least, most=most)
    effort = given.number("effort")
    return Challenge(difficulty, effort, effort, given.flag("deadly"))


def character_object(character: Character) -> dict[str, Any]:
    """Every key of a character as JSON values, from which the next script can begin."""
    return {
        "trait": str(character.trait),
        "concept": character.concept,
        "style": str(character.style),
        "perks": [*character.perks],
        "quirks": [*character.quirks],
        **{key: getattr(character, key) for key in TOKENS},
        "afflictions": afflictions_list(character.afflictions),
        "dead": character.dead,
    }


def afflictions_list(afflictions: Iterable[Affliction]) -> list[dict[str, str]]:
    """The afflictions as JSON values, each with its ``name`` and how long it ``lasts``."""
    return [{"name": each.name, "lasts": str(each.lasts)} for each in afflictions]


def one_of(document: Document, value: object, place: Place, words: type[WordT]) -> WordT:
    """Read one of these words. A wrong value is recorded as a fault and read as the first word."""
    names = [str(each) for each in words]
    if isinstance(value, str) and value in names:
        return words(value)
    document.blame(place, Reason("not-one-of", text=shown(value), names=names))
    return next(iter(words))


def texts(document: Document, value: object, place: Place) -> tuple[str, ...]:
    """Read a list of texts. A text that appears twice is recorded as a fault."""
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


def _number(given: Part, key: str, usual: int, *, least: int = 0, most: int = MAX_NUMBER) -> int:
    """Read a number from ``least`` to ``most``; ``usual`` if it is missing or malformed."""
    found = given.number(key, usual=usual)
    if key not in given or not given.document.sound(given.at(key)):
        return usual
    if not least <= found <= most:
        given.blame(Reason("number-from-to", least=least, most=most), key)
    return found


def _afflictions(given: Part, quirks: tuple[str, ...]) -> tuple[Affliction, ...]:
    document, found = given.document, list[Affliction]()
    for index, each in enumerate(given.items("afflictions")):
        one = Part(document, each, given.at("afflictions", index), ("name",), ("lasts",))
        name = one.text("name")
        named = document.sound(one.at("name"))
        if named and (name in quirks or any(name == other.name for other in found)):
            one.blame(Reason("stands-twice", value=shown(name)), "name")
        lasts = one.read("lasts", one_of, Lasts) or Lasts.LONGER
        if named:
            found.append(Affliction(name, lasts))
    return tuple(found)
