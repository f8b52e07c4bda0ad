"""The starting values of a player character, and ready-made characters, for the page on which a
character is built."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from hub.games.triangle.layout import read_layout
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import TRAITS
from hub.games.triangle.rules.characters.sheet import BACKGROUND_POINTS, START_ENERGY, KnownMove
from hub.games.triangle.sheets import samples
from hub.games.triangle.story.learning import MoveFacts, move_facts
from hub.games.triangle.story.state import StoryState
from hub.kernel.documents import Document
from hub.kernel.documents.toml import packaged_texts, parse_toml


class FreshMove(Struct, frozen=True):
    """A move that a character can start with."""

    id: str
    facts: MoveFacts
    """The facts about the move. ``follows`` lists only moves that the party knows."""


class Beginning(Struct, frozen=True, kw_only=True):
    """The starting values of a character, by the book or its house rules."""

    level: int
    energy: int
    """The energy points of all types together."""
    least: int
    """The minimum of each energy type."""
    moves: tuple[FreshMove, ...]
    count: int
    """How many of ``moves`` the character starts with."""
    free: bool
    """Whether the player chooses the moves; otherwise every character starts with the same ones."""
    background_points: int
    """The background points in total; the player may leave some to assign during play."""
    background_most: int
    """The most points in one background."""
    ready: tuple[dict[str, Any], ...]
    """Ready-made characters, with the keys of a character file. A further key, ``words``, maps each
    language to the translated values."""


def beginning(state: StoryState) -> Beginning:
    """Return the starting values for a new player character in this story."""
    book, party = state.book, [*state.party.values()]
    ids = book.start_moves or (*book.basic_moves, *book.own_moves)
    return Beginning(
        level=book.level,
        energy=START_ENERGY,
        least=book.least_energy,
        moves=tuple(FreshMove(each, move_facts(book, KnownMove(each), party)) for each in ids),
        count=book.start_count,
        free=not book.start_moves,
        background_points=BACKGROUND_POINTS,
        background_most=book.background_points,
        ready=tuple(_ready(state)),
    )


def _ready(state: StoryState) -> list[dict[str, Any]]:
    """The sample player characters that the story's rules allow, at the starting level."""
    found = []
    for name, text in samples().items():
        values: dict[str, Any] = parse_toml(name, text.encode()).values
        starts = values["ruleset"] == state.ruleset and values["level"] == state.book.level
        if values["npc"] or not starts:
            continue
        sheet = read_layout(Document(values), state.book if state.house else None)
        if not faults_of(sheet):
            found.append({**values, "words": dict(_worded(name, values))})
    return found


@cache
def _words() -> dict[str, dict[str, dict[str, Any]]]:
    """Language → sample → its translated values, from ``ready/LANGUAGE.toml``."""
    return {
        name.removesuffix(".toml"): parse_toml(name, text.encode()).values
        for name, text in packaged_texts(__package__, "ready").items()
    }


def _worded(name: str, values: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each language that has translations of a sample, with the translated values."""
    for language, known in _words().items():
        if words := known.get(name):
            given = zip(values.get("backgrounds", ()), words["backgrounds"], strict=True)
            traits: dict[str, Any] = {key: {**values[key], "text": words[key]} for key in TRAITS}
            translated = {
                "style": words["style"],
                "description": words["description"],
                **traits,
                "moves": {**values["moves"], **words["moves"]},
                "backgrounds": [{**each, "name": said} for each, said in given],
            }
            yield language, translated
