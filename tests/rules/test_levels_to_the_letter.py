"""Level-ups and replacements of both editions of Iron Triangle, in cases that tell rules apart."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.registry import story_of
from hub.games.story import parse_deed
from hub.games.triangle.rules.characters.level_up import (
    Choices,
    FollowUp,
    Regain,
    answers,
    level_up,
)
from hub.games.triangle.rules.characters.marks import mark_zero
from hub.games.triangle.rules.characters.replacement import replacement
from hub.games.triangle.rules.characters.sheet import (
    Background,
    KnownMove,
    KnownSpecial,
    Sheet,
    SheetError,
    Trait,
)
from hub.games.triangle.rules.edition import Action, Energy
from tests.rules.cast import known, npc, starting
from tests.support.evening import written

SECOND, FIRST = "iron-triangle", "iron-triangle-1e"
EACH_TEXT = pytest.mark.parametrize("ruleset", [SECOND, FIRST])
TRADES = (Background("ferry hand", 2, 0), Background("choir voice", 1, 0))


def marked(ruleset: str, *what: str, **changes: Any) -> Sheet:
    """A starting character with these of belief, flaw and goal marked, and zeros by type."""
    sheet = starting(ruleset, **changes)
    traits = {
        key: replace(getattr(sheet, key), marked=True)
        for key in what
        if key in ("belief", "flaw", "goal")
    }
    zero = tuple(action for action in Action if str(action) in what)
    return replace(sheet, zero=zero, **traits)


def refusal(sheet: Sheet, **choices: Any) -> str:
    with pytest.raises(SheetError) as error:
        level_up(sheet, Choices(**choices))
    return str(error.value)


@pytest.mark.book("level-up.questions", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
def test_the_three_questions_and_a_belief_or_flaw_for_the_first(ruleset: str) -> None:
    for what, yes in (
        ((), [False, False, False]),
        (("belief",), [True, False, False]),
        (("flaw",), [True, False, False]),
        (("belief", "flaw"), [True, False, False]),
        (("goal",), [False, True, False]),
        (("grapple",), [False, False, True]),
        (("attack", "defend"), [False, False, True]),
    ):
        assert [*answers(marked(ruleset, *what)).values()] == yes
    left = replace(marked(ruleset), flaw=Trait("Ghosts", marked=True, counted=True))
    assert not any(answers(left).values()), "that mark has brought its level"


@pytest.mark.book("level-up.gm", of=["iron-triangle", "iron-triangle-1e"])
@EACH_TEXT
@pytest.mark.parametrize("key", ["belief", "flaw", "goal"])
def test_the_gm_marks_and_unmarks_each_trait(ruleset: str, key: str) -> None:
    story = story_of(ruleset)
    state = story.begin(written([starting(ruleset, name="Ada")]))
    state = story.tell(state, parse_deed(f"mark {key} Ada"))
    assert getattr(state.sheets["Ada"], key).marked
    state = story.tell(state, parse_deed(f"unmark {key} Ada"))
    assert not getattr(state.sheets["Ada"], key).marked
    with pytest.raises(IllegalChoice, match="is not marked"):
        story.tell(state, parse_deed(f"unmark {key} Ada"))


@pytest.mark.book("level-up.two-of-three", "level-up.special", of=["iron-triangle-1e"])
@pytest.mark.parametrize(
    "two", [("flaw", "goal"), ("belief", "attack"), ("goal", "defend")], ids="+".join
)
def test_two_of_three_marks_allow_all_but_a_special(two: tuple[str, str]) -> None:
    sheet = marked(FIRST, *two)
    for choices in (
        {"move": "attack-low"},
        {"energy": Action.GRAPPLE},
        {"combos": (FollowUp("attack-low", "attack-high"),)},
    ):
        assert level_up(sheet, Choices(**choices)).level == 1  # type: ignore[arg-type]
    assert "a special needs all three marks" in refusal(sheet, special="insight")
    for one in two:
        assert "two of the three" in refusal(marked(FIRST, one), move="attack-low")
    three = marked(FIRST, "belief", "goal", "attack")
    assert level_up(three, Choices(special="insight")).specials == (KnownSpecial("insight"),)
    assert level_up(three, Choices(move="attack-low")).knows("attack-low"), "or another choice"


ALL = ("belief", "goal", "attack")


@pytest.mark.book("level-up.follow-ups", "level-up.follow-up", "level-up.two-of-one",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH_TEXT
def test_follow_ups_need_no_known_moves(ruleset: str) -> None:
    most = 2 if ruleset == SECOND else 1
    some = [FollowUp("attack-low", f"grapple-{e}") for e in ("low", "mid")]
    some.append(FollowUp("attack-mid", "grapple-high"))
    ready = marked(ruleset, *ALL)
    found = level_up(ready, Choices(combos=tuple(some[:most])))
    assert found.combos == {"attack-low": ("grapple-low", "grapple-mid")[:most]}
    assert "at most" in refusal(ready, combos=tuple(some[: most + 1]))
    if ruleset == SECOND:
        again = replace(marked(ruleset, *ALL, combos=found.combos), level=1)
        spread = level_up(again, Choices(combos=(some[2], FollowUp("defend-mid", "attack-low"))))
        assert sum(map(len, spread.combos.values())) == 4
        assert "at most 2" in refusal(again, combos=(FollowUp("attack-low", "grapple-high"),))
        changed = Choices(combos=(FollowUp("attack-low", "defend-low", "grapple-mid"),))
        assert level_up(again, changed).combos["attack-low"] == ("grapple-low", "defend-low")


@pytest.mark.book("level-up.maximum", "level-up.maximum-anywhere", "level-up.special",
                  "level-up.none-twice", of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH_TEXT
def test_a_grown_maximum_changes_nothing_else(ruleset: str) -> None:
    ready = marked(ruleset, *ALL, energy=Energy(1, 2, 3))
    grown = level_up(ready, Choices(energy=Action.ATTACK))
    assert (grown.level, grown.max, grown.energy) == (1, Energy(5, 3, 3), Energy(1, 2, 3))
    if ruleset == SECOND:
        assert "has not reached zero" in refusal(ready, energy=Action.DEFEND)
        special = level_up(ready, Choices(special="scouter", called="Long look")).specials
        assert special == (KnownSpecial("scouter", "Long look"),)
        has = replace(ready, level=1, specials=special)
        assert "already known" in refusal(has, special="scouter")


@pytest.mark.book("level-up.backgrounds-back", "level-up.veto-back", of=["iron-triangle"])
def test_background_points_or_the_veto_are_regained() -> None:
    spent = marked(SECOND, *ALL, backgrounds=TRADES, veto=False)
    assert "also choose what to regain" in refusal(spent, move="attack-low")
    points = level_up(spent, Choices(move="attack-low", regain=Regain.BACKGROUNDS))
    assert [each.left for each in points.backgrounds] == [2, 1]
    assert not points.veto
    veto = level_up(spent, Choices(move="attack-low", regain=Regain.VETO))
    assert veto.veto and [each.left for each in veto.backgrounds] == [0, 0]


@pytest.mark.book("level-up.erases-zeros", "level-up.erases-all",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH_TEXT
def test_every_zero_is_erased(ruleset: str) -> None:
    ready = marked(ruleset, "belief", "goal", "attack", "defend", "grapple")
    assert level_up(ready, Choices(energy=Action.DEFEND)).zero == ()


@pytest.mark.book("level-up.one-mark", of=["iron-triangle"])
def test_a_type_that_reaches_zero_again_has_one_mark() -> None:
    twice = mark_zero(mark_zero(starting(SECOND), Action.DEFEND), Action.DEFEND, Action.ATTACK)
    assert twice.zero == (Action.ATTACK, Action.DEFEND)


@pytest.mark.book("level-up.one-mark", of=["iron-triangle"])
@pytest.mark.parametrize("key", ["belief", "flaw", "goal"])
def test_no_question_is_marked_twice(key: str) -> None:
    story = story_of(SECOND)
    state = story.tell(
        story.begin(written([starting(SECOND, name="Ada")])), parse_deed(f"mark {key} Ada")
    )
    with pytest.raises(IllegalChoice, match="already marked"):
        story.tell(state, parse_deed(f"mark {key} Ada"))


@pytest.mark.book("level-up.renamed", "level-up.other-backgrounds", of=["iron-triangle"])
def test_a_rename_applies_to_the_named_entry() -> None:
    story = story_of(SECOND)
    state = story.begin(written([starting(SECOND, name="Ada", backgrounds=TRADES)]))
    state = story.tell(state, parse_deed("rename Ada defend-mid as Mirror"))
    state = story.tell(state, parse_deed("background Ada ferry hand as Ferry master"))
    ada = state.sheets["Ada"]
    assert [move.name for move in ada.moves] == ["my attack-high", "Mirror", "my grapple-low"]
    assert ada.backgrounds == (Background("Ferry master", 2, 0), TRADES[1])


@pytest.mark.book("replacement.moves", "replacement.no-special", "replacement.step-by-step",
                  "replacement.for-the-dead",
                  of=["iron-triangle", "iron-triangle-1e"])  # fmt: skip
@EACH_TEXT
def test_a_tradition_hands_on_known_moves_but_no_special(ruleset: str) -> None:
    special = "scouter" if ruleset == SECOND else "insight"
    old = starting(
        ruleset, name="Marit", level=3, dead=True,
        moves=known("attack-high", "defend-mid", "grapple-low", "attack-low"),
        combos={"attack-low": ("defend-mid",)}, specials=(KnownSpecial(special),),
    )  # fmt: skip
    story = story_of(ruleset)
    fresh = starting(ruleset, name="Wenna")
    state = story.begin(written([old, starting(ruleset, name="Bo")]), written([fresh]))

    def why(level: str) -> str:
        return str(story.why_not(state, parse_deed(f"replace Marit by Wenna / {level}")) or "")

    assert why("move attack-low") == ""
    assert why("combo attack-low defend-mid") == ""
    assert "did not know attack-mid" in why("move attack-mid")
    assert "did not follow up on attack-low with attack-high" in why("combo attack-low attack-high")
    assert "did not follow up on defend-mid" in why("combo defend-mid attack-low")
    for name in (special, "drunken-monkey"):
        assert "cannot be handed on" in why(f"special {name}")
    grown = replace(fresh, level=1, moves=(*fresh.moves, KnownMove("attack-low", "Low")))
    with pytest.raises(SheetError, match="from level 0, not from 1"):
        replacement(grown, old, [])
    guard = npc(ruleset=ruleset, name="guard", level=0)
    with pytest.raises(SheetError, match="an NPC needs no tradition"):
        replacement(guard, old, [])
