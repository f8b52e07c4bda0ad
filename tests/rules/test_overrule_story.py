"""The GM overrules a problem, and between scenes (R11): each clause, and every refusal."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.game import GM, Choice, RulesError
from hub.games.overrules import tag
from hub.games.registry import game_of, rulebooks
from hub.games.triangle.rules.characters.faults import faults_of
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Rest, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.problem.state import ProblemState
from hub.games.triangle.story.overrules import OF_NPCS, WORD
from hub.games.triangle.story.scenes import ProblemRequest
from hub.games.triangle.story.state import StoryState
from tests.rules.cast import starting
from tests.support.evening import sheets, written
from tests.support.said import overruling
from tests.support.said.story import CLAUSES
from tests.support.words import overruled, why_not

STORY = rulebooks().stories["unroll"]
GAME = game_of("unroll-problem")


def begun() -> StoryState:
    some = sheets()
    known = (KnownSpecial("scouter"),)
    some[0] = replace(some[0], level=3, specials=(*known, KnownSpecial("to-blave")))
    some[2] = replace(some[2], specials=known)
    state: StoryState = STORY.begin(written(some))
    return state


def told(what: str, who: str = "ada", state: StoryState | None = None) -> Sheet:
    state = state or begun()
    deed = overruling(state, Choice("overrule", f"{who} {what} because it was so"))
    after: StoryState = STORY.tell(state, deed)
    assert faults_of(after.sheets[who]) == ()
    return after.sheets[who]


def refusal(what: str) -> str:
    state = begun()
    try:
        return str(STORY.why_not(state, overruling(state, Choice("overrule", what))) or "")
    except RulesError as error:
        return str(error.reason)


def test_every_clause_of_a_sheet() -> None:
    assert told("attack 2 grapple 1").energy == Energy(2, 0, 1)
    assert told("attack 0").zero == (), "zero is marked in conflicts alone"
    assert told("zero grapple attack").zero == (Action.ATTACK, Action.GRAPPLE)
    assert told("zero none").zero == ()
    assert told("dead").dead
    assert not told("alive", state=begun().with_sheets([told("dead")])).dead
    used = told("specials used scouter")
    assert used.specials[0] == KnownSpecial("scouter", used=True)
    assert not told("specials ready scouter", state=begun().with_sheets([used])).specials[0].used
    assert told("sits-out yes").sits_out and not told("sits-out no").sits_out
    assert not told("veto no").veto and told("veto yes").veto
    assert told("background ferry hand 0").backgrounds[0].left == 0
    assert told("rested short breather").rested == (Rest.BREATHER, Rest.SHORT)
    assert told("rested none").rested == ()


def test_the_possible_overrules_are_listed() -> None:
    said = [each.value for each in STORY.overrules(begun())]
    assert said == [tag(each.kind) for each in WORD.clauses]
    for clause in CLAUSES:
        assert ("is an NPC" in refusal(f"ninja {clause} because x")) == (clause not in OF_NPCS)
    assert told("specials used scouter", "ninja").specials[0].used
    assert told("attack 1", "ninja").energy == Energy(1, 0, 0)


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("ada attack 5 because x", "at most 4 points of attack"),
        ("nobody dead because x", "first name a character of the story"),
        ("ada alive because x", "is alive"),
        ("ada specials used yojimbo because x", "knows no special"),
        ("ada specials used to-blave because x", "counted separately in each conflict"),
        ("ada background ferry hand 2 because x", "from 0 to 1"),
    ],
)
def test_a_refusal_says_what_to_do(what: str, words: str) -> None:
    assert words in refusal(what)


parts = st.sampled_from([
    *CLAUSES, *Action, "ada", "ninja", "none", "used", "ready", "scouter", "yes", "no", "0", "9",
    "ferry hand", "breather", "short", "because", "x", "",
])  # fmt: skip


@given(st.lists(parts, max_size=8).map(" ".join))
@settings(max_examples=300)
def test_sheets_stay_sound_after_any_overrule(text: str) -> None:
    try:
        state = begun()
        deed = overruling(state, Choice("overrule", f"ada {text} because x"))
        after = STORY.tell(state, deed)
    except RulesError as error:
        assert str(error).isprintable()
    else:
        assert all(faults_of(sheet) == () for sheet in after.sheets.values())


def facing() -> ProblemState:
    three = [starting(name=name) for name in ("ada", "bo", "cy")]
    state: StoryState = STORY.begin(written(three))
    setup = STORY.stage(state, ProblemRequest(interested=("ada", "bo"))).setup
    begun_problem: ProblemState = GAME.begin(setup)
    return begun_problem


def go(state: ProblemState, *steps: dict[str, str]) -> ProblemState:
    for step in steps:
        chosen = {actor: Choice.parse(text) for actor, text in step.items()}
        state = GAME.advance(state, chosen)
    return state


def say(state: ProblemState, what: str) -> ProblemState:
    after: ProblemState = overruled(GAME, state, f"{what} because it was so")
    pending = GAME.pending(after)
    for actor in pending.must:
        assert any(not offer.reason for offer in GAME.offers(after, actor))
    return after


def seen(state: ProblemState) -> Any:
    return GAME.view(state)


SHOWN = {"ada": "option 3", "bo": "option 1"}
OPEN = ("decider", "option", "outcome")


def spoken(state: ProblemState) -> tuple[str, ...]:
    return tuple(each.value for each in GAME.overrules(state))


def test_the_clauses_allowed_at_each_step_of_a_problem() -> None:
    state = facing()
    assert spoken(state) == ()
    tie = go(state, {"ada": "option 1", "bo": "option 1"})
    assert (GAME.pending(tie).step, spoken(tie)) == ("tie", OPEN)
    describe = go(state, SHOWN)
    veto = go(describe, {"ada": "describe flaw"})
    assert spoken(describe) == spoken(veto) == OPEN
    substitute = GAME.declare(veto, "cy", Choice("veto"))
    assert spoken(substitute) == (*OPEN, "no-veto")
    gms = go(describe, {"ada": "describe refuse"}, {"bo": "describe refuse"})
    assert (GAME.pending(gms).step, spoken(gms)) == ("outcome", OPEN)
    assert spoken(say(gms, "outcome success")) == ()
    for each in (tie, describe, veto, substitute, gms):
        for way, success in (("success", True), ("failure", False)):
            over = say(each, f"outcome {way}")
            result = seen(over).result
            assert (result.decider, result.success, result.changes) == (GM, success, {})
        assert seen(say(each, "decider bo")).decider == "bo"
        assert seen(say(say(each, "option ada 1"), "option bo 2")).decider == "bo"


def test_an_overruled_decider_pays_and_can_refuse() -> None:
    state = say(go(facing(), SHOWN, {"ada": "describe flaw"}), "decider bo")
    assert seen(state).told is None
    refused = go(state, {"bo": "describe refuse"})
    assert seen(refused).decider == "ada", "the order of the numbers goes on"
    over = go(state, {"bo": "describe idea"}, {GM: "outcome stands"})
    assert [*seen(over).result.changes] == ["bo"]
    assert seen(say(refused, "decider bo")).refused == ()


def test_a_veto_is_taken_back() -> None:
    state = go(facing(), SHOWN, {"ada": "describe flaw"})
    back = say(GAME.declare(state, "cy", Choice("veto")), "veto none")
    assert back == state


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("decider ada", "because WHY"),
        ("decider cy because x", "showed no number (ada, bo did)"),
        ("option cy 3 because x", "numbers were shown by ada, bo"),
        ("option ada 7 because x", "is not an option"),
        ("outcome maybe because x", "neither success nor failure"),
        ("veto none because x", "there was no veto"),
    ],
)
def test_a_bad_overrule_of_a_problem_is_refused(what: str, words: str) -> None:
    state = go(facing(), SHOWN)
    assert words in str(why_not(GAME, state, what))
    assert "after the reveal" in str(why_not(GAME, facing(), "decider ada because x"))
    vetoed = GAME.declare(go(state, {"ada": "describe flaw"}), "cy", Choice("veto"))
    assert "veto none" in str(why_not(GAME, vetoed, "veto cy because x"))
