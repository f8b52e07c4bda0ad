"""Turns with specials at the table: bluffs, answers, copies, draws, splits, faults on the way."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import GM, Choice
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Sealed
from hub.table.signals import Signal
from hub.table.state import Phase, SeatFault
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.specialtalk import (
    EDITIONS,
    MOVES,
    answer_all,
    come_to,
    lay_early,
    log_of,
    moves,
    offers_of,
    shown,
    stances,
    table,
    tap,
)


@pytest.mark.book("specials.answered")
def test_both_lay_specials_before_a_stance_and_see_them_together() -> None:
    talk = table(ada=["scouter"], ninja=["predictabo-attack"])
    come_to(talk, "stance")
    talk.place("ada", "stance none")
    talk.decide("ninja", "use")
    assert talk.step == "specials" and talk.view.awaited == ("ada", "ninja")
    talk.clear()
    talk.place("ada", "special scouter")
    assert shown(talk) == [] and talk.committed == ("ada",)
    talk.restart()
    assert talk.committed == ("ada",)
    talk.place("gm", "special predictabo-attack")
    talk.reveal()
    assert shown(talk) == [("ada", "scouter"), ("ninja", "predictabo-attack")]
    assert talk.step == "stance" and talk.committed == (), "seals made before are void"
    talk.clear()
    stances(talk)
    assert "move attack-high" not in talk.offers("ada")
    assert talk.view.game.characters["ninja"].specials_left == ()  # type: ignore[union-attr]
    talk.give(i.Undo())
    assert talk.step == "stance"
    assert shown(talk) == [("ada", "scouter"), ("ninja", "predictabo-attack")]
    talk.give(i.Undo())
    assert talk.step == "first", "that was the only reveal before it"


def test_an_npc_is_asked_even_without_specials() -> None:
    for known in ([], ["predictabo-attack"]):
        talk = table(ada=["scouter"], ninja=known)
        come_to(talk, "stance")
        assert [str(o.choice) for o in offers_of(talk, "ninja")] == ["use"]
        talk.decide("ada", "use")
        assert talk.view.awaited == ("ada", "ninja")
        assert offers_of(talk, "ninja") == []


def test_a_player_character_without_specials_is_not_asked() -> None:
    talk = table()
    come_to(talk, "stance")
    assert offers_of(talk, "ada") == []
    talk.decide("ninja", "use")
    assert talk.view.awaited == ("ninja",)
    talk.place("gm", "special none")
    talk.reveal()
    assert talk.step == "stance" and shown(talk) == []


@pytest.mark.book("specials.shown-later")
def test_a_specials_target_is_chosen_after_the_reveal() -> None:
    talk = table(ada=["there-can-be-only-one"])
    talk.decide("ada", "use")
    lay_early(talk, "there-can-be-only-one")
    assert (talk.step, talk.phase) == ("target", Phase.DECISION)
    assert talk.offers("ada") == ["target ninja", "target crow"]
    talk.restart()
    with pytest.raises(SeatFault, match="is not one of ninja, crow"):
        talk.decide("ada", "target bo")
    talk.decide("ada", "target crow")
    assert talk.step == "opponent"
    come_to(talk, "move")
    moves(talk)
    answer_all(talk)
    assert talk.view.game.characters["ada"].bound == "crow"  # type: ignore[union-attr]


def test_a_second_tap_withdraws_and_a_lifted_card_stays() -> None:
    talk = table(ada=["wax-on-attack", "pressure-point"])
    come_to(talk, "move")
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.beside == ("ada",)
    tap(talk, "ada", "pressure-point")
    assert "does not go with the cards already beside" in str(talk.tells[-2].why.unseal())
    talk.restart()
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.beside == () and talk.events()[-1] == "Withdrawn"
    tap(talk, "ada", "pressure-point")
    moves(talk)
    assert shown(talk) == [("ada", "pressure-point")]


@pytest.mark.book("specials.answered")
def test_a_player_who_has_chosen_gets_the_chance_to_answer() -> None:
    talk = table(ada=["wax-on-attack"], ninja=["pressure-point"])
    come_to(talk, "move")
    talk.place("gm", "move attack-high")
    tap(talk, "ada", "wax-on-attack")
    talk.place("ada", "move grapple-high")
    assert talk.phase is Phase.SEALED and talk.view.answers == ("ninja",)
    assert [str(o.choice) for o in offers_of(talk, "ninja")] == ["pass"]
    talk.restart()
    talk.decide("ninja", "pass")
    assert talk.phase is Phase.LOCKED
    talk.give(i.Pause())
    talk.give(i.Resume())
    talk.reveal()
    assert shown(talk) == [("ada", "wax-on-attack")]


def test_an_answer_is_tapped_onto_the_sealed_card() -> None:
    talk = table(ada=["wax-on-attack"], ninja=["pressure-point"])
    come_to(talk, "move")
    talk.place("gm", "move attack-high")
    talk.place("ada", "stance none")
    talk.lift("ada")
    tap(talk, "ada", "wax-on-attack")
    talk.place("ada", "move grapple-high")
    tap(talk, "gm", "pressure-point")
    assert talk.last_signal("gm") is Signal.SEALED
    assert talk.phase is Phase.LOCKED and talk.view.committed == ("ada", "ninja")
    talk.reveal()
    assert shown(talk) == [("ada", "wax-on-attack"), ("ninja", "pressure-point")]
    assert talk.step == "aim" and talk.view.awaited == ("ninja",)
    talk.decide("ninja", "aim defend 3")
    assert talk.view.game.characters["ada"].energy.defend == 5  # type: ignore[union-attr]


def test_a_taken_back_choice_needs_no_pass() -> None:
    talk = table(ada=["wax-on-attack"])
    come_to(talk, "move")
    talk.place("gm", "move attack-high")
    tap(talk, "ada", "wax-on-attack")
    talk.lift("gm")
    assert talk.view.answers == ()
    talk.place("ada", "move grapple-high")
    talk.place("gm", "move attack-high")
    assert talk.phase is Phase.LOCKED


def test_a_card_beside_from_a_page_is_dropped_by_the_gm() -> None:
    talk = table(ada=["wax-on-attack"])
    come_to(talk, "move")
    page = i.Request(i.Commit("ada", Sealed(Choice("special", "wax-on-attack"))), "ada")
    talk.give(page)
    assert talk.view.beside == ("ada",)
    with pytest.raises(SeatFault):
        talk.give(i.Request(i.Commit("ada", Sealed(Choice("special", "scouter"))), "ada"))
    talk.give(i.DropSeal("ada", beside=True))
    assert talk.view.beside == ()
    talk.give(page)
    talk.give(i.Undo())
    assert talk.view.beside == ()


@pytest.mark.book("participants.who-decides")
def test_the_gm_plays_bystanders_at_the_same_reader() -> None:
    talk = table(crow=["yojimbo"], ninja=["wax-on-attack"])
    come_to(talk, "move")
    tap(talk, "gm", "yojimbo")
    tap(talk, "gm", "wax-on-attack")
    assert talk.view.beside == ("crow", "ninja")
    moves(talk)
    game: Any = talk.view.game
    assert set(game.turn.losses) == {"crow"}


@pytest.mark.book("nothing.effect")
@pytest.mark.parametrize("edition", [UNROLL, IRON_TRIANGLE], ids=lambda e: e.id)
def test_a_bluff_needs_a_usable_special_and_does_not_reveal_it(edition: Any) -> None:
    talk = table(edition, ada=["to-blave", "wax-on-attack"])
    come_to(talk, "stance")
    with pytest.raises(SeatFault, match="no special left"):
        talk.decide("ada", "use")
    stances(talk)
    tap(talk, "ada", "to-blave")
    moves(talk)
    assert shown(talk) == [("ada", "to-blave")]
    answer_all(talk)
    assert "to-blave" in talk.view.game.characters["ada"].specials_left  # type: ignore[union-attr]
    talk = table(edition, ada=["to-blave", "scouter"])
    talk.decide("ada", "use")
    lay_early(talk, "to-blave")
    assert (talk.step, shown(talk)) == ("opponent", [("ada", "to-blave")])
    come_to(talk, "move")
    tap(talk, "ada", "to-blave")
    assert "knows no other special" in str(talk.tells[-2].why.unseal())


@pytest.mark.book("copy.moment")
@pytest.mark.parametrize(
    ("edition", "mimic", "calm"),
    [
        (UNROLL, "liquid-metal", "wax-on"),
        (IRON_TRIANGLE, "liquid-metal", "wax-on"),
        (IRON_TRIANGLE_1E, "mimic", "parry"),
    ],
    ids=["unroll", "iron-triangle", "iron-triangle-1e"],
)
def test_a_copy_is_laid_at_the_time_of_its_original(edition: Any, mimic: str, calm: str) -> None:
    talk = table(edition, ada=[mimic], ninja=[f"{calm}-attack"], bo=[f"{calm}-defend"])
    come_to(talk, "move")
    tap(talk, "ada", mimic)
    assert "nothing to copy" in str(talk.tells[-2].why.unseal())
    tap(talk, "gm", f"{calm}-attack")
    moves(talk)
    answer_all(talk)
    talk.decide(GM, "agreed bo")
    talk.decide("bo", "opponent ninja")
    for step, mine, theirs in (("stance", "none", "none"), ("move", "attack-low", "grapple-high")):
        if step == "move":
            tap(talk, "bo", f"{calm}-defend")
        talk.show(bo=f"{step} {mine}", gm=f"{step} {theirs}")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    tap(talk, "ada", mimic)
    assert str(talk.tells[-2].why.unseal()) == (
        f"{mimic} could copy {calm}-attack or {calm}-defend: choose which on the seat’s page, or "
        f"lay a card that says it, such as 'special {mimic} as {calm}-attack'"
    )
    offered = [card for card in talk.offers("ada") if mimic in card]
    assert offered == [f"special {mimic} as {calm}-{action}" for action in ("attack", "defend")]
    tap(talk, "ada", f"{mimic} as {calm}-attack")
    moves(talk, "grapple-low", "attack-high")
    game: Any = talk.view.game
    assert [(u.special, u.copied) for u in game.turn.specials] == [(mimic, f"{calm}-attack")]


@pytest.mark.book("redraw.drawn")
@pytest.mark.parametrize("edition", EDITIONS, ids=lambda e: e.id)
def test_the_monkey_draws_once_a_turn_from_the_remaining_moves(edition: Any) -> None:
    talk = table(edition, ada=["drunken-monkey"])
    come_to(talk, "move")
    tap(talk, "ada", "drunken-monkey")
    moves(talk, "surrender", "grapple-low")
    assert (talk.step, talk.phase) == ("replace", Phase.DECISION)
    assert talk.offers("ada") == ["replace no", "replace yes"]
    assert talk.events()[-1] == "ChanceSealed"
    talk.restart()
    drawn = []
    for _ in range(2):
        talk.decide("ada", "replace yes")
        game: Any = talk.view.game
        assert game.turn.replaced == {"ada": "surrender"}
        assert game.turn.moves["ada"] in MOVES
        drawn.append(talk.records[-1].event.chance)  # type: ignore[union-attr]
        talk.give(i.Undo())
        assert talk.step == "replace" and talk.events()[-1] == "ChanceSealed"
    assert drawn[0] != drawn[1], "what was shown is drawn anew"
    talk.decide("ada", "replace no")
    answer_all(talk)
    assert talk.view.game.characters["ada"].surrendered  # type: ignore[union-attr]


def test_the_monkey_draws_in_later_turns_without_a_new_use() -> None:
    talk = table(ada=["drunken-monkey"])
    come_to(talk, "move")
    tap(talk, "ada", "drunken-monkey")
    moves(talk)
    talk.decide("ada", "replace no")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    moves(talk, ninja="grapple-high")
    assert talk.step == "replace" and shown(talk) == []
    talk.decide("ada", "replace yes")
    assert talk.view.game.turn.moves["ada"] != "attack-high"  # type: ignore[union-attr]


@pytest.mark.book("drain.spread", "recover.spread")
@pytest.mark.parametrize(
    ("edition", "special", "stance"),
    [(UNROLL, "santa-carla-attack", "attack 3"), (IRON_TRIANGLE_1E, "vampire-attack", "none")],
    ids=["santa-carla", "vampire"],
)
def test_regained_points_are_split_by_their_player(edition: Any, special: str, stance: str) -> None:
    talk = table(edition, ada=[special])
    talk.decide("ada", "opponent ninja")
    stances(talk, stance)
    tap(talk, "ada", special)
    moves(talk)
    talk.decide("ninja", talk.offers("ninja")[0])
    talk.let_be()
    assert talk.step == "gain" and talk.view.awaited == ("ada",)
    with pytest.raises(SeatFault, match="exactly"):
        talk.decide("ada", "gain attack 1")
    talk.restart()
    talk.decide("ada", talk.offers("ada")[1])
    assert talk.view.game.turn.gains["ada"].total >= 3  # type: ignore[union-attr]


@pytest.mark.book("aim.effect")
def test_an_aiming_player_in_a_tie_splits_both_losses() -> None:
    talk = table(ada=["pressure-point"])
    come_to(talk, "move")
    tap(talk, "ada", "pressure-point")
    moves(talk, "attack-high", "attack-high")
    assert (talk.step, talk.view.awaited) == ("split", ("ada", "crow"))
    talk.decide("ada", "split attack 3")
    talk.let_be()
    assert (talk.step, talk.view.awaited) == ("aim", ("ada",))
    talk.decide("ada", "aim grapple 3")
    assert talk.view.game.characters["ninja"].energy.grapple == 5  # type: ignore[union-attr]


def test_changed_chance_is_found() -> None:
    talk = table(ada=["drunken-monkey"])
    come_to(talk, "move")
    tap(talk, "ada", "drunken-monkey")
    moves(talk)
    talk.decide("ada", "replace yes")
    records = list(talk.records)
    for at, record in enumerate(records):
        event = record.event
        if isinstance(event, r.Decided) and event.chance:
            event = replace(event, chance="00" * 32)
            records[at] = r.Record(record.seq, record.at_ms, event, record.secret)
    (problem,) = verify_log(log_of(records), "test").problems
    assert "chance is not the one that was drawn" in problem
