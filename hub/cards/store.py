"""A table's deck files while tags are written: each change to a card is saved before it counts.

Before a change, a file that was edited in the meantime is read again.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec.structs import replace

from hub.cards.deck import Card, Deck, Mark, make_deck, read_deck, read_decks, save_deck
from hub.world import MACHINE, World

_Version = tuple[int, int, int]


class NotKept(Exception):
    """A change could not be saved: the file is unchanged. The message says why and what to do."""


class DeckStore:
    """The deck files of a table; :attr:`deck` has the cards of all of them."""

    def __init__(
        self, paths: Sequence[Path], deck: Deck | None = None, world: World = MACHINE
    ) -> None:
        """Read the files at ``paths``, unless ``deck`` already has their cards. Raises
        :class:`hub.kernel.faults.Faulty`."""
        self._paths, self._world = tuple(paths), world
        self._read: dict[Path, tuple[_Version, Deck]] = {}
        self.deck = read_decks(self._paths) if deck is None else deck

    def learnt(self, uid: bytes) -> str | None:
        """The tag id of the card that a tag with this UID stands for; None for an unknown UID. Safe
        from any thread."""
        return self.deck.learnt(uid)

    def mark(self, tag: str, mark: Mark) -> Card:
        """Save ``mark`` as the state of this tag. Returns the changed card. Raises
        :class:`NotKept`."""
        return self._change(tag, lambda card: (replace(card, mark=mark),))

    def learn(self, tag: str, uid: bytes) -> Card:
        """Let the tag with this UID stand for the card that has the id ``tag``. Returns the changed
        card. Raises :class:`NotKept`."""
        return self._change(tag, lambda card: (replace(card, mark=Mark.NONE, uid=uid.hex()),))

    def begin_anew(self, tag: str) -> Card:
        """Give a card a new tag id, and strike off the old one, which another tag may hold. Returns
        the card with its new id. Raises :class:`NotKept`."""

        def anew(card: Card) -> tuple[Card, ...]:
            (new,) = make_deck([card.choice], self._world.entropy, card.group).cards
            # The other end of a two-ended card stays: it is the same card.
            return replace(new, of=card.of), replace(card, mark=Mark.STRUCK, uid="", of="")

        return self._change(tag, anew)

    def _change(self, tag: str, change: Callable[[Card], tuple[Card, ...]]) -> Card:
        for path in self._paths:
            deck = self._fresh(path)
            card = deck.card(tag)
            if card is None:
                continue
            made, *more = change(card)
            kept = [*more] if more else [made]
            cards = [next((k for k in kept if k.tag == c.tag), c) for c in deck.cards]
            after = Deck((*cards, made) if more else tuple(cards))
            try:
                save_deck(path, after, deck, self._world.disk)
            except (OSError, ValueError) as error:
                why = getattr(error, "strerror", None) or error
                raise NotKept(f"{path} cannot be written: {why}; nothing was changed") from None
            self._read[path] = _version(path), after
            decks = [self._fresh(each) for each in self._paths]
            self.deck = Deck(tuple(card for each in decks for card in each.cards))
            return made
        raise NotKept("the deck does not have this card any more; was its file edited?")

    def _fresh(self, path: Path) -> Deck:
        try:
            now = _version(path)
            known = self._read.get(path)
            if known is None or known[0] != now:
                self._read[path] = known = now, read_deck(path)
        except (OSError, ValueError) as error:
            raise NotKept(f"{path} cannot be read any more: {error}") from None
        return known[1]


def _version(path: Path) -> _Version:
    found = path.stat()
    return found.st_ino, found.st_mtime_ns, found.st_size
