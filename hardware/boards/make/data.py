"""Reads a board's data file and checks it by its own rules.

Lengths are in millimetres from the board's upper left corner, y downwards; angles in degrees,
counter-clockwise. A net whose name begins with ``+``, and ``GND``, is drawn as a power symbol and
keeps its name. Any other net is a label in the schematic, and KiCad calls it ``/NAME``.
"""

import tomllib
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

OPEN = "-"
"""Stands in the place of a net: the pin is left open on purpose."""
_NAMESPACE = uuid.UUID("6f1f5f0e-6a52-5f07-9d6b-8a7f6b1d4c11")


class Faulty(ValueError):
    """No board can be made from the data file; the message says which part is wrong, and why."""


@dataclass(frozen=True)
class Part:
    """One part of a board."""

    ref: str
    symbol: str
    """``Library:Name``; ``facedown:`` is this folder's own library. Empty: it is not in the
    schematic."""
    footprint: str
    value: str
    group: str
    at: tuple[float, float]
    turn: float
    side: str
    """``top`` or ``bottom``."""
    pins: Mapping[str, str]
    """Pin → net, or :data:`OPEN`; every pin of the symbol is in it."""
    maker: str = ""
    mpn: str = ""
    instead: str = ""
    """Parts that can be used instead."""
    note: str = ""
    placed: bool = True
    """Whether it is ordered with the board; False for holes, marks and test points."""
    height: float = 0
    """How high it is above the board, in mm, with what is plugged into it (a Pico in its sockets).
    Only for a part that is placed."""
    ref_at: tuple[float, float] | None = None
    """Where its reference is printed, relative to the part; None: wherever there is room."""


@dataclass(frozen=True)
class Beside:
    """An accessory that is not soldered to the board, such as a socket, a plug or a jumper."""

    at: tuple[str, ...]
    """The parts it belongs to."""
    what: str
    maker: str
    mpn: str
    count: int
    instead: str = ""


@dataclass(frozen=True)
class Text:
    """A text on the silkscreen."""

    text: str
    at: tuple[float, float]
    size: float = 1.0
    turn: float = 0
    side: str = "top"
    align: str = "centre"


@dataclass(frozen=True)
class Chain:
    """The parts of a supply's input chain, each by its reference."""

    fuse: str
    switch: str
    """The transistor behind the fuse."""
    gate: str
    """The resistor from its gate to ground."""
    shunts: tuple[str, ...]
    """The parts from the rail behind the transistor to ground."""
    across: str = ""
    """The part from that rail to the gate."""

    def refs(self) -> set[str]:
        """The references of all its parts."""
        return {self.fuse, self.switch, self.gate, self.across, *self.shunts} - {""}


@dataclass(frozen=True)
class Group:
    """Parts that are drawn together in the schematic, under a title and a note."""

    id: str
    title: str
    column: int
    note: str = ""
    width: float = 90
    chain: Chain | None = None


@dataclass(frozen=True)
class Area:
    """A rectangle: copper of ``net``, or a keep-out, where something must not be."""

    name: str
    rect: tuple[float, float, float, float]
    layers: tuple[str, ...]
    net: str = ""
    bars: tuple[str, ...] = ()
    """What must not be in a keep-out: ``pour``, ``tracks``, ``vias``."""


@dataclass(frozen=True)
class Board:
    """The whole data file of a board."""

    id: str
    title: str
    version: str
    date: str
    about: str
    size: tuple[float, float]
    corner: float
    widths: Mapping[str, float]
    """Class of nets → the width of its tracks."""
    classes: Mapping[str, tuple[str, ...]]
    """Class of nets → its nets; a net in none of them is of the class ``Default``."""
    flags: tuple[str, ...]
    """Nets with a power flag in the schematic: they are driven, but by no output of a symbol."""
    groups: tuple[Group, ...]
    parts: tuple[Part, ...]
    texts: tuple[Text, ...]
    areas: tuple[Area, ...]
    beside: tuple[Beside, ...] = ()
    bare: tuple[str, ...] = field(default=())
    """Parts whose reference is not printed."""
    thin: tuple[str, ...] = ()
    """Parts that take little current from a wide net, so that their tracks are narrow."""
    zoom: float = 1.0
    """How much its pictures are enlarged."""

    def nets(self) -> list[str]:
        """Every net, sorted."""
        return sorted({net for part in self.parts for net in part.pins.values() if net != OPEN})

    def class_of(self, net: str) -> str:
        """The class of a net."""
        return next((name for name, nets in self.classes.items() if net in nets), "Default")

    def width_of(self, net: str) -> float:
        """The width of its tracks."""
        return self.widths[self.class_of(net)]

    def pins(self) -> dict[tuple[str, str], str]:
        """(Reference, pin) → net or :data:`OPEN`."""
        return {(part.ref, pin): net for part in self.parts for pin, net in part.pins.items()}

    def uuid(self, *names: object) -> str:
        """An id made from names. The same names give the same id, so that a schematic is always the
        same byte for byte."""
        return str(uuid.uuid5(_NAMESPACE, "/".join([self.id, *map(str, names)])))


def is_power(net: str) -> bool:
    """Whether a net is drawn as a power symbol."""
    return net == "GND" or net.startswith("+")


def full_name(net: str) -> str:
    """The name that KiCad has for a net."""
    return net if is_power(net) else "/" + net


def load(path: Path) -> Board:
    """Read a data file. Raises :exc:`Faulty`."""
    said = tomllib.loads(path.read_text(encoding="utf-8"))
    head = said["board"]
    kinds = said.get("kind", {})
    board = Board(
        id=path.stem,
        title=head["title"],
        version=head["version"],
        date=head["date"],
        about=head["about"],
        size=tuple(head["size"]),
        corner=head.get("corner", 3.0),
        widths=said["width"],
        classes={name: tuple(nets) for name, nets in said.get("class", {}).items()},
        flags=tuple(head.get("flags", ())),
        groups=tuple(_group(key, value) for key, value in said["group"].items()),
        parts=tuple(_part(ref, value, kinds) for ref, value in said["part"].items()),
        texts=tuple(_text(value) for value in said.get("silk", ())),
        areas=tuple(_area(value) for value in said.get("area", ())),
        beside=tuple(
            Beside(**{**each, "at": tuple(each["at"])}) for each in said.get("beside", ())
        ),
        bare=tuple(head.get("bare", ())),
        thin=tuple(head.get("thin", ())),
        zoom=head.get("zoom", 1.0),
    )
    faults = [*_faults(board)]
    if faults:
        raise Faulty(f"{path.name}: " + "; ".join(faults))
    return board


def _part(ref: str, said: Mapping[str, Any], kinds: Mapping[str, Any]) -> Part:
    whole = {**kinds.get(said.get("kind", ""), {}), **said}
    pins = whole.get("pins", {})
    if isinstance(pins, list):
        pins = {str(number): net for number, net in enumerate(pins, start=1)}
    at = whole["at"]
    return Part(
        ref=ref,
        symbol=whole.get("symbol", ""),
        footprint=whole["footprint"],
        value=whole.get("value", ""),
        group=whole.get("group", ""),
        at=(at[0], at[1]),
        turn=at[2] if len(at) > 2 else 0,
        side=whole.get("side", "top"),
        pins={str(pin): net for pin, net in pins.items()},
        maker=whole.get("maker", ""),
        mpn=whole.get("mpn", ""),
        instead=whole.get("instead", ""),
        note=whole.get("note", ""),
        placed=whole.get("placed", True),
        height=whole.get("height", 0),
        ref_at=tuple(whole["ref_at"]) if "ref_at" in whole else None,
    )


def _group(key: str, said: Mapping[str, Any]) -> Group:
    chain = said.get("chain")
    if chain is None:
        return Group(id=key, **said)
    made = Chain(**{**chain, "shunts": tuple(chain["shunts"])})
    return Group(id=key, **{**said, "chain": made})


def _text(said: Mapping[str, Any]) -> Text:
    at = said["at"]
    return Text(**{**said, "at": (at[0], at[1]), "turn": at[2] if len(at) > 2 else 0})


def _area(said: Mapping[str, Any]) -> Area:
    return Area(
        name=said["name"],
        rect=tuple(said["rect"]),
        layers=tuple(said.get("layers", ("F.Cu", "B.Cu"))),
        net=said.get("net", ""),
        bars=tuple(said.get("bars", ())),
    )


def _faults(board: Board) -> Iterator[str]:
    nets = board.nets()
    yield from _faults_of_parts(board)
    yield from _faults_of_references(board)
    for name, members in board.classes.items():
        if name not in board.widths:
            yield f"the class {name} has no width"
        yield from (f"{net} of the class {name} is no net" for net in members if net not in nets)
    yield from (f"the flag {net} is no net" for net in board.flags if net not in nets)
    for area in board.areas:
        if area.net and area.net not in nets:
            yield f"the area {area.name} has no such net"


def _faults_of_parts(board: Board) -> Iterator[str]:
    groups = {group.id for group in board.groups}
    for part in board.parts:
        if part.symbol and part.group not in groups:
            yield f"{part.ref} is in no group"
        if part.placed and not (part.value and part.mpn and part.maker):
            yield f"{part.ref} has no value, maker or number"
        if part.placed and part.height <= 0:
            yield f"{part.ref} has no height"
    ends = Counter(net for part in board.parts for net in part.pins.values())
    for net, count in ends.items():
        if count == 1 and net != OPEN:
            yield f"the net {net} has one end only"


def _faults_of_references(board: Board) -> Iterator[str]:
    refs = {part.ref for part in board.parts}
    for each in board.beside:
        yield from (f"{each.what} is for {ref}, which is not there" for ref in {*each.at} - refs)
    for group in board.groups:
        if group.chain and not group.chain.refs() <= refs:
            yield f"the chain of {group.id} has parts that are not there"
