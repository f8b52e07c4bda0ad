"""Names that contain words of the GM's language, or are such words, still work as names (R11).

Everything said goes through its written form, as at a table.
"""

from typing import Any

import pytest

from hub.games.game import GM, Choice
from hub.games.registry import game_of, story_of
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.house import derive
from hub.games.triangle.rules.problem.state import ProblemState
from hub.games.triangle.story.state import StoryState
from hub.kernel.faults import Faulty
from tests.support.evening import cast
from tests.support.said import deed_of
from tests.support.words import overruled, why_not

NAMES = (
    "Vic", "Vic because Tor", "because", "because we can", "turn", "loss", "end", "combo", "nobody",
    "none", "by", "as", "A; B", ";", "won", "tied", "against", "attack", "Ada", "Ada attack 3",
    "Ada 3", '"', 'Odd "Job"', '"Odd"', "out", "in", "O'Neil", "overrule", "x because", "3",
    "because because because",
)  # fmt: skip
SIDES = ("nobody", "because", "none", "by", "out", "end", "a; b", "this because that")
POINTS = {"attack": 3, "defend": 3, "grapple": 3}
WHY = "the floor gave way because of the rain; by and by"


def conflict(ours: str, theirs: str, *, sides: tuple[str, str] = ("players", "others")) -> Conflict:
    """Two characters, one with this name, beside others that are easily confused with them."""
    lookalikes = [n for n in ("Ada", "Vic", "Vic because Tor") if n not in (ours, theirs)]
    names = {sides[0]: [ours, *lookalikes], sides[1]: [theirs]}
    sheet = {
        "energy": POINTS,
        "moves": ["attack-high", "grapple-low", "defend-mid"],
        "combos": {"grapple-low": ["attack-high"]},
    }
    setup = {"sides": names, "characters": {n: sheet for each in names.values() for n in each}}
    begun: Conflict = game_of("unroll").begin({"ruleset": "unroll", **setup})
    return begun


def go(state: Conflict, **kinds: dict[str, str]) -> Conflict:
    game: Any = game_of("unroll")
    for kind, chosen in kinds.items():
        state = game.advance(state, {n: Choice(kind, value) for n, value in chosen.items()})
    return state


def judged(state: Conflict, ours: str, theirs: str) -> Conflict:
    """ours has won by Attack against Grapple; the loss is being split."""
    state = go(state, active={GM: ours}) if not state.turn else state
    return go(
        state,
        opponent={ours: theirs},
        stance={ours: "none", theirs: "none"},
        move={ours: "attack-high", theirs: "grapple-low"},
    )


def said(state: Any, what: str, why: str = WHY, ruleset: str = "unroll") -> Any:
    game: Any = game_of(ruleset)
    return overruled(game, state, f"{what} because {why}")


BARE = ("Vic",)
"""A name that is the beginning of another one, and of some text said here."""


def forms(name: str) -> list[str]:
    """The name as written, and in quotes, where it is unambiguous."""
    return [f'"{name}"'] if name in BARE else [name, f'"{name}"']


@pytest.mark.parametrize("name", NAMES)
def test_an_overrule_affects_the_named_character(name: str) -> None:
    foe = "ninja"
    start = conflict(name, foe)
    for form in forms(name):
        assert said(start, f"{form} attack 1 defend 2").fighters[name].energy.attack == 1
        assert said(start, f"{form} out").fighters[name].out
        assert said(start, f"{form} turns 3").fighters[name].turns == 3
        lies = said(start, f"{form} disadvantage attack-high grapple-low")
        assert [*map(str, lies.fighters[name].face_up)] == ["attack-high", "grapple-low"]
        assert said(lies, f"{form} disadvantage none").fighters[name].face_up == ()
        run = said(start, f"combo against {foe}; {form} grapple-low").run
        assert run and [(n, str(m)) for n, m in run.cards] == [(name, "grapple-low")]
        run = said(start, f"combo against {form}; {foe} attack-high; ninja grapple-low").run
        assert run and run.victim == name and len(run.cards) == 2


@pytest.mark.parametrize("name", NAMES)
def test_an_overruled_turn_affects_the_named_character(name: str) -> None:
    state = judged(conflict(name, "ninja"), name, "ninja")
    for form in forms(name):
        tied = said(state, "turn tied")
        assert said(tied, f"turn won {form}").turn.verdict.winner == name
        assert said(tied, f"loss {form} 2").turn.verdict.losses[name].total == 2
    assert said(state, "turn won ninja").turn.verdict.winner == "ninja"


def test_the_longer_matching_name_is_meant_unless_quoted() -> None:
    state = judged(conflict("Vic because Tor", "Vic because"), "Vic because Tor", "Vic because")
    tied = said(state, "turn tied", "it was close")
    assert said(tied, "turn won Vic because Tor", "x").turn.verdict.winner == "Vic because Tor"
    assert said(tied, 'turn won "Vic because"', "Tor slipped").turn.verdict.winner == "Vic because"
    energies = said(conflict("Ada attack 3", "ninja"), '"Ada" attack 2', "x").fighters
    assert energies["Ada"].energy.attack == 2
    energies = said(conflict("Ada attack 3", "ninja"), "Ada attack 3 attack 2", "x").fighters
    assert energies["Ada attack 3"].energy.attack == 2
    energies = said(conflict("Ada attack 3", "ninja"), "Ada attack 3", "x").fighters
    assert energies["Ada"].energy.attack == 3, "the reading that makes sense"


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("at", [0, 1])
def test_a_side_wins_by_its_name_or_none_wins(side: str, at: int) -> None:
    sides = (side, "foes") if at == 0 else ("friends", side)
    state = conflict("ada", "ninja", sides=sides)
    assert said(state, f'end "{side}"').result.winner == side
    assert said(state, f"end {sides[1 - at]}").result.winner == sides[1 - at]
    assert said(state, "end nobody").result.winner is None
    if side != "nobody":
        assert said(state, f"end {side}").result.winner == side
    undecided = game_of("unroll").view(said(state, "end nobody"))
    assert undecided.result.winner is None and not undecided.result.undecided  # type: ignore[attr-defined]


def test_faults_are_reported() -> None:
    state = conflict("Vic because Tor", "ninja")
    game: Any = game_of("unroll")
    for text, words in {
        "ninja attack 9 because of it": "at most 3",
        '"nobody here" out because x': "no one here is called",
        "combo against ninja because x": "a combo names its victim",
        "end because x": "a side wins the conflict",
    }.items():
        assert words in str(why_not(game, state, text))


def told(state: StoryState, deed: str) -> StoryState:
    parsed = deed_of(state, deed)
    assert story_of("unroll").why_not(state, parsed) is None, story_of("unroll").why_not(
        state, parsed
    )
    return story_of("unroll").tell(state, parsed)  # type: ignore[no-any-return]


STORY_NAMES = tuple(n for n in NAMES if ";" not in n)
"""Names that the text of old logs could express; in typed values any name is possible."""


def story(name: str, *, dead: bool = False) -> StoryState:
    """A character of this name beside those easily confused with it, and one in reserve."""
    first = cast()[0]
    others = [n for n in ("Vic", "Ada", "Vic because Tor", "Vic by Tor") if n != name]
    party = [{**first, "name": name, "dead": dead}, *({**first, "name": n} for n in others)]
    return story_of("unroll").begin(party, [{**first, "name": "fresh"}])  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", STORY_NAMES)
def test_deeds_affect_the_named_character(name: str) -> None:
    state = story(name)
    for form in forms(name):
        assert (
            told(state, f"overrule {form} attack 1 because {WHY}").sheets[name].energy.attack == 1
        )
        assert told(state, f"overrule {form} dead because {WHY}").sheets[name].dead
        assert told(state, f"rewrite goal {form} Get out").sheets[name].goal.text == "Get out"
        assert told(state, f"mark belief {form}").sheets[name].belief.marked
        lost = told(state, f"lose {form} attack 1").sheets[name].energy.attack
        assert lost == state.sheets[name].energy.attack - 1
        tired = told(state, f"overrule {form} attack 0 because x")
        tired = told(tired, "overrule rest because x")
        assert told(tired, f"rest breather attack {form}").sheets[name].energy.attack == 1
    gone = story(name, dead=True)
    for form in forms(name):
        assert told(gone, f"replace {form} by fresh").heirs == {"fresh": name}


def test_deeds_affect_the_named_background() -> None:
    first = cast()[0]
    names = ("cook", "cook because of Ann", "cook as spy")
    backgrounds = [{"name": n, "points": 1, "left": 1} for n in names]
    state = story_of("unroll").begin([{**first, "backgrounds": backgrounds}])
    for name in names:
        after = told(state, f'overrule {first["name"]} background "{name}" 0 because {WHY}')
        assert [b.name for b in after.sheets[first["name"]].backgrounds if not b.left] == [name]
        after = told(state, f'background {first["name"]} "{name}" as Smith')
        left = [b.name for b in after.sheets[first["name"]].backgrounds]
        assert "Smith" in left and name not in left
    after = told(state, f"overrule {first['name']} background cook because of Ann 0 because x")
    assert not after.sheets[first["name"]].backgrounds[1].left


@pytest.mark.parametrize("name", NAMES)
def test_an_overrule_makes_the_named_player_decide_a_problem(name: str) -> None:
    ruleset = "unroll-problem"
    player = {"backgrounds": {"cook": 1}}
    game: Any = game_of(ruleset)
    others = [n for n in ("Vic", "Vic because Tor", "ann") if n != name]
    state: ProblemState = game.begin(
        {"ruleset": ruleset, "characters": dict.fromkeys((name, *others), player)}
    )
    state = game.advance(state, {n: Choice("option", "1") for n in state.interested})
    for form in forms(name):
        assert said(state, f"decider {form}", ruleset=ruleset).ruled == name
        assert said(state, f"option {form} 3", ruleset=ruleset).options[name] == 3


def test_house_rules_cannot_call_a_move_none() -> None:
    row = {"action": "attack", "element": "low", "base": 1, "multiplier": 1}
    with pytest.raises(Faulty, match="cannot name a move"):
        derive({"id": "home", "base": "unroll", "moves": {"none": row}})
