"""Problems of the second edition, which the first uses, too, in cases that tell rules apart."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import GM, IllegalChoice, Kind
from hub.games.triangle.rules.characters.sheet import Background, Trait
from tests.rules.test_problem_game import Table, cast
from tests.support.editions import PROBLEM_GAMES

EACH_TEXT = pytest.mark.parametrize(
    "game", [*PROBLEM_GAMES.values()][1:], ids=lambda game: game.ruleset
)
TRADES = (Background("ferry hand", 2, 0), Background("choir voice", 1, 1))


def told_with(table: Table, name: str) -> list[str]:
    """The means that are open to the decider."""
    offers = table.game.offers(table.state, name)
    return [offer.choice.value for offer in offers if not offer.reason]


@pytest.mark.book("problems.numbers", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_the_numbers_are_chosen_in_secret_one_to_four(game: Any) -> None:
    table = Table(game, cast(game), "a", "b")
    pending = game.pending(table.state)
    assert (pending.step, pending.kind, pending.must) == ("option", Kind.SEALED, ("a", "b"))
    assert told_with(table, "a") == ["1", "2", "3", "4"]
    for number in ("0", "5", "04", ""):
        assert game.why_not(table.state, "a", replace(game.offers(table.state, "a")[0].choice,
                                                      value=number))  # fmt: skip


@pytest.mark.book(
    "problems.higher-decides",
    "problems.three-four",
    "problems.no-exception",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH_TEXT
@pytest.mark.parametrize("low", [1, 2, 3])
@pytest.mark.parametrize("high", [2, 3, 4])
def test_the_higher_of_two_numbers_decides(game: Any, low: int, high: int) -> None:
    if low < high:
        assert Table(game, cast(game), "a", "b").show(a=low, b=high).awaited == ("b",)
        assert Table(game, cast(game), "a", "b").show(a=high, b=low).awaited == ("a",)


@pytest.mark.book("problems.ties", "problems.gm-names", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_a_tie_goes_to_the_tied_player_who_decided_longest_ago(game: Any) -> None:
    """Players who have shown a lower number have no say, however long ago they decided."""
    ago = {"a": 0, "b": 2, "c": 1, "d": 1}
    some = [replace(sheet, decided=ago[sheet.name]) for sheet in cast(game)]
    table = Table(game, some, "a", "b", "c").show(a=2, b=3, c=3)
    assert (table.step, table.awaited) == ("describe", ("c",))
    table.says("c", "describe belief")
    table.says(GM, "outcome stands")
    assert table.after("c").decided == 3, "later than b's"
    table = Table(game, some, "b", "c", "d").show(b=3, c=3, d=3)
    assert (table.step, table.awaited) == ("tie", (GM,))
    assert told_with(table, GM) == ["c", "d"]
    assert table.says(GM, "decider d").awaited == ("d",)


@pytest.mark.book("idea.free", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_a_good_idea_needs_no_means_and_costs_nothing(game: Any) -> None:
    table = Table(game, cast(game), "a").show(a=1)
    assert told_with(table, "a") == ["idea", "refuse"]
    table.says("a", "describe idea").says(GM, "outcome stands")
    before = table.sheets[0]
    assert table.after("a") == replace(before, decided=1)


@pytest.mark.book(
    "background.point", "background.point-needed", of=["iron-triangle", "iron-triangle-1e"]
)
@EACH_TEXT
def test_the_deciders_named_background_point_is_spent(game: Any) -> None:
    some = [replace(sheet, backgrounds=TRADES) for sheet in cast(game)]
    table = Table(game, some, "a", "b").show(a=1, b=2)
    assert told_with(table, "b") == ["background choir voice", "refuse"]
    with pytest.raises(IllegalChoice, match="backgrounds with one: choir voice"):
        table.says("b", "describe background ferry hand")
    table.says("b", "describe background choir voice").says(GM, "outcome stands")
    assert [each.left for each in table.after("b").backgrounds] == [0, 0]
    assert table.after("a") == some[0]
    spent = (replace(TRADES[0]), replace(TRADES[1], left=0))
    bare = Table(game, [replace(sheet, backgrounds=spent) for sheet in cast(game)], "a")
    with pytest.raises(IllegalChoice, match="no background point left"):
        bare.show(a=2)


@pytest.mark.book(
    "complication.belief-first",
    "complication.unmarked",
    "complication.marked",
    of=["iron-triangle", "iron-triangle-1e"],
)
@pytest.mark.book(
    "failure.flaw-first",
    "failure.unmarked",
    "failure.marked",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH_TEXT
@pytest.mark.parametrize(("number", "typical"), [(3, ["belief", "flaw"]), (4, ["flaw", "belief"])])
def test_only_an_unmarked_trait_can_be_used(game: Any, number: int, typical: list[str]) -> None:
    table = Table(game, cast(game), "a").show(a=number)
    assert told_with(table, "a") == [*typical, "refuse"]
    for gone, left in (("belief", "flaw"), ("flaw", "belief")):
        marked = {gone: Trait("told before", marked=True)}
        table = Table(game, cast(game, **marked), "a").show(a=number)
        assert told_with(table, "a") == [left, "refuse"]
        with pytest.raises(IllegalChoice, match=f"{gone} is already marked"):
            table.says("a", f"describe {gone}")
        table.says("a", f"describe {left}").says(GM, "outcome stands")
        after, before = table.after("a"), table.sheets[0]
        assert getattr(after, left).marked
        assert after == replace(before, decided=1, **{left: getattr(after, left)})


@pytest.mark.book(
    "using-veto.replaced",
    "using-veto.no-cost",
    "using-veto.used-up",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH_TEXT
@pytest.mark.parametrize("means", ["idea", "background choir voice"])
def test_a_veto_brings_the_vetoers_idea_or_background(game: Any, means: str) -> None:
    some = [replace(sheet, backgrounds=TRADES) for sheet in cast(game)]
    table = Table(game, some, "a").show(a=4).says("a", "describe flaw").declares("b", "veto")
    assert told_with(table, "b") == ["idea", "background choir voice"]
    table.says("b", f"substitute {means}")
    assert table.after("a") == some[0], "what was vetoed costs nothing"
    left = 1 if means == "idea" else 0
    assert table.after("b") == replace(
        some[1], veto=False, decided=1, backgrounds=(TRADES[0], replace(TRADES[1], left=left))
    )


@pytest.mark.book(
    "using-veto.two-at-once",
    "using-veto.no-veto-of-veto",
    "using-veto.moment",
    of=["iron-triangle", "iron-triangle-1e"],
)
@EACH_TEXT
def test_the_gm_decides_which_of_two_vetoes_was_first(game: Any) -> None:
    table = Table(game, cast(game), "a").show(a=3)
    with pytest.raises(IllegalChoice):
        table.declares("b", "veto")  # nothing has been told
    table.says("a", "describe belief")
    with pytest.raises(IllegalChoice, match="cannot veto"):
        table.declares("a", "veto")  # not one's own
    table.declares("b", "veto")
    for word in ("veto", "first c"):
        with pytest.raises(IllegalChoice):
            table.declares("c", word)
    table.declares(GM, "first c").says("c", "substitute idea")
    assert (table.result.decider, table.result.vetoed) == ("c", "a")
    assert [table.after(name).veto for name in ("a", "b", "c", "d")] == [True, True, False, True]
