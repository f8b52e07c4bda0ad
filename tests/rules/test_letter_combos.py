"""Unroll's lines about combos, passing turns and the end of a conflict, checked literally."""

from typing import Any

import pytest

from hub.games.game import GM, Choice, IllegalChoice
from tests.rules.duel import energy, play_until_fault, setup, turn
from tests.rules.test_letter_turns import ALONE, GAME, conflict, go, open_to

COMBO = {
    "ada": {
        "combos": {
            "attack-low": ["grapple-high"],
            "grapple-high": ["defend-high", "attack-high"],
            "attack-high": ["attack-low", "defend-mid"],
        }
    },
    "bo": {"combos": {"attack-high": ["defend-low"], "defend-low": ["attack-low"]}},
}
RUN = [
    turn("ada", "ninja", "attack-low", "grapple-mid"),
    turn("ada", "ninja", "grapple-high", "defend-low"),
    turn("ada", "ninja", "attack-high", "grapple-mid"),
]


@pytest.mark.book(
    "combo.grows",
    "combo.face-up",
    "combo.three-wins",
    "combo.one-turn",
    "combo.ally",
    "example-combo.ally",
    "loss.combo",
    of=["unroll"],
)
def test_three_wins_then_an_ally_continues() -> None:
    """Combos, Example combo: a point more for each turn, cards face up, one turn in the count."""
    ally = turn("bo", "ninja", "defend-low", "attack-high")
    first, second, third, fourth, _ = conflict(*RUN, ally, characters=COMBO)
    combos = [each["loss"]["ninja"]["combo"] for each in (first, second, third, fourth)]
    assert combos == [0, 1, 2, 3]
    assert fourth["combo"]["moves"] == ["attack-low", "grapple-high", "attack-high", "defend-low"]
    assert [each["may_act"] for each in (first, second, third)] == [
        ["ada", "bo"], ["ada", "bo"], ["bo"],
    ]  # fmt: skip
    for card, fits in (("attack-low", False), ("defend-mid", True)):
        own = [*RUN[:2], turn("ada", "ninja", card, "attack-mid")]
        assert (play_until_fault({**setup(characters=COMBO), "turns": own})[1] is None) is fits
    for card in ("attack-low", "grapple-high", "attack-high"):
        allys = [*RUN, turn("bo", "ninja", card, "attack-mid")]
        assert play_until_fault({**setup(characters=COMBO), "turns": allys})[1] is None


@pytest.mark.book("combo.learned", "combo.begins", of=["unroll"])
def test_knowing_the_moves_is_not_knowing_the_combo() -> None:
    """Combos: learned separately from moves; the follow-up must be of the winning move."""
    knows = {"ada": {"combos": {"attack-low": ["defend-mid"], "grapple-low": ["grapple-high"]}}}
    second = conflict(RUN[0], {**RUN[1], "active": "bo", "move": {"bo": "grapple-high",
                      "ninja": "defend-low"}}, characters=knows)[1]  # fmt: skip
    assert second["loss"]["ninja"]["combo"] == 0
    second = conflict({**RUN[0], "next": {"agreed": "ada"}}, RUN[1], characters=knows)[1]
    assert second["loss"]["ninja"]["combo"] == 0


@pytest.mark.book("combo.tie", "combo.ends", "combo.other-opponent", "tie.ends", of=["unroll"])
@pytest.mark.parametrize("between", ["tie", "loss", "other", "word"])
def test_a_combo_ends(between: str) -> None:
    """Combos: a tie, a loss, another opponent, or the player's word; the cards return."""
    turns = {
        "tie": turn("bo", "ninja", "attack-high", "attack-high", next={"agreed": "ada"}),
        "loss": turn("bo", "ninja", "attack-mid", "defend-mid", next={"agreed": "ada"}),
        "other": turn("bo", "oni", "grapple-high", "defend-mid", next={"agreed": "ada"}),
        "word": turn("bo", "ninja", "grapple-high", "defend-low", end_combo=True,
                     next={"agreed": "ada"}),
    }  # fmt: skip
    knows = {**COMBO, "bo": {"combos": {"attack-low": ["grapple-high", "attack-high"]}}}
    after = turn("ada", "ninja", "attack-low", "grapple-low")
    _, second, third, _ = conflict(RUN[0], turns[between], after, characters=knows)
    if between == "word":
        assert second["loss"]["ninja"]["combo"] == 0
        assert second["combo"] == {"victim": "ninja", "moves": ["grapple-high"]}
    elif between != "other":
        assert second["combo"] is None
    assert third["loss"]["ninja"]["combo"] == 0
    assert third["combo"]["moves"] == ["attack-low"]


@pytest.mark.book("end.over", of=["unroll"])
@pytest.mark.parametrize("turned", [False, True])
def test_a_conflict_is_over_when_a_side_is_out(turned: bool) -> None:
    """Resolving consequences: not before, and for either side."""
    weak, strong = (["ninja", "oni"], "ada") if turned else (["ada", "bo"], "ninja")
    some = {name: {"energy": energy(1, 1, 0)} for name in weak}
    hits = [turn(strong, name, "attack-low", "grapple-low", next={"agreed": strong})
            for name in weak]  # fmt: skip
    first, closing = conflict(hits[0], characters=some)
    assert (first["out"], closing["over"]) == ([weak[0]], False)
    del hits[1]["next"]
    *_, second, closing = conflict(*hits, characters=some)
    assert second["out"] == weak
    assert closing["winner"] == ("players" if turned else "gm")
    assert (closing["over"], closing["reason"], second["dead"]) == (True, "side-out", [])


@pytest.mark.book("passing.fewer-turns", of=["unroll"])
def test_only_turns_within_the_own_side_are_compared() -> None:
    """Playing and passing turns: the other side's turns do not matter."""
    again = {"next": {"agreed": "ninja"}}
    turns = [
        turn("bo", "ninja", "attack-high", "grapple-low", next={"agreed": "bo"}),
        turn("bo", "ninja", "attack-high", "defend-low", **again),
        turn("ninja", "ada", "attack-high", "grapple-low", **again),
        turn("ninja", "bo", "attack-mid", "grapple-low", **again),
        turn("ninja", "ada", "attack-low", "defend-mid"),
    ]
    found = conflict(*turns)
    assert [each["may_act"] for each in found[:4]] == [
        ["ada"], ["ninja", "oni"], ["oni"], ["oni"],
    ]  # fmt: skip
    assert found[4]["winner"] == "ada"
    assert found[4]["may_act"] == ["ada"]


@pytest.mark.book("combo.three-wins", "example-combo.ally", of=["unroll"])
def test_a_winner_without_a_free_follow_up_cannot_keep_the_turn() -> None:
    """Combos: bo could continue it, so its card stays face up; ada has to pass."""
    knows = {"bo": {"combos": {"attack-low": ["grapple-high"]}}}
    first, second, _ = conflict(RUN[0], {**RUN[1], "active": "bo", "move": {"bo": "grapple-high",
                                "ninja": "defend-low"}}, characters=knows)  # fmt: skip
    assert (first["combo"]["moves"], first["may_act"]) == (["attack-low"], ["bo"])
    assert second["loss"]["ninja"]["combo"] == 1
    assert second["may_act"] == ["ada", "bo"]


@pytest.mark.book("combo.begins", of=["unroll"])
def test_a_winning_victim_does_not_continue_the_combo() -> None:
    """Combos: the combo was laid against the victim, whose own follow-ups do not matter."""
    knows = {**COMBO, "ninja": {"combos": {"attack-low": ["defend-mid"]}}}
    second = conflict(RUN[0], turn("bo", "ninja", "attack-high", "defend-mid"), characters=knows)[1]
    assert second["winner"] == "ninja"
    assert second["loss"]["bo"]["combo"] == 0


@pytest.mark.book("combo.other-opponent", of=["unroll"])
def test_another_opponent_returns_the_cards_before_the_move() -> None:
    """Combos: against ninja attack low is face up, against oni it can be played again."""
    first = {**RUN[0], "next": {"agreed": "ada"}}
    for foe, fits in (("ninja", False), ("oni", True)):
        again = turn("ada", foe, "attack-low", "grapple-high")
        _, fault = play_until_fault({**setup(characters=COMBO), "turns": [first, again]})
        assert (fault is None) is fits


@pytest.mark.book("combo.ends-with-conflict", of=["unroll"])
def test_no_card_is_face_up_after_the_conflict() -> None:
    """Combos."""
    last, closing = conflict(RUN[0], characters=COMBO, minor=True)
    assert (closing["over"], last["combo"]) == (True, None)


def after_the_first(**keys: Any) -> Any:
    """The first turn of the run, played at the table."""
    state = GAME.begin(setup(characters=COMBO, **keys))
    for chosen in (
        {GM: "active ada"}, {"ada": "opponent ninja"},
        {"ada": "stance none", "ninja": "stance none"},
        {"ada": "move attack-low", "ninja": "move grapple-mid"},
    ):  # fmt: skip
        state = go(state, **chosen)
    return settled(state)


def settled(state: Any) -> Any:
    """Take all losses by the default choices."""
    while GAME.pending(state).step != "next":
        must = GAME.pending(state).must
        likely = {n: next(o for o in GAME.offers(state, n) if o.default) for n in must}
        state = go(state, **{n: str(offer.choice) for n, offer in likely.items()})
    return state


WORD = Choice("end-combo")


@pytest.mark.book("combo.given-up", of=["unroll"])
def test_the_player_can_end_a_combo_before_the_move() -> None:
    """Combos: by the player in the turn who continues the combo, not by the victim."""
    state = go(go(after_the_first(), ada="active bo"), bo="opponent ninja")
    for step in ("stance", "move"):
        assert GAME.pending(state).step == step
        for who in ("ninja", "ada", GM):
            with pytest.raises(IllegalChoice):
                GAME.declare(state, who, WORD)
        assert GAME.declare(state, "bo", WORD).run is None
        if step == "stance":
            state = go(state, bo="stance none", ninja="stance none")


@pytest.mark.book("combo.given-up", "combo.one-turn", of=["unroll"])
def test_a_kept_turn_counts_once_its_combo_is_ended() -> None:
    """Combos: a kept turn counts as one with those before it; once the combo ends, separately."""
    state = go(go(after_the_first(sides=ALONE), ada="active ada"), ada="opponent ninja")
    assert (state.turn.kept, state.fighters["ada"].turns) == (True, 1)
    assert GAME.why_not(go(state, ada="stance none", ninja="stance none"), "ada",
                        Choice("move", "attack-low"))  # fmt: skip
    ended = GAME.declare(state, "ada", WORD)
    assert (ended.turn.kept, ended.fighters["ada"].turns) == (False, 2)
    ended = go(ended, ada="stance none", ninja="stance none")
    assert GAME.why_not(ended, "ada", Choice("move", "attack-low")) is None
    only_for_it = go(after_the_first(), ada="active ada")
    assert GAME.pending(only_for_it).step == "stance"
    with pytest.raises(IllegalChoice):
        GAME.declare(only_for_it, "ada", WORD)


@pytest.mark.book("passing.winner", "passing.tie", "passing.otherwise-agreed", of=["unroll"])
def test_the_winner_names_the_next_and_after_a_tie_the_gm() -> None:
    """Playing and passing turns. Another agreement is recorded by the GM alone."""
    for mine, awaited, may in (
        ("attack-low", "ada", ["bo"]), ("grapple-low", "ninja", ["ninja", "oni"]),
        ("attack-high", GM, ["ada", "bo", "ninja", "oni"]),
    ):  # fmt: skip
        theirs = {"grapple-low": "attack-high"}.get(mine, "attack-high")
        state = GAME.begin(setup())
        state = go(go(state, gm="active ada"), ada="opponent ninja")
        state = go(state, ada="stance none", ninja="stance none")
        state = go(state, ada=f"move {mine}", ninja=f"move {theirs}")
        state = settled(state)
        assert GAME.pending(state).must == (awaited,)
        assert open_to(state, awaited)[: len(may)] == may
        for name in ("ada", "bo", "ninja", "oni"):
            agreed = Choice("agreed", name)
            assert GAME.why_not(state, GM, agreed) is None
            assert GAME.declare(state, GM, agreed).turn.active == name
            with pytest.raises(IllegalChoice):
                GAME.declare(state, "ada", agreed)


@pytest.mark.book("combo.three-wins", "bind.effect", of=["unroll"])
@pytest.mark.parametrize("why", ["", "bound", "out", "bound to the victim"])
def test_a_winner_that_cannot_go_on_cannot_keep_the_turn(why: str) -> None:
    """Combos: bound to another character from this turn on, or out by winning (R12, R24)."""
    only = "there-can-be-only-one"
    few = {**COMBO["ada"], "energy": energy(2, 0, 0)} if why == "out" else COMBO["ada"]
    knows = {
        "ada": {**few, "specials": [only]},
        "bo": {"combos": {"attack-low": ["grapple-high"]}},
        "ninja": {"specials": ["dig-two-graves-attack"]},
    }
    bound = {"name": only, "target": "ninja" if "victim" in why else "oni"}
    special = {"ada": [bound]} if "bound" in why else {}
    special = {"ninja": ["dig-two-graves-attack"]} if why == "out" else special
    first = conflict({**RUN[0], "special": special}, characters=knows)[0]
    assert (first["winner"], first["combo"]["moves"]) == ("ada", ["attack-low"])
    assert first["out"] == (["ada"] if why == "out" else [])
    assert first["may_act"] == (["bo"] if why in ("bound", "out") else ["ada", "bo"])
