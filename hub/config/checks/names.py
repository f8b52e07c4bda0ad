"""Checks names across a table's files: does every character that a seat plays exist?

A seat whose characters are spelled differently in the scene and the sheets plays none of them, and
its player would wait all evening.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from hub.config.settings import Config
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason

_SHOWN = 12
"""The most names that a message lists."""
_CLOSE = 0.7
"""Similarity needed to suggest a name; see :func:`difflib.get_close_matches`."""


def check_names(document: Document, config: Config, people: Sequence[str]) -> list[Fault]:
    """Check the seats' characters against ``people``, the characters of the scene and the story. It
    is a fault in ``document`` if a name differs from a free one only in capitals and spacing, or if
    the seat would play no character. Other unknown names, such as an NPC of another scene, are
    returned as warnings."""
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
    """Report cards of a seat that are not a set of the deck as faults of ``document``."""
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
    """Warnings for players' characters in the story's ``cast`` that no seat names, so that the GM's
    seat plays them."""
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
    """A name without capitals, spaces, hyphens and dots."""
    return "".join(char for char in name.casefold() if char.isalnum()) or name
