"""Rules and table: the speed of the pure parts."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from msgspec import Struct

from hub.games.game import Choice, Game, Kind
from hub.games.registry import game_of
from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict, Stance
from hub.games.triangle.rules.edition import Action, Edition, Move
from hub.games.triangle.rules.passing import may_act
from hub.games.triangle.rules.playouts import play_out
from hub.games.triangle.rules.turn import (
    choose_opponent,
    judge,
    name_active,
    reveal_stances,
    settle,
    why_not_opponent,
)
from hub.table import acts as i
from hub.table.spots import Desk
from hub.table.state import Phase, Settings, TableState
from hub.table.step import Step, step
from hub.table.views import public_view, seat_views
from hub.wire.log import GENESIS, Scribe
from tests.bench.figures import Figure, at_least, rate
from tests.rules.tricube import wander
from tests.support import lanterns
from tests.support.asking import Given, as_input
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.tabletalk import DUEL, TableTalk

ENERGY = {"attack": 99, "defend": 99, "grapple": 99}
ACTIONS = [*Action]
EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
ROUNDS = 5
SECONDS = 0.4
_BEATS = {
    *{("attack", "grapple"), ("defend", "attack"), ("grapple", "defend")},
    *{("high", "mid"), ("low", "high"), ("mid", "low")},
    *{("jump", "low"), ("jump", "spin"), ("spin", "high"), ("spin", "mid")},
    *{("mid", "jump"), ("high", "jump"), ("low", "spin")},
}
TALE: dict[str, Any] = {
    "ruleset": "tricube",
    "dice": "table",
    "challenges": {"wall": {"effort": 30}, "dogs": {"deadly": True, "effort": 20}},
    "characters": {
        "ada": {"trait": "agile", "concept": "ranger", "perks": ["rope"], "quirks": ["greedy"]},
        "bo": {"trait": "brawny", "concept": "priest", "perks": ["song"], "quirks": ["vain"]},
        "crow": {"trait": "crafty", "concept": "thief", "perks": ["wings"], "quirks": ["loud"]},
    },
}
PLAYS: dict[str, tuple[str, dict[str, Any], int]] = {
    "triangle": ("a duel", DUEL, 60),
    "tourists": ("a Conflict", lanterns.SCENE, 60),
    "tricube": ("a tale", TALE, 60),
}
"""Family → what is played, its scene, and the most steps."""
LAST_RESORTS = ("end", "move surrender", "concede", "pass")
_BASE = {"attack": 3, "defend": 2, "grapple": 4}


def bare_turn(mine: tuple[str, str], theirs: tuple[str, str], stance: int) -> tuple[int, int]:
    """The winner and the loss, without a conflict around it."""
    for a, b in zip(mine, theirs, strict=True):
        if (a, b) in _BEATS:
            return 1, stance * 2 + _BASE[mine[0]]
        if (b, a) in _BEATS:
            return -1, _BASE[theirs[0]]
    return 0, _BASE[theirs[0]]


def turns() -> Figure:
    game = game_of("unroll")
    names = list(game.edition.moves)
    setup = {
        "sides": {"a": ["x"], "b": ["y"]},
        "characters": {n: {"energy": ENERGY, "moves": names} for n in "xy"},
    }
    begun = name_active(game.begin(setup), "x")
    begun = choose_opponent(begun, begun.turn, "y")
    pairs = [{"x": game.edition.moves[a], "y": game.edition.moves[b]} for a in names for b in names]
    none = {"x": None, "y": None}
    bare = [(a.split("-"), b.split("-")) for a in names for b in names]

    def engine() -> int:
        for moves in pairs:
            shown = reveal_stances(begun, begun.turn, none)
            judged = judge(shown, shown.turn, moves)
            settle(judged, judged.turn)
        return len(pairs)

    def function() -> int:
        for mine, theirs in bare:
            bare_turn(mine, theirs, 0)
        return len(bare)

    measured, baseline = _paired(engine, function)
    return Figure.of(
        "rules: turns resolved", "/s", measured, baseline,
        "a function that only finds winner and loss", at_least(50_000),
    )  # fmt: skip


class Fight(Struct):
    """A whole played conflict: its beginning, and each turn's choices."""

    begun: Conflict
    turns: list[tuple[str, str, dict[str, Stance | None], dict[str, Move | None]]]


def conflicts() -> Figure:
    """Whole conflicts of the three books, from the first turn to the last."""
    random = Random(3)
    fights = [_fight(random, edition) for edition in EDITIONS for _ in range(20)]
    bare = [
        (moves[active].id.split("-"), moves[opponent].id.split("-"))  # type: ignore[union-attr]
        for fight in fights
        for active, opponent, _, moves in fight.turns
        if moves[active] and moves[opponent]
    ]

    def engine() -> int:
        for fight in fights:
            conflict = fight.begun
            for active, opponent, stances, moves in fight.turns:
                conflict = _turn(conflict, active, opponent, stances, moves)
        return sum(len(fight.turns) for fight in fights)

    def function() -> int:
        for mine, theirs in bare:
            bare_turn(mine, theirs, 0)
        return len(bare)

    measured, baseline = _paired(engine, function)
    return Figure.of(
        "rules: turns of whole conflicts", "/s", measured, baseline,
        "a function that only finds winner and loss", at_least(50_000),
    )  # fmt: skip


def _fight(random: Random, edition: Edition) -> Fight:
    moves = list(edition.moves)
    characters = {
        name: {"energy": {"attack": 9, "defend": 9, "grapple": 9}, "moves": random.sample(moves, 8),
               "combos": {m: random.sample(moves, 2) for m in random.sample(moves, 4)}}
        for name in ("ada", "bo", "cy", "ninja", "oni", "rat")
    }  # fmt: skip
    sides = {"players": ["ada", "bo", "cy"], "gm": ["ninja", "oni", "rat"]}
    conflict = game_of(edition.id).begin({"sides": sides, "characters": characters})
    fight = Fight(conflict, [])
    while conflict.result is None:
        active = random.choice(may_act(conflict) or conflict.still_in())
        named = name_active(conflict, active)
        foes = [n for n in conflict.fighters if why_not_opponent(named, named.turn, n) is None]
        opponent = random.choice(foes)
        begun = choose_opponent(named, named.turn, opponent)
        shown: dict[str, Move | None] = {}
        stances: dict[str, Stance | None] = {}
        for name in (active, opponent):
            shown[name] = random.choice(list(available(begun, name)) or [None])
            action = random.choice(list(Action))
            most = conflict.fighters[name].energy.of(action)
            stances[name] = Stance(action, random.randint(1, most)) if most else None
        conflict = _turn(conflict, active, opponent, stances, shown)
        fight.turns.append((active, opponent, stances, shown))
    return fight


def _turn(
    conflict: Conflict,
    active: str,
    opponent: str,
    stances: dict[str, Stance | None],
    moves: dict[str, Move | None],
) -> Conflict:
    conflict = name_active(conflict, active)
    conflict = choose_opponent(conflict, conflict.turn, opponent)
    conflict = reveal_stances(conflict, conflict.turn, stances)
    conflict = judge(conflict, conflict.turn, moves)
    return settle(conflict, conflict.turn)


class Anything:
    """Chooses at random for all."""

    def __init__(self, random: Random) -> None:
        self.random = random.random

    def active(self, conflict: Conflict, names: Sequence[str]) -> str:
        return names[int(self.random() * len(names))]

    opponent = active

    def stance(self, conflict: Conflict, name: str) -> Stance | None:
        action = ACTIONS[int(self.random() * len(ACTIONS))]
        most = conflict.fighters[name].energy.of(action)
        return Stance(action, 1 + int(self.random() * most)) if most else None

    def move(self, conflict: Conflict, name: str, moves: Sequence[Move]) -> Move | None:
        return moves[int(self.random() * len(moves))] if moves else None


def playouts() -> Figure:
    """Whole conflicts of the three books with their choices, against choosing from offers."""
    random = Random(3)
    begun = [_fight(random, edition).begun for edition in EDITIONS for _ in range(20)]
    chooser = Anything(random)

    def without_offers() -> int:
        ends = (play_out(conflict, chooser).turn for conflict in begun)
        return sum(turn.number for turn in ends if turn)

    def by_offers() -> int:
        state = random.choice(begun)
        game = game_of(state.scene.edition.id)
        while (pending := game.pending(state)).must:
            choices = {}
            for actor in pending.must:
                offers = [o for o in game.offers(state, actor) if o.choice.kind in pending.kinds]
                choices[actor] = random.choice([o.choice for o in offers if not o.reason])
            state = game.advance(state, choices)
        return game.turn(state)

    measured, baseline = _paired(without_offers, by_offers)
    return Figure.of(
        "rules: turns of playouts", "/s", measured, baseline,
        "the same by what the Game protocol offers", at_least(30_000),
    )  # fmt: skip


class Play(Struct):
    """A played scene as the hub meets it: the table before, and each input with its time (ms since
    the Unix epoch) and random bytes."""

    name: str
    ruleset: str
    scene: dict[str, Any]
    settings: Settings
    state: TableState
    desk: Desk
    inputs: list[tuple[i.Input, int, bytes]]

    def repeat(self) -> int:
        """Step and fold each input, and make the views that follow from its records, as the hub
        does."""
        state, desk, head = self.state, self.desk, GENESIS
        for given, now_ms, entropy in self.inputs:
            scribe = Scribe(head)
            done = step(
                state, desk, given,
                settings=self.settings, now_ms=now_ms, entropy=entropy, written=scribe,
            )  # fmt: skip
            state, desk, head = done.state, done.desk, scribe.head
            if done.records:
                public_view(state, seat_views(state, self.settings, desk), head)
        return len(self.inputs)


class Recording(TableTalk):
    """A table that keeps its inputs."""

    def __init__(self, scene: dict[str, Any]) -> None:
        self.kept: list[tuple[i.Input, int, bytes]] = []
        super().__init__(scene, reveal_delay_ms=0, dwell_ms=0)
        self.kept.clear()

    def stepped(self, given: Given, scribe: Scribe) -> Step:
        done = super().stepped(given, scribe)
        self.kept.append((as_input(given), self.now_ms, self.entropy(self._steps)))
        return done


def played(family: str) -> Play:
    """A scene of a family, played at random with cards and decisions."""
    name, scene, rounds = PLAYS[family]
    talk = Recording(scene)
    state, desk = talk.state, talk.desk
    talk.start()
    random = Random(1)
    for _ in range(rounds):
        _round(talk, random)
    assert len(talk.kept) > 60, "it ended too soon"
    return Play(name, scene["ruleset"], scene, talk.settings, state, desk, talk.kept)


def _round(talk: TableTalk, random: Random) -> None:
    """Everybody chooses: in words, or with a card that is lifted after the step."""
    scene = talk.state.scene
    if scene is None or talk.phase is Phase.OVER:
        return
    pending = scene.pending
    for actor in pending.must:
        now = talk.state.scene
        if now is None or now.phase_no != scene.phase_no or actor not in now.waits_for():
            continue
        choice = _chosen(now.rules, now.game, actor, random)
        seat = scene.seat_of(actor)
        if pending.kind is Kind.DECISION or seat is None:
            talk.decide(actor, str(choice))
        else:
            talk.place(seat, str(choice))
    talk.clear()
    talk.wait(1000)


def _chosen(game: Game[Any], state: Any, actor: str, random: Random) -> Choice:
    """A legal choice: an offered one or, where the rules offer none, a written one."""
    pending = game.pending(state)
    offers = [o for o in game.offers(state, actor) if o.choice.kind in pending.kinds]
    able = [o.choice for o in offers if not o.reason and str(o.choice) not in LAST_RESORTS]
    if game.ruleset == "tricube":
        able += [wander.made(state, pending.step, actor, random, count) for count in range(9)]
    elif "drawn" in pending.kinds and (deck := sorted(state.conflict.deck)):
        able += [Choice("drawn", f"{random.choice(deck)} {way}") for way in ("upright", "reversed")]
    able = [each for each in able if game.why_not(state, actor, each) is None]
    return random.choice(able or [o.choice for o in offers if not o.reason])


def inputs(family: str = "triangle") -> Figure:
    """Cards laid, dwelt, sealed, revealed and lifted, and decisions; each input with its views, as
    in the hub."""
    play = played(family)
    game = game_of(play.ruleset)

    def rules() -> int:
        state, random, done = game.begin(play.scene), Random(1), 0
        while (pending := game.pending(state)).must and done < 60:
            spared = {actor for group in pending.one_of for actor in group[1:]}
            asked = (actor for actor in pending.must if actor not in spared)
            choices = {actor: _chosen(game, state, actor, random) for actor in asked}
            state = game.advance(state, choices, bytes(32))
            done += len(choices)
        return done

    measured, baseline = _paired(play.repeat, rules)
    return Figure.of(
        f"table: inputs of {play.name} (step, fold, views)", "/s", measured, baseline,
        "the rules alone, choices through the Game protocol", at_least(10_000),
    )  # fmt: skip


def _paired(first: Callable[[], int], second: Callable[[], int]) -> tuple[list[float], list[float]]:
    """Run both in turn, so that a machine that slows down slows both."""
    pairs = [(rate(first, SECONDS), rate(second, SECONDS)) for _ in range(ROUNDS)]
    return [a for a, _ in pairs], [b for _, b in pairs]
