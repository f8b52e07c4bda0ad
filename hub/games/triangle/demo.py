"""The triangle's demo: a story, a scene of the same people with more of the rules in it, and the
cards that three seats need for both."""

from collections.abc import Mapping
from importlib import resources

from hub.games.game import Choice
from hub.games.triangle.hands import hand, learnable
from hub.games.triangle.rules.editions import DEFAULT, EDITIONS

RULESET = DEFAULT
SEATS = """\
[[seat]]
name = "ada"
reader = "sim:ada"
characters = ["Ada"]

[[seat]]
name = "bo"
reader = "sim:bo"
characters = ["Bo"]

[[seat]]
name = "gm"
reader = "sim:gm"
characters = ["Crow", "Heron", "Magpie"]
gm = true
"""

STORY = """\
[story]
characters = ["ada.toml", "bo.toml", "crow.toml", "heron.toml", "magpie.toml"]

[[story.countdown]]
name = "The tide comes in"
boxes = 6
"""

_LARGEST = {
    "ada": {"attack": 7, "defend": 5, "grapple": 4},
    "bo": {"attack": 5, "defend": 5, "grapple": 6},
    "gm": {"attack": 8, "defend": 8, "grapple": 8},
}
"""Seat → the largest stances: what its characters have and what levels can add; for the GM, what
NPCs that are made in seconds may have."""
_MORE = {"bo": ("yojimbo",), "gm": ("predictabo-defend",)}
"""Seat → specials of its characters in the scene that not everybody may learn soon."""


def files() -> Mapping[str, str]:
    """The scene and the characters, by the names of their files."""
    found = (resources.files(__package__) / "demo_files").iterdir()
    return {f.name: f.read_text(encoding="utf-8") for f in found if f.name.endswith(".toml")}


def hands() -> Mapping[str, list[Choice]]:
    """Seat → its cards; of specials those of the scene, and those that anybody may learn soon."""
    book = EDITIONS[RULESET]
    return {
        seat: hand(book, largest, (*learnable(book), *_MORE.get(seat, ())))
        for seat, largest in _LARGEST.items()
    }
