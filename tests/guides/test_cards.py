"""docs/build/cards.md, followed step by step."""

from pathlib import Path

from hub.cards.deck import read_deck
from hub.sim.tags import blank
from tests.support.guides import GUIDES, Walk
from tests.support.tags import MifareClassic

NORTH = "usb-adapter-a-port0"


class Hands:
    """Puts tags on the only reader."""

    def __init__(self) -> None:
        self.first = blank(0)

    def lay_empty(self, walk: Walk) -> None:
        walk.fields[NORTH].put(self.first)

    def lay_again(self, walk: Walk) -> None:
        walk.fields[NORTH].lift()
        walk.fields[NORTH].put(self.first)

    def lay_key(self, walk: Walk) -> None:
        walk.fields[NORTH].lift()
        walk.fields[NORTH].put(MifareClassic(b"\x01\x02\x03\x04"))


def test_the_guide_works(tmp_path: Path) -> None:
    hands = Hands()
    done = {
        "An empty tag is laid on the reader": hands.lay_empty,
        "The first tag is laid there again": hands.lay_again,
        "It is taken away": lambda walk: walk.fields[NORTH].lift(),
        "A hotel key is laid on the reader": hands.lay_key,
    }
    serial = tmp_path / "serial" / "by-id" / NORTH
    with Walk(tmp_path, (NORTH,), done, {"SERIAL": str(serial)}) as walk:
        walk.follow(GUIDES / "cards.md")
        deck = read_deck(walk.home / "den" / "deck.toml")
    assert hands.first.tag_id
    marks = {card.mark for card in deck.cards if card.group == "ada"}
    assert marks == {"", "struck-off"}, "the written one was lost, and its spare is not written"
    assert [str(card.choice) for card in deck.cards if card.uid] == ["stance none"]
