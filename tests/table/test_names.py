"""No deceptive name gets into the table; names in an existing journal stay."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import Choice
from hub.games.triangle.rules.characters import faults
from hub.games.triangle.rules.characters.sheet import Background, as_values
from hub.table import acts as i
from hub.table import seating
from hub.table.acts import SceneSetup, StorySheets
from hub.table.state import SeatFault
from tests.support.evening import Evening, sheets, written
from tests.support.tabletalk import DUEL, TableTalk

DECEIVING = {
    "ad\u0430": "several alphabets",
    "__proto__": "that the pages use",
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
def test_no_scene_begins_with_a_deceptive_name(name: str, why: str) -> None:
    talk = TableTalk(gm_seat="gm")
    told = refused(talk, i.Request(i.StartScene(), scene=("", renamed("ninja", name))))
    assert told.startswith(f"the scene cannot begin: the name {name!a} ")
    assert why in told


def test_no_side_has_a_deceptive_name() -> None:
    talk = TableTalk(gm_seat="gm")
    people = [["ada", "bo"], ["ninja", "crow"]]
    for sides in (("heroes", "herоes"), ("constructor", "foes"), ("Foes", "foes")):
        setup = SceneSetup("unroll", {**DUEL, "sides": dict(zip(sides, people, strict=True))})
        assert "the scene cannot begin: the name" in refused(
            talk, i.Request(i.StartScene(), scene=("", setup))
        )


@NAMES
def test_no_story_begins_with_a_deceptive_name(name: str, why: str) -> None:
    cast = sheets()
    talk = TableTalk(gm_seat="gm")
    for party, reserve in (([*cast, replace(cast[2], name=name)], []), (cast, [name])):
        waiting = [replace(cast[0], name=one) for one in reserve]
        told = refused(talk, i.BeginStory("unroll", StorySheets(written(party), written(waiting))))
        assert told.startswith("the story cannot begin: ") and why in told


@NAMES
def test_no_character_joins_under_a_deceptive_name(name: str, why: str) -> None:
    talk = Evening(gm_seat="gm")
    sheet: dict[str, Any] = as_values(replace(sheets()[2], name=name))
    for given in (sheet, {"name": name, "like": "ninja"}):
        told = refused(talk, i.Request(i.AddCharacter(), sheet=given))
        assert told.startswith("the character cannot join: ") and why in told


def test_no_newcomer_has_a_name_like_one_in_reserve_or_at_a_seat() -> None:
    talk = Evening(reserve=[replace(sheets()[0], name="Wenna")], gm_seat="gm")
    talk.settings = replace(talk.settings, seats={**talk.settings.seats, "bo": ("bo", "Tor")})
    for name, other in (("wenna", "Wenna"), ("Т\u043er", "alphabets"), ("T0r", "Tor")):
        assert other in refused(
            talk, i.Request(i.AddCharacter(), sheet={"name": name, "like": "ninja"})
        )
    talk.give(i.Request(i.AddCharacter(), sheet={"name": "Tor", "like": "ninja"}))


def test_no_countdown_has_a_deceptive_name() -> None:
    talk = Evening(gm_seat="gm")
    talk.do("countdown new 4 Alarm")
    for name in ("alarm", "A1arm", "\u0410larm", "prototype"):
        assert "the countdown cannot begin: the name" in talk.refused(f"countdown new 4 {name}")
    talk.do("countdown new 4 Alert")


def test_a_journal_with_a_deceptive_name_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = Evening(gm_seat="gm")
    with monkeypatch.context() as before:
        before.setattr(seating, "name_faults", lambda *_: iter(()))
        talk.do("countdown new 4 prototype")
        talk.give(i.Request(i.StartScene(), scene=("", renamed("ninja", "Ninjа"))))
    talk.restart()
    assert talk.state.scene is not None
    assert "Ninjа" in talk.state.scene.seats["gm"]
    talk.do("countdown mark prototype")


def test_no_entry_on_a_sheet_has_a_deceptive_name() -> None:
    talk = Evening(gm_seat="gm")
    talk.do("rename ada attack-mid as Jam")
    talk.do("background ada choir voice as Jam")
    for name, why in {"J\u0430b": "alphabets", "Jarn": "looks like Jam", "__x": "pages"}.items():
        for deed in ("rename ada attack-high as {}", "background ada ferry hand as {}"):
            told = talk.refused(deed.format(name))
            assert "the name" in told and why in told, told


@pytest.mark.parametrize("stakes", ["The t\u0456de book", "__proto__", "The tide\u2800 book"])
def test_deceptive_stakes_are_refused(stakes: str) -> None:
    talk = Evening(gm_seat="gm")
    assert "the text" in talk.refused(f"stakes {stakes}")
    with pytest.raises(SeatFault, match="stakes: the text"):
        talk.duel(stakes=stakes)


@pytest.mark.parametrize(
    "stakes", ["The tide book … or 50 % of it!", "Das Buch der Ελένη", "½ a loaf"]
)
def test_stakes_may_use_any_alphabet(stakes: str) -> None:
    talk = Evening(gm_seat="gm")
    talk.do(f"stakes {stakes}")
    assert talk.story.stakes == stakes


def test_no_character_joins_with_a_deceptive_sheet() -> None:
    talk = Evening(gm_seat="gm")
    foe = sheets()[2]
    moves = (replace(foe.moves[0], name="Jab"), replace(foe.moves[1], name="JAB"), *foe.moves[2:])
    for changed in (
        replace(foe, name="Guard", moves=moves),
        replace(foe, name="Guard", backgrounds=(Background("constructor"),)),
    ):
        told = refused(talk, i.Request(i.AddCharacter(), sheet=as_values(changed)))
        assert told.startswith("the character cannot join: the name"), told


PROBLEM = {
    "ruleset": "unroll-problem",
    "characters": {"ada": {"backgrounds": {"Ink": 1}, "undecided": 1}, "bo": {}},
    "interested": ["ada", "bo"],
}


def told_with(talk: TableTalk) -> None:
    talk.start()
    talk.place("ada", "option 2")
    talk.place("bo", "option 1")
    talk.reveal()


def test_no_background_decided_in_play_has_a_deceptive_name() -> None:
    talk = TableTalk(PROBLEM)
    told_with(talk)
    for name, why in {
        "lnk": "looks like Ink",
        "Sh\u0456p": "alphabets",
        "valueOf": "pages",
    }.items():
        told = refused(
            talk, i.Request(i.Decide("ada", str(Choice("describe", f"background {name}"))), "ada")
        )
        assert why in told, told
    talk.decide("ada", "describe background Ship")


def test_a_journal_with_deceptive_sheets_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    talk, problem = Evening(gm_seat="gm"), TableTalk(PROBLEM)
    told_with(problem)
    with monkeypatch.context() as before:
        before.setattr(faults, "name_faults", lambda *_: iter(()))
        before.setattr("hub.games.story.text_fault", lambda _: None)
        talk.do("rename ada attack-mid as __x")
        talk.do("stakes __proto__")
        problem.decide("ada", "describe background valueOf")
    for one in (talk, problem):
        one.restart()
    assert "__x" in [move.name for move in talk.sheets["ada"].moves]
    assert talk.story.stakes == "__proto__"
    talk.do("background ada ferry hand as ferryman")
