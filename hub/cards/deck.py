"""The deck file: which card each tag stands for. It is the only place that knows.

TOML. Tags stand under ``[cards]``, or under ``[cards.NAME]`` to keep a player's cards together;
several tags may bear the same card.

    [cards.ada]
    3q2-7wAAAAAAAAAAAAAAAA = "move attack-high"
    3q2-7wAAAAAAAAAAAAAAAQ = "stance grapple 3"
"""

import os
import re
import secrets
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from msgspec import Struct

from hub.books.files import read_toml
from hub.ports import MAX_TAG_CHARS
from hub.rules.documents import Document
from hub.rules.faults import Place
from hub.rules.game import Choice, IllegalChoice
from hub.rules.likeness import name_faults
from hub.rules.reasons import Reason
from hub.wire.tags import ID_BYTES, tag_id

MAX_CARDS = 10_000
MAX_DECK_BYTES = 4 * 1024 * 1024
_TAG = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_TAG_CHARS}}}")
_EXAMPLE = "move attack-high"
_SET = re.compile(r"[a-z0-9-]{1,32}")


class Card(Struct, frozen=True):
    """One physical card."""

    tag: str
    choice: Choice
    group: str = ""
    """The set that it belongs to, such as a player's; empty: none."""

    def __repr__(self) -> str:
        return "Card(…)"


class Deck(Struct, frozen=True):
    """Every card that the table knows, in the file's order."""

    cards: tuple[Card, ...] = ()
    _by_tag: dict[str, Card] = {}

    def __post_init__(self) -> None:
        self._by_tag.update((card.tag, card) for card in self.cards)

    def __repr__(self) -> str:
        return f"Deck({len(self.cards)} cards)"

    def card(self, tag: str) -> Card | None:
        """The card with this tag; None for a tag that the deck lacks."""
        return self._by_tag.get(tag)


def make_deck(
    choices: Iterable[Choice],
    entropy: Callable[[int], bytes] = secrets.token_bytes,
    group: str = "",
) -> Deck:
    """A deck with a new tag for each of ``choices``; ``entropy(n)`` gives n random bytes."""
    return Deck(tuple(Card(tag_id(entropy(ID_BYTES)), choice, group) for choice in choices))


def read_deck(path: Path) -> Deck:
    """Read a deck file. Raises :class:`Faulty`."""
    document = read_toml(path, MAX_DECK_BYTES)
    cards: list[Card] = []
    for key in document.values:
        if key != "cards":
            document.blame((key,), Reason("deck-key", key=ascii(key)))
    _read_set(document, ("cards",), document.values.get("cards"), "", cards)
    if len(cards) > MAX_CARDS:
        document.blame(("cards",), Reason("deck-too-large", n=len(cards), most=MAX_CARDS))
    seen: set[str] = set()
    for card in cards:
        if card.tag in seen:
            place = ("cards", card.group, card.tag) if card.group else ("cards", card.tag)
            document.blame(place, Reason("tag-twice", tag=card.tag))
        seen.add(card.tag)
    for name, why in name_faults(dict.fromkeys(card.group for card in cards if card.group)):
        document.blame(("cards", name), Reason("set-called", name=name, fault=why))
    document.check()
    return Deck(tuple(cards))


def _read_set(document: Document, place: Place, given: Any, group: str, cards: list[Card]) -> None:
    if not isinstance(given, dict):
        document.blame(place, Reason("deck-form", card=_EXAMPLE))
        return
    for key, value in given.items():
        here = (*place, key)
        if isinstance(value, dict) and not group:
            if not _SET.fullmatch(key):
                document.blame(here, Reason("set-form"))
            _read_set(document, here, value, key, cards)
        elif not _TAG.fullmatch(key):
            document.blame(here, Reason("tag-form", most=MAX_TAG_CHARS))
        elif not isinstance(value, str):
            document.blame(here, Reason("tag-for-text", card=_EXAMPLE))
        else:
            try:
                cards.append(Card(key, Choice.parse(value), group))
            except IllegalChoice as error:
                document.blame(here, error.reason)


def write_deck(path: Path, deck: Deck) -> None:
    """Write a deck file, whole or not at all, readable by its owner alone (mode 0600).

    The same deck gives the same bytes; sets come in the order of their first card. Raises
    :class:`OSError`, and :class:`ValueError` for a deck that :func:`read_deck` would refuse.
    """
    text = _text(deck)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _text(deck: Deck) -> str:
    groups: dict[str, list[str]] = {"": []}
    for card in deck.cards:
        written = str(card.choice)
        if Choice.parse(written) != card.choice or not _TAG.fullmatch(card.tag):
            raise ValueError("a card of this deck has no written form, or its tag no valid name")
        quoted = written.replace("\\", "\\\\").replace('"', '\\"')
        groups.setdefault(card.group, []).append(f'{card.tag} = "{quoted}"')
    if len(deck.cards) > MAX_CARDS or len(deck.cards) != len({card.tag for card in deck.cards}):
        raise ValueError(f"a deck has at most {MAX_CARDS} cards, each with a tag of its own")
    if not all(_SET.fullmatch(group) for group in groups if group):
        raise ValueError("the name of a set has 1 to 32 of a-z, 0-9 and -")
    lines = ["# Which card each tag stands for. Whoever reads this can read the cards' tags."]
    for group, cards in groups.items():
        lines += ["", f"[cards.{group}]" if group else "[cards]", *cards]
    return "\n".join(lines) + "\n"
