"""Overrules of the Control, the Tokens and a round's outcome."""

from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import Clause, Holds, Name
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.bidding import open_round
from hub.games.tourists.rules.conflict import Conflict, Control, Round, RoundOutcome
from hub.games.tourists.rules.overrules import cards as c
from hub.kernel.forms import Field, number, one, several

_OF_A_BREAKER = (RoundOutcome.NONE, RoundOutcome.TAKEN, RoundOutcome.EXCUSE)
_UNBALANCED = (RoundOutcome.HELD, RoundOutcome.BROKEN, RoundOutcome.EXCUSE)


class ControlIs(Holds, frozen=True, kw_only=True, tag="control"):
    """``party`` has the Control, with these ``ranks``. None and 0 mean that the Conflict is
    Balanced."""

    party: Name | None = None
    ranks: c.Count = 0


class TokensAre(Holds, frozen=True, kw_only=True, tag="tokens"):
    """How many Control Tokens the Dominant has left in this round."""

    left: c.Count


class RoundEnds(Holds, frozen=True, kw_only=True, tag="outcome"):
    """The round has ended with this outcome. ``by`` are the parties that take or break the Control.
    The Control is adjusted; the cards are not judged."""

    outcome: RoundOutcome
    by: Annotated[tuple[Name, ...], Meta(max_length=c.MOST_NAMES)] = ()


def _control(conflict: Conflict, holds: ControlIs) -> Conflict:
    """The Conflict with the Control set. A round in which nobody has drawn or passed starts over.
    In a round under way only the Dominant's ranks can change, because the kind of a round is fixed.
    """
    if (holds.party is None) != (holds.ranks == 0):
        raise IllegalChoice(Reason("control-or-balanced"))
    found = None
    if holds.party is not None:
        found = Control(c.party_in(conflict, holds.party), holds.ranks)
    said = replace(conflict, control=found)
    now = c.still_lies(conflict)
    if now is None or now.outcome is not None:
        return said
    if not (any(now.laid.values()) or now.passed or now.seen):
        return open_round(said)
    if now.dominant is None or found is None or found.party != now.dominant:
        raise IllegalChoice(Reason("control-after-round"))
    return said


def _tokens(conflict: Conflict, holds: TokensAre) -> Conflict:
    now = _bidding(conflict)
    if now.dominant is None:
        raise IllegalChoice(Reason("no-tokens-in-breaker"))
    return replace(conflict, round=replace(now, tokens=now.spent + holds.left))


def _bidding(conflict: Conflict) -> Round:
    """The round, if it has no outcome yet. Raises :class:`IllegalChoice` otherwise."""
    now = c.still_lies(conflict)
    if now is None or now.outcome is not None:
        raise IllegalChoice(Reason("only-while-bidding"))
    return now


def _outcome(conflict: Conflict, holds: RoundEnds) -> Conflict:
    now = c.lying(conflict)
    able = _OF_A_BREAKER if now.dominant is None else _UNBALANCED
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
    return replace(conflict, round=ended, control=_control_after(conflict, now, holds.outcome, by))


def _control_after(
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


def _control_form(conflict: Conflict) -> tuple[Field, ...]:
    ranks = conflict.control.ranks if conflict.control else 1
    has = (number("ranks", first=ranks, least=1, most=c.MOST_COUNT),)
    parties: dict[str | None, tuple[Field, ...]] = dict.fromkeys(conflict.parties_in(), has)
    first = conflict.control.party if conflict.control else None
    return (one("party", "dominant", {None: (), **parties}, first=first),)


def _tokens_form(conflict: Conflict) -> tuple[Field, ...]:
    now = conflict.playing()
    return (number("left", first=now.tokens - now.spent, most=c.MOST_COUNT),)


def _outcome_form(conflict: Conflict) -> tuple[Field, ...]:
    now = conflict.playing()
    if now.outcome is RoundOutcome.DOMINANT_OUT:
        return ()
    able = _OF_A_BREAKER if now.dominant is None else _UNBALANCED
    others = [name for name in conflict.parties_in() if name != now.dominant]

    def by(outcome: RoundOutcome) -> tuple[Field, ...]:
        if outcome is RoundOutcome.TAKEN:
            return (several("by", "by", others, now.by or others[:1], most=1),)
        if outcome is RoundOutcome.BROKEN:
            return (several("by", "by", others, now.by or others[:1]),)
        return ()

    options = {str(each): by(each) for each in able}
    return (one("outcome", "outcome", options, first=str(now.outcome or able[0])),)


CLAUSES: tuple[Clause[Conflict], ...] = (
    Clause(ControlIs, _control, _control_form),
    Clause(TokensAre, _tokens, _tokens_form),
    Clause(RoundEnds, _outcome, _outcome_form),
)
