"""A small game of parties with answers: after each card, every player with a token left is asked.

A player who is asked accepts the card, or spends a token to turn it; then everyone is asked again.
A card from a player's own reserve, laid while a card is being answered, covers it. After the last
word one member of a party tells the result. It comes from no book.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from hub.games.game import MAX_WORD_CHARS, Choice, Kind
from hub.games.rulebooks import Rulebooks
from hub.games.steps import Declaration, Step
from hub.kernel.reasons import Reason, put
from tests.support.parties import SCENE, Bid, Draw, Parties, PartiesGame, PartiesView

RULESET = "answers"


class Asked(Parties, frozen=True, kw_only=True):
    tokens: Mapping[str, int]
    """Tokens left to each player; one turns a card."""
    reserve: Mapping[str, tuple[int, ...]]
    """Each player's cards for covering."""
    asks: bool = False
    """Whether a card is being answered."""
    let_all: frozenset[str] = frozenset()
    anew: int = 0
    answers: tuple[str, ...] = ()
    """In order: who turned the card, or which card covered it."""
    told: tuple[str, ...] = ()
    ended: bool = False

    def asked(self) -> tuple[str, ...]:
        able = (who for who, left in self.tokens.items() if left or self.reserve[who])
        return tuple(who for who in able if who not in self.let_all)


def answered(state: Asked, what: str) -> Asked:
    """Ask everyone again after an answer; end the asking if no one can answer any more."""
    after = replace(state, answers=(*state.answers, what), anew=state.anew + 1)
    return replace(after, asks=bool(after.asked()))


class Turn(Declaration[Asked]):
    word = "turn"
    by_card = True

    def why_not(self, state: Asked, actor: str, value: str) -> Reason | None:
        if value:
            return put("turn, and nothing else")
        return None if state.tokens.get(actor) else put(f"{actor} has no token left")

    def follow(self, state: Asked, actor: str, value: str) -> Asked:
        left = {**state.tokens, actor: state.tokens[actor] - 1}
        return answered(replace(state, tokens=left), f"{actor} turns")


class Cover(Declaration[Asked]):
    word = "drawn"
    by_card = True

    def values(self, state: Asked) -> Iterator[str]:
        yield from ()

    def why_not(self, state: Asked, actor: str, value: str) -> Reason | None:
        own = value.isdecimal() and int(value) in state.reserve.get(actor, ())
        return None if own else put(f"{value} is none of {actor}’s reserve")

    def follow(self, state: Asked, actor: str, value: str) -> Asked:
        left = tuple(card for card in state.reserve[actor] if card != int(value))
        covered = replace(state, reserve={**state.reserve, actor: left})
        return answered(covered, f"{actor} covers by {value}")


class Tale(Declaration[Asked]):
    """Any player may tell something."""

    word = "tale"
    is_text = True

    def values(self, state: Asked) -> Iterator[str]:
        yield from ()

    def why_not(self, state: Asked, actor: str, value: str) -> Reason | None:
        return None if 0 < len(value) <= MAX_WORD_CHARS else put("tell something, in a line")

    def follow(self, state: Asked, actor: str, value: str) -> Asked:
        return replace(state, told=(*state.told, value))


class Answers(Step[Asked]):
    """Players who can answer do so or accept the card."""

    name = "answers"
    word = "let-be"
    others = ("let-be-all",)
    kind = Kind.OPEN
    early = ("drawn", "pass")
    declarations = (Turn(), Cover(), Tale())

    def must(self, state: Asked) -> tuple[str, ...]:
        return state.asked()

    def values(self, state: Asked, actor: str) -> Iterator[str]:
        yield from ("", "let-be-all")

    def default(self, state: Asked, actor: str) -> str:
        return ""

    def why_not(self, state: Asked, actor: str, value: str) -> Reason | None:
        return put("let be, and nothing else") if value not in {"", "let-be-all"} else None

    def follow(self, state: Asked, values: Mapping[str, str], chance: bytes) -> Asked:
        all_ = {who for who, value in values.items() if value}
        return replace(state, asks=False, let_all=state.let_all | all_)


class Word(Bid):
    """A bid in which passing has a word of its own."""

    others = ("pass",)
    declarations = (Tale(),)  # type: ignore[assignment]


class Tell(Step[Asked]):
    """One member of the party tells the result."""

    name = "tell"
    word = "told"
    is_text = True

    def must(self, state: Asked) -> tuple[str, ...]:
        return next(iter(state.parties.values()))

    def one_of(self, state: Asked) -> tuple[tuple[str, ...], ...]:
        return (self.must(state),)

    def values(self, state: Asked, actor: str) -> Iterator[str]:
        yield ""

    def default(self, state: Asked, actor: str) -> str:
        return ""

    def why_not(self, state: Asked, actor: str, value: str) -> Reason | None:
        return put("too long") if len(value) > MAX_WORD_CHARS else None

    def follow(self, state: Asked, values: Mapping[str, str], chance: bytes) -> Asked:
        (text,) = values.values()
        return replace(state, told=(*state.told, text), ended=True)


DRAW, ANSWERS, WORD, TELL = Draw(), Answers(), Word(), Tell()


class AnswersView(PartiesView, frozen=True, kw_only=True, tag=RULESET):
    answers: tuple[str, ...]
    told: tuple[str, ...]


class AnswersGame(PartiesGame):
    """The Game protocol; the state is :class:`Asked`."""

    view_type = AnswersView
    texts = ("tale", "told")

    def begin(self, setup: Mapping[str, Any], rulings: int = 1) -> Asked:
        begun = super().begin(setup, rulings)
        who = self.actors(begun)
        reserve = {name: tuple(setup["reserve"].get(name, ())) for name in who}
        return Asked(
            parties=begun.parties,
            rounds=1,
            tokens={name: setup["tokens"].get(name, 0) for name in who},
            reserve=reserve,
        )

    def step_of(self, state: Any) -> Any:
        if state.round > state.rounds:
            return None if state.ended else TELL
        if state.asks:
            return ANSWERS
        return WORD if state.words else DRAW

    def advance(self, state: Any, choices: Any, *more: Any) -> Any:
        """A newly laid card is answered first."""
        after = super().advance(state, choices, *more)
        laid = self.step_of(state) is not ANSWERS and after.laid and after.laid != state.laid
        return replace(after, asks=True) if laid and after.asked() else after

    def anew(self, state: Any) -> int:
        return state.anew

    def stops(self, state: Any) -> int:
        """An undo may stop after each word and its answers."""
        return state.spoken - state.asks

    def view(self, state: Any) -> AnswersView:
        return AnswersView(
            round=state.round,
            words=state.words,
            laid=dict(state.laid),
            answers=state.answers,
            told=state.told,
        )


ANSWERED: dict[str, Any] = {
    **SCENE,
    "ruleset": RULESET,
    "tokens": {"ada": 2, "crow": 1},
    "reserve": {"bo": [19], "ninja": [20]},
}
"""Every player can answer; ada twice."""
BOOKS = Rulebooks({RULESET: AnswersGame(RULESET)}, {})


def turn() -> Choice:
    return Choice("turn")
