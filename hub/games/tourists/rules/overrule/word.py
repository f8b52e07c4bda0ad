"""The overrules in a Conflict as values, one struct for each.

In JSON: ``{"what": "card", "number": 39, "to": "reserve", "name": "Ada", "reversed": true}``.
"""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.words import Holds, HoldsOf, Name

MOST_NUMBER = 9_999
"""The highest card number in a custom deck."""
MOST_RANKS = 99
MOST_NAMES = 64
Number = Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
Count = Annotated[int, Meta(ge=0, le=MOST_RANKS)]
Text = Annotated[str, Meta(max_length=MAX_WORD_CHARS)]


class To(StrEnum):
    """The places a card can be put."""

    DECK = "deck"
    BEFORE = "before"
    """Before a party, as drawn in this round."""
    RESERVE = "reserve"
    LOSS = "loss"
    """It marks a Temporary Loss of a party."""


class ControlIs(Holds, frozen=True, kw_only=True, tag="control"):
    """The party that has the Control, and its ranks. None and 0: the Conflict is Balanced."""

    party: Name | None = None
    ranks: Count = 0


class CardIs(Holds, frozen=True, kw_only=True, tag="card"):
    """Where a card is. ``name`` is the party, or the character with the Reserve. ``who`` is the
    character that drew it; required if the party has several."""

    number: Number
    to: To
    name: Name = ""
    who: Name = ""
    reversed: bool = False


class CardLies(HoldsOf, frozen=True, kw_only=True, tag="turned"):
    """The orientation of a card before a party. This costs no Token."""

    number: Number
    reversed: bool


class LastingIs(HoldsOf, frozen=True, kw_only=True, tag="lasting"):
    """A party has one more Lasting Loss, marked by these three cards; ``who`` bears it."""

    who: Name = ""
    cards: Annotated[tuple[Number, ...], Meta(max_length=MOST_NAMES)]
    text: Text = ""


class LossLies(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """A Lasting Loss's text, the character that bears it, and which of its cards are face down.
    ``loss`` counts from 1, the oldest."""

    loss: Count
    who: Name
    text: Text = ""
    face_down: Annotated[tuple[Number, ...], Meta(max_length=MOST_NAMES)] = ()


class NoLoss(HoldsOf, frozen=True, kw_only=True, tag="no-loss"):
    """The party's Loss marked by this card is removed; its cards go to the deck."""

    number: Number


class TokensAre(Holds, frozen=True, kw_only=True, tag="tokens"):
    """How many Control Tokens the Dominant has left in this round."""

    left: Count


class OutOrIn(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A party or a character is out of the Conflict, or in it. A party leaves ``wiped_out`` or, if
    that is not set, by conceding."""

    out: bool
    wiped_out: bool = False

    @property
    def clause(self) -> str:
        """See :class:`hub.games.words.Holds`."""
        return "out" if self.out else "in"


class RoundEnds(Holds, frozen=True, kw_only=True, tag="outcome"):
    """How the round ended. ``by`` are the parties that take or break the Control. The Control is
    adjusted; the cards are not judged."""

    outcome: RoundOutcome
    by: Annotated[tuple[Name, ...], Meta(max_length=MOST_NAMES)] = ()


class AgainstIs(HoldsOf, frozen=True, kw_only=True, tag="against"):
    """How many Reserve Cards others have laid on a character's cards in this Conflict. A character
    that concedes draws one more than that (T11)."""

    times: Count
