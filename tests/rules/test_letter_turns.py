"""Unroll's lines about the turns of a conflict, checked literally: sums worked out by hand."""

from typing import Any

import pytest

from hub.games.game import GM, Choice, Kind, SetupError
from hub.games.registry import game_of
from tests.rules.duel import energy, play, play_until_fault, setup, turn

GAME: Any = game_of("unroll")
ALONE = {"players": ["ada"], "gm": ["ninja"]}
Turns = list[dict[str, Any]]


def conflict(*turns: dict[str, Any], **keys: Any) -> Turns:
    return play({**setup(**keys), "turns": list(turns)})


def go(state: Any, **choices: str) -> Any:
    return GAME.advance(state, {name: Choice.parse(text) for name, text in choices.items()})


def open_to(state: Any, actor: str) -> list[str]:
    return [offer.choice.value for offer in GAME.offers(state, actor) if not offer.reason]


SUMS: tuple[tuple[str, str, str, str, dict[str, int]], ...] = (
    ("attack-high", "attack 2", "grapple-low", "grapple 3", {"base": 3, "stance": 4, "own": 3}),
    ("attack-high", "attack 2", "grapple-low", "attack 3", {"base": 3, "stance": 4, "own": 0}),
    ("attack-high", "defend 2", "grapple-low", "grapple 3", {"base": 3, "stance": 0, "own": 3}),
    ("attack-high", "grapple 2", "grapple-low", "attack 3", {"base": 3, "stance": 0, "own": 0}),
    ("defend-low", "defend 3", "attack-mid", "attack 2", {"base": 2, "stance": 3, "own": 2}),
    ("defend-low", "none", "attack-mid", "attack 0", {"base": 2, "stance": 0, "own": 0}),
    ("grapple-mid", "grapple 3", "defend-high", "defend 5", {"base": 4, "stance": 6, "own": 5}),
    ("grapple-mid", "grapple 1", "grapple-low", "grapple 1", {"base": 4, "stance": 2, "own": 1}),
    ("defend-high", "defend 4", "defend-mid", "none", {"base": 2, "stance": 4, "own": 0}),
)


@pytest.mark.book(
    "opponent.same-rules",
    "stance.matching-win",
    "stance.matching-loss",
    "stance.feint",
    "loss.winner-stance",
    "loss.loser-stance",
    "loss.base",
    of=["unroll"],
)
@pytest.mark.parametrize(("winning", "winners", "losing", "losers", "parts"), SUMS)
@pytest.mark.parametrize("turned", [False, True], ids=["by the active", "by the chosen"])
def test_the_loss_after_a_win(
    winning: str, winners: str, losing: str, losers: str, parts: dict[str, int], turned: bool
) -> None:
    """Choose a stance; Resolve the consequences: for either winner."""
    active, chosen = ("ninja", "ada") if turned else ("ada", "ninja")
    found = conflict(
        {
            "active": active,
            "opponent": chosen,
            "stance": {"ada": winners, "ninja": losers},
            "move": {"ada": winning, "ninja": losing},
        }
    )[0]
    assert found["winner"] == "ada"
    assert {*found["loss"]} == {"ninja"}
    loss = found["loss"]["ninja"]
    assert {"base": loss["base"], "stance": loss["stance"], "own": loss["own_stance"]} == parts
    assert loss["total"] == sum(parts.values())
    assert found["energy"]["ada"] == energy(20, 20, 20)
    assert sum(found["energy"]["ninja"].values()) == 60 - loss["total"]


@pytest.mark.book(
    "stance.matching-loss", "example-stance.loss", "loss.from-its-type", "loss.split", of=["unroll"]
)
@pytest.mark.parametrize(
    ("split", "fits"),
    [
        ({"attack": 2, "grapple": 2}, True), ({"attack": 3, "defend": 1}, True),
        ({"attack": 1, "grapple": 3}, False), ({"grapple": 4}, False), ({"defend": 2}, False),
        ({"attack": 2, "defend": 3}, False), ({"attack": 4}, False), (None, True),
    ],
)  # fmt: skip
def test_two_of_the_four_lost_come_from_the_stance(
    split: dict[str, int] | None, fits: bool
) -> None:
    """Example of choosing a stance: 2 of 3 in attack, move and lose; the rest is a free choice."""
    weak = {"ada": {"energy": energy(3, 5, 5)}}
    lost = turn("ada", "ninja", "attack-high", "defend-low", stance={"ada": "attack 2"})
    lost = {**lost, **({"loss": {"ada": split}} if split else {})}
    found, fault = play_until_fault({**setup(characters=weak), "turns": [lost]})
    assert (fault is None) is fits
    if fits:
        taken = {"attack": 2, "defend": 1, "grapple": 1} if split is None else split
        assert found[0]["loss"]["ada"]["split"] == {**energy(0, 0, 0), **taken}


@pytest.mark.book("loss.base", of=["unroll"])
def test_a_loss_is_capped_at_the_energy_left() -> None:
    """Resolve the consequences."""
    weak = {"ninja": {"energy": energy(0, 1, 2)}}
    hit = turn("ada", "ninja", "attack-high", "grapple-low", stance={"ada": "attack 5"})
    loss = conflict(hit, characters=weak)[0]["loss"]["ninja"]
    assert (loss["stance"], loss["base"], loss["total"]) == (10, 3, 3)


@pytest.mark.book("tie.base", "example-tie.three-each", of=["unroll"])
@pytest.mark.parametrize(
    ("mine", "theirs", "lost"),
    [
        ("attack-high", "attack-high", (3, 3)), ("defend-low", "defend-low", (2, 2)),
        ("grapple-mid", "grapple-mid", (4, 4)),
    ],
)  # fmt: skip
def test_in_a_tie_each_loses_the_others_base(mine: str, theirs: str, lost: tuple[int, int]) -> None:
    """Resolve the consequences: stances and combos do not matter in a tie."""
    stances = {"ada": "attack 2", "ninja": "grapple 1"}
    found = conflict(turn("ada", "ninja", mine, theirs, stance=stances))[0]
    assert (found["outcome"], found["winner"]) == ("tie", None)
    assert tuple(found["loss"][name]["total"] for name in ("ada", "ninja")) == lost
    assert (found["face_up"], found["combo"]) == ({}, None)


@pytest.mark.book("tie.base", of=["unroll"])
def test_in_a_tie_of_two_variants_each_loses_by_the_others_card() -> None:
    """Resolve the consequences: 3 - 1 by the one, 3 + 1 by the other."""
    more, less = ({"move": "attack-low", "variant": sign} for sign in ("+1", "-1"))
    knows = {"ada": {"moves": [more]}, "ninja": {"moves": [less]}}
    found = conflict(turn("ada", "ninja", more, less), characters=knows)[0]
    assert found["outcome"] == "tie"
    assert [found["loss"][name]["total"] for name in ("ada", "ninja")] == [4, 2]


def lost_to(foe: str, mine: str, theirs: str, **keys: Any) -> dict[str, Any]:
    """A turn of ``foe`` against ada."""
    return turn(foe, "ada", theirs, mine, **keys)


LOST = (
    ("ninja", "attack-low", "defend-mid", 2, 0),
    ("oni", "defend-low", "grapple-mid", 4, 1),
    ("ninja", "defend-high", "grapple-low", 4, 2),
    ("oni", "attack-high", "defend-mid", 2, 3),
    ("ninja", "grapple-mid", "attack-high", 3, 0),
    ("oni", "attack-mid", "defend-low", 2, 1),
)


@pytest.mark.book(
    "disadvantage.grows", "loss.disadvantage", "example-disadvantage.low-low-high", of=["unroll"]
)
def test_disadvantage_adds_a_point_for_each_lost_turn_before() -> None:
    """Disadvantage: low, low, defend, high; then a move that does not match the last."""
    found = conflict(*(lost_to(foe, mine, theirs) for foe, mine, theirs, _, _ in LOST))
    for had, (_, _, _, base, more) in zip(found, LOST, strict=False):
        loss = had["loss"]["ada"]
        assert (loss["base"], loss["disadvantage"], loss["total"]) == (base, more, base + more)
    assert found[3]["face_up"] == {
        "ada": ["attack-low", "defend-low", "defend-high", "attack-high"]
    }
    assert found[4]["face_up"] == {"ada": ["grapple-mid"]}


@pytest.mark.book("disadvantage.ends", of=["unroll"])
@pytest.mark.parametrize(
    ("mine", "theirs", "outcome"),
    [
        ("attack-mid", "grapple-high", "win"), ("grapple-mid", "grapple-mid", "tie"),
        ("attack-low", "surrender", "surrender"),
    ],
)  # fmt: skip
def test_a_turn_without_a_loss_ends_disadvantage(mine: str, theirs: str, outcome: str) -> None:
    """Disadvantage: even with a move that would match."""
    turns = [lost_to("ninja", "attack-high", "defend-low", next={"agreed": "oni"})]
    turns += [lost_to("oni", mine, theirs, next={"agreed": "ninja"})]
    turns += [lost_to("ninja", "attack-high", "defend-low")]
    _, second, third, _ = conflict(*turns)
    assert second["outcome"] == outcome
    assert "ada" not in second["face_up"]
    assert third["loss"]["ada"]["disadvantage"] == 0


@pytest.mark.book(
    "opponent.same-rules",
    "disadvantage.begins",
    "disadvantage.loses-ties",
    "winner.disadvantage",
    of=["unroll"],
)
@pytest.mark.parametrize(
    ("mine", "marred"),
    [
        ("attack-low", True), ("attack-mid", True), ("defend-high", True), ("grapple-high", True),
        ("defend-mid", False), ("grapple-low", False),
    ],
)  # fmt: skip
@pytest.mark.parametrize("active", ["ada", "oni"])
def test_disadvantage_needs_the_same_action_or_location(
    mine: str, marred: bool, active: str
) -> None:
    """Disadvantage after a loss with attack high: it loses a would-be tie, for either chooser."""
    lost = lost_to("ninja", "attack-high", "defend-low", next={"agreed": active})
    chosen = "oni" if active == "ada" else "ada"
    moves = {"move": {"ada": mine, "oni": mine}}
    found = conflict(lost, {"active": active, "opponent": chosen, **moves})[1]
    assert (found["winner"], found["why"]) == (("oni", "disadvantage") if marred else (None, "tie"))


@pytest.mark.book("winner.action", "winner.element", of=["unroll"])
def test_a_location_wins_even_at_disadvantage() -> None:
    """Identify the winner: the action, then the location, and only then disadvantage."""
    lost = lost_to("ninja", "attack-high", "defend-low", next={"agreed": "oni"})
    for mine, theirs, winner, why in (
        ("attack-low", "attack-high", "ada", "element"), ("attack-mid", "grapple-high", "ada",
         "action"), ("attack-low", "attack-mid", "oni", "element"),
        ("grapple-high", "defend-low", "ada", "action"),
    ):  # fmt: skip
        found = conflict(lost, lost_to("oni", mine, theirs))[1]
        assert (found["winner"], found["why"]) == (winner, why)


@pytest.mark.book("disadvantage.face-up", "move.no-move", of=["unroll"])
def test_face_up_cards_cannot_be_played() -> None:
    """Disadvantage, Combos: all of the player's own; without any left, only surrender is open."""
    lost = [lost_to(foe, mine, theirs) for foe, mine, theirs, _, _ in LOST[:3]]
    for card in ("attack-low", "defend-low", "defend-high"):
        again = lost_to("oni", card, "grapple-mid")
        _, fault = play_until_fault({**setup(), "turns": [*lost, again]})
        assert fault is not None
        assert "is face up and cannot be played" in str(fault)
    few = {"ada": {"moves": ["attack-low"]}}
    lost = [lost_to("ninja", "attack-low", "defend-mid"), lost_to("oni", "", "defend-mid")]
    for card, fits in (("attack-low", False), ("surrender", True)):
        lost[1]["move"]["ada"] = card
        _, fault = play_until_fault({**setup(characters=few), "turns": lost})
        assert (fault is None) is fits


@pytest.mark.book("turn.order", "stance.shown", "move.shown", of=["unroll"])
def test_both_choose_in_secret_in_each_step() -> None:
    """Conflict Turns; Choose a stance, a move: sealed by both, regardless of who chose whom."""
    state = GAME.begin(setup(sides=ALONE))
    seen = []
    for chosen in (
        {GM: "active ninja"}, {"ninja": "opponent ada"},
        {"ada": "stance attack 1", "ninja": "stance none"},
        {"ada": "move attack-high", "ninja": "move grapple-low"},
    ):  # fmt: skip
        pending = GAME.pending(state)
        seen.append((pending.step, pending.kind, pending.must))
        state = go(state, **chosen)
    both = ("ada", "ninja")
    assert seen == [
        ("first", Kind.DECISION, (GM,)), ("opponent", Kind.DECISION, ("ninja",)),
        ("stance", Kind.SEALED, both), ("move", Kind.SEALED, both),
    ]  # fmt: skip
    assert GAME.pending(state).step == "split"
    assert GAME.pending(state).must == ("ninja",)


@pytest.mark.book("stance.points", "stance.none", of=["unroll"])
def test_a_stance_may_commit_all_energy_or_none() -> None:
    """Choose a stance: from zero to the current energy of one type."""
    some = {"ada": {"energy": energy(2, 0, 1), "max": energy(5, 5, 5)}}
    state = GAME.begin(setup(sides=ALONE, characters=some))
    state = go(go(state, gm="active ada"), ada="opponent ninja")
    assert open_to(state, "ada") == ["none", "attack 1", "attack 2", "grapple 1"]
    for value in ("defend 1", "attack 3", "grapple 2"):
        assert GAME.why_not(state, "ada", Choice("stance", value))
    state = go(state, ada="stance attack 0", ninja="stance none")
    assert state.turn.stances == {"ada": None, "ninja": None}


@pytest.mark.book("move.surrender", "move.kill", of=["unroll"])
@pytest.mark.parametrize("lethal", [True, False])
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_the_remaining_player_decides_about_one_who_surrenders(lethal: bool, answer: str) -> None:
    """Choose a move: only in a lethal conflict, and without a loss."""
    state = GAME.begin(setup(lethal=lethal))
    state = go(go(state, gm="active ada"), ada="opponent ninja")
    state = go(state, ada="stance attack 5", ninja="stance attack 5")
    state = go(state, ada="move surrender", ninja="move attack-high")
    if lethal:
        pending = GAME.pending(state)
        assert (pending.step, pending.must) == ("kill", ("ninja",))
        state = go(state, ninja=f"kill {answer}")
    assert GAME.pending(state).step == "next"
    ada, ninja = state.fighters["ada"], state.fighters["ninja"]
    assert (ada.out, ada.dead) == (True, lethal and answer == "yes")
    assert (ninja.out, ninja.face_up, ada.face_up) == (False, (), ())
    assert {fighter.energy.total for fighter in state.fighters.values()} == {60}
    assert state.winner == "ninja"


@pytest.mark.book("reveal.energy", of=["unroll"])
def test_all_remaining_energy_is_public() -> None:
    """Reveal energy: of NPCs and player characters alike, current and maximum."""
    some = {
        "ada": {"energy": energy(4, 3, 2), "max": energy(5, 5, 5)},
        "ninja": {"energy": energy(3, 1, 4), "max": energy(6, 6, 6)},
    }
    state = GAME.begin(setup(sides=ALONE, characters=some))
    for now in (energy(3, 1, 4), energy(0, 1, 4)):
        shown = GAME.view(state).characters
        for name, left, most in (("ada", energy(4, 3, 2), 15), ("ninja", now, 18)):
            points = shown[name].energy
            assert energy(points.attack, points.defend, points.grapple) == left
            assert shown[name].max.total == most
        if now["attack"]:
            state = go(go(state, gm="active ada"), ada="opponent ninja")
            state = go(state, ada="stance none", ninja="stance none")
            state = go(state, ada="move attack-high", ninja="move grapple-low")
            state = go(state, ninja="split attack 3")


@pytest.mark.book("opponent.anybody", "stakes.no-energy", of=["unroll"])
def test_a_character_who_is_out_cannot_be_chosen_or_enter() -> None:
    """Choose an opponent; Establishing stakes: characters without energy cannot take part."""
    weak = {"ninja": {"energy": energy(1, 1, 1)}}
    beaten = turn("ada", "ninja", "attack-high", "grapple-low")
    for foe, fits in (("ninja", False), ("oni", True)):
        then = turn("bo", foe, "attack-high", "grapple-low")
        _, fault = play_until_fault({**setup(characters=weak), "turns": [beaten, then]})
        assert (fault is None) is fits
    tired = {"ada": {"energy": energy(0, 0, 0), "max": energy(3, 3, 3)}}
    with pytest.raises(SetupError, match="ada has no energy and cannot enter a conflict"):
        GAME.begin(setup(characters=tired))


@pytest.mark.book("left.zero-of-one", of=["unroll"])
@pytest.mark.parametrize(("defend", "zero"), [(1, ["attack"]), (0, ["attack", "defend"])])
def test_a_zero_mark_stays_when_energy_returns(defend: int, zero: list[str]) -> None:
    """Resolve the consequences: a type at zero is marked, a type at one is not."""
    some = {
        "ninja": {
            "energy": energy(3, defend, 8),
            "max": energy(9, 9, 9),
            "specials": ["santa-carla-grapple"],
        }
    }
    hit = turn("ada", "ninja", "attack-high", "grapple-low", loss={"ninja": {"attack": 3}},
               next={"agreed": "ninja"})  # fmt: skip
    special = {"ninja": [{"name": "santa-carla-grapple", "gain": {"attack": 2}}]}
    back = turn("ninja", "ada", "grapple-high", "defend-mid", special=special,
                stance={"ninja": "grapple 2"})  # fmt: skip
    first, second, _ = conflict(hit, back, characters=some)
    assert (first["energy"]["ninja"], first["zero"]["ninja"]) == (energy(0, defend, 8), zero)
    assert (second["energy"]["ninja"], second["zero"]["ninja"]) == (energy(2, defend, 8), zero)
