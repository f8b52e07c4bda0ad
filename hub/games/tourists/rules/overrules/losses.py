"""Overrules of a party's Losses: a new one, changes to a Lasting Loss, and removal."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from hub.games.game import MAX_WORD_CHARS, IllegalChoice
from hub.games.overrules import Clause, HoldsOf, Name, of_some
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.conflict import Conflict, Lasting, Losses
from hub.games.tourists.rules.ending import LASTING_FROM, PERMANENT
from hub.games.tourists.rules.overrules import cards as c
from hub.kernel.faults import shown
from hub.kernel.forms import Field, each_of, one, several, words

Cards = Annotated[tuple[c.Number, ...], Meta(max_length=c.MOST_NAMES)]
Text = Annotated[str, Meta(max_length=MAX_WORD_CHARS)]


class LastingIs(HoldsOf, frozen=True, kw_only=True, tag="lasting"):
    """A party has one more Lasting Loss, marked by these three cards; ``who`` bears it."""

    who: Name = ""
    cards: Cards
    text: Text = ""


class LossLies(HoldsOf, frozen=True, kw_only=True, tag="loss"):
    """A Lasting Loss has this text and these cards face down, and the character ``who`` bears it.
    ``loss`` counts a party's Lasting Losses from 1, the oldest."""

    loss: c.Count
    who: Name
    text: Text = ""
    face_down: Cards = ()


class NoLoss(HoldsOf, frozen=True, kw_only=True, tag="no-loss"):
    """A party's Loss marked by the card ``number`` is removed; its cards go to the deck."""

    number: c.Number


def _lasting(conflict: Conflict, holds: LastingIs) -> Conflict:
    name, cards = c.party_in(conflict, holds.name), holds.cards
    if len(cards) != LASTING_FROM or len({*cards}) != LASTING_FROM:
        raise IllegalChoice(Reason("three-cards", count=LASTING_FROM))
    for number in cards:
        conflict = c.taken_away(conflict, c.in_this_deck(conflict, number))
    bears = holds.who or next(iter(conflict.characters_in(name)))
    losses = conflict.losses[name]
    added = Lasting(cards, _of_party(conflict, name, bears), 0, holds.text)
    return c.accounted(_with(conflict, name, replace(losses, lasting=(*losses.lasting, added))))


def _loss(conflict: Conflict, holds: LossLies) -> Conflict:
    name = c.party_in(conflict, holds.name)
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


def _no_loss(conflict: Conflict, holds: NoLoss) -> Conflict:
    """The Conflict without a Loss. The gravity of later ones is counted again."""
    name = c.party_in(conflict, holds.name)
    losses = conflict.losses[name]
    if holds.number in losses.temporary:
        return c.taken_away(conflict, holds.number)
    gone = next((each for each in losses.lasting if holds.number in each.cards), None)
    if gone is None:
        raise IllegalChoice(Reason("marks-not", number=holds.number, who=name))
    rest = tuple(each for each in losses.lasting if each is not gone)
    conflict = _with(conflict, name, replace(losses, lasting=rest))
    for number in gone.cards:
        conflict = c.taken_away(conflict, number)
    return conflict


def _of_party(conflict: Conflict, name: str, who: str) -> str:
    able = [*conflict.parties[name].sheets]
    if who not in able:
        raise IllegalChoice(Reason("not-one-of", text=shown(who), names=able))
    return who


def _with(conflict: Conflict, name: str, losses: Losses) -> Conflict:
    """The Conflict with a party's Losses replaced. The gravity of each Lasting Loss is its
    position, up to the maximum."""
    counted = tuple(
        replace(each, gravity=min(number, PERMANENT))
        for number, each in enumerate(losses.lasting, 1)
    )
    return replace(conflict, losses=conflict.losses | {name: replace(losses, lasting=counted)})


def _lasting_form(conflict: Conflict) -> tuple[Field, ...]:
    """The form for one more Lasting Loss. It offers all cards but those of Lasting Losses; cards
    before a party come first."""
    marks = {
        number
        for name in conflict.parties_in()
        for each in conflict.losses[name].lasting
        for number in each.cards
    }
    lies = [n for n, spot in c.places(conflict).items() if spot.where is c.Where.BEFORE]
    able = [*sorted(lies), *(n for n in sorted(conflict.deck) if n not in marks and n not in lies)]
    said = words("text", most=MAX_WORD_CHARS)
    return (
        *each_of(conflict.parties_in(), lambda name: (c.who_of(conflict, name),)),
        several("cards", "card", able, able[:LASTING_FROM], most=LASTING_FROM),
        said,
    )


def _loss_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    found = {}
    for count, each in enumerate(conflict.losses[name].lasting, 1):
        down = [card for card in each.cards if card in each.face_down]
        found[count] = (
            c.who_of(conflict, name, each.who),
            words("text", most=MAX_WORD_CHARS, first=each.text),
            several("face_down", "face-down", each.cards, down),
        )
    return (one("loss", "loss", found),) if found else ()


def _no_loss_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    losses = conflict.losses[name]
    marks = [*losses.temporary, *(each.cards[0] for each in losses.lasting)]
    return (one("number", "card", marks),) if marks else ()


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(LastingIs, _lasting, _lasting_form),
    Clause(LossLies, _loss, of_some(Conflict.parties_in, _loss_form)),
    Clause(NoLoss, _no_loss, of_some(Conflict.parties_in, _no_loss_form)),
)
