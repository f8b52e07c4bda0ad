"""The words of the stage for Conflicts of N-Dimensional Tourists; the pages have the same in
``pages/say.js``."""

# ruff: noqa: D102  (the base class StageWords documents the methods)

from collections.abc import Iterator

from hub.games.stage import Prompt, StageWords, Table, Verdict, any_items, beginning, left_of
from hub.games.tourists.naming import card_lies
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.view import ConflictResultView, RoundView, TouristsView
from hub.games.tourists.words import WORDS, control_said, outcome_said, over_said
from hub.kernel.texts import Part, Said, listed, name, said

_SETTLING = ("losses", "tell", "part", "refill")
"""Steps in which the outcome of a round is still told."""


class TouristsStage(StageWords):
    """Says the steps of a Conflict and the outcomes of its rounds."""

    def prompt(self, table: Table) -> Prompt:
        conflict = table.game
        if not isinstance(conflict, TouristsView):
            return super().prompt(table)
        if table.phase == "over" or table.step == "over":
            result = conflict.result
            return _ended(conflict, result) if result else Prompt("")
        return _prompt(table, conflict)

    def verdict(self, table: Table) -> Verdict | None:
        """How the Conflict has ended, or how the round was decided."""
        conflict = table.game
        if not isinstance(conflict, TouristsView):
            return None
        now = conflict.round
        cost = tuple(_cost(now)) if now else ()
        if conflict.result:
            ended = _ended(conflict, conflict.result)
            return Verdict(said=(ended.head,), why=ended.more, cost=cost)
        if not now or not now.outcome or table.step not in _SETTLING:
            return None
        control = conflict.control
        return Verdict(
            said=(beginning(outcome_said(now.outcome, now.by, now.dominant)),),
            why=(control_said(control.party, control.ranks) if control else control_said(None, 0),),
            cost=cost,
        )


STAGE = TouristsStage()


def _ended(conflict: TouristsView, result: ConflictResultView) -> Prompt:
    party = conflict.parties.get(result.winner or "")
    return Prompt(over_said(result.winner, result.reason), (party.goal,) if party else ())


def _prompt(table: Table, conflict: TouristsView) -> Prompt:
    step, now = table.step, conflict.round
    left = left_of(table)
    items = any_items(table, left or table.awaited)
    first = conflict.members.get(next(iter(table.awaited), ""))
    places: dict[str, Part] = {
        "who": beginning(listed(items)),
        "party": name(first.party if first else ""),
        "count": len(any_items(table, left)),
    }
    if step == "answers":
        return Prompt(_answered(conflict, now), (said("tourists.stage.answers.more", **places),))
    if step == "tell":
        narrator = name((now and now.narrator) or "")
        alone = "alone" if items == [narrator] else "more"
        head = said("tourists.stage.tell", party=narrator)
        return Prompt(head, (said(f"tourists.stage.tell.{alone}", **places),))
    if step == "reserve":
        step = "laying.hub" if conflict.draws == "hub" else "laying"
    key, wish = f"tourists.stage.{step}", conflict.wish
    more = said(f"{key}.more", **places)
    if wish:
        more = said("tourists.stage.wish", name=name(wish.who), text=wish.text)
    return Prompt(said(key, **places), (more,))


def _answered(conflict: TouristsView, now: RoundView | None) -> Said:
    """The card that is answered, if there is exactly one."""
    parties = now.answered if now else ()
    laid = conflict.parties[parties[0]].laid if len(parties) == 1 else ()
    if not laid:
        return Said("tourists.stage.answers.all")
    return said("tourists.stage.answers", party=name(parties[0]), card=card_lies(laid[-1].card))


def _cost(now: RoundView) -> Iterator[Said]:
    """The Losses that the round's losers have marked so far."""
    for party, loss in now.suffered.items():
        came = q.LossSuffered(
            party=party, who=loss.who, gravity=loss.gravity, cards=loss.cards, text=loss.text
        )
        yield from WORDS.followed(came, {})
