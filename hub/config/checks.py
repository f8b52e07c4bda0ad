"""Checks of a configuration, also against the files that it names and this machine."""

import os
import stat
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from hub.config.mqtt import Mqtt
from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.readers.address import Address
from hub.readers.devices import lasts, same_place, serial_devices, socket_of
from hub.readers.kinds import parse_address, written_place


def check_claims(document: Document, config: Config) -> None:
    """Check that no two seats claim the same name, reader, character or card set, and that at most
    one is the GM's."""
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
    """Check that seats on the same device agree what it is: one reader's cable, or a bus with one
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


def missing_devices(
    document: Document, config: Config, present: Iterable[str] | None = None
) -> list[Fault]:
    """Warnings for seats whose reader's device is missing. The hub starts anyway and waits for it.
    ``present``: the serial devices of this machine; None: they are looked up."""
    named = {parse_address(seat.reader).path for seat in config.seats}
    there = serial_devices() if present is None else present
    free = [each for each in there if each not in named]
    found = []
    for index, seat in enumerate(config.seats):
        address = parse_address(seat.reader)
        if not address.path or Path(address.path).exists():
            continue
        place = ("seat", index, "reader")
        why = Reason("not-plugged-in", file=address.path)
        if free:
            why = Reason("not-plugged-in-free", file=address.path, files=free)
        found.append(Fault(place, why))
    return document.placed(found)


def doubtful_names(document: Document, config: Config) -> list[Fault]:
    """Warnings for seats whose device name may lead to another device after replugging.

    The hub starts anyway. If two seats then have the same device, one of their readers is lost.
    """
    addresses = [parse_address(seat.reader) for seat in config.seats]
    found = []
    for index, address in enumerate(addresses):
        place = ("seat", index, "reader")
        if address.path and not lasts(address.path):
            found.append(Fault(place, _why_not_lasting(address.path)))
        before = (at for at, each in enumerate(addresses[:index]) if same_place(each, address))
        if (first := next(before, None)) is not None:
            line = document.line(("seat", first, "reader"))
            found.append(Fault(place, Reason("same-device", file=address.path, line=line)))
    return document.placed(found)


def _why_not_lasting(path: str) -> Reason:
    socket = socket_of(path)
    if Path(path).parent.name != "by-id":
        if socket is None:
            return Reason("name-by-order", file=path)
        return Reason("name-by-order-now", file=path, socket=socket)
    if socket is None:
        return Reason("name-without-number", file=path)
    return Reason("name-without-number-now", file=path, socket=socket)


_SHOWN = 12
_CLOSE = 0.7
"""How similar a name must be to be suggested, from 0 to 1; see
:func:`difflib.get_close_matches`."""


def check_names(document: Document, config: Config, people: Sequence[str]) -> list[Fault]:
    """Check the seats' characters against ``people``, those of the scene and the story.

    Two things are faults: a name that differs from a free one only in capitals, spaces and signs,
    and a seat that would play no character. Other unknown names are returned as warnings.
    """
    named = {actor for seat in config.seats for actor in seat.characters}
    free = {_folded(name): name for name in people if name not in named}
    remarks: list[Fault] = []
    for index, seat in enumerate(config.seats):
        strangers = [actor for actor in seat.characters if actor not in people]
        place = ("seat", index, "characters")
        idle = len(strangers) == len(seat.characters) and not seat.gm
        for actor in strangers:
            meant = free.get(_folded(actor))
            text = _nobody(actor, meant, free, people)
            if meant is not None or idle:
                document.blame(place, text)
            else:
                remarks.append(Fault(place, text))
    return document.placed(remarks)


def check_sets(document: Document, config: Config, sets: Collection[str]) -> None:
    """Record a fault for each of a seat's sets that the deck lacks."""
    known = sorted({*sets} - {""})
    for index, seat in enumerate(config.seats):
        for name in seat.cards:
            if name in known:
                continue
            close = get_close_matches(name, known, n=1)
            there = Reason("it-has", names=known[:_SHOWN]) if known else Reason("it-has-no-sets")
            meant = Reason("did-you-mean", key=close[0]) if close else there
            place = ("seat", index, "cards")
            document.blame(place, Reason("no-such-set", name=name, why=meant))


def refused(document: Document, names: Iterable[str], known: Iterable[str] = ()) -> list[Fault]:
    """Faults of names that could be confused; see :func:`hub.kernel.likeness.name_faults`."""
    return [
        Fault((), Reason("about", place=ascii(name), why=why), document.name)
        for name, why in name_faults(names, known)
    ]


def refused_names(document: Document, config: Config, people: Collection[str]) -> list[Fault]:
    """Faults of the names of ``people``, of characters that are not among them, and of seats."""
    played = [actor for seat in config.seats for actor in seat.characters]
    spelt = {name.casefold() for name in people}  # check_names() reports these
    others = [name for name in played if name.casefold() not in spelt]
    return [
        *refused(document, people),
        *refused(document, others, people),
        *refused(document, [seat.name for seat in config.seats]),
    ]


def unnamed_players(
    document: Document, config: Config, cast: Sequence[Mapping[str, Any]]
) -> list[Fault]:
    """Warnings for player characters that no seat names; the GM's seat will play them."""
    files = config.story.characters if config.story else ()
    named = {actor for seat in config.seats for actor in seat.characters}
    return [
        Fault((), Reason("falls-to-gm", name=sheet["name"], file=file.name), document.name)
        for sheet, file in zip(cast, files, strict=True)
        if not sheet.get("npc") and sheet["name"] not in named
    ]


def _nobody(
    actor: str, meant: str | None, free: Mapping[str, str], people: Sequence[str]
) -> Reason:
    close = get_close_matches(_folded(actor), free, n=1, cutoff=_CLOSE)
    meant = meant or (free[close[0]] if close else None)
    if meant is not None:
        return Reason("player-unknown", name=actor, why=Reason("did-you-mean", key=meant))
    listed = [*people[:_SHOWN], *(["…"] if len(people) > _SHOWN else [])]
    there = Reason("they-have", names=listed) if people else Reason("no-characters")
    return Reason("player-unknown", name=actor, why=there)


def _folded(name: str) -> str:
    """The letters and digits of a name, in small letters; the whole name if it has none."""
    return "".join(char for char in name.casefold() if char.isalnum()) or name


_READ, _WRITE = stat.S_IROTH, stat.S_IWOTH


def exposed(document: Document, config: Config) -> list[Fault]:
    """Warnings of files that others can read or change, and of a password sent in plain over a
    network."""
    here = Path(document.name)
    found = []
    read = [file for file in _secret(here, config) if _others_may(file, _READ)]
    if read:
        found.append(Fault((), Reason("others-read", files=_named(read))))
    changed = [file for file in {here: None, **_secret(here, config)} if _others_may(file, _WRITE)]
    if changed:
        found.append(Fault((), Reason("others-change", files=_named(changed))))
    named = ("password_file", "password_credential")
    key = next((each for each in named if getattr(config.mqtt, each)), "password")
    if _in_the_clear(config.mqtt):
        found.append(Fault(("mqtt", key), Reason("in-the-clear", host=config.mqtt.host)))
    return document.placed(found)


def _secret(here: Path, config: Config) -> dict[Path, None]:
    """The files that contain tags, NPCs, passwords or the private key, each once."""
    mqtt, files = config.mqtt, [*config.table.decks]
    if mqtt.password is not None and not (mqtt.password_file or mqtt.password_credential):
        files.append(here)
    if config.scene is not None:
        files.append(config.scene.file)
    if config.story is not None:
        files += [*config.story.characters, *config.story.reserve]
    if mqtt.password_file is not None:
        files.append(mqtt.password_file)
    if mqtt.tls is not None and mqtt.tls.key is not None:
        files.append(mqtt.tls.key)
    return dict.fromkeys(files)


def _others_may(file: Path, bit: int) -> bool:
    """Whether users other than the hub's own have the permission ``bit`` on a file. The group of
    another user's file is left out, because the hub may be in it."""
    with suppress(OSError):
        found = file.stat()
        own = found.st_uid == os.geteuid()
        return bool(found.st_mode & (bit | bit << 3 if own else bit))
    return False


def _named(files: list[Path]) -> list[Reason]:
    modes = {file: f"{stat.S_IMODE(file.stat().st_mode):o}" for file in files}
    return [Reason("file-mode", file=file.name, mode=mode) for file, mode in modes.items()]


def _in_the_clear(mqtt: Mqtt) -> bool:
    if not mqtt.enabled or mqtt.tls is not None or mqtt.password is None:
        return False
    try:
        return not ip_address(mqtt.host).is_loopback
    except ValueError:
        return mqtt.host.rstrip(".").lower() != "localhost"
