"""A Conflict played through the Game protocol, in the words that people use at a table.

``talk.play("D 39, L 9r turn, D -")``: the speaker, and a card or a pass; ``turn`` is said by the
speaker. After each card all accept it unless an answer is given.
"""

from collections.abc import Callable, Iterator
from typing import Any, cast

from hub.games.game import MAX_TOLD_CHARS, Choice, Game, IllegalChoice, Pending
from hub.games.registry import game_of
from hub.games.tourists.rules.conflict import Conflict, Round
from hub.games.tourists.rules.table import Table
from hub.games.tourists.rules.view import TouristsView
from tests.rules.tourists.scripts import Json, card, sheet


class Talk:
    """A Conflict from its setup on; ``tactics`` are told until the first card."""

    def __init__(self, parties: Json, *, begun: bool = True, **more: Any) -> None:
        self.game: Game[Table] = game_of("tourists")
        self.state = self.game.begin({"ruleset": "tourists", "parties": parties, **more})
        self.checked: Callable[[Table], None] = lambda _: None
        """Called with the state after every word."""
        if begun:
            self.default("reserve", "tactics")

    @classmethod
    def of(cls, state: Table) -> "Talk":
        """A talk that starts from this state."""
        talk = cls.__new__(cls)
        talk.game, talk.state, talk.checked = game_of("tourists"), state, lambda _: None
        return talk

    # The table's state

    @property
    def pending(self) -> Pending:
        return self.game.pending(self.state)

    @property
    def step(self) -> str:
        return self.pending.step

    @property
    def view(self) -> TouristsView:
        return cast("TouristsView", self.game.view(self.state))

    @property
    def conflict(self) -> Conflict:
        return self.state.conflict

    @property
    def round(self) -> Round:
        return self.conflict.playing()

    @property
    def control(self) -> tuple[str, int] | None:
        found = self.view.control
        return found and (found.party, found.ranks)

    @property
    def outcome(self) -> str:
        return str(self.round.outcome)

    def laid(self, party: str) -> list[str]:
        return [_short(each.card) for each in self.view.parties[party].laid]

    def temporary(self, party: str) -> list[int]:
        return [each.number for each in self.view.parties[party].temporary]

    def lasting(self, party: str) -> list[list[int]]:
        return [[each.number for each in loss.cards] for loss in self.view.parties[party].lasting]

    def reserve(self, who: str) -> list[str]:
        return [_short(each) for each in self.view.members[who].reserve]

    def offers(self, actor: str) -> list[str]:
        return [str(o.choice) for o in self.game.offers(self.state, actor) if o.reason is None]

    # Words

    def say(self, actor: str, text: str) -> None:
        """Make the choice for all that are awaited, or a declaration."""
        self.all(**{actor: text})

    def all(self, **said: str) -> None:
        """Make the choices of all that are awaited at once."""
        choices = {who: Choice.parse(text, MAX_TOLD_CHARS) for who, text in said.items()}
        pending = self.pending
        if len(choices) == 1:
            ((actor, choice),) = choices.items()
            declared = choice.kind in pending.declarations
            if declared and (choice.kind not in pending.kinds or actor not in pending.must):
                self._is(self.game.declare(self.state, actor, choice))
                return
        self._is(self.game.advance(self.state, choices, b"\1" * 32))

    def _is(self, state: Table) -> None:
        self.state = state
        self.checked(state)

    def awaited(self) -> Iterator[str]:
        """One member of each group, and all who are in no group."""
        pending = self.pending
        others = {who for group in pending.one_of for who in group[1:]}
        return (who for who in pending.must if who not in others)

    def default(self, *steps: str, most: int = 60) -> None:
        """Take the defaults while one of these steps is played."""
        while self.step in steps:
            assert (most := most - 1), self.step
            word = {"reserve": "pass", "refill": "pass", "parting-draw": "pass"}.get(
                self.step, self.pending.kinds[0]
            )
            self.all(**dict.fromkeys(self.awaited(), word))

    def quiet(self) -> None:
        """Accept on behalf of all who are asked."""
        self.default("answers")

    def play(self, text: str) -> "Talk":
        """Play words of an Unbalanced Round."""
        for word in text.split(", "):
            actor, said, *turned = word.split()
            assert self.step == "bid", (word, self.step)
            assert self.round.speakers[self.round.turn] == self.conflict.party_of[actor], word
            self.say(actor, "pass" if said == "-" else f"drawn {card(said)}")
            if turned:
                self.say(actor, "turn")
            self.quiet()
        return self

    def draw(self, **cards: str) -> "Talk":
        """Play a Balance Breaker; its answers may follow."""
        self.all(**{who: f"drawn {card(text)}" for who, text in cards.items()})
        return self

    def rest(self, *until: str) -> "Talk":
        """Play to the end of the round by defaults, up to one of these steps or the next round."""
        self.quiet()
        steps = ("losses", "tell", "part", "refill", "tactics")
        for step in steps:
            if self.step in until:
                return self
            self.default(step)
        return self

    def refused(self, actor: str, text: str) -> str:
        """The reason for which it is refused; nothing may change."""
        before = self.state
        try:
            self.say(actor, text)
        except IllegalChoice as no:
            assert self.state == before
            return str(no)
        raise AssertionError(f"{actor} could say {text}")


def _short(card: Any) -> str:
    return f"{card.number}{'r' if card.reversed else ''}"


TWO = {"L": sheet(8, gm=True), "D": sheet(5, 3, 1)}
"""The giant is one rank ahead, as in the book."""
FOUR = TWO | {"C": sheet(5, 4, 1), "N": sheet(4, 1)}
"""Balanced, as in the book."""


RESERVE: Json = {"reserve": ["51 reversed", "33 upright"], "reserve_max": 2}


def two(ranks: int = 1, **more: Json) -> Json:
    """A Dominant L this many ranks ahead of D and C; further parts of their sheets by name."""
    plain = {"L": sheet(5 + ranks, 1, 1), "D": sheet(5, 1, 1), "C": sheet(5, 1, 1)}
    return {name: each | more.get(name, {}) for name, each in plain.items()}
