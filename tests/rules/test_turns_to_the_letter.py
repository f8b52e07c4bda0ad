"""Turns of both texts of Iron Triangle, worked out by hand from the book, where a smaller case
would let another rule pass."""

from typing import Any

import pytest

from hub.rules.game import GM, Choice, IllegalChoice
from hub.rules.registry import game_of
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E
from tests.rules.duel import energy, play, play_until_fault, setup, turn
from tests.rules.walk import with_let_be

EACH = pytest.mark.parametrize(
    "edition", [IRON_TRIANGLE, IRON_TRIANGLE_1E], ids=lambda edition: edition.id
)
ALONE = {"players": ["ada"], "gm": ["ninja"]}
LOST_LOW = turn("ninja", "ada", "defend-mid", "attack-low")
"""Ada has lost with attack-low."""


def played(edition: Edition, *turns: Any, **keys: Any) -> list[dict[str, Any]]:
    """What each turn came to, without the closing."""
    return play({**setup(edition=edition, **keys), "turns": list(turns)})[:-1]


def refusal(edition: Edition, *turns: Any, **keys: Any) -> str:
    """Why the last of the turns cannot be played; those before it can."""
    found, fault = play_until_fault({**setup(edition=edition, **keys), "turns": list(turns)})
    assert fault is not None and len(found) == len(turns) - 1
    return fault.reason


def begun(edition: Edition, **keys: Any) -> tuple[Any, Any]:
    game = game_of(edition.id)
    return game, game.begin(setup(edition=edition, **keys))


def go(game: Any, state: Any, **chosen: str) -> Any:
    """What follows from these choices; bystanders let be what is lost."""
    choices = {name: Choice.parse(text) for name, text in chosen.items()}
    return game.advance(state, with_let_be(state, choices))


def fought(game: Any, state: Any, one: str, other: str, mine: str, theirs: str) -> Any:
    """A turn from the naming of the active character until its moves are shown."""
    (who,) = game.pending(state).must
    state = go(game, state, **{who: f"active {one}"})
    if game.pending(state).step == "opponent":
        state = go(game, state, **{one: f"opponent {other}"})
    state = go(game, state, **{one: "stance none", other: "stance none"})
    return go(game, state, **{one: f"move {mine}", other: f"move {theirs}"})


@pytest.mark.book(
    "winner.action", "winner.element", "opponent.same-rules", "example-winner.element"
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
def test_the_action_then_the_element_from_either_side(
    edition: Edition, mine: str, theirs: str, winner: str | None, why: str
) -> None:
    """Identify the winner; Choose an opponent."""
    (found,) = played(edition, turn("ada", "ninja", mine, theirs))
    assert (found["winner"], found["why"]) == (winner, why)


@pytest.mark.book("winner.element")
@EACH
@pytest.mark.parametrize("active", ["ada", "oni"])
def test_an_element_goes_before_disadvantage(edition: Edition, active: str) -> None:
    """Identify the winner: ada matches the action of her lost move, and wins by the element."""
    moves = {"ada": "attack-mid", "oni": "attack-low"}
    other = "oni" if active == "ada" else "ada"
    first = {**LOST_LOW, "next": {"agreed": active}}
    found = played(edition, first, turn(active, other, moves[active], moves[other]))[1]
    assert (found["winner"], found["why"]) == ("ada", "element")
    assert "ada" not in found["face_up"] or found["face_up"]["ada"] == []


@pytest.mark.book("winner.disadvantage", "disadvantage.loses-ties", "opponent.same-rules")
@EACH
@pytest.mark.parametrize("active", ["ada", "oni"])
def test_disadvantage_loses_a_tie_from_either_side(edition: Edition, active: str) -> None:
    """Identify the winner; Choose an opponent."""
    other = "oni" if active == "ada" else "ada"
    first = {**LOST_LOW, "next": {"agreed": active}}
    found = played(edition, first, turn(active, other, "attack-high", "attack-high"))[1]
    assert (found["winner"], found["why"]) == ("oni", "disadvantage")
    assert found["loss"]["ada"]["total"] == 3 + 1


@pytest.mark.book("winner.disadvantage", "winner.tie", "tie.ends")
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


@pytest.mark.book("disadvantage.begins", "disadvantage.grows", "disadvantage.ends")
@EACH
def test_a_disadvantage_grows_by_one_for_each_turn_and_starts_afresh(edition: Edition) -> None:
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


@pytest.mark.book("disadvantage.face-up")
@EACH
@pytest.mark.parametrize("card", ["attack-low", "defend-low", "defend-mid"])
def test_none_of_the_cards_that_lie_out_can_be_played(edition: Edition, card: str) -> None:
    """Disadvantage: 'this does restrict your available moves'."""
    turns = (
        LOST_LOW,
        turn("oni", "ada", "grapple-mid", "defend-low"),
        turn("ninja", "ada", "grapple-high", "defend-mid"),
    )
    again = turn("oni", "ada", "attack-low", card)
    assert f"{card} is face up" in refusal(edition, *turns, again)


@pytest.mark.book("disadvantage.ends")
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


@pytest.mark.book("disadvantage.stays")
@EACH
def test_disadvantage_waits_for_ones_own_next_turn(edition: Edition) -> None:
    """Disadvantage: turns of others and another opponent leave it as it is."""
    turns = (
        {**LOST_LOW, "next": {"agreed": "bo"}},
        turn("bo", "oni", "attack-low", "grapple-low"),
        turn("ada", "oni", "attack-high", "attack-high"),
    )
    found = played(edition, *turns)
    assert found[1]["face_up"]["ada"] == ["attack-low"]
    assert (found[2]["why"], found[2]["loss"]["ada"]["total"]) == ("disadvantage", 4)


@pytest.mark.book(
    "stance.feint", "stance.matching-win", "stance.matching-loss", "loss.loser-stance"
)
@EACH
@pytest.mark.parametrize(
    ("stances", "mine", "theirs", "lost"),
    [
        ({"ada": "attack 2"}, "attack-high", "grapple-low", {"ninja": 3 + 2 * 2}),
        ({"ada": "attack 2"}, "attack-spin", "grapple-low", {"ninja": 3 + 2 * 3}),
        ({"ada": "grapple 2"}, "grapple-spin", "defend-low", {"ninja": 4 + 2 * 4}),
        ({"ada": "defend 2"}, "attack-high", "grapple-low", {"ninja": 3}),  # a winner's feint
        ({"ada": "attack 2"}, "attack-high", "defend-low", {"ada": 2 + 2}),  # not multiplied
        ({"ada": "attack 2"}, "grapple-high", "attack-low", {"ada": 3}),  # a loser's feint
        ({"ada": "grapple 2", "ninja": "defend 1"}, "grapple-jump", "defend-low",
         {"ninja": 4 + 2 * 3 + 1}),
        ({"ada": "attack 5", "ninja": "attack 4"}, "attack-low", "attack-low",
         {"ada": 3, "ninja": 3}),  # nothing more in a tie
    ],
)  # fmt: skip
def test_what_a_stance_is_worth(
    edition: Edition, stances: dict[str, str], mine: str, theirs: str, lost: dict[str, int]
) -> None:
    """Choose a stance; Resolve the consequences."""
    (found,) = played(edition, turn("ada", "ninja", mine, theirs, stance=stances))
    assert {name: loss["total"] for name, loss in found["loss"].items()} == lost


@pytest.mark.book(
    "loss.from-its-type", "loss.split", "example-stance.loss", "example-loss.thirteen"
)
@EACH
@pytest.mark.parametrize(
    ("split", "allowed"),
    [
        ({"attack": 1, "grapple": 3}, False),
        ({"attack": 2, "grapple": 2}, True),
        ({"attack": 3, "defend": 1}, True),
        ({"attack": 2, "grapple": 1}, False),
        ({"attack": 2, "grapple": 3}, False),
        ({"attack": 4}, False),
        (None, True),
    ],
)
def test_the_committed_part_and_the_rest(
    edition: Edition, split: dict[str, int] | None, allowed: bool
) -> None:
    """Resolve the consequences: of four points two were committed to attack, which has three."""
    weak = {"ada": {"energy": energy(3, 5, 5)}}
    keys: dict[str, Any] = {} if split is None else {"loss": {"ada": split}}
    hit = turn("ada", "ninja", "attack-high", "defend-low", stance={"ada": "attack 2"}, **keys)
    if not allowed:
        assert refusal(edition, hit, characters=weak)
        return
    (found,) = played(edition, hit, characters=weak)
    by_default = {"attack": 2, "defend": 1, "grapple": 1}
    assert found["loss"]["ada"]["split"] == {**energy(0, 0, 0), **(split or by_default)}


@pytest.mark.book("stance.points", "stance.none")
@EACH
def test_all_of_a_type_may_be_committed_or_none(edition: Edition) -> None:
    """Choose a stance: 'a number between zero and your current energy'."""
    game, state = begun(edition, characters={"ada": {"energy": energy(2, 0, 1)}})
    state = go(game, go(game, state, gm="active ada"), ada="opponent ninja")
    offered = [o.choice.value for o in game.offers(state, "ada") if o.choice.kind == "stance"]
    assert offered == ["none", "attack 1", "attack 2", "grapple 1"]
    none = go(game, state, ada="stance attack 0", ninja="stance none")
    assert none.turn.stances == {"ada": None, "ninja": None}
    with pytest.raises(IllegalChoice, match="at most attack 2"):
        go(game, state, ada="stance attack 3", ninja="stance none")


@pytest.mark.book("move.surrender", "move.kill", "end.lesser")
@EACH
@pytest.mark.parametrize("lethal", [True, False])
@pytest.mark.parametrize("kill", ["no", "yes"])
def test_the_other_may_kill_who_surrenders_where_it_is_lethal(
    edition: Edition, lethal: bool, kill: str
) -> None:
    """Choose a move: surrender is out, without a loss, and the one that did not is asked."""
    game, state = begun(edition, lethal=lethal)
    state = fought(game, state, "ninja", "ada", "attack-low", "surrender")
    if lethal:
        assert (game.pending(state).step, game.pending(state).must) == ("kill", ("ninja",))
        state = go(game, state, ninja=f"kill {kill}")
    fighters = state.fighters
    assert (fighters["ada"].out, fighters["ninja"].out) == (True, False)
    assert fighters["ada"].dead is (lethal and kill == "yes")
    assert all(each.energy.total == 60 for each in fighters.values())
    assert (game.pending(state).step, game.pending(state).must) == ("next", ("ninja",))


@pytest.mark.book("move.kill")
@EACH
def test_nobody_is_killed_in_a_lesser_conflict_or_without_surrender(edition: Edition) -> None:
    """Choose a move."""
    surrendered = turn("ninja", "ada", "attack-low", "surrender", kill=True)
    assert "not lethal" in refusal(edition, surrendered)
    beaten = turn("ninja", "ada", "attack-low", "grapple-low", kill=True)
    assert "surrendered" in refusal(edition, beaten, lethal=True)


@pytest.mark.book("opponent.anybody")
@EACH
def test_an_opponent_is_a_foe_that_is_in(edition: Edition) -> None:
    """Choose an opponent: 'any character on the opposing side'."""
    game, state = begun(edition)
    state = fought(game, state, "ninja", "ada", "attack-low", "surrender")
    state = go(game, state, ninja="active oni")
    offers = {o.choice.value: o.reason for o in game.offers(state, "oni")}
    assert offers.pop("bo") == ""
    assert "ada is out" in offers["ada"]
    for name, why in (("ada", "out of"), ("ninja", "own side"), ("oni", "own side")):
        with pytest.raises(IllegalChoice, match=why):
            go(game, state, oni=f"opponent {name}")


@pytest.mark.book("move.no-move")
@EACH
def test_with_no_card_left_only_surrender_is_open(edition: Edition) -> None:
    """Choose a move: 'if for some reason you have no other remaining moves'."""
    few = {"ada": {"moves": ["attack-low"]}}
    game, state = begun(edition, characters=few, sides=ALONE)
    state = fought(game, state, "ninja", "ada", "defend-mid", "attack-low")
    state = go(game, state, ada="split attack 2")
    state = go(game, go(game, state, ninja="active ninja"), ninja="opponent ada")
    state = go(game, state, ada="stance none", ninja="stance none")
    moves = [o for o in game.offers(state, "ada") if o.choice.kind == "move"]
    assert [o.choice.value for o in moves if not o.reason] == ["surrender"]
    again = turn("ninja", "ada", "defend-high", "attack-low")
    assert "face up" in refusal(edition, LOST_LOW, again, characters=few, sides=ALONE)


@pytest.mark.book("passing.fewer-turns")
@EACH
def test_whoever_was_chosen_has_had_no_turn(edition: Edition) -> None:
    """Playing and passing turns: the winner was chosen, and its side has taken no turn yet."""
    (found,) = played(edition, turn("ada", "ninja", "attack-low", "defend-low"))
    assert (found["winner"], found["may_act"]) == ("ninja", ["ninja", "oni"])


@pytest.mark.book("passing.tie")
@EACH
def test_after_a_tie_anybodys_turn_may_come_by_the_gms_word(edition: Edition) -> None:
    """Playing and passing turns: also after a turn that was won."""
    game, state = begun(edition)
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-low")
    state = go(game, state, ninja="split attack 3")
    state = fought(game, state, "bo", "ninja", "attack-high", "attack-high")
    state = go(game, state, bo="split attack 3", ninja="split attack 3")
    assert game.pending(state).must == (GM,)
    assert game.view(state).may_act == ("ada", "bo", "ninja", "oni")


@pytest.mark.book("passing.otherwise-agreed")
@EACH
def test_nobody_who_is_out_goes_on_even_if_agreed(edition: Edition) -> None:
    """Playing and passing turns."""
    gone = turn("ada", "ninja", "attack-low", "surrender", next={"agreed": "ninja"})
    found, fault = play_until_fault({**setup(edition=edition), "turns": [gone]})
    assert fault is not None and "ninja is out of the conflict" in fault.reason, found
    for name in ("ada", "bo", "oni"):
        assert played(edition, {**gone, "next": {"agreed": name}})


@pytest.mark.book("end.over")
@EACH
@pytest.mark.parametrize(
    ("weak", "mine", "theirs"),
    [("ada", "grapple-low", "attack-low"), ("ninja", "attack-low", "grapple-low")],
)
def test_a_side_goes_on_while_one_of_it_is_in(
    edition: Edition, weak: str, mine: str, theirs: str
) -> None:
    """Resolving consequences."""
    hit = turn("ada", "ninja", mine, theirs)
    frail = {weak: {"energy": energy(1, 1, 1)}}
    found, closing = play({**setup(edition=edition, characters=frail), "turns": [hit]})
    assert (found["out"], closing) == ([weak], {"over": False})


@pytest.mark.book("minor.no-winner", "end.both-out")
@pytest.mark.parametrize("winner", ["players", "gm"])
@EACH
def test_what_the_book_leaves_open_ends_as_the_gm_says(edition: Edition, winner: str) -> None:
    """Minor conflicts; Resolving consequences: the first text says nothing of both at once."""
    game, state = begun(edition, minor=True)
    state = fought(game, state, "ada", "ninja", "attack-low", "attack-low")
    state = go(game, state, ada="split attack 3", ninja="split attack 3")
    assert (game.pending(state).step, game.pending(state).must) == ("verdict", (GM,))
    assert go(game, state, gm=f"winner {winner}").result.winner == winner
    frail = {name: {"energy": energy(1, 0, 0)} for name in ("ada", "ninja")}
    game, state = begun(edition, sides=ALONE, characters=frail)
    state = fought(game, state, "ada", "ninja", "attack-low", "attack-low")
    if edition is IRON_TRIANGLE:
        assert state.result.winner == "gm"
    else:
        assert go(game, state, gm=f"winner {winner}").result.winner == winner


@pytest.mark.book("left.zero-of-one")
@EACH
@pytest.mark.parametrize("kind", ["attack", "defend", "grapple"])
def test_a_type_at_zero_is_marked(edition: Edition, kind: str) -> None:
    """Resolve the consequences: the type that stands at zero, and no other."""
    points = {**energy(5, 5, 5), kind: 2}
    hit = turn("ninja", "ada", "defend-low", "attack-low", loss={"ada": {kind: 2}})
    (found,) = played(edition, hit, characters={"ada": {"energy": points}})
    assert found["zero"] == {"ada": [kind], "bo": [], "ninja": [], "oni": []}


@pytest.mark.book("left.zero-of-one")
@EACH
def test_a_mark_stays_when_energy_comes_back_and_a_bearer_gets_one_too(edition: Edition) -> None:
    """Resolve the consequences: 'if you reach zero energy for one action type, mark it'."""
    first = edition is IRON_TRIANGLE_1E
    bear, back = ("bodyguard", "vampire-defend") if first else ("yojimbo", "santa-carla-defend")
    cast = {
        "ada": {"energy": energy(2, 8, 8), "max": energy(9, 9, 9), "specials": [back]},
        "bo": {"energy": energy(9, 2, 9), "specials": [bear]},
    }
    turns = (
        turn("ninja", "ada", "defend-low", "attack-low", loss={"ada": {"attack": 2}}),
        turn("oni", "ada", "attack-mid", "defend-mid", stance={"ada": "defend 1"},
             special={"ada": [{"name": back, "gain": {"attack": 3 if first else 1}}]}),
        turn("bo", "ninja", "attack-mid", "attack-mid",
             loss={"bo": {"attack": 3}, "ninja": {"attack": 3}}, next="ninja"),
        turn("ninja", "ada", "defend-high", "attack-high", loss={"bo": {"defend": 2}},
             special={"bo": [{"name": bear, "for": "ada"}]}),
        turn("oni", "ada", "grapple-low", "defend-low", loss={"ada": {"grapple": 4}}),
        turn("ninja", "ada", "grapple-high", "defend-high", 
             loss={"ada": {"grapple": 4, "defend": 1}}),
    )  # fmt: skip
    found = played(edition, *turns, characters=cast)
    assert found[1]["energy"]["ada"]["attack"] > 0
    assert [each["zero"]["ada"] for each in found] == [["attack"]] * 5 + [["attack", "grapple"]]
    assert found[3]["zero"]["bo"] == ["defend"]


KNOWS = {
    "attack-low": ["defend-high"],
    "defend-high": ["grapple-mid"],
    "grapple-mid": ["attack-high"],
    "attack-mid": ["grapple-high"],
}
WON = turn("ada", "ninja", "attack-low", "grapple-mid")


def combo(edition: Edition, *turns: Any, bo: Any = None) -> list[dict[str, Any]]:
    return played(
        edition, *turns, characters={"ada": {"combos": KNOWS}, "bo": {"combos": bo or {}}}
    )


@pytest.mark.book("combo.begins", "combo.ends")
@EACH
@pytest.mark.parametrize(
    ("second", "bonus", "lies"),
    [
        (turn("ada", "ninja", "defend-high", "attack-mid"), 1, ["attack-low", "defend-high"]),
        (turn("ada", "ninja", "grapple-high", "defend-low"), 0, None),  # follows another move
        (turn("ada", "ninja", "attack-mid", "grapple-low"), 0, ["attack-mid"]),  # starts afresh
    ],
    ids=["a follow-up", "a follow-up of another move", "a start of its own"],
)
def test_only_a_follow_up_of_the_last_winning_move_continues(
    edition: Edition, second: Any, bonus: int, lies: list[str] | None
) -> None:
    """Combos: a move that does not combo ends the run, and may begin one."""
    first = {**WON, "next": {"agreed": "ada"}}
    found = combo(edition, first, second)[1]
    assert found["loss"]["ninja"]["combo"] == bonus
    assert (found["combo"] and found["combo"]["moves"]) == lies


@pytest.mark.book("combo.begins", "combo.other-opponent")
@EACH
def test_a_combo_is_against_one_opponent_and_in_the_very_next_turn(edition: Edition) -> None:
    """Combos: 'the immediately prior turn was a loss for your opponent'."""
    other = turn("ada", "oni", "defend-high", "attack-mid")
    found = combo(edition, {**WON, "next": {"agreed": "ada"}}, other)[1]
    assert found["loss"]["oni"]["combo"] == 0
    assert found["combo"] == {"victim": "oni", "moves": ["defend-high"]}
    between = turn("bo", "oni", "attack-mid", "grapple-low")
    late = turn("ada", "ninja", "defend-high", "attack-mid")
    found = combo(edition, WON, {**between, "next": {"agreed": "ada"}}, late)[2]
    assert found["loss"]["ninja"]["combo"] == 0


@pytest.mark.book("combo.begins")
@EACH
def test_a_victim_does_not_go_on_with_the_combo_against_it(edition: Edition) -> None:
    """Combos: ninja wins with what it knows as a follow-up of ada's winning move."""
    game, state = begun(edition, characters={n: {"combos": KNOWS} for n in ("ada", "ninja")})
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-mid")
    state = go(game, state, ninja="split attack 3")
    assert state.run.last.id == "attack-low"
    state = fought(game, state, "bo", "ninja", "attack-low", "defend-high")
    (loss,) = game.view(state).turn.losses.values()
    assert (game.view(state).turn.winner, loss.combo, loss.total) == ("ninja", 0, 2)


@pytest.mark.book("combo.three-wins", "combo.grows", "combo.ally", "example-combo.ally")
@EACH
def test_three_wins_in_a_row_one_more_point_each_then_the_turn_is_passed(edition: Edition) -> None:
    """Combos: it counts as one turn; an ally goes on if it knows a follow-up of its own."""
    turns = (
        turn("bo", "oni", "attack-mid", "grapple-low"),
        WON,
        turn("ada", "ninja", "defend-high", "attack-mid"),
        turn("ada", "ninja", "grapple-mid", "defend-low"),
    )
    bos = {"grapple-mid": ["defend-mid"]}
    found = combo(edition, *turns, bo=bos)
    assert [each["may_act"] for each in found] == [["ada"], ["ada", "bo"], ["ada", "bo"], ["bo"]]
    assert [each["loss"].get("ninja", {}).get("combo") for each in found] == [None, 0, 1, 2]
    assert found[3]["combo"]["moves"] == ["attack-low", "defend-high", "grapple-mid"]
    knows = combo(edition, *turns, turn("bo", "ninja", "defend-mid", "attack-high"), bo=bos)[4]
    adas = combo(edition, *turns, turn("bo", "ninja", "attack-high", "grapple-high"), bo=bos)[4]
    assert knows["loss"]["ninja"]["combo"] == 3
    assert adas["loss"]["ninja"]["combo"] == 0, "that follow-up is ada's alone"


@pytest.mark.book("combo.one-turn")
@EACH
def test_a_turn_that_is_kept_is_not_counted(edition: Edition) -> None:
    """Combos: two wins of one turn, and then bo, who has had none."""
    lost = turn("ada", "ninja", "grapple-mid", "attack-low")
    turns = (WON, turn("ada", "ninja", "defend-high", "attack-mid"), lost)
    found = combo(edition, *turns, turn("ninja", "bo", "attack-mid", "defend-low"))
    assert [each["winner"] for each in found] == ["ada", "ada", "ninja", "bo"]
    assert found[3]["may_act"] == ["bo"]
    both = combo(edition, turn("bo", "oni", "attack-mid", "grapple-low"), *turns,
                 turn("ninja", "bo", "attack-mid", "defend-low"))[4]  # fmt: skip
    assert both["may_act"] == ["ada", "bo"], "one turn each"


@pytest.mark.book("combo.face-up")
@EACH
@pytest.mark.parametrize("card", ["attack-low", "defend-high"])
def test_none_of_a_combos_cards_can_be_played(edition: Edition, card: str) -> None:
    """Combos: 'this does restrict your available moves', and only those of who played them."""
    second = turn("ada", "ninja", "defend-high", "attack-mid")
    third = turn("ada", "ninja", card, "grapple-spin")
    both = {"ada": {"combos": KNOWS}}
    assert f"{card} is face up" in refusal(edition, WON, second, third, characters=both)
    ninjas = turn("ada", "ninja", "grapple-mid", card)
    assert played(edition, WON, second, ninjas, characters=both)


@pytest.mark.book("combo.given-up")
@EACH
def test_a_combo_is_ended_by_its_own_side_alone(edition: Edition) -> None:
    """Combos: 'a player can voluntarily end the combo before choosing a move'."""
    game, state = begun(edition, sides=ALONE, characters={"ada": {"combos": KNOWS}})
    state = fought(game, state, "ada", "ninja", "attack-low", "grapple-mid")
    state = go(game, state, ninja="split attack 3")
    state = go(game, go(game, state, ada="active ada"), ada="opponent ninja")
    with pytest.raises(IllegalChoice, match="only ada may end it"):
        game.aside(state, "ninja", Choice("end-combo"))
    ended = game.aside(state, "ada", Choice("end-combo"))
    assert "attack-low" not in game.view(state).characters["ada"].available
    assert "attack-low" in game.view(ended).characters["ada"].available
    assert (ended.run, ended.fighters["ada"].turns) == (None, state.fighters["ada"].turns + 1)
