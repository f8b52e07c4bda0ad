"""docs/build/hardware.md, followed step by step."""

import threading
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from hub.sim.readers import SimulatedReader
from hub.sim.tags import card
from hub.wire.tags import tag_id
from tests.support.guides import GUIDES, ROOT, SECONDS, Walk

NORTH, EAST = "usb-adapter-a-port0", "usb-adapter-b-port0"
COMMANDS = 30
"""After this many commands, a program watching a reader has set it up and is scanning for cards."""


def lay(walk: Walk) -> None:
    for reader in walk.fields.values():
        reader.put(card(tag_id(reader.name.encode()[:16].ljust(16))))


def later(deed: Callable[[SimulatedReader], object]) -> Callable[[Walk], None]:
    """Return an action that runs ``deed`` during the next command, once that command watches the
    reader: nobody can type and unplug at the same time."""

    def hand(walk: Walk) -> None:
        reader, watched = walk.fields[NORTH], threading.Semaphore(0)
        assert reader._uart is not None
        chip = reader._uart.chip
        receive = chip.receive

        def heard(data: bytes, now: float) -> None:
            watched.release()
            receive(data, now)

        def wait() -> None:
            if all(watched.acquire(timeout=SECONDS) for _ in range(COMMANDS)):
                deed(reader)

        chip.receive = heard  # type: ignore[method-assign]
        thread = threading.Thread(target=wait)
        walk._stack.callback(thread.join)
        thread.start()

    return hand


def neighbours(walk: Walk) -> None:
    for reader in walk.fields.values():
        reader.lift()
    lies = card(tag_id(b"a lone card there"[:16]))
    walk.fields[EAST].couple(0.2)
    walk.fields[NORTH].put(lies)
    walk.fields[EAST].put(lies)


HANDS = {
    "a card is laid on each reader": lay,
    "the supply breaks down for a moment": later(SimulatedReader.brown_out),
    "one card lies on a reader, and its neighbour hears it": neighbours,
}


def test_the_guide_works(tmp_path: Path) -> None:
    with Walk(tmp_path, (NORTH, EAST), HANDS) as walk:
        walk.follow(GUIDES / "hardware.md")
    assert any("doctor" in command for command in walk.ran)


def test_the_wiring_picture_names_its_wires_in_words() -> None:
    picture = ElementTree.parse(ROOT / "docs/images/wiring.svg").getroot()
    words = " ".join("".join(each.itertext()) for each in picture.iter())
    for wire in ("5 V to VCC", "GND to GND", "TXD to RXD", "RXD to TXD"):
        assert wire in words
    assert picture.find("{http://www.w3.org/2000/svg}desc") is not None
