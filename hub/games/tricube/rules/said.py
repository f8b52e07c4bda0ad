"""Choices and declarations whose value is a line of JSON, and the values that it is parsed into.

Pages write these lines. Anything malformed is refused with the place and the reason; nothing is
guessed.
"""

from typing import Literal, TypeVar

import msgspec
from msgspec import Struct

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import TYPES, Lasts, Type
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.settling import Fate, Price
from hub.games.tricube.rules.tale import STANDARD
from hub.kernel.faults import shown

SaidT = TypeVar("SaidT", bound=Struct)
Kind = Literal["agile", "brawny", "crafty", "melee", "ranged", "mental"]
_KINDS = {str(kind): kind for kind in TYPES}
MAX_NAME_CHARS = 100
"""The greatest length of the name of a challenge or an NPC."""
MAX_EFFORT = 999


class _Said(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The base class of values that are written as one line of JSON."""


class NewChallenge(_Said, frozen=True):
    """A challenge that enters the scene. Without ``effort`` tokens, one success overcomes it."""

    name: str
    difficulty: int = STANDARD
    effort: int = 0
    deadly: bool = False


class Roller(_Said, frozen=True):
    """The options for one roller: a type or a difficulty other than the call's, whether its concept
    or perks cover the task, the affliction that counts, and a repeated defense."""

    type: Kind | None = None
    difficulty: int | None = None
    scope: bool = True
    hindered: str | None = None
    again: bool = False


class Call(_Said, frozen=True):
    """The GM calls for rolls at a challenge. ``sealed``: the GM seals the difficulty while the
    players seal their approaches. ``dice``: who throws them; None means as in the rest of the
    scene."""

    challenge: str | NewChallenge
    type: Kind
    rollers: dict[str, Roller]
    defense: bool = False
    sealed: bool = False
    dice: Literal["table", "hand"] | None = None


class Side(_Said, frozen=True):
    """The options for one of two opposed rollers. ``scope`` is false if neither its concept nor its
    perks cover the task; ``hindered`` is the affliction that counts."""

    type: Kind
    scope: bool = True
    hindered: str | None = None


class Oppose(_Said, frozen=True):
    """The GM calls for opposed rolls of two characters."""

    sides: dict[str, Side]
    deadly: bool = False
    dice: Literal["table", "hand"] | None = None


class Npcs(_Said, frozen=True):
    """The GM calls for opposed rolls of two NPCs. ``sides``: NPC → number of dice; ``by``: NPC →
    who throws, if not the GM."""

    sides: dict[str, int]
    by: dict[str, str] = {}
    dice: Literal["table", "hand"] | None = None


class OfferSaid(_Said, frozen=True):
    """The GM offers a character a complication for a karma, out of a quirk, an affliction or the
    story."""

    who: str
    told: str = ""
    quirk: str | None = None
    affliction: str | None = None


class KarmaSaid(_Said, frozen=True):
    """Perks to make a roll easier. ``roll`` is the roller's name; None means the character's own
    roll."""

    perks: tuple[str, ...]
    roll: str | None = msgspec.field(name="for", default=None)


class PerkSaid(_Said, frozen=True):
    """A player's request to use perks without a roll. ``challenge`` is what they bypass."""

    perks: tuple[str, ...]
    use: Use
    challenge: str | None = None
    told: str = ""


class CureSaid(_Said, frozen=True):
    """Perks to end an affliction of the character ``who``; None means the character's own."""

    affliction: str
    perks: tuple[str, ...]
    who: str | None = None


class AfflictionSaid(_Said, frozen=True):
    """The affliction of a character that the GM ends or converts."""

    who: str
    affliction: str


class PriceSaid(_Said, frozen=True):
    """The GM's price for a failure: ``resolve``, a ``complication``, what is only ``told``, or
    several of these."""

    resolve: bool = False
    complication: str = ""
    told: str = ""

    def price(self) -> Price:
        """The price in the form that the rules use."""
        return Price(self.resolve, self.complication, self.told)


class FateSaid(_Said, frozen=True):
    """The fate of a defeated character. ``stays``: the character may still act in this scene."""

    affliction: str
    lasts: Literal["scene", "longer"] | None = None
    fatal: bool = False
    stays: bool = False

    def fate(self) -> Fate:
        """The fate in the form that the rules use."""
        lasts = None if self.lasts is None else Lasts(self.lasts)
        return Fate(self.affliction, lasts, self.fatal, self.stays)


def read(text: str, form: type[SaidT], kind: str) -> SaidT:
    """Parse the line of JSON of a choice of this ``kind``. Raises :class:`Refused`."""
    try:
        return msgspec.json.decode(text, type=form)
    except msgspec.DecodeError as wrong:
        raise Refused("", Reason("said-otherwise", what=kind, why=shown(str(wrong)))) from None


def write(said: Struct) -> str:
    """The line of JSON for a value, without fields that have their default."""
    return msgspec.json.encode(said).decode()


def kind_of(word: str) -> Type:
    """The trait or combat style with this name."""
    return _KINDS[word]


def check_name(name: str, part: str = "name") -> None:
    """Raise :class:`Refused` if ``name`` is empty, too long, padded with spaces or not
    printable."""
    if not name.isprintable() or name != name.strip() or not 0 < len(name) <= MAX_NAME_CHARS:
        raise Refused(part, Reason("name-of-something", most=MAX_NAME_CHARS))


def check_told(text: str, part: str) -> None:
    """Raise :class:`Refused` for a text that is not one printable line."""
    if not text.strip() or not text.isprintable():
        raise Refused(part, Reason("one-printable-line"))


def check_effort(effort: int) -> None:
    """Raise :class:`Refused` unless it is 0 to :data:`MAX_EFFORT`."""
    if not 0 <= effort <= MAX_EFFORT:
        raise Refused("effort", Reason("number-from-to", least=0, most=MAX_EFFORT))
