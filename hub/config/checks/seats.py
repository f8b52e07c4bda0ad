"""Checks the seats against each other."""

import os

from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.reasons import Reason
from hub.readers.address import Address
from hub.readers.kinds import parse_address, written_place


def check_claims(document: Document, config: Config) -> None:
    """Check uniqueness: a name, reader, character or card set belongs to one seat; one seat is the
    GM's."""
    taken: dict[tuple[str, str], int] = {}
    gms = [index for index, seat in enumerate(config.seats) if seat.gm]
    for index in gms[1:]:
        document.blame(("seat", index, "gm"), Reason("one-gm"))
    for index, seat in enumerate(config.seats):
        claims = [("name", seat.name), ("reader", seat.reader)]
        claims += [("characters", each) for each in seat.characters]
        claims += [("cards", each) for each in seat.cards]
        for key, value in claims:
            if not value:
                continue
            place = ("seat", index, key)
            claim = key, written_place(value) if key == "reader" else value
            if claim in taken:
                document.blame(
                    place, Reason("taken-in-line", value=ascii(value), line=taken[claim])
                )
            taken.setdefault(claim, document.line(place))


def check_cables(document: Document, config: Config) -> None:
    """Check that each device is one cable: of a single reader, or of a bus whose boards share one
    rate."""
    named: dict[str, tuple[Address, int]] = {}
    for index, seat in enumerate(config.seats):
        place = ("seat", index, "reader")
        if not document.sound(place):
            continue
        address = parse_address(seat.reader)
        if not address.path:
            continue
        line = document.line(place)
        first, at = named.setdefault(os.path.normpath(address.path), (address, line))
        if first.bus and address.bus:
            if first.bus.baud != address.bus.baud:
                why = Reason("bus-two-rates", rate=address.bus.baud, other=first.bus.baud, line=at)
                document.blame(place, why)
        elif type(first) is not type(address):
            document.blame(place, Reason("cable-of-another-kind", file=address.path, line=at))
