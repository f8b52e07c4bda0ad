"""NPCs who join during the evening: what is public about them, and that they stay."""

import pytest
from msgspec.structs import replace

from hub.games.game import GM
from hub.games.registry import rulebooks
from hub.games.triangle.rules.characters.sheet import as_values
from hub.games.triangle.rules.views import TriangleView
from hub.games.triangle.story.scenes import ConflictRequest
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import SceneSetup, ways_back
from hub.table.fold import fold_all
from hub.table.private_views import hand_view
from hub.table.sealed import Sealed
from hub.table.seating import cast, displaced
from hub.table.state import HubMisuse, Phase, SeatFault, TableState
from hub.table.views import deeds, seat_views
from hub.wire.log import LogFault, Row, decode_row
from tests.rules.cast import starting
from tests.support.evening import Evening, sheets, written
from tests.support.evening import cast as cast_of_evening
from tests.support.tabletalk import DUEL
from tests.support.told import in_words
from tests.support.words import brief

THUG = "npc Thug; attack 2; defend 1; moves attack-high, defend-mid; specials scouter"


def evening() -> Evening:
    return Evening(gm_seat="gm")


def test_the_name_is_public_and_the_sheet_is_not() -> None:
    talk = evening()
    talk.do(THUG)
    row = talk.rows[-1]
    joined = talk.records[-1].event
    assert isinstance(joined, r.CharacterJoined)
    assert (joined.name, joined.seat) == ("Thug", "")
    assert row.secret is not None and b"scouter" in row.secret
    public = b"".join(each.line for each in talk.rows)
    assert b'"type":"character-joined"' in public
    for word in (b"scouter", b"attack-high", b"npc"):
        assert word not in public
    assert "Thug" not in str(talk.view)
    assert in_words(talk.records[-1].event) == "Thug joins."


@pytest.mark.parametrize("come", [THUG, "npc Thug; like crow"])
def test_a_newcomer_is_kept_after_a_restart(come: str) -> None:
    talk = evening()
    talk.do(come)
    before = talk.sheets
    talk.restart()
    assert talk.sheets == before
    talk.duel(players=("ada",), others=("Thug",))
    assert talk.state.scene is not None
    assert talk.state.scene.seat_of("Thug") == "gm"
    talk.restart()
    talk.decide(GM, "active ada")
    talk.decide("ada", "opponent Thug")
    talk.place("gm", "stance none")
    assert talk.view.committed == ("Thug",)


def test_a_newcomer_during_a_scene_is_there_for_the_next() -> None:
    talk = evening()
    talk.duel(players=("ada",), others=("ninja",))
    talk.do(THUG)
    assert isinstance(talk.view.game, TriangleView)
    assert "Thug" not in talk.view.game.characters
    talk.hit()
    lost = talk.view.game.characters["ada"].energy
    talk.end()
    assert talk.sheet("ada").energy == lost
    talk.duel()
    assert "Thug" in talk.view.game.characters


def test_an_undo_of_play_does_not_touch_newcomers_or_leavers() -> None:
    talk = evening()
    talk.duel(players=("ada",), others=("ninja",))
    talk.hit()
    talk.do(THUG)
    talk.do("dismiss crow")
    talk.give(i.Undo())
    talk.give(i.Undo())
    assert "Thug" in talk.sheets and "crow" not in talk.sheets
    talk.restart()
    assert "Thug" in talk.sheets and "crow" not in talk.sheets


def test_a_character_in_the_scene_cannot_be_dismissed() -> None:
    talk = evening()
    talk.do(THUG)
    talk.duel(players=("ada",), others=("Thug",))
    assert "is in the scene" in talk.refused("dismiss Thug")
    offered = [brief(offer.deed) for offer in deeds(talk.state)]
    assert "dismiss ninja" in offered and "dismiss Thug" not in offered
    talk.do("dismiss ninja")
    talk.end()
    talk.do("dismiss Thug")
    assert talk.records[-1].event == r.CharacterLeft(name="Thug")
    assert in_words(talk.records[-1].event) == "Thug leaves."
    assert cast(talk.state) == ("ada", "bo", "crow")
    talk.restart()
    assert cast(talk.state) == ("ada", "bo", "crow")


def test_a_scene_outside_the_story_does_not_keep_characters() -> None:
    talk = evening()
    talk.start()
    talk.do("dismiss ninja")
    assert "ninja" not in talk.sheets


def test_without_a_gm_seat_the_refusal_of_an_npc_says_what_to_do() -> None:
    talk = Evening()
    assert "no seat plays Thug; give the GM’s [[seat]] gm = true" in talk.refused(THUG)
    talk.do("dismiss crow")
    talk.do("npc crow; like ninja")  # a seat names crow
    assert talk.sheets["crow"].max == talk.sheets["ninja"].max


def test_without_the_gm_seat_newcomers_cannot_be_played() -> None:
    talk = evening()
    talk.do(THUG)
    talk.settings = replace(talk.settings, gm_seat=None)
    with pytest.raises(SeatFault, match="Thug must be played by exactly one seat"):
        talk.stage(ConflictRequest())


def test_a_refused_newcomer_changes_nothing() -> None:
    talk = evening()
    assert "not a move of unroll" in talk.refused("npc Thug; attack 2; moves low-kick")
    assert "write an NPC as" in talk.refused("npc Thug")
    for given in (
        i.Request(i.AddCharacter(), sheet={"name": "ada", "like": "ninja"}),
        i.Request(i.RemoveCharacter("ada")),
    ):
        before = talk.state
        with pytest.raises(SeatFault):
            talk.give(given)
        assert talk.state is before
    assert talk.phase is Phase.IDLE


def bring(talk: Evening, name: str, seat: str = "") -> None:
    [given] = written([starting(name=name)])
    talk.give(i.Request(i.AddCharacter(seat=seat), sheet=given))


def seats_of(talk: Evening) -> dict[str, tuple[str, ...]]:
    return {view.seat: view.characters for view in seat_views(talk.state, talk.settings)}


def test_a_player_character_is_a_secret_until_it_is_in_the_party() -> None:
    talk = evening()
    bring(talk, "Kit", "bo")
    joined = talk.records[-1].event
    assert isinstance(joined, r.CharacterJoined)
    assert (joined.name, joined.seat) == ("Kit", "bo")
    assert "Kit" not in str(talk.view)
    public = b"".join(each.line for each in talk.rows)
    assert b"choir voice" not in public
    talk.do("join Kit")
    assert talk.sheet("Kit").backgrounds == {"ferry hand": 1, "choir voice": 1}
    talk.restart()
    assert talk.sheet("Kit").level == 1


def test_a_character_who_joins_at_once_is_in_the_party_until_undone() -> None:
    talk = evening()
    [given] = written([starting(name="Kit")])
    talk.give(i.Request(i.AddCharacter(seat="bo", joins=True), sheet=given))
    assert talk.sheet("Kit").backgrounds and "Kit" in seats_of(talk)["bo"]
    assert in_words(talk.records[-1].event) == "Kit joins."
    public = b"".join(each.line for each in talk.rows)
    assert b"choir voice" not in public
    talk.restart()
    talk.duel(players=("Kit",), others=("ninja",))
    assert talk.state.scene is not None and talk.state.scene.seat_of("Kit") == "bo"
    talk.end()
    for _ in range(2):  # first the scene's end, then its start
        talk.give(i.Undo(ways_back(talk.state)[-1].what))
    talk.give(i.Undo())
    assert "Kit" not in talk.story.party and "Kit" not in str(talk.state.seated)
    assert talk.state.story is not None and not talk.state.story.state.reserve


def test_no_character_joins_the_party_during_a_scene() -> None:
    talk = evening()
    [given] = written([starting(name="Kit")])
    talk.duel(players=("ada",), others=("ninja",))
    with pytest.raises(SeatFault, match="let the character wait"):
        talk.give(i.Request(i.AddCharacter(seat="bo", joins=True), sheet=given))
    talk.give(i.Request(i.AddCharacter(seat="bo"), sheet=given))
    assert "wait" in talk.refused("join Kit")
    talk.end()
    talk.do("join Kit")
    assert "Kit" in talk.story.party


def test_a_newcomer_gets_the_named_seat() -> None:
    talk = evening()
    bring(talk, "Kit", "bo")
    bring(talk, "Jory")
    talk.do("join Kit")
    talk.do("join Jory")
    talk.restart()
    assert "Kit" in seats_of(talk)["bo"] and "Jory" not in str(seats_of(talk))
    assert [held.name for held in hand_view(talk.state, talk.settings, "bo").actors][-1] == "Kit"
    talk.duel(players=("Kit", "Jory"), others=("ninja",))
    assert talk.state.scene is not None
    assert talk.state.scene.seat_of("Kit") == "bo" and talk.state.scene.seat_of("Jory") == "gm"


def test_a_replacement_takes_over_the_seat() -> None:
    talk = Evening()  # no seat plays characters whom the configuration does not name
    bring(talk, "Kit")
    assert "no seat plays Kit" in talk.refused("join Kit")
    talk.do("overrule ada dead because the bridge fell")
    talk.do("replace ada by Kit")
    talk.do("overrule Kit dead because the tide rose")
    bring(talk, "Jory")
    talk.do("replace Kit by Jory")
    talk.restart()
    assert seats_of(talk)["ada"] == ("ada", "Kit", "Jory")
    talk.duel(players=("Jory",), others=("ninja",))
    assert talk.state.scene is not None and talk.state.scene.seat_of("Jory") == "ada"


def test_an_unknown_or_configured_seat_is_refused() -> None:
    talk = evening()
    with pytest.raises(SeatFault, match="the table has no seat zoe"):
        bring(talk, "Kit", "zoe")
    talk.do("dismiss crow")
    with pytest.raises(SeatFault, match="crow is played by gm, as the configuration says"):
        talk.give(i.Request(i.AddCharacter(seat="bo"), sheet={"name": "crow", "like": "ninja"}))
    bring(talk, "Kit", "bo")
    talk.do("dismiss Kit")
    assert talk.state.seated == {}
    bring(talk, "Kit")
    talk.do("join Kit")
    assert "Kit" not in str(seats_of(talk))


def test_a_journal_that_does_not_fit_is_not_folded() -> None:
    talk = evening()
    talk.do(THUG)
    row = talk.rows[-1]
    with pytest.raises(LogFault, match="has no secret"):
        decode_row(Row(row.seq, row.line))
    joined, left = r.CharacterJoined(name="x"), r.CharacterLeft(name="x")
    sheet = r.CharacterSheet({"name": 7})
    wrong = [r.Record(1, 0, joined), r.Record(1, 0, left), r.Record(1, 0, joined, Sealed(sheet))]
    for record in wrong:
        with pytest.raises(HubMisuse):
            fold_all(TableState("test", rulebooks()), [record])
        with pytest.raises(HubMisuse):
            fold_all(talk.state, [replace(record, seq=talk.state.seq + 1)])


def in_a_file(name: str) -> SceneSetup:
    """A scene file, independent of the story, whose second foe has this name."""
    sheets = dict(DUEL["characters"])
    sheets[name] = sheets.pop("crow")
    sides = {"players": ["ada", "bo"], "gm-side": ["ninja", name]}
    return SceneSetup("unroll", {**DUEL, "sides": sides, "characters": sheets})


def test_a_name_at_another_seat_of_the_scene_file_is_refused() -> None:
    """Otherwise the scene could not go on after a restart."""
    talk = evening()
    talk.give(i.Request(i.StartScene(), scene=("A duel", in_a_file("Thug"))))
    given = written([starting(name="Thug")])[0]
    for seat in ("ada", "bo"):
        with pytest.raises(SeatFault, match="another Thug is in the scene, at another"):
            talk.give(i.Request(i.AddCharacter(seat=seat), sheet=given))
    talk.give(i.Request(i.AddCharacter(seat="gm"), sheet=given))
    assert displaced(talk.settings, talk.state) == {}


def test_a_newcomer_whose_name_has_a_seat_in_the_scene_cannot_leave() -> None:
    talk = evening()
    foe = next(each for each in cast_of_evening() if each["name"] == "crow")
    talk.give(i.Request(i.AddCharacter(seat="bo"), sheet={**foe, "name": "Thug"}))
    talk.give(i.Request(i.StartScene(), scene=("A duel", in_a_file("Thug"))))
    assert talk.state.scene is not None and talk.state.scene.seat_of("Thug") == "bo"
    with pytest.raises(SeatFault, match="Thug is in the scene"):
        talk.give(i.RemoveCharacter("Thug"))
    talk.end()
    talk.give(i.RemoveCharacter("Thug"))


def test_characters_whom_no_seat_names_are_in_the_gm_seats_hand() -> None:
    """The GM's seat holds the same characters that it plays once a scene begins."""
    talk = Evening(gm_seat="gm", party=[*sheets(), starting(name="cyd")])
    talk.do(THUG)

    def hands() -> list[list[str]]:
        seats = (hand_view(talk.state, talk.settings, seat) for seat in talk.settings.seats)
        return [[actor.name for actor in hand.actors] for hand in seats]

    assert hands() == [["ada"], ["bo"], ["ninja", "crow", "cyd", "Thug"]]
    talk.duel(players=("ada", "cyd"), others=("Thug",))
    ada, bo, gm = hands()
    assert (ada, bo, sorted(gm)) == (["ada"], ["bo"], ["Thug", "crow", "cyd", "ninja"])


def asked(talk: Evening, seat: str, *, by: str = "bo", **other: object) -> str:
    """The reason for which a seat cannot ask for a character; empty if it can."""
    sheet = as_values(replace(sheets()[0], name="Wenna", npc=False)) | other
    before = talk.state
    try:
        talk.give(i.Request(i.AddCharacter(seat=seat), by, sheet=sheet))
    except SeatFault as fault:
        assert talk.state is before
        return str(fault)
    return ""


def test_a_free_seat_asks_for_a_character_who_waits_for_the_gm() -> None:
    ada, _, *npcs = sheets()
    secret = replace(npcs[0], name="Sibyl")
    talk = Evening(party=[ada, *npcs, secret], gm_seat="gm")
    assert "for the GM" in asked(talk, "ada")
    assert "your seat already has a character" in asked(talk, "ada", by="ada")
    assert "for the GM" in asked(talk, "bo", npc=True)
    # Nothing may show that a name is taken by a character whom only the GM knows.
    told = {asked(talk, "bo", name=name) for name in ("Sibyl", "Siby1", "ada", "A\u0064a")}
    assert told == {"this name is too much like another at this table; choose another"}
    assert hand_view(talk.state, talk.settings, "bo").free
    assert asked(talk, "bo") == ""
    hand = hand_view(talk.state, talk.settings, "bo")
    assert [one.waits for one in hand.actors if one.name == "Wenna"] == [True]
    assert not hand.free and "Wenna" not in talk.sheets
    assert "is already waiting for the GM" in asked(talk, "bo", name="Tor")
    talk.restart()
    assert not hand_view(talk.state, talk.settings, "bo").free
    with pytest.raises(SeatFault, match="not played at your seat"):
        talk.give(i.Request(i.RemoveCharacter("Wenna"), "ada"))
    talk.give(i.Request(i.RemoveCharacter("Wenna"), "bo"))
    assert hand_view(talk.state, talk.settings, "bo").free
    assert asked(talk, "bo") == ""
    talk.do("join Wenna")
    assert "Wenna" in talk.sheets and not hand_view(talk.state, talk.settings, "bo").free
    with pytest.raises(SeatFault, match="not played at your seat"):
        talk.give(i.Request(i.RemoveCharacter("Wenna"), "bo"))
