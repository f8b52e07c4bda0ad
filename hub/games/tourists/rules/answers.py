"""The three answers to a card: turn it, reject it, cover it (T6)."""

from collections.abc import Iterator

from msgspec.structs import replace

from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules.bidding import has_cards, in_deck
from hub.games.tourists.rules.conflict import Conflict, Laid, Round, reasons_of
from hub.games.tourists.rules.deck import Card
from hub.kernel.faults import shown

Because = str | int
"""What justifies a Reserve Card: the text of an Aspect or Weakness, or a card of a Loss."""


# book: using-control.turn, using-control.anybody, using-control.as-many, using-control.at-once
# book: using-control.no-reserve, using-control.five, t6.turn
def turn(conflict: Conflict, by: str, on: str | None = None) -> Conflict:
    """The Conflict after the Dominant, ``by``, turned the last card of the party ``on`` for a
    Token. Raises :class:`Refused`."""
    now, party, last = _answered(conflict, on)
    if by != now.dominant:
        raise Refused("by", Reason("only-dominant-turns", who=shown(by)))
    if now.spent >= now.tokens:
        raise Refused("", Reason("no-token-left"))
    if last.reserve:
        raise Refused("", Reason("reserve-card-stays"))
    if last.turned:
        raise Refused("", Reason("turned-before"))
    found = replace(last, card=last.card.turned(), turned=True)
    return replace(conflict, round=replace(_relaid(now, party, found), spent=now.spent + 1))


# book: using-losses.reject, using-losses.at-once, using-losses.no-reserve, using-losses.example-two
# book: using-losses.example-four, shared-losses.all, t6.reject, t6.same-hand
def reject(
    conflict: Conflict, by: str, card: Card, loss: int | None = None, on: str | None = None
) -> Conflict:
    """The Conflict after the party ``by`` rejected the last card of the party ``on``. ``loss`` is
    the face-up Loss card of ``on`` that is used up, None for the first; ``card`` is what the
    character whose card was rejected draws instead. Raises :class:`Refused`."""
    now, party, last = _answered(conflict, on)
    if by == party or by not in conflict.parties_in():
        raise Refused("by", Reason("only-others-reject", who=shown(by)))
    if last.reserve:
        raise Refused("", Reason("reserve-card-stays"))
    losses = conflict.losses[party]
    able = [*losses.face_up()]
    if not able:
        raise Refused("", Reason("no-loss-face-up", who=party))
    if loss is not None and loss not in able:
        raise Refused("loss", Reason("loss-not-face-up", number=loss, who=party))
    in_deck(conflict, card, "redraw")
    now = _relaid(now, party, Laid(card, last.who))
    return replace(
        conflict,
        round=replace(now, seen=now.seen | {card.number}),
        losses=conflict.losses | {party: losses.used(able[0] if loss is None else loss)},
    )


# book: using-reserve.cover, using-reserve.example, own-reserve.own, own-reserve.against, t4.kept
# book: t6.cover, t6.again
def cover(
    conflict: Conflict, by: str, card: Card, because: Because, on: str | None = None
) -> Conflict:
    """The Conflict after the character ``by`` covered the last card of the party ``on`` with
    ``card`` from its Reserve, justified by ``because``. Raises :class:`Refused`."""
    now, party, last = _answered(conflict, on)
    if not conflict.is_in(by):
        raise Refused("by", Reason("character-not-in", who=shown(by)))
    if card not in conflict.reserves[by]:
        raise Refused("reserve", Reason("lies-in-no-reserve", who=by))
    own = conflict.party_of[by] == party
    if isinstance(because, int):
        counts = because in conflict.losses[party].marks()
    elif own:
        counts = because in reasons_of(conflict.parties[party].sheets[by])
    else:
        counts = because in conflict.parties[party].reasons
    if not counts:
        raise Refused("because", Reason("no-such-because", who=by if own else party))
    now = _relaid(now, party, Laid(card, last.who, reserve=True))
    left = tuple(each for each in conflict.reserves[by] if each != card)
    found = replace(
        conflict,
        round=replace(now, seen=now.seen | {card.number}),
        reserves=conflict.reserves | {by: left},
    )
    if own:
        return found
    against = conflict.against | {last.who: conflict.against.get(last.who, 0) + 1}
    return replace(found, against=against, kept=conflict.kept | {card.number})


# book: three-ways.both, t6.which
def answerable(conflict: Conflict) -> tuple[str, ...]:
    """The parties whose last card can be answered now (T6)."""
    now = conflict.round
    if now is None or now.outcome is not None:
        return ()
    if now.dominant is None:
        return tuple(now.laid) if all(now.laid.values()) else ()
    return (now.answerable,) if now.answerable is not None else ()


def may_turn(conflict: Conflict, by: str, on: str) -> bool:
    """Whether the party ``by`` could turn the last card of the party ``on``."""
    now = conflict.playing()
    last = now.laid[on][-1]
    return by == now.dominant and now.spent < now.tokens and not last.reserve and not last.turned


def may_reject(conflict: Conflict, by: str, on: str) -> bool:
    """Whether the party ``by`` could reject the last card of the party ``on``, and the deck has a
    card to draw instead."""
    others = by != on and by in conflict.parties_in()
    stands = conflict.playing().laid[on][-1].reserve or not any(conflict.losses[on].face_up())
    return others and not stands and has_cards(conflict)


# book: using-reserve.own, using-reserve.others, own-reserve.own-card, t14.because
def becauses(conflict: Conflict, who: str, on: str) -> Iterator[Because]:
    """The possible justifications for a character's Reserve Card over the last card of a party:
    Aspects and Weaknesses, then cards that mark Losses (T14)."""
    if conflict.party_of[who] == on:
        yield from reasons_of(conflict.parties[on].sheets[who])
    else:
        yield from dict.fromkeys(conflict.parties[on].reasons)
    yield from conflict.losses[on].marks()


def _answered(conflict: Conflict, on: str | None) -> tuple[Round, str, Laid]:
    """The round, the party and the card being answered. In an Unbalanced Round that is the last
    card drawn, whatever ``on`` says. Raises :class:`Refused` if no card is being answered."""
    now = conflict.playing()
    party = on if now.dominant is None else now.answerable
    if now.outcome or party is None or not now.laid.get(party):
        raise Refused("on", Reason("nothing-to-answer"))
    return now, party, now.laid[party][-1]


def _relaid(now: Round, party: str, last: Laid) -> Round:
    return replace(now, laid=now.laid | {party: (*now.laid[party][:-1], last)})
