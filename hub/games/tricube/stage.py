"""The words of the stage for tales; the pages have the same in ``pages/say.js``."""

# ruff: noqa: D102  (the base class StageWords documents the methods)

from collections.abc import Iterator, Sequence

from hub.games.game import Consequence
from hub.games.stage import (
    Parts,
    Prompt,
    StageWords,
    Table,
    Verdict,
    any_of,
    beginning,
    left_of,
    readiness,
)
from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.view import AskedView, RollingView, RollView, TricubeView
from hub.games.tricube.words import (
    WORDS,
    against_said,
    dice_said,
    outcome_said,
    over_said,
    won_said,
)
from hub.kernel.texts import Part, Said, listed, name, said, stopped

_WITH_MORE = ("scene", "dice", "throw", "karma", "price", "fate", "victor")
"""Steps with a line of their own below the headline."""
_SETTLING = ("scene", "regain", "price", "fate", "victor")
"""Steps in which a roll's outcome is final and only its consequences remain."""
_GOOD = ("exceptional", "success")
_FEW = 2
"""Of more rolls than this, only how many succeed is said."""


class TricubeStage(StageWords):
    """Says the steps of a tale and the outcomes of rolls."""

    def prompt(self, table: Table) -> Prompt:
        tale = table.game
        if not isinstance(tale, TricubeView):
            return super().prompt(table)
        if _is_over(table):
            return _over(tale)
        return _prompt(table, tale)

    def verdict(self, table: Table) -> Verdict | None:
        """The outcome of the latest rolls, until something else is called for, or of the scene."""
        tale = table.game
        if not isinstance(tale, TricubeView):
            return None
        if _is_over(table):
            over = _over(tale)
            return Verdict(said=(over.head,), why=over.more)
        rolled = _rolled(tale)
        if not rolled or table.step not in _SETTLING:
            return None
        out = {who: rolled.rolls[who] for who in rolled.order if _is_out(tale, who)}
        if not out:
            return None
        cost = tuple(each for who, roll in out.items() for each in _cost(who, roll))
        if rolled.winner:
            thrown = ((who, rolled.rolls[who].dice) for who in rolled.order)
            lines = tuple(dice_said(who, dice) for who, dice in thrown if dice is not None)
            return Verdict(said=(won_said(rolled.winner),), why=lines, cost=cost)
        return Verdict(said=_outcomes(out), why=_against(out), cost=cost)

    def points(self, points: Sequence[str]) -> Part:
        return said("stage.points", points=points)


STAGE = TricubeStage()


def _is_over(table: Table) -> bool:
    return table.phase == "over" or table.step == "over"


def _over(tale: TricubeView) -> Prompt:
    return Prompt(Said("tricube.stage.over"), (over_said(tale),) if tale.listed else ())


def _rolled(tale: TricubeView) -> RollingView | None:
    """The current rolls, or else the last ones."""
    return tale.rolling or tale.last_rolling


def _is_out(tale: TricubeView, who: str) -> bool:
    """Whether a roll is decided: its dice have landed, and no karma can change it any more."""
    rolled, rolling = _rolled(tale), tale.rolling
    roll = rolled.rolls.get(who) if rolled else None
    if roll is None or (rolling and rolling.now is None):
        return False
    if roll.moot or not rolling or roll.settled or rolling.now == who:
        return roll.moot or roll.outcome is not None
    return roll.outcome is not None and (roll.karma is not None or not roll.wanted)


def _prompt(table: Table, tale: TricubeView) -> Prompt:
    step, rolling, asked = table.step, tale.rolling, tale.asked
    who = beginning(any_of(table, left_of(table) or table.awaited))
    places: dict[str, Part] = {
        "who": who,
        "roller": name((rolling and rolling.now) or ""),
        "asker": name(asked.who if asked else ""),
        "challenge": (rolling and rolling.challenge) or "",
        "affliction": (asked and asked.affliction) or "",
    }
    key = f"tricube.stage.{step}"
    match step:
        case "approach":
            head = said(key if places["challenge"] else f"{key}.opposed", **places)
            return Prompt(head, (readiness(table),))
        case "accept":
            return Prompt(said(key, **places), _offered(asked))
        case "nod" | "instead":
            if asked and asked.what == "cure" and step == "nod":
                patient = name(asked.who if asked.patient is None else asked.patient)
                head = said(f"{key}.cure", patient=patient, **places)
            else:
                head = said(key, **places)
            return Prompt(head, (*_wanted(asked), Said(f"{key}.more")))
    return Prompt(said(key, **places), (said(f"{key}.more", **places),) * (step in _WITH_MORE))


def _offered(asked: AskedView | None) -> Parts:
    """The GM's offer, and what it would bring."""
    if asked is None:
        return ()
    because = asked.affliction if asked.quirk is None else asked.quirk
    why = said("tricube.aside.because", why=because) if because else ""
    brings = Said("tricube.stage.in-place")
    if asked.what == "complication":
        none = "" if asked.brings else ".none"
        brings = said(f"tricube.stage.brings{none}", who=name(asked.who))
    return stopped(asked.told or asked.complication or ""), why, brings


def _wanted(asked: AskedView | None) -> Parts:
    """A player's request, and the perks used for it."""
    if asked is None:
        return ()
    perks = listed(asked.perks)
    if asked.what == "cure":
        return (said("tricube.aside.cure", perks=perks),)
    if asked.what == "karma":
        return (said("tricube.aside.karma", perks=perks, roller=name(asked.roll or "")),)
    use = said(f"tricube.use.{asked.use or 'impact'}", challenge=asked.challenge or "")
    return said("tricube.aside.perk", perks=perks), use, stopped(asked.told)


def _outcomes(out: dict[str, RollView]) -> Parts:
    if len(out) > _FEW:
        good = sum(roll.outcome in _GOOD for roll in out.values())
        return (said("tricube.stage.of-many", count=good, number=good, total=len(out)),)
    return tuple(
        outcome_said(who, None if roll.moot else roll.outcome) for who, roll in out.items()
    )


def _against(out: dict[str, RollView]) -> Parts:
    """The dice of a single roll."""
    roll = next(iter(out.values()))
    final = roll.difficulty.final
    if len(out) > 1 or roll.dice is None or final is None:
        return ()
    return (against_said(roll.dice, final),)


def _cost(who: str, roll: RollView) -> Iterator[Said]:
    """What a roll costs: karma for an easier one, the price of a failure, a defeat."""
    paid: list[Consequence] = []
    if (karma := roll.karma) is not None:
        by, perks = karma.by, karma.perks
        paid.append(
            q.RollMadeEasier(
                who=who, by=by, perks=perks, paid=karma.paid, complication=karma.complication
            )
        )
    if (price := roll.price) is not None and (price.resolve or price.complication):
        paid.append(q.PricePaid(who=who, resolve=price.resolve, complication=price.complication))
    if roll.defeated:
        paid.append(q.LastResolveGone(who=who))
    for each in paid:
        yield from WORDS.followed(each, {})
