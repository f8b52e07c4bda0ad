"""When each overrule is possible, and what follows from it: answers are asked for again, and steps
stop waiting for characters that have left."""

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.overrules import GmsWord, Holds
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import bidding, ending
from hub.games.tourists.rules.answers import answerable
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.overrules import cards, losses, rounds, standing
from hub.games.tourists.rules.overrules.cards import CardIs, CardLies, To, Where, places, still_lies
from hub.games.tourists.rules.overrules.losses import LossLies
from hub.games.tourists.rules.overrules.rounds import RoundEnds, TokensAre
from hub.games.tourists.rules.overrules.standing import AgainstIs
from hub.games.tourists.rules.table import Stage, Table, flow, leave


def _why_not(state: Table, kind: type[Holds], _: str) -> Reason | None:
    if state.stage is Stage.OVER:
        return Reason("conflict-is-over")
    if state.cover is not None or state.rejection is not None:
        return Reason("settle-answer-first")
    if state.stage is Stage.PARTING:
        return None if kind in (CardIs, LossLies) else Reason("conflict-decided")
    if state.conflict.over:
        return None if kind in (CardIs, LossLies, AgainstIs) else Reason("conflict-decided")
    now = still_lies(state.conflict)
    if kind is TokensAre and (now is None or now.outcome is not None or now.dominant is None):
        if state.stage is Stage.ROUND:
            return Reason("no-tokens-in-breaker")
        return Reason("said-in-a-round")
    return Reason("said-in-a-round") if kind in (CardLies, RoundEnds) and now is None else None


def _after(state: Table, said: Conflict, holds: Holds) -> Table:
    if isinstance(holds, CardLies) or (isinstance(holds, CardIs) and holds.to is To.BEFORE):
        said = _fifth(said, holds.name)
    if said == state.conflict:
        raise IllegalChoice(Reason("is-so-already"))
    return flow(_going_on(state, said))


def _fifth(said: Conflict, name: str) -> Conflict:
    """The Conflict, with the party wiped out if the moved card is its fifth reversed one. A party
    brought back with five reversed cards stays in."""
    now = still_lies(said)
    bidding_goes_on = now is not None and now.outcome is None and name in now.speakers
    return bidding.wiped_out(said, name) if bidding_goes_on else said


def _going_on(state: Table, said: Conflict) -> Table:
    aside = [n for n, spot in places(said).items() if spot.where is Where.ASIDE]
    changed = replace(state, conflict=said, quiet=False)
    after = replace(
        state.answered(said) if answerable(said) else changed,
        registering=tuple(who for who in state.registering if said.is_in(who)),
        discarded=tuple(card for card in state.discarded if card.number in aside),
        order=_order(said, state.order),
    )
    if state.stage is Stage.LOSSES and said.playing().outcome is None:
        return replace(after, stage=Stage.ROUND)
    if state.stage is Stage.TELL:
        return _telling(said, after)
    if state.stage is Stage.REFILL:
        able = ending.may_refill(said)
        return replace(after, refilling=tuple(who for who in state.refilling if who in able))
    if state.stage in (Stage.RESERVE, Stage.TACTICS) and said.over:
        return leave(after)
    return after


def _telling(said: Conflict, state: Table) -> Table:
    """The table after it stops waiting for the narration of parties that are out."""
    now = said.playing()
    left = tuple(name for name in now.narrate if name in state.told or name not in said.out)
    if not left:
        return replace(state, told=dict.fromkeys(now.narrate, ""))
    return replace(state, conflict=replace(said, round=replace(now, narrate=left)))


def _order(said: Conflict, order: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The order set for this round; None if there is none or the Contenders have changed."""
    if order is None or said.over:
        return None
    try:
        bidding.open_round(said, order)
    except Refused:
        return None
    return order


WORD = GmsWord(
    clauses=(*cards.CLAUSES, *rounds.CLAUSES, *losses.CLAUSES, *standing.CLAUSES),
    of=lambda state: state.conflict,
    why_not=_why_not,
    after=_after,
)
"""All overrules in a Conflict: when each is possible, and what follows from it."""
