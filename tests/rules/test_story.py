"""A story under any deeds: invariants of sheets and countdowns, and how deeds are written."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from hub.games.countdowns import MAX_ID_CHARS
from hub.games.game import GM, Choice, IllegalChoice, Kind, SetupError
from hub.games.registry import game_of, rulebooks, story_of
from hub.games.story import BEGIN_COUNTDOWN, parse_deed
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import Background, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.story.deeds import DEEDS
from hub.games.triangle.story.scenes import ConflictRequest, ProblemRequest
from hub.games.triangle.story.state import StoryState
from hub.games.triangle.story.written import WRITTEN
from tests.rules.cast import starting, with_marks
from tests.support.evening import cast, sheets, written
from tests.support.said import deed_of
from tests.support.words import brief

NAMES = ["ada", "bo", "ninja", "crow"]
COUNTDOWNS = ["The tide", "the tide", "Rain; or sun", "Ω", "x" * 64]
LEVEL_UPS = ["energy attack", "move attack-low; called Sweep", "combo attack-mid grapple-low",
             "special scouter; regain veto", "variant attack-mid +1", "move",
             "energy attack; energy grapple"]  # fmt: skip
names = st.sampled_from(NAMES)
types = st.sampled_from([*Action])
deeds = st.one_of(
    st.tuples(st.integers(3, 9), st.sampled_from(COUNTDOWNS)).map(
        lambda drawn: f"countdown new {drawn[0]} {drawn[1]}"
    ),
    st.tuples(st.sampled_from(["mark", "unmark", "erase"]), st.sampled_from(COUNTDOWNS)).map(
        lambda drawn: f"countdown {drawn[0]} {drawn[1]}"
    ),
    st.tuples(st.sampled_from(["breather", "short"]), types, types).map(
        lambda drawn: f"rest {drawn[0]} {drawn[1]} ada; {drawn[2]} bo"
    ),
    st.sampled_from(["rest full", "rest breather", "rest short", "stakes", "stakes All of it"]),
    st.tuples(names, types, st.integers(0, 5)).map(
        lambda drawn: f"recover {drawn[0]} {drawn[1]} {drawn[2]}"
    ),
    st.tuples(
        st.sampled_from(["mark", "unmark"]), st.sampled_from(["belief", "flaw", "goal"]), names
    ).map(" ".join),
    st.tuples(names, st.sampled_from(LEVEL_UPS)).map(
        lambda drawn: f"level-up {drawn[0]} {drawn[1]}"
    ),
    names.map(lambda name: f"replace {name} by Wenna / energy attack"),
    st.tuples(st.sampled_from(["ninja 2", "Dock Guard", "ada"]), names).map(
        lambda drawn: f"npc {drawn[0]}; like {drawn[1]}"
    ),
    st.sampled_from(["npc Thug; attack 2; moves attack-high", "dismiss Thug", "dismiss crow"]),
)


class StoryMachine(RuleBasedStateMachine):
    """Deeds, conflicts and problems in any order, legal or not."""

    @initialize(ruleset=st.sampled_from([*EDITIONS]))
    def begin(self, ruleset: str) -> None:
        self.story = story_of(ruleset)
        some = [with_marks(sheet) if not sheet.npc else sheet for sheet in sheets(ruleset)]
        self.state: StoryState = self.story.begin(
            written(some), written([starting(ruleset, name="Wenna")])
        )
        self.rested: list[str] = []

    @rule(written_deed=deeds)
    def tell(self, written_deed: str) -> None:
        deed = parse_deed(written_deed)
        why = self.story.why_not(self.state, deed)
        if why and "since the last rest" in str(why):
            self.state = self.story.tell(
                self.state, deed_of(self.state, "overrule rest because we are tired")
            )
            assert self.story.why_not(self.state, deed) is None
            return
        try:
            self.state = self.story.tell(self.state, deed)
        except IllegalChoice as error:
            assert error.reason == why and "\n" not in str(why)
            return
        assert why is None
        kind = deed.value.split()[0] if deed.kind == "rest" else ""
        assert kind not in self.rested  # a lesser rest is allowed once
        self.rested = [] if kind == "full" else [*self.rested, *([kind] if kind else [])]

    @rule(data=st.data(), request=st.sampled_from([ConflictRequest(lethal=True), ProblemRequest()]))
    def play(self, data: Any, request: ConflictRequest | ProblemRequest) -> None:
        """Play a scene for a while, or to its end."""
        try:
            staged = self.story.stage(self.state, request)
        except SetupError:
            return
        game = game_of(staged.ruleset)
        scene = game.begin(staged.setup)
        for _ in range(data.draw(st.integers(0, 40))):
            pending = game.pending(scene)
            if not pending.must:
                break
            chosen = {}
            for actor in pending.must:
                offers = [o.choice for o in game.offers(scene, actor) if not o.reason]
                fitting = [choice for choice in offers if choice.kind in pending.kinds]
                assert fitting, f"{actor} can do nothing at {pending.step}"
                chosen[actor] = data.draw(st.sampled_from(fitting))
            scene = game.advance(scene, chosen)
        self.state = self.story.after(self.state, staged.ruleset, scene)

    @invariant()
    def energies_are_within_their_bounds(self) -> None:
        for sheet in self.state.sheets.values():
            assert all(0 <= sheet.energy.of(each) <= sheet.max.of(each) for each in Action)
            assert faults_of(sheet) == ()

    @invariant()
    def countdowns_are_within_their_bounds(self) -> None:
        shown = self.story.view(self.state).countdowns
        assert all(0 <= each.marked <= each.boxes and 4 <= each.boxes <= 8 for each in shown)
        ids = [each.id for each in shown]
        assert len({*ids}) == len(ids)
        assert not {*ids} & {*self.state.countdowns.erased}
        assert all(0 < len(each) <= MAX_ID_CHARS for each in ids)

    @invariant()
    def every_offer_says_whether_it_can_be_done(self) -> None:
        for offer in self.story.offers(self.state):
            if offer != BEGIN_COUNTDOWN:  # its name is still missing
                assert self.story.why_not(self.state, offer.deed) == offer.reason


TestStory = StoryMachine.TestCase
TestStory.settings = settings(max_examples=25, stateful_step_count=25)


def begun(party: list[Sheet] | None = None) -> StoryState:
    state: StoryState = rulebooks().stories["unroll"].begin(written(party or sheets()))
    return state


words = st.sampled_from([
    *WRITTEN,
    "new", "mark", "erase", "6", "breather", "full", "belief", "goal", "ada", "ninja", "by",
    "/", ";", "attack", "move", "attack-high", "variant", "+1", "combo", "regain", "veto",
    "The tide", "", "\x00", "²", "🜂",
])  # fmt: skip


@given(st.lists(words, max_size=9).map(" ".join) | st.text(max_size=60))
@settings(max_examples=400)
def test_any_deed_is_done_or_refused_with_a_sentence(text: str) -> None:
    story, state = rulebooks().stories["unroll"], begun()
    try:
        deed = parse_deed(text)
        after = story.tell(state, deed)
    except IllegalChoice as error:
        assert str(error).isprintable()
    else:
        assert parse_deed(str(deed)) == deed
        assert story.view(after)


@pytest.mark.book("goal.text", "level-up.gm")
@pytest.mark.parametrize(
    ("deed", "words"),
    [
        ("dance", "is not a deed (countdown, stakes, rest"),
        ("countdown", "the change to a countdown must be one of new, mark"),
        ("countdown new The tide", "such as 'countdown new 6 The tide'"),
        ("countdown new 9 The tide", "from 4 to 8"),
        ("countdown new 6", "has a name"),
        ("countdown mark The tide", "there is no countdown"),
        ("stakes " + "x" * 301, "at most 300"),
        ("rest long", "a rest must be one of breather, short, full"),
        ("rest short luck ada", "is not a type of energy"),
        ("rest short attack Nobody", "first name a character of the story"),
        ("rest breather attack ada attack", "one type for each"),
        ("recover ada", "recovers by resting"),
        ("recover ninja attack 5", "from 0 to 4"),
        ("mark hope ada", "one of belief, flaw, goal"),
        ("mark belief ada twice", "is too much"),
        ("unmark belief ada", "is not marked"),
        ("background ada choir voice", "must be printable"),
        ("background ada choir voice as ferry hand", "ferry hand"),
        ("background ada cook as baker", "there are: ferry hand, choir voice"),
        ("level-up ada", "has not marked yet"),
        ("level-up ada dance", "is not part of a level-up"),
        ("level-up ada move", "move lacks a value"),
        ("level-up ada move a; move b", "move is said twice"),
        ("level-up ada combo a", "combo START MOVE"),
        ("level-up ada regain luck", "restores backgrounds or veto"),
        ("replace ada by Wenna", "there are: no one"),
        ("npc", "write an NPC as 'npc Guard; attack 3;"),
        ("npc Guard", "or 'npc Guard 2; like Guard'"),
        ("npc Guard attack 3", "or 'npc Guard 2; like Guard'"),
        ("npc ; attack 3", "write an NPC as"),
        ("npc Guard; attack", "attack lacks a value"),
        ("npc Guard; attack 3; attack 4", "attack lacks a value, or is said twice"),
        ("npc Guard; attack -1", "attack must be a number from 0 to 9999"),
        ("npc Guard; attack ²", "attack must be a number"),
        ("npc Guard; attack 99999", "attack must be a number"),
        ("npc Guard; defend 0", "needs energy"),
        ("npc Guard; moves attack-high", "needs energy"),
        ("npc Guard; strength 3", "is not part of an NPC (like, attack, defend"),
        ("npc Guard; attack 3; moves attack-mad", "moves.attack-mad is not a move of unroll"),
        ("npc Guard; attack 3; moves attack-high, attack-high", "is already known"),
        ("npc Guard; attack 3; specials luck", "is not a special of unroll"),
        ("npc Guard; attack 3; level 0", "unroll starts at 1"),
        ("npc gm; attack 3", "name cannot be gm"),
        ("npc ninja; attack 3", "ninja is already in the story"),
        ("npc ada; like ninja", "ada is already in the story"),
        ("npc Guard; like", "like lacks a value"),
        ("npc Guard; like Nobody", 'there is no NPC "Nobody" to copy'),
        ("npc Guard; like ada", 'there is no NPC "ada" to copy'),
        ("npc Guard; like ninja; attack 3", "add nothing else"),
        ("dismiss", "there is no NPC"),
        ("dismiss Nobody", 'there is no NPC "Nobody"'),
        ("dismiss ada", "ada is a player character"),
    ],
)
def test_a_refusal_says_why(deed: str, words: str) -> None:
    why = rulebooks().stories["unroll"].why_not(begun(), parse_deed(deed))
    assert why is not None and words in str(why)


def test_the_longest_matching_name_is_meant() -> None:
    some = sheets()
    some[1] = replace(some[1], name="ada the Bold")
    state = begun(some)
    after = rulebooks().stories["unroll"].tell(state, parse_deed("mark belief ada the Bold"))
    assert after.sheets["ada the Bold"].belief.marked
    assert not after.sheets["ada"].belief.marked


def test_a_background_decided_in_play_appears_on_the_sheet() -> None:
    some = sheets()
    some[0] = replace(some[0], backgrounds=some[0].backgrounds[:1])
    story, game = rulebooks().stories["unroll"], game_of("unroll-problem")
    state = story.begin(written(some))
    scene = game.begin(story.stage(state, ProblemRequest(interested=("ada",))).setup)
    scene = game.advance(scene, {"ada": Choice("option", "2")})
    new = Choice("describe", "background to be named")
    assert new in [offer.choice for offer in game.offers(scene, "ada")]
    scene = game.advance(scene, {"ada": new})
    scene = game.advance(scene, {GM: Choice("outcome", "stands")})
    state = story.after(state, game.ruleset, scene)
    assert story.view(state).party["ada"].backgrounds == {"ferry hand": 1, "to be named": 0}
    state = story.tell(state, parse_deed("background ada to be named as Ship's cook"))
    assert story.view(state).party["ada"].backgrounds == {"ferry hand": 1, "Ship's cook": 0}


@pytest.mark.book("replacement.step-by-step")
def test_a_replacement_levels_up_step_by_step() -> None:
    some = sheets()
    some[0] = replace(some[0], dead=True, energy=Energy(0, 0, 0))
    story = rulebooks().stories["unroll"]
    state = story.begin(written(some), written([starting(name="Wenna")]))
    assert "level_ups" not in str(story.why_not(state, parse_deed("replace ada by Wenna")))
    after = story.tell(state, parse_deed("replace ada by Wenna"))
    assert [*after.sheets] == ["bo", "ninja", "crow", "Wenna"]
    assert after.reserve == {}


def test_a_name_may_hold_the_word_that_follows_it() -> None:
    some = sheets()
    some[0] = replace(
        some[0],
        name="Stand by Me",
        backgrounds=(Background("known as ferry hand"), Background("known")),
    )
    story = rulebooks().stories["unroll"]
    me = starting(name="Me")
    state = story.begin(written(some), written([me, replace(me, name="Wenna")]))
    named = story.tell(state, parse_deed("background Stand by Me known as ferry hand as Baker"))
    assert [each.name for each in named.sheets["Stand by Me"].backgrounds] == ["Baker", "known"]
    named = story.tell(state, parse_deed("background Stand by Me known as as good as new"))
    assert named.sheets["Stand by Me"].backgrounds[1].name == "as good as new"
    moved = story.tell(state, parse_deed("rename Stand by Me attack-high as Same as Ever"))
    assert moved.sheets["Stand by Me"].moves[0].name == "Same as Ever"
    dead = deed_of(state, "overrule Stand by Me dead because the bridge fell")
    state = story.tell(state, dead)
    offers = [brief(offer.deed) for offer in story.offers(state) if not offer.reason]
    assert "replace Stand by Me Wenna" in offers
    after = story.tell(state, parse_deed("replace Stand by Me by Me"))
    assert "Me" in after.sheets and "Stand by Me" not in after.sheets


@pytest.mark.book("using-veto.no-veto-of-veto")
def test_a_veto_cannot_be_vetoed() -> None:
    story, game = rulebooks().stories["unroll"], game_of("unroll-problem")
    three = [starting(name=name) for name in ("ada", "bo", "cy")]
    scene = game.begin(story.stage(story.begin(written(three)), ProblemRequest()).setup)
    choices = {
        name: Choice("option", "3" if name == "ada" else "1") for name in ("ada", "bo", "cy")
    }
    scene = game.advance(scene, choices)
    scene = game.advance(scene, {"ada": Choice("describe", "flaw")})
    assert game.why_not(scene, "ada", Choice("veto")) is not None
    scene = game.declare(scene, "bo", Choice("veto"))
    while (pending := game.pending(scene)).must:
        assert pending.kind is Kind.DECISION
        for name in ("ada", "bo", "cy", GM):
            with pytest.raises(IllegalChoice):
                game.declare(scene, name, Choice("veto"))
        scene = game.advance(scene, {pending.must[0]: Choice("substitute", "idea")})
    assert game.view(scene).result.decider == "bo"  # type: ignore[attr-defined]


class TestTypedDeeds:
    """Deeds as values: a name or a text may hold any word; written deeds become the same values."""

    WRITTEN = (
        "countdown new 6 The tide", "stakes The boat; or not", "rest full", "lose ada attack 1",
        "rest breather attack ada; grapple bo", "recover ninja", "recover ninja attack 1",
        "rename ada attack-high as Overhand", "mark belief ada", "rewrite goal ada Find it",
        "background ada ferry hand as Cook", "overrule ada attack 1 because of the tide",
        "overrule rest because we are tired", "overrule ada zero none because of it",
        "overrule bo dead because of it", "overrule ada veto no because of it",
        "overrule ada background ferry hand 0 because of it", "dismiss ninja",
        "overrule ada rested breather because of it", "overrule ada sits-out yes because of it",
        "level-up ada energy attack; called Low Sun", "replace bo by Wenna / energy grapple",
    )  # fmt: skip

    @pytest.mark.parametrize("text", WRITTEN)
    def test_written_deeds_become_values_with_the_same_effect(self, text: str) -> None:
        story, state = rulebooks().stories["unroll"], told_so_far()
        written = deed_of(state, text)
        values = story.read(state, written)
        again = json.loads(json.dumps(values))
        assert story.read(state, again) == values
        assert story.why_not(state, written) == story.why_not(state, again)
        if story.why_not(state, again) is None:
            assert story.tell(state, again) == story.tell(state, written)

    @pytest.mark.parametrize("words", ["a; called b", 'a "b" because c', "by as / ; because"])
    def test_a_text_may_hold_any_word(self, words: str) -> None:
        story, state = rulebooks().stories["unroll"], told_so_far()
        for values in (
            {"do": "rewrite", "name": "ada", "trait": "goal", "words": words},
            {"do": "stakes", "words": words},
            {"do": "overrule", "holds": {"what": "rest"}, "because": words},
        ):
            assert story.why_not(state, values) is None
        goal = {"do": "rewrite", "name": "ada", "trait": "goal", "words": words}
        assert story.tell(state, goal).sheets["ada"].goal.text == words

    @pytest.mark.parametrize(
        "given",
        [
            {}, {"do": "sing"}, {"do": "mark", "name": "ada"},
            {"do": "mark", "name": "ada", "trait": "hat"},
            {"do": "mark", "name": "ada", "trait": "goal", "more": 1},
            {"do": "lose", "name": "ada", "type": "attack", "points": "1"},
            {"do": "lose", "name": "ada", "type": "attack", "points": -1},
            {"do": "stakes", "words": "x" * 1001}, {"do": "stakes", "words": "a\x00b"},
            {"do": "level-up", "name": "ada", "choices": {"mov": "attack-mid"}},
            {"do": "overrule", "holds": {"what": "rest"}, "because": ""},
        ],
    )  # fmt: skip
    def test_an_invalid_deed_is_refused_with_a_reason(self, given: dict[str, Any]) -> None:
        assert "this is not a deed" in str(
            rulebooks().stories["unroll"].why_not(told_so_far(), given)
        )

    @pytest.mark.parametrize("kind", DEEDS)
    def test_an_unknown_name_is_refused(self, kind: type) -> None:
        fields = {field.name for field in msgspec.structs.fields(kind)}
        examples = {
            "trait": "goal", "type": "attack", "points": 1, "boxes": 6, "move": "attack-high",
            "called": "x", "words": "x", "background": "x", "by": "nobody", "choices": {},
        }  # fmt: skip
        if "name" not in fields or kind.__struct_config__.tag == "begin-countdown":  # type: ignore[attr-defined]
            return
        given = {name: examples[name] for name in fields & examples.keys()}
        given |= {"do": kind.__struct_config__.tag, "name": "nobody"}  # type: ignore[attr-defined]
        why = rulebooks().stories["unroll"].why_not(told_so_far(), given)
        assert why and "not a deed" not in str(why)


def told_so_far() -> StoryState:
    story: Any = rulebooks().stories["unroll"]
    state: StoryState = story.begin(cast(), written([starting(name="Wenna")]))
    for text in (
        "overrule rest because we are tired", "mark belief ada", "mark goal ada",
        "overrule ada zero attack because of it",
    ):  # fmt: skip
        state = story.tell(state, deed_of(state, text))
    return state
