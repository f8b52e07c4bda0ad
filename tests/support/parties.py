"""A small game without sealed cards that drives the table in tests: parties, and words in turn.

Each round has a draw, in which one player of every party lays a card, and then words around the
table: one member of a party lays another card, or passes. A round is over when all have passed; the
game is over after the last round. It comes from no book.
"""

from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import Choice, Consequence, GameView, Kind
from hub.games.rulebooks import Rulebooks
from hub.games.steps import Step, StepGame
from hub.kernel.reasons import Reason, put

RULESET = "parties"
HIGHEST = 20


class Card(Struct, frozen=True):
    """A card on the table and the player who laid it."""

    number: int
    by: str


class Parties(Struct, frozen=True, kw_only=True):
    parties: Mapping[str, tuple[str, ...]]
    """Name → its players."""
    rounds: int = 2
    round: int = 1
    laid: Mapping[str, tuple[Card, ...]] = {}
    """Party → its cards of this round."""
    words: int = 0
    """Words of this round, the draw included."""
    spoken: int = 0
    """Words of all rounds."""
    passes: int = 0
    """Consecutive passes so far."""
    seen: frozenset[int] = frozenset()
    """Cards that the hub has drawn."""

    def deck(self) -> list[int]:
        """The cards that the hub can still draw."""
        return [number for number in range(1, HIGHEST + 1) if number not in self.seen]

    def party_of(self, actor: str) -> str:
        return next(name for name, players in self.parties.items() if actor in players)

    def speaks(self) -> str:
        """The party whose turn it is."""
        return [*self.parties][(self.words - 1) % len(self.parties)]


def _why_not_card(value: str) -> Reason | None:
    known = value.isdecimal() and 0 < int(value) <= HIGHEST
    return None if known else put(f"cards go from 1 to {HIGHEST}")


class Draw(Step[Parties]):
    """One player of every party lays a card."""

    name = "draw"
    word = "drawn"
    kind = Kind.OPEN

    def must(self, state: Parties) -> tuple[str, ...]:
        return tuple(who for players in state.parties.values() for who in players)

    def one_of(self, state: Parties) -> tuple[tuple[str, ...], ...]:
        return tuple(state.parties.values())

    def values(self, state: Parties, actor: str) -> Iterator[str]:
        yield "1"  # a stand-in for any card on top of the deck

    def why_not(self, state: Parties, actor: str, value: str) -> Reason | None:
        return _why_not_card(value)

    def follow(self, state: Parties, values: Mapping[str, str], chance: bytes) -> Parties:
        laid = {state.party_of(who): (Card(int(value), who),) for who, value in values.items()}
        return replace(state, laid=laid, words=1, spoken=state.spoken + 1)


class Bid(Step[Parties]):
    """One player of a party lays another card, or passes."""

    name = "bid"
    word = "drawn"
    kind = Kind.OPEN

    def must(self, state: Parties) -> tuple[str, ...]:
        return state.parties[state.speaks()]

    def one_of(self, state: Parties) -> tuple[tuple[str, ...], ...]:
        return (self.must(state),)

    def values(self, state: Parties, actor: str) -> Iterator[str]:
        yield "pass"

    def why_not(self, state: Parties, actor: str, value: str) -> Reason | None:
        return None if value == "pass" else _why_not_card(value)

    def follow(self, state: Parties, values: Mapping[str, str], chance: bytes) -> Parties:
        ((who, value),) = values.items()
        spoken = replace(state, words=state.words + 1, spoken=state.spoken + 1)
        if value == "pass":
            return replace(spoken, passes=state.passes + 1)
        party = state.party_of(who)
        cards = (*state.laid[party], Card(int(value), who))
        return replace(spoken, laid={**state.laid, party: cards}, passes=0)


class SealedDraw(Draw):
    """The draw, face down."""

    kind = Kind.SEALED


def drawn_by_chance(deck: list[int], who: list[str], chance: bytes) -> dict[str, int]:
    """Draw a card for each of them, by name, from what is left of the deck."""
    left, found = [*deck], {}
    for name in sorted(who):
        said = sha256(chance + name.encode()).digest()
        found[name] = left.pop(int.from_bytes(said, "big") % len(left))
    return found


class HubDraw(Draw):
    """The hub draws for the players from its own deck."""

    word = "draw"
    chance = True

    def values(self, state: Parties, actor: str) -> Iterator[str]:
        yield ""

    def why_not(self, state: Parties, actor: str, value: str) -> Reason | None:
        return put("draw, and nothing else") if value else None

    def falls_on(self, state: Parties, values: Mapping[str, str]) -> Mapping[str, Any]:
        return {"deck": state.deck()}

    def follow(self, state: Parties, values: Mapping[str, str], chance: bytes) -> Parties:
        cards = drawn_by_chance(state.deck(), [*values], chance)
        laid = {who: str(number) for who, number in cards.items()}
        after = super().follow(state, laid, chance)
        return replace(after, seen=state.seen | {*cards.values()})


class HubBid(HubDraw, Bid):
    """A bid in which the hub draws."""

    name = "bid"
    others = ("pass",)
    must, one_of = Bid.must, Bid.one_of

    def values(self, state: Parties, actor: str) -> Iterator[str]:
        yield from ("", "pass")

    def why_not(self, state: Parties, actor: str, value: str) -> Reason | None:
        return None if value == "pass" else super().why_not(state, actor, value)

    def follow(self, state: Parties, values: Mapping[str, str], chance: bytes) -> Parties:
        ((who, value),) = values.items()
        if value == "pass":
            return Bid.follow(self, state, values, chance)
        (number,) = drawn_by_chance(state.deck(), [who], chance).values()
        after = Bid.follow(self, state, {who: str(number)}, chance)
        return replace(after, seen=state.seen | {number})


DRAW, BID = Draw(), Bid()


class PartiesView(GameView, frozen=True, kw_only=True, tag=RULESET):
    round: int
    words: int
    laid: dict[str, tuple[Card, ...]]


class PartiesGame(StepGame[Parties]):
    """The Game protocol; the state is :class:`Parties`."""

    over = put("the last round is over")
    view_type = PartiesView

    def __init__(self, ruleset: str = RULESET, draw: Draw = DRAW, bid: Bid = BID) -> None:
        self.ruleset, self.draw, self.bid = ruleset, draw, bid
        self.tells_falls = self.shows_setup = draw.chance

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> Mapping[str, Any]:
        who = [name for name, choice in choices.items() if choice.kind == "draw"]
        return {"drawn": drawn_by_chance(on["deck"], who, chance)}

    def begin(self, setup: Mapping[str, Any], rulings: int = 1) -> Parties:
        parties = {name: tuple(players) for name, players in setup["parties"].items()}
        return Parties(parties=parties, rounds=setup.get("rounds", 2))

    def actors(self, state: Parties) -> tuple[str, ...]:
        return tuple(who for players in state.parties.values() for who in players)

    def sides(self, state: Parties) -> tuple[str, ...]:
        return tuple(state.parties)

    def step_of(self, state: Parties) -> Step[Parties] | None:
        if state.round > state.rounds:
            return None
        return self.bid if state.words else self.draw

    def go_on(self, state: Parties) -> Parties:
        if state.passes < len(state.parties):
            return state
        return replace(state, round=state.round + 1, laid={}, words=0, passes=0)

    def stops(self, state: Parties) -> int:
        """An undo may stop after each word."""
        return state.spoken

    def turn(self, state: Parties) -> int:
        return min(state.round, state.rounds)

    def view(self, state: Parties) -> PartiesView:
        return PartiesView(round=state.round, words=state.words, laid=dict(state.laid))

    def consequences(self, before: Any, after: Any) -> list[Consequence]:
        return []


SCENE: dict[str, Any] = {
    "ruleset": RULESET,
    "parties": {"north": ["ada", "bo"], "south": ["ninja", "crow"]},
}
SEALED_SCENE: dict[str, Any] = {**SCENE, "ruleset": "parties-sealed"}
"""The same scene with sealed draws."""
HUB_SCENE: dict[str, Any] = {**SCENE, "ruleset": "parties-hub"}
"""The same scene with a deck that the hub draws from."""
GAMES = (
    PartiesGame(),
    PartiesGame("parties-sealed", SealedDraw()),
    PartiesGame("parties-hub", HubDraw(), HubBid()),
)
BOOKS = Rulebooks({game.ruleset: game for game in GAMES}, {})


def drawn(number: int) -> Choice:
    """The choice of laying this card."""
    return Choice("drawn", str(number))
