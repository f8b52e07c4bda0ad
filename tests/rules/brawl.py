"""Whole conflicts with random specials, written turn by turn as a script.

A random turn may be refused; then it is tried again, finally without specials. A turn without
specials can always be played: that is what ``no dead end`` means.
"""

from random import Random
from typing import Any

from msgspec import Struct

from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.edition import Action, Edition, Special
from hub.games.triangle.rules.passing import may_act
from hub.games.triangle.rules.setup import read_conflict
from hub.games.triangle.rules.turn import name_active, why_not_opponent
from hub.games.triangle.script import TurnPlayer
from hub.kernel.documents import Document
from hub.kernel.faults import Faulty

TRIES = 12


class Brawl(Struct):
    """A playable script, and the state after each of its turns."""

    script: dict[str, Any]
    states: list[Conflict]


def random_cast(random: Random, edition: Edition) -> dict[str, Any]:
    """Up to three a side, who know most moves and half of the list of specials."""
    sides = {"players": ["ada", "bo", "cy"], "gm": ["ninja", "oni", "rat"]}
    sides = {side: names[: random.randint(1, 3)] for side, names in sides.items()}
    moves, specials = list(edition.moves), list(edition.specials)
    characters = {}
    for name in [*sides["players"], *sides["gm"]]:
        energy = {action.value: random.choice((0, 3, 6, 15)) for action in Action}
        energy["attack"] += not any(energy.values())
        characters[name] = {
            "energy": energy,
            "max": {key: points + random.choice((0, 0, 5)) for key, points in energy.items()},
            "moves": random.sample(moves, random.randint(2, len(moves))),
            "combos": {m: random.sample(moves, 4) for m in random.sample(moves, 5)},
            "specials": random.sample(specials, len(specials) // 2),
        }
    lethal, minor = random.random() < 0.5, random.random() < 0.05
    setup = {"sides": sides, "characters": characters, "lethal": lethal, "minor": minor}
    return {"ruleset": edition.id, **setup}


def brawl(random: Random, edition: Edition, turns: int = 15) -> Brawl:
    """Play to the end, or until this many turns have been played."""
    setup = random_cast(random, edition)
    conflict = read_conflict(Document(None), edition, setup)
    assert conflict
    written: list[dict[str, Any]] = []
    states: list[Conflict] = []
    while not conflict.result and len(written) < turns:
        for attempt in range(TRIES + 1):
            turn = random_turn(random, conflict, bold=attempt < TRIES)
            try:
                player = TurnPlayer(conflict, Document(None), "turn")
                after, _, _ = player.play(turn, None, False)
            except Faulty:
                assert attempt < TRIES, "a dead end"
                continue
            break
        conflict = after
        written.append(turn)
        states.append(conflict)
    return Brawl({**setup, "turns": written}, states)


def random_turn(random: Random, conflict: Conflict, *, bold: bool) -> dict[str, Any]:
    """A legal turn; if ``bold``, with specials that may be illegal."""
    active = random.choice(may_act(conflict))
    named = name_active(conflict, active)
    assert named.turn
    foes = [n for n in conflict.fighters if why_not_opponent(named, named.turn, n) is None]
    opponent = random.choice(foes)
    both = (active, opponent)
    turn: dict[str, Any] = {"active": active, "opponent": opponent, "stance": {}, "move": {}}
    for name in both:
        moves = available(conflict, name)
        move = random.choice(moves) if moves and random.random() < 0.97 else None
        turn["move"][name] = "surrender" if move is None else json_card(str(move))
        action = move.action if move and random.random() < 0.7 else random.choice(list(Action))
        amount = random.randint(0, min(3, conflict.fighters[name].energy.of(action)))
        turn["stance"][name] = f"{action} {amount}"
    if bold:
        turn["end_combo"] = random.random() < 0.05
        turn["special"] = {
            name: [random_special(random, conflict, both, name)]
            for name in conflict.fighters
            if conflict.scene.sheets[name].specials and random.random() < 0.5
        }
    return turn


def json_card(text: str) -> Any:
    move, _, variant = text.partition(" ")
    return {"move": move, "variant": variant} if variant else move


def random_special(
    random: Random, conflict: Conflict, both: tuple[str, str], name: str
) -> str | dict[str, Any]:
    """A special that the character knows, with parameters that may be right or wrong."""
    sheet, edition = conflict.scene.sheets[name], conflict.scene.edition
    known = list(sheet.specials)
    if name not in both:
        known = [s for s in known if s.effect in ("bear", "nothing")] or known
    special = random.choice(known)
    found: dict[str, Any] = {"name": special.id}
    does: Special = special
    if special.effect == "copy":
        used = [s for fighter in conflict.fighters.values() for s in fighter.used]
        does = random.choice(used or list(edition.specials.values()))
        found["as"] = does.id
    side = conflict.scene.sides[sheet.side]
    if does.effect == "bear":
        found["for"] = next(n for n in both if n in side)
    elif does.effect == "bind":
        found["target"] = random.choice([n for n in conflict.fighters if n not in side])
    elif does.effect == "redraw" and random.random() < 0.7 and sheet.moves:
        found["replace"] = json_card(str(random.choice(sheet.moves)))
    return special.id if len(found) == 1 else found
