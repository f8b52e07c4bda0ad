"""The toy's demo: a scene for two, and the cards for it."""

from collections.abc import Mapping

from hub.games.game import Choice

from .rules import DICE, ReachGame

RULESET = ReachGame.ruleset
SEATS = """\
[[seat]]
name = "ada"
reader = "sim:ada"
characters = ["Ada"]

[[seat]]
name = "bo"
reader = "sim:bo"
characters = ["Bo"]
gm = true
"""
STORY = ""
SCENE = f"""\
ruleset = "{RULESET}"
title = "The river"
number = 7

[players.Ada]
[players.Bo]
"""


def files() -> Mapping[str, str]:
    return {"scene.toml": SCENE}


def hands() -> Mapping[str, list[Choice]]:
    return {seat: [Choice("approach", how) for how in DICE] for seat in ("ada", "bo")}
