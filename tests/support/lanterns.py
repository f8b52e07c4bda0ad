"""A Conflict of three parties at a table of three seats that covers all possible consequences."""

from typing import Any

from hub.games.game import GM
from hub.table import acts as i
from tests.support.tabletalk import TableTalk

PARTIES: dict[str, Any] = {
    "north": {
        "goal": "keep the bridge",
        "characters": {
            "ada": {
                "attribute": {"name": "paper", "value": 5},
                "aspects": ["Quick"],
                "reserve": ["51 reversed", "33 upright"],
            },
            "bo": {"weaknesses": ["Late"]},
        },
    },
    "ninja": {"attribute": {"name": "stone", "value": 4}},
    "crow": {"gm": True, "attribute": {"name": "stone", "value": 7}},
}
SCENE: dict[str, Any] = {"ruleset": "tourists", "parties": PARTIES}
TACTICS = (
    ("ada", "tactics hold the gate"), ("ninja", "tactics"), (GM, "order ninja,north"),
    ("crow", "tactics"),
)  # fmt: skip
FIRST = (
    ("ninja", "drawn 39 upright"), ("crow", "turn"), ("bo", "drawn 66 reversed"),
    ("ada", "cover 33 upright"), ("ada", "because aspect Quick"), ("ada", "let-be-all"),
    ("crow", "drawn 12 reversed"), ("crow", "turn"), ("ninja", "pass"),
    ("ada", "drawn 20 reversed"), ("crow", "drawn 48 reversed"), ("ninja", "pass"), ("bo", "pass"),
    ("crow", "pass"), ("ninja", "losses"), ("ada", "losses 20 a cut hand"), ("crow", "losses"),
    ("ada", "told the lanterns are lit"), ("crow", "told"), ("ninja", "told"), (GM, "go-on"),
    ("ada", "drawn 10 upright"),
)  # fmt: skip
SECOND = (
    ("bo", "tactics"), ("ninja", "tactics"), ("crow", "tactics"), ("ada", "drawn 21 upright"),
    ("crow", "reject"), ("ada", "drawn 30 upright"), ("ada", "reframe we flee over the roofs"),
    (GM, "reframe no"),
)  # fmt: skip
LAST = (
    ("crow", "told"), ("ada", "told"), ("ninja", "told"), ("ninja", "concede"), ("ada", "concede"),
    ("bo", "concede"), (GM, "go-on"), ("ada", "drawn 40 upright"), ("bo", "pass"),
    ("ninja", "pass"),
)  # fmt: skip


def say(talk: TableTalk, *words: tuple[str, str]) -> None:
    for actor, word in words:
        talk.decide(actor, word)


def conflict() -> TableTalk:
    """Play from the first tactics until crow wins because all others have conceded."""
    talk = TableTalk(SCENE)
    talk.start()
    say(talk, *TACTICS, *FIRST, *SECOND)
    talk.give(word(what="tokens", left=0))
    talk.give(word(what="outcome", outcome="held", by=[]))
    say(talk, *LAST)
    return talk


def word(**holds: Any) -> Any:
    return i.Overrule(holds=holds, because="so it was agreed")


def drawn_by_the_hub() -> TableTalk:
    """A Balance Breaker and its outcome."""
    parties = {**PARTIES, "crow": {"gm": True, "attribute": {"name": "stone", "value": 5}}}
    talk = TableTalk({**SCENE, "parties": parties, "draws": "hub"})
    talk.start()
    for actor in ("ada", "ninja", "crow"):
        talk.decide(actor, "tactics")
    for actor in ("bo", "ninja", "crow"):
        talk.decide(actor, "draw")
    return talk
