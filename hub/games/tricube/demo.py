"""The demo of a tale: three players and the GM. The table throws the dice."""

import tomllib
from collections.abc import Mapping, Sequence

from hub.games.game import Choice
from hub.games.tricube.dealing import now, of_scene
from hub.games.tricube.story.sheet import TaleSheet
from hub.kernel.documents.toml import packaged_texts

RULESET = "tricube"
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
characters = ["Cy"]

[[seat]]
name = "gm"
reader = "sim:gm"
gm = true
"""
STORY = ""
_GM = "gm"


def files() -> Mapping[str, str]:
    """The texts of the demo's files by name, apart from ``hub.toml``."""
    return packaged_texts(__package__, "demo_files")


def hands() -> Mapping[str, Sequence[Choice]]:
    """Seat → its cards: those of its character, or the GM's."""
    people = of_scene(RULESET, tomllib.loads(files()["scene.toml"]))
    return {**{each.name.lower(): _cards(each) for each in people}, _GM: _cards()}


def _cards(*playing: TaleSheet) -> list[Choice]:
    return [card for card, _, count in now(RULESET, playing) for _ in range(count)]
