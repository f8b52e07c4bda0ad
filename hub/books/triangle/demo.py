"""The triangle's demo: a story, a scene of the same people with more of the rules in it, and the
cards that three seats need for both."""

from collections.abc import Mapping
from importlib import resources

from hub.books.triangle.hands import hand, learnable
from hub.rules.game import Choice
from hub.rules.triangle.editions import DEFAULT, EDITIONS

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

SCENE = """\
# Two against three in a library. The shape is that of `facedown resolve`, without its turns.
title = "The forbidden scroll"
ruleset = "unroll"
lethal = false
minor = false

[sides]
players = ["Ada", "Bo"]
elbow-clan = ["Crow", "Heron", "Magpie"]

[characters.Ada]
level = 3
energy = { attack = 5, defend = 3, grapple = 2 }
moves = ["attack-high", "attack-mid", "defend-mid", "grapple-low", "grapple-high"]
combos = { attack-mid = ["grapple-high", "attack-high"], grapple-low = ["attack-mid"] }
specials = ["scouter", "wax-on-attack"]

[characters.Bo]
level = 5
energy = { attack = 3, defend = 3, grapple = 4 }
moves = ["attack-low", "defend-low", "defend-high", "grapple-mid", "grapple-high"]
combos = { grapple-mid = ["attack-low", "grapple-high"], attack-high = ["defend-low"] }
specials = ["yojimbo", "wax-on-grapple"]

[characters.Crow]
level = 10
energy = { attack = 4, defend = 2, grapple = 2 }
moves = ["attack-high", "attack-low", "defend-mid", "grapple-mid"]
specials = ["predictabo-defend", "pressure-point"]

[characters.Heron]
level = 3
energy = { attack = 2, defend = 3, grapple = 1 }
moves = ["attack-mid", "defend-low", "defend-high", "grapple-low"]
combos = { attack-mid = ["defend-high"] }
specials = ["wax-on-attack", "to-blave"]

[characters.Magpie]
energy = { attack = 1, defend = 1, grapple = 3 }
moves = ["attack-low", "defend-mid", "grapple-low", "grapple-high"]
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
    cast = (resources.files(__package__) / "cast").iterdir()
    sheets = {each.name: each.read_text(encoding="utf-8") for each in cast}
    return {"scene.toml": SCENE, **{n: text for n, text in sheets.items() if n.endswith(".toml")}}


def hands() -> Mapping[str, list[Choice]]:
    """Seat → its cards; of specials those of the scene, and those that anybody may learn soon."""
    book = EDITIONS[DEFAULT]
    return {
        seat: hand(book, largest, (*learnable(book), *_MORE.get(seat, ())))
        for seat, largest in _LARGEST.items()
    }
