"""What a character could learn with its next level, for the pages where it is chosen: each thing by
itself, with what it is good for (R16)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.level_up import Choices, not_yet, regainable
from hub.games.triangle.rules.characters.options import options
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet
from hub.games.triangle.rules.edition import ACTION_BEATS, Action, Edition
from hub.games.triangle.rules.means import SpecialMeans, means_of
from hub.games.triangle.story.state import StoryState
from hub.kernel.reasons import Explained, together, worded

KINDS = ("move", "variant", "combos", "energy", "special")
"""The kinds of things to learn, by the key that names them in a level-up."""


class MoveFacts(Struct, frozen=True):
    """What a move does, and where it could follow."""

    beats: tuple[Action, ...]
    """The actions that it beats."""
    beats_elements: tuple[str, ...]
    """Where the actions are the same: the elements that it beats."""
    base: int
    """What the loser loses for the move alone."""
    multiplier: int
    """What the winner's stance is multiplied with."""
    follows: tuple[str, ...] = ()
    """The moves after which it could be learned as a follow-up next."""


class Lesson(Struct, frozen=True):
    """Something to learn, or to regain, with a level."""

    kind: str
    """One of :data:`KINDS`, or ``regain``."""
    choices: dict[str, Any]
    """What the deed says of it."""
    reason: Reason | None = None
    """What stands against just this one."""
    move: MoveFacts | None = None
    """Of a move that can be learned now."""
    special: SpecialMeans | None = None
    """The same of a special."""


class LevelUps(Struct, frozen=True):
    """What a character could learn with its next level."""

    reason: Reason | None = None
    """Why it cannot reach another level now; None when it can."""
    options: tuple[Lesson, ...] = ()
    """Each thing that it could learn, and what it could regain beside it."""
    most: Mapping[str, int] = {}
    """How many of a kind one level teaches; of one that is not named, one."""


class Taught(Explained):
    """Something to learn, or to regain, with a level."""

    kind: str
    choices: dict[str, Any]
    move: MoveFacts | None
    special: SpecialMeans | None


class Level(Explained):
    """What a character could learn with its next level."""

    options: list[Taught]
    most: dict[str, int]


def level_ups(state: StoryState) -> dict[str, LevelUps]:
    """What each player character that is alive could learn, and what it could regain (R16)."""
    return {name: level_up_of(state, name) for name in state.party}


def level_up_of(state: StoryState, name: str) -> LevelUps:
    """The same of one of them."""
    sheet, allies = state.party[name], [s for who, s in state.party.items() if who != name]
    lessons = [_lesson(sheet, allies, each.choices, each.reason) for each in options(sheet, allies)]
    lessons += (_lesson(sheet, allies, Choices(regain=each)) for each in regainable(sheet))
    against = not_yet(sheet)
    most = {"combos": sheet.book.combo_changes}
    return LevelUps(together(against) if against else None, tuple(lessons), most)


def as_level(found: LevelUps) -> Level:
    """The same as pages have it."""
    taught = [_taught(each) for each in found.options]
    return {**worded(found.reason), "options": taught, "most": dict(found.most)}


def _taught(lesson: Lesson) -> Taught:
    return {
        "kind": lesson.kind,
        "choices": lesson.choices,
        "move": msgspec.to_builtins(lesson.move),
        "special": msgspec.to_builtins(lesson.special),
        **worded(lesson.reason),
    }


def _lesson(
    sheet: Sheet, allies: Collection[Sheet], choices: Choices, reason: Reason | None = None
) -> Lesson:
    values = msgspec.to_builtins(choices)
    kind = next((each for each in KINDS if each in values), "regain")
    if reason is not None:
        return Lesson(kind, values, reason)
    book = sheet.book
    learned = choices.variant or KnownMove(choices.move)
    facts = move_facts(book, learned, [sheet, *allies]) if learned.id in book.moves else None
    special = book.specials.get(choices.special)
    means = next(iter(means_of([special], book).values())) if special else None
    return Lesson(kind, values, None, facts, means)


def move_facts(book: Edition, known: KnownMove, learners: Iterable[Sheet] = ()) -> MoveFacts:
    """What a move of the book does, and after which moves these know it could follow."""
    original = book.moves[known.id]
    move = (book.variant(original, known.variant) if known.variant else None) or original
    knows = {each for sheet in learners for each in book.move_ids if sheet.knows(each)}
    beaten = book.element_beats.get(move.element, frozenset()) if book.elements else frozenset()
    return MoveFacts(
        beats=tuple(each for each in Action if each in ACTION_BEATS[move.action]),
        beats_elements=tuple(each for each in book.element_beats if each in beaten),
        base=move.base,
        multiplier=move.multiplier,
        follows=tuple(each for each in book.move_ids if each in knows and not known.variant),
    )
