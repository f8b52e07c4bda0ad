"""Reads and identifies the tag on a reader. Nothing here writes to a tag."""

from msgspec import Struct

from hub.cards import tags as t
from hub.cards.tags import Chip, Memory
from hub.ports import TagGone, TagStation
from hub.wire import tags as record
from hub.wire.strangers import Strange, stranger

NO_TYPE_2 = 0x68
"""SEL_RES bits of chips other than Type 2 tags: ISO 14443-4, NFC-DEP, MIFARE Classic."""
TRIES = 3


class MayNotBeRead(Exception):
    """The tag answers but refuses to be read: a password guards it."""


def read_memory(station: TagStation) -> Memory:
    """Read the memory of the selected tag, which has to be a Type 2 tag. Raises
    :class:`hub.ports.TagGone` and :exc:`MayNotBeRead`."""
    chip = _chip(station)
    memory = span(station, chip, 0, t.LAST + 1)
    auth0 = span(station, chip, chip.config, chip.config)[3] if chip.lock else 0xFF
    return Memory(chip, memory[: t.PAGE * t.FIRST], memory[t.PAGE * t.FIRST :], auth0)


def _chip(station: TagStation) -> Chip:
    """The tag's chip. A tag that gives no answer is asked twice: one disturbed answer does not make
    it another tag."""
    for _ in range(2):
        try:
            chip = t.chip_of(station.exchange(t.GET_VERSION))
        except TagGone:
            chip = t.PLAIN
        else:
            if chip is not t.PLAIN:
                return chip
        station.tags()  # a refusal or a silence has dropped the selection
    return t.PLAIN


def span(station: TagStation, chip: Chip, first: int, last: int) -> bytes:
    """The bytes of the pages ``first`` to ``last``. Raises :class:`hub.ports.TagGone` and
    :exc:`MayNotBeRead`."""
    size = t.PAGE * (last - first + 1)
    if chip.lock:
        answer = _readable(station.exchange(t.span_command(first, last)))
    else:
        steps = range(first, last + 1, t.PAGES_READ)
        answer = b"".join(_pages(station, page) for page in steps)[:size]
    if len(answer) != size:
        raise TagGone
    return answer


def _pages(station: TagStation, page: int) -> bytes:
    answer = _readable(station.exchange(t.read_command(page)))
    if len(answer) != t.PAGE * t.PAGES_READ:
        raise TagGone
    return answer


def _readable(answer: bytes) -> bytes:
    if record.is_refusal(answer):
        raise MayNotBeRead
    return answer


class Met(Struct, frozen=True):
    """The tag found on a reader. ``locked`` says whether it is read-only, ``guarded`` whether it
    needs a password."""

    uid: bytes
    content: str
    """The card's id, or a :class:`hub.wire.strangers.Strange`."""
    chip: str = ""
    locked: bool = False
    guarded: bool = False
    many: bool = False
    """Whether there are several tags; then none of them was identified."""

    def __repr__(self) -> str:
        return "Met(…)"


def meet(station: TagStation) -> Met | None:
    """Identify the tag on the reader; None if there is none. Raises
    :class:`hub.ports.StationLost`."""
    seen = station.tags()
    if not seen:
        return None
    if len(seen) > 1:
        return Met(b"", Strange.UNREADABLE, many=True)
    uid, sel_res = seen[0].uid, seen[0].sel_res
    if sel_res & NO_TYPE_2:
        return Met(uid, stranger(sel_res, uid))
    for _ in range(TRIES):
        try:
            memory = read_memory(station)
        except TagGone:
            if [each.uid for each in station.tags()] != [uid]:
                return None
            continue
        except MayNotBeRead:
            return Met(uid, Strange.GUARDED, guarded=True)
        return Met(uid, memory.content, memory.chip.name, memory.locked, memory.guarded)
    return Met(uid, Strange.UNREADABLE)
