"""The demo's files: a configuration, a story, a scene of the same people with more of the rules in
it, and a deck for three simulated readers."""

import os
import re
import socket
from pathlib import Path

from hub.books.family import Demo
from hub.books.registry import default_ruleset, face_of
from hub.cards.deck import Deck, make_deck, write_deck

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

[log]
level = "warning"
"""


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
    config, demo = folder / "hub.toml", _demo()
    text = CONFIG.replace("{seats}", demo.SEATS).replace("{story}", demo.STORY)
    ours = re.sub(r"\\{\w+\\}", r"[^\"\\n]*", re.escape(text))
    if config.exists() and not re.fullmatch(ours, config.read_text("utf-8", errors="replace")):
        raise OwnTable(
            f"{config} is not the demo's: play it with `facedown run --config {config}`, or name "
            "another folder for the demo"
        )
    deck = folder / "deck.toml"
    if not deck.exists():
        write_deck(deck, demo_deck())
    for name, content in demo.files().items():
        if not (folder / name).exists():
            _write(folder / name, content)
    host = "0.0.0.0" if lan else "127.0.0.1"  # noqa: S104 - who asks for it wants it
    blanks = {
        "web_host": host,
        "web_port": _free_port(web_port, host),
        "mqtt_port": _free_port(1883, "127.0.0.1"),
    }
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
            for seat, choices in _demo().hands().items()
            for card in make_deck(choices, group=seat).cards
        )
    )


def _demo() -> Demo:
    return face_of(default_ruleset(), lambda family: family.demo)


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
