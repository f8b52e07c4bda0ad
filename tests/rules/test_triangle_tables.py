"""Every row of the printed tables, and the laws for any two moves."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.game import Choice, IllegalChoice
from hub.games.triangle.rules.conflict import Stance, Why
from hub.games.triangle.rules.edition import Action, Edition, Energy, Move
from hub.games.triangle.rules.game import TriangleGame
from hub.games.triangle.rules.grammar import (
    parse_move,
    parse_split,
    parse_stance,
    write_move,
    write_split,
    write_stance,
)
from hub.games.triangle.rules.judging import contest, loss_of_win, split_of
from hub.games.triangle.rules.views import UnrollView
from tests.rules.duel import setup
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL

MOVES = list(UNROLL.moves.values())
moves = st.sampled_from(MOVES)
GRID = {  # rows beat columns: W wins, L loses, T ties
    # by action and, within the same action, by element: high, low, mid
    "attack": {"attack": None, "defend": "L", "grapple": "W"},
    "defend": {"attack": "W", "defend": None, "grapple": "L"},
    "grapple": {"attack": "L", "defend": "W", "grapple": None},
    "high": {"high": "T", "low": "L", "mid": "W"},
    "low": {"high": "W", "low": "T", "mid": "L"},
    "mid": {"high": "L", "low": "W", "mid": "T"},
}
SIGN = {"W": 1, "L": -1, "T": 0}


@pytest.mark.book("actions.*", "beats.*", of=["unroll"])
def test_all_81_pairs_of_moves() -> None:
    every_pair(UNROLL, GRID)


def every_pair(edition: Edition, elements: dict[str, dict[str, str]]) -> None:
    for mine, theirs in product(edition.moves.values(), repeat=2):
        by_action = GRID[mine.action][theirs.action]
        expected = by_action or elements[mine.element][theirs.element]
        why, sign = contest(edition, mine, False, theirs, False)
        assert sign == SIGN[expected], (mine, theirs)
        assert why == (Why.ACTION if by_action else Why.TIE if sign == 0 else Why.ELEMENT)


@pytest.mark.book("opponent.same-rules")
@given(moves, st.booleans(), moves, st.booleans())
def test_a_pair_gives_the_same_result_from_both_sides(
    mine, mine_marred, theirs, theirs_marred
) -> None:
    why, sign = contest(UNROLL, mine, mine_marred, theirs, theirs_marred)
    again, other_sign = contest(UNROLL, theirs, theirs_marred, mine, mine_marred)
    assert (why, sign) == (again, -other_sign)
    if why is Why.DISADVANTAGE:
        assert mine_marred != theirs_marred
        assert mine.id == theirs.id


PENTAGON = {  # rows beat columns, as printed in both Iron Triangles
    "low": {"low": "T", "mid": "L", "high": "W", "jump": "L", "spin": "W"},
    "mid": {"low": "W", "mid": "T", "high": "L", "jump": "W", "spin": "L"},
    "high": {"low": "L", "mid": "W", "high": "T", "jump": "W", "spin": "L"},
    "jump": {"low": "W", "mid": "L", "high": "L", "jump": "T", "spin": "W"},
    "spin": {"low": "L", "mid": "W", "high": "W", "jump": "L", "spin": "T"},
}


@pytest.mark.book("five-beats.*")
@pytest.mark.book("actions.*", "beats.*", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("edition", [IRON_TRIANGLE, IRON_TRIANGLE_1E], ids=lambda e: e.id)
def test_all_169_pairs_of_iron_triangle(edition) -> None:
    every_pair(edition, PENTAGON)


@pytest.mark.book("beats.*", of=["iron-triangle", "iron-triangle-1e"])
def test_the_five_elements_are_antisymmetric_and_complete() -> None:
    for one, other in product(IRON_TRIANGLE.element_beats, repeat=2):
        beats, beaten = (
            other in IRON_TRIANGLE.element_beats[one],
            one in IRON_TRIANGLE.element_beats[other],
        )
        assert not (beats and beaten)
        assert (beats or beaten) == (one != other)
    for element, beaten in UNROLL.element_beats.items():
        assert beaten == IRON_TRIANGLE.element_beats[element] & UNROLL.element_beats.keys()


@pytest.mark.book("five-numbers.*")
@pytest.mark.book("defences.three", of=["iron-triangle-1e"])
@pytest.mark.book("numbers.*", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("edition", [IRON_TRIANGLE, IRON_TRIANGLE_1E], ids=lambda e: e.id)
def test_the_numbers_of_iron_triangle(edition) -> None:
    rows = {move.id: (move.base, move.multiplier) for move in edition.moves.values()}
    three = ("low", "mid", "high")
    assert rows == {
        **{f"defend-{element}": (2, 1) for element in three},
        **{f"grapple-{element}": (4, 2) for element in three},
        "grapple-jump": (4, 3),
        "grapple-spin": (4, 4),
        **{f"attack-{element}": (3, 2) for element in three},
        "attack-jump": (3, 3),
        "attack-spin": (3, 3),
    }
    assert (edition.level, edition.variants) == (0, False)


def varied(*names: str) -> list[str]:
    """The variations of a line on the list."""
    return [f"{name}-{action}" for name in names for action in ("attack", "defend", "grapple")]


@pytest.mark.book("specials.variations", "specials.clash")
def test_the_lists_of_specials() -> None:
    first = ["scouter", "to-blave", "there-can-be-only-one", "pressure-point"]
    varying = ["wax-on", "santa-carla", "dig-two-graves"]
    last = ["yojimbo", "liquid-metal", "drunken-monkey", "way-of-the-samurai"]
    assert list(UNROLL.specials) == [*first, *varied(*varying, "predictabo"), *last]
    assert list(IRON_TRIANGLE.specials) == [*first, *varied(*varying, "i-already-know"), *last]
    assert list(IRON_TRIANGLE_1E.specials) == [
        *("insight", "showdown", "precise"),
        *varied("parry", "vampire", "dig-two-graves", "premonition"),
        *("bodyguard", "mimic", "drunken-monkey", "last-stand"),
    ]
    for edition in (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E):
        ranks = [special.rank for special in edition.specials.values()]
        assert ranks == sorted(ranks), "the order of the list decides clashes"


@pytest.mark.book("numbers.*", of=["unroll"])
@pytest.mark.parametrize(
    ("action", "base", "multiplier"), [("attack", 3, 2), ("defend", 2, 1), ("grapple", 4, 2)]
)
def test_the_numbers_of_the_moves(action: str, base: int, multiplier: int) -> None:
    for element in ("high", "low", "mid"):
        move = UNROLL.moves[f"{action}-{element}"]
        assert (move.action, move.element) == (action, element)
        assert (move.base, move.multiplier) == (base, multiplier)
        up, down = UNROLL.variant(move, "+1"), UNROLL.variant(move, "-1")
        assert up and (up.base, up.multiplier) == (base - 1, multiplier + 1)
        assert down and (down.base, down.multiplier) == (base + 1, multiplier - 1)
    assert len(UNROLL.moves) == 9


def test_an_edition_is_data() -> None:
    """Another circle of elements and other moves need no other code."""
    five = {
        "low": frozenset({"high", "spin"}),
        "mid": frozenset({"low", "jump"}),
        "high": frozenset({"mid", "jump"}),
        "jump": frozenset({"low", "spin"}),
        "spin": frozenset({"high", "mid"}),
    }
    moves = [Move(f"grapple-{element}", Action.GRAPPLE, element, 4, 3) for element in five]
    own = {move.id: move for move in moves}
    edition = replace(UNROLL, id="homebrew", element_beats=five, moves=own, level=0)
    for mine, theirs in product(edition.moves.values(), repeat=2):
        _, sign = contest(edition, mine, False, theirs, False)
        assert (sign > 0) == (theirs.element in five[mine.element])
        assert (sign == 0) == (mine == theirs)
    game = TriangleGame(edition, UnrollView)
    cast = {name: {"moves": ["grapple-jump", "grapple-spin"]} for name in ("ada", "ninja")}
    state = game.begin(setup({"players": ["ada"], "gm": ["ninja"]}, cast, edition))
    for choices in (
        {"gm": "active ada"},
        {"ada": "opponent ninja"},
        {"ada": "stance grapple 2", "ninja": "stance none"},
        {"ada": "move grapple-jump", "ninja": "move grapple-spin"},
    ):
        state = game.advance(state, {a: Choice.parse(text) for a, text in choices.items()})
    assert game.view(state).turn.losses["ninja"].total == 4 + 2 * 3
    assert state.scene.sheets["ada"].level == 0


energies = st.builds(Energy, *[st.integers(0, 12)] * 3).filter(lambda e: e.total)


@st.composite
def losses(draw):
    """An energy and a loss that it can suffer."""
    has = draw(energies)
    mine, theirs = draw(moves), draw(moves)
    action = draw(st.sampled_from(Action))
    own = Stance(action, draw(st.integers(1, has.of(action)))) if has.of(action) else None
    stance = draw(st.none() | st.builds(Stance, st.sampled_from(Action), st.integers(1, 5)))
    combo, disadvantage = draw(st.integers(0, 4)), draw(st.integers(0, 4))
    numbers = {"left": has.total, "combo": combo, "disadvantage": disadvantage}
    return has, loss_of_win(mine, stance, theirs, own, **numbers)


def all_splits(has: Energy, loss) -> list[Energy]:
    ranges = [range(has.of(action) + 1) for action in Action]
    splits = (Energy(*points) for points in product(*ranges))
    committed = loss.committed or Action.ATTACK
    return [s for s in splits if s.total == loss.total and s.of(committed) >= loss.own_stance]


@pytest.mark.book("loss.split")
@given(losses())
def test_splits_match_brute_force(case) -> None:
    has, loss = case
    legal = all_splits(has, loss)
    assert split_of(has, loss).is_forced() == (len(legal) == 1)
    for split in split_of(has, loss).sensible():
        assert split in legal
    for split in legal:
        assert split_of(has, loss).why_not(split) is None
    wrong = replace(legal[0], attack=legal[0].attack + 1)
    assert split_of(has, loss).why_not(wrong)


@given(losses())
def test_the_default_split_takes_point_by_point_from_the_fullest(case) -> None:
    has, loss = case
    left = {action: has.of(action) for action in Action}
    to_take = loss.total
    if loss.committed:
        left[loss.committed] -= loss.own_stance
        to_take -= loss.own_stance
    for _ in range(to_take):
        left[max(left, key=lambda action: left[action])] -= 1
    assert has.minus(split_of(has, loss).default()) == Energy(**left)


@pytest.mark.book("stance.none")
def test_written_forms_round_trip() -> None:
    cards = [None, *MOVES, *(UNROLL.variant(m, v) for m in MOVES for v in ("+1", "-1"))]
    for card in cards:
        assert parse_move(UNROLL, write_move(card)) == card
    for stance in (None, Stance(Action.GRAPPLE, 3)):
        assert parse_stance(write_stance(stance)) == stance
    assert parse_stance("attack 0") is None
    assert parse_split(write_split(Energy(2, 0, 1))) == Energy(2, 0, 1)


@pytest.mark.parametrize("text", ["", "attack", "attack-top", "attack-high +2", "attack-high  +1"])
def test_an_invalid_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalChoice):
        parse_move(UNROLL, text)


@pytest.mark.book("stance.points")
@pytest.mark.parametrize(
    "text",
    ["", "grapple", "3", "grapple -1", "grapple 03", "grapple 1 defend 1", "grapple  1", "٣"],
)
def test_an_invalid_stance_is_refused(text: str) -> None:
    with pytest.raises(IllegalChoice, match="grapple 3"):
        parse_stance(text)


@pytest.mark.parametrize("text", ["", "attack", "attack 1 attack 1", "attack 1 2", "all 3"])
def test_an_invalid_split_is_refused(text: str) -> None:
    with pytest.raises(IllegalChoice, match="attack 2 defend 1"):
        parse_split(text)


@pytest.mark.book("beats.*", of=["unroll"])
def test_three_elements_make_a_circle() -> None:
    for element, beaten in UNROLL.element_beats.items():
        (other,) = beaten
        assert element not in UNROLL.element_beats[other]
