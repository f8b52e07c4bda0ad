"""The guide to a first table, followed to the letter: from an empty folder to a turn played with
cards on readers."""

import asyncio
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hub.cards.deck import read_deck
from hub.sim.tags import blank
from tests.support.guides import GUIDES, Walk
from tests.support.playing import play_a_first_turn

READERS = {
    seat: f"usb-1a86_USB_Serial_A{number}-if00-port0"
    for number, seat in enumerate(("ada", "bo", "gm"), start=1)
}


@pytest.mark.timeout(240)  # a shell, a table, three readers: slow on a busy machine
def test_the_guide_leads_to_a_played_turn(tmp_path: Path) -> None:
    card = blank()  # any card will do

    def laid_on(seat: str) -> Any:
        def lay(walk: Walk) -> None:
            for field in walk.fields.values():
                field.lift()
            walk.fields[READERS[seat]].put(card)

        return lay

    hands = {
        "A card is laid on Ada's reader": laid_on("ada"),
        "The card is laid on Bo's reader": laid_on("bo"),
        "The card is laid on the GM's reader": laid_on("gm"),
        "A turn is played at the table": play_a_turn,
    }
    with Walk(tmp_path / "walk", tuple(READERS.values()), hands) as walk:
        walk.follow(GUIDES / "first-table.md")
        config = tomllib.loads((walk.home / "den" / "hub.toml").read_text(encoding="utf-8"))
        assert config["table"]["evening"] == "The tide book"
        assert {seat["name"]: Path(seat["reader"]).name for seat in config["seat"]} == READERS
        said = walk.said["facedown replay den/den.journal"]
        assert "Ada" in said
        assert "Sergeant Thole" in said


def play_a_turn(walk: Walk) -> None:
    for field in walk.fields.values():
        field.lift()
    walk.lasting.expect("Only this machine")
    pages = dict(re.findall(r"(GM console|Seat \S+)\s+(http://\S+)", str(walk.lasting.before)))
    deck = read_deck(walk.home / "den" / "deck.toml")

    def lay(seat: str, choice: str) -> None:
        walk.fields[READERS[seat]].lift()
        if choice:
            cards = (c for c in deck.cards if c.group == seat and str(c.choice) == choice)
            walk.fields[READERS[seat]].place(next(cards).tag)

    asyncio.run(play_a_first_turn(pages["GM console"], lay))
