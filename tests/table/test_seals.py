"""Laying, lifting, locking, revealing: the life of a card at one table."""

from collections.abc import Mapping

import pytest

from hub.games.game import GM, Choice
from hub.games.registry import rulebooks
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import SceneSetup
from hub.table.desk import QUIET_MS
from hub.table.private_views import console_view
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.spots import Spot
from hub.table.state import AtZero, HubMisuse, Phase, SeatFault, Settings, TableState, Trouble
from hub.table.step import step
from hub.table.views import seat_views, utc
from tests.support.asking import as_input
from tests.support.tabletalk import DUEL, SEATS, TableTalk


def test_a_card_is_sealed_after_the_dwell_time_and_not_before(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.wait(table.dwell_ms - 1)
    assert table.committed == ()
    table.wait(1)
    assert table.committed == ("ada",)
    assert table.last_signal("ada") is Signal.SEALED


def test_a_card_that_only_brushes_the_reader_is_not_sealed(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.wait(100)
    table.lift("ada")
    table.wait(10_000)
    assert table.committed == ()


def test_time_alone_seals_nothing(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.now_ms += 60_000
    table.give(i.Tick())
    assert table.committed == ()
    table.rest("ada")
    assert table.committed == ("ada",)


def test_a_doubtful_card_is_sealed_once_it_has_rested_again(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.wait(250)
    table.doubt("ada")
    table.wait(60_000)
    assert table.committed == ()
    table.see_again("ada")
    table.wait(table.dwell_ms - 1)
    assert table.committed == ()
    table.wait(1)
    assert table.committed == ("ada",)


def test_a_card_that_replaces_a_doubtful_one_is_sealed(table: TableTalk) -> None:
    table.place("gm", "stance none")
    table.lay("ada", "stance attack 2")
    table.wait(200)
    table.doubt("ada")
    table.lying["ada"].clear()
    table.lay("ada", "stance grapple 1")
    table.wait(table.dwell_ms)
    table.reveal()
    revealed = table.records[-1].event
    assert isinstance(revealed, r.Revealed)
    assert revealed.openings["ada"].choice == "stance grapple 1"


@pytest.fixture
def in_doubt(table: TableTalk) -> TableTalk:
    """All have chosen, but the last look missed the first of the cards."""
    table.place("ada", "stance attack 2")
    table.doubt("ada")
    table.place("gm", "stance none")
    assert table.committed == ("ada", "ninja")
    assert table.phase is Phase.SEALED
    table.wait(60_000)
    assert table.phase is Phase.SEALED
    return table


def test_a_card_lifted_while_the_lock_is_in_doubt_is_taken_back(in_doubt: TableTalk) -> None:
    in_doubt.lift("ada")
    assert in_doubt.committed == ("ninja",)
    in_doubt.place("ada", "stance grapple 1")
    assert in_doubt.phase is Phase.LOCKED


def test_a_card_that_is_seen_again_locks(in_doubt: TableTalk) -> None:
    in_doubt.see_again("ada")
    assert in_doubt.phase is Phase.LOCKED


def test_a_lost_reader_does_not_count_as_a_lift_at_the_lock(in_doubt: TableTalk) -> None:
    in_doubt.lose("ada")
    assert in_doubt.phase is Phase.LOCKED


def test_a_restart_while_the_lock_is_in_doubt_locks(in_doubt: TableTalk) -> None:
    in_doubt.restart()
    assert in_doubt.phase is Phase.LOCKED


def test_a_pause_while_the_lock_is_in_doubt_keeps_the_doubt(in_doubt: TableTalk) -> None:
    in_doubt.give(i.Pause())
    in_doubt.give(i.Resume())
    assert in_doubt.phase is Phase.SEALED
    in_doubt.give(i.Pause())
    in_doubt.see_again("ada")
    assert in_doubt.phase is Phase.PAUSED
    in_doubt.give(i.Resume())
    assert in_doubt.phase is Phase.LOCKED


def test_the_next_report_makes_up_for_a_lost_one(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.lying["ada"] = ["stance grapple 1"]
    table.rest("ada")
    table.place("gm", "stance none")
    table.reveal()
    revealed = table.records[-1].event
    assert isinstance(revealed, r.Revealed)
    assert revealed.openings["ada"].choice == "stance grapple 1"


def test_lifting_before_all_have_committed_takes_back(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.lift("ada")
    assert table.committed == ()
    assert table.last_signal("ada") is Signal.EMPTY
    assert table.events()[-1] == "TakenBack"
    table.place("ada", "stance grapple 1")
    assert table.committed == ("ada",)


@pytest.mark.book("stance.shown", "simultaneous.shown-at-once")
def test_lifting_after_the_last_commit_takes_nothing_back(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    assert table.phase is Phase.LOCKED
    table.clear()
    assert table.phase is Phase.LOCKED
    table.reveal()
    assert table.step == "move"
    revealed = table.records[-1].event
    assert isinstance(revealed, r.Revealed)
    assert {a: o.choice for a, o in revealed.openings.items()} == {
        "ada": "stance attack 2",
        "ninja": "stance none",
    }


def test_the_reveal_waits_for_its_delay(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.wait(table.settings.reveal_delay_ms - 1)
    assert table.phase is Phase.LOCKED
    table.wait(1)
    assert table.phase is Phase.SEALED and table.step == "move"


def test_without_delay_the_last_commit_reveals() -> None:
    table = TableTalk(reveal_delay_ms=0)
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    assert table.step == "move"
    assert table.events()[-3:] == ["Committed", "Locked", "Revealed"]


def test_no_record_is_earlier_than_the_one_before_it(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    before = table.records[-1].at_ms
    table.now_ms -= 3_600_000
    table.give(i.DropSeal("ada"))
    table.restart()
    table.give(i.Pause())
    assert [record.at_ms for record in table.records[-2:]] == [before, before]


@pytest.mark.parametrize(
    ("card", "signal", "words"),
    [
        ("?", Signal.UNKNOWN, "not in the deck"),
        ("move attack-high", Signal.REFUSED, "a stance is needed now, not a move"),
        ("stance attack 6", Signal.REFUSED, "attack"),
        ("stance hammer 1", Signal.REFUSED, "hammer"),
    ],
)
def test_a_card_that_does_not_fit_is_refused_at_its_own_seat(
    table: TableTalk, card: str, signal: Signal, words: str
) -> None:
    before = len(table.records)
    table.place("ada", card)
    assert table.last_signal("ada") is signal
    assert words in table.last_words("ada")
    assert len(table.records) == before
    assert {tell.seat for tell in table.tells if tell.why.unseal()} == {"ada"}


def test_two_cards_are_reported_and_neither_is_sealed(table: TableTalk) -> None:
    table.lay("ada", "stance attack 2")
    table.lay("ada", "stance grapple 1")
    table.wait(10_000)
    assert table.committed == ()
    assert table.last_signal("ada") is Signal.TWO_CARDS
    table.lift("ada", "stance attack 2")
    table.wait(table.dwell_ms)
    assert table.committed == ("ada",)


def test_a_second_card_does_not_disturb_a_seal(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.place("ada", "stance grapple 1")
    assert table.committed == ("ada",)
    table.lift("ada", "stance attack 2")
    assert table.committed == ()


def test_a_seat_that_is_not_awaited_is_told_so(table: TableTalk) -> None:
    table.place("bo", "stance attack 1")
    assert table.committed == ()
    assert table.last_signal("bo") is Signal.NOT_AWAITED


def test_a_card_left_on_the_reader_is_ignored_in_the_next_phase(table: TableTalk) -> None:
    table.lay("bo", "move attack-low")
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.reveal()
    table.lift("gm")
    table.place("gm", "move surrender")
    table.wait(60_000)
    assert table.phase is Phase.SEALED
    assert table.committed == ("ninja",)


def test_a_seal_is_kept_while_its_reader_is_lost(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.lose("ada")
    assert table.committed == ("ada",)
    assert table.seats["ada"].reader == "lost"
    table.lying["ada"].clear()
    table.find("ada")
    assert table.committed == ("ada",), "nobody saw the card being lifted"
    assert table.seats["ada"].reader == "ok"


def test_a_lost_reader_that_returns_with_the_card_still_on_it_can_take_back(
    table: TableTalk,
) -> None:
    table.place("ada", "stance attack 2")
    table.lose("ada")
    table.find("ada")
    table.lift("ada")
    assert table.committed == ()


def test_a_returning_reader_does_not_seal_the_card_on_it(table: TableTalk) -> None:
    table.lose("ada")
    table.lying["ada"].append("stance attack 2")
    table.find("ada")
    table.wait(60_000)
    assert table.committed == ()
    table.lift("ada")
    table.place("ada", "stance attack 2")
    assert table.committed == ("ada",)


def test_after_an_outage_another_card_replaces_the_seal(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.lose("ada")
    table.lying["ada"].clear()
    table.find("ada")
    table.place("ada", "stance grapple 1")
    assert table.events()[-2:] == ["TakenBack", "Committed"]
    table.place("gm", "stance none")
    table.reveal()
    revealed = table.records[-1].event
    assert isinstance(revealed, r.Revealed)
    assert revealed.openings["ada"].choice == "stance grapple 1"


def test_after_an_outage_the_same_card_laid_again_looks_like_any_other(table: TableTalk) -> None:
    """Whether a player has changed their mind stays secret."""
    table.place("ada", "stance attack 2")
    table.lose("ada")
    table.lying["ada"].clear()
    table.find("ada")
    table.place("ada", "stance attack 2")
    assert table.events()[-2:] == ["TakenBack", "Committed"]
    table.lift("ada")
    assert table.committed == ()


def test_a_reader_that_keeps_failing_is_unreliable_until_it_recovers(table: TableTalk) -> None:
    def troubles(losses: int, disturbances: int) -> None:
        table.give(i.ReaderTroubled("ada", losses, disturbances))

    def unreliable() -> Mapping[str, Trouble]:
        return console_view(table.state, table.settings).unreliable

    table.place("ada", "stance attack 2")
    troubles(2, 9)
    assert unreliable() == {}
    troubles(3, 9)
    troubles(4, 9)
    assert unreliable() == {"ada": Trouble(3, 9)}
    assert table.events().count("ReaderUnreliable") == 1
    troubles(6, 9)
    assert table.events().count("ReaderUnreliable") == 2
    assert unreliable() == {"ada": Trouble(6, 9)}
    table.lose("ada")
    assert table.seats["ada"].reader == "lost"
    table.find("ada")
    assert table.seats["ada"].reader == "ok"
    troubles(1, 0)
    assert unreliable() == {"ada": Trouble(6, 9)}
    troubles(0, 0)
    assert unreliable() == {}
    assert table.committed == ("ada",)


def test_a_reader_is_ok_once_it_has_answered() -> None:
    """A reader is not ok before it was opened, nor because its seat's page was used meanwhile."""
    settings = Settings(seats=SEATS)
    state, desk = TableState("test", rulebooks()), dict[str, Spot]()

    def give(given: i.Input) -> None:
        nonlocal state, desk
        done = step(
            state, desk, as_input(given), settings=settings, now_ms=0, entropy=bytes(32),
            written=lambda record: record,
        )  # fmt: skip
        state, desk = done.state, done.desk

    def shown() -> list[str]:
        return [seat.reader for seat in seat_views(state, settings, desk)]

    assert shown() == ["lost", "lost", "lost"]
    give(i.BeginLog())
    give(i.Request(i.StartScene(), scene=("", SceneSetup("unroll", DUEL))))
    give(i.Decide(GM, "active ada"))
    give(i.Decide("ada", "opponent ninja"))
    give(i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), "ada"))
    give(i.ReaderTroubled("bo", 0, 0))
    assert shown() == ["lost", "lost", "lost"]
    give(i.ReaderFound("ada"))
    assert shown() == ["ok", "lost", "lost"]
    give(i.FieldChanged("ada", Sealed(())))
    assert shown() == ["ok", "lost", "lost"]
    give(i.ReaderMissing("ada"))
    assert shown() == ["lost", "lost", "lost"]
    give(i.ReaderFound("ada"))
    give(i.EndScene())
    assert shown() == ["ok", "lost", "lost"]
    before = state
    give(i.ReaderMissing("ada", writes_cards=True))
    give(i.ReaderTroubled("ada", 0, 0))
    assert shown() == ["writes-cards", "lost", "lost"]
    assert state is before, "that is no loss: the log knows nothing of it"
    give(i.ReaderFound("ada"))
    assert shown() == ["ok", "lost", "lost"]
    assert desk["ada"].baseline is Signal.UNSEEN


@pytest.mark.parametrize("blind", [False, True])
def test_lifting_at_a_blind_reader_warns_of_a_dead_radio(table: TableTalk, blind: bool) -> None:
    """A blind reader cannot tell a dead radio from a lifted card."""
    table.give(i.ReaderTroubled("ada", 0, 0, blind))
    assert console_view(table.state, table.settings, table.desk).blind == ("ada",) * blind
    table.place("ada", "stance attack 2")
    table.lift("ada")
    [told] = [tell for tell in table.tells if tell.signal is Signal.TAKEN_BACK]
    assert ("radio is dead" in str(told.why.unseal())) is blind
    table.lose("ada")
    table.find("ada")
    assert console_view(table.state, table.settings, table.desk).blind == ("ada",) * blind
    table.place("ada", "stance attack 2")
    table.lying["ada"].clear()
    table.lay("ada", "stance none")
    assert "radio is dead" not in str(table.tells[-1].why.unseal()), "its radio sees the other card"


def test_the_last_player_at_a_blind_reader_is_told_it_saw_nothing(table: TableTalk) -> None:
    """A dead radio may hide a card that the player believes to be sealed."""
    table.give(i.ReaderTroubled("ada", 0, 0, blind=True))
    table.wait(2 * QUIET_MS)
    assert table.matter("ada") is None, "another seat is awaited, too"
    table.place("gm", "stance attack 2")
    written = len(table.records)
    table.wait(QUIET_MS)
    assert table.matter("ada") is Signal.NOTHING_SEEN
    assert table.last_signal("ada") is Signal.NOTHING_SEEN
    assert len(table.records) == written, "it is no event of the log"
    assert table.matter("gm") is None
    table.lay("ada", "stance none")
    assert table.matter("ada") is None
    table.lift("ada")
    table.wait(0)
    assert table.matter("ada") is Signal.NOTHING_SEEN
    table.place("ada", "stance none")
    assert table.phase is Phase.LOCKED
    assert table.matter("ada") is None


def test_a_seal_from_a_page_ends_the_warning_about_the_reader(table: TableTalk) -> None:
    table.give(i.ReaderTroubled("ada", 0, 0, blind=True))
    table.place("gm", "stance attack 2")
    table.wait(QUIET_MS)
    assert table.matter("ada") is Signal.NOTHING_SEEN
    table.give(i.Pause())
    assert table.matter("ada") is None
    table.give(i.Resume())
    table.wait(QUIET_MS)
    assert table.matter("ada") is Signal.NOTHING_SEEN
    table.give(i.Request(i.Commit("ada", Sealed(Choice("stance", "none"))), "ada"))
    assert table.phase is Phase.LOCKED
    assert table.matter("ada") is None


def test_a_reader_that_can_see_gives_no_warning(table: TableTalk) -> None:
    table.place("gm", "stance attack 2")
    table.wait(10 * QUIET_MS)
    assert table.matter("ada") is None


def test_a_reader_lost_twice_is_recorded_once(table: TableTalk) -> None:
    table.lose("ada")
    table.lose("ada")
    assert table.events().count("ReaderLost") == 1


def test_the_gm_drops_a_seal(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.give(i.DropSeal("ada"))
    assert table.committed == ()
    table.wait(60_000)
    assert table.committed == (), "the card has to be lifted and set down again"


def test_pause_stops_reading_and_resume_goes_on(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.give(i.Pause())
    assert table.phase is Phase.PAUSED
    table.place("gm", "stance none")
    assert table.committed == ("ada",)
    table.give(i.Resume())
    table.wait(60_000)
    assert table.committed == ("ada",), "set down in the pause: to be set down again"
    table.lift("gm")
    table.place("gm", "stance none")
    assert table.phase is Phase.LOCKED


def test_a_card_lifted_in_the_pause_is_taken_back_when_play_goes_on(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.give(i.Pause())
    table.lift("ada")
    assert table.committed == ("ada",), "the table is paused: nothing happens"
    table.give(i.Resume())
    assert table.committed == ()
    assert table.events()[-2:] == ["Resumed", "TakenBack"]


def test_a_card_lifted_and_laid_again_in_the_pause_is_taken_back(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.give(i.Pause())
    table.lift("ada")
    table.lay("ada", "stance attack 2")
    table.give(i.Resume())
    table.wait(60_000)
    assert table.committed == ()


def test_after_a_restart_in_the_pause_a_lifted_card_is_still_taken_back(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.give(i.Pause())
    table.restart()
    table.give(i.Resume())
    assert table.committed == ("ada",)
    table.lift("ada")
    assert table.committed == ()


def test_a_reveal_that_is_due_waits_for_the_pause_to_end(table: TableTalk) -> None:
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.give(i.Pause())
    table.wait(60_000)
    table.give(i.Resume())
    table.wait(0)
    assert table.step == "move"


def test_undo_goes_back_to_the_last_reveal_and_then_to_the_one_before(table: TableTalk) -> None:
    table.show(ada="stance attack 2", gm="stance none")
    after_stances = table.view.game
    table.place("ada", "move attack-mid")
    table.give(i.Undo())
    assert table.committed == () and table.view.game == after_stances
    table.give(i.Undo())
    assert table.step == "first"
    with pytest.raises(SeatFault, match="nothing has happened"):
        table.give(i.Undo())


def test_a_page_commits_takes_back_and_is_refused_for_others(table: TableTalk) -> None:
    stance = Sealed(Choice("stance", "attack 2"))
    with pytest.raises(SeatFault, match="played at seat ada, not at bo"):
        table.give(i.Request(i.Commit("ada", stance), "bo"))
    with pytest.raises(SeatFault, match="after the commit timer"):
        table.give(i.Commit("ada", stance))
    table.give(i.Request(i.Commit("ada", stance), "ada"))
    assert table.committed == ("ada",)
    with pytest.raises(SeatFault, match="take it back first"):
        table.give(i.Request(i.Commit("ada", stance), "ada"))
    table.give(i.Request(i.TakeBack("ada"), "ada"))
    assert table.committed == ()
    with pytest.raises(SeatFault, match="no sealed choice"):
        table.give(i.Request(i.TakeBack("ada"), "ada"))


def test_the_commit_timer_runs_out_and_then_the_gm_decides() -> None:
    table = TableTalk(commit_s=30, at_zero=AtZero.GM_DECIDES)
    table.begin_turn()
    timer = table.view.timer
    assert timer is not None and timer.deadline == utc(table.now_ms + 30_000)
    table.place("gm", "stance none")
    table.wait(30_000)
    assert table.events()[-1] == "DeadlinePassed"
    assert table.view.timer is None
    table.give(i.Commit("ada", Sealed(Choice("stance", "none"))))
    assert table.phase is Phase.LOCKED


def test_after_a_pause_a_timer_that_had_run_out_runs_again() -> None:
    table = TableTalk(commit_s=30)
    table.begin_turn()
    table.wait(30_000)
    assert table.view.timer is None
    table.give(i.Pause())
    table.give(i.Resume())
    assert table.view.timer is not None
    table.wait(30_000)
    assert table.events()[-1] == "DeadlinePassed"


@pytest.mark.book("participants.who-decides")
def test_a_decision_is_refused_to_those_who_may_not_make_it() -> None:
    table = TableTalk()
    table.start()
    with pytest.raises(SeatFault, match="for the GM"):
        table.decide(GM, "active ada", by="ada")
    table.decide(GM, "active ada")
    with pytest.raises(SeatFault, match="played at seat ada"):
        table.decide("ada", "opponent ninja", by="bo")
    with pytest.raises(SeatFault, match="bo has nothing to choose now"):
        table.decide("bo", "opponent ninja", by="bo")
    with pytest.raises(SeatFault, match="bo"):
        table.decide("ada", "opponent bo", by="ada")
    table.decide("ada", "opponent ninja", by="ada")
    assert table.step == "stance"


def test_a_repeated_decision_is_not_recorded() -> None:
    table = TableTalk()
    table.begin_turn("bo", "ninja")
    table.show(bo="stance none", gm="stance none")
    table.show(bo="move attack-low", gm="move attack-low")
    assert table.view.awaited == ("bo", "ninja", "crow"), "a tie: both split what they lose"
    records = len(table.records)
    split = table.offers("bo")[0]
    table.decide("bo", split)
    table.decide("bo", split)
    assert len(table.records) == records + 1
    assert table.committed == ("bo",)


def test_a_scene_needs_a_seat_for_every_character() -> None:
    table = TableTalk()
    game = {**table.setup.game, "sides": {"players": ["ada"], "gm-side": ["stranger"]}}
    game["characters"] = {"ada": game["characters"]["ada"], "stranger": game["characters"]["crow"]}
    with pytest.raises(SeatFault, match="stranger must be played by exactly one seat"):
        table.give(i.Request(i.StartScene(), scene=("", r.SceneSetup("unroll", game))))
    with pytest.raises(SeatFault, match="no ruleset 'chess'"):
        table.give(i.Request(i.StartScene(), scene=("", r.SceneSetup("chess", game))))


def test_an_unknown_seat_is_a_programming_error() -> None:
    with pytest.raises(HubMisuse, match="no seat attic"):
        TableTalk().give(i.FieldChanged("attic", Sealed(())))


@pytest.mark.book("turn.order", "move.shown", "simultaneous.shown-at-once")
def test_a_whole_turn_follows_the_book(table: TableTalk) -> None:
    table.show(ada="stance grapple 2", gm="stance defend 1")
    table.place("ada", "move grapple-high")
    table.place("gm", "move defend-low")
    table.reveal()
    game = table.view.game
    assert game is not None
    loss = game.turn.losses["ninja"]
    assert (loss.stance, loss.own_stance, loss.base, loss.total) == (4, 1, 4, 9)
    assert table.step == "split"
    table.decide("ninja", "split defend 4 grapple 4 attack 1", by="gm")
    table.let_be()
    assert table.step == "next"
