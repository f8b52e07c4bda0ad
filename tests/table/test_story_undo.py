"""Between scenes the story's last deed can be undone, but nothing that a scene has used."""

import pytest
from msgspec.structs import replace

from hub.audit import Audit
from hub.games.triangle.story.scenes import ConflictRequest
from hub.table import acts as i
from hub.table.acts import MOST_EARLIER, Record, StoryUndone, ways_back
from hub.table.fold import fold
from hub.table.state import HubMisuse, SeatFault, Undoes
from hub.wire.log import decode_line
from tests.support.evening import Evening
from tests.support.tabletalk import TableTalk

NPC = {"name": "guard", "like": "crow"}


@pytest.fixture
def evening() -> Evening:
    return Evening()


def undo(evening: Evening, what: Undoes | None = None) -> None:
    evening.give(i.Undo(what))


def ways(evening: Evening) -> list[tuple[str, int]]:
    return [(way.what, way.to_seq) for way in ways_back(evening.state)]


def test_a_rest_is_taken_back_with_every_number(evening: Evening) -> None:
    evening.do("lose ada attack 1")
    before = evening.sheets
    evening.take_rest("breather attack ada")
    assert evening.sheets != before
    assert evening.sheet("ada").rested
    undo(evening)
    assert evening.sheets == before
    assert not evening.sheet("ada").rested
    evening.take_rest("breather attack ada")  # the rest was undone and is available again


def test_deeds_go_back_one_by_one_and_no_further(evening: Evening) -> None:
    for name in ("One", "Two", "Three"):
        evening.do(f"countdown new 4 {name}")
    for left in (["One", "Two"], ["One"], []):
        undo(evening)
        assert [each.name for each in evening.story.countdowns] == left
    with pytest.raises(SeatFault, match="the story has no change to take back"):
        undo(evening)


def test_an_undone_countdown_is_marked_as_erased(evening: Evening) -> None:
    evening.do("countdown new 6 The tide")
    undo(evening)
    assert evening.story.erased == ("the-tide",)
    evening.do("countdown new 6 The tide")
    assert evening.story.erased == ()
    evening.do("countdown erase The tide")
    assert evening.story.erased == ("the-tide",)
    undo(evening)
    assert evening.story.erased == ()
    assert [each.id for each in evening.story.countdowns] == ["the-tide"]


def test_no_undo_of_a_deed_crosses_a_scene(evening: Evening) -> None:
    evening.do("countdown new 6 The tide")
    evening.stage(ConflictRequest(stakes="The boat"))
    with pytest.raises(SeatFault, match="since the scene began"):
        undo(evening)
    evening.do("countdown mark The tide")
    evening.end()
    with pytest.raises(SeatFault, match="since the last scene"):
        undo(evening)
    evening.do("countdown mark The tide")
    undo(evening)
    assert [each.marked for each in evening.story.countdowns] == [1]
    with pytest.raises(SeatFault, match="start' cannot be taken back now"):
        undo(evening, Undoes.START)


def test_a_deed_during_a_scene_is_undone_alone(evening: Evening) -> None:
    """Before or after a reveal: play is not touched."""
    evening.do("countdown new 6 The tide")
    evening.duel()
    evening.do("countdown mark The tide")
    evening.decide("gm", "active ada")
    evening.decide("ada", "opponent ninja")
    for seat in ("ada", "gm"):
        evening.place(seat, "stance none")
    evening.reveal()
    scene, marked = evening.state.scene, evening.story.countdowns[0].marked
    assert [what for what, _ in ways(evening)] == ["play", "deed"]
    undo(evening, Undoes.DEED)
    assert evening.state.scene is scene
    assert (marked, evening.story.countdowns[0].marked) == (1, 0)
    assert [what for what, _ in ways(evening)] == ["play"]


def test_undoing_play_keeps_the_story(evening: Evening) -> None:
    evening.duel()
    evening.decide("gm", "active ada")
    evening.do("stakes The boat")
    undo(evening)
    assert evening.view.step == "first"
    assert evening.story.stakes == "The boat"
    undo(evening)  # no play is left, so this undoes the deed
    assert evening.story.stakes == ""


def test_newcomers_and_leavers_of_a_scene_are_undone() -> None:
    evening = Evening(gm_seat="gm")
    evening.duel(players=("ada", "bo"), others=("ninja",))
    before = evening.state.story
    evening.do("npc guard; attack 3; moves attack-high")
    evening.do("dismiss crow")
    undo(evening)
    undo(evening)
    assert before and evening.state.story
    assert evening.state.story.state == before.state


def test_the_console_shows_where_an_undo_would_go(evening: Evening) -> None:
    assert ways(evening) == []
    before = evening.state.seq
    evening.do("stakes The boat")
    assert ways(evening) == [("deed", before)]
    undo(evening)
    assert evening.state.seq == before + 2
    assert ways(evening) == []


@pytest.mark.parametrize("what", [None, *Undoes])
def test_an_undo_applies_only_to_the_previewed_state(evening: Evening, what: Undoes | None) -> None:
    evening.do("stakes The boat")
    ((_, seen),) = ways(evening)
    evening.do("stakes The bridge")
    with pytest.raises(SeatFault, match="look again"):
        evening.give(i.Undo(what, seen))


def test_an_undo_makes_open_pages_stale(evening: Evening) -> None:
    evening.do("stakes The boat")
    told = evening.state.revision
    undo(evening)
    assert evening.state.revision == told + 1


def test_the_number_of_undos_is_bounded(evening: Evening) -> None:
    for number in range(MOST_EARLIER + 5):
        evening.do(f"stakes {number}")
    for _ in range(MOST_EARLIER):
        undo(evening)
    assert evening.story.stakes == "4"
    with pytest.raises(SeatFault):
        undo(evening)


def test_without_a_story_there_is_nothing_to_undo() -> None:
    with pytest.raises(SeatFault, match="the story has no change"):
        TableTalk().give(i.Undo())


def test_a_log_that_undoes_the_wrong_deed_is_not_sound(evening: Evening) -> None:
    evening.do("stakes The boat")
    before = evening.state.seq
    evening.do("stakes The bridge")
    undo(evening)
    assert not evening.audit.problems
    audit = Audit("test")
    for row in evening.rows:
        line = decode_line(row.line)
        if isinstance(line.event, StoryUndone):
            assert line.event.to_seq == before
            line = replace(line, event=StoryUndone(to_seq=before - 1))
        audit.hear(row.seq, line)
    assert audit.problems == [
        f"line {evening.state.seq}: no deed that followed line {before - 1} can be taken back"
    ]


@pytest.mark.parametrize("seq", [0, 1, 99])
def test_an_undo_record_for_another_deed_is_rejected(evening: Evening, seq: int) -> None:
    evening.do("stakes The boat")
    forged = Record(evening.state.seq + 1, 0, StoryUndone(to_seq=seq + 100))
    with pytest.raises(HubMisuse):
        fold(evening.state, forged)
