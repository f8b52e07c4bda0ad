"""A step may wait for one of several: any member chooses for a party, and the log says who."""

from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import GM, Choice, IllegalChoice
from hub.players.players import _wishes
from hub.table import acts as i
from hub.table import acts as r
from hub.table.private_views import hand_view
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault
from hub.table.views import count_awaited, moment_of, questions
from tests.support.parties import BOOKS, SCENE, SEALED_SCENE, drawn
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

EVERYBODY = ("ada", "bo", "ninja", "crow")


def begun(scene: dict[str, Any] = SCENE) -> TableTalk:
    talk = TableTalk(scene, rulebooks=BOOKS)
    talk.start()
    return talk


def laid(talk: TableTalk) -> dict[str, list[tuple[int, str]]]:
    game: Any = talk.view.game
    return {party: [(c.number, c.by) for c in cards] for party, cards in game.laid.items()}


def test_any_member_lays_the_partys_card_and_the_log_says_who() -> None:
    talk = begun()
    assert talk.view.awaited == EVERYBODY
    assert talk.view.one_of == (("ada", "bo"), ("ninja", "crow"))
    talk.place("bo", "drawn 7")
    assert talk.view.awaited == ("bo", "ninja", "crow") and talk.view.committed == ("bo",)
    assert talk.view.one_of == (("ninja", "crow"),)
    talk.decide("crow", "drawn 9")
    assert laid(talk) == {"north": [(7, "bo")], "south": [(9, "crow")]}
    assert talk.step == "bid"


def test_the_view_counts_a_group_as_one() -> None:
    talk = begun()
    assert count_awaited(talk.view) == 2
    talk.place("bo", "drawn 7")
    moment = moment_of(talk.view, talk.now_ms)
    assert (moment.awaited, moment.committed) == (2, 1)
    seats = talk.seats
    assert (seats["bo"].awaited, seats["bo"].committed) == (True, True)
    assert not seats["ada"].awaited and not seats["gm"].committed


@pytest.mark.parametrize("way", ["card", "page"])
def test_a_second_member_is_told_who_has_chosen(way: str) -> None:
    talk = begun()
    assert talk.offers("ada") == ["drawn 1"]
    talk.place("bo", "drawn 7")
    before = talk.state
    if way == "card":
        talk.place("ada", "drawn 5")
        assert talk.last_signal("ada") is Signal.NOT_AWAITED
    else:
        with pytest.raises(SeatFault) as caught:
            talk.decide("ada", "drawn 5")
        assert caught.value.reason.code == "chosen-for-all"
    assert talk.state.scene == before.scene
    assert all(q.actor != "ada" for q in questions(talk.state))
    (held,) = hand_view(talk.state, talk.settings, "ada").actors
    assert not held.awaited and not held.kinds and not held.offers


def test_one_seat_that_plays_a_whole_party_lays_one_card() -> None:
    talk = begun()
    talk.place("gm", "drawn 9")
    talk.clear()
    talk.place("gm", "drawn 10")
    assert talk.last_signal("gm") is Signal.NOT_AWAITED
    talk.decide("ada", "drawn 1")
    assert laid(talk)["south"] == [(9, "ninja")]


def test_a_sealed_step_locks_with_one_card_of_each_party() -> None:
    talk = begun(SEALED_SCENE)
    talk.place("ada", "drawn 7")
    talk.place("gm", "drawn 9")
    assert talk.phase is Phase.LOCKED
    locked = talk.records[-1].event
    assert isinstance(locked, r.Locked) and locked.awaited == ("ada", "ninja")
    talk.reveal()
    assert laid(talk) == {"north": [(7, "ada")], "south": [(9, "ninja")]}


def test_after_a_lift_any_member_of_the_party_may_lay_again() -> None:
    talk = begun(SEALED_SCENE)
    talk.place("ada", "drawn 7")
    talk.place("bo", "drawn 8")
    assert talk.last_signal("bo") is Signal.NOT_AWAITED and talk.committed == ("ada",)
    with pytest.raises(SeatFault):
        talk.give(i.Request(i.Commit("bo", Sealed(drawn(8))), "bo"))
    talk.lift("ada")
    assert talk.view.one_of[0] == ("ada", "bo") and talk.committed == ()
    talk.lift("bo")
    talk.place("bo", "drawn 8")
    talk.place("gm", "drawn 9")
    talk.lift("gm")
    assert talk.phase is Phase.LOCKED, "what is locked is not lifted"
    talk.reveal()
    assert laid(talk)["north"] == [(8, "bo")]


def test_one_seat_lifts_its_card_and_lays_for_the_other_member() -> None:
    talk = begun(SEALED_SCENE)
    talk.place("gm", "drawn 9")
    talk.lift("gm")
    assert talk.committed == ()
    talk.give(i.Commit("crow", Sealed(drawn(9))))
    talk.place("ada", "drawn 7")
    talk.reveal()
    assert laid(talk)["south"] == [(9, "crow")]


def test_the_rules_take_exactly_one_of_each_group() -> None:
    game = BOOKS.game("parties")
    state = game.begin(SCENE)
    with pytest.raises(IllegalChoice):
        game.advance(state, {"ada": drawn(1)})
    with pytest.raises(IllegalChoice) as caught:
        game.advance(state, {"ada": drawn(1), "bo": drawn(2), "crow": drawn(3)})
    assert caught.value.reason.code == "chosen-for-all"
    after = game.advance(state, {"bo": drawn(2), "crow": drawn(3)})
    assert game.pending(after).step == "bid"


def test_a_hub_player_leaves_the_choice_to_a_person_of_its_party() -> None:
    talk = begun()
    talk.give(i.LetHubPlay(("bo", "ninja", "crow"), on=True))
    wishes = {wish.actor for wish in _wishes(talk.view, directs=False)}
    assert wishes == {"ninja", "crow"}


def verdict(talk: TableTalk, decided: r.Decided) -> tuple[str, ...]:
    """The problems that ``facedown verify`` finds if the last decision is this one."""
    at = max(n for n, each in enumerate(talk.records) if isinstance(each.event, r.Decided))
    records = [*talk.records[:at], replace(talk.records[at], event=decided)]
    return verify_log(log_of(records), "test").problems


def second(talk: TableTalk) -> r.Decided:
    return next(each.event for each in reversed(talk.records) if isinstance(each.event, r.Decided))


def test_impossible_groups_in_a_decision_are_found() -> None:
    talk = begun()
    talk.decide("bo", "drawn 7")
    talk.decide("crow", "drawn 9")
    event = second(talk)
    assert verdict(talk, event) == ()
    none = replace(event, one_of=(("ada", "bo"),))
    assert any("was awaited and has not decided" in each for each in verdict(talk, none))
    stranger = replace(event, one_of=(("ada", "heron"), ("ninja", "crow")))
    assert any("none of those who are awaited" in each for each in verdict(talk, stranger))
    both = replace(event, actor="ada", by="ada", waits_for=("ninja", "crow"))
    assert any("ada and bo decide, and one was to" in each for each in verdict(talk, both))
    again = replace(event, waits_for=("ada",))
    assert any("another has decided for all" in each for each in verdict(talk, again))


def sealed_round() -> TableTalk:
    talk = begun(SEALED_SCENE)
    talk.place("ada", "drawn 7")
    talk.place("gm", "drawn 9")
    talk.reveal()
    return talk


def forged(talk: TableTalk, **of: dict[str, Any]) -> tuple[str, ...]:
    """The problems that ``facedown verify`` finds if these events are changed."""
    events = [each.event for each in talk.records]
    changed = [replace(e, **of.get(type(e).__name__, {})) for e in events]
    records = [replace(x, event=e) for x, e in zip(talk.records, changed, strict=True)]
    return verify_log(log_of(records), "test").problems


def test_a_lock_and_a_reveal_record_the_groups() -> None:
    talk = sealed_round()
    shown = [e.event for e in talk.records if isinstance(e.event, r.Locked | r.Revealed)]
    assert [each.one_of for each in shown] == 2 * [(("ada", "bo"), ("ninja", "crow"))]
    assert forged(talk) == ()


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ((("ada", "ninja"),), "ada and ninja of ada, ninja locked, and one was to choose"),
        ((("bo", "crow"),), "nobody of bo, crow locked, and one was to choose"),
        ((("ada", "bo"), ("bo", "ninja")), "a group is locked that is none"),
        ((("ada", "heron"),), "a group is locked that is none"),
    ],
)
def test_two_of_a_party_in_a_sealed_step_are_found(groups: r.Groups, said: str) -> None:
    both = {"one_of": groups}
    assert any(said in each for each in forged(sealed_round(), Locked=both, Revealed=both))


def test_a_reveal_with_other_groups_than_the_lock_is_found() -> None:
    problems = forged(sealed_round(), Revealed={"one_of": UNSET})
    (problem,) = problems
    assert "other groups than at the lock" in problem


def test_a_log_without_groups_leaves_the_field_out() -> None:
    talk = TableTalk()
    talk.start()
    talk.decide(GM, "active ada")
    assert b"one_of" not in talk.rows[-1].line
    for kind in (r.Locked(reveal_at_ms=1), r.Revealed(openings={})):
        with pytest.raises(ValueError, match="left out"):
            replace(kind, one_of=())
    with pytest.raises(ValueError, match="left out"):
        r.Decided(actor="ada", choice=str(Choice("a")), by=GM, one_of=())
