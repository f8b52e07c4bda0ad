"""Base classes for the steps of a Conflict, and the written forms of their choices."""

# ruff: noqa: D102  (the base class Step documents the methods)

import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from hub.games.game import MAX_WORD_CHARS, Kind
from hub.games.step import TakingStep
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import bidding, ending
from hub.games.tourists.rules.answers import answerable
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.deck import Card, drawn_card
from hub.games.tourists.rules.table import Table
from hub.kernel.faults import shown

_CARD = re.compile(r"(0|[1-9][0-9]{0,3}) (upright|reversed)(?: (.+))?")
_LOSSES = re.compile(r"([0-9]{1,4}(?:,[0-9]{1,4})*)(?: (.*))?")


def card_of(conflict: Conflict, value: str) -> Card:
    """The card that ``value`` names, such as ``39 upright``. Raises :class:`Refused`."""
    card, more = _card(conflict, value)
    if more:
        raise Refused("", Reason("no-card-text", value=shown(value)))
    return card


def card_and_party(conflict: Conflict, value: str) -> tuple[Card, str | None]:
    """The card that ``value`` names and the party whose card it covers, such as ``33 upright News
    Crew``. If no party is named, it is the only one whose card can be answered; None unless there
    is exactly one. Raises :class:`Refused`."""
    card, more = _card(conflict, value)
    return card, party_of(conflict, more) if more else sole(conflict)


def _card(conflict: Conflict, value: str) -> tuple[Card, str]:
    found = _CARD.fullmatch(value)
    if found is None:
        raise Refused("", Reason("no-card-text", value=shown(value)))
    number = int(found[1])
    if number not in conflict.deck:
        raise Refused("", Reason("no-card-of-deck", number=number))
    return Card(number, found[2] == "reversed"), found[3] or ""


def sole(conflict: Conflict) -> str | None:
    """The party whose card can be answered; None unless there is exactly one."""
    able = answerable(conflict)
    return able[0] if len(able) == 1 else None


def party_of(conflict: Conflict, value: str) -> str:
    """The party that ``value`` names, or if ``value`` is empty the only one whose card can be
    answered. Raises :class:`Refused`."""
    able = answerable(conflict)
    if not able:
        raise Refused("", Reason("nothing-to-answer"))
    if not value:
        if len(able) > 1:
            raise Refused("", Reason("say-whose-card", names=able))
        return able[0]
    if value not in able:
        raise Refused("", Reason("not-one-of", text=shown(value), names=able))
    return value


def telling_of(value: str) -> ending.Telling:
    """The cards and the text that ``value`` gives for a Loss, such as ``48,13,21 limps``. An empty
    ``value`` leaves both open. Raises :class:`Refused`."""
    if not value:
        return ending.Telling()
    found = _LOSSES.fullmatch(value)
    if found is None:
        raise Refused("", Reason("no-losses-text", value=shown(value)))
    text = (found[2] or "").strip()
    if len(text) > MAX_WORD_CHARS:
        raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))
    return ending.Telling(tuple(map(int, found[1].split(","))), text)


# book: t4.said
def elsewhere(conflict: Conflict, card: Card) -> Reason | None:
    """A reason that says where the card is; None if it is in the deck (T4)."""
    number, now = card.number, conflict.round
    for party in conflict.parties_in():
        if number in conflict.losses[party].marks():
            return Reason("card-marks-loss", number=number, who=party)
    if why := lies_in_reserve(conflict, card):
        return why
    if number in conflict.kept:
        return Reason("card-kept", number=number)
    if now is None or now.outcome is not None:
        return None
    for party, laid in now.laid.items():
        for each in laid:
            if each.card.number == number:
                if each.card == card:
                    return Reason("card-lies-there", number=number, who=party)
                return Reason("card-lies-other-way", number=number, who=party)
    return Reason("card-was-drawn", number=number) if number in now.seen else None


def lies_in_reserve(conflict: Conflict, card: Card) -> Reason | None:
    """A reason that names the Reserve with this card; None if no Reserve has it."""
    for who, cards in conflict.reserves.items():
        if any(each.number == card.number for each in cards):
            return Reason("card-in-reserve", number=card.number, who=who)
    return None


PASS = "pass"  # noqa: S105  (a word said at the table)
HUB_DRAWS = "draw"
EARLY = ("drawn", HUB_DRAWS, PASS)
"""The kinds of choices whose cards wait on the reader while a card is being answered: the next draw
or pass."""


class Step(TakingStep[Table]):
    """The base class of a Conflict's steps. Unless a step says otherwise, one character chooses for
    its party."""

    def one_of(self, state: Table) -> tuple[tuple[str, ...], ...]:
        """The groups of which one character chooses for all: by default, each party's characters
        that have to choose."""
        conflict, must = state.conflict, self.must(state)
        parties = dict.fromkeys(conflict.party_of.get(who) for who in must)
        groups = (tuple(w for w in must if conflict.party_of.get(w) == name) for name in parties)
        return tuple(group for group in groups if len(group) > 1)


def characters_of(conflict: Conflict, parties: Sequence[str]) -> tuple[str, ...]:
    """The characters of these parties that are still in."""
    return tuple(who for name in parties for who in conflict.characters_in(name))


class Laying(Step):
    """A step in which a character draws a card and lays it openly."""

    kind = Kind.OPEN
    word = "drawn"

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield from self.others

    def default(self, state: Table, actor: str) -> str | None:
        return None

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value in self.others:
            return self.leave_it(state, actor)
        card = card_of(state.conflict, value)
        if why := self.elsewhere(state, card):
            raise Refused("", why)
        return self.lay(state, actor, card)

    def elsewhere(self, state: Table, card: Card) -> Reason | None:
        """A reason that says where the card is; None if it can be drawn."""
        return elsewhere(state.conflict, card)

    @abstractmethod
    def lay(self, state: Table, actor: str, card: Card) -> Table:
        """The table after ``actor`` lays ``card``. Raises :class:`Refused`."""

    def leave_it(self, state: Table, actor: str) -> Table:
        """The table after the actor draws no card. Raises :class:`Refused` if the actor has to
        draw."""
        raise Refused("", Reason("has-to-draw"))

    def open_to(self, state: Table) -> Iterator[int]:
        """The cards that can be drawn, in ascending order."""
        return bidding.in_the_deck(state.conflict)


class ByHub(Laying):
    """Like :class:`Laying`, but the hub draws the card."""

    word = HUB_DRAWS
    chance: ClassVar[bool] = True

    def values(self, state: Table, actor: str) -> Iterator[str]:
        yield ""
        yield from super().values(state, actor)

    def default(self, state: Table, actor: str) -> str | None:
        return None if self.others else ""

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if value in self.others:
            return self.leave_it(state, actor)
        if value:
            raise Refused("", Reason("hub-draws"))
        numbers = tuple(self.open_to(state))
        if not numbers:
            raise Refused("", Reason("deck-is-empty"))
        return self.lay(state, actor, drawn_card(chance, actor, numbers))

    def falls_on(self, state: Table, values: Mapping[str, str]) -> dict[str, Any]:
        return {
            "deck": [*self.open_to(state)],
            "who": [who for who, value in values.items() if value not in self.others],
        }


def by_both(step: type[Laying]) -> tuple[Laying, Laying]:
    """The step in which players draw, and the same step in which the hub draws."""
    by_hub: type[Laying] = type(f"Hub{step.__name__}", (ByHub, step), {})
    return step(), by_hub()


class Telling(Step):
    """A step in which a character narrates for its party, aloud or in writing."""

    is_text = True

    def take(self, state: Table, actor: str, value: str, chance: bytes) -> Table:
        if len(value) > MAX_WORD_CHARS:
            raise Refused("", Reason("text-too-long", most=MAX_WORD_CHARS))
        return self.tell(state, state.conflict.party_of[actor], value)

    @abstractmethod
    def tell(self, state: Table, party: str, text: str) -> Table:
        """The table after ``party`` has told ``text``, which is empty if told aloud."""
