"""A tale at the table: the state that the steps work on, and the choices still open.

``tale``, ``roll``, ``settling`` and ``perks`` have the rules. This module adds the rolls and
questions in progress, and which characters have yet to choose.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.roll import Judged, Roll
from hub.games.tricube.rules.settling import Gain, Paid
from hub.games.tricube.rules.tale import Tale

RULINGS = 2
"""The newest version of the rulings, by which a new scene is played."""

DICE: tuple[Literal["table"], Literal["hand"]] = ("table", "hand")
"""Who throws the dice: the table, or players by hand."""


class What(StrEnum):
    """The opposition of a roll: a challenge, another character, or, for an NPC, another NPC."""

    CHALLENGE = "challenge"
    OPPOSED = "opposed"
    NPCS = "npcs"


class Want(Struct, frozen=True):
    """The wish of the character ``by`` to make a roll easier with these perks of its own."""

    by: str
    perks: tuple[str, ...]


class Rolling(Struct, frozen=True, kw_only=True):
    """The rolls of one call, until the last of them is settled."""

    what: What
    rolls: Mapping[str, Roll]
    """The rolls by roller, in the order they are settled."""
    challenge: str | None = None
    defense: bool = False
    again: frozenset[str] = frozenset()
    """Characters that the GM allows another defense in this turn."""
    sealed: bool = False
    """Whether the GM seals the difficulty together with the approaches."""
    is_new: bool = False
    """Whether the sealed difficulty also becomes that of the challenge."""
    by_hand: bool = False
    deadly: bool = False
    """Whether the players were warned of death."""
    throwers: Mapping[str, str] = {}
    """NPC → the actor that throws its dice."""
    approached: bool = False
    """Whether all approaches have been chosen."""
    asked_karma: bool = False
    """Whether the question about karma is finished."""
    asked_again: tuple[str, ...] | None = None
    """The characters that may be asked for karma again, because they promised some; None if all may
    be."""
    promising: Mapping[str, tuple[str, Want]] = {}
    """Character → the roll it has just promised karma for, and its wish, until all have
    answered."""
    wants: Mapping[str, tuple[Want, ...]] = {}
    """Roll → the wishes to make it easier, in the order in which they are granted."""
    judged: Mapping[str, Judged] = {}
    """Roll → its result, for each roll that is settled or being settled."""
    removed: Mapping[str, int] = {}
    gains: Mapping[str, Gain | None] = {}
    prices: Mapping[str, Paid | None] = {}
    defeated: tuple[str, ...] = ()
    fated: tuple[str, ...] = ()
    moot: tuple[str, ...] = ()
    """The rolls without effect, because the challenge was already over or the roller gone."""
    victor: str | None = None
    """The character that took the last effort token and has yet to tell what becomes of the foe."""
    overcame: str | None = None
    """The character whose roll overcame the challenge, if any."""

    @property
    def landed(self) -> bool:
        """Whether all dice have fallen."""
        return all(each.dice for each in self.rolls.values())


class Asking(Struct, frozen=True, kw_only=True):
    """An open question: a player's request or the GM's offer."""

    what: Literal["complication", "perk", "cure", "karma"]
    who: str
    """The character that is offered a complication, wants to use a perk, or pays for a roll."""
    perks: tuple[str, ...] = ()
    told: str = ""
    quirk: str | None = None
    affliction: str | None = None
    patient: str | None = None
    """The character to be cured."""
    use: Use | None = None
    challenge: str | None = None
    roll: str | None = None
    """The roll that the karma is for."""
    complication: str | None = None
    """The complication that the GM offers instead of karma; None before the GM has answered."""


class Table(Struct, frozen=True, kw_only=True):
    """The state of a tale at the table. It is immutable; each step makes a new one."""

    tale: Tale
    rulings: int = RULINGS
    """The version of the rulings that applies."""
    dice: Literal["table", "hand"] = "table"
    turn: int = 1
    away: frozenset[str] = frozenset()
    """Characters whose players have left."""
    sealed_challenges: frozenset[str] = frozenset()
    """Challenges whose difficulty is still sealed."""
    rolling: Rolling | None = None
    last: Rolling | None = None
    """The newest rolls that are settled, until the next call."""
    asking: Asking | None = None
    over: bool = False
    stops: int = 0
    anew: int = 0

    def stopped(self) -> "Table":
        """The same table with one more stop for undo."""
        return replace(self, stops=self.stops + 1)

    def there(self) -> tuple[str, ...]:
        """The characters that take part in this scene and whose players are there."""
        return tuple(who for who in self.tale.there() if who not in self.away)

    def promised_by(self, name: str) -> str | None:
        """The character that will certainly pay for a roll, because it promised to and has karma
        for all its promises. None if there is no such character. A character without karma depends
        on the GM's offer, so others may promise, too."""
        wants = self.rolling.wants if self.rolling else {}
        for want in wants.get(name, ()):
            one = self.tale.characters[want.by]
            promises = sum(any(each.by == want.by for each in every) for every in wants.values())
            if one.there and one.karma >= promises:
                return want.by
        return None


def rolling_of(state: Table) -> Rolling:
    """The rolls in progress. Raises :class:`Refused` if there are none."""
    if state.rolling is None:
        raise Refused("", Reason("nothing-rolled"))
    return state.rolling
