"""Exactly the players with a legal answer are asked.

It is tried by the words of the rules alone, wherever a table goes on by itself in random scenes,
for players asked and not asked.
"""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
import pytest

from hub.games.game import GM, IllegalChoice
from hub.games.tricube.reasons import Refused
from hub.games.tricube.rules import flow, game, roll_steps, settling, step, steps
from hub.games.tricube.rules.perks import pay_for_roll
from hub.games.tricube.rules.roll import Roll, face, judge
from hub.games.tricube.rules.settling import Token
from hub.games.tricube.rules.table import Rolling, Table, What
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.view import TricubeView, is_settled
from tests.rules.tricube.wander import GAME, begun
from tests.rules.tricube.wander import step as stepped

SCENES = 25
WORDS = 60
LEAST = 20


def lying(rolling: Rolling) -> dict[str, Roll]:
    """The rolls with their difficulties; in an opposed roll, each faces the other's dice."""
    if any(roll.difficulty is None for roll in rolling.rolls.values()):
        faced = face(*rolling.rolls.values())
        return dict(zip(rolling.rolls, faced, strict=True))
    return dict(rolling.rolls)


def sure(state: Table, name: str) -> bool:
    """Whether this roll has a promise of karma by a player who can pay all own promises."""
    assert state.rolling
    wants = state.rolling.wants
    given = Counter(want.by for each in wants.values() for want in {w.by: w for w in each}.values())
    held = state.tale.characters
    return any(
        held[want.by].karma >= given[want.by] and held[want.by].there
        for want in wants.get(name, ())
    )


def able(state: Table) -> Iterator[str]:
    """Players who could give one of the rolls more hits, by karma or by a complication.

    At first that may be any player, later only those who have promised karma for another roll (C5).
    """
    assert state.rolling
    again, wants = state.rolling.asked_again, state.rolling.wants
    for who, one in state.tale.characters.items():
        if who in state.away or (again is not None and who not in again):
            continue
        for name, roll in lying(state.rolling).items():
            if sure(state, name) or any(want.by == who for want in wants.get(name, ())):
                continue
            for perk in one.perks:
                instead = None if one.karma else "rain"
                try:
                    _, paid = pay_for_roll(state.tale, roll, [perk], who, instead)
                except Refused:
                    continue
                if (judge(paid).hits or 0) > (judge(roll).hits or 0):
                    yield who


def ways_back(state: Table, name: str) -> list[Tale]:
    """The tales in which a quirk has regained a karma or a resolve."""
    assert state.rolling
    roll, judged = state.rolling.rolls[name], state.rolling.judged[name]
    found = []
    for token in Token:
        try:
            tale, _ = settling.regain(state.tale, roll, judged, token)
        except Refused:
            continue
        if tale != state.tale:
            found.append(tale)
    return found


class Judge:
    """Replaces the function by which a table goes on by itself."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()
        self.real = flow.flow
        self.next = flow._next

    def karma(self, raw: Table) -> None:
        rolling = raw.rolling
        if raw.asking or rolling is None or not rolling.landed or rolling.asked_karma:
            return
        if rolling.what is What.NPCS:
            return
        wanted, pending = {*able(raw)}, GAME.pending(self.real(raw))
        if wanted:
            assert pending.step == "karma", f"{wanted} could have helped"
            assert {*pending.must} == wanted
        else:
            assert pending.step != "karma", pending.must
        if rolling.asked_again is not None:
            self.seen["karma asked again"] += bool(wanted)
        self.seen["karma asked" if wanted else "karma spared"] += 1

    def regain(self, raw: Table) -> None:
        rolling = raw.rolling
        if rolling is None or rolling.what is What.NPCS or raw.asking:
            return
        name = next((name for name in rolling.rolls if not is_settled(rolling, name)), None)
        if name not in rolling.judged or name in rolling.gains:
            return
        ways, after = ways_back(raw, name), self.next(raw)
        several = len(ways) > 1
        assert (after is None) == several, f"{name} has {len(ways)} ways"
        if after is None:
            pending = GAME.pending(raw)
            assert (pending.step, pending.must) == ("regain", (name,))
        else:
            assert after.tale == (ways[0] if ways else raw.tale), "the only way back is taken"
        self.seen["regain asked" if several else "regain spared"] += 1

    def __call__(self, raw: Table) -> Table:
        self.karma(raw)
        state: Table | None = raw
        while state is not None:
            raw = state
            self.regain(raw)
            state = flow._next(raw)
        return raw


def walk(monkeypatch: pytest.MonkeyPatch, scenes: int = SCENES) -> Judge:
    judged = Judge()
    for module in (game, step):
        monkeypatch.setattr(module, "flow", judged)
    for seed in range(scenes):
        chance = Random(seed)
        state = begun(seed, chance.choice(("table", "hand")))
        for _ in range(WORDS):
            pending = GAME.pending(state)
            if not pending.must:
                break
            judged.seen[pending.step] += 1
            everybody(state)
            state = stepped(state, chance)
    return judged


def everybody(state: Table) -> None:
    """All who are asked have an answer to choose or to write; all others have none."""
    pending = GAME.pending(state)
    assert len({*pending.must}) == len(pending.must)
    for who in (*GAME.actors(state), GM):
        offers = [o for o in GAME.offers(state, who) if o.choice.kind in pending.kinds]
        own = [o.choice for o in offers if o.reason is None]
        if who not in pending.must:
            assert not offers, f"{who} is offered {offers} and is not awaited"
            assert GAME.stand_in(state, who) == ()
            continue
        written = {"dice", "fate"}
        assert own or pending.step in written, f"{who} has nothing to say to {pending.step}"
        for offer in offers:
            assert GAME.why_not(state, who, offer.choice) == offer.reason
            for other in {*GAME.actors(state), GM} - {*pending.must}:
                assert GAME.why_not(state, other, offer.choice) is not None


def test_exactly_those_who_can_answer_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = walk(monkeypatch).seen
    kinds = ("karma asked", "karma asked again", "karma spared", "regain asked", "regain spared")
    assert {kind: seen[kind] for kind in kinds if seen[kind] < LEAST} == {}


def _rollers_alone(state: Table, real: Any = flow.helpers) -> tuple[str, ...]:
    rolling = state.rolling
    return tuple(who for who in real(state) if rolling and who in rolling.rolls)


def _whoever_pays(state: Table, real: Any = flow.helpers) -> tuple[str, ...]:
    return tuple(who for who in real(state) if state.tale.characters[who].karma)


def _memo(state: Table, real: Any = flow.helpers) -> tuple[str, ...]:
    rolling = state.rolling
    return () if rolling is None or rolling.asked_again is not None else real(state)


def _every_roll(rolling: Rolling) -> tuple[str, ...]:
    return tuple(rolling.rolls)


def _always_a_choice(one: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("helpers", _rollers_alone),
        ("helpers", _whoever_pays),
        ("helpers", _memo),
        ("easier", _every_roll),
        ("both_could_come_back", _always_a_choice),
    ],
)
def test_a_planted_fault_is_found(monkeypatch: pytest.MonkeyPatch, name: str, wrong: Any) -> None:
    for module in (flow, roll_steps, steps):
        if hasattr(module, name):
            monkeypatch.setattr(module, name, wrong)
    with pytest.raises(AssertionError):
        walk(monkeypatch)


@pytest.mark.parametrize("seed", range(20))
def test_players_who_left_are_not_awaited_and_every_state_is_viewable(seed: int) -> None:
    """Players leave at any step; a refusal has a reason. The view of every state round-trips."""
    chance = Random(seed)
    state = begun(seed, chance.choice(("table", "hand")))
    for _ in range(WORDS):
        pending = GAME.pending(state)
        assert not {*pending.must} & state.away, f"{pending.must} at {pending.step}"
        written = msgspec.json.encode(GAME.view(state))
        assert msgspec.json.decode(written, type=TricubeView) == GAME.view(state)
        if not pending.must:
            break
        if chance.random() < 0.3:
            who = chance.choice(GAME.actors(state))
            try:
                state = GAME.sit_out(state, who, out=who not in state.away)
            except IllegalChoice as no:
                assert str(no).isprintable()
            continue
        try:
            state = stepped(state, chance)
        except IllegalChoice as no:
            pytest.fail(f"{pending.step}: {no}")
