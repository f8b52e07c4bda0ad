"""The demo of the three books: a story; a scene, with its own characters, that uses more of the
rules; and the cards that three seats need for both."""

from collections.abc import Mapping

from hub.games.game import Choice
from hub.games.triangle.dealing import hand, learnable
from hub.games.triangle.rules.editions import DEFAULT, EDITIONS
from hub.kernel.documents.toml import packaged_texts

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
"""Seat → energy type → the largest stance: as much as the seat's characters have, and more for
later levels. The GM's stances allow for improvised NPCs."""
_MORE = {"bo": ("yojimbo",), "gm": ("predictabo-defend",)}
"""Seat → specials that need a level, known to its characters in the scene."""


def files() -> Mapping[str, str]:
    """The files of the scene and the characters: name → text."""
    return packaged_texts(__package__, "demo_files")


def hands() -> Mapping[str, list[Choice]]:
    """The cards in each seat's hand: seat → cards. The specials are those of the scene, and all
    that need no level."""
    book = EDITIONS[RULESET]
    return {
        seat: hand(book, largest, (*learnable(book), *_MORE.get(seat, ())))
        for seat, largest in _LARGEST.items()
    }
