"""The demo of a Conflict: three parties at four seats. The hub draws the cards."""

from collections.abc import Mapping, Sequence

from hub.games.game import Choice
from hub.kernel.documents.toml import packaged_texts

RULESET = "tourists"
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
name = "cy"
reader = "sim:cy"
characters = ["Salt Guild"]

[[seat]]
name = "gm"
reader = "sim:gm"
characters = ["The Flood"]
gm = true
"""
STORY = ""
_SAID = ("draw", "pass", "turn", "reject", "let-be", "let-be-all", "ask-again", "concede")
"""The word cards of a seat."""


def files() -> Mapping[str, str]:
    """The texts of the demo's files by name, apart from ``hub.toml``."""
    return packaged_texts(__package__, "demo_files")


def hands() -> Mapping[str, Sequence[Choice]]:
    """Seat → its cards, including Reserve Cards, which a player lays to cover a card."""
    reserves = {
        "ada": ("33 upright",),
        "bo": ("58 reversed",),
        "cy": ("75 upright",),
        "gm": ("12 upright", "45 reversed", "84 upright"),
    }
    return {
        seat: [*map(Choice, _SAID), *(Choice("drawn", card) for card in cards)]
        for seat, cards in reserves.items()
    }
