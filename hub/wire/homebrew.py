"""House rules: a TOML file that derives a ruleset from one of the three books.

``docs/rules/homebrew.md`` describes it. Every fault is told at once, each with its line.
"""

import re
from collections.abc import Mapping
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from hub.rules.registry import GAMES
from hub.rules.triangle.edition import Action, Edition, Move, special_list
from hub.rules.triangle.game import TriangleGame
from hub.rules.triangle.reading import MAX_NUMBER, shown
from hub.wire.toml import Document, FileFault, Place

BASES: Mapping[str, Edition] = {
    ruleset: game.edition for ruleset, game in GAMES.items() if isinstance(game, TriangleGame)
}
"""The books that a ruleset can be derived from."""

MAX_BYTES = 100_000
"""Longest file of house rules."""
KEYS = ("id", "base", "level", "variants", "both_out_wins", "elements", "moves", "specials")
NUMBERS = ("base", "multiplier")
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_ELEMENT = re.compile(r"[a-z][a-z0-9]*")
_LONGEST_ID = 40


def read_homebrew(document: Document) -> Edition:
    """The ruleset that a file describes. Raises :class:`FileFault` with every fault."""
    _unknown(document, document.values, KEYS)
    base = document.values.get("base")
    if not isinstance(base, str) or base not in BASES:
        document.blame(("base",), f"base has to be one of: {', '.join(BASES)}")
        raise FileFault(document.problems)
    edition = BASES[base]
    ruleset = _id(document)
    elements = _elements(document, edition)
    edition = replace(
        edition,
        id=ruleset,
        element_beats=elements,
        moves=_moves(document, edition, elements),
        level=_number(document, ("level",), document.values.get("level", edition.level)),
        variants=_flag(document, "variants", edition.variants),
        specials=_specials(document, edition),
        both_out_wins=_flag(document, "both_out_wins", edition.both_out_wins),
    )
    if document.problems:
        raise FileFault(document.problems)
    return edition


def _id(document: Document) -> str:
    ruleset = document.values.get("id")
    if not isinstance(ruleset, str) or not _is_id(ruleset):
        document.blame(("id",), "id has to name the ruleset, in small letters such as 'my-house'")
        return ""
    if ruleset in GAMES:
        document.blame(("id",), f"{ruleset} is one of the books; choose a name of your own")
    return ruleset


def _is_id(value: str) -> bool:
    return bool(_ID.fullmatch(value)) and len(value) <= _LONGEST_ID


def _unknown(document: Document, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in given:
        if key not in known:
            document.blame((key,), f"unknown key {shown(key)} (known: {', '.join(known)})")


def _table(document: Document, place: Place, value: object) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    document.blame(place, f"{'.'.join(map(str, place))} has to be a table")
    return {}


def _number(document: Document, place: Place, value: object) -> int:
    if type(value) is int and 0 <= value <= MAX_NUMBER:
        return value
    document.blame(
        place, f"{place[-1]} has to be a whole number from 0 to {MAX_NUMBER}, not {shown(value)}"
    )
    return 0


def _flag(document: Document, key: str, default: bool) -> bool:
    value = document.values.get(key, default)
    if isinstance(value, bool):
        return value
    document.blame((key,), f"{key} has to be true or false")
    return default


def _elements(document: Document, edition: Edition) -> Mapping[str, frozenset[str]]:
    """Who beats whom: of two elements at most one beats the other, and none itself."""
    if "elements" not in document.values:
        return edition.element_beats
    relation: dict[str, frozenset[str]] = {}
    given = _table(document, ("elements",), document.values["elements"])
    for element, beaten in given.items():
        place = ("elements", element)
        if not _ELEMENT.fullmatch(element) or len(element) > _LONGEST_ID:
            document.blame(place, f"{shown(element)} is no name for an element: one small word")
        relation[element] = frozenset()
        if not isinstance(beaten, list) or not all(isinstance(e, str) for e in beaten):
            document.blame(place, f"{element} has to be the list of elements that it beats")
            continue
        for other in beaten:
            if other not in given:
                document.blame(place, f"{element} beats {shown(other)}, which is not listed")
        if element in beaten:
            document.blame(place, f"{element} cannot beat itself")
        relation[element] = frozenset(beaten)
    for one, other in combinations(relation, 2):
        if other in relation[one] and one in relation[other]:
            document.blame(("elements", other), f"{one} and {other} cannot beat each other")
    if not relation:
        document.blame(("elements",), "there has to be at least one element")
    return relation


def _moves(
    document: Document, edition: Edition, elements: Mapping[str, frozenset[str]]
) -> dict[str, Move]:
    """The base's moves whose element there still is, changed, and the added ones."""
    moves = {key: move for key, move in edition.moves.items() if move.element in elements}
    given = _table(document, ("moves",), document.values.get("moves", {}))
    for move_id, row in given.items():
        place = ("moves", move_id)
        action, _, element = move_id.partition("-")
        if action not in tuple(Action) or element not in elements:
            document.blame(
                place,
                f"{shown(move_id)} is no move: an action ({', '.join(Action)}), a hyphen "
                f"and an element ({', '.join(elements)})",
            )
            continue
        numbers = {}
        for key, value in _table(document, place, row).items():
            if key in NUMBERS:
                numbers[key] = _number(document, (*place, key), value)
            else:
                known = ", ".join(NUMBERS)
                document.blame((*place, key), f"unknown key {shown(key)} (known: {known})")
        if move_id in moves:
            moves[move_id] = replace(moves[move_id], **numbers)
            continue
        for key in NUMBERS:
            if key not in numbers:
                document.blame(place, f"{move_id} is new and needs a {key}")
        moves[move_id] = Move(
            move_id, Action(action), element, numbers.get("base", 0), numbers.get("multiplier", 0)
        )
    if not moves and elements:
        document.blame(("moves",), "no move is left; name some of the new elements' moves")
    return moves


def _specials(document: Document, edition: Edition) -> Mapping[str, Any]:
    """The base's list, under other names where some are given."""
    rows = {special.stem: special.effect for special in edition.specials.values()}
    names = dict(zip(rows, rows, strict=True))
    given = _table(document, ("specials",), document.values.get("specials", {}))
    for stem, name in given.items():
        place = ("specials", stem)
        if stem not in rows:
            document.blame(place, f"{edition.id} has no special {shown(stem)} ({', '.join(rows)})")
        elif not isinstance(name, str) or not _is_id(name):
            document.blame(place, f"{stem} needs a name in small letters such as 'my-trick'")
        else:
            names[stem] = name
    found = special_list([(names[stem], effect) for stem, effect in rows.items()])
    if len(set(names.values())) < len(rows) or len(found) < len(edition.specials):
        document.blame(("specials",), "two specials have the same name")
    return found
