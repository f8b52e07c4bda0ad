"""Random scenes with and without overrules: each goes on, and what is told explains every change.

The consequences are added up by hand.
"""

from random import Random
from typing import Any

import pytest

from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.following import rolls_of
from hub.games.tricube.rules.view import TricubeView
from tests.rules.tricube.wander import GAME, begun, check, step, word

SEEDS = range(40)
KINDS = {"dice", "difficulty", "no-roll", "challenge", "no-challenge", "bypassed", "tokens"}
KINDS |= {"out", "dead", "affliction", "no-affliction", "quirk", "no-quirk"}
STEPS = {"scene", "approach", "throw", "dice", "karma", "instead", "accept", "regain", "price"}
STEPS |= {"fate", "victor", "nod"}


class Told:
    """A listener who knows only what was told since the scene began."""

    def __init__(self, view: TricubeView) -> None:
        self.karma = {who: each.karma for who, each in view.cast.items()}
        self.resolve = {who: each.resolve for who, each in view.cast.items()}
        self.ills = {
            who: {a.name: a.lasts for a in one.afflictions} for who, one in view.cast.items()
        }
        self.quirks = {who: {*each.quirks} for who, each in view.cast.items()}
        self.absent = {who: each.absent for who, each in view.cast.items()}
        self.left = {name: each.left for name, each in view.challenges.items()}
        self.over = {name: each.overcome for name, each in view.challenges.items()}
        self.past = {name: {*each.bypassed} for name, each in view.challenges.items()}
        self.outcomes: dict[str, Any] = {}

    def hear(self, came: q.AnyConsequence) -> None:
        match came:
            case q.RollMadeEasier():
                self.karma[came.by] -= came.paid
            case q.TokenRegained():
                counted = self.karma if came.regained == "karma" else self.resolve
                counted[came.who] += came.amount
            case q.PricePaid():
                self.resolve[came.who] -= came.resolve
            case q.KarmaNow():
                self.karma[came.who] = came.karma
            case q.ResolveNow():
                self.resolve[came.who] = came.resolve
            case q.DiceFell() | q.OutcomeChanged():
                self.outcomes[came.who] = came.outcome
            case q.CameToNothing():
                self.outcomes[came.who] = None
        self._of_people(came)
        self._of_challenges(came)

    def _of_people(self, came: q.AnyConsequence) -> None:
        match came:
            case q.AfflictionCame():
                self.ills[came.who][came.name] = came.lasts
            case q.AfflictionGone():
                del self.ills[came.who][came.name]
            case q.QuirkCame():
                self.quirks[came.who].add(came.name)
            case q.QuirkGone():
                self.quirks[came.who].remove(came.name)
            case q.AbsentNow():
                self.absent[came.who] = came.absent

    def _of_challenges(self, came: q.AnyConsequence) -> None:
        match came:
            case q.ChallengeCame():
                self.left[came.name] = came.effort
                self.over[came.name] = False
                self.past[came.name] = set()
            case q.EffortTaken():
                self.left[came.challenge] -= came.removed
                assert came.left == self.left[came.challenge]
            case q.ChallengeChanged():
                self.left[came.name] = came.left
            case q.ChallengeOvercome():
                assert self.over[came.name] != came.overcome, "told twice"
                self.over[came.name] = came.overcome
            case q.ChallengeGone():
                del self.left[came.name], self.over[came.name], self.past[came.name]
            case q.ChallengeBypassed():
                who = self.past[came.name]
                (who.add if came.bypassed else who.remove)(came.who)

    def check(self, view: TricubeView) -> None:
        fresh = Told(view)
        for what in ("karma", "resolve", "ills", "quirks", "absent", "left", "over", "past"):
            assert getattr(self, what) == getattr(fresh, what), what
        rolling = rolls_of(view)
        for who, roll in (rolling.rolls if rolling else {}).items():
            if roll.dice is not None:
                assert self.outcomes[who] == roll.outcome, who


@pytest.mark.parametrize("dice", ["table", "hand"])
@pytest.mark.parametrize("words", [False, True], ids=["played", "overruled"])
def test_the_scene_goes_on_and_its_consequences_add_up(dice: str, words: bool) -> None:
    heard: set[str] = set()
    said: set[tuple[str, str]] = set()
    for seed in SEEDS:
        chance = Random(seed)
        state = begun(seed, dice)
        check(state)
        view = GAME.view(state)
        told = Told(view)
        for _ in range(60):
            at = GAME.pending(state).step
            if at == "over":
                break
            if words and chance.random() < 0.25:
                after, what = word(state, chance)
                if after is not None:
                    assert after != state
                    said.add((at, what))
                    state = after
            else:
                state = step(state, chance)
            check(state)
            before, view = view, GAME.view(state)
            for came in GAME.consequences(before, view):
                heard.add(type(came).__name__)
                told.hear(came)
            told.check(view)
            assert GAME.consequences(view, view) == []
        GAME.consequences(None, view)
    only_by_word = {"ChallengeGone", "QuirkGone", "QuirkCame", "CameToNothing"}
    every = {kind.__name__ for kind in q.AnyConsequence.__args__}
    assert heard >= (every if words else every - only_by_word)
    if words:
        throws = {"dice"} if dice == "table" else {"throw"}
        assert {at for at, _ in said} >= STEPS - throws
        assert {what for _, what in said} == KINDS
