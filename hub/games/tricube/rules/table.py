"""A tale at the table: the state that the steps are played on, and what of it is still to be said.

What counts is judged by the words of the rules (``roll``, ``karma``, ``settling``, ``fate``,
``opposed``, ``perks``). Here stands what a table needs besides: who is still to be heard.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.roll import Judged, Roll
from hub.games.tricube.rules.settling import Gain, Paid
from hub.games.tricube.rules.tale import Tale

RULINGS = 2
"""The version of the rulings by which a scene that begins now is played. In version 1, of older
logs, a roll that comes behind the last token of its call comes to nothing (C16), and everybody is
asked for karma once, however many rolls it could help (C5)."""
JUDGED_ALONE = 2
"""The rulings by which every roll of a call is judged by itself (C16)."""
ASKS_AGAIN = 2
"""The rulings by which whoever gives karma for one roll is asked for the others, too (C5)."""

DICE: tuple[Literal["table"], Literal["hand"]] = ("table", "hand")
"""Who throws the dice: the table, or people by hand."""


class What(StrEnum):
    """Against what is rolled."""

    CHALLENGE = "challenge"
    OPPOSED = "opposed"
    NPCS = "npcs"


class Want(Struct, frozen=True):
    """Perks by which ``by`` wants to make somebody's roll easier."""

    by: str
    perks: tuple[str, ...]


class Rolling(Struct, frozen=True, kw_only=True):
    """Rolls that belong together, from their call until the last of them is settled."""

    what: What
    rolls: Mapping[str, Roll]
    """Who rolls, in the order in which they are settled."""
    challenge: str | None = None
    defense: bool = False
    again: frozenset[str] = frozenset()
    """Who defends itself once more in a turn, as the GM allows."""
    sealed: bool = False
    """Whether the GM seals the difficulty with the approaches."""
    is_new: bool = False
    """Whether what is sealed becomes the difficulty of the challenge, too."""
    by_hand: bool = False
    deadly: bool = False
    """Of an opposed roll: whether the players were warned of death."""
    throwers: Mapping[str, str] = {}
    """NPC → who throws its dice."""
    approached: bool = False
    """Whether all have said how they go about it."""
    asked_karma: bool = False
    """Whether everybody has been asked for karma."""
    asked_again: tuple[str, ...] | None = None
    """Who may be asked for karma once more: whoever has just promised some. None at first, when
    everybody may be."""
    promising: Mapping[str, tuple[str, Want]] = {}
    """Who has just promised karma → for whose roll, until everybody has spoken."""
    wants: Mapping[str, tuple[Want, ...]] = {}
    """Whose roll is to be made easier → by whom, in the order in which they are asked."""
    judged: Mapping[str, Judged] = {}
    """What has been settled so far, or is being settled."""
    removed: Mapping[str, int] = {}
    gains: Mapping[str, Gain | None] = {}
    prices: Mapping[str, Paid | None] = {}
    defeated: tuple[str, ...] = ()
    fated: tuple[str, ...] = ()
    moot: tuple[str, ...] = ()
    """Whose roll has come to nothing: the GM has ended the challenge before it, or it is not there
    any more; by the first rulings also whatever comes behind the last token."""
    victor: str | None = None
    """Who has taken the last effort token, and has not told what becomes of it."""
    overcame: str | None = None
    """Whose roll has overcome the challenge."""

    @property
    def landed(self) -> bool:
        """Whether all dice lie."""
        return all(each.dice for each in self.rolls.values())


class Asking(Struct, frozen=True, kw_only=True):
    """What a person wants, or is offered, and somebody has to answer."""

    what: Literal["complication", "perk", "cure", "karma"]
    who: str
    """Whom it is about: who is offered a complication, wants a perk's use, pays for a roll."""
    perks: tuple[str, ...] = ()
    told: str = ""
    quirk: str | None = None
    affliction: str | None = None
    patient: str | None = None
    """Whom a cure is for."""
    use: Use | None = None
    challenge: str | None = None
    roll: str | None = None
    """Whose roll the karma is for."""
    complication: str | None = None
    """What the GM offers in the place of karma; None as long as the GM has not said."""


class Table(Struct, frozen=True, kw_only=True):
    """A state."""

    tale: Tale
    rulings: int = RULINGS
    """By which version of the rulings it is played."""
    dice: Literal["table", "hand"] = "table"
    turn: int = 1
    away: frozenset[str] = frozenset()
    """Characters whose players have left."""
    sealed_challenges: frozenset[str] = frozenset()
    """Challenges whose difficulty nobody knows yet."""
    rolling: Rolling | None = None
    last: Rolling | None = None
    """The newest that has been settled."""
    asking: Asking | None = None
    over: bool = False
    stops: int = 0
    anew: int = 0

    def stopped(self) -> "Table":
        """The same, where an undo may stop."""
        return replace(self, stops=self.stops + 1)

    def there(self) -> tuple[str, ...]:
        """Who takes part in this scene, and whose player is there."""
        return tuple(who for who in self.tale.there() if who not in self.away)

    def promised_by(self, name: str) -> str | None:
        """Who is sure to pay for a roll: whoever has promised it, and has as much karma as
        promises. Without karma it depends on what the GM offers, so others may promise it too."""
        wants = self.rolling.wants if self.rolling else {}
        for want in wants.get(name, ()):
            one = self.tale.characters[want.by]
            promises = sum(any(each.by == want.by for each in every) for every in wants.values())
            if one.there and one.karma >= promises:
                return want.by
        return None
