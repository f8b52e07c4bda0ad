"""Sheets of both editions of Iron Triangle, and their use in an evening.

All values are written out here rather than taken from the code's own data.
"""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import IllegalChoice, SetupError
from hub.games.registry import game_of, story_of
from hub.games.story import parse_deed
from hub.games.triangle.rules.characters.conflicts import setup_of
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, answers, level_up
from hub.games.triangle.rules.characters.marks import mark, rest, spend_background
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownSpecial,
    Rest,
    Sheet,
    SheetError,
    Trait,
    said,
)
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.table.state import SeatFault
from tests.rules.cast import known, with_marks
from tests.rules.duel import energy, setup
from tests.support.editions import IRON_TRIANGLE
from tests.support.evening import Evening, sheets, written

SECOND, FIRST = "iron-triangle", "iron-triangle-1e"
EACH_TEXT = pytest.mark.parametrize("ruleset", [SECOND, FIRST])
NINE = (
    "attack-high", "attack-low", "attack-mid", "defend-high", "defend-low", "defend-mid",
    "grapple-high", "grapple-low", "grapple-mid",
)  # fmt: skip


def ada(ruleset: str, **changes: Any) -> Sheet:
    """Ada as a new character of this book."""
    sheet = Sheet(
        ruleset=ruleset,
        name="Ada",
        level=0,
        max=Energy(4, 3, 3),
        energy=Energy(4, 3, 3),
        moves=known("attack-high", "defend-mid", "grapple-low"),
        belief=Trait("Debts are paid in daylight"),
        flaw=Trait("Cannot leave a dare alone"),
        backgrounds=(Background("ferry hand", 2, 2), Background("choir voice")),
    )
    return replace(sheet, **changes)


def wrong(sheet: Sheet) -> str:
    return "; ".join(str(said(each)) for each in faults_of(sheet))


@pytest.mark.book("name.any", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_any_name_is_allowed_but_not_an_empty_one(ruleset: str) -> None:
    for name in ("Ada", "Jo-Ann O'Hara", "Þóra", "The 3rd Watchman", "x"):
        assert wrong(ada(ruleset, name=name)) == ""
    for name in ("", " ", "a\nb"):
        assert "name" in wrong(ada(ruleset, name=name))


@pytest.mark.book(
    "level.starts-at-zero", "character.sound", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
def test_a_character_starts_at_level_zero_with_nothing_learned(ruleset: str) -> None:
    assert wrong(ada(ruleset)) == ""
    assert "starts at 0" in wrong(ada(ruleset, level=-1))
    assert "still to choose" in wrong(ada(ruleset, level=1))
    special = "scouter" if ruleset == SECOND else "insight"
    learned: tuple[dict[str, Any], ...] = (
        {"specials": (KnownSpecial(special),)},
        {"combos": {"attack-high": ("defend-mid",)}},
        {"moves": known("attack-high", "defend-mid", "grapple-low", "attack-low")},
        {"max": Energy(5, 3, 3)},
    )
    for one in learned:
        assert "0 stands for 0 level-ups, but 1 were taken" in wrong(ada(ruleset, **one))
        assert wrong(ada(ruleset, level=1, **one)) == ""


@pytest.mark.book(
    "character.sound",
    "goal.text",
    "goal.agreed",
    "belief.text",
    "flaw.text",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH_TEXT
def test_belief_and_flaw_are_required_and_a_goal_may_follow(ruleset: str) -> None:
    assert wrong(ada(ruleset, belief=Trait())) == "belief.text is missing; choose a belief"
    assert wrong(ada(ruleset, flaw=Trait())) == "flaw.text is missing; choose a flaw"
    story = story_of(ruleset)
    state = story.begin(written([ada(ruleset)]))
    state = story.tell(state, parse_deed("rewrite goal Ada Bring the ferry bell home"))
    assert state.sheets["Ada"].goal == Trait("Bring the ferry bell home")


@pytest.mark.book(
    "goal.marked",
    "goal.agreed",
    "belief.marked",
    "flaw.marked",
    of=["iron-triangle", "iron-triangle-1e"],
)
@pytest.mark.parametrize("key", ["goal", "belief", "flaw"])
def test_each_trait_is_marked_once(key: str) -> None:
    story = story_of(SECOND)
    state = story.begin(written([ada(SECOND, goal=Trait("Bring the ferry bell home"))]))
    state = story.tell(state, parse_deed(f"mark {key} Ada"))
    marked = {k: getattr(state.sheets["Ada"], k).marked for k in ("goal", "belief", "flaw")}
    assert marked == {k: k == key for k in marked}
    yes = {"goal": ["goal"]}.get(key, ["belief or flaw"])
    assert [question for question, said in answers(state.sheets["Ada"]).items() if said] == yes
    with pytest.raises(IllegalChoice, match="already marked"):
        story.tell(state, parse_deed(f"mark {key} Ada"))


@pytest.mark.book(
    "backgrounds.three-points", "backgrounds.in-play", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
def test_three_background_points_at_most_two_in_one_some_in_play(ruleset: str) -> None:
    def of(*points: int) -> Sheet:
        some = tuple(Background(f"trade {n}", p, p) for n, p in enumerate(points))
        return ada(ruleset, backgrounds=some)

    for points in ((), (1,), (2,), (1, 1), (2, 1), (1, 1, 1)):
        assert wrong(of(*points)) == ""
        assert of(*points).undecided_points == 3 - sum(points)
    for points in ((3,), (2, 2), (1, 1, 1, 1)):
        assert wrong(of(*points)) != ""
    spent = spend_background(of(2), "trade 0")
    assert spent.undecided_points == 1, "a point that is spent is still placed"
    named = spend_background(spent, "smuggler")
    assert named.backgrounds == (Background("trade 0", 2, 1), Background("smuggler", 1, 0))
    with pytest.raises(SheetError, match="all its points are used"):
        spend_background(named, "poet")


@pytest.mark.book("backgrounds.left", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_a_backgrounds_remaining_points_are_within_bounds(ruleset: str) -> None:
    for left, sound in ((-1, False), (0, True), (1, True), (2, True), (3, False)):
        sheet = ada(ruleset, backgrounds=(Background("ferry hand", 2, left),))
        assert (wrong(sheet) == "") is sound


@pytest.mark.book(
    "energy.ten",
    "energy.one-of-each",
    "energy.no-minimum",
    of=["iron-triangle", "iron-triangle-1e"],
)
@pytest.mark.parametrize(
    ("points", "second", "first"),
    [
        (Energy(4, 3, 3), True, True),
        (Energy(8, 1, 1), True, True),
        (Energy(9, 1, 0), False, True),
        (Energy(10, 0, 0), False, True),
        (Energy(4, 3, 2), False, False),
        (Energy(4, 4, 3), False, False),
    ],
)
def test_ten_points_in_all(points: Energy, second: bool, first: bool) -> None:
    for ruleset, sound in ((SECOND, second), (FIRST, first)):
        assert (wrong(ada(ruleset, max=points, energy=points)) == "") is sound


@pytest.mark.book("energy.current", of=["iron-triangle"])
def test_current_energy_and_maximum_are_separate() -> None:
    tired = ada(SECOND, energy=Energy(1, 0, 3))
    assert wrong(tired) == ""
    assert "from 0 to 4" in wrong(ada(SECOND, energy=Energy(5, 3, 3)))
    described = setup_of([tired, replace(tired, name="Bo")], {"us": ["Ada"], "them": ["Bo"]})
    ready = described["characters"]["Ada"]
    assert ready["energy"] == {"attack": 1, "defend": 0, "grapple": 3}
    assert ready["max"] == {"attack": 4, "defend": 3, "grapple": 3}


@pytest.mark.book("moves.same-three", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
@pytest.mark.parametrize("other", ["attack-low", "defend-high", "grapple-mid"])
def test_other_starting_moves_are_refused(ruleset: str, other: str) -> None:
    three = ["attack-high", "defend-mid", "grapple-low"]
    without = [move for move in three if not move.startswith(other.partition("-")[0])]
    assert "starts with it" in wrong(ada(ruleset, moves=known(*without, other)))
    assert "starts with it" in wrong(ada(ruleset, moves=known(*without)))


@pytest.mark.book(
    "elements.later", "five-elements.after-nine", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
@pytest.mark.parametrize("late", ["attack-jump", "attack-spin", "grapple-jump", "grapple-spin"])
def test_each_late_move_comes_after_all_nine(ruleset: str, late: str) -> None:
    assert wrong(ada(ruleset, level=7, moves=known(*NINE, late))) == ""
    for missing in ("attack-low", "grapple-mid"):
        some = [move for move in NINE if move != missing]
        found = wrong(ada(ruleset, level=6, moves=known(*some, late)))
        assert f"comes after all nine basic moves; first learn {missing}" in found


@pytest.mark.book("combo.learned", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_moves_and_combos_are_learned_separately(ruleset: str) -> None:
    """Combos: 'learned separately from moves'; the moves in them need not be known."""
    ready = with_marks(ada(ruleset, goal=Trait("The bell")))
    moved = level_up(ready, Choices(move="attack-low"))
    assert (moved.combos, len(moved.moves)) == ({}, 4)
    linked = level_up(ready, Choices(combos=(FollowUp("attack-low", "grapple-spin"),)))
    assert linked.combos == {"attack-low": ("grapple-spin",)}
    assert linked.moves == ready.moves


@pytest.mark.book(
    "countdowns.public",
    "countdowns.several",
    "countdowns.erased",
    of=["iron-triangle", "iron-triangle-1e"],
)
def test_countdowns_are_independent() -> None:
    evening = Evening(SECOND)
    evening.do("countdown new 4 The tide")
    evening.do("countdown new 4 The watch")
    assert [(one.name, one.marked) for one in evening.story.countdowns] == [
        ("The tide", 0), ("The watch", 0),
    ]  # fmt: skip
    evening.do("countdown mark The watch")
    assert [one.marked for one in evening.story.countdowns] == [0, 1]
    evening.do("countdown erase The tide")
    assert [(one.name, one.marked) for one in evening.story.countdowns] == [("The watch", 1)]


@pytest.mark.book("conflicts.begun", "stakes.lethal", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
@pytest.mark.parametrize(("lethal", "minor"), [(True, False), (False, True), (False, False)])
def test_a_conflict_has_the_agreed_kind(ruleset: str, lethal: bool, minor: bool) -> None:
    evening = Evening(ruleset)
    evening.stage(ConflictRequest(lethal=lethal, minor=minor))
    game: Any = evening.view.game
    assert (game.lethal, game.minor) == (lethal, minor)


@pytest.mark.book(
    "stakes.lethal-takes-all", "stakes.sit-out", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
def test_a_lethal_conflict_takes_all_who_can_fight(ruleset: str) -> None:
    """Establishing stakes: 'involves all player characters'. The first edition has no such rule."""
    cast = sheets(ruleset)
    sides = {"players": ("ada",), "others": ("ninja",)}
    for points, held in ((Energy(3, 3, 4), True), (Energy(1, 0, 0), True), (Energy(), False)):
        some = [replace(s, energy=points) if s.name == "bo" else s for s in cast]
        story = story_of(ruleset)
        state = story.begin(written(some))
        story.stage(state, ConflictRequest(sides=sides))
        if held and ruleset == SECOND:
            with pytest.raises(SetupError, match="a lethal conflict takes bo as well"):
                story.stage(state, ConflictRequest(sides=sides, lethal=True))
        else:
            story.stage(state, ConflictRequest(sides=sides, lethal=True))


@pytest.mark.book("stakes.no-energy", of=["iron-triangle"])
@pytest.mark.parametrize("name", ["ada", "ninja"])
def test_zero_total_energy_bars_entry_but_one_point_does_not(name: str) -> None:
    """Establishing stakes: 'characters with zero total energy cannot enter a conflict'."""
    story = story_of(SECOND)
    sides = {"players": ("ada", "bo"), "others": ("ninja", "crow")}
    for points in (Energy(), Energy(0, 0, 1)):
        some = [replace(s, energy=points) if s.name == name else s for s in sheets(SECOND)]
        state = story.begin(written(some))
        if points.total:
            story.stage(state, ConflictRequest(sides=sides))
        else:
            with pytest.raises(SetupError, match=f"{name} has no energy"):
                story.stage(state, ConflictRequest(sides=sides))


@pytest.mark.book("stakes.no-energy", "reveal.energy", of=["iron-triangle"])
def test_current_energy_is_public_and_characters_without_any_are_refused() -> None:
    """Reveal energy: 'remaining energy for NPCs and PCs is public'."""
    game = game_of(SECOND)
    tired = {"energy": energy(1, 0, 2), "max": energy(4, 3, 3)}
    both = {"ada": tired, "ninja": tired}
    view: Any = game.view(game.begin(setup(edition=IRON_TRIANGLE, characters=both)))
    for name in ("ada", "ninja"):
        assert view.characters[name].energy == Energy(1, 0, 2)
        assert view.characters[name].max == Energy(4, 3, 3)
    for name in ("ada", "ninja"):
        none = {name: {**tired, "energy": energy(0, 0, 0)}}
        with pytest.raises(SetupError, match=f"{name} has no energy"):
            game.begin(setup(edition=IRON_TRIANGLE, characters=none))


@pytest.mark.book("problems.set", "problems.interested", of=["iron-triangle", "iron-triangle-1e"])
def test_the_gm_sets_a_problem_for_the_party() -> None:
    evening = Evening(SECOND)
    evening.stage(ProblemRequest(problem="The watch wakes"))
    game: Any = evening.view.game
    assert game.problem == "The watch wakes"
    assert evening.view.awaited == ("ada", "bo")
    evening.end()
    evening.stage(ProblemRequest(problem="The watch wakes", interested=("bo",)))
    assert evening.view.awaited == ("bo",)


@pytest.mark.book(
    "after-problem.nobody-dies", "after-problem.energy", of=["iron-triangle", "iron-triangle-1e"]
)
def test_a_problem_may_take_the_last_point_but_no_life() -> None:
    """Consequences of problems: 'failure cannot involve player character death'."""
    some = [replace(s, energy=Energy(1, 0, 0)) if s.name == "ada" else s for s in sheets(SECOND)]
    evening = Evening(SECOND, party=some)
    evening.do("lose ada attack 1")
    evening.stage(ProblemRequest(problem="The watch wakes", interested=("ada",)))
    evening.place("ada", "option 4")
    evening.reveal()
    evening.clear()
    evening.decide("ada", "describe flaw")
    evening.decide("gm", "outcome stands")
    evening.end()
    person = evening.sheet("ada")
    assert (person.energy.total, person.dead, person.zero) == (0, False, ())
    assert person.flaw.marked


@pytest.mark.book("specials.once", of=["iron-triangle"])
@pytest.mark.book(
    "rest.all-alike",
    "rest.breather",
    "rest.short",
    "rest.full",
    of=["iron-triangle", "iron-triangle-1e"],
)
@pytest.mark.parametrize(
    ("kind", "adas", "bos"),
    [
        ("breather grapple ada; attack bo", Energy(0, 1, 1), Energy(2, 0, 0)),
        # a short rest fills the lowest maximum, which is not the lowest energy
        ("short", Energy(0, 4, 0), Energy(1, 0, 2)),
        ("full", Energy(5, 4, 6), Energy(4, 4, 2)),
    ],
)
def test_all_take_the_same_rest(kind: str, adas: Energy, bos: Energy) -> None:
    """Resting. In the second edition specials return with a full rest only."""
    used = (KnownSpecial("scouter", used=True),)
    party = [
        ada(SECOND, name="ada", level=6, max=Energy(5, 4, 6), energy=Energy(0, 1, 0),
            specials=used),
        ada(SECOND, name="bo", max=Energy(4, 4, 2), energy=Energy(1, 0, 0)),
    ]  # fmt: skip
    evening = Evening(SECOND, party=[*party, *sheets(SECOND)[2:]])
    evening.take_rest(kind)
    assert evening.sheet("ada").energy == adas
    assert evening.sheet("bo").energy == bos
    assert evening.sheet("ada").specials == {"scouter": kind == "full"}
    taken = () if kind == "full" else (Rest(kind.partition(" ")[0]),)
    assert evening.sheet("ada").rested == evening.sheet("bo").rested == taken


@pytest.mark.book("rest.once-each", "rest.all-alike", of=["iron-triangle", "iron-triangle-1e"])
def test_a_breather_and_a_short_rest_are_allowed_once_until_a_full_one() -> None:
    """Resting: one member who has already had a breather keeps all the others from one."""
    tired = ada(SECOND, max=Energy(5, 2, 3), energy=Energy(0, 2, 3))
    (after,) = rest([tired], Rest.BREATHER)
    with pytest.raises(SheetError, match="next one comes after a full rest"):
        rest([after], Rest.BREATHER)
    with pytest.raises(SheetError, match="next one comes after a full rest"):
        rest([after, replace(tired, name="Bo")], Rest.BREATHER)
    (after,) = rest([after], Rest.SHORT)
    with pytest.raises(SheetError, match="next one comes after a full rest"):
        rest([after], Rest.SHORT)
    (after,) = rest([after], Rest.FULL)
    (after,) = rest([replace(after, energy=Energy(0, 2, 3))], Rest.BREATHER)
    assert after.energy == Energy(1, 2, 3)


@pytest.mark.book("rest.after", of=["iron-triangle", "iron-triangle-1e"])
def test_a_rest_is_allowed_once_after_a_conflict() -> None:
    """Resting: 'after a conflict'."""
    evening = Evening(SECOND)
    assert "there has been no conflict" in evening.refused("rest full")
    evening.duel(players=("ada",), others=("ninja",))
    assert evening.refused("rest full")
    evening.decide("gm", "active ada")
    evening.decide("ada", "opponent ninja")
    for one, other in (("stance none", "stance none"), ("move attack-high", "move surrender")):
        evening.place("ada", one)
        evening.place("gm", other)
        evening.reveal()
        evening.clear()
    evening.end()
    evening.do("rest full")
    assert "there has been no conflict" in evening.refused("rest full")


@pytest.mark.book(
    "end.replaced", "replacement.for-the-dead", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
def test_a_replacement_is_a_new_character(ruleset: str) -> None:
    cast = [replace(s, dead=True) if s.name == "ada" else s for s in sheets(ruleset)]
    fresh = ada(ruleset, name="Wenna", style="Stave")
    evening = Evening(ruleset, party=cast, reserve=[fresh])
    with pytest.raises((SeatFault, IllegalChoice), match="bo is not dead"):
        evening.do("replace bo by Wenna")
    evening.do("replace ada by Wenna")
    assert {*evening.sheets} == {"Wenna", "bo", "ninja", "crow"}
    found = evening.sheet("Wenna")
    assert (found.style, found.level, found.dead) == ("Stave", 0, False)


@pytest.mark.book("backgrounds.left", "background.point", of=["iron-triangle", "iron-triangle-1e"])
def test_a_point_is_taken_from_the_named_background() -> None:
    sheet = ada(SECOND)
    spent = spend_background(sheet, "Choir voice")
    assert [each.left for each in spent.backgrounds] == [2, 0]
    with pytest.raises(SheetError, match="no point left in choir voice"):
        spend_background(spent, "choir voice")
    assert mark(sheet, "belief").flaw == sheet.flaw
