"""Unroll's lines about problems, countdowns, rests and entering a conflict, checked literally."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice, IllegalChoice, Kind
from hub.games.triangle.rules.characters.marks import rest, rest_types
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownSpecial,
    Rest,
    Sheet,
    SheetError,
    Trait,
)
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.problem.state import candidates
from hub.table.state import SeatFault
from tests.rules.cast import starting
from tests.rules.test_problem_game import Table, cast, shown
from tests.support.editions import PROBLEM_GAMES
from tests.support.evening import Evening, sheets

PROBLEM = next(iter(PROBLEM_GAMES.values()))
MEANS = {1: "idea", 2: "background ferry hand", 3: "belief", 4: "flaw"}


@pytest.mark.book(
    "problems.higher-decides",
    "problems.one-beats-four",
    "problems.three-four",
    "problems.one-four",
    "problems.one-two-four",
    "problems.one-one-four",
    of=["unroll"],
)
@pytest.mark.parametrize(
    ("options", "first"),
    [
        ((3, 4), "b"), ((1, 4), "a"), ((1, 2, 4), "c"), ((1, 1, 4), "ab"),
        ((1, 2), "b"), ((1, 3), "b"), ((2, 3), "b"), ((2, 4), "b"), ((4, 1), "b"), ((1, 1), "ab"),
        ((4, 4), "ab"), ((1, 4, 4), "a"), ((1, 3, 4), "c"), ((4, 2, 1), "a"), ((1, 2, 3), "c"),
        ((2, 2, 1), "ab"), ((3, 3, 4), "c"), ((1, 1, 1), "abc"), ((1, 2, 3, 4), "d"),
        ((1, 1, 4, 4), "ab"), ((1, 2, 4, 4), "cd"),
    ],
)  # fmt: skip
def test_the_highest_number_decides_but_one_beats_four_alone(
    options: tuple[int, ...], first: str
) -> None:
    """Problems."""
    table = shown(PROBLEM, dict(zip("abcd", options, strict=False)))
    assert candidates(table.state) == tuple(first)


@pytest.mark.book("problems.ties", "problems.gm-names", of=["unroll"])
def test_only_the_tied_compare_who_decided_last() -> None:
    """Problems: c and d have never decided a problem, but have shown less."""
    table = shown(PROBLEM, {"a": 3, "b": 3, "c": 1}, a=7, b=4)
    assert candidates(table.state) == ("b",)
    table = shown(PROBLEM, {"a": 3, "b": 3, "c": 1}, a=4, b=4)
    assert (table.step, table.awaited) == ("tie", (GM,))
    assert [o.choice.value for o in PROBLEM.offers(table.state, GM) if not o.reason] == ["a", "b"]
    assert table.says(GM, "decider b").awaited == ("b",)


@pytest.mark.book("problems.ties", of=["unroll"])
def test_the_last_decider_comes_last_in_the_next_tie() -> None:
    """Problems: the sheet remembers who decided last."""
    some, last = cast()[:2], []
    for _ in range(4):
        table = Table(PROBLEM, some, "a", "b").show(a=1, b=1)
        if table.step == "tie":
            table.says(GM, "decider b")
        (by,) = table.awaited
        table.says(by, "describe idea").says(GM, "outcome stands")
        last.append(by)
        some = [table.after(name) for name in "ab"]
    assert last == ["b", "a", "b", "a"]


@pytest.mark.book("problems.numbers", "problems.interested", of=["unroll"])
def test_all_choose_a_number_from_one_to_four_in_secret() -> None:
    """Problems."""
    table = Table(PROBLEM, cast(), "a", "c")
    pending = PROBLEM.pending(table.state)
    assert (pending.kind, pending.must) == (Kind.SEALED, ("a", "c"))
    open_to_a = [o.choice.value for o in PROBLEM.offers(table.state, "a") if not o.reason]
    assert open_to_a == ["1", "2", "3", "4"]
    for value in ("0", "5", "-1", "one"):
        assert PROBLEM.why_not(table.state, "a", Choice("option", value))
    with pytest.raises(IllegalChoice):
        table.show(a=1)


@pytest.mark.book(
    "idea.free",
    "background.point",
    "complication.belief-first",
    "complication.marked",
    "failure.flaw-first",
    "failure.marked",
    of=["unroll"],
)
@pytest.mark.parametrize("option", [1, 2, 3, 4])
@pytest.mark.parametrize("means", ["idea", "background ferry hand", "belief", "flaw"])
def test_each_option_has_its_own_means(option: int, means: str) -> None:
    """Succeed with a good idea, by spending a background point, with a complication; Fail …"""
    table = Table(PROBLEM, cast(), "a").show(a=option)
    word = means.partition(" ")[0]
    fits = {1: ("idea",), 2: ("background",)}.get(option, ("belief", "flaw"))
    choice = Choice.parse(f"describe {means}")
    assert (PROBLEM.why_not(table.state, "a", choice) is None) is (word in fits)
    if word not in fits:
        return
    table.says("a", f"describe {means}").says(GM, "outcome stands")
    after, before = table.after("a"), table.sheets[0]
    assert table.result.success is (option != 4)
    spent = (Background("ferry hand", 1, 0), Background("choir voice"))
    assert after == replace(
        before,
        decided=1,
        backgrounds=spent if word == "background" else before.backgrounds,
        belief=replace(before.belief, marked=word == "belief"),
        flaw=replace(before.flaw, marked=word == "flaw"),
    )


@pytest.mark.book("background.point", "background.point-needed", of=["unroll"])
def test_the_named_background_point_is_spent() -> None:
    """Succeed by spending a background point. A spent one cannot be named again."""
    table = Table(PROBLEM, cast(), "a").show(a=2)
    after = table.says("a", "describe background choir voice").says(GM, "outcome stands").after("a")
    assert [each.left for each in after.backgrounds] == [1, 0]
    again = Table(PROBLEM, [after], "a").show(a=2)
    assert PROBLEM.why_not(again.state, "a", Choice("describe", "background choir voice"))
    full = (Background("x", 1, 0), Background("y", 1, 0), Background("z", 1, 0))
    without = Table(PROBLEM, cast(backgrounds=full), "a")
    refused = PROBLEM.why_not(without.state, "a", Choice("option", "2"))
    assert str(refused) == "a has no background point left"


@pytest.mark.book(
    "using-veto.moment",
    "using-veto.no-cost",
    "using-veto.any-outcome",
    "using-veto.replaced",
    "using-veto.used-up",
    "using-veto.no-veto-of-veto",
    of=["unroll"],
)
@pytest.mark.parametrize("option", [1, 2, 3, 4])
@pytest.mark.parametrize("substitute", ["idea", "background choir voice"])
def test_a_veto_costs_the_veto_and_undoes_the_cost(option: int, substitute: str) -> None:
    """Using a veto: against any outcome, once it has been told; the declaration uses it up."""
    table = Table(PROBLEM, cast(), "a").show(a=option)
    with pytest.raises(IllegalChoice):
        table.declares("b", "veto")
    table.says("a", f"describe {MEANS[option]}")
    assert (table.step, table.awaited) == ("veto", (GM,))
    with pytest.raises(IllegalChoice):
        table.declares("a", "veto")
    table.declares("b", "veto")
    for who in ("a", "c", "b"):
        with pytest.raises(IllegalChoice):
            table.declares(who, "veto")
    for means in ("belief", "flaw"):
        assert PROBLEM.why_not(table.state, "b", Choice("substitute", means))
    table.says("b", f"substitute {substitute}")
    assert table.awaited == ()
    assert table.after("a") == table.sheets[0]
    after = table.after("b")
    assert (after.veto, after.decided) == (False, 1)
    assert after.backgrounds[1].left == (1 if substitute == "idea" else 0)
    assert not (after.belief.marked or after.flaw.marked)
    vetoless = Table(PROBLEM, [table.after("a"), after], "a").show(a=1).says("a", "describe idea")
    assert vetoless.awaited == (), "nobody is left who could veto"


@pytest.mark.book(
    "escalation.next-number", "escalation.for-nobody", "escalation.all-refuse", of=["unroll"]
)
def test_refusals_pass_a_problem_down_to_the_gm() -> None:
    """GM escalation of problems."""
    for outcome in ("success", "failure"):
        table = shown(PROBLEM, {"a": 2, "b": 4, "c": 3})
        told = []
        while table.step == "describe":
            (by,) = table.awaited
            told.append(by)
            table.declares(GM, "next-highest") if by == "b" else table.says(by, "describe refuse")
        assert told == ["b", "c", "a"]
        assert (table.step, table.awaited) == ("outcome", (GM,))
        table.says(GM, f"outcome {outcome}")
        assert table.result.success is (outcome == "success")
        assert [table.after(name) for name in "abc"] == table.sheets[:3]


@pytest.mark.book(
    "countdowns.public",
    "countdowns.marked",
    "countdowns.several",
    "countdowns.erased",
    "countdowns.full",
    of=["unroll"],
)
def test_a_countdown_shows_its_boxes_until_it_is_erased() -> None:
    """Countdowns."""
    evening = Evening()
    evening.do("countdown new 4 The tide")
    evening.do("countdown new 8 The clan")
    for _ in range(4):
        evening.do("countdown mark The tide")
    found = [(each.name, each.boxes, each.marked) for each in evening.story.countdowns]
    assert found == [("The tide", 4, 4), ("The clan", 8, 0)]
    evening.do("countdown mark The clan")
    evening.do("countdown erase The tide")
    found = [(each.name, each.boxes, each.marked) for each in evening.story.countdowns]
    assert found == [("The clan", 8, 1)]
    assert "already" in evening.refused("countdown new 5 The clan")


@pytest.mark.book("problems.set", "problems.interested", of=["unroll"])
def test_a_problem_is_public_and_only_interested_players_are_asked() -> None:
    """Problems: the GM sets one."""
    evening = Evening()
    evening.face("The bridge is down", "bo")
    game: Any = evening.view.game
    assert (game.problem, game.interested) == ("The bridge is down", ("bo",))
    assert evening.view.awaited == ("bo",)


def tired(**changes: Any) -> Sheet:
    specials = (KnownSpecial("scouter", used=True),)
    most = Energy(5, 3, 2)
    plain = {"level": 2, "max": most, "energy": Energy(0, 0, 0), "specials": specials}
    return starting(**{**plain, **changes})


@pytest.mark.book("rest.breather", "rest.short", "rest.full", "specials.once", of=["unroll"])
def test_each_of_the_three_rests_restores_its_energy() -> None:
    """Resting: one point; the type with the smallest maximum; everything."""
    (after,) = rest([tired()], Rest.BREATHER, {"Wenna": Action.GRAPPLE})
    assert (after.energy, after.specials[0].used) == (Energy(0, 0, 1), True)
    (after,) = rest([tired()], Rest.SHORT)
    assert (after.energy, after.specials[0].used) == (Energy(0, 0, 2), True)
    (after,) = rest([tired(max=Energy(4, 3, 3))], Rest.SHORT, {"Wenna": Action.GRAPPLE})
    assert after.energy == Energy(0, 0, 3)
    (after,) = rest([tired()], Rest.FULL)
    assert (after.energy, after.specials[0].used) == (Energy(5, 3, 2), False)


@pytest.mark.book("rest.short", "rest.equal-maximums", of=["unroll"])
def test_a_short_rest_goes_by_the_smallest_maximum() -> None:
    """Resting."""
    assert rest_types(tired(energy=Energy(0, 1, 2)), Rest.SHORT) == (Action.GRAPPLE,)
    assert rest_types(tired(max=Energy(4, 3, 3)), Rest.SHORT) == (Action.DEFEND, Action.GRAPPLE)
    assert rest_types(tired(max=Energy(3, 4, 3)), Rest.SHORT) == (Action.ATTACK, Action.GRAPPLE)


@pytest.mark.book("rest.once-each", of=["unroll"])
def test_each_lesser_rest_is_allowed_once_until_a_full_one() -> None:
    """Resting: a breather bars another breather, but not a short rest."""
    choice = {"Wenna": Action.ATTACK}
    party = rest([tired(energy=Energy(1, 1, 1))], Rest.BREATHER, choice)
    party = rest(party, Rest.SHORT)
    for kind in (Rest.BREATHER, Rest.SHORT):
        with pytest.raises(SheetError, match="after a full rest"):
            rest(party, kind, choice if kind is Rest.BREATHER else {})
    party = rest(party, Rest.FULL)
    party = rest([replace(party[0], energy=Energy(1, 1, 1))], Rest.SHORT)
    rest(party, Rest.BREATHER, choice)


@pytest.mark.book("rest.after", "rest.all-alike", "rest.countdown", of=["unroll"])
def test_one_rest_for_all_after_a_conflict() -> None:
    """Resting: not during a conflict, not twice, and not without a conflict before it."""
    evening = Evening(party=[replace(each, energy=Energy(1, 1, 1)) for each in sheets()])
    assert "there has been no conflict" in evening.refused("rest full")
    evening.duel()
    assert evening.refused("rest full")
    give_up(evening)
    evening.end()
    evening.do("countdown new 4 The tide")
    assert "choose a type" in evening.refused("rest breather attack ada")
    evening.do("rest breather attack ada; grapple bo")
    assert evening.sheet("ada").energy == Energy(2, 1, 1)
    assert evening.sheet("bo").energy == Energy(1, 1, 2)
    for kind in ("full", "short defend ada; defend bo"):
        assert "there has been no conflict" in evening.refused(f"rest {kind}")
    assert evening.story.countdowns[0].marked == 0


def give_up(evening: Evening) -> None:
    """A turn without a loss."""
    evening.decide(GM, "active ninja")
    evening.decide("ninja", "opponent ada")
    for theirs, mine in (("stance none", "stance none"), ("move attack-low", "move surrender")):
        evening.place("gm", theirs)
        evening.place("ada", mine)
        evening.reveal()
        evening.clear()


@pytest.mark.book(
    "conflicts.begun",
    "stakes.agreed",
    "stakes.lethal-takes-all",
    "stakes.sit-out",
    "stakes.npcs",
    of=["unroll"],
)
@pytest.mark.parametrize(
    ("lethal", "ours", "fits"),
    [
        (False, ("ada",), True), (False, ("ada", "bo"), True), (True, ("ada", "bo"), True),
        (True, ("ada",), False), (True, ("bo",), False),
    ],
)  # fmt: skip
def test_a_lethal_conflict_takes_every_player_character(
    lethal: bool, ours: tuple[str, ...], fits: bool
) -> None:
    """Establishing stakes: some may sit out a lesser conflict, none a lethal one; NPCs as the GM
    says.
    """
    evening = Evening()
    if not fits:
        with pytest.raises(SeatFault, match="a lethal conflict takes"):
            evening.duel(lethal=lethal, players=ours, others=("crow",))
        return
    evening.duel(lethal=lethal, stakes="The bell", players=ours, others=("crow",))
    game: Any = evening.view.game
    assert (game.lethal, game.sides) == (lethal, {"players": ours, "others": ("crow",)})
    assert evening.story.stakes == "The bell"


@pytest.mark.book("after-problem.energy", "after-problem.nobody-dies", of=["unroll"])
def test_a_failures_cost_marks_no_zero_and_kills_no_one() -> None:
    """Consequences of problems."""
    evening = Evening()
    before = evening.sheets["bo"]
    assert before.energy == Energy(3, 3, 4)
    evening.do("lose bo grapple 3")
    assert evening.sheets["bo"] == replace(before, energy=Energy(3, 3, 1))
    for deed in ("lose bo grapple 1", "lose bo attack 3", "lose bo defend 3"):
        evening.do(deed)
    assert evening.sheets["bo"] == replace(before, energy=Energy(0, 0, 0))
    assert evening.refused("lose bo attack 1")


@pytest.mark.book("goal.text", "goal.agreed", of=["unroll"])
def test_a_missing_goal_is_written_later() -> None:
    """Choose a goal."""
    party = sheets()
    party[0] = replace(party[0], goal=Trait())
    evening = Evening(party=party)
    assert evening.refused("mark goal ada")
    evening.do("rewrite goal ada Find the bell")
    assert evening.sheet("ada").goal == Trait("Find the bell")
    evening.do("mark goal ada")
    assert evening.sheet("ada").goal.marked
