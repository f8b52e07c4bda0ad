"""Hub and oracle agree byte for byte on generated scripts, sound and spoilt."""

import copy
import json
from collections import Counter
from random import Random

from tests.rules.tourists.oracle import Oracle
from tests.rules.tourists.scripts import Json, told
from tests.rules.tourists.walk import Walk, spoilt

SOUND = 120
SPOILT = 3


def agreed(document: Json) -> tuple[list[Json], str]:
    ours, theirs = told(document), Oracle(copy.deepcopy(document)).run()
    assert ours == theirs, json.dumps(document)
    return ours


def conserved(walk: Walk) -> None:
    """No card is in two places, no Token is owed (T4)."""
    conflict = walk.conflict
    marks = [mark for name in conflict.parties_in() for mark in conflict.losses[name].marks()]
    held = [card.number for cards in conflict.reserves.values() for card in cards]
    assert len({*marks, *held}) == len(marks) + len(held)
    if conflict.round is not None:
        now = conflict.round
        assert 0 <= now.spent <= now.tokens
        lying = [card.number for name in now.laid for card in now.cards(name)]
        assert len({*lying}) == len(lying)
        assert {*lying} <= now.seen


def test_hub_and_oracle_agree() -> None:
    reached: Counter[str] = Counter()
    for seed in range(SOUND):
        walk = Walk(seed)
        found, place = agreed(walk.script)
        assert place == "", json.dumps(walk.script)
        conserved(walk)
        for each in found:
            reached[str(each.get("outcome"))] += 1
            reached["wiped out"] += len(each.get("wiped_out", ()))
            reached["conceded"] += len(each.get("conceded", ()))
            reached["over"] += each.get("over") is True
            reached["gravity 2"] += any(
                loss["gravity"] == 2 for loss in each.get("losses", {}).values()
            )
        text = json.dumps(walk.script)
        for what in ("turn", "redraw", "reserve", "story", "refill"):
            reached[what] += text.count(f'"{what}": ')
        chance = Random(seed)
        for _ in range(SPOILT):
            reached["faults"] += agreed(spoilt(walk.script, chance))[1] != ""
    wanted = (
        *("none", "taken", "excuse", "held", "broken", "dominant-out", "reframed", "wiped out"),
        *(
            "conceded", "over", "gravity 2", "turn", "redraw", "reserve", "story", "refill",
            "faults",
        ),
    )  # fmt: skip
    assert [what for what in wanted if reached[what] < 3] == [], reached
