"""What each book allows a character, as data: starting values, level-ups, specials (R16).

Ref: Creating a character, Specials, Level Up, Resting, Problems, of each of the three books.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from hub.rules.game import RulesError
from hub.rules.triangle.edition import Action


class Rest(StrEnum):
    """The three ways to rest (R14)."""

    # book: rest.breather
    BREATHER = "breather"
    # book: rest.short
    SHORT = "short"
    # book: rest.full
    FULL = "full"


# book: *.level, specials.needs
class SpecialRule(Struct, frozen=True):
    """A special as its book lists it; a special with three variations is three of these."""

    id: str
    level: int = 0
    """The level that a character must have to learn it."""
    needs: str = ""
    """The special that has to be learned first."""
    # book: nothing.twice
    always_back: bool = False
    """Whether it is counted by the conflict, and so never stays used on the sheet."""
    # book: redraw.tiring
    tiring: bool = False
    """Whether whoever used it cannot take part in the next conflict."""


class Book(Struct, frozen=True, kw_only=True):
    """One book's rules about characters."""

    id: str
    base: str = ""
    """The book that house rules were derived from; empty for a book."""
    level: int
    """The level at which a character starts."""
    basic_moves: tuple[str, ...]
    """The nine, which have to be known before anything beyond them."""
    late_moves: tuple[str, ...] = ()
    """Those of the fourth and fifth element."""
    own_moves: tuple[str, ...] = ()
    """Those of house rules, which can be learned at any time."""
    start_moves: tuple[str, ...] = ()
    """The moves that everybody starts with; empty where they are chosen freely."""
    start_count: int
    """How many moves a character starts with."""
    least_energy: int
    """The least maximum of any type."""
    background_points: int
    """The most points in one background."""
    most_variants: int = 0
    """How many variants of moves a character can know."""
    combo_changes: int
    """How many follow-ups one level-up teaches."""
    combos_replaced: bool
    """Whether a level-up can also exchange a follow-up for another."""
    combos_need_moves: bool
    """Whether follow-ups have to be known, and starting moves by oneself or an ally."""
    yes_needed: int
    """How many of the three questions have to be answered with yes for a level-up."""
    yes_for_special: int
    """How many for learning a special."""
    energy_needs_zero: bool
    """Whether a maximum can only grow in a type that reached zero."""
    regains: bool
    """Whether a level-up also gives back background points or the veto."""
    erases_all: bool
    """Whether a level-up erases every mark, and not belief and flaw only together."""
    any_rest_returns_specials: bool
    """Whether used specials return with any rest, and not with a full one only (R11)."""
    lethal_takes_all: bool
    """Whether nobody of the players' side can sit out a lethal conflict."""
    ones_beat_fours: bool
    """Whether in a problem a 1 decides where only 1s and 4s are shown (R13)."""
    specials: Mapping[str, SpecialRule]
    """By id, in the order of the book's list."""

    @property
    def moves(self) -> tuple[str, ...]:
        """Every move's id."""
        return (*self.basic_moves, *self.late_moves, *self.own_moves)


# book: energy.ten
START_ENERGY = 10
"""Maximum energy of all types together at the start."""
BACKGROUND_POINTS = 3
"""Most background points of a character."""
# book: combo.two-follow-ups, level-up.two-of-one
FOLLOW_UPS = 2
"""Most follow-ups of one starting move."""
# book: replacement.highest-level
REPLACEMENT_LEVEL = 5
"""Highest level at which a replacement character can start."""
QUESTIONS = 3
"""What is asked at the end of a session: belief or flaw, goal, zero."""


def book_of(ruleset: str) -> Book:
    """The book with this id. Raises :class:`RulesError` that lists the ids there are."""
    try:
        return BOOKS[ruleset]
    except KeyError:
        known = ", ".join(BOOKS)
        raise RulesError(f"no character belongs to {ruleset[:40]!r}; there are {known}") from None


def _three(special: str, level: int = 0, needs: str = "") -> tuple[SpecialRule, ...]:
    """The three variations of a special; each needs the variation of its own type."""
    return tuple(
        SpecialRule(f"{special}-{action}", level, f"{needs}-{action}" if needs else "")
        for action in Action
    )


def _listed(*rules: SpecialRule) -> dict[str, SpecialRule]:
    return {rule.id: rule for rule in rules}


def _second_list(foreseeing: str) -> dict[str, SpecialRule]:
    """The list that Unroll and the second Iron Triangle share but for one name."""
    return _listed(
        SpecialRule("scouter"),
        SpecialRule("to-blave", always_back=True),
        SpecialRule("there-can-be-only-one"),
        SpecialRule("pressure-point"),
        *_three("wax-on"),
        *_three("santa-carla", 5),
        *_three("dig-two-graves", 5, "wax-on"),
        *_three(foreseeing, 10),
        SpecialRule("yojimbo", 5),
        SpecialRule("liquid-metal", 10),
        SpecialRule("drunken-monkey", 10, tiring=True),
        SpecialRule("way-of-the-samurai", 10),
    )


_NINE = tuple(f"{action}-{element}" for action in Action for element in ("high", "low", "mid"))
_LATE = ("attack-jump", "attack-spin", "grapple-jump", "grapple-spin")
_TRIANGLE_START = ("attack-high", "defend-mid", "grapple-low")

# book: level.starts-at-one, backgrounds.three-of-one-use, moves.four-of-nine
# book: problems.one-beats-four, level-up.two-variants
# book unroll: energy.one-of-each, level-up.three-of-three, level-up.follow-ups, level-up.maximum
UNROLL_BOOK = Book(
    id="unroll",
    level=1,
    basic_moves=_NINE,
    start_count=4,
    least_energy=1,
    background_points=1,
    most_variants=2,
    combo_changes=2,
    combos_replaced=True,
    combos_need_moves=True,
    yes_needed=3,
    yes_for_special=3,
    energy_needs_zero=True,
    regains=True,
    erases_all=False,
    any_rest_returns_specials=False,
    lethal_takes_all=True,
    ones_beat_fours=True,
    specials=_second_list("predictabo"),
)

# book: level.starts-at-zero, problems.no-exception
# book iron-triangle: energy.one-of-each, level-up.three-of-three, level-up.follow-ups
# book iron-triangle: level-up.maximum, backgrounds.three-points, moves.same-three
TRIANGLE_BOOK = Book(
    id="iron-triangle",
    level=0,
    basic_moves=_NINE,
    late_moves=_LATE,
    start_moves=_TRIANGLE_START,
    start_count=3,
    least_energy=1,
    background_points=2,
    combo_changes=2,
    combos_replaced=True,
    combos_need_moves=False,
    yes_needed=3,
    yes_for_special=3,
    energy_needs_zero=True,
    regains=True,
    erases_all=False,
    any_rest_returns_specials=False,
    lethal_takes_all=True,
    ones_beat_fours=False,
    specials=_second_list("i-already-know"),
)

# book: energy.no-minimum, level-up.two-of-three, level-up.follow-up, level-up.maximum-anywhere
# book: level-up.erases-all
# book iron-triangle-1e: level-up.special, backgrounds.three-points, moves.same-three
FIRST_TRIANGLE_BOOK = Book(
    id="iron-triangle-1e",
    level=0,
    basic_moves=_NINE,
    late_moves=_LATE,
    start_moves=_TRIANGLE_START,
    start_count=3,
    least_energy=0,
    background_points=2,
    combo_changes=1,
    combos_replaced=False,
    combos_need_moves=False,
    yes_needed=2,
    yes_for_special=3,
    energy_needs_zero=False,
    regains=False,
    erases_all=True,
    any_rest_returns_specials=True,
    lethal_takes_all=False,
    ones_beat_fours=False,
    specials=_listed(
        SpecialRule("insight"),
        SpecialRule("showdown"),
        SpecialRule("precise"),
        *_three("parry"),
        *_three("vampire", 5),
        *_three("dig-two-graves", 5, "parry"),
        *_three("premonition", 10),
        SpecialRule("bodyguard", 5),
        SpecialRule("mimic", 10),
        SpecialRule("drunken-monkey", 10, tiring=True),
        SpecialRule("last-stand", 10),
    ),
)

BOOKS: Mapping[str, Book] = {
    book.id: book for book in (UNROLL_BOOK, TRIANGLE_BOOK, FIRST_TRIANGLE_BOOK)
}
