"""The options of a character's next level-up, each with its effect, for the pages on which the
player chooses (R16)."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.level_up import (
    Choices,
    FollowUp,
    learned_not,
    not_yet,
    regainable,
)
from hub.games.triangle.rules.characters.sheet import FOLLOW_UPS, KnownMove, Sheet
from hub.games.triangle.rules.edition import ACTION_BEATS, VARIANTS, Action, Edition
from hub.games.triangle.rules.specials import SpecialMeans, means_of
from hub.games.triangle.story.state import StoryState
from hub.kernel.reasons import Explained, together, worded


class Option(Struct, frozen=True):
    """One thing that a character could learn with its next level-up."""

    choices: Choices
    reason: Reason | None
    """Why the thing cannot be learned, apart from reasons against any level-up now; None if it
    can."""


def options(sheet: Sheet, party: Collection[Sheet] = ()) -> Iterator[Option]:
    """Yield what the character could learn: unknown moves, variants of known ones, energy, unknown
    specials, and follow-ups among known moves. If the character must also choose what to regain,
    the first possible choice is assumed."""
    regain = next(iter(regainable(sheet)), None)
    for choices in _candidates(sheet, sheet.book, party):
        reasons = learned_not(sheet, replace(choices, regain=regain), party)
        plain = [_without_place(why, choices) for why in reasons]
        yield Option(choices, together(plain) if plain else None)


def _without_place(why: Reason, choices: Choices) -> Reason:
    """Remove the place from a reason if the place is the thing to learn, because the page shows the
    reason beside that thing."""
    learned = (f"moves.{choices.move}", f"moves.{choices.variant}", f"specials.{choices.special}")
    inner = why.values.get("why")
    about = why.code == "about" and why.values.get("place") in learned
    return inner if about and isinstance(inner, Reason) else why


def _candidates(sheet: Sheet, book: Edition, party: Collection[Sheet]) -> Iterator[Choices]:
    yield from (Choices(move=move) for move in book.move_ids if not sheet.knows(move))
    yield from (Choices(energy=action) for action in Action)
    yield from (Choices(special=each) for each in book.specials if sheet.special(each) is None)
    if book.most_variants:
        yield from _variants(sheet, book)
    yield from _follow_ups(sheet, book, party)


def _variants(sheet: Sheet, book: Edition) -> Iterator[Choices]:
    """Yield variants to learn. A variant that would be the second of its move, or beyond the book's
    limit, replaces another one."""
    varied = [move for move in sheet.moves if move.variant]
    for original in (move for move in book.move_ids if sheet.knows(move)):
        same = [str(move) for move in varied if move.id == original]
        full = [str(move) for move in varied] if len(varied) >= book.most_variants else []
        for sign in VARIANTS:
            variant = KnownMove(original, variant=sign)
            if str(variant) not in map(str, varied):
                for given_up in same or full or [""]:
                    yield Choices(variant=variant, replaces=given_up)


def _follow_ups(sheet: Sheet, book: Edition, party: Collection[Sheet]) -> Iterator[Choices]:
    """Yield follow-ups to learn. If a starting move has all it can have, and the book allows an
    exchange, a new one replaces another."""
    starts = [move for move in book.move_ids if any(each.knows(move) for each in (sheet, *party))]
    for start in starts:
        now = sheet.combos.get(start, ())
        full = len(now) >= FOLLOW_UPS
        for move in (move for move in book.move_ids if sheet.knows(move) and move not in now):
            for old in now if full and book.combos_replaced else ("",):
                yield Choices(combos=(FollowUp(start, move, old),))


KINDS = ("move", "variant", "combos", "energy", "special")
"""The kinds of things to learn, as keys of :class:`Choices`."""


class MoveFacts(Struct, frozen=True):
    """The numbers of a move, what it beats, and the starting moves whose follow-up it could
    become."""

    beats: tuple[Action, ...]
    """The actions that the move's action beats."""
    beats_elements: tuple[str, ...]
    """The elements that the move's element beats, which counts if neither action beats the
    other."""
    base: int
    """Energy that the loser loses for the move alone."""
    multiplier: int
    """The number by which the winner's stance is multiplied."""
    follows: tuple[str, ...] = ()
    """The starting moves whose follow-up this move could become with the next level-up."""


class Lesson(Struct, frozen=True):
    """Something to learn or regain with a level."""

    kind: str
    """One of :data:`KINDS`, or ``regain``."""
    choices: dict[str, Any]
    """The choices of the level-up deed that learns or regains it, as JSON values."""
    reason: Reason | None = None
    """Why this option is not allowed, apart from reasons against any level-up; None if it is."""
    move: MoveFacts | None = None
    """The facts about a move that can be learned; None for all else."""
    special: SpecialMeans | None = None
    """The facts about a special that can be learned; None for all else."""


class LevelUps(Struct, frozen=True):
    """The options of a character's next level-up."""

    reason: Reason | None = None
    """Why the character cannot level up now; None if it can."""
    options: tuple[Lesson, ...] = ()
    """Each thing that the character could learn or regain."""
    most: Mapping[str, int] = {}
    """Kind → how many of it one level-up teaches; 1 for a kind that is not listed."""


class Taught(Explained):
    """A :class:`Lesson` as JSON values."""

    kind: str
    choices: dict[str, Any]
    move: MoveFacts | None
    special: SpecialMeans | None


class Level(Explained):
    """:class:`LevelUps` as JSON values."""

    options: list[Taught]
    most: dict[str, int]


def level_ups(state: StoryState) -> dict[str, LevelUps]:
    """Return the level-up options of each living player character (R16)."""
    return {name: level_up_of(state, name) for name in state.party}


def level_up_of(state: StoryState, name: str) -> LevelUps:
    """Return the level-up options of one player character."""
    sheet, allies = state.party[name], [s for who, s in state.party.items() if who != name]
    lessons = [_lesson(sheet, allies, each.choices, each.reason) for each in options(sheet, allies)]
    lessons += (_lesson(sheet, allies, Choices(regain=each)) for each in regainable(sheet))
    against = not_yet(sheet)
    most = {"combos": sheet.book.combo_changes}
    return LevelUps(together(against) if against else None, tuple(lessons), most)


def as_level(found: LevelUps) -> Level:
    """Convert level-ups to JSON values for pages."""
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
    """Return the facts about a move of the book. For an original, ``follows`` are all moves that
    one of the ``learners`` knows."""
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
