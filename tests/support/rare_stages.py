"""Public views of moments that tables which play by themselves seldom come to."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from hub.games.game import GM
from hub.games.tourists.rules.table import Table
from hub.table import acts as i
from hub.table.state import Phase, Version
from hub.table.views import PublicView
from tests.rules.test_because import shown
from tests.rules.tourists.scripts import sheet
from tests.rules.tourists.talk import TWO, Talk
from tests.support import lanterns
from tests.support.specialtalk import moves, stances, table, tap
from tests.support.tabletalk import DUEL, Given, TableTalk
from tests.table.test_problem_table import SETUP


@contextmanager
def noted() -> Iterator[list[PublicView]]:
    """The view after each input that any table is given meanwhile."""
    seen: list[PublicView] = []
    give = TableTalk.give

    def given(talk: TableTalk, what: Given) -> object:
        done = give(talk, what)
        seen.append(talk.view)
        return done

    with patch.object(TableTalk, "give", given):
        yield seen


def conflicts() -> list[PublicView]:
    """An opponent's loss aimed by a special, and points regained; the GM's word over a turn and
    over the end; a move at disadvantage; both surrender, and more than five may go next, or a minor
    conflict ends."""
    with noted() as seen:
        talk = table(ada=["pressure-point"])
        talk.decide("ada", "opponent ninja")
        stances(talk)
        tap(talk, "ada", "pressure-point")
        moves(talk)
        talk.let_be()
        talk.overrule("turn won ninja because so")
        talk.overrule("turn tied because so")
        talk.overrule("end nobody because so")
        talk = table()
        talk.overrule("ada disadvantage attack-high because so")
        talk.decide("ada", "opponent ninja")
        stances(talk)
        moves(talk, "attack-mid", "attack-mid")
        talk = table(ada=["santa-carla-attack"])
        talk.decide("ada", "opponent ninja")
        stances(talk, "attack 3")
        tap(talk, "ada", "santa-carla-attack")
        moves(talk)
        talk.decide("ninja", talk.offers("ninja")[0])
        talk.let_be()
        talk.decide("ada", talk.offers("ada")[1])
        people = {**DUEL["characters"]} | {f"bo-{n}": DUEL["characters"]["bo"] for n in range(5)}
        foes = ("ninja", "crow")
        sides = {"players": [who for who in people if who not in foes], "gm-side": [*foes]}
        talk = TableTalk({**DUEL, "sides": sides, "characters": people}, gm_seat="gm")
        talk.begin_turn()
        stances(talk)
        moves(talk, "surrender", "surrender")
        talk = TableTalk({**DUEL, "minor": True})
        talk.begin_turn()
        stances(talk)
        moves(talk, "surrender", "surrender")
    return seen


def problems() -> list[PublicView]:
    """One lets an outcome happen and one vetoes it; of two with the same number, one told longer
    ago."""
    with noted() as seen:
        people = {who: {} for who in ("ada", "bo", "crow")}
        talk = TableTalk({**SETUP, "characters": people}, gm_seat="gm")
        talk.start()
        talk.show(ada="option 1", bo="option 4")
        talk.decide("ada", "describe idea")
        talk.decide("bo", "veto no")
        talk.decide("crow", "veto")
        talk.decide("crow", "substitute idea")
        shown(ada=3, bo=3, ada_has={"decided": 2}, bo_has={"decided": 1})
    return seen


def tourists() -> list[PublicView]:
    """A Loss is used up to reject a card; a request to reframe; all concede; an empty deck; the
    party that broke the Control leaves."""
    seen: list[PublicView] = []
    talk = Talk(TWO)
    talk.checked = lambda state: seen.append(view_of(state))
    talk.play("D 39, L 66, D 79, L -, D 19, L 9r turn, D -, L 48r, D -, L 13r, D -, L 76")
    talk.play("D -, L 12, D -, L 70, D -, L 15, D -, L 11, D -, L 21r, D -, L -").rest()
    talk.play("D -")
    talk.say("L", "drawn 26 upright")
    talk.say("D", "reject")
    talk.say("L", "loss 48")
    talk.say("L", "drawn 5 upright")
    talk.quiet()
    talk.say("D", "reframe we run")
    talk = Talk({name: sheet(5) for name in "LDC"}).draw(L="19r", D="9r", C="79r")
    talk.checked = lambda state: seen.append(view_of(state))
    talk.rest("part")
    for who in "LDC":
        talk.say(who, "concede")
    talk.say(GM, "go-on")
    deck = {"excuse": [], "triumphs": [1, 2], "attributes": {}, "beats": {}}
    seen.append(view_of(Talk({name: sheet(3) for name in "LDC"}, deck=deck).state))
    broken = TableTalk(lanterns.SCENE)
    broken.start()
    bidding = lanterns.FIRST[: lanterns.FIRST.index(("crow", "pass")) + 1]
    lanterns.say(broken, *lanterns.TACTICS, *bidding)
    broken.give(lanterns.word(what="out", name="north", out=True))
    return [*seen, broken.view]


def tales() -> list[PublicView]:
    """A roll whose roller is taken out; two sides that are even; an offer that brings nothing."""
    person = {"trait": "agile", "concept": "somebody", "perks": ["rope"], "quirks": ["vain"]}
    scene = {"ruleset": "tricube", "characters": {"ada": person, "bo": person}, "dice": "hand"}
    rollers: dict[str, Any] = {"ada": {}, "bo": {}}
    gate = {"challenge": {"name": "gate", "difficulty": 6}, "type": "agile", "rollers": rollers}
    sides = {"sides": {who: {"type": "agile"} for who in rollers}}
    with noted() as seen:
        talk = TableTalk(scene, gm_seat="gm")
        talk.start()
        for kind, said in (("oppose", sides), ("call", gate)):
            talk.decide(GM, f"{kind} {json.dumps(said)}")
            talk.show(ada="approach plain", bo="approach plain")
            for who in rollers:
                talk.decide(who, "dice 4 1 1")
        talk.give(i.Overrule({"what": "out", "name": "bo", "out": True}, "so"))
        talk.decide(GM, 'price {"resolve": true, "complication": ""}')
        talk.decide(GM, f"offer {json.dumps({'who': 'ada', 'told': 'late'})}")
    return seen


def view_of(state: Table) -> PublicView:
    """The public view of a Conflict that is played without a table."""
    game = Talk.of(state).game
    pending = game.pending(state)
    return PublicView(
        table="test",
        log="",
        seq=1,
        scene=1,
        phase=Phase(pending.kind) if pending.must else Phase.OVER,
        version=Version(scene=1, phase=1, revision=0),
        step=pending.step,
        awaited=pending.must,
        one_of=pending.one_of,
        game=game.view(state),
    )
