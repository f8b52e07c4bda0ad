"""Interprets a seat board's reports on its tags and on its health. No I/O."""

from collections import Counter
from collections.abc import Callable, Mapping

from msgspec import Struct

from hub.wire import link
from hub.wire import tags as record
from hub.wire.link import SeenTag
from hub.wire.strangers import Strange, stranger


class BoardFigures(Struct, frozen=True):
    """A board's last report, and totals since the hub first received one."""

    uptime_s: int
    free_bytes: int
    supply_mv: int
    """The board's supply voltage, in mV; 0 if it cannot measure that."""
    damaged: int
    """How many damaged frames the board received."""
    repeated: int
    """How many questions were repeated to the board."""
    unheard: int
    """How many commands the board's chip did not receive."""
    chip_damaged: int
    """How many answers of the board's chip had wrong checksums."""
    restarts: Mapping[str, int]
    """How often the board restarted, by cause: ``power`` or ``watchdog``."""


class BoardHealth:
    """Sums up a board's reports. It is kept as long as the reader exists, across reopenings of its
    cable.
    """

    def __init__(self) -> None:
        self._last: link.Health | None = None
        self._at = 0.0
        self._counted: Counter[str] = Counter()
        self._restarts: Counter[str] = Counter()

    def note(self, now: link.Health, at: float) -> str:
        """Take in the report ``now``, made at the time ``at`` (monotonic, s).

        Returns why the board has restarted since the last report: ``power``, ``watchdog``, or empty
        if it has not.
        """
        before, self._last, self._at = self._last, now, at
        anew = before is not None and before.start != now.start
        why = ("watchdog" if now.reset == link.WATCHDOG else "power") if anew else ""
        if why:
            self._restarts[why] += 1
        for key in ("damaged", "repeated", "unheard", "chip_damaged"):
            began = 0 if anew else getattr(before or now, key)
            self._counted[key] += (getattr(now, key) - began) & 0xFFFF
        return why

    def told(self, at: float) -> BoardFigures | None:
        """The figures at the time ``at`` (monotonic, s); None before the first report."""
        last = self._last
        if last is None:
            return None
        return BoardFigures(
            uptime_s=last.uptime_s + int(at - self._at),
            free_bytes=last.free_bytes,
            supply_mv=last.supply_mv,
            damaged=self._counted["damaged"],
            repeated=self._counted["repeated"],
            unheard=self._counted["unheard"],
            chip_damaged=self._counted["chip_damaged"],
            restarts=dict(self._restarts),
        )


_NO_TYPE_2 = 0x68  # SEL_RES bits of ISO 14443-4, NFC-DEP and MIFARE Classic


def identify(tag: SeenTag, learnt: Callable[[bytes], str | None]) -> str:
    """The id of the tag's card, or a :class:`Strange` if it has none. ``learnt``: a tag's UID → the
    id of the card that it was learnt as, or None.
    """
    if known := learnt(tag.uid):
        return known
    if tag.sel_res & _NO_TYPE_2:
        return stranger(tag.sel_res, tag.uid)
    if not tag.memory:
        return Strange.UNREADABLE
    if record.is_refusal(tag.memory):
        return Strange.GUARDED
    try:
        return record.decode_memory(tag.memory)
    except record.TagRecordError as error:
        return error.strange
