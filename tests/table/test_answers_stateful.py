"""Cards and answers in any order: no answer comes too late, play never stalls, the log is sound.

``TableTalk`` checks every step against its fold, a restart and ``facedown verify``.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hub.table import acts as i
from hub.table import acts as r
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault, Undoes
from hub.wire.snapshot import freeze, thaw
from tests.support.answers import ANSWERED, BOOKS
from tests.support.tabletalk import TableTalk

SEATS = {"ada": "ada", "bo": "bo", "ninja": "gm", "crow": "gm"}
CARDS = ["turn", "let-be", "let-be-all", "pass", "drawn 3", "drawn 4", "drawn 19", "drawn 20", "?"]
DOINGS = st.lists(
    st.one_of(
        st.tuples(st.just("card"), st.sampled_from([*SEATS.values()]), st.sampled_from(CARDS)),
        st.tuples(st.just("lay"), st.sampled_from([*SEATS.values()]), st.sampled_from(CARDS)),
        st.tuples(st.just("word"), st.sampled_from([*SEATS]), st.sampled_from(CARDS[:-1])),
        st.tuples(
            st.sampled_from(["lift", "undo", "step", "restart", "thaw", "pause", "wait"]),
            st.just(""),
            st.just(""),
        ),
        st.tuples(st.just("let-be"), st.just(""), st.just("")),
    ),
    max_size=30,
)


def do(talk: TableTalk, what: str, who: str, card: str) -> None:
    match what:
        case "card":
            talk.lift(who)
            talk.place(who, card)
        case "lay":
            talk.lift(who)
            talk.lay(who, card)
        case "word":
            talk.decide(who, card, SEATS[who])
        case "let-be":
            for actor in talk.view.awaited if talk.step == "answers" else ():
                talk.decide(actor, "let-be")
        case "lift":
            talk.clear()
        case "restart":
            talk.restart()
        case "thaw":
            talk.state = thaw(freeze(talk.state), BOOKS)
        case "pause":
            talk.give(i.Pause())
            talk.give(i.Resume())
        case "wait":
            talk.wait(1_500)
        case "undo" | "step":
            talk.give(i.Undo(Undoes.PLAY if what == "undo" else Undoes.STEP))


def held(talk: TableTalk, new: list[r.Record]) -> None:
    """Invariants after each action."""
    scene = talk.state.scene
    assert scene is not None
    for each in new:
        match each.event:
            case r.Declared(choice="turn"):
                assert scene.phase_no > each.event.phase, "nobody was asked anew"
            case r.Decided(choice=choice, phase=phase) if choice.startswith("drawn"):
                assert scene.phase_no >= phase
    game: Any = scene.game
    assert sum(game.tokens.values()) + sum("turns" in a for a in game.answers) == 3
    assert len({*game.answers}) >= len(game.answers) - 1, "ada alone may do the same twice"
    for seat in ("ada", "bo", "gm"):
        waiting = talk.matter(seat) is Signal.WAITS
        assert not waiting or talk.lying[seat], "nothing waits that does not lie there"


def play_out(talk: TableTalk) -> None:
    """Let the GM alone take the game to its end."""
    talk.clear()
    for _ in range(200):
        if talk.phase is Phase.OVER:
            return
        actor = (talk.state.scene or talk).waits_for()[0]  # type: ignore[union-attr]
        talk.decide(
            actor,
            {"answers": "let-be", "bid": "pass", "draw": "drawn 1", "tell": "told"}[talk.step],
        )
    raise AssertionError("somebody is stuck")


@settings(max_examples=60, deadline=None)
@given(doings=DOINGS)
def test_the_invariants_hold_for_any_cards_and_answers(doings: list[tuple[str, str, str]]) -> None:
    talk = TableTalk(ANSWERED, rulebooks=BOOKS)
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    for each in doings:
        before, known = talk.state, len(talk.records)
        try:
            do(talk, *each)
        except SeatFault:
            assert talk.state.scene is before.scene or each[0] == "let-be"
        held(talk, talk.records[known:])
    talk.wait(1_500)
    if talk.step not in {"answers", ""}:
        assert Signal.WAITS not in {talk.matter(seat) for seat in ("ada", "bo", "gm")}
    play_out(talk)
