"""Everything a script can say can be played at a table, with the result of ``facedown resolve``.

Random scripts are played in the words of the steps. What a table cannot hear has a name and a
reason.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.tricube.rules import roll_steps
from tests.rules.tricube.scripts import Json, agile, challenge, roll, script
from tests.rules.tricube.scripts_at_the_table import DEAF, AtTheTable
from tests.rules.tricube.walk import Walk

WALKS = 150
NEAR = 40
SAID = (
    *("challenge", "roll", "opposed", "npcs", "perk", "complication", "cure", "recover", "convert"),
    *("turn", "scene", "session", "called together", "instead"),
    *("karma", "karma for another", "karma for two"),
)
RARE = {"no name", "no line"}
"""Texts that do not occur in these scripts."""


def near_misses(seed: int) -> Json:
    """A call in which karma by one or two of the rollers would change several rolls."""
    chance = Random(seed)
    names = ("ada", "bo", "cy")
    people = {who: agile(perks=[f"{who} can"], karma=chance.randrange(4)) for who in names}
    left = {who: each["karma"] for who, each in people.items()}
    rolls = []
    for who in names:
        by = chance.choice(names[:2])
        karma = {"perks": [f"{by} can"], **({"by": by} if by != who else {})}
        if not left[by]:
            karma["complication"] = "It is loud."
        left[by] -= bool(left[by])
        dice = f"4 {chance.randrange(1, 7)} {chance.randrange(1, 7)}"
        rolls.append(roll(who, dice, karma=karma, together=bool(rolls)))
    return script(people, challenge(effort=6), *rolls)


def test_a_script_can_be_played_at_the_table() -> None:
    reached: Counter[str] = Counter()
    deaf: Counter[str] = Counter()
    for document in (*(Walk(seed).script for seed in range(WALKS)), *map(near_misses, range(NEAR))):
        table = AtTheTable(document)
        table.play()
        reached += table.reached
        deaf += table.deaf
    assert {each: reached[each] for each in SAID if not reached[each]} == {}
    assert {*deaf} == {*DEAF} - RARE


def test_a_table_that_asks_only_once_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = roll_steps.KarmaStep.all_taken

    def once(step: Any, state: Any, chance: bytes) -> Any:
        asked = replace(state.rolling, asked_karma=True)
        return real(step, replace(state, rolling=asked), chance)

    monkeypatch.setattr(roll_steps.KarmaStep, "all_taken", once)
    with pytest.raises(AssertionError):
        for seed in range(NEAR):
            AtTheTable(near_misses(seed)).play()
