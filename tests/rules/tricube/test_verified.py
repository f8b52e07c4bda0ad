"""``facedown verify`` on a tale: it throws the table's dice again from the log alone.

Any change to a log is found, even if the hash chain is repaired.
"""

import json

import pytest
from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.games.registry import rulebooks
from hub.games.tricube.rules.game import TricubeGame
from hub.games.tricube.rules.throwing import thrown
from hub.table import acts as i
from hub.table import acts as r
from hub.table.fold import fold_all
from hub.table.state import HubMisuse, TableState
from tests.rules.tricube.test_at_table import SCENE, call, view
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

TABLE = "test"
GAMES = rulebooks().games


def evening() -> list[r.Record]:
    """Two roll at a sealed difficulty; then another roll without karma left."""
    people = {who: dict(each) for who, each in SCENE["characters"].items()}
    people["ada"] |= {"karma": 0}
    talk = TableTalk(SCENE | {"dice": "table", "characters": people})
    talk.start()
    for challenge in ({"name": "goblins", "effort": 40}, "goblins"):
        talk.decide("gm", call(challenge, "ranged", "ada", "bo", sealed=True))
        talk.show(gm="difficulty 6", ada="approach plain", bo="approach plain")
        while talk.step != "scene":
            (who, *_) = (each for each in talk.view.awaited if each not in talk.view.committed)
            said = {"karma": "karma none", "fate": 'fate {"affliction": "wound %d", "stays": true}'}
            word = said.get(talk.step, "price" if talk.step == "price" else "told")
            talk.decide(who, word % len(talk.records) if "%d" in word else word)
    assert view(talk).cast["ada"].karma == 0
    return talk.records


EVENING = evening()


LOG = log_of(EVENING)
REVEALED = next(n for n, each in enumerate(EVENING) if isinstance(each.event, r.Revealed))


def judged(log: list[bytes]) -> Verdict:
    return verify_log(log, TABLE, games=GAMES)


@pytest.mark.book("c3.committed")
def test_the_dice_are_thrown_again_from_the_log_alone() -> None:
    verdict = judged(LOG)
    assert (verdict.problems, verdict.falls) == ((), 2)
    event = json.loads(LOG[REVEALED])
    for who, dice in event["fell"]["came"]["dice"].items():
        assert [*thrown(bytes.fromhex(event["chance"]), who, len(dice))] == dice


def test_karma_from_a_character_without_any_is_found() -> None:
    """Karma follows from the scene's setup, in the log as in the journal."""
    at, record = next(
        (n, each)
        for n, each in enumerate(EVENING)
        if isinstance(each.event, r.Decided)
        and (each.event.actor, each.event.choice) == ("ada", "karma none")
    )
    said = (
        *("karma marksman", "karma berserker", 'karma {"perks": ["marksman"], "for": "bo"}'),
        *("complication mud", "dice 6 6 6"),
    )
    for choice in said:
        forged = replace(record, event=replace(record.event, choice=choice))
        records = [*EVENING[:at], forged, *EVENING[at + 1 :]]
        (problem,) = judged(log_of(records)).problems
        assert "by the rules this cannot follow" in problem
        with pytest.raises(HubMisuse):
            fold_all(TableState(TABLE, rulebooks()), records)


def test_a_scene_by_other_rulings_is_not_played_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TricubeGame, "rulings", 1)
    talk = TableTalk(SCENE)
    talk.start()
    monkeypatch.undo()
    (problem,) = verify_log(log_of(talk.records), TABLE, games=GAMES).problems
    assert "rulings 1 are not known here" in problem
    with pytest.raises(HubMisuse, match="rulings that are not known here"):
        fold_all(TableState(TABLE, rulebooks()), talk.records)


def test_a_scene_is_closed_at_the_current_step_of_the_rules() -> None:
    talk = TableTalk(SCENE)
    talk.start()
    talk.decide("gm", call({"name": "wall"}, "agile", "ada"))
    talk.give(i.EndScene())
    *before, last = talk.records
    assert last.event == r.SceneEnded(left=r.LeftOpen("approach", ("ada",)))
    assert verify_log(log_of(talk.records), TABLE, games=GAMES).problems == ()
    forged = replace(last, event=r.SceneEnded(left=r.LeftOpen("price", ("ada",))))
    (problem,) = verify_log(log_of([*before, forged]), TABLE, games=GAMES).problems
    assert "closed at price, and by the rules at approach" in problem
