"""The version that a command is based on: how it advances, and that it never goes back."""

from hub.games.game import GM
from hub.table import acts as i
from hub.table.state import Version
from tests.support.evening import Evening
from tests.support.tabletalk import TableTalk


def test_each_phase_has_a_number_of_its_own_even_after_an_undo() -> None:
    table = TableTalk()
    seen = [table.view.version.phase]

    def moved() -> bool:
        seen.append(table.view.version.phase)
        return seen[-1] > max(seen[:-1])

    table.start()
    assert moved()
    table.decide(GM, "active ada")
    assert moved()
    table.decide("ada", "opponent ninja")
    assert moved()
    table.place("ada", "stance none")
    assert not moved()
    table.place("gm", "stance none")
    table.reveal()
    assert moved()
    table.give(i.Undo())
    assert moved()
    assert table.view.version == Version(scene=1, phase=seen[-1], revision=0)


def test_a_pause_does_not_change_the_version() -> None:
    table = TableTalk()
    table.begin_turn()
    before = table.view.version
    table.give(i.Pause())
    assert table.view.version == before
    table.give(i.Resume())
    assert table.view.version == before


def test_a_story_counts_its_changes_but_not_refusals() -> None:
    table = Evening()
    assert table.view.version == Version(scene=0, phase=0, revision=0)
    table.do("countdown new 6 The tide")
    assert table.view.version.revision == 1
    table.refused("countdown mark Rain")
    assert table.view.version.revision == 1
    table.duel(stakes="A boat")
    told = table.view.version.revision
    assert told == 2
    table.do("countdown mark The tide")
    assert table.view.version == Version(scene=1, phase=1, revision=3)
    table.end()
    assert table.view.version == Version(scene=1, phase=0, revision=4)
    table.restart()
    assert table.view.version == Version(scene=1, phase=0, revision=4)
