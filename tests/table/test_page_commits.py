"""Seals from a page beside cards on a reader: neither undoes the other's."""

import pytest
from msgspec.structs import replace

from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table.sealed import Sealed
from hub.table.state import AtZero, Phase, SeatFault
from tests.support.specialtalk import come_to, tap
from tests.support.specialtalk import table as gifted
from tests.support.tabletalk import TableTalk

FIRST, SECOND, THIRD = "stance attack 2", "stance grapple 1", "stance none"


def commit(table: TableTalk, card: str, actor: str = "ada", by: str = "ada") -> None:
    table.give(i.Request(i.Commit(actor, Sealed(Choice.parse(card))), by))


def take_back(table: TableTalk, actor: str = "ada", by: str = "ada") -> None:
    table.give(i.Request(i.TakeBack(actor), by))


def withdraw(table: TableTalk, card: str, actor: str = "ada", by: str = "ada") -> None:
    table.give(i.Request(i.Withdraw(actor, Sealed(Choice.parse(card))), by))


def sealed(table: TableTalk, actor: str = "ada") -> str | None:
    scene = table.state.scene
    assert scene is not None
    seal = scene.seals.get(actor)
    return None if seal is None else str(seal.choice())


def test_a_card_taken_back_on_the_page_has_no_effect(table: TableTalk) -> None:
    table.place("ada", FIRST)
    take_back(table)
    count = len(table.records)
    table.wait(5000)
    table.lift("ada")
    assert len(table.records) == count and table.committed == ()
    table.place("ada", FIRST)
    assert sealed(table) == FIRST


def test_lifting_the_old_card_keeps_the_pages_seal(table: TableTalk) -> None:
    table.place("ada", FIRST)
    take_back(table)
    commit(table, SECOND)
    table.lift("ada")
    table.wait(5000)
    assert sealed(table) == SECOND


def test_lifting_an_equal_card_keeps_the_pages_seal(table: TableTalk) -> None:
    """Otherwise it would reveal that they are equal."""
    table.place("ada", FIRST)
    take_back(table)
    commit(table, FIRST)
    table.lift("ada")
    assert sealed(table) == FIRST


@pytest.mark.parametrize("outage", ["reader", "hub"])
def test_an_equal_card_on_the_reader_after_an_outage_is_not_the_pages(
    table: TableTalk, outage: str
) -> None:
    table.lay("ada", FIRST)
    table.lose("ada")
    commit(table, FIRST)
    if outage == "hub":
        table.restart()
    else:
        table.find("ada")
    table.wait(5000)
    table.lift("ada")
    assert sealed(table) == FIRST
    table.place("ada", SECOND)
    table.lose("ada")
    table.find("ada")
    table.lift("ada")
    assert sealed(table) is None


def test_a_card_that_rests_while_the_page_commits_is_not_read(table: TableTalk) -> None:
    table.lay("ada", FIRST)
    commit(table, SECOND)
    table.wait(5000)
    assert sealed(table) == SECOND
    table.lift("ada")
    assert sealed(table) == SECOND


def test_a_card_laid_after_the_page_has_committed_replaces_its_seal(table: TableTalk) -> None:
    commit(table, SECOND)
    table.place("ada", FIRST)
    assert sealed(table) == FIRST
    assert table.events()[-2:] == ["TakenBack", "Committed"]
    table.lift("ada")
    assert sealed(table) is None


def test_the_page_commits_while_the_reader_is_lost(table: TableTalk) -> None:
    table.lay("ada", FIRST)
    table.lose("ada")
    commit(table, SECOND)
    assert table.seats["ada"].committed
    table.find("ada")
    table.wait(5000)
    table.lift("ada")
    assert sealed(table) == SECOND
    take_back(table)
    assert sealed(table) is None


def test_a_page_replaces_a_seal_whose_reader_is_lost(table: TableTalk) -> None:
    table.place("ada", FIRST)
    table.lose("ada")
    take_back(table)
    commit(table, SECOND)
    table.find("ada")
    table.lift("ada")
    assert sealed(table) == SECOND
    table.place("gm", THIRD)
    assert table.phase is Phase.LOCKED


def test_a_pages_seal_outlives_a_restart(table: TableTalk) -> None:
    table.lay("ada", FIRST)
    commit(table, SECOND)
    table.restart()
    table.wait(5000)
    table.lift("ada")
    assert sealed(table) == SECOND


def test_a_page_is_refused_in_a_pause_and_after_the_lock(table: TableTalk) -> None:
    commit(table, FIRST)
    table.give(i.Pause())
    with pytest.raises(SeatFault, match="paused"):
        take_back(table)
    table.give(i.Resume())
    assert sealed(table) == FIRST
    table.place("gm", THIRD)
    with pytest.raises(SeatFault, match="about to happen"):
        take_back(table)
    table.reveal()
    assert table.step == "move"


def test_the_last_seal_from_a_page_locks(table: TableTalk) -> None:
    table.place("gm", THIRD)
    commit(table, FIRST)
    assert table.phase is Phase.LOCKED


def test_a_page_is_told_why_a_card_does_not_fit(table: TableTalk) -> None:
    for card, why in (("move attack-high", "stance is needed"), ("stance attack 9", "attack")):
        with pytest.raises(SeatFault, match=why):
            commit(table, card)
    with pytest.raises(SeatFault, match="bo has nothing to choose now"):
        commit(table, "stance none", "bo", "bo")
    with pytest.raises(SeatFault, match="played at seat ada"):
        table.place("ada", FIRST)
        take_back(table, by="bo")
    assert sealed(table) == FIRST


def test_a_special_from_a_page_keeps_the_sealed_card_on_the_reader() -> None:
    talk = gifted(ada=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("ada", "move attack-mid")
    commit(talk, "special wax-on-attack")
    assert talk.view.beside == ("ada",) and sealed(talk) == "move attack-mid"
    talk.lift("ada")
    assert talk.view.beside == ("ada",) and sealed(talk) is None
    withdraw(talk, "special wax-on-attack")
    assert talk.view.beside == ()
    assert talk.events()[-1] == "Withdrawn"


def test_a_page_says_which_card_it_sets_beside_and_which_it_withdraws() -> None:
    """Repeating a wish, or making it from a second phone, does not undo the first."""
    talk = gifted(ada=["wax-on-attack"], bo=["yojimbo", "to-blave"])
    come_to(talk, "move")
    commit(talk, "special yojimbo", "bo", "bo")
    with pytest.raises(SeatFault, match="is already set beside; withdraw it first"):
        commit(talk, "special yojimbo", "bo", "bo")
    commit(talk, "special to-blave", "bo", "bo")
    withdraw(talk, "special yojimbo", "bo", "bo")
    with pytest.raises(SeatFault, match="did not set that card beside"):
        withdraw(talk, "special yojimbo", "bo", "bo")
    with pytest.raises(SeatFault, match="played at seat bo"):
        withdraw(talk, "special to-blave", "bo", "ada")
    assert talk.view.beside == ("bo",)
    tap(talk, "bo", "to-blave")
    assert talk.view.beside == ()


def test_an_answer_is_not_awaited_after_its_cause_is_withdrawn() -> None:
    talk = gifted(bo=["yojimbo"], ninja=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("gm", "move grapple-low")
    commit(talk, "special yojimbo", "bo", "bo")
    talk.place("ada", "move attack-high")
    assert talk.phase is Phase.SEALED
    withdraw(talk, "special yojimbo", "bo", "bo")
    assert talk.view.answers == ("bo",), "who withdraws has not passed (R23)"
    talk.decide("bo", "pass")
    assert talk.phase is Phase.LOCKED


def test_the_gm_plays_the_gms_seat_at_any_time() -> None:
    table = TableTalk(commit_s=30, at_zero=AtZero.GM_DECIDES, gm_seat="bo")
    table.begin_turn("bo")
    commit(table, THIRD, "bo", GM)
    take_back(table, "bo", GM)
    commit(table, THIRD, "bo", GM)
    take_back(table, "bo", GM)


def test_the_gm_chooses_for_a_late_player_when_time_is_over() -> None:
    table = TableTalk(commit_s=30, at_zero=AtZero.GM_DECIDES, gm_seat="bo")
    table.begin_turn("ada")
    with pytest.raises(SeatFault, match="after the commit timer"):
        commit(table, THIRD, "ada", GM)
    table.wait(30_000)
    commit(table, THIRD, "ada", GM)
    assert sealed(table) == THIRD
    with pytest.raises(SeatFault, match="the GM cannot take back"):
        take_back(table, "ada", GM)
    take_back(table)
    commit(table, FIRST)
    with pytest.raises(SeatFault, match="already sealed"):
        commit(table, THIRD, "ada", GM)
    assert sealed(table) == FIRST


def test_the_gm_neither_sets_beside_nor_withdraws_for_another_seat() -> None:
    """Otherwise the answer would reveal the card beside."""
    talk = gifted(ada=["wax-on-attack", "pressure-point"])
    talk.settings = replace(talk.settings, commit_s=30, at_zero=AtZero.GM_DECIDES)
    come_to(talk, "move")
    commit(talk, "special wax-on-attack")
    talk.wait(30_000)
    cards = ("special wax-on-attack", "special pressure-point", "special yojimbo")
    for deed, why in ((commit, "cannot set a card beside"), (withdraw, "the GM cannot take back")):
        for card in cards:
            with pytest.raises(SeatFault, match=why):
                deed(talk, card, "ada", GM)
    assert talk.view.beside == ("ada",)


def test_a_card_that_rests_while_the_page_sets_it_beside_or_withdraws_it_is_not_read() -> None:
    talk = gifted(ada=["wax-on-attack"])
    come_to(talk, "move")
    talk.lay("ada", "special wax-on-attack")
    commit(talk, "special wax-on-attack")
    talk.wait(5000)
    assert talk.view.beside == ("ada",)
    talk.lift("ada")
    talk.lay("ada", "special wax-on-attack")
    withdraw(talk, "special wax-on-attack")
    talk.wait(5000)
    assert talk.view.beside == ()
    talk.lift("ada")
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.beside == ("ada",)
