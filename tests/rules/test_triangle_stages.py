"""Specials as a table would play them, step by step, each checked before it is applied."""

import pytest

from hub.games.game import Choice
from hub.games.registry import game_of
from hub.games.triangle.rules.cards import available
from hub.games.triangle.rules.conflict import Conflict, Turn, Use
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.grammar import parse_stance
from hub.games.triangle.rules.interplay import aimers_of, bearers_of, gains_due, taken
from hub.games.triangle.rules.judging import gain_of
from hub.games.triangle.rules.specials import redraws, set_down, why_not_redraw, why_not_use
from hub.games.triangle.rules.turn import (
    choose_opponent,
    judge,
    name_active,
    reveal_stances,
    settle,
)
from tests.rules.duel import energy, setup

GAME = game_of("unroll")
SPECIALS = GAME.edition.specials
MOVES = GAME.edition.moves
ALL = {"specials": list(SPECIALS)}


def facing(**characters: object) -> Conflict:
    """ada faces ninja; all know every special."""
    cast = {name: {**ALL, **characters.get(name, {})} for name in ("ada", "bo", "ninja", "oni")}
    state = name_active(GAME.begin(setup(characters=cast)), "ada")
    return choose_opponent(state, at(state), "ninja")


def at(state: Conflict) -> Turn:
    assert state.turn
    return state.turn


def use(state: Conflict, player: str, name: str, person: str = "", copied: str = "") -> Conflict:
    chosen = Use(player, SPECIALS[name], SPECIALS.get(copied), person)
    assert why_not_use(state, at(state), chosen) is None
    return set_down(state, at(state), chosen)


def moves(mine: str, theirs: str) -> dict[str, object]:
    return {"ada": MOVES.get(mine), "ninja": MOVES.get(theirs)}


@pytest.mark.book("scout.effect")
def test_scouting_makes_a_sheet_public() -> None:
    state = facing(ninja={"combos": {"attack-low": ["grapple-mid", "defend-high"]}})
    assert GAME.view(state).characters["ninja"].specials is None
    state = use(state, "ada", "scouter", "ninja")
    view = GAME.view(state).characters
    assert view["ninja"].moves == tuple(MOVES)
    assert view["ninja"].combos == {"attack-low": ("defend-high", "grapple-mid")}
    assert view["ninja"].specials == tuple(SPECIALS)
    assert view["oni"].moves is None
    assert view["ada"].specials is not None
    assert view["ada"].combos is None, "moves and specials of player characters are public, no more"
    after = settle(judged := judge(state, at(state), moves("attack-low", "attack-low")), at(judged))
    assert GAME.view(after).characters["ninja"].moves is not None, "for the rest of the conflict"


@pytest.mark.book("last.effect")
def test_the_samurai_takes_a_stance_with_the_restored_energy() -> None:
    state = facing(ada={"energy": energy(1, 0, 0), "max": energy(4, 3, 2)})
    state = use(state, "ada", "way-of-the-samurai")
    assert state.fighters["ada"].energy == Energy(4, 3, 2)
    assert at(state).gains == {"ada": Energy(3, 3, 2)}
    assert not state.fighters["ada"].dead


def test_a_barred_card_is_not_available_until_the_turn_is_settled() -> None:
    state = use(facing(), "ninja", "predictabo-attack")
    assert all(move.action != "attack" for move in available(state, "ada"))
    assert len(available(state, "ninja")) == len(available(state, "bo")) == 9
    offers = GAME.offers(reveal_stances(state, at(state), {"ada": None, "ninja": None}), "ada")
    closed = [offer.choice for offer in offers if offer.reason]
    assert {str(choice) for choice in closed if choice.kind == "move"} == {
        f"move attack-{element}" for element in ("high", "low", "mid")
    }
    state = judge(state, at(state), moves("defend-low", "defend-low"))
    assert len(available(settle(state, at(state)), "ada")) == 9


def test_a_drawn_move_is_an_available_one() -> None:
    state = use(facing(), "ada", "drunken-monkey")
    assert redraws(state, at(state), "ada")
    assert not redraws(state, at(state), "ninja")
    shown = MOVES["attack-low"]
    assert why_not_redraw(state, "ada", shown, MOVES["attack-high"]) is None
    assert why_not_redraw(state, "ada", shown, shown)
    assert why_not_redraw(state, "ada", None, shown) is None, "a shown surrender too"
    assert why_not_redraw(state, "ada", shown, None)
    state = settle(judged := judge(state, at(state), moves("defend-low", "defend-low")), at(judged))
    state = choose_opponent(state, at(state := name_active(state, "ada")), "oni")
    assert redraws(state, at(state), "ada"), "once a turn until the conflict ends"


def test_the_splits_asked_for_after_the_moves() -> None:
    """The bearer splits its loss, the aimer the opponent's; then the gains."""
    state = facing(ada={"energy": energy(5, 5, 5), "max": energy(5, 9, 9)})
    state = use(state, "ninja", "pressure-point")
    state = use(state, "bo", "yojimbo", "ada")
    assert (aimers_of(at(state)), bearers_of(at(state))) == ({"ada": "ninja"}, {"ada": "bo"})
    state = judge(state, at(state), moves("defend-low", "grapple-low"))
    assert taken(state, at(state), {"bo": Energy(4, 0, 0)}) == {"bo": Energy(4, 0, 0)}
    assert gains_due(at(state)) == {}


def test_gains_are_asked_for_after_the_losses() -> None:
    state = use(facing(ada={"max": energy(22, 20, 20)}), "ada", "santa-carla-attack")
    assert gains_due(at(state)) == {}, "nobody has won yet"
    stances = {"ada": parse_stance("attack 3"), "ninja": None}
    state = reveal_stances(state, at(state), stances)
    state = judge(state, at(state), moves("attack-low", "grapple-low"))
    assert gains_due(at(state)) == {"ada": 3}
    sheet, fighter = state.scene.sheets["ada"], state.fighters["ada"]
    assert gain_of(fighter.energy, sheet.max, 3).why_not(Energy(2, 0, 0)) is None
    assert gain_of(fighter.energy, sheet.max, 3).why_not(Energy(3, 0, 0))
    state = settle(state, at(state), gains={"ada": Energy(2, 0, 0)})
    assert (at(state).gains, state.fighters["ada"].energy.attack) == ({"ada": Energy(2)}, 22)


def test_refusals_name_the_wrong_word() -> None:
    state, special = facing(), SPECIALS
    for player, name, person, copied, word in (
        ("bo", "pressure-point", "", "", ""),
        ("bo", "yojimbo", "oni", "", "for"),
        ("ada", "there-can-be-only-one", "bo", "", "target"),
        ("ada", "liquid-metal", "", "scouter", "as"),
        ("ninja", "way-of-the-samurai", "", "", ""),
    ):
        chosen = Use(player, special[name], special.get(copied), person)
        refusal = why_not_use(state, at(state), chosen)
        assert refusal, name
        assert refusal[0] == word


@pytest.mark.book("bear.on-top")
def test_a_hidden_npc_may_bear_a_loss_and_lay_another_card() -> None:
    state = GAME.begin(setup())
    hidden = GAME.begin(setup(characters={"oni": {"specials": ["yojimbo", "liquid-metal"]}}))
    for begun in (state, hidden):
        turn = name_active(begun, "ada")
        shown = reveal_stances(faced := choose_opponent(turn, at(turn), "ninja"), at(faced), {})
        lost = GAME.go_on(judge(shown, at(shown), moves("attack-high", "grapple-low")))
        assert GAME.pending(lost).may == ("oni",), "nobody knows whether it has one"
    borne = GAME.declare(lost, "oni", Choice("special", "yojimbo"))
    assert [*GAME.view(borne).turn.losses] == ["oni"]
    assert GAME.pending(borne).may == ("oni",), "as far as everybody knows it may lay a second one"
