"""Names that are words of a deed's written form still work as names (R11)."""

import pytest

from hub.games.registry import story_of
from hub.games.triangle.rules.house import derive
from hub.games.triangle.story.state import StoryState
from hub.kernel.faults import Faulty
from tests.support.evening import cast
from tests.support.said import deed_of

NAMES = (
    "Vic", "Vic because Tor", "because", "because we can", "turn", "loss", "end", "combo", "nobody",
    "none", "by", "as", "won", "tied", "against", "attack", "Ada", "Ada attack 3",
    "Ada 3", '"', 'Odd "Job"', '"Odd"', "out", "in", "O'Neil", "overrule", "x because", "3",
    "because because because",
)  # fmt: skip
BARE = ("Vic",)
"""A name that is the beginning of another one, and of some text said here."""


def forms(name: str) -> list[str]:
    """The name as written, and in quotes, where it is unambiguous."""
    return [f'"{name}"'] if name in BARE else [name, f'"{name}"']


def told(state: StoryState, deed: str) -> StoryState:
    parsed = deed_of(state, deed)
    assert story_of("unroll").why_not(state, parsed) is None, story_of("unroll").why_not(
        state, parsed
    )
    return story_of("unroll").tell(state, parsed)  # type: ignore[no-any-return]


def story(name: str, *, dead: bool = False) -> StoryState:
    """A character of this name beside those easily confused with it, and one in reserve."""
    first = cast()[0]
    others = [n for n in ("Vic", "Ada", "Vic because Tor", "Vic by Tor") if n != name]
    party = [{**first, "name": name, "dead": dead}, *({**first, "name": n} for n in others)]
    return story_of("unroll").begin(party, [{**first, "name": "fresh"}])  # type: ignore[no-any-return]


@pytest.mark.parametrize("name", NAMES)
def test_deeds_affect_the_named_character(name: str) -> None:
    state = story(name)
    for form in forms(name):
        assert told(state, f"rewrite goal {form} Get out").sheets[name].goal.text == "Get out"
        assert told(state, f"mark belief {form}").sheets[name].belief.marked
        lost = told(state, f"lose {form} attack 1").sheets[name].energy.attack
        assert lost == state.sheets[name].energy.attack - 1
        tired = told(told(state, f"lose {form} attack 1"), "overrule rest because x")
        assert told(tired, f"rest breather attack {form}").sheets[name].energy.attack == lost + 1
    gone = story(name, dead=True)
    for form in forms(name):
        assert told(gone, f"replace {form} by fresh").heirs == {"fresh": name}


def test_deeds_affect_the_named_background() -> None:
    first = cast()[0]
    names = ("cook", "cook because of Ann", "cook as spy")
    backgrounds = [{"name": n, "points": 1, "left": 1} for n in names]
    state = story_of("unroll").begin([{**first, "backgrounds": backgrounds}])
    for name in names:
        after = told(state, f'background {first["name"]} "{name}" as Smith')
        left = [b.name for b in after.sheets[first["name"]].backgrounds]
        assert "Smith" in left and name not in left


def test_house_rules_cannot_call_a_move_none() -> None:
    row = {"action": "attack", "element": "low", "base": 1, "multiplier": 1}
    with pytest.raises(Faulty, match="cannot name a move"):
        derive({"id": "home", "base": "unroll", "moves": {"none": row}})
