"""What a new player character of a story begins with, and those that are ready to be taken: for the
page where one is built."""

from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

from msgspec import Struct

from hub.games.triangle.layout import read_layout
from hub.games.triangle.rules.characters.book import BACKGROUND_POINTS, START_ENERGY
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import KnownMove
from hub.games.triangle.sheets import samples
from hub.games.triangle.story.learning import MoveFacts, move_facts
from hub.games.triangle.story.state import StoryState
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml

_TRAITS = ("belief", "flaw", "goal")


class FreshMove(Struct, frozen=True):
    """A move that a character can begin with."""

    id: str
    facts: MoveFacts
    """``follows`` has what the party knows."""


class Beginning(Struct, frozen=True, kw_only=True):
    """What the book gives a character to begin with."""

    level: int
    energy: int
    """Points of energy in all."""
    least: int
    """Of each type."""
    moves: tuple[FreshMove, ...]
    count: int
    """How many of them it begins with."""
    free: bool
    """Whether they are chosen; else everybody begins with these."""
    background_points: int
    """In all; what is not used yet is decided during play."""
    background_most: int
    """In one background."""
    ready: tuple[dict[str, Any], ...]
    """Characters ready to be taken, with the keys of a character file; and ``words``, by language:
    those of these keys that are said otherwise in it."""


def beginning(state: StoryState) -> Beginning:
    """By the story's house rules, if it has some."""
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
    """The samples that begin at the book's first level, as far as the story's rules allow them."""
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
    """What is said of the samples in other languages than theirs: language → sample → words. A file
    ``ready/LANGUAGE.toml`` is one language."""
    files = resources.files(__package__).joinpath("ready").iterdir()
    return {
        file.name.removesuffix(".toml"): parse_toml(file.name, file.read_bytes()).values
        for file in files
        if file.name.endswith(".toml")
    }


def _worded(name: str, values: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The keys of a sample's file that have words, in each language that has some for it."""
    for language, known in _words().items():
        if words := known.get(name):
            given = zip(values.get("backgrounds", ()), words["backgrounds"], strict=True)
            traits = {key: {**values[key], "text": words[key]} for key in _TRAITS}
            yield (
                language,
                {
                    "style": words["style"],
                    "description": words["description"],
                    **traits,
                    "moves": {**values["moves"], **words["moves"]},
                    "backgrounds": [{**each, "name": said} for each, said in given],
                },
            )
