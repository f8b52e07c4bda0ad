"""What a seat board reports: its health, kept across reopenings of its cable, and tags. Pure."""

from collections import Counter
from collections.abc import Callable, Mapping

from msgspec import Struct

from hub.wire import link
from hub.wire import tags as record
from hub.wire.link import SeenTag
from hub.wire.strangers import Strange, stranger


class BoardFigures(Struct, frozen=True):
    """A board's last report, and totals since it was first heard."""

    uptime_s: int
    free_bytes: int
    supply_mv: int
    """Its supply voltage; 0 where it cannot measure it."""
    damaged: int
    """Damaged frames that it received."""
    repeated: int
    """Questions repeated to it."""
    unheard: int
    """Commands that its chip had not heard."""
    chip_damaged: int
    """Answers of its chip with wrong checksums."""
    restarts: Mapping[str, int]
    """How often it restarted, by cause: ``power`` or ``watchdog``."""


class BoardHealth:
    """Kept as long as the reader exists, across reopenings of its cable."""

    def __init__(self) -> None:
        self._last: link.Health | None = None
        self._at = 0.0
        self._counted: Counter[str] = Counter()
        self._restarts: Counter[str] = Counter()

    def note(self, now: link.Health, at: float) -> str:
        """Take in ``now``, the report made ``at`` this time (monotonic, s).

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
        """The figures ``at`` this time (monotonic, s); None before the first report."""
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
    """The id of the tag's card, or a :class:`Strange`. ``learnt``: UID → id of a learnt card."""
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
