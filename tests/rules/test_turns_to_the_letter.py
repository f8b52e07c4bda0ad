"""Turns, by hand from both editions of Iron Triangle, in cases that tell rules apart."""

import pytest

from hub.games.game import GM, IllegalChoice
from hub.games.triangle.rules.edition import Edition
from tests.rules.bout import ALONE, EACH, LOST_LOW, begun, fought, go, played, refusal
from tests.rules.duel import energy, play, play_until_fault, setup, turn
from tests.support.editions import IRON_TRIANGLE


@pytest.mark.book(
    "winner.action",
    "winner.element",
    "opponent.same-rules",
    "example-winner.element",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH
@pytest.mark.parametrize(
    ("mine", "theirs", "winner", "why"),
    [
        ("attack-high", "grapple-low", "ada", "action"),  # though low beats high
        ("grapple-low", "attack-high", "ninja", "action"),
        ("attack-low", "attack-high", "ada", "element"),
        ("attack-high", "attack-low", "ninja", "element"),
        ("grapple-jump", "grapple-spin", "ada", "element"),
        ("grapple-spin", "grapple-jump", "ninja", "element"),
        ("defend-mid", "defend-mid", None, "tie"),
    ],
)
def test_the_action_decides_then_the_element_from_either_side(
    edition: Edition, mine: str, theirs: str, winner: str | None, why: str
) -> None:
    """Identify the winner; Choose an opponent."""
    (found,) = played(edition, turn("ada", "ninja", mine, theirs))
    assert (found["winner"], found["why"]) == (winner, why)


@pytest.mark.book("winner.element", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize("active", ["ada", "oni"])
def test_an_element_takes_precedence_over_disadvantage(edition: Edition, active: str) -> None:
    """Identify the winner: ada matches the action of her lost move, and wins by the element."""
    moves = {"ada": "attack-mid", "oni": "attack-low"}
    other = "oni" if active == "ada" else "ada"
    first = {**LOST_LOW, "next": {"agreed": active}}
    found = played(edition, first, turn(active, other, moves[active], moves[other]))[1]
    assert (found["winner"], found["why"]) == ("ada", "element")
    assert "ada" not in found["face_up"] or found["face_up"]["ada"] == []


@pytest.mark.book(
    "winner.disadvantage",
    "disadvantage.loses-ties",
    "opponent.same-rules",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH
@pytest.mark.parametrize("active", ["ada", "oni"])
def test_disadvantage_loses_a_tie_from_either_side(edition: Edition, active: str) -> None:
    """Identify the winner; Choose an opponent."""
    other = "oni" if active == "ada" else "ada"
    first = {**LOST_LOW, "next": {"agreed": active}}
    found = played(edition, first, turn(active, other, "attack-high", "attack-high"))[1]
    assert (found["winner"], found["why"]) == ("oni", "disadvantage")
    assert found["loss"]["ada"]["total"] == 3 + 1


@pytest.mark.book(
    "winner.disadvantage", "winner.tie", "tie.ends", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH
def test_two_at_disadvantage_tie(edition: Edition) -> None:
    """Identify the winner: 'if one move is disadvantaged'. A tie ends both disadvantages."""
    turns = (
        {**LOST_LOW, "next": {"agreed": "bo"}},
        turn("bo", "ninja", "grapple-high", "defend-low"),
        turn("ada", "ninja", "grapple-low", "grapple-low"),
    )
    *_, before, found = played(edition, *turns)
    assert before["face_up"] == {"ada": ["attack-low"], "ninja": ["defend-low"]}
    assert (found["outcome"], found["face_up"]) == ("tie", {})
    assert {name: loss["total"] for name, loss in found["loss"].items()} == {"ada": 4, "ninja": 4}


@pytest.mark.book(
    "disadvantage.begins",
    "disadvantage.grows",
    "disadvantage.ends",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH
def test_disadvantage_grows_by_one_each_turn_and_starts_again(edition: Edition) -> None:
    """Disadvantage: by the action or the element of the most recent lost move."""
    turns = (
        LOST_LOW,
        turn("oni", "ada", "grapple-mid", "defend-low"),  # the element: 4 + 1
        turn("ninja", "ada", "grapple-high", "defend-mid"),  # the action: 4 + 2
        turn("oni", "ada", "attack-low", "grapple-high"),  # neither of defend-mid: 3
    )
    found = played(edition, *turns)
    assert [each["loss"]["ada"]["total"] for each in found] == [2, 5, 6, 3]
    assert [each["face_up"]["ada"] for each in found] == [
        ["attack-low"],
        ["attack-low", "defend-low"],
        ["attack-low", "defend-low", "defend-mid"],
        ["grapple-high"],
    ]


@pytest.mark.book("disadvantage.face-up", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize("card", ["attack-low", "defend-low", "defend-mid"])
def test_face_up_cards_cannot_be_played(edition: Edition, card: str) -> None:
    """Disadvantage: 'this does restrict your available moves'."""
    turns = (
        LOST_LOW,
        turn("oni", "ada", "grapple-mid", "defend-low"),
        turn("ninja", "ada", "grapple-high", "defend-mid"),
    )
    again = turn("oni", "ada", "attack-low", card)
    assert f"{card} is face up" in refusal(edition, *turns, again)


@pytest.mark.book("disadvantage.ends", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize(
    ("mine", "theirs", "outcome"),
    [("defend-high", "attack-low", "win"), ("defend-high", "defend-high", "tie")],
)
def test_a_turn_without_a_loss_ends_disadvantage(
    edition: Edition, mine: str, theirs: str, outcome: str
) -> None:
    """Disadvantage."""
    found = played(edition, LOST_LOW, turn("oni", "ada", theirs, mine))[1]
    assert (found["outcome"], found["face_up"].get("ada", [])) == (outcome, [])


@pytest.mark.book("disadvantage.stays", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_disadvantage_lasts_until_the_characters_next_turn(edition: Edition) -> None:
    """Disadvantage: other characters' turns and another opponent do not change it."""
    turns = (
        {**LOST_LOW, "next": {"agreed": "bo"}},
        turn("bo", "oni", "attack-low", "grapple-low"),
        turn("ada", "oni", "attack-high", "attack-high"),
    )
    found = played(edition, *turns)
    assert found[1]["face_up"]["ada"] == ["attack-low"]
    assert (found[2]["why"], found[2]["loss"]["ada"]["total"]) == ("disadvantage", 4)


@pytest.mark.book("opponent.anybody", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_an_opponent_must_be_a_foe_who_is_in(edition: Edition) -> None:
    """Choose an opponent: 'any character on the opposing side'."""
    game, state = begun(edition)
    state = fought(game, state, "ninja", "ada", "attack-low", "surrender")
    state = go(game, state, ninja="active oni")
    offers = {o.choice.value: str(o.reason or "") for o in game.offers(state, "oni")}
    assert offers.pop("bo") == ""
    assert "ada is out" in offers["ada"]
    for name, why in (("ada", "out of"), ("ninja", "own side"), ("oni", "own side")):
        with pytest.raises(IllegalChoice, match=why):
            go(game, state, oni=f"opponent {name}")


@pytest.mark.book("passing.fewer-turns", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_being_chosen_does_not_count_as_a_turn(edition: Edition) -> None:
    """Playing and passing turns: the winner was chosen, and its side has taken no turn yet."""
    (found,) = played(edition, turn("ada", "ninja", "attack-low", "defend-low"))
    assert (found["winner"], found["may_act"]) == ("ninja", ["ninja", "oni"])


@pytest.mark.book("passing.tie", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_after_a_tie_the_gm_may_name_any_character(edition: Edition) -> None:
    """Playing and passing turns: also after a turn that was won."""
    game, state = begun(edition)
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-low")
    state = go(game, state, ninja="split attack 3")
    state = fought(game, state, "bo", "ninja", "attack-high", "attack-high")
    state = go(game, state, bo="split attack 3", ninja="split attack 3")
    assert game.pending(state).must == (GM,)
    assert game.view(state).may_act == ("ada", "bo", "ninja", "oni")


@pytest.mark.book("passing.otherwise-agreed", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_character_who_is_out_cannot_go_on_even_if_agreed(edition: Edition) -> None:
    """Playing and passing turns."""
    gone = turn("ada", "ninja", "attack-low", "surrender", next={"agreed": "ninja"})
    found, fault = play_until_fault({**setup(edition=edition), "turns": [gone]})
    assert fault is not None and "ninja is out of the conflict" in str(fault), found
    for name in ("ada", "bo", "oni"):
        assert played(edition, {**gone, "next": {"agreed": name}})


@pytest.mark.book("end.over", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize(
    ("weak", "mine", "theirs"),
    [("ada", "grapple-low", "attack-low"), ("ninja", "attack-low", "grapple-low")],
)
def test_a_side_goes_on_while_one_member_is_in(
    edition: Edition, weak: str, mine: str, theirs: str
) -> None:
    """Resolving consequences."""
    hit = turn("ada", "ninja", mine, theirs)
    frail = {weak: {"energy": energy(1, 1, 1)}}
    found, closing = play({**setup(edition=edition, characters=frail), "turns": [hit]})
    assert (found["out"], closing) == ([weak], {"over": False})


@pytest.mark.book("minor.no-winner", "end.both-out", of=["iron-triangle", "iron-triangle-1e"])
@pytest.mark.parametrize("winner", ["players", "gm"])
@EACH
def test_the_gm_decides_endings_the_book_leaves_open(edition: Edition, winner: str) -> None:
    """Minor conflicts; Resolving consequences: the first edition omits the fall of both sides."""
    game, state = begun(edition, minor=True)
    state = fought(game, state, "ada", "ninja", "attack-low", "attack-low")
    state = go(game, state, ada="split attack 3", ninja="split attack 3")
    assert (game.pending(state).step, game.pending(state).must) == ("verdict", (GM,))
    assert [str(o.choice) for o in game.offers(state, GM)] == ["winner players", "winner gm"]
    assert go(game, state, gm=f"winner {winner}").result.winner == winner
    frail = {name: {"energy": energy(1, 0, 0)} for name in ("ada", "ninja")}
    game, state = begun(edition, sides=ALONE, characters=frail)
    state = fought(game, state, "ada", "ninja", "attack-low", "attack-low")
    if edition is IRON_TRIANGLE:
        assert state.result.winner == "gm"
    else:
        assert go(game, state, gm=f"winner {winner}").result.winner == winner
