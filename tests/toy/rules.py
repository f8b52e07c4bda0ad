"""The toy's rules: players try to reach a number with dice.

In a round, all who are in seal an approach, careful with two dice or bold with three. The dice are
thrown at the reveal, and the two best count. A player who falls short may spend tokens, one for
each point; one who fails boldly loses a token. The GM then calls another round, or ends it.
"""

from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import GM, Choice, Consequence, GameView, Kind, SetupError
from hub.games.steps import Declaration, Step, StepGame
from hub.kernel.documents import Document
from hub.kernel.faults import shown
from hub.kernel.reasons import put

from .reasons import Reason

RULESET = "toy-dice"
DICE = {"careful": 2, "bold": 3}
"""Dice for each approach."""
KEPT = 2
SIDES = 6
MOST_TOKENS = 9


def _none_of(value: str, names: Iterable[str]) -> Reason:
    return Reason("not-one-of", text=shown(value), names=[*names])


class Player(Struct, frozen=True):
    tokens: int = 3
    out: bool = False


class Reach(Struct, frozen=True, kw_only=True):
    number: int
    players: Mapping[str, Player]
    round: int = 1
    approaches: Mapping[str, str] | None = None
    """As revealed."""
    dice: Mapping[str, tuple[int, ...]] = {}
    spent: Mapping[str, int] | None = None
    over: bool = False

    def still_in(self) -> tuple[str, ...]:
        return tuple(name for name, player in self.players.items() if not player.out)

    def short(self, name: str) -> int:
        """The points that a player lacks before spending."""
        return max(0, self.number - sum(sorted(self.dice[name])[-KEPT:]))

    def reached(self, name: str) -> bool:
        return self.short(name) <= (self.spent or {}).get(name, 0)


def dice_of(chance: bytes, name: str, count: int) -> tuple[int, ...]:
    """This many dice for a player: deterministic and uniform in the bytes."""
    fallen: list[int] = []
    block = 0
    while len(fallen) < count:
        drawn = sha256(chance + block.to_bytes(4, "big") + name.encode()).digest()
        fair = 256 - 256 % SIDES
        fallen += [byte % SIDES + 1 for byte in drawn if byte < fair]
        block += 1
    return tuple(fallen[:count])


class Yields(Declaration[Reach]):
    """A player takes no part from the next round on."""

    word = "yield"

    def why_not(self, state: Reach, actor: str, value: str) -> Reason | None:
        if value:
            return Reason("alone", what=self.word)
        return None if actor in state.still_in() else Reason("not-in-turn", who=actor)

    def follow(self, state: Reach, actor: str, value: str) -> Reach:
        left = replace(state.players[actor], out=True)
        return replace(state, players={**state.players, actor: left})


def dice_by(chance: bytes, approaches: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    """The dice of all players with an approach."""
    return {name: dice_of(chance, name, DICE[how]) for name, how in approaches.items()}


class Approach(Step[Reach]):
    name = word = "approach"
    kind = Kind.SEALED
    chance = True

    def must(self, state: Reach) -> tuple[str, ...]:
        return state.still_in()

    def values(self, state: Reach, actor: str) -> Iterator[str]:
        yield from DICE

    def why_not(self, state: Reach, actor: str, value: str) -> Reason | None:
        return None if value in DICE else Reason("not-one-of", text=shown(value), names=[*DICE])

    def follow(self, state: Reach, values: Mapping[str, str], chance: bytes) -> Reach:
        return replace(state, approaches=values, dice=dice_by(chance, values))


class Spend(Step[Reach]):
    """A player who is short and could make it says how much to spend."""

    name = word = "spend"

    def must(self, state: Reach) -> tuple[str, ...]:
        players = state.players
        return tuple(n for n in state.dice if 0 < state.short(n) <= players[n].tokens)

    def values(self, state: Reach, actor: str) -> Iterator[str]:
        yield str(state.short(actor))
        yield "0"

    def default(self, state: Reach, actor: str) -> str | None:
        return next(self.values(state, actor))

    def why_not(self, state: Reach, actor: str, value: str) -> Reason | None:
        open_now = [*self.values(state, actor)]
        return None if value in open_now else _none_of(value, open_now)

    def follow(self, state: Reach, values: Mapping[str, str], chance: bytes) -> Reach:
        return settled(state, {name: int(value) for name, value in values.items()})


class Next(Step[Reach]):
    name = word = "next"
    declarations = (Yields(),)

    def must(self, state: Reach) -> tuple[str, ...]:
        return (GM,)

    def values(self, state: Reach, actor: str) -> Iterator[str]:
        if state.still_in():
            yield "round"
        yield "end"

    def default(self, state: Reach, actor: str) -> str | None:
        return next(self.values(state, actor))

    def why_not(self, state: Reach, actor: str, value: str) -> Reason | None:
        values = [*self.values(state, actor)]
        return None if value in values else _none_of(value, values)

    def follow(self, state: Reach, values: Mapping[str, str], chance: bytes) -> Reach:
        if values[GM] == "end":
            return replace(state, over=True)
        begun = replace(state, approaches=None, dice={}, spent=None)
        return replace(begun, round=state.round + 1)


def settled(state: Reach, spent: Mapping[str, int]) -> Reach:
    """The round with its tokens paid."""
    after = replace(state, spent=spent)
    players = dict(state.players)
    for name, how in (state.approaches or {}).items():
        lost = spent.get(name, 0) + (how == "bold" and not after.reached(name))
        players[name] = replace(players[name], tokens=max(0, players[name].tokens - lost))
    return replace(after, players=players)


APPROACH, SPEND, NEXT = Approach(), Spend(), Next()


class ReachPlayer(Struct, frozen=True, kw_only=True):
    tokens: int
    out: bool
    approach: str | None
    dice: tuple[int, ...]
    reached: bool | None
    """Whether the player has reached the number; None before the round is settled."""


class ReachView(GameView, frozen=True, kw_only=True, tag=RULESET):
    number: int
    round: int
    players: dict[str, ReachPlayer]


class Reached(Consequence, frozen=True, kw_only=True, tag="reached"):
    name: str
    dice: tuple[int, ...]


class Missed(Consequence, frozen=True, kw_only=True, tag="missed"):
    name: str
    dice: tuple[int, ...]


class ReachGame(StepGame[Reach]):
    """The Game protocol; the state is :class:`Reach`."""

    ruleset = RULESET
    over = Reason("toy-over")
    shows_setup = True
    tells_falls = True

    def begin(self, setup: Mapping[str, Any], rulings: int = 1) -> Reach:
        state = read_setup(document := Document(None), setup)
        if document.faults:
            raise SetupError(*document.faults)
        return state

    def actors(self, state: Reach) -> tuple[str, ...]:
        return tuple(state.players)

    def step_of(self, state: Reach) -> Step[Reach] | None:
        if state.over:
            return None
        if state.approaches is None:
            return APPROACH
        return SPEND if state.spent is None else NEXT

    def go_on(self, state: Reach) -> Reach:
        """Settle a round in which no player can spend anything."""
        unpaid = self.step_of(state) is SPEND
        return settled(state, {}) if unpaid and not SPEND.must(state) else state

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> dict[str, Any]:
        """The dice follow from the approaches."""
        if on:
            raise ValueError("dice fall on nothing")
        return {"dice": dice_by(chance, {who: each.value for who, each in choices.items()})}

    def turn(self, state: Reach) -> int:
        return state.round

    def view(self, state: Reach) -> ReachView:
        return ReachView(
            number=state.number,
            round=state.round,
            players={
                name: ReachPlayer(
                    tokens=player.tokens,
                    out=player.out,
                    approach=(state.approaches or {}).get(name),
                    dice=state.dice.get(name, ()),
                    reached=None
                    if state.spent is None or name not in state.dice
                    else state.reached(name),
                )
                for name, player in state.players.items()
            },
        )

    view_type = ReachView

    def consequences(self, before: ReachView | None, after: ReachView) -> list[Consequence]:
        found: list[Consequence] = []
        for name, player in after.players.items():
            then = before.players[name] if before else None
            if player.reached is None or (then and then.reached is not None):
                continue
            kind = Reached if player.reached else Missed
            found.append(kind(name=name, dice=player.dice))
        return found


def read_setup(document: Document, setup: object) -> Reach:
    """A scene from JSON values; faults are added to ``document``."""
    given = document.table(setup, (), ("number", "players"), ("ruleset",))
    number = document.number(given.get("number", 0), ("number",))
    players = {}
    for name, value in document.table(given.get("players", {}), ("players",)).items():
        place = ("players", name)
        tokens = document.table(value, place, (), ("tokens",)).get("tokens", Player().tokens)
        if document.number(tokens, (*place, "tokens")) > MOST_TOKENS:
            document.blame((*place, "tokens"), put(f"nobody has more than {MOST_TOKENS}"))
        if name == GM:
            document.blame(place, put(f"nobody may be called {GM}"))
        players[name] = Player(tokens)
    if not players and not document.faults:
        document.blame(("players",), put("name somebody"))
    return Reach(number=number, players=players)
