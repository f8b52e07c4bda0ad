"""The state of a Conflict and its parties, as immutable values."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules.deck import Card, Deck


# book: establishing-control.attribute, establishing-control.special, using-reserve.secondary
class Sheet(Struct, frozen=True):
    """The part of a character's sheet that counts in this Conflict. ``attribute`` is the value of
    the Attribute in use, None if there is none; ``reserve_max`` is the size up to which winning
    refills the Reserve."""

    attribute: int | None
    aspects: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()
    reserve: tuple[Card, ...] = ()
    reserve_max: int = 0
    attribute_name: str = ""


# book: agendas.aims, parties-and-goals.*
class Party(Struct, frozen=True):
    """A party in the Conflict, with its characters' sheets by name; ``gm`` says whether the GM
    plays it. A party described without ``characters`` has itself as its only character."""

    name: str
    sheets: dict[str, Sheet]
    goal: str = ""
    gm: bool = False

    # book: establishing-control.sheet, establishing-control.characters
    @property
    def total(self) -> int:
        """The best Attribute, plus the number of Aspects, minus the number of Weaknesses."""
        sheets = self.sheets.values()
        best = max(each.attribute for each in sheets if each.attribute is not None)
        return best + sum(len(each.aspects) - len(each.weaknesses) for each in sheets)

    @property
    def reasons(self) -> Iterable[str]:
        """All Aspects and Weaknesses of the party's characters; a text of two characters comes
        twice."""
        return (text for each in self.sheets.values() for text in reasons_of(each))


def reasons_of(sheet: Sheet) -> tuple[str, ...]:
    """The texts of a sheet that can justify a Reserve Card: its Aspects, then its Weaknesses."""
    return sheet.aspects + sheet.weaknesses


# book: establishing-control.five, t14.foregone
FOREGONE = 5
"""Ranks of Control that practically decide a Conflict (T14)."""


FEWEST = 2
"""The fewest parties that a Conflict can have."""


class RoundOutcome(StrEnum):
    """How a round ended. The Control was ``TAKEN``, ``HELD`` or ``BROKEN``; a Balance Breaker had
    no winner (``NONE``); an ``EXCUSE`` was drawn; the Dominant left; or a Reframing broke it off.
    """

    NONE = "none"
    TAKEN = "taken"
    EXCUSE = "excuse"
    HELD = "held"
    BROKEN = "broken"
    DOMINANT_OUT = "dominant-out"
    REFRAMED = "reframed"


class Left(StrEnum):
    """How a party left the Conflict: Wiped Out, or by conceding."""

    WIPED_OUT = "wiped-out"
    CONCEDED = "conceded"


# book: overview.control
class Control(Struct, frozen=True):
    """The Dominant (``party``) and its ranks of Control, from 1."""

    party: str
    ranks: int


class Lasting(Struct, frozen=True):
    """A Lasting Loss: the three cards that mark it, its bearer ``who``, its gravity from 1 to 5,
    the party's text for it, and which of the cards are face down because they were used."""

    cards: tuple[int, ...]
    who: str
    gravity: int
    text: str
    face_down: frozenset[int] = frozenset()


# book: using-losses.visible
class Losses(Struct, frozen=True):
    """The cards that mark a party's Losses, each kind oldest first."""

    temporary: tuple[int, ...] = ()
    lasting: tuple[Lasting, ...] = ()

    def marks(self) -> Iterator[int]:
        """The numbers of all cards that mark Losses, face up or down."""
        yield from self.temporary
        for each in self.lasting:
            yield from each.cards

    def face_up(self) -> Iterator[int]:
        """The numbers of the cards that can be used: first those of Temporary Losses, then those of
        Lasting Losses, each oldest first."""
        yield from self.temporary
        for each in self.lasting:
            yield from (card for card in each.cards if card not in each.face_down)

    # book: using-losses.used, using-losses.temporary-gone, using-losses.lasting-stays
    # book: counting-losses.passes
    def used(self, number: int) -> "Losses":
        """The Losses after the card ``number`` was used, which removes a Temporary Loss, but only
        turns a Lasting Loss's card face down."""
        if number in self.temporary:
            return replace(self, temporary=tuple(c for c in self.temporary if c != number))
        lasting = (
            replace(each, face_down=each.face_down | {number}) if number in each.cards else each
            for each in self.lasting
        )
        return replace(self, lasting=tuple(lasting))


class Laid(Struct, frozen=True):
    """A card before a party. ``who`` drew this card, or the card that it covers. ``turned`` says
    whether the Dominant has turned it, ``reserve`` whether it is a Reserve Card."""

    card: Card
    who: str
    turned: bool = False
    reserve: bool = False


class Suffered(Struct, frozen=True):
    """A party's Loss of this round, which the character ``who`` bears. ``gravity`` is from 1 to 5,
    None for a Temporary Loss."""

    who: str
    cards: tuple[int, ...]
    gravity: int | None
    text: str


class Round(Struct, frozen=True):
    """A round; one without a ``dominant`` is a Balance Breaker.

    ``speakers`` still bid, in this order; ``turn`` is the index of the next one, and ``passed`` are
    those whose last word was a pass. ``laid`` has each party's cards. Of the Dominant's ``tokens``,
    ``spent`` are used up. ``answerable`` is the party whose last card is being answered in an
    Unbalanced Round. ``held`` are the cards that were not in the deck when the round began,
    ``seen`` those on the table at some time since. ``by`` are the parties that took or broke the
    Control; ``narrate`` is the order in which parties tell how the round went.
    """

    dominant: str | None
    speakers: tuple[str, ...]
    held: frozenset[int]
    laid: dict[str, tuple[Laid, ...]]
    tokens: int = 0
    spent: int = 0
    turn: int = 0
    passed: frozenset[str] = frozenset()
    answerable: str | None = None
    seen: frozenset[int] = frozenset()
    wiped_out: tuple[str, ...] = ()
    outcome: RoundOutcome | None = None
    by: tuple[str, ...] = ()
    winners: tuple[str, ...] = ()
    losers: tuple[str, ...] = ()
    narrate: tuple[str, ...] = ()
    suffered: dict[str, Suffered] = {}

    def cards(self, party: str) -> tuple[Card, ...]:
        """A party's cards in this round, in the order drawn."""
        return tuple(each.card for each in self.laid[party])

    def reversed(self, party: str) -> list[int]:
        """The numbers of a party's reversed cards, in the order drawn."""
        return [each.card.number for each in self.laid[party] if each.card.reversed]


class Conflict(Struct, frozen=True):
    """The state of a Conflict. ``out`` says how each party that left did so. ``against`` counts for
    each character the Reserve Cards that others laid on its cards; ``kept`` has the numbers of all
    these cards (T4)."""

    deck: Deck
    parties: dict[str, Party]
    party_of: dict[str, str]
    control: Control | None
    losses: dict[str, Losses]
    reserves: dict[str, tuple[Card, ...]]
    out: dict[str, Left] = {}
    conceded: frozenset[str] = frozenset()
    against: dict[str, int] = {}
    kept: frozenset[int] = frozenset()
    round: Round | None = None
    over: bool = False

    def parties_in(self) -> tuple[str, ...]:
        """The parties that have not left, in their order around the table."""
        return tuple(name for name in self.parties if name not in self.out)

    def characters_in(self, party: str) -> tuple[str, ...]:
        """The characters of a party that have not left."""
        if party in self.out:
            return ()
        return tuple(who for who in self.parties[party].sheets if who not in self.conceded)

    def is_in(self, who: str) -> bool:
        """Whether ``who`` is a character that has not left."""
        party = self.party_of.get(who)
        return party is not None and party not in self.out and who not in self.conceded

    def playing(self) -> Round:
        """The current round; between rounds, the newest one. Raises :class:`Refused` before the
        first."""
        if self.round is None:
            raise Refused("", Reason("no-round"))
        return self.round

    # book: t4.gone, t4.kept, t10.back, order-of-the-end.shuffled
    def not_in_deck(self) -> frozenset[int]:
        """The numbers of the cards that mark Losses, are in a Reserve or are kept (T4)."""
        marks = (mark for name in self.parties_in() for mark in self.losses[name].marks())
        return self.kept.union(marks, self.in_reserves())

    def in_reserves(self) -> frozenset[int]:
        """The numbers of the cards in a Reserve. When a Conflict has ended, all other cards are in
        the deck."""
        return frozenset(card.number for cards in self.reserves.values() for card in cards)


# book: establishing-control.highest, establishing-control.balanced, establishing-control.example
# book: reframing.temporary, reframing.anew
def begin(deck: Deck, parties: list[Party]) -> Conflict:
    """The Conflict at its beginning. The party with the highest total has the Control; if several
    share that total, the Conflict is Balanced."""
    first, second = sorted((each.total for each in parties), reverse=True)[:2]
    best = next(each.name for each in parties if each.total == first)
    return Conflict(
        deck=deck,
        parties={each.name: each for each in parties},
        party_of={who: each.name for each in parties for who in each.sheets},
        control=Control(best, first - second) if first > second else None,
        losses={each.name: Losses() for each in parties},
        reserves={who: sheet.reserve for each in parties for who, sheet in each.sheets.items()},
    )
