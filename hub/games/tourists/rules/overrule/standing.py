"""Overrules of the Control, the Tokens, the remaining parties, and a round's outcome.

Each function takes the Conflict and the overrule, and raises :class:`IllegalChoice` with one
sentence.
"""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.bidding import leave, open_round
from hub.games.tourists.rules.conflict import FEWEST, Conflict, Control, Left, Round, RoundOutcome
from hub.games.tourists.rules.ending import after_concessions
from hub.games.tourists.rules.overrule import word as w
from hub.games.tourists.rules.overrule.cards import accounted, lying, party_in
from hub.games.tourists.rules.places import places, still_lies
from hub.kernel.faults import shown

OF_A_BREAKER = (RoundOutcome.NONE, RoundOutcome.TAKEN, RoundOutcome.EXCUSE)
UNBALANCED = (RoundOutcome.HELD, RoundOutcome.BROKEN, RoundOutcome.EXCUSE)


def control(conflict: Conflict, holds: w.ControlIs) -> Conflict:
    """Set the Control. A round without any cards yet starts over. In a round under way only the
    Dominant's ranks can change, because the kind of a round is fixed."""
    if (holds.party is None) != (holds.ranks == 0):
        raise IllegalChoice(Reason("control-or-balanced"))
    found = None
    if holds.party is not None:
        found = Control(party_in(conflict, holds.party), holds.ranks)
    said = replace(conflict, control=found)
    now = still_lies(conflict)
    if now is None or now.outcome is not None:
        return said
    if not (any(now.laid.values()) or now.passed or now.seen):
        return open_round(said)
    if now.dominant is None or found is None or found.party != now.dominant:
        raise IllegalChoice(Reason("control-after-round"))
    return said


def tokens(conflict: Conflict, holds: w.TokensAre) -> Conflict:
    """Set how many Tokens are left; spent ones stay spent."""
    now = _bidding(conflict)
    if now.dominant is None:
        raise IllegalChoice(Reason("no-tokens-in-breaker"))
    return replace(conflict, round=replace(now, tokens=now.spent + holds.left))


def outcome(conflict: Conflict, holds: w.RoundEnds) -> Conflict:
    """Set the round's outcome, replacing the judgement of the cards."""
    now = lying(conflict)
    able = OF_A_BREAKER if now.dominant is None else UNBALANCED
    if holds.outcome not in able:
        raise IllegalChoice(Reason("not-one-of", text=str(holds.outcome), names=[*map(str, able)]))
    if now.outcome is RoundOutcome.DOMINANT_OUT:
        raise IllegalChoice(Reason("dominant-is-out"))
    if (now.outcome, {*now.by}) == (holds.outcome, {*holds.by}):
        raise IllegalChoice(Reason("is-so-already"))
    parties = conflict.parties_in()
    by = tuple(name for name in parties if name in holds.by)
    if len(by) < len({*holds.by}) or now.dominant in by:
        raise IllegalChoice(Reason("by-contenders"))
    fewest = most = 0
    if holds.outcome is RoundOutcome.TAKEN:
        fewest = most = 1
    elif holds.outcome is RoundOutcome.BROKEN:
        fewest, most = 1, len(parties)
    if not fewest <= len(by) <= most:
        raise IllegalChoice(Reason("by-so-many", what=str(holds.outcome), least=fewest, most=most))
    ended = replace(now, outcome=holds.outcome, by=by, answerable=None)
    return replace(conflict, round=ended, control=_control(conflict, now, holds.outcome, by))


def _control(
    conflict: Conflict, now: Round, outcome: RoundOutcome, by: tuple[str, ...]
) -> Control | None:
    """The Control after the new outcome. The effect of an earlier judgement is undone first."""
    if now.dominant is None:
        return Control(by[0], 1) if outcome is RoundOutcome.TAKEN else None
    now_has = conflict.control
    ranks = now_has.ranks if now_has and now_has.party == now.dominant else 0
    if now.outcome is not None:
        ranks += -1 if now.outcome is RoundOutcome.HELD else 1
    ranks += 1 if outcome is RoundOutcome.HELD else -1
    return Control(now.dominant, ranks) if ranks > 0 else None


def out(conflict: Conflict, holds: w.OutOrIn) -> Conflict:
    """Remove a party or a character, or bring it back."""
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


def _leaves(conflict: Conflict, party: str, all_: tuple[str, ...], holds: w.OutOrIn) -> Conflict:
    how = Left.WIPED_OUT if holds.wiped_out else Left.CONCEDED
    if how is Left.CONCEDED:
        conflict = replace(conflict, conceded=conflict.conceded.union(all_))
        if conflict.characters_in(party):
            return conflict
    if conflict.parties_in() == (party,):
        raise IllegalChoice(Reason("last-party-stays", who=party))
    now = still_lies(conflict)
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
    """Remove a party. If it is the Dominant, its Control is lost."""
    lost = conflict.control is not None and conflict.control.party == party
    control = None if lost else conflict.control
    return replace(conflict, out=conflict.out | {party: how}, control=control)


def _without(now: Round, party: str) -> Round:
    """Remove a party from a round that is over, before its Losses are counted. If it was the
    Dominant or took the Control alone, the round has no winner."""
    by = tuple(name for name in now.by if name != party)
    if party == now.dominant:
        return replace(now, outcome=RoundOutcome.DOMINANT_OUT, by=())
    if now.outcome is RoundOutcome.TAKEN and not by:
        return replace(now, outcome=RoundOutcome.NONE, by=())
    return replace(now, by=by)


def _back(conflict: Conflict, party: str, all_: tuple[str, ...]) -> Conflict:
    """Bring a party or a character back, even during a round. A character that conceded before its
    party was wiped out stays out."""
    conceded = conflict.conceded
    if len(all_) == 1 or conflict.out.get(party) is not Left.WIPED_OUT:
        conceded = conceded.difference(all_)
    if party not in conflict.out:
        return replace(conflict, conceded=conceded)
    elsewhere = places(conflict)
    for number in conflict.losses[party].marks():
        if number in elsewhere and not _left_this_round(conflict, number):
            raise IllegalChoice(Reason("loss-card-elsewhere", number=number, who=party))
    out = {name: how for name, how in conflict.out.items() if name != party}
    found = replace(conflict, out=out, conceded=conceded)
    now = still_lies(conflict)
    if now is None:
        return accounted(after_concessions(found))
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
    return accounted(replace(found, round=back))


def _left_this_round(conflict: Conflict, number: int) -> bool:
    """Whether a card is set aside only because its party left in this round."""
    now = still_lies(conflict)
    return now is not None and number in now.held and number not in conflict.not_in_deck()


def _speaks_again(conflict: Conflict, now: Round, party: str) -> Round:
    """Insert the party at its place around the table, before the Dominant. The next speaker stays
    the same."""
    *contenders, dominant = now.speakers
    around = [*conflict.parties]
    at = sum(around.index(name) < around.index(party) for name in contenders)
    speakers = (*contenders[:at], party, *contenders[at:], dominant)
    turn = now.turn + (at <= now.turn)
    return replace(now, speakers=speakers, turn=turn, passed=now.passed - {party})


def against(conflict: Conflict, holds: w.AgainstIs) -> Conflict:
    """Set how many Reserve Cards others have laid on this character's cards."""
    if holds.name not in conflict.party_of:
        raise IllegalChoice(Reason("not-in", who=shown(holds.name)))
    others = {who: times for who, times in conflict.against.items() if who != holds.name}
    said = {holds.name: holds.times} if holds.times else {}
    return replace(conflict, against=others | said)


def _bidding(conflict: Conflict) -> Round:
    """The round, if it has no outcome yet."""
    now = still_lies(conflict)
    if now is None or now.outcome is not None:
        raise IllegalChoice(Reason("only-while-bidding"))
    return now
