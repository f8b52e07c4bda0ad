"""Parties acting in any order: one member each chooses, each word is a stop, the log is sound.

``TableTalk`` checks every step against its fold, a restart and ``facedown verify``.
"""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from hub.table import acts as i
from hub.table.state import SeatFault, Undoes
from hub.wire.snapshot import freeze, thaw
from tests.support.parties import BOOKS, SCENE, SEALED_SCENE, drawn
from tests.support.tabletalk import TableTalk

SEATS = {"ada": "ada", "bo": "bo", "ninja": "gm", "crow": "gm"}
DOINGS = st.lists(
    st.one_of(
        st.tuples(st.just("card"), st.sampled_from(["ada", "bo", "gm"]), st.integers(1, 22)),
        st.tuples(st.just("word"), st.sampled_from([*SEATS]), st.integers(0, 22)),
        st.tuples(
            st.sampled_from(["lift", "undo", "step", "restart", "thaw"]), st.just(""), st.just(0)
        ),
    ),
    max_size=25,
)


def do(talk: TableTalk, what: str, who: str, number: int) -> None:
    match what:
        case "card":
            talk.lift(who)
            talk.place(who, str(drawn(number)))
        case "word":
            talk.decide(who, f"drawn {number or 'pass'}", SEATS[who])
        case "lift":
            talk.clear()
        case "restart":
            talk.restart()
        case "thaw":
            talk.state = thaw(freeze(talk.state), BOOKS)
        case "undo" | "step":
            talk.give(i.Undo(Undoes.PLAY if what == "undo" else Undoes.STEP))
    talk.wait(talk.settings.reveal_delay_ms)


def held(talk: TableTalk) -> None:
    """Invariants after each action."""
    view, scene = talk.view, talk.state.scene
    assert scene is not None
    game: Any = view.game
    for party in scene.game.parties.values():
        assert len({*party} & {*view.committed}) <= 1, "two of a party have chosen"
    assert {*view.committed} <= {*view.awaited}
    assert scene.checkpoint is not None
    if game.words and not scene.decided:
        assert scene.game is scene.checkpoint.game, "a word was spoken, and no stop made"


@settings(max_examples=60, deadline=None)
@given(sealed=st.booleans(), doings=DOINGS)
def test_the_invariants_hold_for_any_actions_of_parties(
    sealed: bool, doings: list[tuple[str, str, int]]
) -> None:
    talk = TableTalk(SEALED_SCENE if sealed else SCENE, rulebooks=BOOKS)
    talk.start()
    for each in doings:
        before = talk.state
        try:
            do(talk, *each)
        except SeatFault:
            assert talk.state.scene is before.scene, "a refusal has changed something"
        held(talk)
