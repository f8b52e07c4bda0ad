"""Writes the tags of several cards at a reader, one after the other, and reads each back.

:class:`Writing` does one step at a time and reports the result; its caller shows that on a
terminal or on a page. The deck file notes a tag's state before it is written and after it was read
back. A step waits only for the tag's own answers, never for a person.
"""

from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum

from msgspec import Struct

from hub.cards import tags as t
from hub.cards.deck import Card, Mark
from hub.cards.meeting import NO_TYPE_2, TRIES, MayNotBeRead, read_memory, span
from hub.cards.store import DeckStore
from hub.cards.tags import Bar, Memory
from hub.ports import TagGone, TagSeen, TagStation
from hub.wire.strangers import Strange, stranger

_MISSES = 2
"""A tag counts as lifted after this many looks in a row that do not find it."""

_BARS = {
    Strange.FOREIGN: Bar.FOREIGN,
    Strange.OTHER_VERSION: Bar.OTHER_VERSION,
    Strange.UNREADABLE: Bar.UNREADABLE,
}


class Stage(StrEnum):
    """The result of a step: what was done, or what the person at the reader has to do."""

    LAY = "lay"
    TAKE_AWAY = "take-away"
    WRITTEN = "written"
    FOUND = "found"
    """The tag already held the id of a card to write; the deck file now says so."""
    LEARNT = "learnt"
    REFUSED = "refused"
    TORN = "torn"
    """The tag was taken away while it was written. It has to be laid down again."""
    SWAPPED = "swapped"
    """Another tag was there when the written one was to be read back."""
    DONE = "done"


class Told(Struct, frozen=True):
    """The result of a step, and the overall progress."""

    stage: Stage
    card: Card | None = None
    """The card to lay down, or the card that was written."""
    bar: Bar | None = None
    other: Card | None = None
    """The card that a refused tag stands for."""
    done: int = 0
    total: int = 0
    ends: bool = False
    """Whether the card has two ends, each with a tag."""
    then: bool = False
    """Whether the other end is done, so that the card has to be turned around."""
    whole: bool = False
    """Whether both ends are done now."""


class Finish(Struct, frozen=True):
    """Options for writing tags: whether to ``overwrite`` tags that hold something else, and how to
    secure each one afterwards. Lock and password are permanent."""

    lock: bool = False
    password: str = ""
    overwrite: bool = False

    def __repr__(self) -> str:
        return "Finish(…)"


class _Barred(Exception):
    def __init__(self, bar: Bar, other: Card | None = None) -> None:
        super().__init__(bar)
        self.bar, self.other = bar, other


_ENDED = frozenset({Stage.WRITTEN, Stage.FOUND, Stage.LEARNT})


def to_write(cards: Sequence[Card]) -> list[Card]:
    """Those of ``cards`` that are in play and have no tag yet."""
    return [card for card in cards if card.in_play and not card.has_tag]


class Writing:
    """Writes the tags of ``todo``, which are cards of the store's deck, in this order."""

    def __init__(
        self,
        station: TagStation,
        store: DeckStore,
        todo: Sequence[Card],
        finish: Finish | None = None,
        *,
        learns: bool = False,
    ) -> None:
        """Prepare to write the cards of ``todo`` with ``finish`` as options. If it ``learns``,
        nothing is written: the UIDs of the tags will stand for the cards."""
        self._station, self._store = station, store
        self._todo = [card.tag for card in todo]
        self._finish = finish or Finish()
        self._learns = learns
        self._done = 0
        self._total = len(self._todo)
        self._handled: bytes | None = None
        self._shown: Told | None = None
        self._missed = 0
        self._skips = False
        self._begun: dict[str, bytes] = {}
        self._ours: set[bytes] = set()

    @property
    def card(self) -> Card | None:
        """The card to lay down now; None when all are done."""
        return self._store.deck.card(self._todo[0]) if self._todo else None

    @property
    def left(self) -> int:
        """How many cards are left to lay down."""
        return len(self._todo)

    def skip(self) -> None:
        """Leave the present card for later: the next step moves it to the end. Safe from any
        thread."""
        self._skips = True

    def step(self) -> Told:
        """Look at the reader and handle the tag found there.

        Raises :class:`hub.ports.StationLost` and :class:`hub.cards.store.NotKept`; after either,
        the next step can be tried.
        """
        if self._skips and self._todo:
            self._leave_for_later()
        self._skips = False
        seen = self._station.tags()
        if not seen:
            return self._empty()
        self._missed = 0
        if len(seen) > 1:
            self._handled = None
            ended = self.card is not None and self.card.of
            return self._say(Stage.REFUSED, bar=Bar.BOTH_ENDS if ended else Bar.TWO_TAGS)
        if seen[0].uid == self._handled:
            return self._shown or self._say(Stage.TAKE_AWAY)
        told = self._meet(seen[0])
        again = told.stage in {Stage.TORN, Stage.SWAPPED}
        self._handled = None if again else seen[0].uid
        self._shown = told
        return told

    def _empty(self) -> Told:
        self._missed += 1
        if self._missed < _MISSES and self._shown is not None:
            return self._shown
        self._handled = None
        if self._shown is not None and self._shown.stage in {Stage.TORN, Stage.SWAPPED}:
            return self._shown
        self._shown = None
        return self._say(Stage.LAY if self._todo else Stage.DONE)

    def _say(
        self,
        stage: Stage,
        card: Card | None = None,
        bar: Bar | None = None,
        other: Card | None = None,
    ) -> Told:
        card = card or self.card
        end = self._store.deck.other_end(card) if card else None
        return Told(
            stage,
            card,
            bar,
            other,
            self._done,
            self._total,
            ends=end is not None,
            then=self._half is not None and end == self._half,
            whole=end is not None and end.has_tag and stage in _ENDED,
        )

    def _meet(self, seen: TagSeen) -> Told:
        if not self._todo:
            return self._say(Stage.DONE)
        for _ in range(TRIES):
            try:
                return self._learn(seen) if self._learns else self._take(seen)
            except _Barred as barred:
                return self._say(Stage.REFUSED, bar=barred.bar, other=barred.other)
            except TagGone:
                if [each.uid for each in self._station.tags()] != [seen.uid]:
                    return self._say(Stage.TORN)
        return self._say(Stage.REFUSED, bar=Bar.UNREADABLE)

    def _take(self, seen: TagSeen) -> Told:
        memory, found = self._known(seen)
        if found is not None and found.in_play:
            self._see_that_it_goes_with(found)
            if found.tag in self._todo:
                self._finish_off(seen, memory)
                card = self._store.mark(found.tag, Mark.WRITTEN)
                return self._finished(Stage.FOUND, card)
            raise _Barred(Bar.THIS_DECK, found)
        self._see_that_it_may(seen, memory, found)
        card = self._intended(seen)
        *pages, length = t.record_writes(memory, card.tag)
        self._put(pages)
        rest = span(self._station, memory.chip, t.FIRST + 1, t.LAST)
        if rest != t.record_pages(card.tag)[t.PAGE :]:
            raise _Barred(Bar.REFUSES)
        self._put([length])
        again = self._station.tags()
        if [each.uid for each in again] != [seen.uid]:
            return self._say(Stage.SWAPPED if again else Stage.TORN)
        if self._read(seen).content != card.tag:
            raise _Barred(Bar.REFUSES)
        self._finish_off(seen, memory)
        return self._finished(Stage.WRITTEN, self._store.mark(card.tag, Mark.WRITTEN))

    def _learn(self, seen: TagSeen) -> Told:
        """Let the tag's UID stand for the card. Refuses phones, whose UID changes each time."""
        if seen.sel_res & NO_TYPE_2:
            if stranger(seen.sel_res, seen.uid) is Strange.PHONE:
                raise _Barred(Bar.PHONE)
            self._see_if_learnt(seen)
        else:
            _, found = self._known(seen)
            if found is not None and found.in_play:
                self._see_that_it_goes_with(found)
                raise _Barred(Bar.THIS_DECK, found)
        tag = self._todo[0]
        return self._finished(Stage.LEARNT, self._store.learn(tag, seen.uid))

    @property
    def _half(self) -> Card | None:
        card = self.card
        end = self._store.deck.other_end(card) if card else None
        return end if end is not None and end.has_tag and end.tag not in self._todo else None

    def _leave_for_later(self) -> None:
        """Move the present card to the end of the list, with its other end if neither is done."""
        first = self._todo.pop(0)
        card = self._store.deck.card(first)
        end = self._store.deck.other_end(card) if card else None
        later = [first]
        if end is not None and self._todo[:1] == [end.tag]:
            later.append(self._todo.pop(0))
        self._todo += later

    def _see_that_it_goes_with(self, found: Card) -> None:
        """Refuse the card ``found`` if one end of a card is done and ``found`` is not its other
        end."""
        half, card = self._half, self.card
        if half is None or card is None:
            return
        if found.tag == half.tag:
            raise _Barred(Bar.SAME_END, found)
        if found.tag != card.tag:
            raise _Barred(Bar.OTHER_CARD, found)

    def _see_if_learnt(self, seen: TagSeen) -> None:
        if (learnt := self._store.deck.learnt(seen.uid)) is not None:
            if (half := self._half) is not None and learnt == half.tag:
                raise _Barred(Bar.SAME_END, half)
            raise _Barred(Bar.LEARNT, self._store.deck.card(learnt))

    def _known(self, seen: TagSeen) -> tuple[Memory, Card | None]:
        """The memory of a Type 2 tag, and the card of this deck whose id it holds."""
        if seen.sel_res & NO_TYPE_2:
            phone = stranger(seen.sel_res, seen.uid) is Strange.PHONE
            raise _Barred(Bar.PHONE if phone else Bar.NO_TYPE_2)
        self._see_if_learnt(seen)
        memory = self._read(seen)
        return memory, self._store.deck.card(memory.content)

    def _see_that_it_may(self, seen: TagSeen, memory: Memory, found: Card | None) -> None:
        content = memory.content
        if memory.locked:
            raise _Barred(Bar.LOCKED)
        if not memory.is_sized:
            raise _Barred(Bar.UNFORMATTED)
        if memory.size < t.PAGE * (t.LAST - t.FIRST + 1):
            raise _Barred(Bar.TOO_SMALL)
        ours = found is not None or self._finish.overwrite or seen.uid in self._ours
        if isinstance(content, Strange):
            if content in _BARS and not ours:
                raise _Barred(_BARS[content])
        elif not ours:
            raise _Barred(Bar.OTHER_DECK)
        if memory.guarded:
            self._unlock()

    def _unlock(self) -> None:
        if password := self._finish.password:
            with suppress(TagGone):
                if self._station.exchange(t.unlock_command(password)) == t.password_of(password)[1]:
                    return
        raise _Barred(Bar.PROTECTED)

    def _intended(self, seen: TagSeen) -> Card:
        """The card about to be written, marked as such in the deck file. The card gets a new id if
        another tag may hold its old id."""
        card = self.card
        if card is None:
            raise TagGone
        elsewhere = card.mark in {Mark.INTENDED, Mark.WRITTEN} or card.uid
        if elsewhere and self._begun.get(card.tag) != seen.uid:
            card = self._store.begin_anew(card.tag)
            self._todo[0] = card.tag
        if card.mark is not Mark.INTENDED:
            card = self._store.mark(card.tag, Mark.INTENDED)
        self._begun[card.tag] = seen.uid
        self._ours.add(seen.uid)
        return card

    def _finish_off(self, seen: TagSeen, memory: Memory) -> None:
        """Guard and lock the tag if that was asked for. The tag's record is written already;
        ``memory`` is what the tag held before."""
        if memory.locked or not (self._finish.lock or self._finish.password):
            return
        if memory.guarded:
            self._unlock()
        if self._finish.password and memory.chip.lock and not memory.guarded:
            config = self._station.exchange(t.read_command(memory.chip.config))[: t.PAGE]
            self._put(t.password_writes(memory.chip, config, self._finish.password))
        if self._finish.lock:
            self._put(t.lock_writes())
            if not self._read(seen).locked:
                raise _Barred(Bar.REFUSES)

    def _put(self, pages: Sequence[tuple[int, bytes]]) -> None:
        for page, data in pages:
            answer = self._station.exchange(t.write_command(page, data))
            if answer != t.ACK:
                raise _Barred(Bar.REFUSES)

    def _finished(self, stage: Stage, card: Card) -> Told:
        self._todo.remove(card.tag)
        self._done += 1
        other = self._store.deck.other_end(card)
        if other is not None and other.tag in self._todo:
            self._todo.remove(other.tag)
            self._todo.insert(0, other.tag)  # the player has the same card in hand
        return self._say(stage, card)

    def _read(self, seen: TagSeen) -> Memory:
        """Read the tag's memory. Raises :class:`TagGone` if the tag is no longer there, and
        :class:`_Barred` if it stays but cannot be read."""
        for _ in range(TRIES):
            try:
                return read_memory(self._station)
            except TagGone:
                now = [each.uid for each in self._station.tags()]
                if now != [seen.uid]:
                    raise
            except MayNotBeRead:
                raise _Barred(Bar.PROTECTED) from None
        raise _Barred(Bar.UNREADABLE)
