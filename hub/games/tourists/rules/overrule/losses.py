"""Overrules of a party's Losses.

Each function takes the Conflict and the overrule, and raises :class:`IllegalChoice` with one
sentence.
"""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.conflict import Conflict, Lasting, Losses
from hub.games.tourists.rules.ending import LASTING_FROM, PERMANENT
from hub.games.tourists.rules.overrule import word as w
from hub.games.tourists.rules.overrule.cards import accounted, in_this_deck, party_in, taken_away
from hub.kernel.faults import shown


def lasting(conflict: Conflict, holds: w.LastingIs) -> Conflict:
    """Add a Lasting Loss. Its cards are removed from their old places."""
    name, cards = party_in(conflict, holds.name), holds.cards
    if len(cards) != LASTING_FROM or len({*cards}) != LASTING_FROM:
        raise IllegalChoice(Reason("three-cards", count=LASTING_FROM))
    for number in cards:
        conflict = taken_away(conflict, in_this_deck(conflict, number))
    bears = holds.who or next(iter(conflict.characters_in(name)))
    losses = conflict.losses[name]
    one = Lasting(cards, _of_party(conflict, name, bears), 0, holds.text)
    return accounted(_with(conflict, name, replace(losses, lasting=(*losses.lasting, one))))


def loss(conflict: Conflict, holds: w.LossLies) -> Conflict:
    """Change the text of a Lasting Loss, the character that bears it, or which of its cards are
    used."""
    name = party_in(conflict, holds.name)
    losses = conflict.losses[name]
    if not 1 <= holds.loss <= len(losses.lasting):
        raise IllegalChoice(Reason("no-lasting-loss", who=name, count=len(losses.lasting)))
    old = losses.lasting[holds.loss - 1]
    for number in holds.face_down:
        if number not in old.cards:
            raise IllegalChoice(Reason("marks-not", number=number, who=name))
    said = replace(
        old,
        who=_of_party(conflict, name, holds.who),
        text=holds.text,
        face_down=frozenset(holds.face_down),
    )
    found = [*losses.lasting]
    found[holds.loss - 1] = said
    return _with(conflict, name, replace(losses, lasting=tuple(found)))


def no_loss(conflict: Conflict, holds: w.NoLoss) -> Conflict:
    """Remove a Loss. The gravity of later ones is counted again without it."""
    name = party_in(conflict, holds.name)
    losses = conflict.losses[name]
    if holds.number in losses.temporary:
        return taken_away(conflict, holds.number)
    gone = next((each for each in losses.lasting if holds.number in each.cards), None)
    if gone is None:
        raise IllegalChoice(Reason("marks-not", number=holds.number, who=name))
    rest = tuple(each for each in losses.lasting if each is not gone)
    conflict = _with(conflict, name, replace(losses, lasting=rest))
    for number in gone.cards:
        conflict = taken_away(conflict, number)
    return conflict


def _of_party(conflict: Conflict, name: str, who: str) -> str:
    able = [*conflict.parties[name].sheets]
    if who not in able:
        raise IllegalChoice(Reason("not-one-of", text=shown(who), names=able))
    return who


def _with(conflict: Conflict, name: str, losses: Losses) -> Conflict:
    """Replace a party's Losses. The gravity of each is its position, up to the maximum."""
    counted = tuple(
        replace(each, gravity=min(number, PERMANENT))
        for number, each in enumerate(losses.lasting, 1)
    )
    return replace(conflict, losses=conflict.losses | {name: replace(losses, lasting=counted)})
