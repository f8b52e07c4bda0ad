"""The story between scenes: sessions, cures, healing by time, replacements, scenes and back."""

import json
from typing import Any

import msgspec
import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from hub.games.game import IllegalChoice, SetupError
from hub.games.registry import story_of
from hub.games.scripts import Part
from hub.games.tricube.rules.character import Absent, Affliction, Lasts
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.rules.written import read_challenge, read_characters
from hub.games.tricube.story.forms import MOST_CURES
from hub.games.tricube.story.scenes import TaleSceneRequest, after_scene
from hub.games.tricube.story.sheet import TaleSheet, as_values
from hub.kernel.documents import Document
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.state import SeatFault, Undoes
from tests.rules.tricube.test_sheets import sheet
from tests.support.tabletalk import TableTalk

STORY: Any = story_of("tricube")
ARM, FEAR, AGE = (
    Affliction("broken arm"),
    Affliction("fleeing", Lasts.SCENE),
    Affliction("old age", Lasts.PERMANENT),
)
CAST = (
    sheet("ada", perks=("healer", "brave"), quirks=("greedy",), karma=2),
    sheet("bo", perks=("troll blood",), karma=0, resolve=1, afflictions=(ARM, FEAR, AGE)),
    sheet("crow", dead=True, resolve=0, afflictions=(FEAR,)),
)
CURE = {"name": "ada", "who": "bo", "affliction": "broken arm", "perks": ["brave"]}
WOUNDS = tuple(Affliction(f"wound {n}") for n in range(4))


def begun(*sheets: TaleSheet, reserve: tuple[TaleSheet, ...] = ()) -> Any:
    return STORY.begin(
        [as_values(each) for each in sheets or CAST], [as_values(each) for each in reserve]
    )


def tell(state: Any, do: str, **more: Any) -> Any:
    return STORY.tell(state, {"do": do, **more})


def refused(state: Any, do: str, **more: Any) -> str:
    with pytest.raises(IllegalChoice) as no:
        tell(state, do, **more)
    assert no.value.reason.is_known
    why = STORY.why_not(state, {"do": do, **more})
    assert str(why) == str(no.value)
    return str(no.value)


def names(state: Any, who: str) -> list[str]:
    return [each.name for each in state.sheets[who].afflictions]


class TestDeeds:
    @pytest.mark.book("c14.session")
    def test_a_session_fills_karma_and_resolve_to_their_maximum(self) -> None:
        low = sheet("dee", karma=0, karma_max=1, resolve=1, resolve_max=5)
        after = tell(begun(*CAST, low), "session").sheets
        assert (after["ada"].karma, after["bo"].karma, after["dee"].karma) == (3, 3, 1)
        assert (after["bo"].resolve, after["dee"].resolve) == (3, 5)
        assert names(tell(begun(), "session"), "bo") == ["broken arm", "old age"]
        assert after["crow"] == CAST[2], "nothing of the kind for the dead"

    @pytest.mark.book("c11.cure", "assisting.cure")
    def test_a_friend_cures_for_a_karma(self) -> None:
        after = tell(begun(), "cure", **CURE)
        assert names(after, "bo") == ["fleeing", "old age"]
        assert (after.sheets["ada"].karma, after.sheets["ada"].karma_max) == (1, 3)

    @pytest.mark.book("c11.permanent")
    def test_a_permanent_affliction_costs_karma_for_good(self) -> None:
        after = tell(begun(), "cure", name="ada", who="bo", affliction="old age", perks=["healer"])
        assert names(after, "bo") == ["broken arm", "fleeing"]
        assert (after.sheets["ada"].karma, after.sheets["ada"].karma_max) == (1, 2)
        assert tell(after, "session").sheets["ada"].karma == 2

    def test_a_healer_without_karma_takes_a_complication(self) -> None:
        own = {"name": "bo", "affliction": "broken arm", "perks": ["troll blood"]}
        for said in ({}, {"complication": ""}, {"complication": " "}):
            why = refused(begun(), "cure", **own, **said)
            assert why.startswith("complication: is missing: bo has no")
        after = tell(begun(), "cure", **own, complication="it grows back crooked")
        assert names(after, "bo") == ["fleeing", "old age"] and after.sheets["bo"].karma == 0

    @pytest.mark.book("c11.time", "c11.convert")
    def test_time_heals_non_permanent_afflictions_and_an_advance_the_rest(self) -> None:
        state = tell(begun(), "recover", name="bo", affliction="broken arm")
        assert names(state, "bo") == ["fleeing", "old age"]
        assert "time does not heal" in refused(state, "recover", name="bo", affliction="old age")
        assert "only a permanent" in refused(state, "convert", name="bo", affliction="fleeing")
        state = tell(state, "convert", name="bo", affliction="old age")
        assert names(state, "bo") == ["fleeing"]
        assert state.sheets["bo"].quirks == ("old age",)

    @pytest.mark.book("c10.retired")
    def test_a_fourth_affliction_retires_until_a_cure(self) -> None:
        state = tell(begun(), "gain-affliction", name="bo", affliction="a cough", lasts="longer")
        assert STORY.view(state).party["bo"].absent is Absent.RETIRED
        own = {"name": "bo", "affliction": "a cough", "perks": ["troll blood"]}
        assert "is retired" in refused(state, "cure", **own, complication="x")
        state = tell(state, "cure", name="ada", who="bo", affliction="a cough", perks=["healer"])
        assert STORY.view(state).party["bo"].absent is None

    def test_the_gm_sets_a_sheets_values(self) -> None:
        state = tell(begun(), "tokens-are", name="ada", karma_max=1, resolve=1)
        ada = state.sheets["ada"]
        assert (ada.karma, ada.karma_max, ada.resolve, ada.resolve_max) == (1, 1, 1, 3)
        state = tell(state, "tokens-are", name="ada", karma=5, karma_max=5)
        assert state.sheets["ada"].karma == 5
        words = {"concept": "mayor", "style": "mental", "description": "", "perks": ["rich"]}
        marks = {"quirks": [], "afflictions": [{"name": "gout", "lasts": "permanent"}]}
        ada = tell(state, "sheet-is", name="ada", **words, **marks).sheets["ada"]
        assert (ada.concept, ada.style, ada.perks, ada.quirks) == ("mayor", "mental", ("rich",), ())
        assert ada.afflictions == (Affliction("gout", Lasts.PERMANENT),)

    def test_perks_and_quirks_are_gained_and_lost(self) -> None:
        state = tell(begun(), "gain", name="ada", what="perk", words=" flies ")
        state = tell(state, "gain", name="ada", what="quirk", words="vain")
        state = tell(state, "lose", name="ada", what="perk", words="brave")
        ada = tell(state, "lose", name="ada", what="quirk", words="greedy").sheets["ada"]
        assert (ada.perks, ada.quirks) == (("healer", "flies"), ("vain",))

    def test_a_revived_character_has_full_resolve(self) -> None:
        state = tell(begun(), "is-dead", name="crow", dead=False)
        assert (state.sheets["crow"].dead, state.sheets["crow"].resolve) == (False, 3)
        state = tell(state, "is-dead", name="ada")
        assert STORY.cast(state) == ("bo", "crow")

    def test_stakes_and_a_countdown_are_set(self) -> None:
        state = tell(begun(), "stakes", words="the lower town")
        state = tell(state, "begin-countdown", name="The flood", boxes=6)
        view = STORY.view(state)
        assert (view.stakes, view.countdowns[0].boxes) == ("the lower town", 6)

    @pytest.mark.parametrize(
        ("do", "more", "why"),
        [
            ("cure", CURE | {"affliction": "x"}, "not one of"),
            ("cure", CURE | {"affliction": "x", "who": "x"}, "no one"),
            ("cure", {"name": "x", "affliction": "x", "perks": ["brave"]}, "no one here is called"),
            ("cure", {"name": "crow", "affliction": "fleeing", "perks": []}, "crow is dead"),
            ("cure", CURE | {"perks": []}, "perks: needs at least one perk"),
            ("cure", CURE | {"perks": ["thief"]}, "not one of its perks"),
            ("cure", CURE | {"complication": "x"}, "complication: ada has karma"),
            (
                "cure",
                {"name": "bo", "affliction": "old age", "perks": ["troll blood"]},
                "costs one for good",
            ),
            ("recover", {"name": "ada", "affliction": "x"}, "not one of its afflictions"),
            ("recover", {"name": "crow", "affliction": "fleeing"}, "crow is dead"),
            ("gain-affliction", {"name": "ada", "affliction": "greedy"}, "already"),
            ("gain-affliction", {"name": "bo", "affliction": "fleeing"}, "already"),
            ("gain-affliction", {"name": "ada", "affliction": " "}, "one line of up to 100 "),
            ("gain-affliction", {"name": "crow", "affliction": "x"}, "crow is dead"),
            ("tokens-are", {"name": "ada"}, "has no content"),
            ("tokens-are", {"name": "ada", "karma": 4}, "karma: must be a whole number from 0"),
            ("tokens-are", {"name": "ada", "resolve": 0}, "resolve: must be a whole number from 1"),
            ("tokens-are", {"name": "ada", "resolve_max": 0}, "resolve_max: must be at least 1"),
            ("gain", {"name": "ada", "what": "perk", "words": "brave"}, "appears twice"),
            ("gain", {"name": "ada", "what": "perk", "words": "NONE"}, "a perk cannot be called"),
            ("gain", {"name": "bo", "what": "quirk", "words": "fleeing"}, "already"),
            ("lose", {"name": "ada", "what": "quirk", "words": "brave"}, "not one of its quirks"),
            ("lose", {"name": "bo", "what": "quirk", "words": "x"}, "not one of its quirks (none)"),
            ("sheet-is", {"name": "ada"}, "has no content"),
            ("sheet-is", {"name": "ada", "perks": ["none"]}, "a perk cannot be called"),
            ("sheet-is", {"name": "ada", "perks": ["a", "a"]}, "perks[1]:"),
            ("sheet-is", {"name": "bo", "quirks": ["fleeing"]}, "appears twice"),
            ("sheet-is", {"name": "ada", "concept": ""}, "concept: is one line"),
            ("is-dead", {"name": "crow"}, "crow is dead"),
            ("is-dead", {"name": "ada", "dead": False}, "ada is not dead"),
            ("join", {"name": "dee"}, "no one called"),
            ("take-place", {"name": "dee", "of": "crow"}, "no one called"),
        ],
    )
    def test_an_illegal_deed_is_refused_with_its_reason(
        self, do: str, more: dict[str, Any], why: str
    ) -> None:
        state = begun()
        assert why in refused(state, do, **more)
        assert state == begun()

    def test_every_offer_can_be_done_unchanged(self) -> None:
        dee = sheet("dee", perks=("tough",), afflictions=WOUNDS)
        state = begun(*CAST, dee, reserve=(sheet("eve"),))
        offers = STORY.offers(state)
        done = set()
        for offer in offers:
            read = {**offer.deed, **{f.at[0]: f.first for f in offer.fields if f.first}}
            if read.get("name") == "" or read["do"] == "stakes":
                continue
            assert offer.reason is None, (offer.deed, str(offer.reason))
            assert STORY.why_not(state, read) is None, read
            done.add(read["do"])
        ours = {each.__struct_config__.tag for each in STORY.deeds}
        assert done >= {tag for tag in ours if "countdown" not in tag} - {
            *("stakes", "wish", "decline")
        }

    def test_the_number_of_offered_cures_is_bounded(self) -> None:
        state = begun(*(sheet(f"p{n}", perks=("x",), afflictions=(ARM,)) for n in range(64)))
        offered = [offer.deed for offer in STORY.offers(state) if offer.deed["do"] == "cure"]
        assert len(offered) == MOST_CURES
        told = {"name": "p63", "who": "p0", "affliction": "broken arm", "perks": ["x"]}
        assert not tell(state, "cure", **told).sheets["p0"].afflictions


class TestPlaces:
    def test_a_newcomer_takes_the_place_of_a_dead_character(self) -> None:
        state = begun(reserve=(sheet("dee"), sheet("eve")))
        assert "neither dead nor retired" in refused(state, "take-place", name="dee", of="ada")
        state = tell(state, "take-place", name="dee", of="crow")
        assert (STORY.heirs(state), STORY.waiting(state)) == ({"dee": "crow"}, ("eve",))
        assert [*state.sheets] == ["ada", "bo", "crow", "dee"]
        assert "already" in refused(state, "take-place", name="eve", of="crow")
        assert STORY.cast(tell(state, "join", name="eve")) == ("ada", "bo", "dee", "eve")

    def test_a_newcomer_waits_in_reserve(self) -> None:
        came = STORY.newcomer(begun(), {"name": "Dee", "trait": "crafty", "concept": "sage"})
        state = STORY.join(begun(), came)
        assert STORY.waiting(state) == ("Dee",)
        assert STORY.enter(state, "Dee").sheets["Dee"].style == "mental"
        assert STORY.leave(state, "Dee") == begun()

    @pytest.mark.parametrize(
        ("given", "why"),
        [
            ({"name": "ada"}, "ada is already in the story"),
            ({"name": "crow"}, "is already in the story"),
            ({"name": " x"}, "a name is one line"),
            ({"name": "аdа"}, ""),
            ({"name": "Dee", "trait": "strong"}, "not one of agile"),
            ({"name": "Dee", "npc": True}, "foes have no sheets"),
            ({"name": "Dee", "ruleset": "unroll"}, "a sheet of"),
        ],
    )
    def test_an_invalid_newcomer_is_refused_with_its_reason(
        self, given: dict[str, Any], why: str
    ) -> None:
        values = {"trait": "crafty", "concept": "sage", **given}
        if given["name"] == "аdа":
            values["name"] = "аdаx"  # two alphabets in one word
        with pytest.raises(SetupError) as no:
            STORY.newcomer(begun(), values)
        assert why in str(no.value) and len(no.value.faults) == 1

    def test_all_faults_of_a_story_are_reported_at_once(self) -> None:
        with pytest.raises(SetupError) as no:
            STORY.begin(
                [as_values(CAST[0]), {**as_values(CAST[0]), "karma": 9}, {"name": "x"}],
                [as_values(CAST[0])],
                house=object(),
            )
        said = str(no.value)
        for why in (
            "two characters are called ada",
            "characters[1].karma",
            "characters[2].trait",
            "house",
        ):
            assert why in said


def asked(**more: Any) -> TaleSceneRequest:
    return msgspec.convert({"type": "scene", **more}, TaleSceneRequest)


def tale_of(setup: dict[str, Any]) -> Tale:
    """The tale with which a game begins."""
    document = Document(setup)
    characters = read_characters(document, setup["characters"], ("characters",))
    challenges = {
        name: read_challenge(Part(document, each, ("challenges", name), optional=None))
        for name, each in setup["challenges"].items()
    }
    document.check()
    return Tale(characters, challenges)


class TestScenes:
    def test_a_scene_includes_all_living_characters(self) -> None:
        staged = STORY.stage(begun(), asked(title="The bridge"))
        assert (staged.ruleset, staged.title) == ("tricube", "The bridge")
        assert staged.setup["dice"] == "table"
        tale = tale_of(staged.setup)
        assert tale.there() == ("ada", "bo")
        assert tale.characters["bo"].afflictions == (ARM, FEAR, AGE)
        assert (tale.characters["ada"].karma, tale.characters["bo"].resolve) == (2, 1)

    def test_a_scene_has_the_chosen_characters_and_challenges(self) -> None:
        state = tell(begun(), "is-dead", name="crow", dead=False)
        goblins = {"difficulty": 6, "effort": 4, "deadly": True}
        staged = STORY.stage(
            state,
            asked(
                characters=["crow", "ada"], challenges={"goblins": goblins, "wall": {}}, dice="hand"
            ),
        )
        tale = tale_of(staged.setup)
        assert [*tale.characters] == ["ada", "crow"], "around the table as in the story"
        assert [*tale.challenges] == ["goblins", "wall"]
        found = tale.challenges["goblins"]
        assert (found.difficulty, found.left, found.deadly) == (6, 4, True)
        assert tale.challenges["wall"].difficulty == 5 and staged.setup["dice"] == "hand"

    @pytest.mark.parametrize(
        ("request_", "why"),
        [
            ({"characters": []}, "characters: needs at least one character"),
            ({"characters": ["ada", "x"]}, 'characters[1]: no one here is called "x"'),
            ({"characters": ["crow"]}, "characters[0]: crow is dead"),
            ({"characters": ["ada", "ada"]}, 'characters[1]: "ada" appears twice'),
            ({"challenges": {"x": {"difficulty": 7}}}, "challenges.x.difficulty: must be a whole"),
            ({"challenges": {"x": {"effort": -1}}}, "challenges.x.effort: must be a whole"),
            ({"challenges": {" ": {}}}, "is not a name"),
            ({"challenges": {f"c{n}": {} for n in range(65)}}, "has at most 64 entries"),
            ({"title": "x" * 81}, "title"),
        ],
    )
    def test_an_invalid_scene_is_refused_with_its_reason(
        self, request_: dict[str, Any], why: str
    ) -> None:
        with pytest.raises(SetupError) as no:
            STORY.stage(begun(), asked(**request_))
        assert why in str(no.value) and len(no.value.faults) == 1

    def test_no_scene_begins_when_all_are_dead(self) -> None:
        with pytest.raises(SetupError, match="at least one character"):
            STORY.stage(begun(CAST[2]), asked())

    def test_the_forms_initial_values_can_be_sent(self) -> None:
        (offer,) = STORY.scenes(begun(*CAST, sheet("dee", afflictions=WOUNDS)))
        values = {**offer.scene, **{f.at[0]: f.first for f in offer.fields}}
        assert values["characters"] == ["ada", "bo"], "the retired only if the GM says so"
        assert STORY.stage(begun(), asked(**{k: v for k, v in values.items() if k != "type"}))

    @pytest.mark.book("c14.scene")
    def test_a_scene_is_written_back_to_the_sheets(self) -> None:
        """C14: characters who were out return, and effects that last for a scene end."""
        story = tell(begun(), "stakes", words="the bridge")
        tale = tale_of(STORY.stage(story, asked(characters=["bo", "ada"])).setup)
        ada, bo = tale.characters["ada"], tale.characters["bo"]
        tale = tale.put("ada", replace(ada, karma=0, afflictions=(FEAR, WOUNDS[0]), out=True))
        tale = tale.put("bo", replace(bo, resolve=0, dead=True))
        after = after_scene(story, tale)
        assert names(after, "ada") == ["wound 0"] and after.sheets["ada"].karma == 0
        assert after.sheets["bo"].dead and names(after, "bo") == [
            "broken arm",
            "fleeing",
            "old age",
        ]
        assert after.sheets["crow"] == story.sheets["crow"]
        assert after.stakes == "" and STORY.view(after).party["ada"].absent is None


class TestTable:
    def table(self) -> TableTalk:
        talk = TableTalk()
        sheets = [as_values(each) for each in CAST[:2]]
        talk.give(i.BeginStory("tricube", StorySheets(sheets, [as_values(sheet("dee"))], None)))
        return talk

    def party(self, talk: TableTalk) -> Any:
        story: Any = talk.view.story
        return story.party

    def do(self, talk: TableTalk, do: str, **more: Any) -> None:
        talk.give(i.TellStory({"do": do, **more}))

    def test_a_player_wishes_for_a_cure_and_the_gm_grants_or_declines(self) -> None:
        talk = self.table()
        wants = {"do": "cure", "name": "ada", "who": "bo", "affliction": "broken arm"}
        wants |= {"perks": ["healer"]}
        with pytest.raises(SeatFault):
            talk.give(i.Request(i.WishFor("ada", wants), "bo"))
        with pytest.raises(SeatFault, match="not one of its perks"):
            talk.give(i.Request(i.WishFor("ada", {**wants, "perks": ["magic"]}), "ada"))
        with pytest.raises(SeatFault):
            talk.give(
                i.Request(i.WishFor("ada", {"do": "tokens-are", "name": "ada", "karma": 3}), "ada")
            )
        talk.give(i.Request(i.WishFor("ada", wants), "ada"))
        talk.restart()
        self.do(talk, "decline", name="ada", because="not in the rain")
        assert self.party(talk)["ada"].karma == 2
        talk.give(i.Request(i.WishFor("ada", wants), "ada"))
        self.do(talk, **wants)
        assert self.party(talk)["ada"].karma == 1
        assert not STORY.wishes(talk.state.story and talk.state.story.state)

    def play(self, talk: TableTalk, *said: tuple[str, str]) -> None:
        for who, choice in said:
            if choice.startswith("approach"):
                talk.place(who, choice)
                talk.reveal()
                talk.clear()
            else:
                talk.decide(who, choice)

    @pytest.mark.book("c14.scene", "defeat.out", "recovery.scene")
    def test_a_scene_begins_from_the_sheets_and_comes_back(self) -> None:
        talk = self.table()
        self.do(talk, "stakes", words="the bridge")
        river = {"river": {"difficulty": 4, "effort": 2, "deadly": True}}
        talk.give(i.StartScene(to_builtins(asked(title="Flood", challenges=river, dice="hand"))))
        game: Any = talk.view.game
        assert (talk.step, [*game.cast], [*game.challenges]) == ("scene", ["ada", "bo"], ["river"])
        assert game.challenges["river"].deadly and game.cast["bo"].resolve == 1
        roll = {"challenge": "river", "type": "brawny", "rollers": {"bo": {}, "ada": {}}}
        self.play(talk, ("gm", "call " + json.dumps(roll)))
        talk.place("ada", "approach quirk greedy")
        self.play(talk, ("bo", "approach plain"), ("ada", "dice 6 1"), ("bo", "dice 2 3"))
        talk.restart()  # the dice are entered; the price is still open
        for _ in range(9):
            if talk.step == "fate":
                break
            default = {"karma": "karma none", "regain": "regain karma", "price": "price"}
            who = next(each for each in talk.view.awaited if each not in talk.committed)
            talk.decide(who, default[talk.step])
        assert talk.step == "fate"
        gone = {"affliction": "swept away", "lasts": "scene"}
        self.play(talk, ("gm", "fate " + json.dumps(gone)))
        game = talk.view.game
        assert (game.cast["bo"].absent, game.cast["ada"].karma) == ("retired", 3), "four by now"
        assert "swept away" in [each.name for each in game.cast["bo"].afflictions]
        talk.give(i.EndScene())
        talk.restart()
        party = self.party(talk)
        assert (party["bo"].absent, party["bo"].resolve, party["ada"].karma) == (None, 3, 3)
        assert [each.name for each in party["bo"].afflictions] == ["broken arm", "old age"]
        assert talk.view.story and talk.view.story.stakes == ""
        # Undo the scene's end, and end it again with the same result.
        talk.give(i.Undo(Undoes.END))
        game = talk.view.game
        assert game.cast["bo"].absent == "retired" and self.party(talk)["bo"].resolve == 1
        talk.give(i.EndScene())
        assert self.party(talk) == party

    def test_deeds_between_scenes_are_refused_in_a_scene(self) -> None:
        talk = self.table()
        talk.give(i.StartScene(to_builtins(asked())))
        with pytest.raises(SeatFault):
            self.do(talk, "session")
        self.do(talk, "stakes", words="the bridge")
        assert talk.view.story and talk.view.story.stakes == "the bridge"
