"""The deck file, in TOML: which card each tag stands for. No other file has this.

Tags are listed under ``[cards]``, or under ``[cards.NAME]`` to keep a player's cards together;
several tags may stand for the same card. If the value is a plain text, it is unknown whether the
tag was written. A table gives the tag's state (see :class:`Mark`), or the UID of a tag that cannot
be written::

    [cards.ada]
    3q2-7wAAAAAAAAAAAAAAAA = "move attack-high"
    3q2-7wAAAAAAAAAAAAAAAQ = { card = "stance grapple 3", tag = "written" }
    3q2-7wAAAAAAAAAAAAAAAg = { card = "move surrender", uid = "04a1b2c3d4e5f6" }

A card whose meaning depends on which end lies on a reader has a tag at each end. Both name their
card in ``of``::

    3q2-7wAAAAAAAAAAAAAAAw = { card = "drawn 39 upright", of = "39" }
    3q2-7wAAAAAAAAAAAAAABA = { card = "drawn 39 reversed", of = "39" }
"""

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.games.files import read_named, read_toml
from hub.games.game import Choice, IllegalChoice
from hub.kernel.documents import ENCODING, Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty, Place, noted, shown
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.ports import MAX_TAG_CHARS
from hub.wire.tags import ID_BYTES, tag_id
from hub.world import MACHINE
from hub.world.disk import DISK, Disk

ENDS = 2
MAX_CARDS = 10_000
MAX_DECK_BYTES = 4 * 1024 * 1024
_TAG = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_TAG_CHARS}}}")
_EXAMPLE = "move attack-high"
_NAME = re.compile(r"[a-z0-9-]{1,32}")
"""The form of the names of sets and of two-ended cards."""
_UID = re.compile(r"[0-9a-f]{8}|[0-9a-f]{14}|[0-9a-f]{20}")


class Mark(StrEnum):
    """The state of a card's tag, as far as the deck file knows it.

    The mark is saved before the tag is written, and again after the tag was read back, so that the
    file never contradicts the tag.
    """

    NONE = ""
    """The state is unknown. There may be no tag with this id yet."""
    INTENDED = "intended"
    """Writing had begun: a tag holds the id, a part of it, or nothing."""
    WRITTEN = "written"
    """A tag was read that holds the id."""
    STRUCK = "struck-off"
    """The card is lost and replaced by another; this tag no longer counts."""


class Card(Struct, frozen=True):
    """One physical card, or one end of a card that has two."""

    tag: str
    choice: Choice
    group: str = ""
    """The card's set, such as a player's; empty for none."""
    mark: Mark = Mark.NONE
    uid: str = ""
    """The UID, in hexadecimal, of a tag that cannot be written and stands for the card."""
    of: str = ""
    """The name of a card with two ends, the same at both; empty for a card with a single tag."""

    @property
    def in_play(self) -> bool:
        """Whether the card's tag counts: it is not struck off."""
        return self.mark is not Mark.STRUCK

    @property
    def has_tag(self) -> bool:
        """Whether a tag is known to stand for the card: a written one, or one with the card's
        ``uid``."""
        return bool(self.uid) or self.mark is Mark.WRITTEN

    def __repr__(self) -> str:
        return "Card(…)"


class Deck(Struct, frozen=True):
    """Every card that the table knows, in the file's order."""

    cards: tuple[Card, ...] = ()
    _by_tag: dict[str, Card] = {}
    _by_uid: dict[str, Card] = {}
    _by_of: dict[str, list[Card]] = {}

    def __post_init__(self) -> None:
        self._by_tag.update((card.tag, card) for card in self.cards)
        self._by_of.update(by_name(self.cards))
        self._by_uid.update((card.uid, card) for card in self.cards if card.uid)

    def __repr__(self) -> str:
        return f"Deck({len(self.cards)} cards)"

    def card(self, tag: str) -> Card | None:
        """The card with this tag id; None if the deck has none."""
        return self._by_tag.get(tag)

    def other_end(self, card: Card) -> Card | None:
        """The other end of the same card; None if it has only one tag, or the deck lacks that
        end."""
        ends = self._by_of.get(card.of, ())
        return next((end for end in ends if end.tag != card.tag), None)

    def learnt(self, uid: bytes) -> str | None:
        """The tag id of the card that a tag with this UID stands for; None for an unknown UID."""
        card = self._by_uid.get(uid.hex())
        return card.tag if card else None

    def with_card(self, card: Card) -> "Deck":
        """The deck with this card in the place of the one with the same tag id."""
        return Deck(tuple(card if each.tag == card.tag else each for each in self.cards))

    @property
    def pieces(self) -> tuple[tuple[Card, ...], ...]:
        """The physical cards, each as its one tag or its two ends."""
        found: dict[str, tuple[Card, ...]] = {}
        for card in self.cards:
            piece = f"of {card.of}" if card.of else card.tag
            found[piece] = (*found.get(piece, ()), card)
        return (*found.values(),)

    def marked(self, tag: str, mark: Mark) -> "Deck":
        """The deck with ``mark`` as the state of this tag."""
        return Deck(tuple(replace(c, mark=mark) if c.tag == tag else c for c in self.cards))


def make_deck(
    choices: Iterable[Choice],
    entropy: Callable[[int], bytes] = MACHINE.entropy,
    group: str = "",
) -> Deck:
    """A deck with a new tag for each of ``choices``; ``entropy(n)`` returns n random bytes."""
    return Deck(tuple(Card(tag_id(entropy(ID_BYTES)), choice, group) for choice in choices))


def by_name(cards: Iterable[Card]) -> dict[str, list[Card]]:
    """Name (``of``) → the ends of the card, for the cards that have two."""
    found: dict[str, list[Card]] = {}
    for card in cards:
        if card.of:
            found.setdefault(card.of, []).append(card)
    return found


def _end_faults(cards: Iterable[Card]) -> Iterator[tuple[Card, Reason]]:
    """For each name (``of``) whose cards are not the two ends of one card: the last of those cards,
    and the reason."""
    for name, ends in by_name(cards).items():
        one, other = ends[0], ends[-1]
        if len(ends) != ENDS:
            yield other, Reason("card-ends", of=name, n=len(ends))
        elif one.choice == other.choice:
            yield other, Reason("ends-alike", of=name, card=str(one.choice))
        elif one.group != other.group:
            yield other, Reason("ends-apart", of=name)
        elif one.in_play != other.in_play:
            yield other, Reason("ends-struck", of=name)


def read_deck(path: Path) -> Deck:
    """Read a deck file. Raises :class:`Faulty`."""
    return _read_document(read_toml(path, MAX_DECK_BYTES))


def _read_document(document: Document) -> Deck:
    cards: list[Card] = []
    for key in document.values:
        if key != "cards":
            document.blame((key,), Reason("deck-key", key=ascii(key)))
    _read_set(document, ("cards",), document.values.get("cards"), "", cards)
    if len(cards) > MAX_CARDS:
        document.blame(("cards",), Reason("deck-too-large", n=len(cards), most=MAX_CARDS))
    seen: set[str] = set()
    uids: set[str] = set()
    for card in cards:
        if card.tag in seen:
            document.blame(_place_of(card), Reason("tag-twice", tag=card.tag))
        seen.add(card.tag)
        if card.uid and card.uid in uids:
            document.blame(_place_of(card), Reason("uid-twice"))
        uids.add(card.uid)
    for card, why in _end_faults(cards):
        document.blame((*_place_of(card), "of"), why)
    for name, why in name_faults(dict.fromkeys(card.group for card in cards if card.group)):
        document.blame(("cards", name), Reason("set-called", name=name, fault=why))
    document.check()
    return Deck(tuple(cards))


def read_decks(paths: Sequence[Path]) -> Deck:
    """Read several deck files as one deck. Raises :class:`Faulty`, also for a tag, a UID or the
    name of a two-ended card that is in two of them."""
    found: list[Fault] = []
    cards: dict[str, Card] = {}
    uids: set[str] = set()
    whose: dict[str, Path] = {}
    named: dict[str, Path] = {}
    for path in paths:
        with noted(found):
            for card in read_deck(path).cards:
                if card.tag in cards or (card.uid and card.uid in uids):
                    first = whose.get(card.tag, paths[0])
                    why = Reason("tag-in-two-decks", file=str(first))
                    found.append(Fault(_place_of(card), why, str(path)))
                if card.of and named.setdefault(card.of, path) != path:
                    why = Reason("ends-in-two-decks", of=card.of, file=str(named[card.of]))
                    found.append(Fault((*_place_of(card), "of"), why, str(path)))
                cards[card.tag] = card
                uids.add(card.uid)
                whose.setdefault(card.tag, path)
    if found:
        raise Faulty(*found)
    return Deck(tuple(cards.values()))


def _place_of(card: Card) -> Place:
    return ("cards", card.group, card.tag) if card.group else ("cards", card.tag)


def _read_set(document: Document, place: Place, given: Any, group: str, cards: list[Card]) -> None:
    if not isinstance(given, dict):
        document.blame(place, Reason("deck-form", card=_EXAMPLE))
        return
    for key, value in given.items():
        here = (*place, key)
        if isinstance(value, dict) and isinstance(value.get("card"), str):
            _read_card(document, here, value, group, cards)
        elif isinstance(value, dict) and not group:
            if not _NAME.fullmatch(key):
                document.blame(here, Reason("set-form"))
            _read_set(document, here, value, key, cards)
        elif not _TAG.fullmatch(key):
            document.blame(here, Reason("tag-form", most=MAX_TAG_CHARS))
        elif isinstance(value, dict):
            document.blame(here, Reason("card-table", card=_EXAMPLE))
        elif not isinstance(value, str):
            document.blame(here, Reason("tag-for-text", card=_EXAMPLE))
        else:
            _read_card(document, here, {"card": value}, group, cards)


def _read_card(
    document: Document, place: Place, given: Mapping[str, Any], group: str, cards: list[Card]
) -> None:
    """Read a card from its table and add it to ``cards``. For a card given as a plain text, the
    caller makes the table."""
    tag = str(place[-1])
    if not _TAG.fullmatch(tag):
        document.blame(place, Reason("tag-form", most=MAX_TAG_CHARS))
        return
    for key in given.keys() - {"card", "tag", "uid", "of"}:
        document.blame((*place, key), Reason("card-table", card=_EXAMPLE))
    mark, uid = given.get("tag", Mark.NONE), given.get("uid", "")
    if mark not in [*Mark]:
        marks = [each for each in Mark if each]
        document.blame((*place, "tag"), Reason("tag-mark", words=marks, value=shown(mark)))
        mark = Mark.NONE
    if "uid" in given and not (isinstance(uid, str) and _UID.fullmatch(uid)):
        document.blame((*place, "uid"), Reason("tag-uid"))
        uid = ""
    of = given.get("of", "")
    if "of" in given and not (isinstance(of, str) and _NAME.fullmatch(of)):
        document.blame((*place, "of"), Reason("card-end-name"))
        of = ""
    try:
        cards.append(Card(tag, Choice.parse(given["card"]), group, Mark(mark), uid, of))
    except IllegalChoice as error:
        document.blame(place, error.reason)


def write_deck(path: Path, deck: Deck, disk: Disk = DISK) -> None:
    """Write a deck file, completely or not at all, readable only by its owner (mode 0600).

    The same deck gives the same bytes. Raises :class:`OSError`, and :class:`ValueError` for a deck
    that :func:`read_deck` would refuse.
    """
    _write(path, _text(deck), disk)


def _write(path: Path, text: str, disk: Disk) -> None:
    # Another program may write the same deck at this moment, as `facedown cards` does.
    disk.replace(path, text.encode(), beside=f".{path.name}.{os.getpid()}")


def save_deck(path: Path, deck: Deck, before: Deck | None = None, disk: Disk = DISK) -> None:
    """Save ``deck`` in a file. If possible, comments and order are kept: only lines of changed
    cards are replaced, and new ones added.

    ``before``: the deck in the file, if known. Raises what :func:`write_deck` raises.
    """
    text = _text(deck)
    with suppress(OSError, ValueError, Faulty):
        old = read_named(path).decode(ENCODING)
        edited = _edited(old, before or read_deck(path), deck)
        if _by_tag(_read_document(parse_toml("deck", edited.encode()))) == _by_tag(deck):
            text = edited
    _write(path, text, disk)


def _edited(text: str, before: Deck, after: Deck) -> str:
    lines = text.splitlines()
    for card in after.cards:
        old = before.card(card.tag)
        if old is None or old == card:
            continue
        begins = re.compile(rf'\s*(?:"{card.tag}"|{card.tag})\s*=')
        for at, line in enumerate(lines):
            if begins.match(line):
                lines[at] = _line(card)
    for group in dict.fromkeys(card.group for card in after.cards):
        new = [_line(c) for c in after.cards if c.group == group and not before.card(c.tag)]
        head = f"[cards.{group}]" if group else "[cards]"
        if new and head not in lines:
            lines += ["", head, *new]
        elif new:
            end = lines.index(head) + 1
            while end < len(lines) and not lines[end].lstrip().startswith("["):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            lines[end:end] = new
    return "\n".join(lines) + "\n"


def _by_tag(deck: Deck) -> dict[str, Card]:
    return {card.tag: card for card in deck.cards}


def _text(deck: Deck) -> str:
    groups: dict[str, list[str]] = {"": []}
    for card in deck.cards:
        written = str(card.choice)
        sound = _TAG.fullmatch(card.tag) and (not card.uid or _UID.fullmatch(card.uid))
        if Choice.parse(written) != card.choice or not sound:
            raise ValueError("a card of this deck has no written form, or its tag no valid name")
        groups.setdefault(card.group, []).append(_line(card))
    if len(deck.cards) > MAX_CARDS or len(deck.cards) != len({card.tag for card in deck.cards}):
        raise ValueError(f"a deck has at most {MAX_CARDS} cards, each with a tag of its own")
    if next(_end_faults(deck.cards), None) or not all(_NAME.fullmatch(of) for of in deck._by_of):
        raise ValueError("a card of this deck that has two ends lacks one, or a sound name")
    if not all(_NAME.fullmatch(group) for group in groups if group):
        raise ValueError("the name of a set has 1 to 32 of a-z, 0-9 and -")
    lines = ["# Which card each tag stands for. Whoever reads this can read the cards' tags."]
    for group, cards in groups.items():
        lines += ["", f"[cards.{group}]" if group else "[cards]", *cards]
    return "\n".join(lines) + "\n"


def _line(card: Card) -> str:
    quoted = str(card.choice).replace("\\", "\\\\").replace('"', '\\"')
    told = {"card": quoted, "tag": card.mark.value, "uid": card.uid, "of": card.of}
    if not card.mark and not card.uid and not card.of:
        return f'{card.tag} = "{quoted}"'
    pairs = ", ".join(f'{key} = "{value}"' for key, value in told.items() if value)
    return f"{card.tag} = {{ {pairs} }}"
