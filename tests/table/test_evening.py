"""An evening at the table: scenes from a story and back, and the GM's actions between them."""

import json

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from hub.games.game import GM
from hub.games.triangle.rules.characters.sheet import KnownSpecial
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.rules.problem.views import ProblemView
from hub.games.triangle.rules.views import TriangleView
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.table import acts as i
from hub.table.state import Phase, SeatFault
from tests.rules.cast import starting, with_marks
from tests.support.evening import Evening, sheets, written
from tests.support.tabletalk import TableTalk

RULESETS = list(EDITIONS)


def game(evening: TableTalk) -> TriangleView:
    assert isinstance(evening.view.game, TriangleView)
    return evening.view.game


def problem(evening: TableTalk) -> ProblemView:
    assert isinstance(evening.view.game, ProblemView)
    return evening.view.game


@pytest.mark.book("conflicts.begun", "stakes.agreed", "rest.after")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_energy_lost_in_a_conflict_stays_lost_until_a_rest(ruleset: str) -> None:
    evening = Evening(ruleset)
    evening.duel(stakes="The sealed letter")
    assert evening.story.stakes == "The sealed letter"
    evening.hit()
    left = game(evening).characters["ada"].energy
    assert left.total < 10
    evening.end()
    assert evening.phase is Phase.IDLE
    assert evening.story.stakes == ""
    assert evening.sheet("ada").energy == left
    evening.duel(players=("ada", "bo"), others=("crow",))
    assert game(evening).characters["ada"].energy == left
    assert game(evening).characters["ada"].max.total == 10
    assert "ninja" not in game(evening).characters
    assert "wait until the scene has ended" in evening.refused("rest full")
    evening.end()
    evening.take_rest("full")
    assert evening.sheet("ada").energy.total == 10


@pytest.mark.book("end.replaced", "replacement.for-the-dead")
def test_a_dead_character_stays_dead_and_can_be_replaced() -> None:
    weak = [*sheets()]
    weak[0] = replace(weak[0], energy=Energy(1, 0, 0))
    fresh = starting(name="Wenna")
    evening = Evening(party=weak, reserve=[fresh])
    evening.duel(lethal=True)
    evening.hit()
    evening.end()
    assert evening.sheet("ada").dead
    assert Action.ATTACK in evening.sheet("ada").zero
    assert "ada is dead" in _refusal(
        evening, ConflictRequest(sides={"a": ("ada",), "b": ("crow",)})
    )
    assert "ada" not in _setup_names(evening)
    assert "is not dead" in evening.refused("replace bo by Wenna")
    evening.do("replace ada by Wenna")
    assert set(evening.story.party) == {"bo", "Wenna"}
    evening.restart()
    assert set(evening.story.party) == {"bo", "Wenna"}


def _refusal(evening: Evening, request: ConflictRequest | ProblemRequest) -> str:
    before = evening.state
    with pytest.raises(SeatFault) as caught:
        evening.stage(request)
    assert evening.state is before
    return str(caught.value)


def _setup_names(evening: Evening) -> set[str]:
    evening.duel()
    names = set(game(evening).characters)
    evening.end()
    return names


def test_a_used_special_is_gone_until_the_full_rest() -> None:
    some = sheets()
    special = next(iter(EDITIONS["unroll"].specials))
    some[2] = replace(some[2], specials=(KnownSpecial(special, used=True),))
    evening = Evening(party=some)
    evening.duel()
    assert "specials" not in evening.rows[-1].line.decode()
    evening.end()
    assert evening.sheets["ninja"].special(special) == KnownSpecial(special, used=True)
    evening.do("recover ninja")
    assert evening.sheets["ninja"].special(special) == KnownSpecial(special)


@pytest.mark.book("problems.set", "background.point")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_problem_from_the_first_card_to_the_sheets(ruleset: str) -> None:
    evening = Evening(ruleset)
    evening.face("The bridge is down")
    assert evening.view.awaited == ("ada", "bo")
    evening.place("ada", "option 2")
    assert problem(evening).options is None
    evening.show(bo="option 1")
    assert problem(evening).decider == "ada"
    evening.decide("ada", "describe background ferry hand")
    evening.decide(GM, "outcome stands")
    assert evening.phase is Phase.OVER
    evening.end()
    assert evening.sheet("ada").backgrounds["ferry hand"] == 0
    assert evening.sheets["ada"].decided == 1


@pytest.mark.book("using-veto.no-cost", "using-veto.used-up")
def test_a_veto_is_spent_and_final_and_the_last_decider_loses_the_next_tie() -> None:
    evening = Evening()
    evening.face("A locked gate")
    for seat in ("ada", "bo"):
        evening.place(seat, f"option {1 if seat == 'bo' else 3}")
    evening.reveal()
    evening.clear()
    evening.decide("ada", "describe belief")
    evening.decide("bo", "veto")
    for name in ("ada", "bo"):
        with pytest.raises(SeatFault):
            evening.decide(name, "veto")
    evening.decide("bo", "substitute idea")
    evening.end()
    assert not evening.sheet("bo").veto
    assert evening.sheet("ada").veto
    assert not evening.sheet("ada").belief.marked  # a vetoed choice costs nothing
    evening.face("Another gate")
    for seat in ("ada", "bo"):
        evening.place(seat, "option 3")
    evening.reveal()
    assert problem(evening).decider == "ada"  # bo decided last


@pytest.mark.book("problems.gm-names")
def test_the_gm_breaks_a_tie_of_newcomers() -> None:
    evening = Evening()
    evening.face("A tie", "ada", "bo")
    for seat in ("ada", "bo"):
        evening.place(seat, "option 3")
    evening.reveal()
    assert evening.view.awaited == (GM,)
    assert problem(evening).tied == ("ada", "bo")
    evening.decide(GM, "decider bo")
    assert problem(evening).decider == "bo"


def test_a_problem_that_is_broken_off_costs_nothing() -> None:
    evening = Evening()
    before = evening.sheets
    evening.face("Never mind", "ada")
    evening.place("ada", "option 2")
    evening.reveal()
    evening.decide("ada", "describe background ferry hand")
    evening.end()
    assert evening.sheets == before


@pytest.mark.book(
    "countdowns.public",
    "countdowns.marked",
    "countdowns.erased",
    "after-problem.countdown",
    "stakes.declined",
)
def test_countdowns_are_marked_at_any_time() -> None:
    evening = Evening()
    evening.do("countdown new 4 The tide")
    evening.duel()
    for mark in range(1, 5):
        evening.do("countdown mark The tide")
        assert evening.story.countdowns[0].marked == mark
    assert "full" in evening.refused("countdown mark The tide")
    evening.do("countdown unmark The tide")
    evening.do("countdown erase The tide")
    assert evening.story.countdowns == ()
    assert evening.story.erased == ("the-tide",)


@pytest.mark.book("countdowns.several")
def test_countdowns_with_similar_names_keep_their_ids() -> None:
    evening = Evening()
    for name in ("The tide", "The tide!", "Ω"):
        evening.do(f"countdown new 4 {name}")
    assert [each.id for each in evening.story.countdowns] == ["the-tide", "the-tide-2", "countdown"]
    evening.do("countdown erase The tide")
    assert [each.id for each in evening.story.countdowns] == ["the-tide-2", "countdown"]
    evening.do("countdown new 8 the TIDE")
    assert [each.id for each in evening.story.countdowns][-1] == "the-tide"
    assert evening.story.erased == ()


@pytest.mark.book("rest.once-each")
def test_rests_are_taken_once_and_each_chooses_a_type() -> None:
    tired = [replace(sheet, energy=Energy(1, 1, 1)) for sheet in sheets()]
    evening = Evening(party=tired)
    assert "choose a type" in evening.refused("rest breather")
    evening.take_rest("breather attack ada; grapple bo")
    assert evening.sheet("ada").energy == Energy(2, 1, 1)
    assert evening.sheet("bo").energy == Energy(1, 1, 2)
    assert "has already had a breather" in evening.refused("rest breather attack ada; grapple bo")
    evening.take_rest("short defend ada; attack bo")
    assert evening.sheet("ada").energy == Energy(2, 3, 1)
    evening.take_rest("full")
    assert evening.sheet("bo").energy == evening.sheet("bo").max
    assert evening.sheet("bo").rested == ()
    assert evening.sheets["ninja"].energy == Energy(1, 1, 1)
    evening.do("recover ninja attack 3")
    assert evening.sheets["ninja"].energy == Energy(3, 1, 1)


@pytest.mark.book("goal.agreed", "level-up.gm", "level-up.reworded")
def test_a_character_levels_up_after_the_session() -> None:
    some = sheets()
    some[0] = with_marks(some[0], Action.GRAPPLE)
    evening = Evening(party=some)
    assert "has not marked yet" in evening.refused("level-up bo energy attack")
    evening.do("level-up ada energy grapple; goal Cross the bar")
    assert (evening.sheet("ada").level, evening.sheet("ada").max) == (2, Energy(4, 3, 4))
    assert evening.sheet("ada").goal.text == "Cross the bar"
    evening.do("mark flaw ada")
    evening.do("unmark flaw ada")
    evening.do("rewrite flaw ada Talks to strangers")
    assert evening.sheet("ada").flaw.text == "Talks to strangers"


@pytest.mark.book("reveal.abilities")
def test_npc_abilities_are_not_public() -> None:
    evening = Evening()
    evening.duel()
    evening.decide(GM, "active ada")
    said = json.dumps([row.line.decode() for row in evening.rows])
    assert "grapple-high" not in said
    assert set(evening.story.party) == {"ada", "bo"}
    assert game(evening).characters["ninja"].moves is None


def test_a_refused_scene_names_the_unknown_character() -> None:
    evening = Evening()
    sides = {"a": ("ada", "Nobody\n"), "b": ("crow",)}
    assert '"Nobody\\n"' in _refusal(evening, ConflictRequest(sides=sides))
    assert "2, not 1" in _refusal(evening, ConflictRequest(sides={"a": ("ada",)}))
    assert "not among" in _refusal(evening, ProblemRequest(interested=("ninja",)))
    assert "title" in _refusal(evening, ProblemRequest(title="x" * 81))
    assert "stakes" in _refusal(evening, ConflictRequest(stakes="x" * 301))
    assert "stakes" in _refusal(evening, ConflictRequest(stakes="a\nb"))


def test_a_scene_from_a_file_does_not_change_the_story() -> None:
    evening = Evening()
    before = evening.sheets
    evening.begin_turn()
    evening.end()
    assert evening.sheets == before


def test_a_story_begins_once_and_only_with_sound_sheets() -> None:
    evening = Evening()
    begin = i.BeginStory("unroll", i.StorySheets(written(sheets())))
    with pytest.raises(SeatFault, match="already"):
        evening.give(begin)
    table = TableTalk()
    wrong = [
        ({"name": "x"}, "is not a sheet"),
        (written([starting("iron-triangle")])[0], "belongs to"),
        (written([replace(starting(), energy=Energy(99, 0, 0))])[0], "99"),
    ]
    for value, words in wrong:
        with pytest.raises(SeatFault, match=words):
            table.give(i.BeginStory("unroll", i.StorySheets([value])))
    with pytest.raises(SeatFault, match="needs a player character"):
        table.give(i.BeginStory("unroll", i.StorySheets(written(sheets()[2:]))))
    with pytest.raises(SeatFault, match="two characters are called"):
        table.give(i.BeginStory("unroll", i.StorySheets(written([sheets()[0]] * 2))))
    with pytest.raises(SeatFault, match="no story of"):
        table.give(i.BeginStory("chess", i.StorySheets([])))
    with pytest.raises(SeatFault, match="this table has no story"):
        table.give(i.StartScene(to_builtins(ConflictRequest())))


USED_IN = {
    "unroll": "wax-on-grapple",
    "iron-triangle": "wax-on-grapple",
    "iron-triangle-1e": "parry-grapple",
}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_special_used_at_the_table_is_used_up_on_the_sheet_until_the_rest(ruleset: str) -> None:
    special = KnownSpecial(USED_IN[ruleset])
    party = sheets(ruleset)
    level = party[0].level + 1
    party[0] = replace(party[0], level=level, specials=(special,))
    evening = Evening(ruleset, party=party)
    evening.duel()
    evening.decide(GM, "active ada")
    evening.decide("ada", "opponent ninja")
    evening.show(ada="stance none", gm="stance none")
    evening.place("ada", f"special {special.id}")
    evening.clear()
    mine = next(card for card in evening.offers("ada") if card.startswith("move attack"))
    evening.place("ada", mine)
    evening.place("gm", "move grapple-high")
    if evening.phase is Phase.SEALED:
        evening.decide("ninja", "pass")
    evening.reveal()
    evening.clear()
    evening.end()
    used = evening.sheets["ada"].special(special.id)
    assert used is not None and used.used
    evening.restart()
    assert evening.sheets["ada"].special(special.id) == used
    evening.take_rest("full")
    fresh = evening.sheets["ada"].special(special.id)
    assert fresh is not None and not fresh.used


@pytest.mark.book("after-problem.energy")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_failure_of_a_problem_can_cost_energy_and_marks_no_zero(ruleset: str) -> None:
    evening = Evening(ruleset)
    had = evening.sheet("ada").energy
    most = had.of(Action.ATTACK)
    assert f"ada has {most} points of attack to lose" in evening.refused(
        f"lose ada attack {most + 1}"
    )
    assert "to lose" in evening.refused("lose ada attack 0")
    assert "to lose" in evening.refused("lose ada attack many")
    evening.do(f"lose ada attack {most}")
    left = evening.sheet("ada").energy
    assert (left.of(Action.ATTACK), left.total) == (0, had.total - most)
    assert evening.sheet("ada").zero == ()
    evening.restart()
    assert evening.sheet("ada").energy == left


@pytest.mark.book("stakes.lethal-takes-all")
@pytest.mark.parametrize("ruleset", RULESETS)
def test_only_in_the_first_edition_may_an_able_character_miss_a_lethal_conflict(
    ruleset: str,
) -> None:
    evening = Evening(ruleset)
    sides = {"players": ("ada",), "others": ("ninja",)}
    if EDITIONS[ruleset].lethal_takes_all:
        before = evening.state
        with pytest.raises(SeatFault):
            evening.duel(lethal=True, **sides)
        assert evening.state is before
        evening.duel(lethal=True, players=("ada", "bo"), others=("ninja",))
    else:
        evening.duel(lethal=True, **sides)
    assert game(evening).lethal
    evening.end()
    evening.duel(**sides)
    assert "bo" not in game(evening).characters


@pytest.mark.book("level-up.renamed", "level-up.other-backgrounds")
def test_renaming_a_move_or_background_is_free() -> None:
    evening = Evening()
    move = evening.sheets["ada"].moves[0]
    evening.do(f"rename ada {move} as Overhand Right")
    assert evening.sheets["ada"].moves[0] == replace(move, name="Overhand Right")
    assert "name a known move" in evening.refused("rename ada grapple-spin as Whirl")
    assert "name a known move" in evening.refused(f"rename ada {move} as ")
    background = evening.sheets["ada"].backgrounds[0]
    evening.do(f"background ada {background.name} as Harbour pilot")
    assert evening.sheets["ada"].backgrounds[0] == replace(background, name="Harbour pilot")
