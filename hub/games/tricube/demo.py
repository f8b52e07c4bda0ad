"""The demo of a tale: three players and the GM. The table throws the dice."""

import tomllib
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from hub.games.game import Choice
from hub.games.tricube.dealing import now
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
    """The scene file."""
    return packaged_texts(__package__, "demo_files")


def hands() -> Mapping[str, Sequence[Choice]]:
    """Seat → its cards: those of its character, or the GM's difficulties."""
    people = tomllib.loads(files()["scene.toml"])["characters"]
    cards = {name.lower(): _cards(_sheet(name, each)) for name, each in people.items()}
    return {**cards, _GM: _cards()}


def _sheet(name: str, written: Mapping[str, Any]) -> SimpleNamespace:
    return SimpleNamespace(
        name=name, perks=written.get("perks", ()), quirks=written.get("quirks", ())
    )


def _cards(*playing: SimpleNamespace) -> list[Choice]:
    return [card for card, _, count in now(RULESET, playing) for _ in range(count)]
