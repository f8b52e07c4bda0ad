"""The demo's files: a configuration, a story, a scene, and a deck for three simulated readers."""

import os
import re
from pathlib import Path

from hub.cards.deck import Deck, make_deck, write_deck
from hub.games.family import Demo
from hub.games.files import NoFile, read_named
from hub.games.registry import demos
from hub.kernel.called import called
from hub.kernel.faults import shown

CONFIG = """\
[table]
name = "demo"
journal = "journal.db"
deck = "deck.toml"

{seats}
[timing]
reveal_delay_s = 1.5

[scene]
file = "scene.toml"

{story}
[mqtt]
enabled = true
embedded = true
port = {mqtt_port}

[web]
host = "{web_host}"
port = {web_port}
# Phones call the number: it works on each of them, and a demo has no other evening.
name = ""

[log]
level = "warning"
"""


LOOPBACK, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - who asks for it wants it


class NoDemo(ValueError):
    """There is no such demo, or the folder has a configuration that the demo did not write."""


def make_demo(
    folder: Path, *, web_port: int, mqtt_port: int = 1883, lan: bool = False, ruleset: str = ""
) -> Path:
    """Write the demo's files into ``folder``. Returns the path of its ``hub.toml``.

    Without a ``ruleset``, it is the demo already there, or else the first one. An existing deck,
    scene, journal and characters are kept. Raises :class:`OSError`, and :class:`NoDemo` if the
    ruleset has no demo or the folder has another configuration, which is never overwritten.
    """
    config = folder / "hub.toml"
    ruleset = ruleset or _lying(config) or next(iter(demos()))
    if ruleset not in demos():
        raise NoDemo(f"no demo is played by {shown(ruleset)}; there are: {', '.join(demos())}")
    if config.exists() and _lying(config) != ruleset:
        raise NoDemo(
            f"{config} is not this demo's: play it with `{called()} run --config {config}`, or "
            "name another folder for the demo"
        )
    folder.mkdir(parents=True, exist_ok=True)
    demo, text = demos()[ruleset], _config(demos()[ruleset])
    deck = folder / "deck.toml"
    if not deck.exists():
        write_deck(deck, demo_deck(ruleset))
    for name, content in demo.files().items():
        if not (folder / name).exists():
            _write(folder / name, content)
    blanks = {"web_host": host_of(lan=lan), "web_port": web_port, "mqtt_port": mqtt_port}
    for name, value in blanks.items():
        text = text.replace(f"{{{name}}}", str(value))
    _write(config, text)
    return config


def _write(file: Path, text: str) -> None:
    """Write a file readable by its owner only, because the NPCs' abilities are the GM's secret."""
    made = file.with_name(f".{file.name}.new")
    with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as new:
        new.write(text.encode())
    made.replace(file)


def demo_deck(ruleset: str = "") -> Deck:
    """The deck of a ruleset's demo, by default the first: every seat's cards, each with a new
    tag."""
    demo = demos()[ruleset or next(iter(demos()))]
    return Deck(
        tuple(
            card
            for seat, choices in demo.hands().items()
            for card in make_deck(choices, group=seat).cards
        )
    )


def _config(demo: Demo) -> str:
    return CONFIG.replace("{seats}", demo.SEATS).replace("{story}", demo.STORY)


def _lying(config: Path) -> str | None:
    """The ruleset of the demo that wrote this configuration; None if none did."""
    if not config.exists():
        return None
    try:
        lies = read_named(config).decode("utf-8", errors="replace")
    except NoFile:
        return None
    ours = {name: re.escape(_config(demo)) for name, demo in demos().items()}
    blank = re.compile(r"\\{\w+\\}")
    return next(
        (n for n, text in ours.items() if re.fullmatch(blank.sub(r'[^"\\n]*', text), lies)), None
    )


def host_of(*, lan: bool) -> str:
    """The address at which a demo's pages listen: with ``lan`` all of this machine's, else loopback
    only."""
    return EVERYWHERE if lan else LOOPBACK
