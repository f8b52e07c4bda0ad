"""What a turn can cost before its moves are shown, against the real rules for every pair of
moves."""

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict, Run, Stance, Turn
from hub.games.triangle.rules.edition import Action, Edition
from hub.games.triangle.rules.judging import judged
from hub.games.triangle.rules.risks import risks
from hub.games.triangle.rules.setup import read_conflict
from hub.kernel.documents import Document
from tests.rules.duel import energy, setup
from tests.support.editions import IRON_TRIANGLE, UNROLL

STANCES = [None, *(Stance(action, amount) for action in Action for amount in (1, 3))]
PAIRS = [*product(STANCES, repeat=2)]
KNOWN = ["attack-high", "attack-low", "defend-mid", "grapple-low"]


def conflict_of(edition: Edition, moves: Sequence[str] = (), *, scouted: bool = False) -> Conflict:
    """Ada, with four moves, has lost one to Ninja, an NPC with these moves, or with all."""
    ninja = {"energy": energy(4, 4, 4), "moves": [*(moves or edition.moves)]}
    people: dict[str, dict[str, Any]] = {"ada": {"moves": KNOWN}, "ninja": ninja}
    document = setup({"players": ["ada"], "gm": ["ninja"]}, people, edition)
    found = read_conflict(Document(None), edition, document)
    assert found
    changes = {
        "ada": replace(found.fighters["ada"], face_up=(edition.moves["attack-high"],)),
        "ninja": replace(found.fighters["ninja"], scouted=scouted),
    }
    return replace(found, fighters=changes)


def played(conflict: Conflict, turn: Turn) -> dict[str, dict[Action, int]]:
    """The same from the verdict on each pair of moves that can really be played."""
    most: dict[str, dict[Action, int]] = {"ada": {}, "ninja": {}}
    for mine, theirs in product(available(conflict, "ada"), available(conflict, "ninja")):
        verdict = judged(conflict, turn, {"ada": mine, "ninja": theirs})
        for loser in filter(None, [verdict.loser]):
            action = mine.action if loser == "ninja" else theirs.action
            total = verdict.losses[loser].total
            most[loser][action] = max(most[loser].get(action, 0), total)
    return most


def turn_of(mine: Stance | None, theirs: Stance | None) -> Turn:
    return Turn(1, "ada", opponent="ninja", stances={"ada": mine, "ninja": theirs})


@pytest.mark.parametrize("edition", [UNROLL, IRON_TRIANGLE], ids=lambda each: each.id)
def test_with_public_moves_each_risk_is_the_largest_real_loss(edition: Edition) -> None:
    conflict = conflict_of(edition, scouted=True)
    for stances in PAIRS:
        turn = turn_of(*stances)
        assert risks(conflict, turn) == played(conflict, turn), stances


@pytest.mark.parametrize("edition", [UNROLL, IRON_TRIANGLE], ids=lambda each: each.id)
def test_with_unknown_moves_no_real_loss_is_larger(edition: Edition) -> None:
    """And the risk is the same, whatever the moves are."""
    one, other = conflict_of(edition, KNOWN[1:3]), conflict_of(edition)
    for stances in PAIRS:
        turn = turn_of(*stances)
        found = risks(one, turn)
        assert found == risks(other, turn)
        for loser, losses in played(other, turn).items():
            assert all(found[loser][action] >= total for action, total in losses.items())


def test_the_follow_ups_of_a_combo_are_not_told() -> None:
    """Whether Ada knows a follow-up or not, Ninja risks the same."""
    plain = conflict_of(UNROLL)
    run = Run("ninja", (("ada", UNROLL.moves["defend-mid"]),))
    sheet = plain.scene.sheets["ada"]
    knows = replace(sheet, combos={"defend-mid": frozenset({"grapple-low"})})
    found = []
    for one in (sheet, knows):
        scene = replace(plain.scene, sheets={**plain.scene.sheets, "ada": one})
        found.append(risks(replace(plain, scene=scene, run=run), turn_of(None, None)))
    assert found[0] == found[1]
    assert found[0]["ninja"][Action.GRAPPLE] == UNROLL.moves["grapple-low"].base + 1
