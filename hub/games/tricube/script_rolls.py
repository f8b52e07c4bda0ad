"""A roll in a script. It is read at once, then played step by step as at a table."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, to_builtins

from hub.games.scripts import Part
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules import roll as rolls
from hub.games.tricube.rules import settling
from hub.games.tricube.rules.character import TYPES, Lasts, Type
from hub.games.tricube.rules.perks import pay_for_roll
from hub.games.tricube.rules.roll import Judged, Roll
from hub.games.tricube.rules.settling import Fate, Gain, Paid, Price, Token, befall, is_defeated
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import one_of
from hub.kernel.documents import Document
from hub.kernel.faults import Place, shown

ROLL_KEYS = ("scope", "quirk", "hindered", "karma", "regain", "price", "fate")
"""The optional keys of a roll, whether against a challenge or opposed."""


class Payment(Struct, frozen=True):
    """The payment for ``perks``; ``by`` is None if the roller itself pays."""

    by: str | None
    complication: str | None
    perks: tuple[str, ...]


class RollPlayer:
    """Plays one roll of a script. Every method may raise :class:`hub.kernel.faults.Faulty`."""

    roll: Roll

    def __init__(self, given: Part) -> None:
        self.given = given
        self.kind: Type = given.read("type", _kind) or TYPES[0]
        self.dice = given.numbers("dice")
        self.scope = given.flag("scope", usual=True)
        self.quirk = given.text_or_none("quirk")
        self.hindered = given.text_or_none("hindered")
        self.karma = _payment(given) if "karma" in given else None
        self.regain = given.read("regain", one_of, Token)
        self.price = _price(given) if "price" in given else None
        self.fate = _fate(given) if "fate" in given else None

    def call(self, tale: Tale, who: str, challenge: str | None = None, **said: Any) -> None:
        """Begin the roll; ``said`` are options of :func:`hub.games.tricube.rules.roll.call`."""
        self.roll = rolls.call(tale, who, self.kind, challenge, scope=self.scope, **said)

    def throw(self, tale: Tale) -> None:
        """Apply the roll's quirk or affliction, and the given dice."""
        with self.given.rules():
            if self.quirk is not None:
                self.roll = rolls.with_quirk(tale, self.roll, self.quirk)
            if self.hindered is not None:
                self.roll = rolls.with_hindrance(tale, self.roll, self.hindered)
            self.roll = rolls.throw(self.roll, self.dice)

    def pay(self, tale: Tale) -> Tale:
        """The tale after karma was paid for the roll, if the script says so."""
        if paid := self.karma:
            with self.given.rules("karma"):
                tale, self.roll = pay_for_roll(
                    tale, self.roll, paid.perks, paid.by, paid.complication
                )
        return tale

    def settle(self, tale: Tale, judged: Judged, *, deadly: bool) -> tuple[Tale, dict[str, Any]]:
        """Apply gain, price and fate. Returns the tale and the printed form of the roll."""
        who = self.roll.who
        with self.given.rules():
            tale, gain = settling.regain(tale, self.roll, judged, self.regain)
            tale, paid = settling.charge(tale, self.roll, judged, self.price)
        defeated = is_defeated(tale, who)
        if defeated and self.fate is None:
            self.given.refuse(Reason("needs-fate", who=who), "fate")
        if self.fate is not None:
            with self.given.rules("fate"):
                tale = befall(tale, who, judged, self.fate, deadly=deadly)
        return tale, roll_object(self.roll, judged, gain, paid, defeated=defeated)


def _kind(document: Document, value: object, place: Place) -> Type:
    found = next((each for each in TYPES if each == value), None)
    if found is None:
        names = [str(each) for each in TYPES]
        document.blame(place, Reason("not-one-of", text=shown(value), names=names))
    return found or TYPES[0]


def _payment(given: Part) -> Payment:
    paid = given.part("karma", ("perks",), ("by", "complication"))
    return Payment(paid.text_or_none("by"), paid.text_or_none("complication"), paid.texts("perks"))


def _price(given: Part) -> Price:
    price = given.part("price", (), ("resolve", "complication", "told"))
    return Price(price.flag("resolve"), price.text("complication"), price.text("told"))


def _fate(given: Part) -> Fate:
    said = given.part("fate", ("affliction",), ("lasts", "fatal", "stays"))
    affliction, lasts = said.text("affliction"), said.read("lasts", one_of, Lasts)
    return Fate(affliction, lasts, said.flag("fatal"), said.flag("stays"))


def roll_object(
    roll: Roll, judged: Judged, gain: Gain | None, paid: Paid | None, *, defeated: bool
) -> dict[str, Any]:
    """The printed fields that rolls against a challenge and opposed rolls have in common."""
    return {
        "type": roll.kind and str(roll.kind),
        "count": roll.count,
        "dice": [*roll.dice],
        "difficulty": {
            "set": roll.difficulty,
            "quirk": roll.burden,
            "karma": roll.relief,
            "final": roll.final,
        },
        "quirk": roll.quirk,
        "hindered": roll.hindered,
        "karma": roll.karma and to_builtins(roll.karma) | {"perks": [*roll.karma.perks]},
        "hits": judged.hits,
        "outcome": str(judged.outcome),
        "gain": gain and gain_object(gain),
        "price": paid and {"resolve": paid.resolve, "complication": paid.complication},
        "defeated": defeated,
    }


def gain_object(gain: Gain) -> Mapping[str, int]:
    """The token that came back and the amount: ``{"karma": 1}``."""
    return {str(gain.what): gain.amount}
