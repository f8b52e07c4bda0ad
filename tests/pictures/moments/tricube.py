"""Twelve moments of Tricube Tales: three people break into a clock tower in a storm. The table
throws the dice of the first roll and of the opposed one; the others are thrown by hand.
"""

import json
from collections.abc import Mapping
from typing import Any

from msgspec import to_builtins

from hub.games.tricube.story.scenes import PreparedChallenge, TaleSceneRequest
from hub.kernel.texts import Part, Said, said
from hub.table import acts as i
from hub.table.state import Settings
from tests.adapters.web.playing import PlayedTable
from tests.pictures.moments.moment import (
    InBoth,
    Moment,
    at_step,
    begin_story,
    commit,
    in_both,
    mark,
    turn_up,
)

SEATS: dict[str, tuple[str, ...]] = {
    "north": ("Ada",),
    "south": ("Bo",),
    "west": ("Cy",),
    "gm": (),
}
STORM = "The storm breaks"
STAIRS, GUARDS = "The flooded stairs", "The tower guards"
LOCK, OWLS = "The great lock", "The owls in the belfry"
HUMS, CURIOUS = "Hums when it should be quiet", "Must know how it works"
READS = "Reads any mechanism"
CAST: tuple[dict[str, Any], ...] = (
    {
        "name": "Ada",
        "trait": "agile",
        "concept": "roof runner",
        "perks": ["Walks on any ledge", "Throwing knives"],
        "quirks": ["Cannot leave silver lying"],
    },
    {
        "name": "Bo",
        "trait": "brawny",
        "concept": "retired bell ringer",
        "perks": ["Pulls up anything"],
        "quirks": [HUMS],
        "afflictions": [{"name": "A stiff knee", "lasts": "permanent"}],
        "karma": 2,
        "resolve": 2,
    },
    {
        "name": "Cy",
        "trait": "crafty",
        "concept": "clockmaker with a forged licence",
        "perks": [READS],
        "quirks": [CURIOUS],
        "resolve": 2,
    },
)
CHALLENGES = {
    STAIRS: PreparedChallenge(difficulty=4, effort=3),
    GUARDS: PreparedChallenge(effort=4, deadly=True),
    LOCK: PreparedChallenge(difficulty=6, effort=3),
    OWLS: PreparedChallenge(effort=3),
}
PLAIN = "approach plain"


# What the people at the table do


def _say(table: PlayedTable, kind: str, **words: Any) -> None:
    table.decide("gm", f"{kind} {json.dumps(words)}")


def _by_hand(
    table: PlayedTable, challenge: str, kind: str, dice: Mapping[str, str], **more: Any
) -> None:
    """Roll dice thrown by hand. ``dice``: character → faces; a quirk may follow them, after a
    colon."""
    rollers: dict[str, Any] = {who: {} for who in dice}
    _say(table, "call", challenge=challenge, type=kind, rollers=rollers, dice="hand", **more)
    for who, thrown in dice.items():
        _, _, quirk = thrown.partition(":")
        commit(table, who, f"approach quirk {quirk}" if quirk else PLAIN)
    turn_up(table)
    for who, thrown in dice.items():
        table.decide(who, f"dice {thrown.partition(':')[0]}")


def _outcomes(*outcomes: str, more: tuple[Part, ...] = ()) -> InBoth:
    return in_both(*(Said(f"tricube.stage.outcome.{each}") for each in outcomes), *more)


# The moments, in their order


def _begun(table: PlayedTable) -> None:
    table.settings = Settings(seats=SEATS, gm_seat="gm")
    begin_story(table, "tricube", [{"ruleset": "tricube", **each} for each in CAST], STORM, 4)
    asked = TaleSceneRequest(title="The clock tower in the storm", challenges=CHALLENGES)
    table.tell(i.Request(i.StartScene(to_builtins(asked))))


def _called(table: PlayedTable) -> None:
    _say(table, "call", challenge=STAIRS, type="agile", rollers={"Bo": {}}, sealed=True)
    at_step(table, "approach")


def _sealed(table: PlayedTable) -> None:
    commit(table, "Bo", f"approach quirk {HUMS}")


def _locked(table: PlayedTable) -> None:
    commit(table, "gm", "difficulty 4")


def _success(table: PlayedTable) -> None:
    turn_up(table)
    at_step(table, "regain")


def _failure(table: PlayedTable) -> None:
    table.decide("Bo", "regain resolve")
    _by_hand(table, OWLS, "agile", {"Ada": "3 2 1"})
    at_step(table, "price")


def _karma(table: PlayedTable) -> None:
    _say(table, "price", complication="A shutter bangs")
    mark(table, STORM)
    _by_hand(table, LOCK, "crafty", {"Cy": "5 5 2"})
    at_step(table, "karma")


def _together(table: PlayedTable) -> None:
    """Bo alone fails."""
    table.decide("Ada", "karma none")
    table.decide("Bo", "karma none")
    table.decide("Cy", f"karma {READS}")
    dice = {"Ada": "6 3 2", "Bo": "3 2", "Cy": "6 5"}
    _by_hand(table, GUARDS, "agile", dice, defense=True)
    at_step(table, "price")


def _critical(table: PlayedTable) -> None:
    """Two roll at once: Ada's failure is paid for, Cy may take a token back for a quirk."""
    _say(table, "price", resolve=True)
    _by_hand(table, OWLS, "crafty", {"Ada": "1 1", "Cy": f"6 6 2:{CURIOUS}"})
    _say(table, "price", resolve=True)
    at_step(table, "regain")


def _opposed(table: PlayedTable) -> None:
    table.decide("Cy", "regain karma")
    _say(table, "oppose", sides={"Ada": {"type": "agile"}, "Bo": {"type": "brawny"}})
    commit(table, "Ada", PLAIN)
    commit(table, "Bo", PLAIN)
    turn_up(table)
    at_step(table, "price")


def _overcome(table: PlayedTable) -> None:
    _say(table, "price", told="Bo gets there first")
    mark(table, STORM)
    _by_hand(table, LOCK, "crafty", {"Cy": "6 3 1"})
    at_step(table, "victor")


def _over(table: PlayedTable) -> None:
    table.decide("Cy", "told")
    table.decide("gm", "end")
    at_step(table, "over")


MOMENTS = (
    Moment("scene-begun", _begun, lasts=False, acts=("Ada", "Bo", "Cy")),
    Moment("roll-called", _called, lasts=True, acts=("Bo",)),
    Moment("approach-sealed", _sealed, lasts=True, acts=("Bo",)),
    Moment("all-cards-in", _locked, lasts=True, acts=("Bo",)),
    Moment(
        "success-by-the-hub",
        _success,
        lasts=True,
        acts=("Bo",),
        shows=_outcomes("success", more=(HUMS,)),
    ),
    Moment(
        "failure-asks-its-price", _failure, lasts=True, acts=("Ada",), shows=_outcomes("failure")
    ),
    Moment("karma-asked", _karma, lasts=True, acts=("Ada", "Bo", "Cy")),
    Moment(
        "defending-together",
        _together,
        lasts=True,
        acts=("Ada", "Bo", "Cy"),
        shows=_outcomes("success", "failure", "exceptional"),
    ),
    Moment(
        "critical-and-exceptional",
        _critical,
        lasts=True,
        acts=("Ada", "Cy"),
        shows=_outcomes("critical", "exceptional", more=(CURIOUS,)),
        costs=in_both(said("tricube.stage.lost", number=2, count=2)),
    ),
    Moment(
        "opposed-roll",
        _opposed,
        lasts=True,
        acts=("Ada", "Bo"),
        shows=_outcomes("failure", "exceptional"),
    ),
    Moment("challenge-overcome", _overcome, lasts=True, acts=("Cy",), shows=_outcomes("success")),
    Moment("scene-over", _over, lasts=False, acts=("Ada", "Bo", "Cy")),
)
