"""A roll in a script: its parts are read at their places, then played one by one with the functions
that a table uses."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules import fate, karma, settling
from hub.games.tricube.rules.character import TYPES, Lasts, Type
from hub.games.tricube.rules.record import roll_object
from hub.games.tricube.rules.roll import Judged, Roll, throw, with_hindrance, with_quirk
from hub.games.tricube.rules.settling import Price, Token
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import one_of
from hub.kernel.documents import Document
from hub.kernel.faults import Place, shown

ROLL_KEYS = ("scope", "quirk", "hindered", "karma", "regain", "price", "fate")
"""Optional keys of a roll, against a challenge or opposed."""


class Payment(Struct, frozen=True):
    """The payment for perks; ``by`` is None for the roller itself."""

    perks: tuple[str, ...]
    by: str | None = None
    complication: str | None = None


class Said(Struct, frozen=True):
    """Everything a script says about a character's roll."""

    kind: Type
    dice: tuple[int, ...]
    scope: bool
    quirk: str | None
    hindered: str | None
    karma: Payment | None
    regain: Token | None
    price: Price | None
    fate: fate.Fate | None


@contextmanager
def said_at(document: Document, place: Place) -> Iterator[None]:
    """Turn a refusal inside this block into a fault at the place."""
    try:
        yield
    except Refused as no:
        document.refuse((*place, *no.part), no.reason)


class Reader:
    """Reads the values of an object at their places; a faulty value is replaced by a harmless
    one."""

    def __init__(self, document: Document, given: Mapping[str, Any], place: Place) -> None:
        self.document = document
        self.given = given
        self.place = place

    def at(self, key: str) -> Place:
        """The place of a key."""
        return (*self.place, key)

    def inner(self, key: str, required: tuple[str, ...], optional: tuple[str, ...]) -> "Reader":
        """Read an object inside this one."""
        place = self.at(key)
        given = self.document.table(self.given[key], place, required, optional)
        return Reader(self.document, given, place)

    def text(self, key: str) -> str:
        """Read a text; empty if missing."""
        return self.document.text(self.given.get(key, ""), self.at(key))

    def text_or_none(self, key: str) -> str | None:
        """Read a text; None if missing."""
        return self.text(key) if key in self.given else None

    def flag(self, key: str, *, usual: bool = False) -> bool:
        """Read true or false."""
        return self.document.flag(self.given.get(key, usual), self.at(key))

    def number_or_none(self, key: str) -> int | None:
        """Read a whole number; None if missing."""
        if key not in self.given:
            return None
        return self.document.number(self.given[key], self.at(key))

    def numbers(self, key: str) -> tuple[int, ...]:
        """Read a list of whole numbers."""
        place = self.at(key)
        listed = self.document.items(self.given.get(key, ()), place)
        return tuple(self.document.number(each, (*place, n)) for n, each in enumerate(listed))

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts."""
        place = self.at(key)
        listed = self.document.items(self.given.get(key, ()), place)
        return tuple(self.document.text(each, (*place, n)) for n, each in enumerate(listed))

    def kind(self) -> Type:
        """Read the ``type`` of a roll."""
        value = self.given.get("type", TYPES[0])
        for each in TYPES:
            if value == each:
                return each
        names = [str(each) for each in TYPES]
        why = Reason("not-one-of", text=shown(value), names=names)
        self.document.blame(self.at("type"), why)
        return TYPES[0]

    def said(self) -> Said:
        """Read a roll."""
        regain = None
        if "regain" in self.given:
            place = self.at("regain")
            regain = one_of(self.document, self.given["regain"], place, Token)
        return Said(
            self.kind(),
            self.numbers("dice"),
            self.flag("scope", usual=True),
            self.text_or_none("quirk"),
            self.text_or_none("hindered"),
            self._payment() if "karma" in self.given else None,
            regain,
            self._price() if "price" in self.given else None,
            self._fate() if "fate" in self.given else None,
        )

    def _payment(self) -> Payment:
        found = self.inner("karma", ("perks",), ("by", "complication"))
        by, complication = found.text_or_none("by"), found.text_or_none("complication")
        return Payment(found.texts("perks"), by, complication)

    def _price(self) -> Price:
        found = self.inner("price", (), ("resolve", "complication", "told"))
        return Price(found.flag("resolve"), found.text("complication"), found.text("told"))

    def _fate(self) -> fate.Fate:
        found = self.inner("fate", ("affliction",), ("lasts", "fatal", "stays"))
        affliction, lasts = found.text("affliction"), None
        if "lasts" in found.given:
            lasts = one_of(self.document, found.given["lasts"], found.at("lasts"), Lasts)
        return fate.Fate(affliction, lasts, found.flag("fatal"), found.flag("stays"))


class RollPlayer:
    """Plays one roll. Every method may raise :class:`hub.kernel.faults.Faulty`."""

    def __init__(self, document: Document, place: Place, said: Said, roll: Roll) -> None:
        self.document = document
        self.place = place
        self.told = said
        self.roll = roll

    def throw(self, tale: Tale) -> None:
        """Apply the declarations and the given dice."""
        with said_at(self.document, self.place):
            if self.told.quirk is not None:
                self.roll = with_quirk(tale, self.roll, self.told.quirk)
            if self.told.hindered is not None:
                self.roll = with_hindrance(tale, self.roll, self.told.hindered)
            self.roll = throw(self.roll, self.told.dice)

    def pay(self, tale: Tale) -> Tale:
        """Pay karma, if the script says so."""
        paid = self.told.karma
        if paid is not None:
            with said_at(self.document, (*self.place, "karma")):
                tale, self.roll = karma.pay_for_roll(
                    tale, self.roll, paid.perks, paid.by, paid.complication
                )
        return tale

    def settle(self, tale: Tale, judged: Judged, *, deadly: bool) -> tuple[Tale, dict[str, Any]]:
        """Apply gain, price and fate; return the tale and the printed form of the roll."""
        who = self.roll.who
        with said_at(self.document, self.place):
            tale, gain = settling.regain(tale, self.roll, judged, self.told.regain)
            tale, paid = settling.charge(tale, self.roll, judged, self.told.price)
        defeated, place = fate.is_defeated(tale, who), (*self.place, "fate")
        if defeated and self.told.fate is None:
            self.document.refuse(place, Reason("needs-fate", who=who))
        if self.told.fate is not None:
            with said_at(self.document, place):
                tale = fate.befall(tale, who, judged, self.told.fate, deadly=deadly)
        return tale, roll_object(self.roll, judged, gain, paid, defeated=defeated)
