"""NPCs made while a story is told: from a line, from a pattern, by the book and by house rules."""

from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.game import IllegalChoice, SetupError
from hub.games.registry import rulebooks
from hub.games.story import Leaver, Newcomer, parse_deed
from hub.games.triangle.rules.characters.sheet import KnownMove, KnownSpecial
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.setup import MAX_CHARACTERS
from hub.games.triangle.story.state import StoryState
from tests.rules.cast import npc, starting
from tests.support.evening import sheets, written
from tests.support.said import deed_of
from tests.support.words import brief

STORY = rulebooks().stories["unroll"]
GUARD = (
    "npc Dock Guard; attack 3; grapple 1; moves attack-high,  grapple-low; "
    "specials scouter, wax-on-attack; level 4"
)


def begun(**given: Any) -> StoryState:
    state: StoryState = STORY.begin(written(sheets()), **given)
    return state


def told(deed: str, state: StoryState | None = None) -> StoryState:
    after: StoryState = STORY.tell(state or begun(), deed_of(state or begun(), deed))
    return after


def test_a_line_defines_a_whole_npc() -> None:
    guard = told(GUARD).sheets["Dock Guard"]
    assert (guard.npc, guard.level, guard.ruleset) == (True, 4, "unroll")
    assert guard.energy == guard.max == Energy(3, 0, 1)
    assert guard.moves == (KnownMove("attack-high"), KnownMove("grapple-low"))
    assert guard.specials == (KnownSpecial("scouter"), KnownSpecial("wax-on-attack"))
    assert told("npc Thug; defend 2").sheets["Thug"].level == 1


def test_another_npc_of_a_pattern_starts_fresh() -> None:
    some = sheets()
    worn = KnownSpecial("scouter", used=True)
    some[2] = replace(
        some[2], energy=Energy(0, 1, 0), zero=(Action.ATTACK,), specials=(worn,), dead=True
    )
    state: StoryState = STORY.begin(written(some))
    made = told("npc ninja 2; like ninja", state).sheets["ninja 2"]
    assert made.energy == made.max == some[2].max
    assert (made.zero, made.dead, made.specials) == ((), False, (KnownSpecial("scouter"),))
    assert made.moves == some[2].moves


def test_a_pattern_may_come_from_the_reserve() -> None:
    state = begun(reserve=written([npc(name="Gull Warden")]))
    after = told("npc Warden; like Gull Warden", state)
    assert after.sheets["Warden"].max == npc().max
    assert "Gull Warden" in after.reserve
    with pytest.raises(IllegalChoice, match="Gull Warden is already in the story"):
        told("npc Gull Warden; like ninja", state)


def test_a_newcomer_can_be_dismissed() -> None:
    state = told(GUARD)
    assert told("dismiss Dock Guard", state) == begun()
    assert told(GUARD, told("dismiss Dock Guard", state)) == state


def test_a_deed_names_its_newcomer_or_leaver() -> None:
    like = {"name": "ninja 2", "like": "ninja"}
    assert STORY.casting(parse_deed("npc ninja 2; like ninja")) == Newcomer(like)
    assert STORY.casting(parse_deed("dismiss Dock Guard")) == Leaver("Dock Guard")
    assert STORY.casting(parse_deed("rest full")) is None
    assert STORY.anytime(parse_deed(GUARD)) and STORY.anytime(parse_deed("dismiss ninja"))
    with pytest.raises(IllegalChoice, match="write an NPC as"):
        STORY.casting(parse_deed("npc Guard"))


def test_every_npc_is_offered_as_a_pattern() -> None:
    def offered(state: StoryState) -> list[str]:
        return [brief(o.deed) for o in STORY.offers(state) if o.deed.get("like")]

    assert offered(begun()) == ["npc ninja 2 ninja", "npc crow 2 crow"]
    again = told("npc ninja 2; like ninja")
    assert offered(again) == ["npc ninja 3 ninja", "npc crow 2 crow"]
    gone = told("dismiss ninja", again)
    assert offered(gone) == ["npc crow 2 crow", "npc ninja 3 ninja 2"]


def test_all_faults_of_a_sheet_are_reported_at_once() -> None:
    sheet = written([npc(name="ninja", moves=(KnownMove("attack-mad"),))])[0]
    with pytest.raises(SetupError) as caught:
        STORY.newcomer(begun(), {**sheet, "ruleset": "unroll", "dead": True})
    told_ = str(caught.value)
    for reason in ("not a move of unroll", "is dead", "ninja is already in the story"):
        assert reason in told_
    with pytest.raises(SetupError, match=r"belongs to .iron-triangle., this story to unroll"):
        STORY.newcomer(begun(), {**sheet, "ruleset": "iron-triangle", "name": "x", "npc": True})
    with pytest.raises(SetupError, match="is not a sheet"):
        STORY.newcomer(begun(), {"name": 7})
    with pytest.raises(SetupError, match="is not a sheet"):
        STORY.join(begun(), {"name": 7})


def reserved(state: StoryState, *names: str) -> StoryState:
    for name in names:
        given = {**written([starting()])[0], "name": name}
        state = STORY.join(state, STORY.newcomer(state, given))
    return state


def test_a_new_player_character_joins_from_the_reserve() -> None:
    state = reserved(begun(), "Kit")
    assert "Kit" not in state.sheets and state.reserve["Kit"].level == 1
    assert "join Kit" in [brief(o.deed) for o in STORY.offers(state) if not o.reason]
    assert "Kit" not in STORY.view(state).party
    joined = told("join Kit", state)
    assert joined.party["Kit"].max == starting().max and joined.reserve == {}
    assert STORY.view(joined).party["Kit"].moves
    assert "Kit" not in told("dismiss Kit", state).reserve
    with pytest.raises(IllegalChoice, match=r"Wenna. is in reserve \(there are: Kit\)"):
        told("join Wenna", state)
    with pytest.raises(IllegalChoice, match="ninja"):
        told("join ninja", state)
    pattern = begun(reserve=written([npc(name="Gull Warden")]))
    with pytest.raises(IllegalChoice, match=r"\(there are: no one\)"):
        told("join Gull Warden", pattern)


def test_a_used_up_reserve_can_be_refilled() -> None:
    state = reserved(begun(), "Kit")
    after = told("replace ada by Kit", told("overrule ada dead because the bridge fell", state))
    assert after.reserve == {} and STORY.heirs(after) == {"Kit": "ada"}
    dead = told("overrule Kit dead because the tide rose", after)
    again = told("replace Kit by Jory", reserved(dead, "Jory"))
    assert [*again.party] == ["bo", "Jory"]
    with pytest.raises(SetupError, match="ada is already in the story"):
        reserved(again, "ada")


def test_a_player_character_is_checked_by_the_book() -> None:
    with pytest.raises(SetupError, match="1 were taken"):
        STORY.newcomer(begun(), written([starting(max=Energy(5, 3, 3))])[0])


def test_the_size_of_the_reserve_is_bounded() -> None:
    state = reserved(begun(), *(f"Kit {number}" for number in range(MAX_CHARACTERS)))
    with pytest.raises(SetupError, match="at most 64 characters"):
        reserved(state, "Jory")
    while len(state.sheets) < MAX_CHARACTERS:
        state = told(f"join {next(iter(state.reserve))}", state)
    with pytest.raises(IllegalChoice, match="at most 64 characters"):
        told(f"join {next(iter(state.reserve))}", state)


def test_the_size_of_a_story_is_bounded() -> None:
    state = begun()
    for number in range(2, MAX_CHARACTERS - len(state.sheets) + 2):
        state = told(f"npc ninja {number}; like ninja", state)
    assert len(state.sheets) == MAX_CHARACTERS
    with pytest.raises(IllegalChoice, match="at most 64 characters; dismiss one first"):
        told("npc Thug; attack 1", state)


def test_under_house_rules_an_npc_may_know_their_moves() -> None:
    kick = {"action": "attack", "element": "high", "base": 9, "multiplier": 1}
    house = {"id": "ours", "base": "unroll", "level": 3, "moves": {"high-kick": kick}}
    some = [replace(sheet, level=3) for sheet in sheets()]
    state = STORY.begin(written(some), (), house)
    after = told("npc Thug; attack 2; moves high-kick", state)
    assert (after.sheets["Thug"].level, after.sheets["Thug"].book.id) == (3, "ours")
    more = told("npc Thug 2; like Thug", after)
    assert more.sheets["Thug 2"].moves == after.sheets["Thug"].moves
    with pytest.raises(IllegalChoice, match="high-kick is not a move of unroll"):
        told("npc Thug; attack 2; moves high-kick")
