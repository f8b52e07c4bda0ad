"""Hub and oracle agree on thousands of scripts, sound and faulty: on output and fault places."""

import json
import re
from collections import Counter
from random import Random

from hub.games.resolve import resolve_script
from hub.kernel.faults import Faulty, written
from tests.rules.tricube.oracle import Oracle, copied
from tests.rules.tricube.scripts import Json
from tests.rules.tricube.shapes import FREE, PAID
from tests.rules.tricube.spoiling import spoilt
from tests.rules.tricube.walk import Walk, reached

WALKS = 400
SPOILT = 6
ENOUGH = 25
"""Scripts with a fault at one kind of place."""

_ROLL = (
    *("scope", "quirk", "hindered", "karma", "karma.perks", "karma.by", "karma.complication"),
    *("regain", "price", "price.resolve", "price.complication", "price.told"),
    *("fate", "fate.affliction", "fate.lasts", "fate.fatal", "fate.stays"),
)
KEYS = {
    *(f"challenge.{key}" for key in ("name", "difficulty", "effort", "deadly", "told")),
    *(f"roll.{key}" for key in ("type", "dice", "difficulty", "defense", "again", *_ROLL)),
    "roll.together",
    *("opposed.deadly", *(f"opposed.sides.NAME.{key}" for key in ("npc", *_ROLL))),
    *(f"perk.{key}" for key in ("use", "challenge", "complication")),
    *("complication.quirk", "complication.accepted", "cure.by", "cure.complication"),
    *("recover.do", "convert.do", "turn.do", "scene.do", "session.do"),
    *("cure permanent True", "cure permanent False", "cure paid 0", "perk paid 0", "perk paid 1"),
}
CAME = {
    *(f"outcome {each}" for each in ("exceptional", "success", "even", "failure", "critical")),
    *(f"final {each}" for each in range(1, 8)),
    *(f"count {each}" for each in (1, 2, 3)),
    *(f"gain {what} {n}" for what in ("karma", "resolve") for n in (0, 1)),
    *(f"price {each}" for each in (0, 1, 2)),
    *("karma paid 0", "karma paid 1", "defeated True", "retired", "dead", "out"),
    *("winner", "gone", "over", "bypassed twice", "behind the last token critical"),
    *("behind the last token failure", "behind the last token exceptional"),
    *(f"use {use}" for use in (*PAID, *FREE)),
    *("complication accepted True", "complication accepted False"),
}
_OF_ROLL = (
    *("dice", "dice[]", "quirk", "hindered", "karma.by", "karma.perks", "karma.complication"),
    *("regain", "price", "fate", "fate.affliction", "fate.lasts", "fate.fatal", "fate.stays"),
)
FAULTS = {
    *(f"fault events[].{key}" for key in (*_OF_ROLL, "who", "challenge", "difficulty", "type")),
    *(
        f"fault events[].{key}"
        for key in ("together", "defense", "again", "do", "name", "sides", "colour")
    ),
    *(f"fault events[].{key}" for key in ("perks", "use", "complication", "affliction", "by")),
    *(f"fault events[].sides.NAME{key}" for key in ("", *(f".{each}" for each in _OF_ROLL))),
    *(f"fault characters.NAME.{key}" for key in ("trait", "concept", "karma", "resolve", "perks")),
    *("fault characters.NAME.afflictions[].name", "fault characters.NAME.quirks[]"),
    *("fault characters", "fault events", "fault events[]", "fault characters.NAME"),
}


def ours(document: Json) -> tuple[list[Json], set[str]]:
    printed: list[Json] = []
    try:
        printed.extend(resolve_script(json.dumps(document).encode()))
    except Faulty as faulty:
        for fault in faulty.faults:
            assert fault.reason.is_known, fault.reason.code
            assert not re.search(r"\n|\{\w+\}", str(fault)), "it is one whole sentence"
        return printed, {written(fault.place) for fault in faulty.faults}
    return printed, set()


def agreed(document: Json) -> Counter[str]:
    found, wanted = ours(document), Oracle(copied(document)).run()
    assert found == wanted, json.dumps(document)
    return reached(document, *found) + Counter(scripts=1)


def test_hub_and_oracle_agree() -> None:
    seen: Counter[str] = Counter()
    for seed in range(WALKS):
        walk, chance = Walk(seed), Random(seed)
        seen += agreed(walk.script)
        for document in walk.faulty(seen, ENOUGH):
            seen += agreed(document)
        for _ in range(SPOILT):
            document = spoilt(walk.script, chance)
            if document.get("ruleset") == "tricube":
                seen += agreed(document)
    assert seen["scripts"] > 2_000
    wanted = KEYS | CAME | FAULTS
    lacking = {each: seen[each] for each in wanted if seen[each] < 3}
    assert not lacking, str(lacking)


def test_a_script_can_start_from_anothers_closing_object() -> None:
    """The closing object holds whole sheets, which are read back unchanged."""
    for seed in range(0, WALKS, 5):
        walk = Walk(seed)
        *_, closing = ours(walk.script)[0]
        document = {"ruleset": "tricube", "characters": closing["characters"], "events": []}
        assert ours(document) == ([closing], set())
