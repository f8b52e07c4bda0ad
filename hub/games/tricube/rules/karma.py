"""Payment for perks: a karma, or a complication if the character has none (``RULES.md`` C5, C6,
C12)."""

from collections.abc import Sequence

from msgspec.structs import replace

from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.roll import Karma, Roll
from hub.games.tricube.rules.tale import Tale
from hub.kernel.faults import shown

# book: perks.reduce, perks.one, perspective.instead, assisting.roll, assisting.one, c5.each
# book: c5.moment, c5.friend, c12.instead
NO_PERKS = frozenset({"none"})
"""Words for ``karma …`` that mean no payment. No perk may have such a name, in upper or lower
case."""


def is_perk(text: str) -> bool:
    """Whether a perk's name is distinct from everything else that ``karma …`` can say."""
    return text.casefold() not in NO_PERKS and not text.startswith("{")


def pay_for_roll(
    tale: Tale,
    roll: Roll,
    perks: Sequence[str],
    by: str | None = None,
    complication: str | None = None,
) -> tuple[Tale, Roll]:
    """Make a fallen roll easier by one, paid by the roller or by ``by``, a friend (C5). Raises
    :class:`Refused`."""
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
    """Pay a karma of ``by`` for its ``perks``. The caller has checked that ``by`` can act. A
    character without karma needs a ``complication`` instead (C12). Raises :class:`Refused`."""
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
