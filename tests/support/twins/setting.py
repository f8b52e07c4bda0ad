"""The tables that twins play at: their files, for each book and seating."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hub.cards.deck import Card, Deck, write_deck
from hub.config.loader import TableFiles, load_config
from hub.daemon.outputs import OUTPUTS
from hub.games.game import Choice
from hub.games.story import GivenDeed
from hub.table.acts import BeginStory, StorySheets
from tests.support.editions import IRON_TRIANGLE, IRON_TRIANGLE_1E, UNROLL
from tests.support.evening import cast
from tests.support.tabletalk import DUEL

EDITIONS = {edition.id: edition for edition in (UNROLL, IRON_TRIANGLE, IRON_TRIANGLE_1E)}
SEATINGS = {
    "apart": {"ada": ("ada",), "bo": ("bo",), "gm": ("ninja", "crow")},
    "together": {"ada": ("ada", "ninja"), "bo": ("bo",), "gm": ("crow",)},
}
"""``together``: one reader for both players of a turn."""
_FIRST_TEXT = {
    "scouter": "insight", "to-blave": "precise", "there-can-be-only-one": "showdown",
    "pressure-point": "vampire-defend", "wax-on-attack": "parry-attack",
    "santa-carla-attack": "vampire-attack", "predictabo-attack": "premonition-attack",
    "yojimbo": "bodyguard", "liquid-metal": "mimic",
}  # fmt: skip
SPECIALS = {
    "ada": ("to-blave", "scouter", "wax-on-attack", "santa-carla-attack", "drunken-monkey"),
    "bo": ("yojimbo", "to-blave", "liquid-metal"),
    "ninja": ("there-can-be-only-one", "wax-on-attack", "pressure-point", "to-blave"),
    "crow": ("yojimbo", "predictabo-attack"),
}
TABLE = """\
[table]
name = "test"
journal = "journal.db"
deck = "deck.toml"
{seats}
[timing]
commit_s = {commit_s}
at_zero = "{at_zero}"
reveal_delay_s = {reveal_delay_s}
[scene]
file = "scene.toml"
"""
_CONFIG = (
    TABLE
    + """\
[mqtt]
enabled = true
commands = true
username = "hub"
password = "of the broker"
[mqtt.homeassistant]
[homie]
enabled = true
[prometheus]
enabled = true
[[clock]]
driver = "wled"
topic = "wled/wall"
shows = "reveal"
lights = 12
[web]
port = 8080
[web.wifi]
ssid = "Table"
password_file = "wifi.secret"
"""
)
WIFI_PASSWORD = "canary-of-the-wifi"

_PANEL = """\
[panel]
driver = "mock"
button = [
    { pin = 5, does = "next" }, { pin = 6, does = "undo" }, { pin = 13, does = "pause" },
    { pin = 19, does = "mark-countdown" }, { pin = 26, does = "lights" },
]
lamp = [{ pin = 17, seat = "ada" }, { pin = 27, seat = "bo" }, { pin = 22, seat = "gm" }]
buzzer = { pin = 12, kind = "tone" }
knob = { a = 23, b = 24, press = 25 }
"""
BUTTONS = {"next": 5, "undo": 6, "pause": 13, "mark-countdown": 19, "lights": 26, "knob": 25}
LEDS = {"ada": 17, "bo": 27, "gm": 22}
BUZZER, KNOB = 12, (23, 24)


SPARE = "spare"
"""A seat without a player, with a simulated reader; such a table is virtual."""


class Setting:
    """A book and a seating.

    ``commit_s``: the commit timer. ``virtual``: a virtual table, which shows all lamps and a clock.
    ``panel``: a panel of buttons and LEDs.
    """

    def __init__(
        self, ruleset: str = UNROLL.id, seating: str = "apart", commit_s: float = 0,
        reveal_delay_s: float = 1, virtual: bool = False, panel: bool = False,
    ) -> None:  # fmt: skip
        self.ruleset, self.seating = ruleset, seating
        self.seats = SEATINGS[seating]
        self.commit_s, self.reveal_delay_s = commit_s, reveal_delay_s
        self.virtual, self.panel = virtual, panel
        self.specials = {name: self._named(some) for name, some in SPECIALS.items()}
        self.tags = {
            seat: {card: f"{seat}-{number:03}" for number, card in enumerate(self._cards(actors))}
            for seat, actors in self.seats.items()
        }
        """Seat → card → its tag."""

    def write(self, folder: Path) -> None:
        """Write the table's files into ``folder``."""
        seats = "".join(
            f'[[seat]]\nname = "{seat}"\nreader = "seat:/dev/{seat}"\n'
            f"characters = {json.dumps(actors)}\n{'gm = true' * (seat == 'gm')}\n"
            for seat, actors in self.seats.items()
        )
        if self.virtual:
            seats += (
                f'[[seat]]\nname = "{SPARE}"\nreader = "sim:{SPARE}"\ncharacters = ["nobody"]\n'
            )
        at_zero = "gm-decides" if self.commit_s else "nothing"
        config = _CONFIG.format(seats=seats, commit_s=self.commit_s, at_zero=at_zero,
                                reveal_delay_s=self.reveal_delay_s)  # fmt: skip
        (folder / "hub.toml").write_text(config + _PANEL * self.panel)
        (folder / "hub.toml").chmod(0o600)
        (folder / "wifi.secret").touch(0o600)
        (folder / "wifi.secret").write_text(f"{WIFI_PASSWORD}\n")
        (folder / "scene.toml").write_text("".join(self.scene()))
        (folder / "scene.toml").chmod(0o600)
        write_deck(folder / "deck.toml", self.deck())

    def scene(self) -> Iterable[str]:
        """The lines of the scene's file."""
        characters = {
            name: {**sheet, "specials": self.specials[name]}
            for name, sheet in DUEL["characters"].items()
        }
        scene = {"ruleset": self.ruleset, "sides": DUEL["sides"], "characters": characters}
        return (f"{key} = {as_toml(value)}\n" for key, value in scene.items())

    def deck(self) -> Deck:
        """Every card, with its tag."""
        cards = (
            Card(tag, Choice.parse(card), seat)
            for seat, tags in self.tags.items()
            for card, tag in tags.items()
        )
        return Deck(tuple(cards))

    def sheets(self) -> list[dict[str, Any]]:
        """The story's sheets."""
        return cast(self.ruleset)

    def load(self, folder: Path) -> TableFiles:
        """The files as the hub loads them, with a story of the same people."""
        from hub.cards.deck import read_deck

        config = load_config(folder / "hub.toml", OUTPUTS)
        story = BeginStory(self.ruleset, StorySheets(self.sheets()), (self.first_deed(),))
        return TableFiles(config, read_deck(config.table.deck), "A duel", None, story)

    def first_deed(self) -> GivenDeed:
        """The deed with which the story begins."""
        return Choice("countdown", "new 6 The tide")

    def _named(self, specials: Iterable[str]) -> list[str]:
        known = EDITIONS[self.ruleset].specials
        found = [_FIRST_TEXT.get(one, one) if one not in known else one for one in specials]
        return [one if one in known else "i-already-know-attack" for one in found]

    def _cards(self, actors: Iterable[str]) -> list[str]:
        moves = EDITIONS[self.ruleset].moves
        cards = ["stance none", "special none", "move surrender"]
        cards += [f"stance {t} {n}" for t in ("attack", "defend", "grapple") for n in range(1, 6)]
        cards += [f"move {move}" for move in moves]
        cards += [f"option {number}" for number in range(1, 5)]
        return [*cards, *dict.fromkeys(f"special {s}" for a in actors for s in self.specials[a])]


def as_toml(value: Any) -> str:
    """A value in TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {as_toml(inner)}" for key, inner in value.items()) + "}"
    return json.dumps(value)
