"""The GM overrules a conflict (R11): every clause at every step, and its consequences."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hub.games.game import GM, Choice, Kind
from hub.games.registry import game_of
from hub.games.triangle.rules.conflict import Conflict, Ending, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.views import TriangleView
from tests.rules.walk import (
    EDITIONS,
    check,
    game,
    lying,
    own_offers,
    pick,
    random_setup,
    with_let_be,
)
from tests.support import words
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.words import overruled

MOVES = ["attack-high", "attack-mid", "attack-low", "defend-mid", "grapple-high", "grapple-low"]
CHARACTER = ("energy", "out", "dead", "disadvantage", "special", "turns", "free")
NAMES = ("ada", "bo", "ninja", "crow")
STEPS = {
    "first": (*CHARACTER, "combo", "end"), "opponent": (*CHARACTER, "combo", "end"),
    "next": (*CHARACTER, "combo", "end"), "stance": (), "move": (), "specials": (),
    "target": ("end",), "replace": ("end",), "split": ("turn", "loss", "end"),
    "aim": ("turn", "loss", "end"), "gain": ("turn", "loss", "end"), "kill": ("end",),
    "verdict": (*CHARACTER, "end"), "over": (),
}  # fmt: skip
KINDS = {"in": "out", "alive": "dead", "specials": "special"}
"""Clauses written in a word other than their value's."""
WORDS = {
    "energy": "bo attack 2 grapple 1",
    "out": "bo out",
    "in": "bo in",
    "dead": "bo dead",
    "alive": "bo alive",
    "disadvantage": "bo disadvantage attack-low defend-mid",
    "specials": "bo specials used yojimbo",
    "turns": "bo turns 3",
    "free": "bo free",
    "combo": "combo against crow; ada attack-mid",
    "turn": "turn tied",
    "loss": "loss ninja 2",
    "end": "end players",
}


def begun(edition: Any = UNROLL, **options: Any) -> Conflict:
    """ada and bo against ninja and crow, with specials on both sides."""
    three = {"attack": 3, "defend": 3, "grapple": 3}
    specials = {"ada": ["santa-carla-attack", "there-can-be-only-one", "drunken-monkey"],
                "bo": ["yojimbo"], "ninja": ["pressure-point"], "crow": []}  # fmt: skip
    sheets = {
        name: {
            "energy": three,
            "max": dict.fromkeys(three, 5),
            "moves": MOVES,
            "combos": {"attack-mid": ["grapple-high", "attack-high"]},
            "specials": specials[name] if edition is UNROLL else [],
        }
        for name in NAMES
    }
    setup = {
        "ruleset": edition.id,
        "sides": {"players": ["ada", "bo"], "gms": ["ninja", "crow"]},
        "characters": sheets,
        **options,
    }
    state: Conflict = game_of(edition.id).begin(setup)
    return state


def go(state: Conflict, *steps: dict[str, str], beside: dict[str, str] | None = None) -> Conflict:
    for index, step in enumerate(steps):
        last = index == len(steps) - 1
        laid = {a: [Choice.parse(c)] for a, c in (beside or {}).items()} if last else {}
        chosen = {actor: Choice.parse(text) for actor, text in step.items()}
        state = game(state).advance(state, with_let_be(state, chosen), bytes(32), laid)
    return state


def say(state: Conflict, what: str) -> Conflict:
    check(state)
    after = overruled(game(state), state, f"{what} because it was so")
    check(after)
    return after


def why_not(state: Conflict, what: str) -> str:
    why = words.why_not(game(state), state, f"{what} because it was so")
    assert why and why.isprintable()
    return why


def spoken(state: Conflict) -> tuple[str, ...]:
    """The clauses that are offered; one that would apply to no one is left out."""
    return tuple(each.value for each in game(state).overrules(state))


def view(state: Conflict) -> TriangleView:
    found = game(state).view(state)
    assert isinstance(found, TriangleView)
    return found


def awaits(state: Conflict) -> str:
    """The pending step."""
    return game(state).pending(state).step


TO_STANCE = ({GM: "active ada"}, {"ada": "opponent ninja"})
NO_STANCES = {"ada": "stance none", "ninja": "stance none"}
HIT = {"ada": "move attack-mid", "ninja": "move grapple-low"}
SAME = {"ada": "move attack-mid", "ninja": "move attack-mid"}
BOTH_UP = {"ada": "move surrender", "ninja": "move surrender"}


def at(step: str) -> Conflict:
    """A conflict that has reached this step."""
    if step == "first":
        return begun()
    if step == "verdict":
        return go(begun(minor=True), *TO_STANCE, NO_STANCES, BOTH_UP)
    if step == "kill":
        surrender = {"ada": "move attack-mid", "ninja": "move surrender"}
        return go(begun(lethal=True), *TO_STANCE, NO_STANCES, surrender)
    named = go(begun(), TO_STANCE[0])
    if step == "opponent":
        return named
    stance = go(named, TO_STANCE[1])
    if step == "stance":
        return stance
    if step in ("specials", "target"):
        asked = game(stance).declare(stance, "ada", Choice("use"))
        laid = {"ada": "special there-can-be-only-one", "ninja": "special none"}
        return asked if step == "specials" else go(asked, laid)
    move = go(stance, {"ada": "stance attack 2", "ninja": "stance none"})
    if step == "move":
        return move
    if step == "replace":
        return go(move, HIT, beside={"ada": "special drunken-monkey"})
    if step == "aim":
        miss = {"ada": "move grapple-low", "ninja": "move attack-mid"}
        return go(go(move, miss, beside={"ninja": "special pressure-point"}), {})
    laid = {"ada": "special santa-carla-attack"} if step == "gain" else {}
    split = go(move, HIT, beside=laid)
    if step == "split":
        return split
    after = go(split, {"ninja": str(own_offers(split, "ninja")[0].choice)})
    if step == "over":
        return say(after, "end nobody")
    return after


@pytest.mark.parametrize("step", STEPS)
def test_the_clauses_allowed_at_each_step(step: str) -> None:
    state = at(step)
    pending = game(state).pending(state)
    assert pending.step == step
    unbound = [each for each in STEPS[step] if each != "free"]
    assert [*spoken(state)] == unbound, "nobody is bound"
    for clause, word in WORDS.items():
        if KINDS.get(clause, clause) not in STEPS[step]:
            why = why_not(state, word)
            assert step == "over" or pending.kind is not Kind.SEALED or "after the reveal" in why
        elif clause not in ("in", "alive", "free"):
            say(state, word)


@pytest.mark.parametrize(
    ("step", "word", "reason"),
    [
        ("next", "bo attack 6", "at most 5 points of attack"),
        ("next", "bo attack many", "is not a split"),
        ("next", "stranger out", "no one here is called"),
        ("next", "bo in", "bo is in"),
        ("next", "bo alive", "bo is alive"),
        ("next", "bo free", "is not bound"),
        ("next", "bo turns 10000", "a number from 0"),
        ("next", "bo disadvantage", "knows no move"),
        ("next", "bo disadvantage grapple-spin", "knows no move"),
        ("next", "bo disadvantage attack-low attack-low", "each card once"),
        ("next", "ada disadvantage attack-mid", "is in the combo"),
        ("next", "bo specials used scouter", "has no special"),
        ("next", "bo specials ready yojimbo", "has not used"),
        ("next", "combo", "a combo names its victim"),
        ("next", "combo against crow", "a combo names its victim"),
        ("next", "combo against crow; ninja attack-mid", "not a move of the side"),
        ("next", "combo against crow; ada attack-mid; ada attack-mid", "already"),
        ("next", "combo against crow; ada attack-low", "could follow up"),
        ("next", "turn won ada", "losses of a turn are being settled"),
        ("next", "loss ada 1", "losses of a turn are being settled"),
        ("next", "end ninja", "the sides are players, gms"),
        ("split", "turn won bo", "won by ada or by ninja, or it is tied"),
        ("split", "loss stranger 1", "a character who is still in"),
        ("split", "loss ninja 10", "from 0 to 9"),
        ("split", "bo out", "'out' after it"),
        ("kill", "turn tied", "settle this first"),
        ("verdict", "combo none", "only the winner of the conflict"),
        ("opponent", "ada out", "named for this turn"),
        ("opponent", "ada attack 0", "named for this turn"),
        ("first", "combo none", "there is no combo"),
    ],
)
def test_a_refusal_says_what_to_do(step: str, word: str, reason: str) -> None:
    assert reason in why_not(at(step), word)


class TestCharacters:
    def test_zero_energy_marks_and_takes_out(self) -> None:
        after = say(at("next"), "bo attack 0")
        bo = view(after).characters["bo"]
        assert (bo.energy, bo.zero, bo.out, bo.dead) == (Energy(), tuple(Action), True, False)
        back = say(after, "bo defend 2")
        assert not view(back).characters["bo"].out
        assert view(back).characters["bo"].zero == tuple(Action), "a mark stays"

    def test_in_a_lethal_conflict_zero_energy_is_death_and_can_be_reverted(self) -> None:
        after = say(begun(lethal=True), "bo attack 0")
        assert view(after).characters["bo"].dead
        assert "would die again" in why_not(after, "bo alive")
        assert "alive' first" in why_not(after, "bo in")
        after = say(after, "bo attack 1")
        assert view(after).characters["bo"].out, "the dead stay out"
        assert not view(say(after, "bo alive")).characters["bo"].out

    def test_out_and_in_again_also_after_a_surrender(self) -> None:
        after = say(at("next"), "bo out")
        bo = view(after).characters["bo"]
        assert bo.out and bo.surrendered and bo.energy.total == 9
        assert "is already out" in why_not(after, "bo out")
        assert not view(say(after, "bo in")).characters["bo"].out
        spent = say(after, "bo attack 0")
        assert "has no energy" in why_not(spent, "bo in")

    def test_dead_and_alive(self) -> None:
        after = say(at("next"), "crow dead")
        assert view(after).characters["crow"].dead and view(after).characters["crow"].out
        assert "already dead" in why_not(after, "crow dead")
        assert not view(say(after, "crow alive")).characters["crow"].out

    def test_a_last_stand_ends_with_death(self) -> None:
        state = begun()
        use = "way-of-the-samurai"
        setup = {"sides": {"players": ["ada"], "gms": ["crow"]}, "ruleset": "unroll"}
        energy = {"attack": 9, "defend": 0, "grapple": 0}
        sheet = {"energy": energy, "moves": MOVES, "specials": [use]}
        state = game(state).begin({**setup, "characters": {"ada": sheet, "crow": sheet}})
        state = go(state, {GM: "active ada"}, {"ada": "opponent crow"})
        state = game(state).declare(state, "ada", Choice("use"))
        state = go(state, {"ada": f"special {use}", "crow": "special none"})
        state = go(state, {"ada": "stance none", "crow": "stance none"})
        state = go(state, {"ada": "move attack-high", "crow": "move attack-high"})
        assert awaits(state) == "next" and view(state).characters["ada"].last_stand
        assert not view(say(state, "ada attack 0")).characters["ada"].out
        assert view(say(state, "ada dead")).result is not None
        ended = say(state, "end players")
        assert view(ended).characters["ada"].dead

    def test_disadvantage_is_set_and_cleared(self) -> None:
        after = say(at("next"), "bo disadvantage attack-low defend-mid")
        assert view(after).characters["bo"].face_up == ("attack-low", "defend-mid")
        assert "attack-low" not in (view(after).characters["bo"].available or ())
        assert view(say(after, "bo disadvantage none")).characters["bo"].face_up == ()

    def test_specials_are_marked_used_or_ready(self) -> None:
        after = say(at("next"), "bo specials used yojimbo")
        assert view(after).characters["bo"].specials_left == ()
        assert "has already used yojimbo" in why_not(after, "bo specials used yojimbo")
        ready = say(after, "bo specials ready yojimbo")
        assert view(ready).characters["bo"].specials_left == ("yojimbo",)

    def test_overruled_turns_change_who_may_act(self) -> None:
        state = at("next")
        assert view(state).may_act == ("ada", "bo")
        after = say(say(state, "combo none"), "bo turns 3")
        assert view(after).may_act == ("ada",)

    def test_a_freed_character_is_no_longer_bound(self) -> None:
        target = at("target")
        bound = go(target, {"ada": "target crow"})
        bound = go(bound, NO_STANCES, HIT)
        bound = go(bound, {"ninja": str(own_offers(bound, "ninja")[0].choice)})
        assert view(bound).characters["crow"].bound == "ada"
        assert view(say(bound, "crow free")).characters["ada"].bound is None
        gone = say(bound, "crow out")
        assert view(gone).characters["ada"].bound is None
        assert view(say(gone, "crow in")).characters["ada"].bound is None, "a bond stays broken"


class TestTurns:
    def test_a_combo_ends_when_its_victim_is_out_or_none_could_continue(self) -> None:
        state = at("next")
        combo = view(state).combo
        assert combo and combo.victim == "ninja"
        assert view(say(state, "ninja out")).combo is None
        assert view(say(state, "combo none")).combo is None
        assert view(say(state, "ada out")).combo, "bo can follow up"

    def test_a_combo_is_set(self) -> None:
        said = "combo against crow; ada attack-high; bo attack-mid"
        combo = view(say(at("next"), said)).combo
        assert combo and (combo.victim, combo.bonus) == ("crow", 2)
        assert combo.players == ("ada", "bo")

    def test_a_combo_against_the_own_side_does_not_keep_the_turn(self) -> None:
        state = say(say(at("next"), "ada turns 9"), "combo against bo; ninja attack-mid")
        assert view(state).combo
        assert "ada" not in view(state).may_act
        assert view(say(state, "combo against crow; bo attack-mid")).may_act == ("ada", "bo")

    def test_the_win_goes_to_the_other(self) -> None:
        state = say(at("split"), "turn won ninja")
        turn = view(state).turn
        assert turn and (turn.winner, turn.loser, turn.why) == ("ninja", "ada", "overruled")
        loss = turn.losses["ada"]
        assert (loss.base, loss.own_stance, loss.committed) == (4, 2, Action.ATTACK)
        state = go(state, {"ada": str(own_offers(state, "ada")[0].choice)})
        assert state.winner == "ninja" and view(state).characters["ada"].energy.total == 3
        assert view(state).characters["ada"].face_up == ("attack-mid",)

    def test_a_turn_is_made_a_tie(self) -> None:
        state = say(at("split"), "turn tied")
        turn = view(state).turn
        assert turn and turn.winner is None and set(turn.losses) == {"ada", "ninja"}
        assert game(state).pending(state).must == ("ada", "bo", "ninja", "crow")
        back = say(state, "turn won ada")
        assert (back.turn and back.turn.verdict and back.turn.verdict.losses) == (
            {"ninja": at("split").turn.verdict.losses["ninja"]}  # type: ignore[union-attr]
        )

    def test_specials_apply_to_the_overruled_winner(self) -> None:
        state = at("gain")
        assert view(state).turn.gains_due["ada"].points == 2  # type: ignore[union-attr]
        assert view(say(state, "turn tied")).turn.gains_due == {}  # type: ignore[union-attr]

    def test_a_loss_is_set(self) -> None:
        state = say(at("split"), "loss ninja 2")
        loss = view(state).turn.losses["ninja"]  # type: ignore[union-attr]
        assert (loss.total, loss.capped) == (2, False)
        done = go(state, {"ninja": "split defend 2"})
        assert view(done).characters["ninja"].energy == Energy(3, 1, 3)
        nothing = say(at("split"), "loss ninja 0")
        assert awaits(nothing) == "next"
        assert view(nothing).characters["ninja"].energy.total == 9
        other = say(state, "loss bo 1")
        assert set(view(other).turn.losses) == {"ninja", "bo"}  # type: ignore[union-attr]

    def test_a_loss_below_the_own_stance_may_be_split_freely(self) -> None:
        state = say(say(at("split"), "turn won ninja"), "loss ada 1")
        assert view(state).turn.losses["ada"].committed is None  # type: ignore[union-attr]
        check(state)


class TestTheEnd:
    @pytest.mark.parametrize("step", [s for s, clauses in STEPS.items() if "end" in clauses])
    @pytest.mark.parametrize(("side", "winner"), [("gms", "gms"), ("nobody", None)])
    def test_a_conflict_is_ended(self, step: str, side: str, winner: str | None) -> None:
        ended = say(at(step), f"end {side}")
        result = view(ended).result
        assert result and (result.winner, result.reason) == (winner, Ending.OVERRULED)
        assert not result.undecided
        assert game(ended).pending(ended).must == ()
        assert view(ended).combo is None

    def test_a_side_that_is_out_has_lost(self) -> None:
        after = say(at("next"), "ninja out")
        assert view(after).result is None
        result = view(say(after, "crow defend 0")).result
        assert result and (result.winner, result.reason) == ("players", Ending.SIDE_OUT)

    def test_a_minor_conflict_stays_the_gms_to_decide(self) -> None:
        state = say(at("verdict"), "bo attack 1")
        assert awaits(state) == "verdict"

    def test_a_returned_character_wins_after_both_sides_fell(self) -> None:
        state = begun(IRON_TRIANGLE_1E)
        state = say(say(state, "bo out"), "crow out")
        both = go(state, *TO_STANCE, NO_STANCES, BOTH_UP)
        assert awaits(both) == "verdict"
        one = say(both, "ninja in")
        assert view(one).result and view(one).result.winner == "gms"  # type: ignore[union-attr]
        assert awaits(say(both, "bo disadvantage none")) == "verdict"

    @pytest.mark.parametrize("edition", EDITIONS, ids=lambda each: each.id)
    def test_every_book_can_be_overruled(self, edition: Any) -> None:
        assert view(say(begun(edition), "end players")).result
        assert edition in (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)


def combo_start(random: Random, sheet: Sheet) -> str:
    """A move with a follow-up, if the sheet has any: such a combo is valid."""
    starts = [str(move) for move in sheet.moves if sheet.combos.get(move.id)]
    return random.choice(starts or [*map(str, sheet.moves)] or ["x"])


def random_word(random: Random, state: Conflict) -> str:
    name = random.choice(list(state.fighters))
    sheet = state.scene.sheets[name]
    moves = [str(move) for move in random.sample(sheet.moves, min(2, len(sheet.moves)))]
    foes = [n for n in state.fighters if state.scene.sheets[n].side != sheet.side]
    points = " ".join(f"{a} {random.randint(0, sheet.max.of(a))}" for a in Action)
    specials = [*map(str, sheet.specials), "none"]
    return random.choice([
        *[f"{name} {points}"] * 3, f"{name} attack 0", f"{name} out", f"{name} in", f"{name} dead",
        f"{name} alive", f"{name} disadvantage {' '.join(moves) or 'none'}",
        f"{name} disadvantage none",
        f"{name} specials {random.choice(('used', 'ready'))} {random.choice(specials)}",
        f"{name} turns {random.randint(0, 9)}", f"{name} free", "combo none",
        f"combo against {random.choice(foes)}; {name} {combo_start(random, sheet)}",
        *[f"turn won {name}", "turn tied", f"loss {name} {random.randint(0, 9)}"] * 6,
        *(["end nobody"] if random.random() < 0.1 else []),
    ])  # fmt: skip


@given(st.integers(0, 2**32), st.sampled_from(EDITIONS))
@settings(max_examples=50)
def test_no_overrule_leads_to_a_dead_end(seed: int, edition: Any) -> None:
    random = Random(seed)
    setup = random_setup(random, edition)
    for sheet in setup["characters"].values():
        sheet["specials"] = random.sample(list(edition.specials), len(edition.specials) // 2)
    state: Conflict = game_of(edition.id).begin(setup)
    for _ in range(120):
        pending = game(state).pending(state)
        check(state)
        if not pending.must:
            assert spoken(state) == ()
            break
        if random.random() < 0.4:
            word = f"{random_word(random, state)} because of dice"
            if words.why_not(game(state), state, word) is None:
                state = overruled(game(state), state, word)
                continue
        chosen = {actor: pick(random, own_offers(state, actor)) for actor in pending.must}
        beside = lying(random, state)
        state = game(state).advance(state, chosen, random.randbytes(32), beside)
