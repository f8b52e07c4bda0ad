"""The options of a character's next level-up, each with the reason against it, if any.

Ref: Level Up (R16). All reasons come from ``level_up``; this module contains no rules.
"""

from collections.abc import Collection, Iterator

from msgspec import Struct
from msgspec.structs import replace

from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, learned_not, regainable
from hub.games.triangle.rules.characters.sheet import FOLLOW_UPS, KnownMove, Sheet
from hub.games.triangle.rules.edition import VARIANTS, Action, Edition
from hub.kernel.reasons import together


class Option(Struct, frozen=True):
    """One thing to learn."""

    choices: Choices
    reason: Reason | None
    """Why it cannot be learned, apart from reasons against any level-up now; None if it can."""


def options(sheet: Sheet, party: Collection[Sheet] = ()) -> Iterator[Option]:
    """Yield unknown moves, variants of known ones, energy, unknown specials, and follow-ups among
    known moves. If something must be regained, one choice of it is assumed."""
    regain = next(iter(regainable(sheet)), None)
    for choices in _candidates(sheet, sheet.book, party):
        reasons = learned_not(sheet, replace(choices, regain=regain), party)
        plain = [_without_place(why, choices) for why in reasons]
        yield Option(choices, together(plain) if plain else None)


def _without_place(why: Reason, choices: Choices) -> Reason:
    """Remove the place from a reason that is shown beside the card at that place."""
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
    """Variants to learn. A second variant of a move, or one beyond the limit, replaces another."""
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
    """Follow-ups to learn. If a starting move is full, a new one replaces another."""
    starts = [move for move in book.move_ids if any(each.knows(move) for each in (sheet, *party))]
    mine = [move for move in book.move_ids if sheet.knows(move)]
    for start in starts:
        now = sheet.combos.get(start, ())
        full = len(now) >= FOLLOW_UPS
        for move in (move for move in mine if move not in now):
            for old in now if full and book.combos_replaced else ("",):
                yield Choices(combos=(FollowUp(start, move, old),))
