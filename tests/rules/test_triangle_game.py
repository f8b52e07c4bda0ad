"""The Game protocol, step by step, as a table would use it."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, Kind, RulesError, SetupError
from hub.games.registry import game_of, rulebooks
from hub.games.triangle.rules.conflict import Conflict, Fighter
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.passing import by_count, may_act
from hub.kernel.faults import written
from tests.rules.duel import NINE, energy, setup
from tests.rules.walk import with_let_be

GAME = game_of("unroll")
RUN = {"combos": {"attack-mid": ["grapple-high", "attack-high"]}}


def begin(**changes: Any) -> Conflict:
    return GAME.begin(setup(**changes))


def go(state: Conflict, **choices: str) -> Conflict:
    chosen = {a: Choice.parse(text) for a, text in choices.items()}
    return GAME.advance(state, with_let_be(state, chosen))


def fight(state: Conflict, mine: str, theirs: str, pair: tuple[str, str]) -> Conflict:
    """Both take no stance, then these moves."""
    state = go(state, **dict.fromkeys(pair, "stance none"))
    return go(state, **dict(zip(pair, (f"move {mine}", f"move {theirs}"), strict=True)))


def after_ada_won(**changes: Any) -> Conflict:
    """ada has won with attack-mid and can follow up; the loss has been split."""
    state = begin(characters={"ada": RUN, **changes.pop("characters", {})}, **changes)
    state = go(go(state, gm="active ada"), ada="opponent ninja")
    state = fight(state, "attack-mid", "grapple-low", ("ada", "ninja"))
    return go(state, ninja="split attack 3")


def reason(state: Conflict, actor: str, text: str) -> str:
    return str(GAME.why_not(state, actor, Choice.parse(text)) or "")


@pytest.mark.book("conflicts.parts", "turn.order")
def test_a_turn_goes_through_its_steps() -> None:
    state = begin(lethal=True)
    assert (GAME.pending(state).step, GAME.turn(state)) == ("first", 0)
    assert GAME.pending(state).must == (GM,)
    state = go(state, gm="active bo")
    assert (GAME.pending(state).step, GAME.turn(state)) == ("opponent", 1)
    assert GAME.pending(state).must == ("bo",)
    state = go(state, bo="opponent oni")
    pending = GAME.pending(state)
    assert (pending.step, pending.kind, pending.must) == ("stance", Kind.SEALED, ("bo", "oni"))
    state = go(state, bo="stance grapple 3", oni="stance none")
    assert GAME.view(state).turn.stances == {"bo": "grapple 3", "oni": "none"}
    assert GAME.view(state).turn.moves is None
    assert GAME.pending(state).step == "move"
    state = go(state, bo="move grapple-high", oni="move defend-low")
    assert (GAME.pending(state).step, GAME.pending(state).must) == ("split", ("ninja", "oni"))
    view = GAME.view(state).turn
    assert (view.outcome, view.why, view.winner) == ("win", "action", "bo")
    assert (view.losses["oni"].total, view.losses["oni"].split) == (10, None)
    state = go(state, oni="split attack 4 defend 6")
    assert GAME.view(state).turn.losses["oni"].split == Energy(4, 6, 0)
    assert (GAME.pending(state).step, GAME.pending(state).must) == ("next", ("bo",))
    assert GAME.view(state).may_act == ("ada",)
    state = go(state, bo="active ada")
    state = fight(go(state, ada="opponent oni"), "attack-low", "surrender", ("ada", "oni"))
    assert (GAME.pending(state).step, GAME.pending(state).must) == ("kill", ("ada",))
    state = go(state, ada="kill yes")
    assert GAME.view(state).characters["oni"].dead
    assert GAME.pending(state).must == ("ada",)


@pytest.mark.book("passing.tie", "loss.split", "participants.who-decides")
def test_a_tie_asks_both_then_the_gm() -> None:
    state = go(go(begin(), gm="active ada"), ada="opponent ninja")
    state = fight(state, "attack-high", "attack-high", ("ada", "ninja"))
    assert GAME.pending(state).must == ("ada", "ninja", "oni")
    state = go(state, ada="split defend 3", ninja="split attack 1 grapple 2")
    assert GAME.pending(state).must == (GM,)
    assert GAME.view(state).may_act == ("ada", "bo", "ninja", "oni")


@pytest.mark.book("combo.begins", "combo.one-turn")
def test_a_kept_turn_goes_against_the_same_victim_and_is_not_counted() -> None:
    state = after_ada_won()
    assert may_act(state) == ("ada", "bo")
    state = go(state, ada="active ada")
    view = GAME.view(state)
    assert (GAME.pending(state).step, view.turn.opponent) == ("stance", "ninja")
    assert view.turn.kept
    assert view.characters["ada"].turns == 1
    with pytest.raises(IllegalChoice, match="only for its combo"):
        GAME.declare(state, "ada", Choice("end-combo"))


@pytest.mark.book("combo.given-up")
def test_a_kept_turn_may_become_ordinary_if_the_count_allows() -> None:
    state = after_ada_won(sides={"players": ["ada"], "gm": ["ninja", "oni"]})
    state = go(go(state, ada="active ada"), ada="opponent ninja")
    assert GAME.view(state).turn.kept
    assert GAME.view(state).characters["ada"].turns == 1
    assert "attack-mid is face up" in reason(
        go(state, ada="stance none", ninja="stance none"), "ada", "move attack-mid"
    )
    state = GAME.declare(state, "ada", Choice("end-combo"))
    view = GAME.view(state)
    assert (view.turn.kept, view.combo, view.characters["ada"].turns) == (False, None, 2)
    state = go(state, ada="stance none", ninja="stance none")
    assert reason(state, "ada", "move attack-mid") == ""


@pytest.mark.book("combo.other-opponent")
def test_another_victim_ends_the_run_and_returns_its_cards() -> None:
    state = after_ada_won(sides={"players": ["ada"], "gm": ["ninja", "oni"]})
    state = go(go(state, ada="active ada"), ada="opponent oni")
    assert GAME.view(state).combo is None
    assert not GAME.view(state).turn.kept
    assert "attack-mid" in GAME.view(state).characters["ada"].available


@pytest.mark.book("passing.otherwise-agreed")
def test_the_gm_may_record_another_agreement() -> None:
    state = after_ada_won()
    assert "other side" in reason(state, "ada", "active oni")
    with pytest.raises(IllegalChoice, match="only the GM"):
        GAME.declare(state, "ada", Choice("agreed", "oni"))
    state = GAME.declare(state, GM, Choice("agreed", "ninja"))
    state = go(state, ninja="opponent ada")
    assert GAME.view(state).combo is not None, "its victim is in this turn"
    assert reason(state, "ninja", "end-combo").startswith("the combo is against ninja")
    assert GAME.view(GAME.declare(state, "ada", Choice("end-combo"))).combo is None


@pytest.mark.book("minor.no-winner")
def test_a_minor_tie_waits_for_the_gm() -> None:
    state = go(go(begin(minor=True), gm="active ada"), ada="opponent ninja")
    state = fight(state, "surrender", "surrender", ("ada", "ninja"))
    assert GAME.view(state).result.undecided
    assert (GAME.pending(state).step, GAME.pending(state).must) == ("verdict", (GM,))
    assert "players, gm" in reason(state, GM, "winner nobody")
    state = go(state, gm="winner gm")
    assert (GAME.pending(state).step, GAME.pending(state).must) == ("over", ())
    assert GAME.view(state).result.winner == "gm"
    with pytest.raises(IllegalChoice, match="over"):
        go(state, gm="winner gm")


@pytest.mark.book("end.both-out", of=["iron-triangle-1e"])
def test_in_the_first_edition_the_gm_decides_when_both_sides_fall() -> None:
    game, weak = game_of("iron-triangle-1e"), {"energy": energy(1, 0, 0)}
    cast = {"ada": weak, "ninja": weak}
    sides = {"players": ["ada"], "gm": ["ninja"]}
    state = game.begin(setup(sides, cast, game.edition))
    for choices in (
        {"gm": "active ada"},
        {"ada": "opponent ninja"},
        {"ada": "stance none", "ninja": "stance none"},
        {"ada": "move attack-jump", "ninja": "move attack-jump"},
    ):
        state = game.advance(state, {a: Choice.parse(text) for a, text in choices.items()})
    assert (game.pending(state).step, game.pending(state).must) == ("verdict", (GM,))
    assert game.view(state).result.undecided
    state = game.advance(state, {"gm": Choice("winner", "players")})
    assert game.view(state).result.winner == "players"
    view: Any = game.view(state)
    assert msgspec.json.decode(msgspec.json.encode(view), type=game.view_type) == view


def test_a_loss_with_only_one_split_is_not_asked_for() -> None:
    poor = {"ninja": {"energy": energy(5, 0, 0)}}
    state = go(go(begin(characters=poor), gm="active ada"), ada="opponent ninja")
    state = go(fight(state, "attack-mid", "grapple-low", ("ada", "ninja")))
    assert GAME.pending(state).step == "next"
    assert GAME.view(state).characters["ninja"].energy == Energy(2, 0, 0)
    assert GAME.view(state).characters["ninja"].zero == ("defend", "grapple")


@pytest.mark.book("move.no-move")
def test_no_card_left_means_surrender() -> None:
    state = begin(characters={"ada": {"moves": []}})
    state = go(go(state, gm="active ada"), ada="opponent ninja")
    state = go(state, ada="stance none", ninja="stance none")
    (offer,) = GAME.offers(state, "ada")
    assert (offer.choice, offer.reason, offer.default) == (Choice("move", "surrender"), None, True)


@pytest.mark.parametrize(
    ("actor", "text", "said"),
    [
        ("bo", "move attack-low", "bo has nothing to choose now (awaited: ada, ninja)"),
        ("ada", "stance none", "a move is needed now, not a stance"),
        ("ada", "move attack-hgih", '"attack-hgih" is not a move of unroll (ada may play: '),
        ("ada", "move grapple-low", "ada does not know grapple-low (ada may play: attack-low, "),
        ("ada", "move attack-low +1", "ada does not know attack-low +1 (ada may play: "),
        ("ada", "move", '"" is not a move of unroll (ada may play: '),
        ("ada", "end-combo", "there is no combo"),
        ("ada", "end-combo now", "end-combo stands alone, without 'now'"),
    ],
)
def test_refusals_in_the_move_step(actor: str, text: str, said: str) -> None:
    state = begin(characters={"ada": {"moves": ["attack-low", "defend-mid"]}})
    state = go(go(state, gm="active ada"), ada="opponent ninja")
    state = go(state, ada="stance none", ninja="stance none")
    assert reason(state, actor, text).startswith(said)


def test_refusals_say_what_may_be_done_instead() -> None:
    state = begin(characters={"ada": {"energy": energy(2, 0, 3)}})
    assert reason(state, GM, "active zoe") == (
        'no one here is called "zoe" (may act: ada, bo, ninja, oni)'
    )
    state = go(state, gm="active ada")
    assert reason(state, "ada", "opponent bo") == (
        "bo is on ada’s own side (ada may choose: ninja, oni)"
    )
    state = go(state, ada="opponent ninja")
    assert (
        reason(state, "ada", "stance attack 3") == "ada has 2 energy in attack (at most attack 2)"
    )
    assert (
        reason(state, "ada", "stance defend 1") == "ada has 0 energy in defend (no defend stance)"
    )
    assert "'grapple 3'" in reason(state, "ada", "stance lots")
    state = fight(state, "grapple-low", "attack-low", ("ada", "ninja"))
    assert reason(state, "ada", "split attack 1") == (
        "splits 1, but exactly 3 is lost (such as: attack 1 grapple 2)"
    )
    assert "takes 3 from attack, which has 2" in reason(state, "ada", "split attack 3")
    assert "'attack 2 defend 1'" in reason(state, "ada", "split none")


def test_advance_refuses_missing_or_illegal_choices_and_changes_nothing() -> None:
    state = go(go(begin(), gm="active ada"), ada="opponent ninja")
    for choices in (
        {"ada": "stance none"},
        {"ada": "stance none", "ninja": "stance attack 21"},
        {"ada": "stance none", "ninja": "stance none", "bo": "stance none"},
        {"ada": "end-combo", "ninja": "stance none"},
    ):
        with pytest.raises(IllegalChoice):
            go(state, **choices)
    with pytest.raises(IllegalChoice, match="cannot be declared now"):
        GAME.declare(state, GM, Choice("agreed", "ada"))


@pytest.mark.book("reveal.abilities", "participants.who-decides")
def test_the_view_shows_no_moves_of_the_gms_side() -> None:
    characters = GAME.view(begin()).characters
    assert characters["ada"].moves == tuple(NINE)
    assert characters["ninja"].moves is None
    assert characters["ninja"].available is None


def test_the_view_survives_json() -> None:
    view = GAME.view(after_ada_won())
    text = msgspec.json.encode(view)
    assert msgspec.json.decode(text, type=GAME.view_type) == view
    assert msgspec.json.decode(text)["ruleset"] == "unroll"


def test_every_fault_of_a_setup_is_reported() -> None:
    with pytest.raises(SetupError) as caught:
        GAME.begin(
            {
                "ruleset": "tricube",
                "lethal": 1,
                "sides": {"players": ["ada", "ada"], "gm": []},
                "characters": {
                    "ada": {"energy": energy(0, 0, 0), "moves": ["attack-top"]},
                    "gm": {"energy": energy(1, 1, 1), "moves": []},
                },
                "turns": [],
            }
        )
    assert [written(fault.place) for fault in caught.value.faults] == [
        "turns", "ruleset", "lethal", "sides.players[1]", "sides.gm", "characters.ada.energy",
        "characters.ada.moves[0]", "characters.gm", "characters.gm",
    ]  # fmt: skip


def test_the_registry_lists_its_rulesets() -> None:
    assert [game_of(ruleset).ruleset for ruleset in rulebooks().games] == list(rulebooks().games)
    with pytest.raises(RulesError, match="unroll"):
        game_of("chess")


@pytest.mark.book("passing.fewer-turns")
@given(
    st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=4, max_size=4),
    st.integers(0, 3),
    st.integers(1, 4),
)
def test_the_count_of_turns_decides(members, winner: int, streak: int) -> None:
    """R9's first rule for four characters of one side, with any counts and any of them out."""
    names = ["ada", "bo", "cy", "di"]
    state = GAME.begin(setup({"players": names, "gm": ["ninja"]}))
    fighters = {
        name: Fighter(Energy(9, 9, 9), turns=turns, surrendered=out and index != winner)
        for index, (name, (turns, out)) in enumerate(zip(names, members, strict=True))
    }
    fighters["ninja"] = state.fighters["ninja"]
    state = replace(state, fighters=fighters, winner=names[winner], streak=streak)
    expected = [n for n in names if not fighters[n].out]
    if streak >= 3 and len(expected) > 1:
        expected.remove(names[winner])
    fewer = [n for n in expected if any(fighters[n].turns < fighters[o].turns for o in names)]
    assert by_count(state) == (fewer or expected)
