"""No way into the table for a name that deceives; what is in a journal already stays."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.rules.triangle.characters.sheet import as_values
from hub.table import inputs as i
from hub.table import naming
from hub.table.records import SceneSetup, StorySheets
from hub.table.state import SeatFault
from tests.support.evening import Evening, sheets, written
from tests.support.tabletalk import DUEL, TableTalk

DECEIVING = {
    "ad\u0430": "several alphabets",
    "__proto__": "pages' own",
    "Ninja": "looks like ninja",
}
NAMES = pytest.mark.parametrize(("name", "why"), DECEIVING.items())


def renamed(old: str, new: str, sides: dict[str, list[str]] | None = None) -> SceneSetup:
    """The duel with one more NPC."""
    characters = {**DUEL["characters"], new: DUEL["characters"][old]}
    sides = sides or {**DUEL["sides"], "gm-side": [*DUEL["sides"]["gm-side"], new]}
    return SceneSetup("unroll", {**DUEL, "sides": sides, "characters": characters})


def refused(talk: TableTalk, given: i.Input) -> str:
    before = talk.state
    with pytest.raises(SeatFault) as caught:
        talk.give(given)
    assert talk.state is before
    return str(caught.value)


@NAMES
def test_no_scene_begins_with_one(name: str, why: str) -> None:
    talk = TableTalk(gm_seat="gm")
    told = refused(talk, i.StartScene("", renamed("ninja", name)))
    assert told.startswith(f"the scene cannot begin: the name {name!a} ")
    assert why in told


def test_no_side_is_called_so() -> None:
    talk = TableTalk(gm_seat="gm")
    people = [["ada", "bo"], ["ninja", "crow"]]
    for sides in (("heroes", "herоes"), ("constructor", "foes"), ("Foes", "foes")):
        setup = SceneSetup("unroll", {**DUEL, "sides": dict(zip(sides, people, strict=True))})
        assert "the scene cannot begin: the name" in refused(talk, i.StartScene("", setup))


@NAMES
def test_no_story_begins_with_one(name: str, why: str) -> None:
    cast = sheets()
    talk = TableTalk(gm_seat="gm")
    for party, reserve in (([*cast, replace(cast[2], name=name)], []), (cast, [name])):
        waiting = [replace(cast[0], name=one) for one in reserve]
        told = refused(talk, i.BeginStory("unroll", StorySheets(written(party), written(waiting))))
        assert told.startswith("the story cannot begin: ") and why in told


@NAMES
def test_nobody_joins_under_one(name: str, why: str) -> None:
    talk = Evening(gm_seat="gm")
    sheet: dict[str, Any] = as_values(replace(sheets()[2], name=name))
    for given in (sheet, {"name": name, "like": "ninja"}):
        told = refused(talk, i.AddCharacter(given))
        assert told.startswith("the character cannot join: ") and why in told


def test_nobody_joins_who_looks_like_somebody_in_reserve_or_at_a_seat() -> None:
    talk = Evening(reserve=[replace(sheets()[0], name="Wenna")], gm_seat="gm")
    talk.settings = replace(talk.settings, seats={**talk.settings.seats, "bo": ("bo", "Tor")})
    for name, other in (("wenna", "Wenna"), ("Т\u043er", "alphabets"), ("T0r", "Tor")):
        assert other in refused(talk, i.AddCharacter({"name": name, "like": "ninja"}))
    talk.give(i.AddCharacter({"name": "Tor", "like": "ninja"}))


def test_no_countdown_is_called_so() -> None:
    talk = Evening(gm_seat="gm")
    talk.do("countdown new 4 Alarm")
    for name in ("alarm", "A1arm", "\u0410larm", "prototype"):
        assert "the countdown cannot begin: the name" in talk.refused(f"countdown new 4 {name}")
    talk.do("countdown new 4 Alert")


def test_a_journal_that_holds_one_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Evening(gm_seat="gm")
    with monkeypatch.context() as before:
        before.setattr(naming, "name_faults", lambda *_: iter(()))
        talk.do("countdown new 4 prototype")
        talk.give(i.StartScene("", renamed("ninja", "Ninjа")))
    talk.restart()
    assert talk.state.scene is not None
    assert "Ninjа" in talk.state.scene.seats["gm"]
    talk.do("countdown mark prototype")
