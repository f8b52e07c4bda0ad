"""Forged chance: each test changes one thing in a log and rechains it, with no head kept elsewhere.

The basis of every use of chance follows from the log's own story, so that ``verify`` finds the
forgery.
"""

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec import UNSET
from msgspec.structs import replace

from hub.audit.verify import verify_log
from hub.games.game import GM, Fall
from hub.games.registry import rulebooks
from hub.games.tourists.rules.deck import drawn_card
from hub.games.tricube.rules.throwing import thrown
from hub.table import acts as r
from hub.table.fold import fold_all
from hub.table.sealed import CHANCE, Opening, seal_digest
from hub.table.state import HubMisuse, SeatFault, TableState
from tests.rules.tourists.test_falling import played
from tests.rules.tricube.test_at_table import SCENE
from tests.rules.tricube.test_verified import EVENING
from tests.support.specialtalk import log_of, moves, stances, table, tap
from tests.support.tabletalk import TableTalk
from tests.support.wandering import Wandering, conflict, tale

GAMES = rulebooks().games
WHOLE_DECK = [*range(4, 87)]
CONFLICT = [e.event for e in played().records]
TALE = [e.event for e in EVENING]
Events = list[r.Event]


def told(events: Events) -> tuple[str, ...]:
    """The problems that ``verify`` finds in a log of these events."""
    records = [r.Record(n, 2_000_000, event) for n, event in enumerate(events, 1)]
    return verify_log(log_of(in_time(records)), "test", games=GAMES).problems


def in_time(records: list[r.Record]) -> list[r.Record]:
    """Give each record the time that its event needs: a reveal comes when it is due."""
    now, found = 0, []
    for each in records:
        if isinstance(each.event, r.Locked):
            now = max(now, each.event.reveal_at_ms - 1000)
        elif isinstance(each.event, r.Revealed):
            now += 1000
        found.append(replace(each, at_ms=now))
    return found


def with_one(events: Events, at: int, event: r.Event) -> Events:
    return [*events[:at], event, *events[at + 1 :]]


def refused(events: Events, at: int, why: str) -> None:
    """Check that it is refused, with the row and the reason."""
    problems = told(events)
    assert any(p.startswith(f"line {at + 1}: ") and why in p for p in problems), problems


def first(events: Events, kind: type[r.Event]) -> int:
    return next(n for n, event in enumerate(events) if isinstance(event, kind))


def start(events: Events) -> Any:
    return events[first(events, r.SceneStarted)]


ON = "chance fell on something else than the log's own story gives"
RULES = "by the rules this cannot follow"


@pytest.mark.parametrize("events", [CONFLICT, TALE], ids=["conflict", "tale"])
def test_unchanged_logs_are_sound(events: Events) -> None:
    assert told(events) == ()


# The deck of a Conflict

DRAWS = [n for n, e in enumerate(CONFLICT) if isinstance(e, r.Decided) and e.fell and e.fell.on["who"]]  # fmt: skip  # noqa: E501
FIRST, LAST = DRAWS[0], DRAWS[-1]


def drawn_anew(at: int, deck: list[int], who: list[str] | None = None) -> Events:
    """A draw from another deck: the cards are those that its bytes give."""
    event: Any = CONFLICT[at]
    who = event.fell.on["who"] if who is None else who
    left, drawn = sorted(deck), {}
    for name in who:
        card = drawn_card(bytes.fromhex(event.chance), name, left)
        left.remove(card.number)
        drawn[name] = str(card)
    fell = Fall(on={"deck": deck, "who": who}, came={"drawn": drawn})
    return with_one(CONFLICT, at, replace(event, fell=fell))


def deck_at(at: int) -> list[int]:
    event: Any = CONFLICT[at]
    return [*event.fell.on["deck"]]


@pytest.mark.parametrize(
    "change",
    [
        lambda deck: deck[:5],
        lambda deck: deck[1:],
        lambda deck: sorted([*deck, 51]),
        lambda deck: [*deck, 9999],
        lambda deck: [0, *deck],
        lambda deck: WHOLE_DECK,
        lambda deck: [n + 1 for n in deck],
    ],
    ids=["five", "one-less", "reserve", "no-card", "low", "whole", "others"],
)
@pytest.mark.parametrize("at", [FIRST, LAST], ids=["first", "last"])
def test_another_deck_is_refused(change: Callable[[list[int]], list[int]], at: int) -> None:
    refused(drawn_anew(at, change(deck_at(at))), at, ON)


def test_a_deck_with_cards_that_lie_on_the_table_is_refused() -> None:
    lies = {*WHOLE_DECK} - {*deck_at(LAST)}
    for number in lies:
        refused(drawn_anew(LAST, sorted([*deck_at(LAST), number])), LAST, ON)


def test_a_deck_in_another_order_is_refused() -> None:
    refused(drawn_anew(LAST, [*reversed(deck_at(LAST))]), LAST, ON)


def test_the_problem_names_the_cards() -> None:
    deck = sorted([*deck_at(LAST)[1:], 9999])
    problem, *_ = told(drawn_anew(LAST, deck))
    assert f"deck with 9999, without {deck_at(LAST)[0]}" in problem
    problem, *_ = told(drawn_anew(LAST, deck_at(LAST)[:5]))
    assert "and 6" in problem, "not all of them"


def test_a_draw_of_several_in_another_order_is_refused() -> None:
    at = next(n for n in DRAWS if len(CONFLICT[n].fell.on["who"]) > 1)  # type: ignore[union-attr]
    event: Any = CONFLICT[at]
    refused(drawn_anew(at, deck_at(at), [*reversed(event.fell.on["who"])]), at, ON)


# Chance where none is needed, and no chance where it is


def drawn_chance(events: Events, at: int, phase: int) -> tuple[r.ChanceSealed, str]:
    """Chance as a hub would seal it."""
    begun, nonce = events[0], "5a" * 32
    assert isinstance(begun, r.LogBegun)
    drawn = r.ChanceSealed(scene=1, turn=1, phase=phase, digest="")
    turns = [e.turn for e in events[:at] if isinstance(e, r.ChanceSealed | r.Committed)]
    drawn = replace(drawn, turn=turns[-1] if turns else 1)
    place = drawn.place(begun.log, "test")
    return replace(drawn, digest=seal_digest(place, Opening(nonce, CHANCE))), nonce


def with_chance(events: Events, at: int, fell: Fall | Any) -> tuple[Events, int]:
    """Let the last decision of a step, at ``at``, show chance that was sealed before the first."""
    event: Any = events[at]
    phase = event.phase
    begins = next(n for n, e in enumerate(events) if isinstance(e, r.Decided) and e.phase == phase)
    drawn, nonce = drawn_chance(events, begins, phase)
    more = with_one(events, at, replace(event, chance=nonce, fell=fell))
    # Later rows would need new references to earlier ones, so the log ends here.
    return [*more[:begins], drawn, *more[begins : at + 1]], begins


def test_a_draw_in_a_step_without_draws_is_refused() -> None:
    at = next(
        n for n, e in enumerate(CONFLICT)
        if isinstance(e, r.Decided) and e.choice == "tactics" and not e.waits_for
    )  # fmt: skip
    fell = Fall(on={"deck": deck_at(FIRST), "who": []}, came={"drawn": {}})
    events, begins = with_chance(CONFLICT, at, fell)
    refused(events, begins, "chance is drawn where nothing falls by it")


def test_a_draw_without_chance_is_refused() -> None:
    event: Any = CONFLICT[LAST]
    sealed = max(n for n, e in enumerate(CONFLICT[:LAST]) if isinstance(e, r.ChanceSealed))
    events = with_one(CONFLICT, LAST, replace(event, chance="", fell=UNSET))[: LAST + 1]
    refused([*events[:sealed], *events[sealed + 1 :]], LAST - 1, "no chance was drawn where")


def test_a_missing_or_extra_stop_is_refused() -> None:
    """An undo goes back to a stop; without it, the undo would go further than at the table."""
    at = first(CONFLICT, r.StopMade)
    stop: Any = CONFLICT[at]
    refused([*CONFLICT[:at], *CONFLICT[at + 1 :]], at, "the rules make a stop here, and none is")
    more = [*CONFLICT[: at + 1], stop, *CONFLICT[at + 1 :]]
    refused(more, at + 1, "a stop is made where")


def test_a_draw_by_another_party_is_refused() -> None:
    """A player of another party says the word and draws."""
    event: Any = CONFLICT[LAST]
    others = [a for a in ("ada", "bo", "crow") if a not in event.awaited]
    for actor in others:
        fell = replace(event.fell, on={**event.fell.on, "who": [actor]})
        card = drawn_card(bytes.fromhex(event.chance), actor, fell.on["deck"])
        fell = replace(fell, came={"drawn": {actor: str(card)}})
        said = replace(event, actor=actor, awaited=(actor,), by=GM, fell=fell, one_of=UNSET)
        refused(with_one(CONFLICT, LAST, said), LAST, "the rules await")
    assert others


def test_a_pass_that_draws_is_refused() -> None:
    event: Any = CONFLICT[LAST]
    refused(with_one(CONFLICT, LAST, replace(event, choice="pass")), LAST, "")


# A scene's setup


def begun_with(events: Events, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Events:
    event = start(events)
    game = msgspec.json.encode(change(event.setup.values())).decode()
    forged = replace(event, setup=replace(event.setup, game=game))
    return with_one(events, first(events, r.SceneStarted), forged)


def test_a_scene_by_unknown_rules_is_refused() -> None:
    for events in (CONFLICT, TALE):
        at = first(events, r.SceneStarted)
        for ruleset in ("bogus", "", "tourists "):
            forged = with_one(events, at, replace(start(events), ruleset=ruleset))
            refused(forged, at, "by rules that are not known here")


def test_a_scene_by_other_known_rules_is_refused() -> None:
    for events, other in ((CONFLICT, "tricube"), (TALE, "tourists"), (TALE, "unroll")):
        at = first(events, r.SceneStarted)
        begun = start(events)
        forged = replace(begun, ruleset=other)
        refused(with_one(events, at, forged), at, "begin")


def test_a_scene_without_its_setup_is_refused_at_its_first_chance() -> None:
    for events in (CONFLICT, TALE):
        forged = with_one(
            events, first(events, r.SceneStarted), replace(start(events), setup=UNSET)
        )
        refused(forged, first(events, r.ChanceSealed), "does not say how the scene began")


def _house_deck(game: dict[str, Any]) -> dict[str, Any]:
    return {**game, "deck": {"triumphs": [5, 6, 7]}}


def _by_hand(game: dict[str, Any]) -> dict[str, Any]:
    return {**game, "draws": "table"} if "parties" in game else {**game, "dice": "hand"}


def test_a_scene_with_another_deck_is_refused_at_its_first_draw() -> None:
    refused(begun_with(CONFLICT, _house_deck), FIRST, ON)


def test_chance_is_refused_in_a_scene_played_by_hand() -> None:
    for events in (CONFLICT, TALE):
        at = first(events, r.ChanceSealed)
        refused(begun_with(events, _by_hand), at, "chance is drawn where nothing falls by it")


@pytest.mark.parametrize(
    "game",
    [{}, {"parties": {}}, {"parties": 7}, {"characters": {"ada": {"trait": "odd"}}}, {"x": [[[]]]}],
    ids=str,
)
def test_an_impossible_setup_is_refused(game: dict[str, Any]) -> None:
    for events in (CONFLICT, TALE):
        at = first(events, r.SceneStarted)
        refused(begun_with(events, lambda _: game), at, "no scene begins so")


@pytest.mark.parametrize(
    "text", ["", "[]", "7", "{", '{"parties": {}}', '{"a":1,"a":2}', "[" * 5000, "{}\x1b", "{}\n"]
)
def test_a_malformed_setup_is_refused(text: str) -> None:
    at = first(CONFLICT, r.SceneStarted)
    event = start(CONFLICT)
    forged = replace(event, setup=replace(event.setup, game=text))
    refused(with_one(CONFLICT, at, forged), at, "no scene begins so")


@pytest.mark.parametrize(
    "rulings", [-1, 0, 1, max(game.rulings for game in GAMES.values()) + 1, 10**6]
)
def test_unknown_rulings_are_refused(rulings: int) -> None:
    for events in (CONFLICT, TALE):
        at = first(events, r.SceneStarted)
        event = start(events)
        forged = replace(event, setup=replace(event.setup, rulings=rulings))
        refused(with_one(events, at, forged), at, "rulings")


def test_a_forged_setup_is_found_once_the_secret_is_opened() -> None:
    """A log of another archetype is plausible for some table, but not for this one."""
    talk = TableTalk(SCENE | {"dice": "table"})
    talk.start()
    at = first([e.event for e in talk.records], r.SceneStarted)
    secret = talk.rows[at].secret
    assert secret
    opened = {at + 1: secret}
    log = [row.line for row in talk.rows]
    assert verify_log(log, "test", games=GAMES, openings=opened).problems == ()
    event: Any = talk.records[at].event
    people = event.setup.values()["characters"]
    people["ada"]["trait"] = "brawny"
    game = msgspec.json.encode(event.setup.values() | {"characters": people}).decode()
    forged = replace(event, setup=replace(event.setup, game=game))
    records = [*talk.records]
    records[at] = replace(records[at], event=forged)
    assert verify_log(log_of(records), "test", games=GAMES).problems == ()
    (problem,) = verify_log(log_of(records), "test", games=GAMES, openings=opened).problems
    assert problem.startswith(f"line {at + 1}: what was opened shows that the scene began")
    with pytest.raises(HubMisuse, match="another setup"):
        fold_all(TableState("test", rulebooks()), records)


def test_a_setup_too_long_for_a_line_is_refused_when_the_scene_begins() -> None:
    texts = [f"{n} " + "x" * 900 for n in range(60)]
    party = {"attribute": {"name": "own", "value": 3}, "aspects": texts}
    talk = TableTalk({"ruleset": "tourists", "parties": {"ada": party, "bo": party}})
    with pytest.raises(SeatFault, match="more than 49152 bytes"):
        talk.start()


# The dice of a tale

REVEAL = first(TALE, r.Revealed)


def thrown_anew(at: int, counts: dict[str, int]) -> Events:
    event: Any = TALE[at]
    chance = bytes.fromhex(event.chance)
    dice = {who: [*thrown(chance, who, n)] for who, n in counts.items()}
    return with_one(TALE, at, replace(event, fell=Fall(on={"dice": counts}, came={"dice": dice})))


def counts() -> dict[str, int]:
    event: Any = TALE[REVEAL]
    return {**event.fell.on["dice"]}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"bo": 3}, "dice.bo: 3, not 2"),
        ({"ada": 2}, "dice.ada: 2, not 3"),
        ({"ada": 2, "bo": 3}, "dice.ada: 2, not 3"),
        ({"ada": 1}, "dice.ada: 1, not 3"),
    ],
    ids=str,
)
def test_a_die_more_or_less_is_refused(change: dict[str, int], said: str) -> None:
    refused(thrown_anew(REVEAL, counts() | change), REVEAL, ON)
    assert any(said in each for each in told(thrown_anew(REVEAL, counts() | change)))


def test_a_forged_archetype_is_refused_at_its_first_roll() -> None:
    def brawny(game: dict[str, Any]) -> dict[str, Any]:
        people = {**game["characters"]}
        people["ada"] = {**people["ada"], "trait": "brawny"}
        return {**game, "characters": people}

    refused(begun_with(TALE, brawny), REVEAL, ON)


def test_a_forged_call_is_refused_at_its_roll() -> None:
    at = next(
        n for n, e in enumerate(TALE) if isinstance(e, r.Decided) and e.choice.startswith("call")
    )
    event: Any = TALE[at]
    said = event.choice.replace('"ranged"', '"brawny"')
    assert said != event.choice
    refused(with_one(TALE, at, replace(event, choice=said)), REVEAL, ON)


def test_npcs_with_more_dice_are_refused() -> None:
    talk = TableTalk(SCENE | {"dice": "table"})
    talk.start()
    talk.decide("gm", 'npcs {"sides": {"orc": 2, "elf": 3}}')
    while talk.step == "throw":
        talk.decide(talk.view.awaited[0], "throw")
    events = [e.event for e in talk.records]
    assert told(events) == ()
    at = next(n for n, e in enumerate(events) if isinstance(e, r.Decided) and e.chance)
    event: Any = events[at]
    dice = {"orc": 3, "elf": 3}
    came = {who: [*thrown(bytes.fromhex(event.chance), who, n)] for who, n in dice.items()}
    fell = Fall(on={"dice": dice}, came={"dice": came})
    refused(with_one(events, at, replace(event, fell=fell)), at, ON)


# Iron Triangle and Unroll: replacing a move


def duel() -> TableTalk:
    talk = table(ada=["drunken-monkey"])
    talk.decide("ada", "opponent ninja")
    return talk


def replaced() -> Events:
    """A duel in which a revealed move is replaced by chance."""
    talk = duel()
    stances(talk)
    tap(talk, "ada", "drunken-monkey")
    moves(talk)
    assert talk.step == "replace"
    talk.decide("ada", "replace yes")
    return [e.event for e in talk.records]


def test_chance_belongs_only_to_the_word_that_asks_for_it() -> None:
    events = replaced()
    assert told(events) == ()
    at = next(n for n, e in enumerate(events) if isinstance(e, r.Decided) and e.chance)
    event: Any = events[at]
    refused(with_one(events, at, replace(event, choice="aim 1")), at, "nothing falls by 'aim'")
    bare = with_one(events, at, replace(event, chance=""))
    sealed = max(n for n, e in enumerate(bare) if isinstance(e, r.ChanceSealed))
    refused([*bare[:sealed], *bare[sealed + 1 :]], at - 1, "without chance")
    others = with_one(events, at, replace(event, actor="ninja", awaited=("ninja",), by="gm"))
    refused(others, at, "ninja has shown no special by which chance would fall")


def test_chance_beside_sealed_cards_of_a_duel_is_refused() -> None:
    events = [e.event for e in duel().records]
    at = next(n for n, e in enumerate(events) if isinstance(e, r.Decided))
    forged, _ = with_chance(events, at, UNSET)
    refused(forged, at + 1, "nothing falls by 'active'")


def test_a_setup_that_must_stay_secret_is_refused() -> None:
    events = [e.event for e in duel().records]
    at = first(events, r.SceneStarted)
    shown = replace(start(events), setup=start(TALE).setup)
    refused(with_one(events, at, shown), at, "begins")


# Random play


@pytest.mark.parametrize("scene", [conflict, tale])
def test_nothing_that_a_table_does_is_refused(scene: Callable[[int], Wandering]) -> None:
    """The table's own audit hears every line: overrules, undos, reopened scenes, restarts."""
    talks = [scene(seed).wander(150) for seed in range(20)]
    assert sum(talk.falls() for talk in talks) >= 12
    done = sum((talk.did for talk in talks), Counter())
    assert min(done[each] for each in ("_choose", "_declare", "_overrule", "_undo", "_end")) >= 5
    for talk in talks:
        found = verify_log([row.line for row in talk.rows], "test", games=GAMES)
        assert found.problems == ()


def other_than(fell: Fall, chance: Random) -> Fall:
    """The same outcome with another basis: one card or die more or less."""
    on: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(fell.on))
    if "dice" in on:
        who = chance.choice([*on["dice"]])
        on["dice"][who] = chance.choice([n for n in (1, 2, 3) if n != on["dice"][who]])
    elif chance.random() < 0.5:
        on["deck"].remove(chance.choice(on["deck"]))
    else:
        there = [n for n in range(120) if n not in on["deck"]]
        on["deck"] = sorted([*on["deck"], chance.choice(there)])
    return replace(fell, on=on)


@pytest.mark.parametrize("scene", [conflict, tale])
def test_any_other_basis_of_chance_is_refused(scene: Callable[[int], Wandering]) -> None:
    chance, forgeries = Random(1), 0
    for seed in range(12):
        talk = scene(seed).wander(150)
        fell = [n for n, e in enumerate(talk.records) if getattr(e.event, "fell", None)]
        for at in chance.sample(fell, min(4, len(fell))):
            records = [*talk.records]
            event: Any = records[at].event
            other = replace(event, fell=other_than(event.fell, chance))
            records[at] = replace(records[at], event=other)
            problems = verify_log(log_of(records), "test", games=GAMES).problems
            assert any(p.startswith(f"line {at + 1}: {ON}") for p in problems), problems
            forgeries += 1
    assert forgeries >= 12
