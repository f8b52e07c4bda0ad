"""Playouts: the same conflicts as the table plays, choice by choice, without its offers."""

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.games.registry import game_of
from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict, Ending, Stance
from hub.games.triangle.rules.edition import Action, Edition, Move
from hub.games.triangle.rules.grammar import write_move, write_stance
from hub.games.triangle.rules.passing import may_act
from hub.games.triangle.rules.playouts import Chooser, play_out, play_turn
from hub.games.triangle.rules.turn import name_active, opponents, why_not_opponent
from tests.rules.duel import setup
from tests.rules.walk import random_setup
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
EACH = pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.id)


class Anything:
    """Chooses at random, including surrender, and records the latest answer to each question."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.said: dict[str, Any] = {}

    def active(self, conflict: Conflict, names: Sequence[str]) -> str:
        assert {*names} == {*may_act(conflict)}
        self.said = {"active": self.random.choice(names)}
        return str(self.said["active"])

    def opponent(self, conflict: Conflict, names: Sequence[str]) -> str:
        return self.random.choice(names)

    def stance(self, conflict: Conflict, name: str) -> Stance | None:
        action = self.random.choice([*Action])
        most = conflict.fighters[name].energy.of(action)
        amount = self.random.randint(0, most)
        self.said[f"stance {name}"] = Stance(action, amount) if amount else None
        return Stance(action, amount) if amount else None

    def move(self, conflict: Conflict, name: str, moves: Sequence[Move]) -> Move | None:
        open_ones = [*moves] if moves and self.random.random() < 0.97 else [None]
        assert [*moves] == available(conflict, name)
        self.said[f"move {name}"] = self.random.choice(open_ones)
        move: Move | None = self.said[f"move {name}"]
        return move


def begun(random: Random, edition: Edition) -> Conflict:
    state: Conflict = game_of(edition.id).begin(random_setup(random, edition))
    return state


def as_the_table_plays(state: Conflict, said: dict[str, Any], opponent: str) -> Conflict:
    """The same turn through the Game protocol; all other questions are answered by default."""
    game: Any = game_of(state.scene.edition.id)
    turn = state.turn.number if state.turn else 0
    while not state.result:
        pending = game.pending(state)
        if pending.step == "next" and state.turn and state.turn.number > turn:
            break
        choices = {}
        for actor in pending.must:
            if pending.step in ("first", "next"):
                choices[actor] = Choice("active", said["active"])
            elif pending.step == "opponent":
                choices[actor] = Choice("opponent", opponent)
            elif pending.step == "stance":
                choices[actor] = Choice("stance", write_stance(said[f"stance {actor}"]))
            elif pending.step == "move":
                choices[actor] = Choice("move", write_move(said[f"move {actor}"]))
            else:
                choices[actor] = next(o for o in game.offers(state, actor) if o.default).choice
        state = game.advance(state, choices)
    return state


def plain(state: Conflict) -> Conflict:
    """The state without the way in which the last turn's losses were split."""
    turn = state.turn and replace(state.turn, divided={}, let_be=())
    return replace(state, turn=turn)


@EACH
@pytest.mark.parametrize("seed", range(12))
def test_every_turn_equals_the_tables(edition: Edition, seed: int) -> None:
    state, chooser = begun(Random(seed), edition), Anything(seed)
    for _ in range(40):
        if state.result:
            break
        after = play_turn(state, chooser)
        assert after.turn
        assert plain(as_the_table_plays(state, chooser.said, after.turn.opponent)) == plain(after)
        state = after


@EACH
def test_a_playout_ends_and_is_deterministic(edition: Edition) -> None:
    reasons = set()
    for seed in range(30):
        state = begun(Random(seed), edition)
        end = play_out(state, Anything(seed), 400)
        assert end == play_out(state, Anything(seed), 400)
        assert end.turn
        assert end.result or end.turn.number == 400
        reasons.add(end.result and end.result.reason)
    assert {Ending.SIDE_OUT, Ending.MINOR} <= reasons


def test_a_playout_stops_after_the_given_turns() -> None:
    state = game_of("unroll").begin(setup())
    for turns in (0, 1, 3):
        after = play_out(state, Anything(1), turns)
        assert (after.turn.number if after.turn else 0) == turns
        further = play_out(after, Anything(2), 2)
        assert further.turn and further.turn.number == turns + 2


@EACH
def test_a_playout_starts_in_the_middle_of_a_turn(edition: Edition) -> None:
    game: Any = game_of(edition.id)
    state = game.begin(setup(edition=edition))
    for chosen in (
        {GM: "active ada"}, {"ada": "opponent oni"},
        {"ada": "stance attack 2", "oni": "stance none"},
    ):  # fmt: skip
        state = game.advance(state, {name: Choice.parse(text) for name, text in chosen.items()})
        after = play_turn(state, Anything(3))
        assert after.turn and after.turn.splits is not None
        assert (after.turn.number, after.turn.active) == (1, "ada")
    assert after.turn.opponent == "oni"
    assert after.turn.stances == {"ada": Stance(Action.ATTACK, 2), "oni": None}


@EACH
def test_the_opponents_are_those_the_rules_allow(edition: Edition) -> None:
    for seed in range(20):
        random, chooser = Random(seed), Anything(seed)
        state = begun(random, edition)
        if seed % 2:  # the first of one side is bound to the last of the other
            one, other = (names[-end] for end, names in enumerate(state.scene.sides.values()))
            bound = {
                name: replace(state.fighters[name], bound=foe)
                for name, foe in ((one, other), (other, one))
            }
            state = replace(state, fighters={**state.fighters, **bound})
        for _ in range(15):
            for name in state.still_in():
                for agreed in (True, False):
                    named = name_active(state, name, agreed=agreed)
                    assert named.turn
                    expected = [
                        foe
                        for foe in named.fighters
                        if why_not_opponent(named, named.turn, foe) is None
                    ]
                    assert opponents(named, named.turn) == expected
            if state.result:
                break
            state = play_turn(state, chooser)


class Wrong(Anything):
    def __init__(self, **answers: Any) -> None:
        super().__init__(1)
        self.answers = answers

    def active(self, conflict: Conflict, names: Sequence[str]) -> str:
        return str(self.answers.get("active", "ada"))

    def opponent(self, conflict: Conflict, names: Sequence[str]) -> str:
        return str(self.answers.get("opponent", "ninja"))

    def stance(self, conflict: Conflict, name: str) -> Stance | None:
        stance: Stance | None = self.answers.get("stance")
        return stance

    def move(self, conflict: Conflict, name: str, moves: Sequence[Move]) -> Move | None:
        move: Move | None = self.answers.get("move")
        return move


@pytest.mark.parametrize(
    ("chooser", "says"),
    [
        (Wrong(active="bob"), "bob is not one of ada, bo, ninja, oni"),
        (Wrong(opponent="bo"), "bo is not one of ninja, oni"),
        (Wrong(stance=Stance(Action.ATTACK, 21)), "at most attack 20"),
        (Wrong(move=IRON_TRIANGLE.moves["attack-spin"]), "ada does not know attack-spin"),
    ],
)
def test_an_illegal_choice_is_refused(chooser: Chooser, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        play_turn(game_of("unroll").begin(setup()), chooser)


def test_a_turn_being_settled_is_refused() -> None:
    game: Any = game_of("unroll")
    state = game.begin(setup(sides={"players": ["ada"], "gm": ["ninja"]}))
    for chosen in (
        {GM: "active ada"}, {"ada": "opponent ninja"},
        {"ada": "stance none", "ninja": "stance none"},
        {"ada": "move attack-high", "ninja": "move grapple-low"},
    ):  # fmt: skip
        state = game.advance(state, {name: Choice.parse(text) for name, text in chosen.items()})
    with pytest.raises(ValueError, match="settle it first"):
        play_out(state, Anything(1))
