"""A book's rules about characters, as house rules change them (``docs/rules/homebrew.md``).

House rules speak of moves, specials, variants and the first level. What else a book says about
characters (energy, backgrounds, marks, how much a level brings) stays as it is there.
"""

from msgspec.structs import replace

from hub.rules.triangle.characters.book import BOOKS, UNROLL_BOOK, Book
from hub.rules.triangle.edition import Edition


def house_book(edition: Edition) -> Book:
    """What characters may have and learn where an edition of house rules is played.

    Its own moves can be learned at any time. So can all of them if one of the nine is gone: what
    comes first is said of the nine only. Where no element counts, those of the fourth and fifth
    come at any time as well (R19).
    """
    base = BOOKS[edition.base]
    nine = base.basic_moves if edition.moves.keys() >= {*base.basic_moves} else ()
    asked = nine and edition.elements
    late = tuple(move for move in base.late_moves if asked and move in edition.moves)
    names = dict(zip(base.specials, edition.specials, strict=True))
    return replace(
        base,
        id=edition.id,
        base=base.id,
        level=edition.level,
        basic_moves=nine,
        late_moves=late,
        own_moves=tuple(move for move in edition.moves if move not in {*nine, *late}),
        start_moves=tuple(move for move in base.start_moves if move in edition.moves),
        start_count=min(base.start_count, len(edition.moves)),
        most_variants=(base.most_variants or UNROLL_BOOK.most_variants) if edition.variants else 0,
        specials={
            names[rule.id]: replace(rule, id=names[rule.id], needs=names.get(rule.needs, ""))
            for rule in base.specials.values()
        },
    )
