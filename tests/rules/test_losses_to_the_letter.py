"""Losses, by hand from both editions of Iron Triangle, in cases that tell rules apart."""

from typing import Any

import pytest

from hub.games.game import IllegalChoice
from hub.games.triangle.rules.edition import Edition
from tests.rules.bout import ALONE, EACH, LOST_LOW, begun, fought, go, played, refusal
from tests.rules.duel import energy, turn
from tests.support.editions import IRON_TRIANGLE_1E


@pytest.mark.book(
    "stance.feint",
    "stance.matching-win",
    "stance.matching-loss",
    "loss.loser-stance",
    of=["iron-triangle", "iron-triangle-1e"],
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
def test_the_effect_of_a_stance_on_losses(
    edition: Edition, stances: dict[str, str], mine: str, theirs: str, lost: dict[str, int]
) -> None:
    """Choose a stance; Resolve the consequences."""
    (found,) = played(edition, turn("ada", "ninja", mine, theirs, stance=stances))
    assert {name: loss["total"] for name, loss in found["loss"].items()} == lost


@pytest.mark.book(
    "loss.from-its-type",
    "loss.split",
    "example-stance.loss",
    "example-loss.thirteen",
    of=["iron-triangle", "iron-triangle-1e"],
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
def test_the_committed_part_of_a_loss_is_fixed_and_the_rest_free(
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


@pytest.mark.book("stance.points", "stance.none", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_stance_may_commit_all_of_a_type_or_none(edition: Edition) -> None:
    """Choose a stance: 'a number between zero and your current energy'."""
    game, state = begun(edition, characters={"ada": {"energy": energy(2, 0, 1)}})
    state = go(game, go(game, state, gm="active ada"), ada="opponent ninja")
    offered = [o.choice.value for o in game.offers(state, "ada") if o.choice.kind == "stance"]
    assert offered == ["none", "attack 1", "attack 2", "grapple 1"]
    none = go(game, state, ada="stance attack 0", ninja="stance none")
    assert none.turn.stances == {"ada": None, "ninja": None}
    with pytest.raises(IllegalChoice, match="at most attack 2"):
        go(game, state, ada="stance attack 3", ninja="stance none")


@pytest.mark.book(
    "move.surrender", "move.kill", "end.lesser", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH
@pytest.mark.parametrize("lethal", [True, False])
@pytest.mark.parametrize("kill", ["no", "yes"])
def test_surrender_in_a_lethal_conflict_lets_the_other_kill(
    edition: Edition, lethal: bool, kill: str
) -> None:
    """Choose a move: one who surrenders is out without a loss, and the other is asked."""
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


@pytest.mark.book("move.kill", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_no_killing_in_a_lesser_conflict_or_without_surrender(edition: Edition) -> None:
    """Choose a move."""
    surrendered = turn("ninja", "ada", "attack-low", "surrender", kill=True)
    assert "not lethal" in refusal(edition, surrendered)
    beaten = turn("ninja", "ada", "attack-low", "grapple-low", kill=True)
    assert "surrender" in refusal(edition, beaten, lethal=True)


@pytest.mark.book("move.no-move", of=["iron-triangle", "iron-triangle-1e"])
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


@pytest.mark.book("left.zero-of-one", of=["iron-triangle", "iron-triangle-1e"])
@EACH
@pytest.mark.parametrize("kind", ["attack", "defend", "grapple"])
def test_a_type_at_zero_is_marked(edition: Edition, kind: str) -> None:
    """Resolve the consequences: the type at zero, and no other."""
    points = {**energy(5, 5, 5), kind: 2}
    hit = turn("ninja", "ada", "defend-low", "attack-low", loss={"ada": {kind: 2}})
    (found,) = played(edition, hit, characters={"ada": {"energy": points}})
    assert found["zero"] == {"ada": [kind], "bo": [], "ninja": [], "oni": []}


@pytest.mark.book("left.zero-of-one", of=["iron-triangle", "iron-triangle-1e"])
@EACH
def test_a_mark_stays_when_energy_returns_and_a_bearer_gets_one(edition: Edition) -> None:
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
