"""Judges a reader by its figures: what is wrong, and what to do. Pure.

A verdict is a code with values; its sentences are in the catalogues beside this file.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from hub.kernel.catalogues import ENGLISH
from hub.kernel.reasons import Reason
from hub.readers.board_reports import BoardFigures
from hub.readers.causes import Cause, ReaderReason
from hub.readers.figures import Lying, Measured
from hub.readers.radio import Antenna
from hub.readers.wakeup import Sound
from hub.wire.strangers import Strange


class Level(StrEnum):
    """How bad a finding is."""

    OK = "ok"
    NOTE = "note"
    """The reader works, but people should know."""
    WRONG = "wrong"


class Verdict(Struct, frozen=True):
    """A finding about one reader. ``code``: its key in the catalogues; ``values``: the numbers and
    names for its sentences.
    """

    reader: str
    code: str
    level: Level
    values: Mapping[str, Any]

    @property
    def reasons(self) -> tuple[Reason, Reason | None]:
        """The finding, and the advice about it; None if there is nothing to do."""
        values = {key: str(v) if isinstance(v, float) else v for key, v in self.values.items()}
        if counted := _COUNTED.get(self.code):
            values["count"] = self.values[counted]
        do = ReaderReason(f"{self.code}.do", **values)
        return ReaderReason(self.code, **values), do if do.is_known else None

    def told(self, language: str) -> tuple[str, str]:
        """The finding and the advice as sentences in ``language``; the advice is empty if there is
        none.
        """
        what, do = self.reasons
        return what.told(language), do.told(language) if do else ""

    @property
    def what(self) -> str:
        """The finding, in English."""
        return self.told(ENGLISH)[0]

    @property
    def do(self) -> str:
        """The advice about the finding, in English; empty if there is nothing to do."""
        return self.told(ENGLISH)[1]


_COUNTED = {
    "lost": "losses",
    "restarted": "restarts",
    "board-power": "restarts",
    "board-watchdog": "restarts",
    "weak": "gaps",
}
"""Code → the value whose number selects the singular or plural of the code's sentence."""
WEAK_GAPS, WEAK_SHARE = 2, 0.02
"""A card missed this often, or in more than this share of the looks, is badly seen."""
SLOW_MS = 45.0
"""A reader is slow if its median look takes longer. A look at a lone card takes 9 to 31 ms
(docs/build/readers.md).
"""
LEAST_MV, LEAST_BYTES, LINK_DAMAGED_MOST = 4500, 20_000, 5
"""The limits for a seat board: the least supply voltage and free memory, and the most damaged
frames.
"""
DAMAGED_MOST, UNHEARD_SHARE = 1, 0.2
"""More wrong checksums, or a greater share of unheard commands, mean a bad line."""
NEIGHBOUR_SHARE = 0.5
"""A card lies on the other reader if this one sees it, per look, at most this share as often."""
_LEAST_LOOKS, _LEAST_TIMED = 20, 5


def verdicts(
    readers: Mapping[str, Measured], paths: Mapping[str, str], seconds: float, *, cards: bool = True
) -> list[Verdict]:
    """All findings about each reader, faults first and notes last; at least one for each.

    ``readers``, ``paths``: reader's name → its figures, and its device. ``seconds``: how long the
    readers were watched. ``cards``: whether people were asked to lay cards.
    """
    return [
        each
        for name, measured in readers.items()
        for each in _of_one(name, measured, readers, paths[name], seconds, cards=cards)
    ]


def _of_one(
    name: str,
    it: Measured,
    readers: Mapping[str, Measured],
    path: str,
    seconds: float,
    *,
    cards: bool,
) -> list[Verdict]:
    if not it.up:
        return [_why_down(name, it, path)]
    found = [*_of_its_line(name, it), *_heard_elsewhere(name, it, readers)]
    if all(each.code != "neighbour" for each in found):  # a neighbour's card explains the misses
        found += _of_cards(name, it)
    if it.antenna is Antenna.FAILS and not it.lain:
        found.append(Verdict(name, "antenna-fails", Level.WRONG if cards else Level.NOTE, {}))
    elif it.blind:
        found.append(Verdict(name, "blind", Level.NOTE, {}))
    if not it.lain and cards and it.antenna is not Antenna.FAILS:
        found.append(Verdict(name, "no-card", Level.WRONG, {"seconds": round(seconds)}))
    if all(each.level is not Level.WRONG for each in found):
        found.append(_in_order(name, it))
    return sorted(found, key=lambda each: _ORDER.index(each.level))


def _in_order(name: str, it: Measured) -> Verdict:
    if not it.lain:
        return Verdict(name, "answers", Level.OK, {"chip": it.chip or "it"})
    values = {"seen": it.seen, "missed": it.missed, "p50": it.look_ms[0]}
    return Verdict(name, "good", Level.OK, values)


def _of_its_line(name: str, it: Measured) -> Iterator[Verdict]:
    if it.losses > (sum(it.board.restarts.values()) if it.board else 0):
        yield Verdict(name, "lost", Level.WRONG, {"losses": it.losses})
    if it.restarts:
        yield Verdict(name, "restarted", Level.WRONG, {"restarts": it.restarts})
    if it.board is not None:
        yield from _of_its_board(name, it, it.board)
        return
    looks = max(it.looks, _LEAST_LOOKS)
    if it.damaged > DAMAGED_MOST or it.unheard > UNHEARD_SHARE * looks + _LEAST_LOOKS:
        values = {"damaged": it.damaged, "unheard": it.unheard}
        yield Verdict(name, "damaged", Level.WRONG, values)
    elif it.disturbances > it.restarts + it.losses:
        yield Verdict(name, "disturbed", Level.NOTE, {"disturbances": it.disturbances})


def _of_its_board(name: str, it: Measured, board: BoardFigures) -> Iterator[Verdict]:
    def so(code: str, level: Level = Level.WRONG, **values: Any) -> Verdict:
        return Verdict(name, f"board-{code}", level, values)

    for why, restarts in board.restarts.items():
        yield so(why, restarts=restarts)
    if 0 < board.supply_mv < LEAST_MV:
        yield so("supply", volts=f"{board.supply_mv / 1000:.1f}")
    if it.damaged + board.damaged > LINK_DAMAGED_MOST:
        yield so("cable", damaged=it.damaged + board.damaged, unheard=it.unheard)
    looks = max(it.looks, _LEAST_LOOKS)
    if board.chip_damaged > DAMAGED_MOST or board.unheard > UNHEARD_SHARE * looks + _LEAST_LOOKS:
        yield so("chip", damaged=board.chip_damaged, unheard=board.unheard)
    if board.free_bytes < LEAST_BYTES:
        yield so("memory", Level.NOTE, kilobytes=board.free_bytes // 1000)
    if it.disturbances > sum(board.restarts.values()) + it.losses:
        yield Verdict(name, "disturbed", Level.NOTE, {"disturbances": it.disturbances})


def _of_cards(name: str, it: Measured) -> Iterator[Verdict]:
    if it.gaps >= WEAK_GAPS or it.missed > WEAK_SHARE * max(it.seen, _LEAST_LOOKS):
        values = {"missed": it.missed, "all": it.seen + it.missed, "gaps": it.gaps}
        yield Verdict(name, "weak", Level.WRONG, values)
    elif it.looks >= _LEAST_TIMED and it.look_ms[0] > SLOW_MS:
        p50, p99, _ = it.look_ms
        yield Verdict(name, "slow", Level.WRONG, {"p50": p50, "p99": p99})
    if any(each.tag == Strange.UNREADABLE for each in it.lain):
        yield Verdict(name, "unreadable", Level.WRONG, {})
    if any(each.tag == Strange.GUARDED for each in it.lain):
        yield Verdict(name, "guarded", Level.WRONG, {})
    if it.crowded:
        yield Verdict(name, "two-cards", Level.NOTE, {})


_ORDER = (Level.WRONG, Level.OK, Level.NOTE)


def _why_down(name: str, it: Measured, path: str) -> Verdict:
    def so(code: str, **values: Any) -> Verdict:
        return Verdict(name, code, Level.WRONG, values)

    match it.cause:
        case Cause.MISSING | None:
            return so("missing", path=path)
        case Cause.PERMISSION | Cause.DRIVER | Cause.TOLD:
            return so(it.cause.value, fault=it.fault, path=path)
        case Cause.TAKEN:
            return so(
                "taken",
                path=path,
                holder=ReaderReason("holder-unknown"),
                advice=ReaderReason("holder.stop"),
            )
        case Cause.RADIO:
            return so("radio-dead")
        case Cause.STOPPED | Cause.SILENT:
            pass
    heard = it.heard
    if heard is None or heard.sound is Sound.PN532:
        return so("stopped") if it.cause is Cause.STOPPED or heard else so("nothing", path=path)
    if heard.sound is Sound.NOISE and it.damaged:
        return so("damaged", damaged=it.damaged, unheard=it.unheard)
    return so(heard.sound.value, path=path, size=heard.size, chip=heard.chip)


def _heard_elsewhere(name: str, it: Measured, readers: Mapping[str, Measured]) -> list[Verdict]:
    """The findings about cards that another reader saw at the same time."""
    found = []
    for other, there in readers.items():
        if other == name:
            continue
        here = sum(a.seen for a in it.lain for b in there.lain if _the_same(a, b))
        away = sum(b.seen for b in there.lain for a in it.lain if _the_same(a, b))
        if any(_bears_the_same(a, b) for a in it.lain for b in there.lain):
            found.append(Verdict(name, "same-id", Level.WRONG, {"other": other}))
        if not here:
            continue
        looks, looks_there = max(here, it.looks), max(away, there.looks)
        if here / looks > NEIGHBOUR_SHARE * away / looks_there:
            code = "same-card"
            if away / looks_there < NEIGHBOUR_SHARE * here / looks:
                continue  # this reader's own card; the other reader gets the verdict
        else:
            code = "neighbour"
        values = {"seen": here, "looks": looks, "seen_there": away, "looks_there": looks_there}
        found.append(Verdict(name, code, Level.WRONG, {"other": other, **values}))
    return found


def _the_same(a: Lying, b: Lying) -> bool:
    """Whether two readers probably see one and the same card."""
    return _says_the_same(a, b) and not _bears_the_same(a, b)


def _bears_the_same(a: Lying, b: Lying) -> bool:
    return _says_the_same(a, b) and bool(a.uid and b.uid) and a.uid != b.uid


def _says_the_same(a: Lying, b: Lying) -> bool:
    return a.tag == b.tag and a.tag not in set(Strange) and a.overlaps(b)
