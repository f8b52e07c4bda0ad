"""Overrules at the table. After one, answers are asked for again, and steps stop waiting for
characters that have left."""

from collections.abc import Collection
from functools import partial
from typing import Any

from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.tourists.reasons import Reason, Refused
from hub.games.tourists.rules import bidding, ending
from hub.games.tourists.rules.answers import answerable
from hub.games.tourists.rules.conflict import Conflict
from hub.games.tourists.rules.overrule import word as w
from hub.games.tourists.rules.overrule.clauses import SAYS, Fields, Says, open_now
from hub.games.tourists.rules.places import Where, places, still_lies
from hub.games.tourists.rules.table import Stage, Table, flow, leave
from hub.games.words import Clause, GmsWord, Holds
from hub.kernel.forms import Field


def sayable(state: Table) -> Collection[type[Holds]]:
    """The overrules that are possible now."""
    if state.stage is Stage.OVER or state.cover is not None or state.rejection is not None:
        return ()
    if state.stage is Stage.PARTING:
        return (w.CardIs, w.LossLies)
    return open_now(state.conflict)


def not_now(state: Table, kind: type[Holds], clause: str) -> Reason:
    """Why this overrule is not possible now."""
    if state.stage is Stage.OVER:
        return Reason("conflict-is-over")
    if state.cover is not None or state.rejection is not None:
        return Reason("settle-answer-first")
    if state.stage is Stage.PARTING or state.conflict.over:
        return Reason("conflict-decided")
    if kind is w.TokensAre and state.stage is Stage.ROUND:
        return Reason("no-tokens-in-breaker")
    return Reason("said-in-a-round")


def _follow(says: Says, state: Table, holds: Any) -> Table:
    try:
        said = says(state.conflict, holds)
        before = isinstance(holds, w.CardIs) and holds.to is w.To.BEFORE
        if before or isinstance(holds, w.CardLies):
            said = _fifth(said, holds.name)
        if said == state.conflict:
            raise IllegalChoice(Reason("is-so-already"))
        return flow(_after(state, said))
    except Refused as no:
        raise IllegalChoice(no.reason) from None


def _fifth(said: Conflict, name: str) -> Conflict:
    """Wipe out the party if the moved card is its fifth reversed one. A party brought back with
    five reversed cards stays in."""
    now = still_lies(said)
    bidding_goes_on = now is not None and now.outcome is None and name in now.speakers
    return bidding.wiped_out(said, name) if bidding_goes_on else said


def _after(state: Table, said: Conflict) -> Table:
    """The table after an overrule of its Conflict."""
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
    """Stop waiting for the narration of parties that are out."""
    now = said.playing()
    left = tuple(name for name in now.narrate if name in state.told or name not in said.out)
    if not left:
        return replace(state, told=dict.fromkeys(now.narrate, ""))
    return replace(state, conflict=replace(said, round=replace(now, narrate=left)))


def _order(said: Conflict, order: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The order set for this round, unless the Contenders have changed."""
    if order is None or said.over:
        return None
    try:
        bidding.open_round(said, order)
    except Refused:
        return None
    return order


def _form(fields: Fields, state: Table) -> tuple[Field, ...]:
    return fields(state.conflict)


WORD = GmsWord(
    clauses=tuple(
        Clause(kind, partial(_follow, says), partial(_form, fields))
        for kind, (says, fields) in SAYS.items()
    ),
    open_now=sayable,
    not_now=not_now,
)
"""All overrules in a Conflict."""
