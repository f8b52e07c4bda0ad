"""The hub's draws for a Conflict are in the log and are recomputed from their bytes."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.games.game import GM
from hub.games.tourists.rules.deck import drawn_card, drawn_from
from hub.table import acts as r
from hub.table.state import Phase, SeatFault
from hub.table.views import questions
from tests.rules.tourists.test_at_table import SCENE
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

BYTES = bytes(range(32))


def hub_scene() -> dict[str, Any]:
    parties = dict(SCENE["parties"])
    parties["crow"] = {**parties.pop("south"), "reserve_max": 1}
    return {**SCENE, "parties": parties, "draws": "hub"}


def played(seed: int = 1, words: int = 120, scene: dict[str, Any] | None = None) -> TableTalk:
    """A random Conflict of at most this many words in which the hub draws.

    No step in it waits for a card named by a player.
    """
    chance = Random(seed)
    talk = TableTalk(scene or hub_scene())
    talk.start()
    for _ in range(words):
        if talk.phase is Phase.OVER:
            break
        assert talk.state.scene
        assert "drawn" not in talk.state.scene.pending.kinds, talk.step
        asked = chance.choice([q for q in questions(talk.state) if q.actor in (*waits(talk), GM)])
        able = [o.choice for o in asked.offers if not o.reason and o.choice.kind not in asked.free]
        if able:
            try:
                talk.decide(asked.actor, str(chance.choice(able)))
            except SeatFault:
                continue
    return talk


def waits(talk: TableTalk) -> tuple[str, ...]:
    return talk.state.scene.waits_for() if talk.state.scene else ()


def falls(talk: TableTalk) -> list[r.Decided]:
    return [e for e in (x.event for x in talk.records) if isinstance(e, r.Decided) and e.chance]


def verdict(talk: TableTalk, was: r.Decided | None = None, **forged: Any) -> Verdict:
    """The verdict of ``facedown verify``; ``forged``: changes to this draw's record."""
    records = [*talk.records]
    if was is not None:
        at = next(n for n, x in enumerate(records) if x.event is was)
        records = [*records[:at], replace(records[at], event=replace(was, **forged))]
    return verify_log(log_of(records), "test", games=talk.rulebooks.games)


@pytest.mark.parametrize("seed", range(6))
def test_the_hubs_draws_are_recomputed(seed: int) -> None:
    talk = played(seed, scene=unlaid_scene() if seed % 2 else None)
    drawn = [e for e in falls(talk) if e.fell and e.fell.came["drawn"]]
    assert len(drawn) > 3
    found = verdict(talk)
    assert (found.problems, found.falls) == ((), len(falls(talk)))
    again = {card for e in drawn for card in e.fell.came["drawn"].values()}
    assert len(again) > 3, "they are drawn, and not all the same"


def test_the_recorded_draw_is_the_card_laid() -> None:
    talk = TableTalk(hub_scene())
    talk.start()
    for actor in ("ada", "crow"):
        talk.decide(actor, "tactics")
    talk.decide("bo", "draw")
    told = falls(talk)[-1].fell
    assert told
    game: Any = talk.view.game
    (card,) = [each.card for each in game.parties["north"].laid]
    way = "reversed" if card.reversed else "upright"
    assert told.came == {"drawn": {"bo": f"{card.number} {way}"}}
    assert 51 not in told.on["deck"] and 33 not in told.on["deck"], "they lie in a Reserve"
    assert told.on["who"] == ["bo"] and card.number in told.on["deck"]


def unlaid_scene() -> dict[str, Any]:
    """The hub draws, and the Reserves of ada (two cards) and crow (one) are still to be drawn."""
    scene = hub_scene()
    north = scene["parties"]["north"]
    ada = {key: each for key, each in north["characters"]["ada"].items() if key != "reserve"}
    people = north["characters"] | {"ada": ada | {"reserve_max": 2}}
    crow = {key: each for key, each in scene["parties"]["crow"].items() if key != "reserve"}
    return scene | {"parties": {"north": north | {"characters": people}, "crow": crow}}


@pytest.mark.book("npc-reserve.before")
def test_the_hub_draws_a_reserve_before_the_conflict() -> None:
    """No player names a card (T14), and the log shows the basis of each draw."""
    talk = TableTalk(unlaid_scene())
    talk.start()
    assert (talk.step, talk.view.awaited) == ("reserve", ("ada", "crow"))
    for named in ("drawn 26 upright", "drawn 33 reversed", "draw 26 upright"):
        with pytest.raises(SeatFault):
            talk.decide("ada", named)
    talk.decide("ada", "draw")
    talk.decide("crow", "draw")
    assert (talk.step, talk.view.awaited) == ("reserve", ("ada",)), "crow’s is full"
    talk.decide("ada", "draw")
    assert talk.step == "tactics"
    view: Any = talk.view.game
    lie = {who: [each.number for each in view.members[who].reserve] for who in ("ada", "crow")}
    assert [len(each) for each in lie.values()] == [2, 1]
    told = [e.fell for e in falls(talk) if e.fell]
    assert [each.on["who"] for each in told] == [["ada", "crow"], ["ada"]]
    assert {*lie["ada"][:1], *lie["crow"]}.isdisjoint(told[1].on["deck"])
    found = verdict(talk)
    assert (found.problems, found.falls) == ((), len(falls(talk)))


def test_a_reserve_may_stay_smaller_when_the_hub_draws() -> None:
    talk = TableTalk(unlaid_scene())
    talk.start()
    talk.decide("ada", "pass")
    talk.decide("crow", "draw")
    assert (talk.step, talk.view.game.members["ada"].reserve) == ("tactics", ())


def test_several_draw_around_the_table_and_never_the_same_card() -> None:
    on = {"deck": [3, 5, 8], "who": ["bo", "ada", "crow"]}
    drawn = drawn_from(on, {"ada", "bo", "crow"}, BYTES)
    assert sorted(card.split()[0] for card in drawn.values()) == ["3", "5", "8"]
    first = drawn_card(BYTES, "bo", [3, 5, 8])
    left = [number for number in (3, 5, 8) if number != first.number]
    assert drawn["bo"] == str(first) and drawn["ada"] == str(drawn_card(BYTES, "ada", left))


@pytest.mark.parametrize(
    "on",
    [
        {}, {"deck": [1, 2]}, {"deck": [1, 2], "who": ["bo"]},
        {"deck": [1, 2], "who": ["ada", "ada"]}, {"deck": [2, 1], "who": ["ada"]},
        {"deck": [1, 1], "who": ["ada"]}, {"deck": [1, True], "who": ["ada"]},
        {"deck": [], "who": ["ada"]}, {"deck": 7, "who": ["ada"]},
        {"deck": [1], "who": ["ada"], "more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_an_impossible_basis_of_a_draw_is_refused(on: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"from a deck|ascending|each once|cannot draw"):
        drawn_from(on, {"ada"}, BYTES)
