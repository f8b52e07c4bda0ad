"""A scene played at a table equals the output of ``facedown resolve`` for the same words.

Random scenes through the Game protocol are compared roll by roll.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from hub.games.registry import game_of, story_of
from hub.games.tricube.rules import flow, roll_steps, settling_steps, view
from hub.games.tricube.rules.roll import Judged, Roll, RollOutcome
from hub.games.tricube.rules.settling import Gain, Paid, Token
from hub.games.tricube.rules.table import Table
from hub.games.tricube.rules.view import PriceView, RegainedView
from hub.games.tricube.rules.written import character_object
from hub.kernel.faults import Faulty
from tests.rules.tricube.scripts import Json, played
from tests.rules.tricube.table_walk import Walk

WALKS = 120
PLANTED = 40
STEPS = (
    *("scene", "approach", "throw", "dice", "karma", "instead", "accept", "regain", "price"),
    *("fate", "victor", "nod"),
)
MORE = (
    *("oppose", "npcs", "offer", "perk", "cure", "recover", "convert", "quirk", "karma"),
    *("behind the last token", "a failure behind the last token"),
    *(
        "karma for a friend", "karma asked again", "karma for two", "sealed anew", "accept True",
        "accept False", "several settled",
    ),
    *("regain karma", "regain resolve", "fate by gm", "fate by a player"),
    *("fate fatal", "fate lived", "cure permanent", "cure of a friend"),
    *(f"{each} by a complication" for each in ("perk", "cure")),
    *(f"perk {each}" for each in ("impact", "automatic", "bypass", "attempt", "flavour")),
    *(
        f"{kind} outcome {each}"
        for kind, come in (
            ("roll", ("exceptional", "success", "failure", "critical")),
            ("opposed", ("exceptional", "success", "even", "failure", "critical")),
            ("npcs", ("exceptional", "success", "even", "failure", "critical")),
        )
        for each in come
    ),
    *(
        f"{kind} {each}"
        for kind in ("roll", "opposed")
        for each in (
            *("gain karma 0", "gain karma 1", "gain resolve 1", "price 0", "price 1", "price 2"),
            *("price a complication", "defeated", "hindered", "karma paid 0", "karma paid 1"),
        )
    ),
    *(f"{kind} winner {each}" for kind in ("opposed", "npcs") for each in ("one", "nobody")),
)  # fmt: skip
STORY: Any = story_of("tricube")
walked = cache(Walk)


def compare(walk: Walk) -> None:
    *printed, _ = played(walk.cast, *walk.events)
    assert len(printed) == len(walk.shown)
    for found, shown in zip(printed, walk.shown, strict=True):
        assert found == shown
        assert _names(found) == _names(shown)


def _names(printed: Json) -> list[list[str]]:
    """The keys whose order matters: people, challenges, sides."""
    return [[*printed.get(key, ())] for key in ("characters", "challenges", "sides")]


@pytest.mark.parametrize("seed", range(WALKS))
def test_a_scene_at_the_table_equals_its_script(seed: int) -> None:
    compare(walked(seed))


@pytest.mark.parametrize("do", ["scene", "session"])
def test_the_sheets_after_a_scene_equal_the_scripts_next_start(do: str) -> None:
    """A story makes of a scene's end what a script makes of a new scene or session."""
    seen: Counter[str] = Counter()
    for seed in range(WALKS):
        walk = walked(seed)
        if walk.state.rolling or walk.state.asking:
            continue  # its latest words are not recorded yet
        began = game_of("tricube").begin({"characters": walk.cast})
        sheets = [
            {"ruleset": "tricube", "name": who, **character_object(each)}
            for who, each in began.tale.characters.items()
        ]
        story = STORY.after(STORY.begin(sheets), "tricube", walk.state)
        if do == "session":
            story = STORY.tell(story, {"do": "session"})
        people = {name: character_object(each.character) for name, each in story.sheets.items()}
        *_, printed, closing = played(walk.cast, *walk.events, {"do": do})
        assert closing["characters"] == people
        before = walk.state.tale.characters
        gone = {
            who: [a.name for a in each.afflictions if a.lasts == "scene"]
            for who, each in before.items()
            if not each.dead
        }
        assert printed["gone"] == {who: names for who, names in gone.items() if names}
        assert printed["challenges"] == {}
        back = [each for each in printed["characters"].values() if not each["dead"]]
        assert not any(each["out"] for each in back)
        seen["gone"] += bool(printed["gone"])
        seen["back"] += any(each.out and not each.dead for each in before.values())
        seen["dead"] += any(each.dead for each in before.values())
        seen["filled"] += any(each.karma < each.karma_max for each in before.values())
    assert all(seen[each] > 10 for each in ("gone", "back", "dead", "filled")), seen


def test_the_scenes_cover_every_step() -> None:
    reached: Counter[str] = Counter()
    for seed in range(WALKS):
        reached.update(walked(seed).reached)
    assert {each: reached[each] for each in (*STEPS, *MORE) if reached[each] < 3} == {}


def _the_usual_price(state: Table, name: str, price: Any, real: Any = flow.charged) -> Table:
    done: Table = real(state, name, None)
    return done


def _always_karma(state: Table, name: str, want: Any, real: Any = flow.regained) -> Table:
    done: Table = real(state, name, "karma" if want else want)
    return done


def _no_warning(state: Table, name: str, said: Any, real: Any = flow.befallen) -> Table:
    done: Table = real(state, name, replace(said, fatal=False))
    return done


def _only_this_roll(state: Any, rolling: Any, difficulty: int) -> Any:
    return state


def _a_winner_of_what_is_even(judged: Judged) -> bool:
    return judged.outcome.succeeded


def _nobody_wins_exceptionally(judged: Judged) -> bool:
    return judged.outcome is RollOutcome.SUCCESS


def _swapped(gain: Gain | None) -> RegainedView | None:
    other = {Token.KARMA: Token.RESOLVE, Token.RESOLVE: Token.KARMA}
    return RegainedView(what=other[gain.what], amount=gain.amount) if gain else None


def _more_than_was_left(paid: Paid | None) -> PriceView | None:
    return PriceView(resolve=max(paid.resolve, 1), complication=None) if paid else None


def _for_nothing(state: Table, *args: Any, real: Any = flow.pay) -> Table:
    """Fault: karma makes a roll easier, but is not paid."""
    done: Table = real(state, *args)
    return replace(done, tale=state.tale)


def _the_other_difficulty(one: Roll, other: Roll) -> tuple[Roll, Roll]:
    return (replace(one, difficulty=max(one.dice)), replace(other, difficulty=max(other.dice)))


def _out_whatever_is_said(state: Table, name: str, said: Any, real: Any = flow.befallen) -> Table:
    done: Table = real(state, name, replace(said, stays=False))
    return done


def _moot_behind_the_last_token(state: Table, rolling: Any, name: str) -> bool:
    return bool(rolling.overcame)


@pytest.mark.parametrize(
    ("module", "name", "wrong"),
    [
        (settling_steps.flow, "charged", _the_usual_price),
        (flow, "regained", _always_karma),
        (settling_steps.flow, "befallen", _no_warning),
        (roll_steps, "_known", _only_this_roll),
        (flow, "_comes_to_nothing", _moot_behind_the_last_token),
        (view, "has_won", _a_winner_of_what_is_even),
        (view, "has_won", _nobody_wins_exceptionally),
        (view, "_gain", _swapped),
        (view, "_price", _more_than_was_left),
        (flow, "pay", _for_nothing),
        (flow, "face", _the_other_difficulty),
        (settling_steps.flow, "befallen", _out_whatever_is_said),
    ],
)
def test_a_planted_fault_is_found(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, wrong: Any
) -> None:
    monkeypatch.setattr(module, name, wrong)
    with pytest.raises((Faulty, AssertionError)):
        for seed in range(PLANTED):
            compare(Walk(seed))
