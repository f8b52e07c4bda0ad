"""The GM overrules the result of a turn (R11), at the table."""

import pytest

from hub.games.game import GM, Choice
from hub.games.triangle.rules.edition import Energy
from hub.games.triangle.rules.views import CharacterView, TriangleView
from hub.table import acts as i
from hub.table import acts as r
from hub.table.state import Phase, SeatFault
from tests.support import specialtalk
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.evening import Evening
from tests.support.tabletalk import DUEL, TableTalk

EDITIONS = (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)


def after_a_win(edition: object = UNROLL) -> TableTalk:
    """ada has hit the ninja; the next active character is still to be named."""
    table = TableTalk({**DUEL, "ruleset": edition.id})  # type: ignore[attr-defined]
    table.begin_turn("ada", "ninja")
    table.show(ada="stance none", gm="stance none")
    table.show(ada="move attack-mid", gm="move attack-low")
    table.decide("ninja", "split attack 3")
    table.let_be()
    assert table.step == "next"
    return table


def characters(table: TableTalk) -> dict[str, CharacterView]:
    game = table.view.game
    assert isinstance(game, TriangleView)
    return game.characters


def energy(table: TableTalk, name: str) -> tuple[int, int, int]:
    game = table.view.game
    assert isinstance(game, TriangleView)
    left = game.characters[name].energy
    return left.attack, left.defend, left.grapple


@pytest.mark.book("specials.in-question")
@pytest.mark.parametrize("edition", EDITIONS, ids=lambda each: each.id)
def test_the_gm_overrules_and_it_is_recorded_with_its_reason(edition: object) -> None:
    table = after_a_win(edition)
    assert energy(table, "ninja") == (1, 4, 4)
    word = "overrule ninja attack 3 defend 4 grapple 4 because two specials clashed"
    table.decide(GM, word)
    assert energy(table, "ninja") == (3, 4, 4)
    told = table.records[-1].event
    assert isinstance(told, r.Overruled)
    energies = {"attack": 3, "defend": 4, "grapple": 4}
    assert told.holds == {"what": "energy", "name": "ninja", "energy": energies}
    assert told.because == "two specials clashed"
    assert table.step == "next"
    table.restart()
    assert energy(table, "ninja") == (3, 4, 4)
    table.give(i.Undo())
    assert energy(table, "ninja") == (4, 4, 4), "the reveal stands, what came of it is open again"


@pytest.mark.book("specials.in-question")
def test_an_overrule_is_no_decision() -> None:
    table = after_a_win()
    word = Choice("overrule", "ninja attack 1 because x")
    for actor in ("ada", GM):
        with pytest.raises(SeatFault):
            table.give(i.Decide(actor, str(word)))


def test_an_overrule_cannot_void_a_seal() -> None:
    talk = specialtalk.table()
    specialtalk.come_to(talk, "stance")
    talk.place("ada", "stance none")
    before = talk.state
    for word in ("bo attack 1", "end players", "turn tied"):
        with pytest.raises(SeatFault, match="overrule after the reveal, or undo"):
            talk.decide(GM, f"overrule {word} because x")
    assert talk.state is before and talk.committed == ("ada",)


def test_an_overrule_brings_a_character_back_and_an_undo_reverts_it() -> None:
    table = after_a_win()
    table.decide("ada", "active bo")
    table.decide("bo", "opponent crow")
    table.show(bo="stance none", gm="stance none")
    table.show(bo="move grapple-low", gm="move surrender")
    assert characters(table)["crow"].out
    table.decide(GM, "overrule crow attack 1 because it counts")
    assert characters(table)["crow"].out, "energy alone takes no surrender back"
    table.decide(GM, "overrule crow in because it was a joke")
    assert not characters(table)["crow"].out
    table.restart()
    assert not characters(table)["crow"].out
    table.give(i.Undo())
    assert characters(table)["crow"].out


def test_a_split_that_no_longer_fits_is_asked_for_again() -> None:
    """Both lose in a tie; ada has split her loss when the GM reduces it."""
    talk = specialtalk.table()
    specialtalk.come_to(talk, "move")
    specialtalk.moves(talk, "attack-high", "attack-high")
    talk.decide("ada", "split attack 3")
    talk.decide(GM, "overrule loss ninja 2 because x")
    assert talk.view.committed == ("ada",), "hers still fits"
    talk.decide(GM, "overrule loss ada 1 because x")
    assert talk.view.committed == () and talk.view.awaited == ("ada", "ninja", "crow")
    talk.let_be()
    talk.decide("ninja", "split grapple 2")
    talk.restart()
    talk.decide("ada", "split defend 1")
    assert talk.step == "next"
    assert (energy(talk, "ada"), energy(talk, "ninja")) == ((8, 7, 8), (8, 8, 6))


def test_an_overrule_gives_the_turn_to_the_other_and_ends_the_conflict() -> None:
    talk = specialtalk.table()
    specialtalk.come_to(talk, "move")
    specialtalk.moves(talk)
    assert talk.view.awaited == ("ninja", "crow")
    talk.decide(GM, "overrule turn won ninja because the clash was read wrongly")
    assert talk.view.awaited == ("ada",)
    talk.restart()
    talk.decide("ada", talk.offers("ada")[0])
    assert talk.step == "next" and talk.view.awaited == ("ninja",)
    talk.decide(GM, "overrule end nobody because the roof comes down")
    assert talk.phase is Phase.OVER
    talk.give(i.Undo())
    assert talk.step == "split", "back to right after the moves"


def test_a_problem_is_overruled() -> None:
    evening = Evening()
    evening.face("A locked gate")
    with pytest.raises(SeatFault, match="after the reveal"):
        evening.decide(GM, "overrule outcome success because x")
    for seat, option in (("ada", 3), ("bo", 1)):
        evening.place(seat, f"option {option}")
    evening.reveal()
    evening.clear()
    evening.decide(GM, "overrule decider bo because ada told the last one")
    assert evening.view.awaited == ("bo",)
    evening.decide("bo", "describe idea")
    evening.decide("ada", "veto")
    evening.decide(GM, "overrule veto none because she was too late")
    assert evening.step == "veto"
    evening.decide(GM, "overrule option bo 2 because she miscounted her fingers")
    assert evening.view.awaited == ("ada",)
    evening.decide(GM, "overrule outcome failure because the night is over")
    assert evening.phase is Phase.OVER
    before = evening.sheets
    evening.end()
    assert evening.sheets == before, "it costs nothing"


def test_between_scenes_the_gm_overrules_by_a_deed() -> None:
    evening = Evening()
    evening.do("overrule ada attack 1 because the fall hurt")
    evening.duel()
    assert "scene" in evening.refused("overrule ada attack 4 because x")
    evening.end()
    evening.restart()
    assert evening.sheet("ada").energy == Energy(1, 0, 0)


SAID = ("Vic because Tor", "A; B / C", "because", 'Odd "Job"', "none")


@pytest.mark.parametrize("name", SAID)
def test_in_typed_values_a_name_may_hold_any_word(name: str) -> None:
    cast = {name if who == "bo" else who: s for who, s in DUEL["characters"].items()}
    sides = {"nobody": ["ada", name], "because; or / not": ["ninja", "crow"]}
    talk = TableTalk({**DUEL, "sides": sides, "characters": cast}, gm_seat="gm")
    talk.start()

    def say(**holds: object) -> None:
        talk.give(i.Overrule(holds=dict(holds), because="so; because / of it"))

    say(what="energy", name=name, energy={"attack": 1})
    say(what="disadvantage", name=name, moves=["attack-low", "defend-low"])
    assert energy(talk, name) == (1, 0, 0)
    say(what="out", name=name, out=True)
    assert characters(talk)[name].out
    talk.restart()
    assert characters(talk)[name].face_up == ("attack-low", "defend-low")
    say(what="out", name=name, out=False)
    say(what="end", winner="nobody")
    game = talk.view.game
    assert isinstance(game, TriangleView) and game.result and game.result.winner == "nobody"
    told = [event for each in talk.records if isinstance(event := each.event, r.Overruled)]
    assert [each.holds["what"] for each in told] == ["energy", "disadvantage", "out", "out", "end"]
    assert {each.because for each in told} == {"so; because / of it"}


@pytest.mark.parametrize(
    ("holds", "because", "reason"),
    [
        ({}, "x", "this is not a word"),
        ({"what": "luck"}, "x", "this is not a word"),
        ({"what": "energy", "name": "ninja", "energy": {"attack": "3"}}, "x", "Expected `int`"),
        ({"what": "energy", "name": "ninja", "energy": {"attack": -1}}, "x", "at most 4 points"),
        ({"what": "turns", "name": "ninja", "turns": 10**6}, "x", "this is not a word"),
        ({"what": "out", "name": "stranger"}, "x", "no one here is called"),
        ({"what": "out", "name": "ninja\n"}, "x", "cannot be printed"),
        ({"what": "combo", "against": "ninja"}, "x", "a combo names its victim"),
        ({"what": "end", "winner": "stranger"}, "x", "a side wins the conflict"),
        ({"what": "end", "winner": None, "by": "ada"}, "x", "unknown field"),
        ({"what": "out", "name": "ninja"}, " ", "needs a reason"),
        ({"what": "out", "name": "ninja"}, "two\nlines", "needs a reason"),
    ],
)
def test_invalid_values_are_refused_and_change_nothing(
    holds: dict[str, object], because: str, reason: str
) -> None:
    table = after_a_win()
    before = table.state
    with pytest.raises(SeatFault, match=reason):
        table.give(i.Overrule(holds=holds, because=because))
    assert table.state is before
