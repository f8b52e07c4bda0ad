"""Specials at the table: each at its right time and at a wrong one, in all three books."""

from typing import Any

import pytest

from hub.rules.game import GM, Choice
from hub.rules.triangle.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from hub.table import inputs as i
from hub.table import records as r
from hub.table.desk import Signal
from hub.table.sealed import Sealed
from hub.table.state import Phase, SeatFault
from hub.table.views import questions
from hub.wire.log import GENESIS, encode_record, line_hash
from hub.wire.verify import verify_log
from tests.support.tabletalk import DUEL, TableTalk

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)
EARLY, STANCE, MOVE = {"opponent", "stance"}, {"stance"}, {"move"}
TIMES = {
    "scouter": EARLY, "insight": EARLY, "there-can-be-only-one": EARLY, "showdown": EARLY,
    "pressure-point": MOVE, "precise": MOVE, "wax-on-T": MOVE, "parry-T": MOVE,
    "santa-carla-T": MOVE, "vampire-T": MOVE, "dig-two-graves-T": MOVE,
    "predictabo-T": STANCE, "i-already-know-T": STANCE, "premonition-T": STANCE,
    "yojimbo": MOVE, "bodyguard": MOVE, "drunken-monkey": MOVE,
    "way-of-the-samurai": STANCE, "last-stand": STANCE,
}  # fmt: skip
"""Line of a list → the choices that the books let it be set down before."""
BEARERS = {"yojimbo", "bodyguard"}
BY_ANOTHER = {"to-blave", "liquid-metal", "mimic"}
"""Their time is that of another special: see the tests that name them."""
ALL = [(e, s) for e in EDITIONS for s in e.specials.values() if s.id not in BY_ANOTHER]
MOVES = ["attack-high", "attack-mid", "attack-low", "defend-mid", "grapple-high", "grapple-low"]


def table(edition: Any = UNROLL, **specials: list[str]) -> TableTalk:
    """ada and bo against ninja and crow, with these specials, at the choice of an opponent."""
    points = {"attack": 8, "defend": 8, "grapple": 8}
    most = {"attack": 10, "defend": 10, "grapple": 10}
    sheets = {
        name: {"energy": points, "max": most, "moves": MOVES, "specials": specials.get(name, [])}
        for name in DUEL["characters"]
    }
    talk = TableTalk({**DUEL, "ruleset": edition.id, "characters": sheets})
    talk.start()
    talk.decide(GM, "active ada")
    return talk


def come_to(talk: TableTalk, step: str) -> None:
    if step != "opponent":
        talk.decide("ada", "opponent ninja")
    if step == "move":
        stances(talk)


def both(talk: TableTalk, ada: str, ninja: str) -> None:
    talk.place("ada", ada)
    talk.place("gm", ninja)
    talk.reveal()
    talk.clear()


def stances(talk: TableTalk, ada: str = "none", ninja: str = "none") -> None:
    both(talk, f"stance {ada}", f"stance {ninja}")


def moves(talk: TableTalk, ada: str = "attack-high", ninja: str = "grapple-low") -> None:
    both(talk, f"move {ada}", f"move {ninja}")


def lay_early(talk: TableTalk, ada: str, ninja: str = "none") -> None:
    """Somebody said ``use``: those asked lay theirs."""
    for actor in talk.view.awaited:
        seat, card = ("ada", ada) if actor == "ada" else ("gm", ninja)
        talk.place(seat, f"special {card}")
    talk.reveal()
    talk.clear()


def tap(talk: TableTalk, seat: str, special: str) -> None:
    talk.place(seat, f"special {special}")
    talk.lift(seat, f"special {special}")


def shown(talk: TableTalk) -> list[tuple[str, str]]:
    game: Any = talk.view.game
    return [(use.player, use.special) for use in game.turn.specials]


def sound(talk: TableTalk) -> None:
    head, lines = GENESIS, []
    for record in talk.records:
        row = encode_record(record, head)
        head = line_hash(row.line)
        lines.append(row.line)
    assert verify_log(lines, "test").problems == ()


def test_every_line_of_every_list_has_its_time() -> None:
    families = {s.family for e in EDITIONS for s in e.specials.values()}
    assert families == {*TIMES, *BY_ANOTHER}


@pytest.mark.parametrize(("edition", "special"), ALL, ids=lambda x: x.id)
def test_at_its_right_time(edition: Any, special: Any) -> None:
    for step in TIMES[special.family]:
        player = "bo" if special.id in BEARERS else "ada"
        talk = table(edition, **{player: [special.id]})
        come_to(talk, step)
        if step == "move":
            tap(talk, player, special.id)
            assert talk.view.beside == (player,)
            assert shown(talk) == []
            moves(talk)
        else:
            talk.decide("ada", "use")
            assert talk.step == "specials"
            lay_early(talk, special.id)
            if talk.step == "target":
                talk.decide("ada", "target crow")
            assert talk.step == step
        assert shown(talk) == [(player, special.id)]
        character = talk.view.game.characters[player]  # type: ignore[union-attr]
        assert character.specials_left == ()
        sound(talk)


@pytest.mark.parametrize(("edition", "special"), ALL, ids=lambda x: x.id)
def test_at_a_wrong_time(edition: Any, special: Any) -> None:
    for step in {"opponent", "stance", "move"} - TIMES[special.family]:
        talk = table(edition, ada=[special.id], bo=[special.id])
        come_to(talk, step)
        if step != "move":
            with pytest.raises(SeatFault, match="no special left for the moment before"):
                talk.decide("ada", "use")
        tap(talk, "ada", special.id)
        assert talk.last_signal("ada") is Signal.EMPTY
        assert [t.signal for t in talk.tells][-2] is Signal.REFUSED
        words = talk.tells[-2].why.unseal()
        assert "not before choosing" in words
        assert talk.view.beside == () and shown(talk) == []


@pytest.mark.parametrize(("edition", "special"), ALL, ids=lambda x: x.id)
def test_not_twice_in_a_conflict(edition: Any, special: Any) -> None:
    player = "bo" if special.id in BEARERS else "ada"
    step = min(TIMES[special.family])
    talk = table(edition, **{player: [special.id]})
    come_to(talk, step)
    if step == "move":
        tap(talk, player, special.id)
    else:
        talk.decide("ada", "use")
        lay_early(talk, special.id)
        if talk.step == "target":
            talk.decide("ada", "target ninja")
        if step == "opponent":
            talk.decide("ada", "opponent ninja")
        stances(talk)
    moves(talk, ninja="grapple-low" if special.action == "defend" else "defend-mid")
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    tap(talk, player, special.id)
    assert "has used" in talk.tells[-2].why.unseal()


def offers_of(talk: TableTalk, actor: str) -> Any:
    return [o for q in questions(talk.state) if q.actor == actor for o in q.offers]


def answer_all(talk: TableTalk) -> None:
    """Take every default up to the naming of the next one."""
    while talk.step not in {"next", "over"}:
        question = next(q for q in questions(talk.state) if q.step == talk.step)
        offer = next(o for o in question.offers if o.default)
        talk.decide(question.actor, str(offer.choice))


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
    sound(talk)


def test_an_npc_is_asked_whether_or_not_it_knows_anything() -> None:
    for known in ([], ["predictabo-attack"]):
        talk = table(ada=["scouter"], ninja=known)
        come_to(talk, "stance")
        assert [str(o.choice) for o in offers_of(talk, "ninja")] == ["use"]
        talk.decide("ada", "use")
        assert talk.view.awaited == ("ada", "ninja")
        assert offers_of(talk, "ninja") == []


def test_a_player_character_with_nothing_is_not_asked() -> None:
    talk = table()
    come_to(talk, "stance")
    assert offers_of(talk, "ada") == []
    talk.decide("ninja", "use")
    assert talk.view.awaited == ("ninja",)
    talk.place("gm", "special none")
    talk.reveal()
    assert talk.step == "stance" and shown(talk) == []


def test_whom_it_concerns_is_said_after_it_is_shown() -> None:
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
    assert "has another card beside" in talk.tells[-2].why.unseal()
    talk.restart()
    tap(talk, "ada", "wax-on-attack")
    assert talk.view.beside == () and talk.events()[-1] == "Withdrawn"
    tap(talk, "ada", "pressure-point")
    moves(talk)
    assert shown(talk) == [("ada", "pressure-point")]
    sound(talk)


def test_who_has_chosen_gets_the_chance_to_answer() -> None:
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
    sound(talk)


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
    sound(talk)


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


def test_from_a_page_a_card_is_set_beside_and_dropped_by_the_gm() -> None:
    talk = table(ada=["wax-on-attack"])
    come_to(talk, "move")
    page = i.Commit("ada", Sealed(Choice("special", "wax-on-attack")), "ada")
    talk.give(page)
    assert talk.view.beside == ("ada",)
    with pytest.raises(SeatFault):
        talk.give(i.Commit("ada", Sealed(Choice("special", "scouter")), "ada"))
    talk.give(i.DropSeal("ada"))
    assert talk.view.beside == ()
    talk.give(page)
    talk.give(i.Undo())
    assert talk.view.beside == ()
    sound(talk)


def test_the_gm_plays_bystanders_at_the_same_reader() -> None:
    talk = table(crow=["yojimbo"], ninja=["wax-on-attack"])
    come_to(talk, "move")
    tap(talk, "gm", "yojimbo")
    tap(talk, "gm", "wax-on-attack")
    assert talk.view.beside == ("crow", "ninja")
    moves(talk)
    game: Any = talk.view.game
    assert set(game.turn.losses) == {"crow"}


@pytest.mark.parametrize("edition", [UNROLL, IRON_TRIANGLE], ids=lambda e: e.id)
def test_a_bluff_fits_what_its_player_could_use_and_shows_nothing_but_itself(edition: Any) -> None:
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
    assert "knows no other special" in talk.tells[-2].why.unseal()


@pytest.mark.parametrize(
    ("edition", "mimic", "calm"),
    [
        (UNROLL, "liquid-metal", "wax-on"),
        (IRON_TRIANGLE, "liquid-metal", "wax-on"),
        (IRON_TRIANGLE_1E, "mimic", "parry"),
    ],
    ids=["unroll", "iron-triangle", "iron-triangle-1e"],
)
def test_a_copy_is_set_down_at_the_time_of_what_it_copies(
    edition: Any, mimic: str, calm: str
) -> None:
    talk = table(edition, ada=[mimic], ninja=[f"{calm}-attack"], bo=[f"{calm}-defend"])
    come_to(talk, "move")
    tap(talk, "ada", mimic)
    assert "nothing to copy" in talk.tells[-2].why.unseal()
    tap(talk, "gm", f"{calm}-attack")
    moves(talk)
    answer_all(talk)
    talk.decide(GM, "agreed bo")
    talk.decide("bo", "opponent ninja")
    for step, mine, theirs in (("stance", "none", "none"), ("move", "attack-low", "grapple-high")):
        if step == "move":
            tap(talk, "bo", f"{calm}-defend")
        talk.place("bo", f"{step} {mine}")
        talk.place("gm", f"{step} {theirs}")
        talk.reveal()
        talk.clear()
    answer_all(talk)
    talk.decide(GM, "agreed ada")
    come_to(talk, "move")
    tap(talk, "ada", mimic)
    assert "say which" in talk.tells[-2].why.unseal()
    tap(talk, "ada", f"{mimic} as {calm}-attack")
    moves(talk, "grapple-low", "attack-high")
    game: Any = talk.view.game
    assert [(u.special, u.copied) for u in game.turn.specials] == [(mimic, f"{calm}-attack")]


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda e: e.id)
def test_the_monkey_draws_once_a_turn_from_what_is_left(edition: Any) -> None:
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
    sound(talk)


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


@pytest.mark.parametrize(
    ("edition", "special", "stance"),
    [(UNROLL, "santa-carla-attack", "attack 3"), (IRON_TRIANGLE_1E, "vampire-attack", "none")],
    ids=["santa-carla", "vampire"],
)
def test_what_is_regained_is_spread_by_its_player(edition: Any, special: str, stance: str) -> None:
    talk = table(edition, ada=[special])
    talk.decide("ada", "opponent ninja")
    stances(talk, stance)
    tap(talk, "ada", special)
    moves(talk)
    talk.decide("ninja", talk.offers("ninja")[0])
    assert talk.step == "gain" and talk.view.awaited == ("ada",)
    with pytest.raises(SeatFault, match="exactly"):
        talk.decide("ada", "gain attack 1")
    talk.restart()
    talk.decide("ada", talk.offers("ada")[1])
    assert talk.view.game.turn.gains["ada"].total >= 3  # type: ignore[union-attr]


def test_one_that_aims_in_a_tie_splits_its_own_and_the_others() -> None:
    talk = table(ada=["pressure-point"])
    come_to(talk, "move")
    tap(talk, "ada", "pressure-point")
    moves(talk, "attack-high", "attack-high")
    assert (talk.step, talk.view.awaited) == ("split", ("ada",))
    talk.decide("ada", "split attack 3")
    assert (talk.step, talk.view.awaited) == ("aim", ("ada",))
    talk.decide("ada", "aim grapple 3")
    assert talk.view.game.characters["ninja"].energy.grapple == 5  # type: ignore[union-attr]


def test_chance_that_was_changed_is_found() -> None:
    talk = table(ada=["drunken-monkey"])
    come_to(talk, "move")
    tap(talk, "ada", "drunken-monkey")
    moves(talk)
    talk.decide("ada", "replace yes")
    head, lines = GENESIS, []
    for record in talk.records:
        event = record.event
        if isinstance(event, r.Decided) and event.chance:
            event = r.Decided(actor=event.actor, choice=event.choice, by=event.by, chance="00" * 32)
        row = encode_record(r.Record(record.seq, record.at_ms, event, record.secret), head)
        head = line_hash(row.line)
        lines.append(row.line)
    (problem,) = verify_log(lines, "test").problems
    assert "chance is not the one that was drawn" in problem
