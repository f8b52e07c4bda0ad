"""The use of perks, in a roll and outside rolls, for a karma or a complication; and the end of
afflictions (C5, C6, C11, C12)."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Absent
from hub.games.tricube.rules.roll import Karma, Roll, check_affliction, check_quirk
from hub.games.tricube.rules.settling import Gain, Token, come_back
from hub.games.tricube.rules.tale import Tale
from hub.kernel.faults import shown

# book: perks.reduce, perks.one, perspective.instead, assisting.roll, assisting.one, c5.each
# book: c5.moment, c5.friend, c12.instead
NO_PERKS = frozenset({"none"})
"""The values of the choice ``karma …`` for no payment. A perk cannot have such a name, in upper or
lower case."""


def is_perk(text: str) -> bool:
    """Whether a perk's name differs from everything else that the choice ``karma …`` can say."""
    return text.casefold() not in NO_PERKS and not text.startswith("{")


def pay_for_roll(
    tale: Tale,
    roll: Roll,
    perks: Sequence[str],
    by: str | None = None,
    complication: str | None = None,
) -> tuple[Tale, Roll]:
    """The tale and the fallen roll after perks made the roll easier. ``by``, a friend or the roller
    (None), has the perks and pays. Raises :class:`Refused`."""
    if roll.karma is not None:
        raise Refused("", Reason("one-karma-a-roll", who=roll.karma.by))
    payer = roll.who if by is None else by
    tale.able(payer, "by")
    tale, karma = pay(tale, payer, perks, complication)
    return tale, replace(roll, karma=karma)


# book: perspective.instead, stacking.several, c12.paid, c12.instead
def pay(
    tale: Tale, by: str, perks: Sequence[str], complication: str | None = None
) -> tuple[Tale, Karma]:
    """The tale after ``by`` paid a karma for its ``perks``, and the payment. The caller has checked
    that ``by`` can act. A character without karma needs a ``complication`` instead (C12). Raises
    :class:`Refused`."""
    character = tale.named(by)
    check_perks(tale, by, perks)
    if character.karma:
        if complication is not None:
            raise Refused("complication", Reason("has-karma", who=by))
        return tale.put(by, character.with_karma(-1)), Karma(by, tuple(perks), 1, None)
    if complication is None:
        raise Refused("complication", Reason("has-no-karma", who=by))
    return tale, Karma(by, tuple(perks), 0, complication)


# book: stacking.several, c11.cure
def check_perks(tale: Tale, who: str, perks: Sequence[str]) -> None:
    """Raise :class:`Refused` unless these are perks of the character, each named once."""
    own = tale.named(who).perks
    if not perks:
        raise Refused("perks", Reason("needs-a-perk"))
    for perk in perks:
        if perk not in own:
            names = [*own] or Reason("none")
            raise Refused("perks", Reason("no-perk-of", text=shown(perk), names=names))
    if len({*perks}) < len(perks):
        raise Refused("perks", Reason("perk-twice"))


# book: perks.uses
class Use(StrEnum):
    """The purpose of using a perk without a roll."""

    IMPACT = "impact"
    AUTOMATIC = "automatic"
    BYPASS = "bypass"
    ATTEMPT = "attempt"
    FLAVOUR = "flavour"

    # book: perks.impact, deeper-look.*, c12.paid, c12.free
    @property
    def is_free(self) -> bool:
        """Whether a use for this purpose costs no karma (C12)."""
        return self in (Use.ATTEMPT, Use.FLAVOUR)


class Cured(Struct, frozen=True):
    """The payment for a cure. ``permanent`` says whether the cure also lowered the maximum of
    karma, because the affliction was permanent."""

    karma: Karma
    permanent: bool


# book: perks.impact, deeper-look.*, c12.*
def use_perk(
    tale: Tale,
    who: str,
    perks: Sequence[str],
    use: Use,
    challenge: str | None = None,
    *,
    complication: str | None = None,
) -> tuple[Tale, Karma]:
    """The tale after ``who`` used perks without a roll, and the payment. A ``challenge`` is named
    only to bypass it. Raises :class:`Refused`."""
    tale.able(who)
    if challenge is None and use is Use.BYPASS:
        raise Refused("challenge", Reason("is-missing"))
    if challenge is not None:
        if use is not Use.BYPASS:
            raise Refused("challenge", Reason("only-bypass", use=use))
        if who in tale.standing(challenge).bypassed:
            raise Refused("challenge", Reason("bypassed-already", who=who, text=shown(challenge)))
    if use.is_free:
        check_perks(tale, who, perks)
        if complication is not None:
            raise Refused("complication", Reason("use-is-free", use=use))
        return tale, Karma(who, tuple(perks), 0, None)
    tale, karma = pay(tale, who, perks, complication)
    return (tale if challenge is None else bypass(tale, who, challenge)), karma


# book: deeper-look.bypass
def bypass(tale: Tale, who: str, challenge: str) -> Tale:
    """The tale in which ``who`` got past a challenge. The character may still roll against it
    later."""
    met = tale.challenges[challenge]
    return tale.with_challenge(challenge, replace(met, bypassed=(*met.bypassed, who)))


# book: offers.*, c15.reason
def take_complication(
    tale: Tale,
    who: str,
    quirk: str | None = None,
    affliction: str | None = None,
    *,
    accepted: bool = True,
) -> tuple[Tale, Gain | None]:
    """The tale after a character answered the GM's offer of a complication for a karma, and the
    gain: None if it refused. The complication comes from a quirk, an affliction or, with neither,
    the story. Raises :class:`Refused`."""
    tale.able(who)
    if quirk is not None:
        check_quirk(tale, who, quirk)
    if affliction is not None:
        check_affliction(tale, who, affliction)
    return come_back(tale, who, Token.KARMA) if accepted else (tale, None)


# book: recovery.cure, recovery.permanent, assisting.cure, c11.cure, c11.permanent, c15.cure
# book: c6.three
def cure(
    tale: Tale,
    who: str,
    affliction: str,
    perks: Sequence[str],
    by: str | None = None,
    *,
    complication: str | None = None,
    though_out: bool = False,
) -> tuple[Tale, Cured]:
    """The tale after perks of ``by``, or of ``who`` if that is None, ended an affliction of
    ``who``, and the payment.

    A permanent affliction costs a karma for good; a complication cannot replace that karma (C11).
    ``though_out``: the GM lets a character that is out of the scene cure itself (C15). Raises
    :class:`Refused`.
    """
    character = tale.living(who)
    part, payer = ("who", who) if by is None else ("by", by)
    if not (though_out and payer == who and character.absent is Absent.OUT):
        tale.able(payer, part)
    check_affliction(tale, who, affliction)
    permanent = character.has_permanent(affliction)
    if permanent:
        check_perks(tale, payer, perks)
        if not tale.characters[payer].karma:
            raise Refused(part, Reason("permanent-needs-karma", who=payer))
        if complication is not None:
            raise Refused("complication", Reason("permanent-costs-karma"))
    tale, karma = pay(tale, payer, perks, complication)
    if permanent:
        paid = tale.characters[payer]
        tale = tale.put(payer, replace(paid, karma_max=paid.karma_max - 1))
    cured = tale.characters[who].without_affliction(affliction)
    return tale.put(who, cured), Cured(karma, permanent)


# book: recovery.time, c11.time
def recover(tale: Tale, who: str, affliction: str) -> Tale:
    """The tale after time healed an affliction that is not permanent (C11). Raises
    :class:`Refused`."""
    character = tale.living(who)
    check_affliction(tale, who, affliction)
    if character.has_permanent(affliction):
        raise Refused("affliction", Reason("permanent-stays", text=shown(affliction)))
    return tale.put(who, character.without_affliction(affliction))


# book: recovery.convert, c11.convert
def convert(tale: Tale, who: str, affliction: str) -> Tale:
    """The tale after a permanent affliction became a quirk, as an advance (C11). Raises
    :class:`Refused`."""
    character = tale.living(who)
    check_affliction(tale, who, affliction)
    if not character.has_permanent(affliction):
        raise Refused("affliction", Reason("only-permanent-converts", text=shown(affliction)))
    quirks = (*character.quirks, affliction)
    return tale.put(who, replace(character.without_affliction(affliction), quirks=quirks))
