"""A random scene of a tale through the Game protocol, with an overrule now and then."""

import json
from random import Random
from typing import Any

from hub.games.game import GM, Choice, IllegalChoice, Word
from hub.games.registry import game_of
from hub.games.tricube.rules.table import Table
from tests.support.forms import said_with

GAME: Any = game_of("tricube")
KINDS = ("agile", "brawny", "crafty", "melee", "ranged", "mental")
WHO = ("ada", "bo", "cy", "dee")
TEXTS = ("a lost shoe", "the alarm bell", "a scar", "greedy")


def begun(seed: int, dice: str = "table") -> Table:
    chance = Random(seed)
    people = {
        who: {
            "trait": KINDS[at % 3],
            "concept": "somebody",
            "perks": chance.sample(["rope", "song", "wings"], 2),
            "quirks": chance.sample(["greedy", "vain", "loud"], chance.randrange(3)),
            "karma": chance.randrange(4),
            "resolve": chance.randrange(1, 4),
            "afflictions": [{"name": "old wound", "lasts": chance.choice(("scene", "permanent"))}],
        }
        for at, who in enumerate(WHO)
    }
    challenges = {"wall": {"effort": 3}, "dogs": {"deadly": True, "effort": 2}}
    state: Table = GAME.begin({"characters": people, "challenges": challenges, "dice": dice})
    return state


def check(state: Table) -> None:
    """Check the invariants; counted here by hand, from the values alone."""
    open_fates = set(state.rolling.defeated) - set(state.rolling.fated) if state.rolling else set()
    for who, one in state.tale.characters.items():
        assert 0 <= one.karma <= one.karma_max
        assert 0 <= one.resolve <= one.resolve_max
        assert one.resolve or one.dead or who in open_fates, f"{who} has no resolve, and no fate"
        names = [each.name for each in one.afflictions]
        assert len({*names, *one.quirks}) == len(names) + len(one.quirks)
    for one in state.tale.challenges.values():
        assert 0 <= one.left <= one.effort
    if state.rolling and state.rolling.challenge:
        assert state.rolling.challenge in state.tale.challenges
    pending = GAME.pending(state)
    assert pending.must or state.over
    for_npcs = state.rolling is not None and state.rolling.throwers
    if pending.step in ("approach", "dice", "karma", "regain", "accept") and not for_npcs:
        for who in pending.must:
            assert who == GM or state.tale.characters[who].there or state.asking, (
                f"{who} is not there, and awaited at {pending.step}"
            )


def step(state: Table, chance: Random) -> Table:
    """Make a random awaited choice, or declare something beside it."""
    pending = GAME.pending(state)
    if pending.step == "scene" and chance.random() < 0.5:
        who, choice = declared(state, chance)
        if GAME.why_not(state, who, choice) is None:
            return GAME.declare(state, who, choice)  # type: ignore[no-any-return]
    chosen: dict[str, Choice] = {}
    for who in pending.must:
        able = [o.choice for o in GAME.offers(state, who) if o.choice.kind in pending.kinds]
        able += [made(state, pending.step, who, chance, n) for n in range(9)]
        able = [c for c in able if GAME.why_not(state, who, c) is None]
        able = [c for c in able if str(c) != "end"] or able
        assert able, f"{who} is stuck at {pending.step}"
        chosen[who] = chance.choice(able)
    return GAME.advance(state, chosen, chance.randbytes(32))  # type: ignore[no-any-return]


def made(state: Table, at: str, who: str, chance: Random, count: int) -> Choice:
    """Choices that are not offered: lines of JSON, dice (of each count), texts."""
    match at:
        case "scene":
            return Choice("call", json.dumps(call(state, chance)))
        case "dice":
            faces = [str(chance.randint(1, 6)) for _ in range(1 + count % 3)]
            return Choice("dice", " ".join(faces))
        case "price":
            said = {"resolve": chance.random() < 0.7, "complication": chance.choice(("", "late"))}
            return Choice("price", json.dumps(said))
        case "fate":
            said = {"affliction": f"wound {chance.randrange(1000)}", "stays": chance.random() < 0.5}
            return Choice("fate", json.dumps(said))
        case "instead":
            return Choice("complication", chance.choice(TEXTS))
    return Choice("told", "so it ends")


def call(state: Table, chance: Random) -> dict[str, Any]:
    new = {"name": f"thing {chance.randrange(1000)}", "effort": chance.randrange(3)}
    able = [name for name, one in state.tale.challenges.items() if not one.over]
    who = chance.sample([*state.tale.characters], chance.randint(1, 3))
    said: dict[str, Any] = {
        "challenge": chance.choice(able) if able and chance.random() < 0.7 else new,
        "type": chance.choice(KINDS),
        "rollers": {each: {} for each in who if state.tale.characters[each].there},
    }
    if chance.random() < 0.3:
        said["sealed"] = True
    elif chance.random() < 0.3:
        said["defense"] = True
        said["rollers"] = {each: {"again": True} for each in said["rollers"]}
    if said["rollers"] and chance.random() < 0.3:
        said["rollers"][next(iter(said["rollers"]))]["hindered"] = "old wound"
    return said


def declared(state: Table, chance: Random) -> tuple[str, Choice]:
    who, other = chance.sample([*state.tale.characters], 2)
    perks = list(state.tale.characters[who].perks[:1])
    wall = next(iter(state.tale.challenges), "wall")
    values: list[tuple[str, str, dict[str, Any]]] = [
        (GM, "oppose", {"sides": {who: {"type": "agile"}, other: {"type": "brawny"}}}),
        (GM, "npcs", {"sides": {"knight": 3, "witch": 2}, "by": {"knight": who}}),
        (GM, "offer", {"who": who, "told": "late"}),
        (who, "perk", {"perks": perks, "use": chance.choice(("impact", "automatic"))}),
        (who, "perk", {"perks": perks, "use": "bypass", "challenge": wall}),
        (who, "cure", {"affliction": "old wound", "perks": perks}),
        (GM, "challenge", {"name": f"late {chance.randrange(1000)}"}),
    ]
    actor, kind, said = chance.choice(values)
    return actor, Choice(kind, json.dumps(said))


def word(state: Table, chance: Random) -> tuple[Table | None, str]:
    """A random overrule from a form, half of them with something else in it.

    The state is None if it was refused.
    """
    form = chance.choice(GAME.overrules(state))
    holds: dict[str, Any] = dict(chance.choice([*said_with(form, "what")]))
    if chance.random() < 0.5:
        holds = spoilt(holds, chance)
    if form.value == "dice":
        count = state.rolling.rolls[holds["name"]].count if state.rolling else 0
        holds["dice"] = [chance.randint(1, 6) for _ in range(count)]
    try:
        said = GAME.word(state, Word(holds=holds, because="so"))
        return GAME.overrule(state, said), form.value
    except IllegalChoice as no:
        assert str(no).isprintable()
        assert "{" not in str(no), str(no)
        return None, form.value


def spoilt(holds: dict[str, Any], chance: Random) -> dict[str, Any]:
    found = dict(holds)
    for key, value in holds.items():
        if type(value) is bool:
            found[key] = chance.random() < 0.5
        elif type(value) is int:
            found[key] = chance.randrange(7)
        elif key in ("affliction", "quirk"):
            found[key] = chance.choice((*TEXTS, "old wound"))
    return found
