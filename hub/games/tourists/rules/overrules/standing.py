"""Overrules of who is in, and of the Reserve Cards laid on a character's cards."""

from collections.abc import Iterator
from typing import ClassVar

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, HoldsOf, of_each
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.bidding import leave
from hub.games.tourists.rules.conflict import FEWEST, Conflict, Control, Left, Round, RoundOutcome
from hub.games.tourists.rules.ending import after_concessions
from hub.games.tourists.rules.overrules import cards as c
from hub.kernel.faults import shown
from hub.kernel.forms import Field, flag, number


class OutOrIn(HoldsOf, frozen=True, kw_only=True, tag="out"):
    """A party or a character is ``out``, or in again. A party leaves Wiped Out if ``wiped_out``,
    otherwise by conceding."""

    otherwise: ClassVar[str] = "in"
    out: bool
    wiped_out: bool = False


class AgainstIs(HoldsOf, frozen=True, kw_only=True, tag="against"):
    """How many Reserve Cards others have laid on a character's cards in this Conflict. A character
    that concedes draws one more than that (T11)."""

    times: c.Count


def _out(conflict: Conflict, holds: OutOrIn) -> Conflict:
    if holds.name in conflict.parties:
        party, all_ = holds.name, (*conflict.parties[holds.name].sheets,)
        is_in = party not in conflict.out
    elif holds.name in conflict.party_of:
        party, all_ = conflict.party_of[holds.name], (holds.name,)
        is_in = conflict.is_in(holds.name)
        if holds.wiped_out:
            raise IllegalChoice(Reason("parties-are-wiped-out"))
    else:
        raise IllegalChoice(Reason("not-in", who=shown(holds.name)))
    if holds.out:
        if not is_in:
            raise IllegalChoice(Reason("has-left-already", who=holds.name))
        return _leaves(conflict, party, all_, holds)
    if is_in:
        raise IllegalChoice(Reason("in-already", who=holds.name))
    return _back(conflict, party, all_)


def _leaves(conflict: Conflict, party: str, all_: tuple[str, ...], holds: OutOrIn) -> Conflict:
    how = Left.WIPED_OUT if holds.wiped_out else Left.CONCEDED
    if how is Left.CONCEDED:
        conflict = replace(conflict, conceded=conflict.conceded.union(all_))
        if conflict.characters_in(party):
            return conflict
    if conflict.parties_in() == (party,):
        raise IllegalChoice(Reason("last-party-stays", who=party))
    now = c.still_lies(conflict)
    if now is None:
        return after_concessions(_gone(conflict, party, how))
    if how is Left.WIPED_OUT:
        now = replace(now, wiped_out=(*now.wiped_out, party))
    if now.outcome is not None:
        return replace(_gone(conflict, party, how), round=_without(now, party))
    if now.answerable == party:
        now = replace(now, answerable=None)
    if now.dominant is None:
        laid = {name: cards for name, cards in now.laid.items() if name != party}
        # Only one party is left to draw.
        ended = RoundOutcome.NONE if len(laid) < FEWEST else None
        return replace(_gone(conflict, party, how), round=replace(now, laid=laid, outcome=ended))
    found = leave(replace(conflict, round=now), party, how)
    if found.playing().outcome is not None:
        found = replace(found, round=replace(found.playing(), answerable=None))
    return found


def _gone(conflict: Conflict, party: str, how: Left) -> Conflict:
    """The Conflict after a party left. If it was the Dominant, its Control is lost."""
    lost = conflict.control is not None and conflict.control.party == party
    control = None if lost else conflict.control
    return replace(conflict, out=conflict.out | {party: how}, control=control)


def _without(now: Round, party: str) -> Round:
    """The round without a party, when the round is over but its Losses are not yet counted. If the
    party was the Dominant or took the Control alone, the round has no winner."""
    by = tuple(name for name in now.by if name != party)
    if party == now.dominant:
        return replace(now, outcome=RoundOutcome.DOMINANT_OUT, by=())
    if now.outcome is RoundOutcome.TAKEN and not by:
        return replace(now, outcome=RoundOutcome.NONE, by=())
    return replace(now, by=by)


def _back(conflict: Conflict, party: str, all_: tuple[str, ...]) -> Conflict:
    """The Conflict with a party or a character back in, even during a round. A character that
    conceded before its party was wiped out stays out."""
    conceded = conflict.conceded
    if len(all_) == 1 or conflict.out.get(party) is not Left.WIPED_OUT:
        conceded = conceded.difference(all_)
    if party not in conflict.out:
        return replace(conflict, conceded=conceded)
    elsewhere = c.places(conflict)
    for card in conflict.losses[party].marks():
        if card in elsewhere and not _left_this_round(conflict, card):
            raise IllegalChoice(Reason("loss-card-elsewhere", number=card, who=party))
    out = {name: how for name, how in conflict.out.items() if name != party}
    found = replace(conflict, out=out, conceded=conceded)
    now = c.still_lies(conflict)
    if now is None:
        return c.accounted(after_concessions(found))
    laid = now.laid if party in now.laid else now.laid | {party: ()}
    back = replace(
        now,
        laid={name: laid[name] for name in conflict.parties if name in laid},
        wiped_out=tuple(name for name in now.wiped_out if name != party),
    )
    if now.dominant == party and now.outcome is RoundOutcome.DOMINANT_OUT:
        found = replace(found, control=Control(party, max(now.tokens, 1)))
        back = replace(back, outcome=None)
    elif now.dominant is not None and party not in now.speakers:
        back = _speaks_again(found, back, party)
    return c.accounted(replace(found, round=back))


def _left_this_round(conflict: Conflict, number: int) -> bool:
    """Whether a card is set aside only because its party left in this round."""
    now = c.still_lies(conflict)
    return now is not None and number in now.held and number not in conflict.not_in_deck()


def _speaks_again(conflict: Conflict, now: Round, party: str) -> Round:
    """The round with the party speaking again, at its place around the table and before the
    Dominant. The next speaker stays the same."""
    *contenders, dominant = now.speakers
    around = [*conflict.parties]
    at = sum(around.index(name) < around.index(party) for name in contenders)
    speakers = (*contenders[:at], party, *contenders[at:], dominant)
    turn = now.turn + (at <= now.turn)
    return replace(now, speakers=speakers, turn=turn, passed=now.passed - {party})


def _against(conflict: Conflict, holds: AgainstIs) -> Conflict:
    if holds.name not in conflict.party_of:
        raise IllegalChoice(Reason("not-in", who=shown(holds.name)))
    others = {who: times for who, times in conflict.against.items() if who != holds.name}
    said = {holds.name: holds.times} if holds.times else {}
    return replace(conflict, against=others | said)


def _out_form(conflict: Conflict, name: str) -> tuple[Field, ...]:
    if name not in conflict.parties:
        return (flag("out", first=conflict.is_in(name)),)
    if name in conflict.out:
        return (flag("out", first=False),)
    return (flag("out", first=True), flag("wiped_out", first=False))


def _parties_and_characters(conflict: Conflict) -> Iterator[str]:
    """The name of each party and each character; a party that is its own character comes once."""
    for name, party in conflict.parties.items():
        yield name
        yield from (who for who in party.sheets if who not in conflict.parties)


def _times_form(conflict: Conflict, who: str) -> tuple[Field, ...]:
    return (number("times", first=conflict.against.get(who, 0), most=c.MOST_COUNT),)


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(OutOrIn, _out, of_each(_parties_and_characters, _out_form)),
    Clause(AgainstIs, _against, of_each(lambda conflict: conflict.party_of, _times_form)),
)
