"""Points counted by energy cards: a card laid and lifted is one point of its type."""

from typing import Any

import pytest

from hub.audit.verify import verify_log
from hub.table import acts as i
from hub.table import acts as r
from hub.table.signals import Signal
from hub.table.state import SeatFault
from tests.support.editions import IRON_TRIANGLE_1E, UNROLL
from tests.support.specialtalk import EDITIONS, log_of, moves, shown, stances, table
from tests.support.tabletalk import TableTalk


def ada_loses(edition: Any = UNROLL, stance: str = "none", **specials: list[str]) -> TableTalk:
    """ada has lost 3 of 8 of each with Grapple against the ninja's Attack; or 3 more."""
    talk = table(edition, **specials)
    talk.decide("ada", "opponent ninja")
    stances(talk, stance)
    moves(talk, "grapple-low", "attack-high")
    assert talk.step == "split"
    return talk


def tap(talk: TableTalk, action: str, n: int = 1, seat: str = "ada") -> None:
    talk.place(seat, f"split {action} {n}")
    talk.lift(seat)


def counted(talk: TableTalk, actor: str = "ada") -> tuple[tuple[str, ...], int] | None:
    tally = talk.view.counted.get(actor)
    return (tally.points, tally.total) if tally else None


def lost(talk: TableTalk) -> dict[str, int]:
    game: Any = talk.view.game
    energy = game.characters["ada"].energy
    return {name: 8 - getattr(energy, name) for name in ("attack", "defend", "grapple")}


@pytest.mark.book("loss.split")
@pytest.mark.parametrize("edition", EDITIONS, ids=lambda e: e.id)
def test_each_tap_is_a_point_and_the_last_decides(edition: Any) -> None:
    talk = ada_loses(edition)
    tap(talk, "attack")
    assert counted(talk) == (("attack",), 3)
    assert talk.last_signal("ada") is Signal.EMPTY
    assert Signal.COUNTED in [tell.signal for tell in talk.tells if tell.seat == "ada"]
    tap(talk, "defend")
    assert counted(talk) == (("attack", "defend"), 3)
    assert "Decided" not in talk.events()[-4:]
    tap(talk, "attack")
    assert talk.step == "next"
    assert lost(talk) == {"attack": 2, "defend": 1, "grapple": 0}
    assert talk.view.counted == {}


def test_a_card_left_on_the_reader_counts_once() -> None:
    talk = ada_loses()
    talk.place("ada", "split attack 1")
    talk.wait(5000)
    assert counted(talk) == (("attack",), 3)
    assert talk.matter("ada") is None


def test_too_many_of_a_type_are_refused_with_the_reason() -> None:
    talk = table(UNROLL)
    talk.decide("ada", "opponent ninja")
    stances(talk, "none", "attack 6")
    moves(talk, "grapple-low", "attack-high")
    (total,) = (loss.total for loss in talk.view.game.turn.losses.values())  # type: ignore[union-attr]
    assert total > 8
    for _ in range(8):
        tap(talk, "defend")
    talk.place("ada", "split defend 1")
    assert (talk.last_signal("ada"), talk.matter("ada")) == (Signal.REFUSED, Signal.REFUSED)
    assert talk.last_words("ada") == "you can count no more than 8 of defend"
    assert counted(talk) == (("defend",) * 8, total)
    talk.lift("ada")
    tap(talk, "grapple")
    assert counted(talk) == ((*("defend",) * 8, "grapple"), total)


def test_points_committed_to_the_stance_must_come_from_its_type() -> None:
    talk = ada_loses(stance="grapple 2")
    for _ in range(3):
        tap(talk, "attack")
    assert counted(talk) == (("attack",) * 3, 5)
    talk.place("ada", "split attack 1")
    assert "the last 2 must be grapple" in talk.last_words("ada")
    talk.lift("ada")
    tap(talk, "grapple")
    tap(talk, "grapple")
    assert lost(talk) == {"attack": 3, "defend": 0, "grapple": 2}


def test_the_newest_point_is_taken_back_by_its_seat_or_the_gm() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    tap(talk, "defend")
    talk.give(i.Request(i.TakeBack("ada"), "ada"))
    assert counted(talk) == (("attack",), 3)
    with pytest.raises(SeatFault, match="seat"):
        talk.give(i.Request(i.TakeBack("ada"), "bo"))
    talk.give(i.TakeBack("ada"))
    assert counted(talk) is None
    with pytest.raises(SeatFault, match="nothing has been counted"):
        talk.give(i.Request(i.TakeBack("ada"), "ada"))
    tap(talk, "grapple", 3)
    assert lost(talk) == {"attack": 0, "defend": 0, "grapple": 3}


def test_a_card_takes_the_newest_point_back() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    tap(talk, "defend")
    talk.place("ada", "take-back")
    assert (counted(talk), talk.last_signal("ada")) == ((("attack",), 3), Signal.TAKEN_BACK)
    talk.wait(5000)
    assert counted(talk) == (("attack",), 3), "it lies there, and is one"
    talk.lift("ada")
    talk.place("gm", "take-back")
    assert talk.last_words("gm") == "nothing has been counted yet"
    talk.lift("gm")
    assert counted(talk) == (("attack",), 3), "another seat takes back nothing of hers"
    talk.place("ada", "take-back")
    talk.lift("ada")
    assert counted(talk) is None
    talk.place("ada", "take-back")
    assert talk.last_signal("ada") is Signal.REFUSED
    talk.lift("ada")
    tap(talk, "grapple", 3)
    assert lost(talk) == {"attack": 0, "defend": 0, "grapple": 3}


def test_a_take_back_card_does_not_touch_a_seal() -> None:
    talk = table(UNROLL)
    talk.place("ada", "take-back")
    assert talk.last_words("ada") == "nothing has been counted yet"
    talk.lift("ada")
    talk.decide("ada", "opponent ninja")
    talk.place("ada", "stance none")
    before = len(talk.records)
    talk.place("gm", "take-back")
    talk.lift("gm")
    assert talk.committed == ("ada",)
    assert len(talk.records) == before


def test_a_card_of_several_points_counts_them_but_never_too_many() -> None:
    talk = ada_loses()
    tap(talk, "attack", 2)
    talk.place("ada", "split defend 2")
    assert "no more than the 3 points" in talk.last_words("ada")
    talk.lift("ada")
    talk.place("ada", "split defend 999999999")
    assert talk.last_signal("ada") is Signal.REFUSED
    talk.lift("ada")
    tap(talk, "defend")
    assert lost(talk) == {"attack": 2, "defend": 1, "grapple": 0}


def test_a_decided_split_replaces_the_counted_points() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    talk.decide("ada", "split grapple 3", by="ada")
    assert lost(talk) == {"attack": 0, "defend": 0, "grapple": 3}
    assert talk.view.counted == {}


def test_two_losers_count_side_by_side() -> None:
    talk = table(UNROLL)
    talk.decide("ada", "opponent ninja")
    stances(talk)
    moves(talk, "attack-high", "attack-high")
    assert talk.view.awaited == ("ada", "ninja", "crow"), "crow could still bear a loss"
    tap(talk, "attack")
    for _ in range(3):
        tap(talk, "defend", seat="gm")
    assert talk.committed == ("ninja",)
    assert counted(talk) == (("attack",), 3)
    talk.decide("ninja", "split attack 3")  # it thinks again
    assert counted(talk) == (("attack",), 3)
    tap(talk, "attack", 2)
    talk.let_be()
    assert talk.step == "next"


def test_a_restart_in_the_middle_changes_nothing() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    talk.place("ada", "split defend 1")
    before = counted(talk)
    talk.restart()
    assert counted(talk) == before
    talk.wait(1000)
    assert counted(talk) == before, "what lay there meanwhile is no new point"
    talk.lift("ada")
    tap(talk, "defend")
    assert lost(talk) == {"attack": 1, "defend": 2, "grapple": 0}


def test_an_undo_goes_back_to_the_reveal_and_nothing_is_counted() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    talk.give(i.Undo())
    assert (talk.step, talk.view.counted) == ("split", {})
    tap(talk, "defend", 3)
    assert lost(talk)["defend"] == 3


def test_taps_do_not_count_in_a_pause() -> None:
    talk = ada_loses()
    tap(talk, "attack")
    talk.give(i.Pause())
    tap(talk, "attack")
    talk.give(i.Resume())
    assert counted(talk) == (("attack",), 3)


def test_the_bearer_of_anothers_loss_counts_from_zero() -> None:
    talk = ada_loses(bo=["yojimbo"])
    tap(talk, "attack")
    talk.decide("bo", "special yojimbo", by="bo")
    assert shown(talk) == [("bo", "yojimbo")]
    assert talk.view.awaited == ("bo",)
    assert talk.view.counted == {}
    tap(talk, "grapple", seat="bo")
    assert counted(talk, "bo") == (("grapple",), 3)


def test_aimed_and_regained_points_are_counted_too() -> None:
    talk = table(IRON_TRIANGLE_1E, ninja=["precise"])
    talk.decide("ada", "opponent ninja")
    stances(talk)
    talk.place("gm", "special precise")
    talk.lift("gm")
    moves(talk, "grapple-low", "attack-high")
    assert (talk.step, talk.view.awaited) == ("aim", ("ninja",))
    for _ in range(2):
        tap(talk, "grapple", seat="gm")
    assert counted(talk, "ninja") == (("grapple", "grapple"), 3)
    tap(talk, "attack", seat="gm")
    assert lost(talk) == {"attack": 1, "defend": 0, "grapple": 2}


def test_an_energy_card_outside_a_split_is_refused() -> None:
    talk = table(UNROLL)
    talk.place("ada", "split attack 1")
    assert talk.last_signal("ada") is Signal.REFUSED
    talk.lift("ada")
    talk.decide("ada", "opponent ninja")
    talk.place("ada", "split attack 1")
    assert talk.last_signal("ada") is Signal.REFUSED
    assert talk.view.counted == {}


@pytest.mark.parametrize(
    "forged",
    [
        {"points": ("defend",), "total": 1},
        {"points": ("defend", "grapple")},
        {"points": ("attack",), "by": "bo"},
    ],
)
def test_a_log_with_impossible_counts_is_found(forged: dict[str, Any]) -> None:
    talk = ada_loses()
    tap(talk, "attack")
    tap(talk, "grapple")
    talk.give(i.Request(i.TakeBack("ada"), "ada"))
    at = len(talk.records)
    tap(talk, "defend")
    told = talk.records[at].event
    assert isinstance(told, r.Counted)
    values = {"actor": "ada", "points": told.points, "total": 3, "by": "ada", "phase": told.phase}
    talk.records[at] = r.Record(
        talk.records[at].seq, talk.records[at].at_ms, r.Counted(**{**values, **forged})
    )
    assert verify_log(log_of(talk.records), "test").problems
