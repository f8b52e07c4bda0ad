"""Changes to decks, as pure functions: adding missing cards, replacing, merging, splitting."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, zip_longest

from msgspec import Struct
from msgspec.structs import replace

from hub.cards.deck import Card, Deck, Mark, by_name, make_deck
from hub.games.dealing import BLANK, Need, unknown
from hub.games.family import Sheet
from hub.games.game import Choice
from hub.kernel.called import called
from hub.kernel.reasons import Reason
from hub.world import MACHINE

Entropy = Callable[[int], bytes]


class Hand(Struct, frozen=True):
    """A set (``group``) that a deck should have: the characters who play with it, and the cards
    that they need."""

    group: str
    playing: tuple[Sheet, ...]
    needs: tuple[Need, ...]


class Missing(Struct, frozen=True):
    """A card of which a set has too few copies."""

    group: str
    need: Need
    has: int = 0
    """How many copies the set has."""


class NoSuchCard(ValueError):
    """The set has no such card or copy, or has several copies and none was chosen. The message says
    which."""


def missing(deck: Deck, hands: Iterable[Hand]) -> list[Missing]:
    """The cards that the hands' sets lack. A card without a set counts for every hand."""
    found = []
    for hand in hands:
        has = counted(deck, hand.group)
        for need in hand.needs:
            there = has[need.choice]
            if need.other is not None:
                there = sum(_has_ends(deck, card, need, hand.group) for card in deck.cards)
            if there < need.count:
                found.append(Missing(hand.group, need, there))
    return found


def parted(deck: Deck, hands: Sequence[Hand]) -> tuple[Deck, Deck]:
    """The cards that the hands need, and the other cards in play, as two decks. The second deck
    takes one card of each set in turn."""
    left = {hand.group: {need.choice: need.count for need in hand.needs} for hand in hands}
    needed: list[Card] = []
    others: dict[str, list[tuple[Card, ...]]] = {}
    for piece in deck.pieces:
        card = piece[0]
        if not card.in_play:
            continue
        wants = [left[card.group]] if card.group in left else [*left.values()]
        if any(each.get(end.choice, 0) > 0 for each in wants for end in piece):
            for each, end in ((each, end) for each in wants for end in piece):
                each[end.choice] = each.get(end.choice, 0) - 1
            needed += piece
        else:
            others.setdefault(card.group, []).append(piece)
    turns = zip_longest(*others.values(), fillvalue=())
    rest = [card for turn in turns for piece in turn for card in piece]
    return Deck(tuple(needed)), Deck(tuple(rest))


def _has_ends(deck: Deck, card: Card, need: Need, group: str) -> bool:
    other = deck.other_end(card)
    mine = card.in_play and card.group in {group, ""} and card.choice == need.choice
    return mine and other is not None and other.choice == need.other


def counted(deck: Deck, group: str) -> Counter[Choice]:
    """How many copies of each card a hand has: those of its set, and those without a set."""
    return Counter(c.choice for c in deck.cards if c.in_play and c.group in {group, ""})


def added(
    deck: Deck, hands: Sequence[Hand], blanks: int = 0, entropy: Entropy = MACHINE.entropy
) -> tuple[Deck, list[Card]]:
    """Add the cards that the hands lack, and blank ones until each set has ``blanks``. Returns the
    deck and the new cards."""
    new: list[Card] = []
    for each in missing(deck, hands):
        copies = [each.need.choice] * (each.need.count - each.has)
        if each.need.other is None:
            new += make_deck(copies, entropy, each.group).cards
            continue
        for _ in copies:
            new += _two_ends(each.need, [*deck.cards, *new], each.group, entropy)
    for hand in hands:
        has = sum(c.choice == BLANK and c.group == hand.group and c.in_play for c in deck.cards)
        new += make_deck([BLANK] * max(0, blanks - has), entropy, hand.group).cards
    return Deck((*deck.cards, *new)), new


def _free_name(wanted: str, taken: Iterable[str]) -> str:
    """``wanted``, followed by a number if the name is already taken."""
    names = chain([wanted], (f"{wanted}-{n}" for n in count(2)))
    there = {*taken}
    return next(name for name in names if name not in there)


def _two_ends(need: Need, others: Iterable[Card], group: str, entropy: Entropy) -> list[Card]:
    of = _free_name(need.called, (card.of for card in others))
    ends = [end for end in (need.choice, need.other) if end is not None]
    return [replace(card, of=of) for card in make_deck(ends, entropy, group).cards]


def merged(decks: Sequence[Deck]) -> Deck:
    """All cards of several decks, each once. Raises :class:`ValueError` if a tag or a UID stands
    for two different cards."""
    found: dict[str, Card] = {}
    uids: dict[str, str] = {}
    for card in (card for deck in _apart(decks) for card in deck.cards):
        other = found.get(card.tag)
        if other and (other.choice, other.group) != (card.choice, card.group):
            raise ValueError("the same tag stands for two different cards")
        if card.uid and uids.setdefault(card.uid, card.tag) != card.tag:
            raise ValueError("the same UID stands for two different cards")
        if other is None or _MORE.index(card.mark) > _MORE.index(other.mark):
            found[card.tag] = replace(card, uid=card.uid or (other.uid if other else ""))
    return Deck(tuple(found.values()))


def _apart(decks: Iterable[Deck]) -> Iterator[Deck]:
    """The same decks, with a two-ended card renamed if a different card in another deck has its
    name."""
    whose: dict[str, frozenset[str]] = {}
    for deck in decks:
        names: dict[str, str] = {}
        for of, ends in by_name(deck.cards).items():
            tags = frozenset(end.tag for end in ends)
            same = next((name for name, theirs in whose.items() if tags & theirs), None)
            names[of] = same or _free_name(of, whose)
            whose[names[of]] = tags
        yield Deck(tuple(replace(c, of=names[c.of]) if c.of else c for c in deck.cards))


_MORE = (Mark.NONE, Mark.INTENDED, Mark.WRITTEN, Mark.STRUCK)
"""The marks, ordered by how much is known about a tag: the later mark wins when decks are
merged."""


def split(deck: Deck) -> dict[str, Deck]:
    """Set → the deck of its cards; cards without a set are under ``""``."""
    groups = dict.fromkeys(card.group for card in deck.cards)
    return {g: Deck(tuple(c for c in deck.cards if c.group == g)) for g in groups}


def spared(
    deck: Deck, choice: Choice, group: str, copy: int = 0, entropy: Entropy = MACHINE.entropy
) -> tuple[Deck, Card]:
    """Replace a lost card. Returns the deck with the old tag struck off, and the new card.

    A card with two ends is lost with both, and both get new tags. ``copy``: which of several
    copies, counted from 1 in the deck's order; 0 if there is only one. Raises :class:`NoSuchCard`.
    """
    there = [c for c in deck.cards if c.choice == choice and c.group == group and c.in_play]
    named = f"a card {choice}" + (f" in the set {group}" if group else " without a set")
    if not there:
        raise NoSuchCard(f"the deck has no {named.removeprefix('a ')}")
    if len(there) > 1 and not copy:
        raise NoSuchCard(
            f"the deck has {len(there)} of {named.removeprefix('a ')}: say which one was lost "
            f"with --copy 1 to --copy {len(there)}; `{called()} cards read` tells "
            "which ones are left"
        )
    if not 0 <= copy <= len(there):
        raise NoSuchCard(f"there are {len(there)} copies, and no copy {copy}")
    lost = there[max(0, copy - 1)]
    other = deck.other_end(lost)
    (new,) = made = make_deck([choice], entropy, group).cards
    after = deck.marked(lost.tag, Mark.STRUCK)
    if other is not None:
        of = _free_name(lost.of, (card.of for card in deck.cards))
        ends = [end.choice for end in deck.cards if end.of == lost.of]
        made = tuple(replace(end, of=of) for end in make_deck(ends, entropy, group).cards)
        new = next(end for end in made if end.choice == choice)
        after = after.marked(other.tag, Mark.STRUCK)
    return Deck((*after.cards, *made)), new


def named(deck: Deck, choice: Choice, group: str) -> tuple[Deck, Card]:
    """Turn a blank card of the set ``group`` into this card. Returns the deck and the card. Raises
    :class:`NoSuchCard` if no blank one is left."""
    blanks = [c for c in deck.cards if c.choice == BLANK and c.group == group and c.in_play]
    if not blanks:
        raise NoSuchCard("no blank card is left" + (f" in the set {group}" if group else ""))
    blank = next((c for c in blanks if c.has_tag), blanks[0])
    card = replace(blank, choice=choice)
    return deck.with_card(card), card


def strangers(deck: Deck, rulesets: Mapping[str, Sequence[Sheet]]) -> list[tuple[Card, Reason]]:
    """The cards in play that none of the table's ``rulesets`` knows, each with the reason given by
    the first ruleset.

    ``rulesets``: ruleset → the characters who play by it.
    """
    found = []
    for card in deck.cards:
        why = [unknown(ruleset, card.choice, playing) for ruleset, playing in rulesets.items()]
        if why and all(why) and card.in_play and why[0]:
            found.append((card, why[0]))
    return found
