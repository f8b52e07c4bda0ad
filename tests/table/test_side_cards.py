"""Cards that declare and early cards, at choices other than answers."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import Choice
from hub.games.rulebooks import Rulebooks
from hub.games.steps import Declaration
from hub.kernel.reasons import Reason
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.state import SeatFault
from tests.support.answers import ANSWERED, WORD, AnswersGame, Word
from tests.support.parties import SEALED_SCENE, Parties, PartiesGame, SealedDraw
from tests.support.tabletalk import TableTalk
from tests.table.test_answers import laid, words


class _Patient(Word):
    """A word during which other players' cards wait for their turn."""

    early = ("drawn",)


class _Patience(AnswersGame):
    def step_of(self, state: Any) -> Any:
        step = super().step_of(state)
        return _Patient() if step is WORD else step


def test_an_awaited_card_is_refused_even_if_it_could_be_early_for_others() -> None:
    talk = TableTalk(
        {**ANSWERED, "tokens": {}, "reserve": {}},
        rulebooks=Rulebooks({"answers": _Patience("answers")}, {}),
    )
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    talk.place("bo", "drawn 77")
    assert talk.last_signal("bo") is Signal.REFUSED and "from 1 to 20" in talk.last_words("bo")
    talk.place("gm", "drawn 5")
    assert talk.last_signal("gm") is Signal.WAITS
    talk.lift("bo")
    talk.place("bo", "drawn 8")
    talk.wait(1_000)
    assert laid(talk) == {"north": [(7, "ada"), (8, "bo")], "south": [(9, "ninja"), (5, "ninja")]}


class _Cry(Declaration[Parties]):
    word = "cry"
    by_card = True

    def why_not(self, state: Parties, actor: str, value: str) -> Reason | None:
        return None

    def follow(self, state: Parties, actor: str, value: str) -> Parties:
        return replace(state, passes=state.passes + 1)


class _FaceDown(SealedDraw):
    declarations = (_Cry(),)
    early = ("pass",)


def test_in_a_sealed_step_no_card_declares_or_waits() -> None:
    """A reader's reaction would reveal the card on it."""
    game = PartiesGame("parties-sealed", _FaceDown())
    talk = TableTalk(SEALED_SCENE, rulebooks=Rulebooks({game.ruleset: game}, {}))
    talk.start()
    for card in ("cry", "pass"):
        talk.place("ada", card)
        assert talk.last_signal("ada") is Signal.REFUSED
        talk.lift("ada")
    with pytest.raises(SeatFault):
        talk.give(i.Request(i.Commit("ada", Sealed(Choice("cry"))), "ada"))
    assert words(talk, r.Declared) == [] and talk.committed == ()
    talk.decide("ada", "cry")
    assert words(talk, r.Declared) == ["ada cry"]
