"""Options for the next level-up and their refusals, each checked against the deed itself (R16)."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hub.games.registry import rulebooks
from hub.games.triangle.rules.characters.sheet import KnownSpecial, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.editions import EDITIONS
from hub.games.triangle.story import learning
from hub.games.triangle.story.learning import LevelUps
from hub.games.triangle.story.state import StoryState
from hub.kernel.reasons import Reason
from tests.rules.cast import known, npc, starting, with_marks
from tests.support.evening import written
from tests.support.words import brief

NINE = EDITIONS["unroll"].basic_moves
MANY = 400


def plain(why: Reason | None) -> list[Reason]:
    """Each reason without the card's place on the sheet."""
    found: Any = [] if why is None else why.values["why"] if why.code == "several" else [why]
    return [each.values["why"] if _of_a_card(each) else each for each in found]


def _of_a_card(why: Reason) -> bool:
    return why.code == "about" and str(why.values["place"]).startswith(("moves.", "specials."))


def told(*party: Sheet) -> StoryState:
    state: StoryState = rulebooks().stories[party[0].ruleset].begin(written([*party]))
    return state


def level_ups(*party: Sheet) -> dict[str, LevelUps]:
    found = learning.level_ups(told(*party))
    assert all(len(each.options) < MANY for each in found.values())
    return found


def reasons(found: LevelUps, kind: str) -> dict[str, str]:
    key = {"combo": "combos"}.get(kind, kind)
    options = (each for each in found.options if key in each.choices)
    return {said(each.choices): str(each.reason or "") for each in options}


def said(choices: dict[str, Any]) -> str:
    """The learned option, as these tests write it."""
    match choices:
        case {"combos": [{"start": start, "move": move, **more}]}:
            return f"{start} {move} {more.get('instead_of', '')}".rstrip()
        case {"variant": {"id": move, "variant": sign}, **more}:
            old = f"; instead-of {more['replaces']}" if "replaces" in more else ""
            return f"{move} {sign}{old}"
    (value,) = choices.values()
    return str(value)


def masters(ruleset: str) -> list[Sheet]:
    """A beginner, one who knows the nine, and one with the maximum of each kind."""
    book = EDITIONS[ruleset]
    beyond = len(NINE) - book.start_count
    nine = starting(ruleset, name="nine", level=book.level + beyond, moves=known(*NINE))
    combos = {"attack-high": ("attack-low", "defend-mid")}
    special = next(iter(book.specials))
    more = 2 + len(combos["attack-high"]) // book.combo_changes if book.most_variants else 0
    variants = ("attack-high +1", "defend-mid -1") if book.most_variants else ()
    more = more or len(combos["attack-high"]) // book.combo_changes
    full = replace(
        nine,
        name="full",
        level=nine.level + more + 1,
        moves=known(*NINE, *variants),
        combos=combos,
        specials=(KnownSpecial(special),),
        veto=False,
    )
    return [starting(ruleset, name="new"), nine, full]


@pytest.mark.parametrize("ruleset", list(EDITIONS))
def test_an_option_is_possible_exactly_if_it_has_no_reason(ruleset: str) -> None:
    party = [with_marks(sheet) for sheet in masters(ruleset)]
    state, story = told(*party), rulebooks().stories[ruleset]
    seen = set()
    for name, found in level_ups(*party).items():
        assert found.reason is None
        regains = [each for each in found.options if "regain" in each.choices]
        beside = regains[0].choices if regains else {}
        for offer in found.options:
            if offer in regains:
                continue
            seen.add(next(iter(offer.choices)))
            deed = {"do": "level-up", "name": name, "choices": {**offer.choices, **beside}}
            assert plain(story.why_not(state, deed)) == plain(offer.reason)
    books = {"move", "energy", "special", "combos"}
    assert seen == books | ({"variant"} if EDITIONS[ruleset].most_variants else set())


def test_a_beginners_options() -> None:
    found = level_ups(with_marks(starting(name="ada")), npc(name="crow"))
    assert [*found] == ["ada"]
    ada = found["ada"]
    assert reasons(ada, "move") == dict.fromkeys(
        ("attack-low", "defend-high", "defend-low", "grapple-high", "grapple-mid"), ""
    )
    assert reasons(ada, "energy")["attack"] == ""
    assert "has not reached zero" in reasons(ada, "energy")["defend"]
    specials = reasons(ada, "special")
    assert [*specials] == [*EDITIONS["unroll"].specials]
    assert specials["scouter"] == ""
    assert "requires level 10; ada has 2" in specials["liquid-metal"]
    assert "requires wax-on-attack" in specials["dig-two-graves-attack"]
    assert all("after all nine" in why for why in reasons(ada, "variant").values())
    assert reasons(ada, "combo")["attack-high defend-mid"] == ""
    assert reasons(ada, "regain") == {}


def test_an_option_names_what_it_replaces() -> None:
    full = level_ups(*map(with_marks, masters("unroll")))["full"]
    variants = reasons(full, "variant")
    assert variants["attack-high -1; instead-of attack-high +1"] == ""
    assert "attack-high -1; instead-of defend-mid -1" not in variants
    assert variants["grapple-low +1; instead-of defend-mid -1"] == ""
    combos = reasons(full, "combo")
    assert combos["attack-high grapple-low attack-low"] == ""
    assert "attack-high grapple-low" not in combos
    assert reasons(full, "regain") == {"veto": ""}


def test_in_the_first_edition_a_full_starting_move_takes_no_more() -> None:
    full = level_ups(*map(with_marks, masters("iron-triangle-1e")))["full"]
    assert "at most 2" in reasons(full, "combo")["attack-high grapple-low"]
    assert reasons(full, "regain") == {}


def test_the_reason_against_any_level_up_is_given_once() -> None:
    ada, bo = starting(name="ada"), replace(starting(name="bo"), dead=True)
    found = level_ups(ada, bo)
    assert [*found] == ["ada"]
    assert str(found["ada"].reason).startswith("a level-up needs all three marks; ada has")
    assert reasons(found["ada"], "move")["attack-low"] == ""
    two = replace(with_marks(starting("iron-triangle-1e", name="ada")), zero=())
    first = level_ups(two)["ada"]
    assert first.reason is None
    assert "a special needs all three marks" in reasons(first, "special")["insight"]


def test_a_combo_may_start_from_an_allys_move() -> None:
    ada = with_marks(starting(name="ada"))
    jory = starting(name="jory", moves=known("grapple-high", "attack-mid", "defend-mid",
                                             "attack-low"))  # fmt: skip
    assert reasons(level_ups(ada, jory)["ada"], "combo")["grapple-high attack-mid"] == ""
    assert "grapple-high attack-mid" not in reasons(level_ups(ada)["ada"], "combo")


def test_marks_losses_and_replacements_are_offered() -> None:
    story = rulebooks().stories["unroll"]
    dead = replace(starting(name="cy"), dead=True, energy=Energy(0, 0, 0))
    ada = replace(with_marks(starting(name="ada")), energy=Energy(0, 2, 3), flaw=starting().flaw)
    bo = replace(starting(name="bo"), goal=replace(ada.goal, text="", marked=False))
    state = story.begin(written([ada, bo, dead]), written([starting(name="Wenna")]))
    offers = {brief(each.deed): str(each.reason or "") for each in story.offers(state)}
    assert offers["unmark ada belief"] == offers["mark ada flaw"] == ""
    assert "mark ada belief" not in offers
    assert offers["mark bo goal"] == "bo has no goal to mark"
    assert offers[f"lose ada {Action.DEFEND} 1"] == ""
    assert "lose ada attack 1" not in offers
    assert offers["replace cy Wenna"] == ""
    assert not any("mark cy belief" in each for each in offers)


def test_a_replacement_is_offered_options_that_need_an_earlier_level_up() -> None:
    """A variant and a follow-up of a move learned first, in the order of the levels."""
    story = rulebooks().stories["unroll"]
    fresh = starting(name="Wenna")
    new = next(move for move in NINE if not fresh.knows(move))
    moves = (*fresh.moves, *known(new))
    dead = replace(
        starting(name="cy"), level=3, moves=moves, combos={"attack-high": (new,)}, dead=True,
        energy=Energy(0, 0, 0),
    )  # fmt: skip
    state = story.begin(written([starting(name="ada"), dead]), written([fresh]))
    offer = next(each for each in story.offers(state) if each.deed["do"] == "replace")
    (field,) = offer.fields
    lessons = msgspec.json.decode(msgspec.json.encode([each.value for each in field.options]))
    late = {"combos": [{"start": "attack-high", "move": new}]}
    assert {"move": new} in lessons and late in lessons and field.most == 2
    both = {**offer.deed, "level_ups": [{"move": new}, late]}
    assert story.why_not(state, both) is None
    assert "level-up 1" in str(story.why_not(state, {**offer.deed, "level_ups": [late]}))
