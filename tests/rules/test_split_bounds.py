"""Public information is enough to split a loss or a gain: total and bounds (R6, R12)."""

from random import Random
from typing import Any

import pytest

from hub.games.game import Choice
from hub.games.registry import game_of
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.grammar import write_split
from hub.games.triangle.rules.views import TriangleView
from tests.rules.walk import EDITIONS, check, game, laid_late, lying, own_offers, pick, random_setup

TURNS = 25
ASKING = {"aim", "recover", "drain", "bear", "parry", "calm"}


def every_split(total: int, least: Energy, most: Energy) -> set[str]:
    return {
        write_split(Energy(attack, defend, total - attack - defend))
        for attack in range(least.attack, most.attack + 1)
        for defend in range(least.defend, most.defend + 1)
        if least.grapple <= total - attack - defend <= most.grapple
    }


def as_the_page_sees_it(view: TriangleView, step: str, actor: str) -> set[str]:
    turn = view.turn
    assert turn
    if step == "gain":
        due = turn.gains_due[actor]
        return every_split(due.points, Energy(), due.room)
    loser = turn.aims[actor] if step == "aim" else actor
    loss = turn.losses[loser]
    least = Energy(**{loss.committed: loss.own_stance}) if loss.committed else Energy()
    return every_split(loss.total, least, view.characters[loser].energy)


def walk(random: Random, edition: Any) -> set[str]:
    """Play with many specials that ask for a split; the steps at which the page was checked."""
    setup = random_setup(random, edition)
    for sheet in setup["characters"].values():
        sheet["specials"] = [s.id for s in edition.specials.values() if s.effect in ASKING]
        sheet["max"] = {key: points + 9 for key, points in sheet["max"].items()}
    state: Conflict = game_of(edition.id).begin(setup)
    seen = set()
    while (pending := game(state).pending(state)).must and game(state).turn(state) < TURNS:
        view = game(state).view(state)
        assert isinstance(view, TriangleView)
        if pending.step in SPLITS:
            seen.add(pending.step)
            for actor in pending.must:
                if own_offers(state, actor)[0].choice.kind == "let-be":
                    continue
                found = as_the_page_sees_it(view, pending.step, actor)
                for split in random.sample(sorted(found), min(5, len(found))):
                    assert game(state).why_not(state, actor, Choice(pending.step, split)) is None
                listed = {o.choice.value for o in own_offers(state, actor) if not o.reason}
                assert listed <= found
        elif pending.step == "next":
            assert view.turn is None or view.turn.gains_due == {}
        check(state)
        if late := laid_late(random, state):
            state = game(state).declare(state, *late)
            continue
        beside = lying(random, state)
        chosen = {actor: pick(random, own_offers(state, actor)) for actor in pending.must}
        state = game(state).advance(state, chosen, random.randbytes(32), beside)
    return seen


SPLITS = {"split", "aim", "gain"}


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda each: each.id)
def test_the_public_view_determines_all_splits(edition: Any) -> None:
    seen: set[str] = set()
    for seed in range(8):
        seen |= walk(Random(seed), edition)
    assert seen == SPLITS
