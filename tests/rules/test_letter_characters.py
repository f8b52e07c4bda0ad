"""Unroll's lines about characters, checked literally: each number is written out from the book."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from hub.games.game import Choice
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.marks import (
    mark,
    mark_zero,
    rewrite,
    spend_background,
    unmark,
)
from hub.games.triangle.rules.characters.sheet import Background, Sheet, SheetError, Trait, said
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from tests.rules.cast import known, starting
from tests.rules.test_problem_game import Table
from tests.support.editions import PROBLEM_GAMES, UNROLL

KEYS = ("belief", "flaw", "goal")
PROBLEM = next(iter(PROBLEM_GAMES.values()))


def wrong(sheet: Sheet) -> list[str]:
    return [str(said(problem)) for problem in faults_of(sheet)]


@pytest.mark.book("character.sheet", "veto.one", of=["unroll"])
def test_the_boxes_of_a_new_character_are_empty() -> None:
    """Creating a character; Veto."""
    new = starting()
    assert not any(getattr(new, key).marked for key in KEYS)
    assert new.veto
    assert new.zero == ()
    assert all(each.left == each.points for each in new.backgrounds)
    assert not new.dead


@pytest.mark.book("name.any", of=["unroll"])
@pytest.mark.parametrize("name", ["Ada", "Old Tom O'Hara", "Ünal 2", "水"])
def test_any_printable_name_is_allowed(name: str) -> None:
    """Choose a name."""
    assert wrong(starting(name=name)) == []


@pytest.mark.book("name.any", of=["unroll"])
@pytest.mark.parametrize("name", ["", " ", "a\nb", "n" * 1000])
def test_a_name_is_required(name: str) -> None:
    """Choose a name."""
    assert [problem.place for problem in faults_of(starting(name=name))] == [("name",)]


@pytest.mark.book("level.starts-at-one", of=["unroll"])
def test_a_character_starts_at_level_one() -> None:
    """Level. A second level needs a level-up."""
    assert wrong(starting(level=1)) == []
    assert wrong(starting(level=0)) == ["level is 0; unroll starts at 1"]
    assert wrong(starting(level=2)) == ["level 2 stands for 1 level-ups; 1 still to choose"]
    assert UNROLL.level == 1


@pytest.mark.book("belief.marked", "flaw.marked", "goal.marked", "level-up.one-mark", of=["unroll"])
@pytest.mark.parametrize("key", KEYS)
def test_each_box_is_marked_once_and_alone(key: str) -> None:
    """Choose a belief, a flaw, a goal."""
    marked = mark(starting(), key)
    assert [each for each in KEYS if getattr(marked, each).marked] == [key]
    with pytest.raises(SheetError, match=f"{key} is already marked"):
        mark(marked, key)
    assert unmark(marked, key) == starting()


@pytest.mark.book("goal.text", "goal.agreed", "level-up.saved", "level-up.reworded", of=["unroll"])
@pytest.mark.parametrize("key", KEYS)
def test_rewriting_a_trait_keeps_its_mark(key: str) -> None:
    """Choose a goal: a missing one can be written later. Level Up: marks can be saved."""
    for marked in (True, False):
        sheet = replace(starting(), **{key: Trait("Old words", marked=marked)})
        assert getattr(rewrite(sheet, **{key: "New"}), key) == Trait("New", marked=marked)
    assert rewrite(starting(goal=Trait()), goal="Find the bell").goal == Trait("Find the bell")


@pytest.mark.book("backgrounds.in-play", "backgrounds.three-of-one-use", of=["unroll"])
def test_a_spent_background_still_counts() -> None:
    """Choose backgrounds: three in all, used or not; open ones can be decided in play."""
    sheet = starting(backgrounds=(Background("Cop"), Background("Poet")))
    for name in ("Cop", "Poet"):
        sheet = spend_background(sheet, name)
    assert sheet.undecided_points == 1
    full = spend_background(sheet, "Diver")
    assert full.backgrounds == tuple(Background(each, 1, 0) for each in ("Cop", "Poet", "Diver"))
    with pytest.raises(SheetError, match="all its points are used"):
        spend_background(full, "Smith")


@pytest.mark.book("backgrounds.left", of=["unroll"])
def test_using_a_background_keeps_the_others() -> None:
    """Choose backgrounds: open points are kept beside the chosen ones."""
    sheet = spend_background(starting(), "choir voice")
    assert sheet.backgrounds == (Background("ferry hand", 1, 1), Background("choir voice", 1, 0))
    with pytest.raises(SheetError, match="no point left in choir voice"):
        spend_background(sheet, "choir voice")


@pytest.mark.book("energy.ten", "energy.one-of-each", of=["unroll"])
@pytest.mark.parametrize("points", [(8, 1, 1), (4, 3, 3), (1, 1, 8)])
def test_ten_points_in_any_distribution(points: tuple[int, int, int]) -> None:
    """Choose energy: ten in all, at least one in each."""
    assert wrong(starting(max=Energy(*points), energy=Energy(*points))) == []


@pytest.mark.book("energy.ten", "energy.one-of-each", of=["unroll"])
@pytest.mark.parametrize("points", [(9, 1, 0), (0, 5, 5), (5, 0, 5), (3, 3, 3), (5, 3, 3)])
def test_nine_or_eleven_points_or_a_zero_are_refused(points: tuple[int, int, int]) -> None:
    """Choose energy. An eleventh point needs a level-up."""
    assert wrong(starting(max=Energy(*points), energy=Energy(*points))) != []


@pytest.mark.book("energy.current", of=["unroll"])
@pytest.mark.parametrize("now", [(0, 0, 0), (4, 0, 3), (1, 2, 3)])
def test_current_energy_may_be_below_its_maximum(now: tuple[int, int, int]) -> None:
    """Choose energy: the maximum is kept separately."""
    assert wrong(starting(energy=Energy(*now))) == []
    over = Energy(now[0], 4, now[2])
    assert wrong(starting(energy=over)) == ["energy.defend.now is 4; it must be from 0 to 3"]


@pytest.mark.book("energy.zero-of-one", of=["unroll"])
def test_every_type_that_reached_zero_is_marked() -> None:
    """Choose energy."""
    sheet = mark_zero(starting(), Action.GRAPPLE, Action.DEFEND)
    assert sheet.zero == (Action.DEFEND, Action.GRAPPLE)
    assert mark_zero(sheet, Action.ATTACK).zero == tuple(Action)


NINE = EDITIONS["unroll"].basic_moves
VARIETY: tuple[tuple[tuple[str, ...], bool], ...] = (
    (("attack-high", "attack-low", "defend-mid", "grapple-low"), True),
    (("attack-high", "attack-low", "grapple-mid", "grapple-low"), True),
    (("attack-high", "attack-low", "attack-mid", "grapple-low"), False),
    (("defend-high", "defend-low", "defend-mid", "grapple-low"), False),
    (("grapple-high", "grapple-low", "grapple-mid", "attack-low"), False),
    (("attack-high", "defend-mid", "grapple-low"), False),
    (("attack-high", "attack-low", "defend-mid", "defend-low", "grapple-low"), False),
)


@pytest.mark.book("moves.four-of-nine", of=["unroll"])
@pytest.mark.parametrize(("moves", "sound"), VARIETY)
def test_four_moves_and_not_all_three_of_an_action(moves: tuple[str, ...], sound: bool) -> None:
    """Choose moves."""
    assert (wrong(starting(moves=known(*moves))) == []) is sound


@pytest.mark.book("moves.named", of=["unroll"])
def test_a_player_characters_move_needs_a_name() -> None:
    """Choose moves."""
    moves = known("attack-high", "attack-mid", "defend-mid", "grapple-low")
    for name, sound in (("", False), ("Overhand Right", True), ("Groin Kick!", True)):
        named = (replace(moves[0], name=name), *moves[1:])
        assert (wrong(starting(moves=named)) == []) is sound


def uses(option: int, means: str) -> Callable[[Sheet], Table]:
    def play(sheet: Sheet) -> Table:
        table = Table(PROBLEM, [sheet], sheet.name).show(**{sheet.name: option})
        return table.says(sheet.name, f"describe {means}")

    return play


@pytest.mark.book(
    "belief.marked",
    "flaw.marked",
    "complication.marked",
    "complication.unmarked",
    "failure.marked",
    "failure.unmarked",
    of=["unroll"],
)
@pytest.mark.parametrize("option", [3, 4])
@pytest.mark.parametrize(("used", "other"), [("belief", "flaw"), ("flaw", "belief")])
def test_a_used_trait_cannot_be_used_again_but_the_other_can(
    option: int, used: str, other: str
) -> None:
    """Choose a belief, a flaw; …complication; Fail …: each use marks the trait, and uses it up."""
    after = uses(option, used)(starting(name="a")).after("a")
    assert [key for key in KEYS if getattr(after, key).marked] == [used]
    again = Table(PROBLEM, [after], "a").show(a=option)
    problem = PROBLEM.why_not(again.state, "a", Choice("describe", used))
    assert str(problem) == f"the {used} is already marked, or there is none"
    after = again.says("a", f"describe {other}").after("a")
    assert [key for key in KEYS if getattr(after, key).marked] == ["belief", "flaw"]
    neither = Table(PROBLEM, [after], "a")
    for number in (3, 4):
        assert PROBLEM.why_not(neither.state, "a", Choice("option", str(number)))
