"""A scene at a table: sealed approaches, dice, karma, outcomes of rolls."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import Choice
from hub.table import acts as i
from hub.table.private_views import hand_view
from hub.table.state import SeatFault, Settings
from hub.table.views import hand_offers
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

SCENE: dict[str, Any] = {
    "ruleset": "tricube",
    "dice": "hand",
    "characters": {
        "ada": {"trait": "agile", "concept": "ranger", "perks": ["marksman"], "quirks": ["greedy"]},
        "bo": {
            "trait": "brawny", "concept": "priest", "perks": ["berserker", "healer"], "karma": 2,
            "resolve": 1, "afflictions": [{"name": "broken arm"}],
        },
    },
}  # fmt: skip


ANSWERS = {"victor": "told", "price": "price", "fate": 'fate {"affliction":"dazed","stays":true}'}


def call(challenge: Any, kind: str, *rollers: str, **more: Any) -> str:
    said = {"challenge": challenge, "type": kind, "rollers": {who: {} for who in rollers}}
    return "call " + json.dumps(said | more)


@pytest.fixture
def talk() -> TableTalk:
    talk = TableTalk(SCENE)
    talk.start()
    assert (talk.step, talk.view.awaited) == ("scene", ("gm",))
    return talk


@pytest.mark.book("c3.by-hand", "c10.foe", "perks.reduce", "turns.one-defense")
def test_the_fight_with_the_goblins_by_hand(talk: TableTalk) -> None:
    """The book's example, all at one challenge of six effort tokens."""
    talk.decide("gm", call({"name": "goblins", "effort": 6}, "ranged", "ada"))
    assert (talk.step, talk.view.awaited) == ("approach", ("ada",))
    talk.show(ada="approach plain")
    assert (talk.step, talk.view.awaited) == ("dice", ("ada",))
    talk.decide("ada", "dice 5 3 2")
    assert goblins(talk) == 5
    talk.decide("gm", call("goblins", "agile", "ada", "bo", defense=True))
    talk.show(ada="approach plain", bo="approach plain")
    talk.decide("ada", "dice 1 6 5")
    talk.decide("bo", "dice 3 5")
    assert (talk.step, goblins(talk)) == ("scene", 5)
    with pytest.raises(SeatFault, match="another one needs the GM’s word"):
        talk.decide("gm", call("goblins", "agile", "bo", defense=True))
    talk.decide("gm", call("goblins", "melee", "bo"))
    talk.show(bo="approach plain")
    talk.decide("bo", "dice 4 2 4")
    assert (talk.step, talk.view.awaited) == ("karma", ("ada", "bo"))
    talk.decide("ada", "karma none")
    talk.decide("bo", "karma berserker")
    assert (talk.step, goblins(talk)) == ("scene", 3)
    talk.decide("gm", "turn")
    assert not view(talk).cast["bo"].defended
    talk.decide("gm", call("goblins", "ranged", "ada"))
    talk.show(ada="approach plain")
    talk.decide("ada", "dice 5 4 4")
    talk.decide("bo", "karma none")
    talk.decide("ada", "karma marksman")
    assert (talk.step, talk.view.awaited, goblins(talk)) == ("victor", ("ada",), 0)
    talk.decide("ada", "told One arrow for the rest of them.")
    assert (talk.step, view(talk).turns) == ("scene", 2)
    assert (view(talk).cast["ada"].karma, view(talk).cast["bo"].karma) == (2, 1)


def view(talk: TableTalk) -> Any:
    return talk.view.game


def goblins(talk: TableTalk, name: str = "goblins") -> int:
    left: int = view(talk).challenges[name].left
    return left


@pytest.mark.book("c3.committed", "quirks.declared")
def test_a_difficulty_is_sealed_and_the_table_throws(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "goblins"}, "ranged", "ada", "bo", sealed=True, dice="table"))
    assert (talk.step, talk.view.awaited) == ("approach", ("ada", "bo", "gm"))
    assert view(talk).challenges["goblins"].difficulty is None
    talk.place("gm", "difficulty 6")
    talk.place("ada", "approach quirk greedy")
    assert view(talk).challenges["goblins"].difficulty is None
    talk.show(bo="approach plain")
    game = view(talk)
    assert game.challenges["goblins"].difficulty == 6
    rolls = (game.rolling or game.last_rolling).rolls
    assert (rolls["ada"].difficulty.final, len(rolls["ada"].dice)) == (7, 3)
    assert (rolls["bo"].difficulty.set, len(rolls["bo"].dice)) == (6, 2)


@pytest.mark.book("c9.asked", "c10.stays")
def test_after_a_critical_failure_the_gm_decides_its_price(talk: TableTalk) -> None:
    talk.decide("gm", call({"name": "river", "deadly": True}, "agile", "bo"))
    talk.show(bo="approach plain")
    talk.decide("bo", "dice 1 1")
    assert (talk.step, talk.view.awaited) == ("price", ("gm",))
    talk.decide("gm", 'price {"resolve": true, "complication": "The rope breaks."}')
    roll = view(talk).rolling.rolls["bo"]
    assert (roll.price.resolve, roll.price.complication) == (1, "The rope breaks.")
    assert (talk.step, roll.defeated) == ("fate", True)
    talk.decide("gm", 'fate {"affliction": "half drowned"}')
    bo = view(talk).cast["bo"]
    assert (talk.step, bo.absent, bo.resolve) == ("scene", "out", 3)
    assert [(a.name, a.lasts) for a in bo.afflictions][-1] == ("half drowned", "permanent")


@pytest.mark.book("c16.alone", "challenges.together")
@pytest.mark.parametrize("effort", [0, 1])
def test_in_one_call_a_critical_failure_costs_even_after_the_last_hit(
    talk: TableTalk, effort: int
) -> None:
    """Rolls have no order (C16): the cost does not depend on seating."""
    for number, hits, fails in ((1, "ada", "bo"), (2, "bo", "ada")):
        wall = {"name": f"wall {number}", "effort": effort}
        talk.decide("gm", call(wall, "agile", "ada", "bo"))
        talk.show(ada="approach plain", bo="approach plain")
        thrown = {hits: "6 6 6", fails: "1 1 1"}
        talk.decide("ada", f"dice {thrown['ada']}")
        talk.decide("bo", f"dice {thrown['bo'][:3]}")
        asked = []
        while talk.step != "scene":
            asked.append(talk.step)
            talk.decide(talk.view.awaited[0], ANSWERS[talk.step])
        roll = view(talk).last_rolling.rolls[fails]
        assert (roll.outcome, roll.moot, "price" in asked) == ("critical", False, True)
        assert roll.price.resolve == {"ada": 2, "bo": 1}[fails], "bo has one left"
        assert view(talk).challenges[f"wall {number}"].overcome


@pytest.mark.book("c15.told-first", "offers.karma")
def test_a_complication_shows_its_gain_before_it_is_accepted(talk: TableTalk) -> None:
    for who, brings, karma in (("ada", 0, 3), ("bo", 1, 3)):
        talk.decide("gm", "offer " + json.dumps({"who": who, "told": "The bridge creaks."}))
        assert (talk.step, talk.view.awaited) == ("accept", (who,))
        assert view(talk).asked.brings == brings
        talk.decide(who, "accept yes")
        assert (talk.step, view(talk).cast[who].karma) == ("scene", karma)


def test_a_player_without_karma_is_offered_a_complication(talk: TableTalk) -> None:
    for _ in range(2):
        said = {"perks": ["healer"], "use": "impact"}
        talk.decide("bo", "perk " + json.dumps(said))
        assert (talk.step, talk.view.awaited) == ("nod", ("gm",))
        talk.decide("gm", "nod yes")
    assert view(talk).cast["bo"].karma == 0
    talk.decide("gm", call({"name": "wall"}, "brawny", "ada"))
    talk.show(ada="approach plain")
    talk.decide("ada", "dice 4 2")
    talk.decide("ada", "karma none")
    talk.decide("bo", "karma " + json.dumps({"perks": ["berserker"], "for": "ada"}))
    assert (talk.step, talk.view.awaited) == ("instead", ("gm",))
    talk.decide("gm", "complication It is loud.")
    assert (talk.step, talk.view.awaited) == ("accept", ("bo",))
    talk.decide("bo", "accept yes")
    karma = view(talk).last_rolling.rolls["ada"].karma
    assert (karma.by, karma.paid, karma.complication) == ("bo", 0, "It is loud.")
    assert view(talk).challenges["wall"].overcome


def rolled(talk: TableTalk, **dice: str) -> None:
    """Ada and Bo roll at once at a wall of four tokens, with these dice."""
    talk.decide("gm", call({"name": "wall", "effort": 4}, "crafty", "ada", "bo"))
    talk.show(ada="approach plain", bo="approach plain")
    for who, thrown in dice.items():
        talk.decide(who, f"dice {thrown}")


def friend(who: str, *perks: str) -> str:
    return "karma " + json.dumps({"perks": perks, "for": who})


@pytest.mark.book("c5.each", "c5.friend", "assisting.roll", "perks.one")
def test_a_payer_of_one_roll_is_asked_for_the_other(talk: TableTalk) -> None:
    """One karma per roll is the limit (C5); there is none on how many rolls a player pays for."""
    rolled(talk, ada="4 2", bo="4 3")
    assert (talk.step, talk.view.awaited) == ("karma", ("ada", "bo"))
    talk.decide("ada", "karma none")
    talk.decide("bo", "karma healer")
    assert (talk.step, talk.view.awaited) == ("karma", ("bo",)), "ada has declined"
    with pytest.raises(SeatFault, match="one karma"):
        talk.decide("bo", "karma berserker")
    *offered, none = (o.choice.value for o in hand_offers(talk.state, "bo"))
    wanted = [{"perks": [perk], "for": "ada"} for perk in ("berserker", "healer")]
    assert ([json.loads(each) for each in offered], none) == (wanted, "none")
    talk.decide("bo", friend("ada", "healer"))
    assert (talk.step, goblins(talk, "wall")) == ("scene", 2)
    paid = {who: each.karma.by for who, each in view(talk).last_rolling.rolls.items()}
    assert paid == {"ada": "bo", "bo": "bo"}
    assert (view(talk).cast["ada"].karma, view(talk).cast["bo"].karma) == (3, 0)


def test_a_payer_for_two_friends_is_asked_again(talk: TableTalk) -> None:
    """And so is the player whose karma the first roll did not need."""
    rolled(talk, ada="4 2", bo="4 3")
    talk.decide("ada", friend("bo", "marksman"))
    talk.decide("bo", "karma healer")
    assert (talk.step, talk.view.awaited) == ("karma", ("ada", "bo"))
    talk.decide("bo", friend("ada", "berserker"))
    talk.decide("ada", "karma marksman")
    assert (talk.step, goblins(talk, "wall")) == ("scene", 2)
    paid = {who: each.karma.by for who, each in view(talk).last_rolling.rolls.items()}
    assert paid == {"ada": "ada", "bo": "bo"}, "the own first, and nobody pays for nothing"
    assert (view(talk).cast["ada"].karma, view(talk).cast["bo"].karma) == (2, 1)


def test_another_may_promise_karma_that_the_first_lacks(talk: TableTalk) -> None:
    """The GM might not offer a complication in its place."""
    for _ in range(2):
        talk.decide("bo", "perk " + json.dumps({"perks": ["healer"], "use": "impact"}))
        talk.decide("gm", "nod yes")
    rolled(talk, ada="4 2", bo="4 3")
    talk.decide("ada", "karma marksman")
    talk.decide("bo", "karma healer")
    assert (talk.step, talk.view.awaited) == ("karma", ("ada",)), "ada’s is paid for"
    talk.decide("ada", friend("bo", "marksman"))
    assert (talk.step, talk.view.awaited) == ("instead", ("gm",))
    talk.decide("gm", "complication")
    assert (talk.step, goblins(talk, "wall")) == ("scene", 2)
    assert view(talk).last_rolling.rolls["bo"].karma.by == "ada"
    assert view(talk).cast["ada"].karma == 1


def test_an_opposed_roll_at_the_table(talk: TableTalk) -> None:
    sides = {"ada": {"type": "crafty"}, "bo": {"type": "brawny"}}
    talk.decide("gm", "oppose " + json.dumps({"sides": sides}))
    talk.show(ada="approach quirk greedy", bo="approach plain")
    talk.decide("bo", "dice 6 2 1")
    talk.decide("ada", "dice 4 4")
    rolling = view(talk).rolling or view(talk).last_rolling
    assert rolling.winner == "bo"
    assert talk.step == "price"
    talk.decide("gm", "price")
    assert talk.step == "scene"
    assert view(talk).last_rolling.rolls["ada"].outcome == "failure"


def test_a_gm_without_a_seat_seals_on_the_console() -> None:
    talk = TableTalk(SCENE)
    talk.settings = Settings(seats={"ada": ("ada",), "bo": ("bo",)})
    talk.start()
    talk.decide("gm", call({"name": "goblins"}, "ranged", "ada", sealed=True))
    (held,) = hand_view(talk.state, talk.settings, "gm").actors
    assert (held.name, held.awaited, [str(o.choice) for o in held.offers]) == (
        "gm",
        True,
        ["difficulty 4", "difficulty 5", "difficulty 6"],
    )
    talk.give(i.Commit("gm", i.Sealed(Choice("difficulty", "6"))))
    talk.give(i.Request(i.Commit("ada", i.Sealed(Choice("approach", "plain"))), "ada"))
    talk.reveal()
    assert view(talk).challenges["goblins"].difficulty == 6
    assert all("gm" not in seat.characters for seat in talk.view.seats)


@pytest.mark.parametrize("void", [True, False])
def test_what_an_overrule_makes_void_may_be_left_undecided(talk: TableTalk, void: bool) -> None:
    """The audit follows the rules: a seal that still lies may not be called undecided."""
    overrule = i.Overrule(holds={"what": "tokens", "name": "bo", "karma": 1}, because="so")
    talk.decide("gm", call({"name": "river"}, "agile", "ada", "bo", sealed=True))
    if not void:
        talk.give(overrule)
    talk.place("ada", "approach plain")
    if void:
        talk.give(overrule)
    assert (talk.committed == ()) is void
    talk.give(i.EndScene())
    assert verify_log(log_of(talk.records), "test").problems == ()
    ended = talk.records[-1]
    assert isinstance(ended.event, i.SceneEnded) and ended.event.left
    everybody = replace(ended.event.left, waits=("ada", "bo", "gm"))
    forged = replace(ended, event=replace(ended.event, left=everybody))
    problems = verify_log(log_of([*talk.records[:-1], forged]), "test").problems
    assert void or any("it leaves undecided what ada has chosen" in each for each in problems)
    assert (problems == ()) is void
