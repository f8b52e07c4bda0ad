"""The toy at the table: sealed, revealed with its dice, paid, restarted, verified."""

from typing import Any

import pytest
from msgspec.json import encode

from hub.audit.verify import verify_log
from hub.games.game import Choice, SetupError
from hub.games.registry import rulebooks
from hub.recap.gather import gather
from hub.table import acts as i
from hub.table import acts as r
from hub.table.private_views import hand_view
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault
from hub.table.views import public_view, questions
from hub.wire.chronicle import chronicle_entry
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk
from tests.toy.rules import RULESET, ReachView, dice_of

SCENE = {"ruleset": RULESET, "number": 8, "players": {"ada": {"tokens": 5}, "bo": {}}}


def table(**scene: Any) -> TableTalk:
    talk = TableTalk({**SCENE, **scene}, rulebooks=rulebooks())
    talk.start()
    return talk


def view(talk: TableTalk) -> ReachView:
    shown = talk.view.game
    assert isinstance(shown, ReachView)
    return shown


def show(talk: TableTalk, **cards: str) -> None:
    for seat, card in cards.items():
        talk.place(seat, f"approach {card}")
    talk.reveal()
    talk.clear()


def public(talk: TableTalk) -> bytes:
    """Everything public: views, questions, the log."""
    seen = [public_view(talk.state), questions(talk.state), [*talk.seats.values()]]
    return encode(seen) + b"".join(row.line for row in talk.rows)


def test_an_approach_is_sealed_until_all_have_chosen() -> None:
    talk = table()
    assert (talk.phase, talk.step, talk.view.awaited) == (Phase.SEALED, "approach", ("ada", "bo"))
    talk.place("ada", "approach bold")
    assert talk.committed == ("ada",)
    assert b"bold" not in public(talk) and b"careful" not in public(talk)
    talk.place("bo", "approach careful")
    assert talk.phase is Phase.LOCKED
    assert b"bold" not in public(talk)
    talk.reveal()
    assert {n: p.approach for n, p in view(talk).players.items()} == {
        "ada": "bold",
        "bo": "careful",
    }
    assert b'"choice":"approach bold"' in public(talk)


def test_a_sealed_card_changes_no_other_view() -> None:
    """Two tables that differ only in a sealed card show the same until the reveal."""
    seen = []
    for card in ("bold", "careful"):
        talk = table()
        talk.place("ada", f"approach {card}")
        shown = [public_view(talk.state), questions(talk.state), [*talk.seats.values()]]
        hands = [hand_view(talk.state, talk.settings, seat) for seat in ("bo", "gm")]
        seen.append(encode([shown, hands]))
    assert seen[0] == seen[1]


def test_the_dice_come_from_bytes_drawn_before_the_first_card() -> None:
    talk = table()
    (sealed,) = [x for x in talk.records if isinstance(x.event, r.ChanceSealed)]
    assert sealed.secret is not None
    chance = bytes.fromhex(sealed.secret.unseal().nonce)  # type: ignore[union-attr]
    show(talk, ada="bold", bo="careful")
    fallen = {name: player.dice for name, player in view(talk).players.items()}
    assert fallen == {"ada": dice_of(chance, "ada", 3), "bo": dice_of(chance, "bo", 2)}


def test_a_recap_lists_the_dice_among_its_seals() -> None:
    """Only after the reveal."""
    talk = table()
    assert gather(lambda: talk.rows, talk.state.table, rulebooks()).scenes[0].seals == []
    (sealed,) = [x for x in talk.records if isinstance(x.event, r.ChanceSealed)]
    show(talk, ada="bold", bo="careful")
    (scene,) = gather(lambda: talk.rows, talk.state.table, rulebooks()).scenes
    (dice,) = [seal for seal in scene.seals if seal.opening.choice == "chance"]
    assert len(scene.seals) == 3
    assert dice.line["digest"] == sealed.event.digest  # type: ignore[union-attr]
    assert dice.opening == sealed.secret.unseal()  # type: ignore[union-attr]


def test_a_restart_in_the_middle_leads_to_the_same_end() -> None:
    talks = [table(), table()]
    for talk, killed in zip(talks, (False, True), strict=True):
        talk.place("ada", "approach bold")
        if killed:
            talk.restart()
        assert talk.committed == ("ada",)
        talk.show(bo="approach careful")
        if killed:
            talk.restart()
    assert view(talks[0]) == view(talks[1]), "the dice had been drawn when it was killed"
    for talk in talks:
        _play_on(talk)
        assert talk.phase is Phase.OVER
        assert verify_log(log_of(talk.records), "test").problems == ()


def _play_on(talk: TableTalk) -> None:
    """Let all give the sensible answer; two rounds, then the end."""
    for _ in range(20):
        if talk.phase is Phase.OVER:
            return
        if talk.phase is Phase.SEALED:
            show(talk, ada="careful", bo="bold")
            continue
        question = next(q for q in questions(talk.state) if q.actor in talk.view.awaited)
        default = next(offer.choice for offer in question.offers if offer.default)
        end = default.kind == "next" and view(talk).round == 2
        talk.decide(question.actor, "next end" if end else str(default))
    raise AssertionError("it does not end")


def test_tokens_are_spent_by_choice_and_lost_by_the_bold() -> None:
    talk = table(number=13, players={"ada": {"tokens": 9}, "bo": {}})
    show(talk, ada="careful", bo="bold")
    short = {name: 13 - sum(sorted(p.dice)[-2:]) for name, p in view(talk).players.items()}
    paid = set(talk.view.awaited)
    assert "ada" in paid
    for name in paid:
        with pytest.raises(SeatFault, match=f"is not one of {short[name]}, 0"):
            talk.decide(name, "spend 99")
        talk.decide(name, f"spend {short[name]}", by=name)
    players = view(talk).players
    assert {n for n, p in players.items() if p.reached} == paid
    assert players["ada"].tokens == 9 - short["ada"]
    assert players["bo"].tokens == 3 - (short["bo"] if "bo" in paid else 1)


def test_a_player_who_yields_is_not_awaited() -> None:
    talk = table(number=0)
    show(talk, ada="careful", bo="bold")
    assert talk.step == "next"
    talk.decide("bo", "yield", by="bo")
    talk.decide("gm", "next round")
    assert (talk.view.turn_number, talk.view.awaited) == (2, ("ada",))
    with pytest.raises(SeatFault, match="bo has nothing to choose now"):
        talk.give(i.Request(i.Commit("bo", Sealed(Choice("approach", "bold"))), "bo"))
    show(talk, ada="bold")
    assert verify_log(log_of(talk.records), "test").problems == ()


def test_a_hand_lists_the_choices_and_the_chronicle_the_consequences() -> None:
    talk = table(number=0)
    (held,) = hand_view(talk.state, talk.settings, "ada").actors
    assert [str(offer.choice) for offer in held.offers] == ["approach careful", "approach bold"]
    talk.place("ada", "approach bold")
    before = talk.state
    talk.place("bo", "approach careful")
    talk.reveal()
    entry = chronicle_entry(before, talk.records[-1], talk.state)
    assert [type(came).__name__ for came in entry.came] == ["Reached", "Reached"]
    assert b'"what":"reached"' in encode(entry)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"number": "eight"}, "number"),
        ({"players": {}}, "name somebody"),
        ({"players": {"ada": {"tokens": 99}}}, "nobody has more than 9"),
        ({"players": {"gm": {}}}, "nobody may be called gm"),
        ({"more": 1}, "unknown key"),
    ],
    ids=str,
)
def test_a_fault_of_a_scene_has_its_place(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        rulebooks().game(RULESET).begin({**SCENE, **wrong})
