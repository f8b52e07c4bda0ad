"""What the GM can say holds in a Conflict, as values: one struct for each thing.

In JSON: ``{"what": "card", "number": 39, "to": "reserve", "name": "Ada", "reversed": true}``.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.words import Holds, HoldsOf, Name

MOST_NUMBER = 9_999
"""The highest number that a table's own card can bear."""
MOST_RANKS = 99
MOST_NAMES = 64
Number = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
Count = Annotated[int, Meta(ge=0, le=MOST_RANKS)]
Text = Annotated[str, Meta(max_length=MAX_WORD_CHARS)]


class To(StrEnum):
    """Where a card can be put."""

    DECK = "deck"
    BEFORE = "before"
    """Before a party, as drawn in this round."""
    RESERVE = "reserve"
    LOSS = "loss"
    """A Temporary Loss of a party, marked by it."""


class ControlIs(Holds, frozen=True, kw_only=True, tag="control"):
    """Who has the Control, of so many ranks; nobody and none: the Conflict is Balanced."""

    party: Name | None = None
    ranks: Count = 0


class CardIs(Holds, frozen=True, kw_only=True, tag="card"):
    """Where a card is: it is taken from where it was. ``name`` is the party, or the character with
    the Reserve; ``who`` of the party has drawn it, needed if there are several."""

    number: Number
    to: To
    name: Name = ""
    who: Name = ""
    reversed: bool = False


class CardLies(HoldsOf, frozen=True, kw_only=True, tag="turned"):
    """Which way up a card before a party lies. It costs no Token."""

    number: Number
    reversed: bool


class LastingIs(HoldsOf, frozen=True, kw_only=True, tag="lasting"):
    """A party has one Lasting Loss more, marked by these three cards; ``who`` bears it."""

    who: Name = ""
    cards: Annotated[tuple[Number, ...], Meta(max_length=MOST_NAMES)]
    text: Text = ""


class LossLies(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """How a Lasting Loss of a party is told, who bears it, and which of its cards lie face down;
    ``loss`` counts from 1, the oldest."""

    loss: Count
    who: Name
    text: Text = ""
    face_down: Annotated[tuple[Number, ...], Meta(max_length=MOST_NAMES)] = ()


class NoLoss(HoldsOf, frozen=True, kw_only=True, tag="no-loss"):
    """The Loss of a party that this card marks is gone; its cards are in the deck."""

    number: Number


class TokensAre(Holds, frozen=True, kw_only=True, tag="tokens"):
    """How many Control Tokens the Dominant has left in this round."""

    left: Count


class OutOrIn(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A party or a character is out of the Conflict, or in it. A party may be ``wiped_out``;
    otherwise it has conceded."""

    out: bool
    wiped_out: bool = False

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "out" if self.out else "in"


class RoundEnds(Holds, frozen=True, kw_only=True, tag="outcome"):
    """How the round ends; ``by`` are the parties that take or break the Control. The Control
    follows, the cards are not judged."""

    outcome: RoundOutcome
    by: Annotated[tuple[Name, ...], Meta(max_length=MOST_NAMES)] = ()


class AgainstIs(HoldsOf, frozen=True, kw_only=True, tag="against"):
    """How many Reserve Cards of others were laid on a character's cards in this Conflict: it draws
    as many and one when it concedes (T11)."""

    times: Count
