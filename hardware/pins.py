"""pins.toml and chips.toml as values, and the faults in them."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
BOARDS = ("seat", "clock", "hub")
FREE = "GPIO"
"""The function of a pin that a program drives by itself; every pin has it."""
WAYS = ("out", "in", "both")


@dataclass(frozen=True)
class Pin:
    """A pin of a board: see the head of pins.toml."""

    board: str
    gpio: int
    pad: int
    does: tuple[str, ...]
    way: str
    net: str
    setting: str
    to: str
    why: str

    def __str__(self) -> str:
        return f"hardware/pins.toml, {self.board}, {self.net} (GPIO{self.gpio})"


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / name).read_text(encoding="utf-8"))


def said() -> dict[str, Any]:
    """Return the content of pins.toml."""
    return _read("pins.toml")


def chips() -> dict[str, Any]:
    """Return the content of chips.toml."""
    return _read("chips.toml")


def of(board: str, truth: dict[str, Any]) -> list[Pin]:
    """Return the pins of ``seat``, ``clock`` or ``hub``. Raises :exc:`KeyError` for a pin that
    lacks something."""
    return [
        Pin(
            board,
            *(each["gpio"], each["pad"], tuple(each["does"]), each["way"], each["net"]),
            *(each.get("setting", ""), each["to"], each["why"]),
        )
        for each in truth[board]["pin"]
    ]


def faults(truth: dict[str, Any], table: dict[str, Any]) -> Iterator[str]:
    """Yield impossible settings, each in a sentence."""
    for board in BOARDS:
        pins, edge = of(board, truth), table["edge"][truth[board]["edge"]]
        inside = truth[board].get("inside", [])
        yield from _twice(board, [each.gpio for each in pins] + [i["gpio"] for i in inside], "GPIO")
        power = truth[board]["power"]
        pads = [each.pad for each in pins] + [each["pad"] for each in power]
        yield from _twice(board, pads, "pad ")
        yield from _twice(board, [each.net for each in pins], "net ")
        for each in pins:
            there = edge["gpio"].get(str(each.pad))
            if there != each.gpio:
                what = "no GPIO" if there is None else f"GPIO{there}"
                yield f"{each} is said to be at pad {each.pad}, where {edge['source']} has {what}"
            if each.way not in WAYS:
                yield f"{each} goes '{each.way}', which is none of {', '.join(WAYS)}"
            for chip in truth[board]["chips"]:
                yield from _unable(each, chip, table["chip"][chip])
        for each in power:
            net = "GND" if each["pad"] in edge["ground"] else edge["power"].get(str(each["pad"]))
            if net != each["net"]:
                yield (
                    f"hardware/pins.toml, {board}: pad {each['pad']} is {each['net']} there, and "
                    f"{net or 'no supply'} in {edge['source']}"
                )


def _unable(pin: Pin, chip: str, can: dict[str, Any]) -> Iterator[str]:
    if str(pin.gpio) in can["reserved"]:
        yield f"{pin} is {can['reserved'][str(pin.gpio)]} ({can['source']})"
    for what in pin.does:
        if what != FREE and pin.gpio not in can["does"].get(what, ()):
            yield f"{pin} cannot be {what} on a {chip.upper()} ({can['source']})"


def _twice(board: str, used: list[Any], what: str) -> Iterator[str]:
    for each in sorted({each for each in used if used.count(each) > 1}, key=str):
        yield f"hardware/pins.toml, {board}: {what}{each} is used twice"
