"""The bidding of a round: draws, passes, and a card's effect (T5 to T8)."""

from collections.abc import Iterator
from itertools import islice

from msgspec.structs import replace

from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules.conflict import Conflict, Control, Laid, Left, Round, RoundOutcome
from hub.games.tourists.rules.deck import Card
from hub.kernel.faults import shown

# book: bidding.fifth, conceding.example-out
WIPED_OUT_BY = 5
"""Number of reversed cards in one round that wipe out a party."""


# book: overview.rounds, breaker.balanced, breaker.next, bidding.unbalanced, bidding.tokens
# book: bidding.order, establishing-control.tokens, at-hand.tokens, using-control.lost
# book: using-control.breaker, t7.order
def open_round(conflict: Conflict, order: tuple[str, ...] | None = None) -> Conflict:
    """The Conflict at the beginning of its next round. ``order`` is the order in which the
    Contenders speak; None means around the table. Raises :class:`Refused`."""
    if conflict.over:
        raise Refused("", Reason("conflict-is-over"))
    parties = conflict.parties_in()
    control = conflict.control
    dominant = control.party if control else None
    contenders = tuple(name for name in parties if name != dominant)
    if order is not None and (control is None or sorted(order) != sorted(contenders)):
        raise Refused("order", Reason("order-of-contenders", names=contenders))
    return replace(
        conflict,
        round=Round(
            dominant=dominant,
            speakers=(*(order or contenders), dominant) if dominant else (),
            held=conflict.not_in_deck(),
            laid=dict.fromkeys(parties, ()),
            tokens=control.ranks if control else 0,
        ),
    )


# book: breaker.draw, breaker.minor
def draw(conflict: Conflict, party: str, card: Card, who: str | None = None) -> Conflict:
    """The Conflict after ``party`` drew ``card`` in a Balance Breaker. ``who`` is the character
    that drew; None means the party's only one. Raises :class:`Refused`."""
    now = conflict.playing()
    if now.dominant is not None or now.outcome or party not in now.laid or now.laid[party]:
        raise Refused("party", Reason("draws-not-now", who=party))
    return _lay(conflict, now, party, card, who)


# book: bidding.bid, overview.risks, t7.pass
def bid(conflict: Conflict, party: str, card: Card, who: str | None = None) -> Conflict:
    """The Conflict after ``party`` bid ``card``, which now awaits its answers and then
    :func:`settle`. ``who`` is the character that drew; None means the party's only one. Raises
    :class:`Refused`."""
    now = _speaking(conflict, party)
    found = _lay(conflict, now, party, card, who)
    laid = found.playing()
    turn = (now.turn + 1) % len(now.speakers)
    return replace(
        found, round=replace(laid, turn=turn, answerable=party, passed=now.passed - {party})
    )


# book: bidding.pass
def say_pass(conflict: Conflict, party: str) -> Conflict:
    """The Conflict after ``party`` passed. The round is judged if this ends the bidding. Raises
    :class:`Refused`."""
    now = _speaking(conflict, party)
    turn = (now.turn + 1) % len(now.speakers)
    said = replace(now, turn=turn, passed=now.passed | {party})
    return _judged_if_over(replace(conflict, round=said))


def lies_excuse(conflict: Conflict) -> bool:
    """Whether the card being answered in an Unbalanced Round is an Excuse."""
    now = conflict.playing()
    return now.answerable is not None and conflict.deck.is_excuse(now.laid[now.answerable][-1].card)


# book: bidding.excuse, bidding.excuse-story, bidding.fifth, bidding.fifth-on
# book: shared-losses.wipe-out, t5.story, t5.fifth, t6.settled, t7.end, t7.dominant-out
def settle(conflict: Conflict, story: Card | None = None) -> Conflict:
    """The Conflict after the last bid took effect, once its answers are over. ``story`` is the card
    drawn to replace an Excuse. Raises :class:`Refused`."""
    now = conflict.playing()
    party = now.answerable
    if party is None:
        raise Refused("", Reason("nothing-to-answer"))
    if lies_excuse(conflict):
        if story is None:
            raise Refused("story", Reason("is-missing"))
        in_deck(conflict, story, "story")
        *before, last = now.laid[party]
        laid = now.laid | {party: (*before, Laid(story, last.who))}
        seen = now.seen | {story.number}
        told = replace(now, laid=laid, seen=seen, answerable=None, outcome=RoundOutcome.EXCUSE)
        return replace(conflict, round=told, control=_changed(conflict.control, -1))
    if story is not None:
        raise Refused("story", Reason("story-without-excuse"))
    return wiped_out(replace(conflict, round=replace(now, answerable=None)), party)


def wiped_out(conflict: Conflict, party: str) -> Conflict:
    """The Conflict without ``party`` if that party has five reversed cards, not counting one still
    being answered. Otherwise it is unchanged."""
    now = conflict.playing()
    answered = now.answerable == party
    lies = now.cards(party)[:-1] if answered else now.cards(party)
    if sum(card.reversed for card in lies) < WIPED_OUT_BY:
        return conflict
    now = replace(
        now, wiped_out=(*now.wiped_out, party), answerable=None if answered else now.answerable
    )
    after = leave(replace(conflict, round=now), party, Left.WIPED_OUT)
    if after.playing().outcome is None:
        return after
    return replace(after, round=replace(after.playing(), answerable=None))


def leave(conflict: Conflict, party: str, how: Left) -> Conflict:
    """The Conflict after ``party`` left during the bidding. If it was the Dominant, the round ends
    without being judged. If only one party is left, or all others have passed, the round is judged
    (T7)."""
    now = conflict.playing()
    out = conflict.out | {party: how}
    if party == now.dominant:
        over = replace(now, outcome=RoundOutcome.DOMINANT_OUT)
        return replace(conflict, round=over, out=out, control=None)
    at = now.speakers.index(party)  # the next speaker stays the next
    speakers = tuple(name for name in now.speakers if name != party)
    turn = (now.turn - (at < now.turn)) % len(speakers)
    now = replace(now, speakers=speakers, turn=turn)
    return _judged_if_over(replace(conflict, round=now, out=out))


# book: breaker.excuse, breaker.taken, breaker.none, breaker.example, t3.all, t5.breaker
def judge_draws(conflict: Conflict) -> Conflict:
    """The Conflict with its Balance Breaker judged, once all cards are drawn and answered. Raises
    :class:`Refused`."""
    now = conflict.playing()
    if now.dominant is not None or now.outcome or not all(now.laid.values()):
        raise Refused("", Reason("not-all-drawn"))
    cards = {name: now.cards(name)[0] for name in now.laid}
    if any(map(conflict.deck.is_excuse, cards.values())):
        return replace(conflict, round=replace(now, outcome=RoundOutcome.EXCUSE))
    for name, card in cards.items():
        others = (each for other, each in cards.items() if other != name)
        if all(conflict.deck.beats(card, each) for each in others):
            taken = replace(now, outcome=RoundOutcome.TAKEN, by=(name,))
            return replace(conflict, round=taken, control=Control(name, 1))
    return replace(conflict, round=replace(now, outcome=RoundOutcome.NONE))


def in_the_deck(conflict: Conflict) -> Iterator[int]:
    """The cards that can be drawn now, in ascending order (T4)."""
    return iter(sorted(_left(conflict)))


def has_cards(conflict: Conflict, count: int = 1) -> bool:
    """Whether at least ``count`` cards can be drawn now (T4)."""
    return len([*islice(_left(conflict), count)]) == count


def _left(conflict: Conflict) -> Iterator[int]:
    now = conflict.playing()
    gone = now.held | now.seen
    return (number for number in conflict.deck if number not in gone)


# book: t4.gone
def in_deck(conflict: Conflict, card: Card, part: str) -> None:
    """Raise :class:`Refused`, with this ``part``, if the card cannot be drawn now (T4)."""
    now = conflict.playing()
    number = card.number
    if number not in conflict.deck or number in now.held or number in now.seen:
        raise Refused(part, Reason("card-not-in-deck", number=number))


def _speaking(conflict: Conflict, party: str) -> Round:
    now = conflict.playing()
    if now.outcome or not now.speakers:
        raise Refused("", Reason("bidding-over"))
    if now.answerable is not None:
        raise Refused("", Reason("being-answered"))
    if (speaks := now.speakers[now.turn]) != party:
        raise Refused("party", Reason("not-its-turn", who=shown(party), next=speaks))
    return now


# book: who-draws.one
def _lay(conflict: Conflict, now: Round, party: str, card: Card, who: str | None) -> Conflict:
    in_deck(conflict, card, "draw")
    able = conflict.characters_in(party)
    if who is None:
        if len(able) > 1:
            raise Refused("who", Reason("is-missing"))
        who = able[0]
    elif who not in able:
        raise Refused("who", Reason("not-one-of", text=shown(who), names=able))
    laid = now.laid | {party: (*now.laid[party], Laid(card, who))}
    return replace(conflict, round=replace(now, laid=laid, seen=now.seen | {card.number}))


# book: bidding.over, bidding.no-stalemate, t7.end
def _judged_if_over(conflict: Conflict) -> Conflict:
    """The Conflict, with its round judged if one party is left or the last word of each was a pass
    (T7)."""
    now = conflict.playing()
    if len(now.speakers) > 1 and not now.passed.issuperset(now.speakers):
        return conflict
    return judged(conflict)


# book: bidding.broken, bidding.held, bidding.example-two, bidding.example-four, t3.all, t8.no-card
# book: t8.nobody
def judged(conflict: Conflict) -> Conflict:
    """The Conflict with its round judged as if the bidding ended now (T8)."""
    now = conflict.playing()
    dominant = now.dominant or ""
    beaten = now.cards(dominant)
    by = tuple(
        name
        for name in now.laid
        if name != dominant and conflict.deck.beats_all(now.cards(name), beaten)
    )
    outcome = RoundOutcome.BROKEN if by else RoundOutcome.HELD
    control = _changed(conflict.control, -1 if by else 1)
    return replace(conflict, round=replace(now, outcome=outcome, by=by), control=control)


def _changed(control: Control | None, ranks: int) -> Control | None:
    if control is None or control.ranks + ranks < 1:
        return None
    return Control(control.party, control.ranks + ranks)
