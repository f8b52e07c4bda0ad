"""The demo's files: a configuration, a story, a scene of the same people with more of the rules in
it, and a deck for three simulated readers."""

import os
import re
import socket
from importlib import resources
from pathlib import Path

from hub.cards.deck import Deck, make_deck, write_deck
from hub.daemon.hands import hand, learnable
from hub.rules.triangle.editions import DEFAULT, EDITIONS

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

CONFIG = """\
[table]
name = "demo"
journal = "journal.db"
deck = "deck.toml"

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

[timing]
reveal_delay_s = 1.5

[scene]
file = "scene.toml"

[story]
characters = ["ada.toml", "bo.toml", "crow.toml", "heron.toml", "magpie.toml"]

[[story.countdown]]
name = "The tide comes in"
boxes = 6

[mqtt]
enabled = true
embedded = true
port = {mqtt_port}

[web]
host = "{web_host}"
port = {web_port}

[log]
level = "warning"
"""

_OURS = re.compile(re.sub(r"\\{\w+\\}", r"[^\"\\n]*", re.escape(CONFIG)))
"""What the demo writes, with any ports."""

BOOK = EDITIONS[DEFAULT]
HANDS = {
    "ada": {"attack": 7, "defend": 5, "grapple": 4},
    "bo": {"attack": 5, "defend": 5, "grapple": 6},
    "gm": {"attack": 8, "defend": 8, "grapple": 8},
}
"""Seat → the largest stances: what its characters have and what levels can add; for the GM, what
NPCs that are made in seconds may have."""
SPECIALS = {
    "ada": learnable(BOOK),
    "bo": (*learnable(BOOK), "yojimbo"),
    "gm": (*learnable(BOOK), "predictabo-defend"),
}
"""Seat → the specials of its characters in the scene, and those that anybody may learn soon."""


class OwnTable(ValueError):
    """The folder holds a configuration that the demo did not write."""


def make_demo(folder: Path, *, web_port: int, lan: bool = False) -> Path:
    """Write the demo's files into ``folder`` and return the path of its ``hub.toml``.

    A deck, a scene, characters and a journal that lie there already are kept; ports that are
    taken are replaced by free ones. ``lan``: the pages listen on every network.
    Raises :class:`OSError`, and :class:`OwnTable` instead of writing over somebody's
    configuration.
    """
    folder.mkdir(parents=True, exist_ok=True)
    config = folder / "hub.toml"
    if config.exists() and not _OURS.fullmatch(config.read_text("utf-8", errors="replace")):
        raise OwnTable(
            f"{config} is not the demo's: play it with `facedown run --config {config}`, or name "
            "another folder for the demo"
        )
    deck = folder / "deck.toml"
    if not deck.exists():
        write_deck(deck, demo_deck())
    scene = folder / "scene.toml"
    if not scene.exists():
        _write(scene, SCENE)
    for sheet in (resources.files(__package__) / "cast").iterdir():
        if sheet.name.endswith(".toml") and not (folder / sheet.name).exists():
            _write(folder / sheet.name, sheet.read_text(encoding="utf-8"))
    host = "0.0.0.0" if lan else "127.0.0.1"  # noqa: S104 - who asks for it wants it
    blanks = {
        "web_host": host,
        "web_port": _free_port(web_port, host),
        "mqtt_port": _free_port(1883, "127.0.0.1"),
    }
    text = CONFIG
    for name, value in blanks.items():
        text = text.replace(f"{{{name}}}", str(value))
    _write(config, text)
    return config


def _write(file: Path, text: str) -> None:
    """For its owner alone: what the NPCs can do is the GM's secret."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as new:
        new.write(text.encode())


def demo_deck() -> Deck:
    """Every seat's cards, each with a new tag."""
    return Deck(
        tuple(
            card
            for seat, largest in HANDS.items()
            for card in make_deck(hand(BOOK, largest, SPECIALS[seat]), group=seat).cards
        )
    )


def _free_port(wanted: int, host: str) -> int:
    """``wanted`` if nobody listens there on ``host``, or else one of the next, or any."""
    next_ones = range(wanted + 1, min(wanted + 100, 0x10000)) if wanted else ()
    for port in (wanted, *next_ones, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError:
                continue
            return int(probe.getsockname()[1])
    raise OSError(f"no port is free on {host}")
