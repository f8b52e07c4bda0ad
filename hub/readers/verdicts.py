"""What a reader's figures say of it, and what to do. Pure.

A verdict is a code with numbers; its sentences are made of the numbers, in English.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct

from hub.readers.causes import Cause
from hub.readers.figures import Lying, Measured
from hub.readers.knock import Sound
from hub.readers.radio import Antenna
from hub.wire.strangers import Strange


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    """It plays; somebody should know."""
    WRONG = "wrong"


class Verdict(Struct, frozen=True):
    """One thing that is so with one reader."""

    reader: str
    code: str
    level: Level
    values: Mapping[str, Any]

    @property
    def what(self) -> str:
        """What is so, with its numbers."""
        return self._said(WORDS[self.code][0])

    @property
    def do(self) -> str:
        """What to do about it; empty where there is nothing to do."""
        return self._said(WORDS[self.code][1])

    def _said(self, words: str) -> str:
        values = {key: _Number(v) if type(v) is int else v for key, v in self.values.items()}
        return words.format(reader=self.reader, **values)


class _Number(int):
    """Is written as ``3``, or with ``:times`` as ``3 times``."""

    def __format__(self, form: str) -> str:
        if form != "times":
            return super().__format__(form)
        return {1: "once", 2: "twice"}.get(self, f"{int(self)} times")


WEAK_GAPS, WEAK_SHARE = 2, 0.02
"""A card is badly seen that was missed so often, or in such a share of the looks."""
SLOW_MS = 45.0
"""A look in the middle that takes longer: one at a lone card takes 9 to 31 ms (docs/readers.md)."""
DAMAGED_MOST, UNHEARD_SHARE = 1, 0.2
"""More answers with wrong checksums, or a greater share of commands not heard: a bad line."""
NEIGHBOUR_SHARE = 0.5
"""A reader that sees a card in less than such a share of the other's looks hears a neighbour's."""
_LEAST_LOOKS, _LEAST_TIMED = 20, 5

WORDS: dict[str, tuple[str, str]] = {
    "good": ("good: {seen} looks saw its card, {missed} missed it; {p50} ms a look", ""),
    "answers": (
        "{chip} answers; no card lay there",
        "lay a card on it to try its antenna as well",
    ),
    "antenna-fails": (
        "the chip's own test of its antenna fails: it may see no card at all",
        "supply the board with 5 V; lay a card on it: if none is seen, the antenna is broken",
    ),
    "blind": (
        "its test of the antenna cannot be believed, so a dead radio would look like an empty "
        "field",
        "supply the board with 5 V, where that test holds",
    ),
    "missing": (
        "no device at {path}",
        "plug the reader in, or correct its path (ls /dev/serial/by-id)",
    ),
    "permission": ("{fault}", "then try again; a service needs SupplementaryGroups=dialout"),
    "taken": ("{path} is held by {holder}", "{advice}"),
    "driver": ("the driver cannot be loaded: {fault}", "install nfcpy and libusb-1.0"),
    "told": ("{fault}", ""),
    "nothing": (
        "nothing at all answers at {path}: not one byte came back",
        "look at its power lamp; set the board's switches to HSU (UART; with I2C or SPI chosen it "
        "says nothing); cross the wires, TX of one to RX of the other; join the grounds",
    ),
    "echo": (
        "what is sent comes straight back ({size} bytes): no chip has heard it",
        "the adapter's TX and RX touch, or both go to the same pin: part them",
    ),
    "position": (
        "a satellite receiver is at {path}, not a reader: it tells positions",
        "name the reader's own device (ls /dev/serial/by-id)",
    ),
    "text": (
        "something that writes lines is at {path}, such as an Arduino, not a reader ({size} bytes)",
        "name the reader's own device (ls /dev/serial/by-id)",
    ),
    "other-chip": (
        "a {chip} is at {path}, not a PN532",
        "the hub reads with PN532 boards only: exchange it",
    ),
    "unfinished": (
        "the chip acknowledges what it is told and never answers",
        "unplug it, wait a moment, plug it in; if it stays so, the board is broken or starved: "
        "give it 5 V that hold 150 mA",
    ),
    "noise": (
        "answers come garbled: {size} bytes, and no sound frame in them",
        "a ground that is missing or loose, a long or bad cable, or a board set to another rate "
        "than 115200 bit/s",
    ),
    "damaged": (
        "answers come damaged: {damaged} wrong checksums, {unheard} commands not heard",
        "shorten the wires, twist each with ground, keep them off the antenna; exchange the cable",
    ),
    "radio-dead": (
        "the chip answers, and its radio is dead: it would see no card",
        "unplug it, wait a moment, plug it in; if it stays so, its antenna or its 5 V are broken",
    ),
    "stopped": (
        "it answered, and does not any more",
        "unplug it, wait a moment, plug it in; then look at its cable",
    ),
    "lost": (
        "it was lost {losses:times} and came back",
        "a loose plug, a bad cable, or too little power: try another cable, then a hub with a "
        "supply of its own",
    ),
    "restarted": (
        "its chip started afresh {restarts:times}: its supply broke down",
        "too little power: a board draws up to 150 mA, six of them want a hub with a supply of its "
        "own; use short, thick cables",
    ),
    "disturbed": (
        "{disturbances} looks failed and were repeated",
        "look at its cable and plugs; keep them away from phones and chargers",
    ),
    "no-card": (
        "no card was seen in {seconds:.0f} s, though the chip and its radio answer",
        "if one lay there: bring it closer, its sticker over the antenna's middle; take metal away "
        "from under both; try it on another reader",
    ),
    "weak": (
        "its card was seen and lost again: missed {missed} of {all} looks, {gaps:times}",
        "less wood or air between card and antenna; no metal near either; the sticker over the "
        "antenna's middle; 5 V for the board",
    ),
    "neighbour": (
        "it hears the card that lies on {other}: in {seen} of {looks} looks, there "
        "in {seen_there} of {looks_there}",
        "move the two apart, three times the antenna's width, or shield them from each other",
    ),
    "same-card": (
        "the same card is seen here and on {other}: in {seen} of {looks} looks, "
        "there in {seen_there} of {looks_there}",
        "move the two apart; if two cards lay there, both bear the same id: check the deck",
    ),
    "two-cards": ("two cards lay on it at once", "lay down one"),
    "unreadable": (
        "a tag lies there that cannot be read",
        "the sticker over the antenna's middle; if it stays so, the tag is broken",
    ),
    "slow": (
        "looks take long: half of them over {p50} ms, one in a hundred over {p99} ms",
        "an adapter that gathers bytes (FTDI: latency_timer to 1), a slow hub, or a busy machine",
    ),
}
"""Code → what is so, and what to do."""


def verdicts(
    readers: Mapping[str, Measured], paths: Mapping[str, str], seconds: float, *, cards: bool = True
) -> list[Verdict]:
    """Of each reader all that is so, the worst first; at least one of each.

    ``seconds``: how long they were watched; ``cards``: whether somebody was asked to lay one on
    each.
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
    if all(each.code != "neighbour" for each in found):  # which explains how badly it is seen
        found += _of_cards(name, it)
    if it.antenna is Antenna.FAILS and not it.lain:
        found.append(Verdict(name, "antenna-fails", Level.WRONG if cards else Level.NOTE, {}))
    elif it.blind:
        found.append(Verdict(name, "blind", Level.NOTE, {}))
    if not it.lain and cards and it.antenna is not Antenna.FAILS:
        found.append(Verdict(name, "no-card", Level.WRONG, {"seconds": seconds}))
    if all(each.level is not Level.WRONG for each in found):
        found.append(_in_order(name, it))
    return sorted(found, key=lambda each: _ORDER.index(each.level))


def _in_order(name: str, it: Measured) -> Verdict:
    if not it.lain:
        return Verdict(name, "answers", Level.OK, {"chip": it.chip or "it"})
    values = {"seen": it.seen, "missed": it.missed, "p50": it.look_ms[0]}
    return Verdict(name, "good", Level.OK, values)


def _of_its_line(name: str, it: Measured) -> Iterator[Verdict]:
    """Cable and power."""
    if it.losses:
        yield Verdict(name, "lost", Level.WRONG, {"losses": it.losses})
    if it.restarts:
        yield Verdict(name, "restarted", Level.WRONG, {"restarts": it.restarts})
    looks = max(it.looks, _LEAST_LOOKS)
    if it.damaged > DAMAGED_MOST or it.unheard > UNHEARD_SHARE * looks + _LEAST_LOOKS:
        values = {"damaged": it.damaged, "unheard": it.unheard}
        yield Verdict(name, "damaged", Level.WRONG, values)
    elif it.disturbances > it.restarts + it.losses:
        yield Verdict(name, "disturbed", Level.NOTE, {"disturbances": it.disturbances})


def _of_cards(name: str, it: Measured) -> Iterator[Verdict]:
    """How well and how quickly it sees them."""
    if it.gaps >= WEAK_GAPS or it.missed > WEAK_SHARE * max(it.seen, _LEAST_LOOKS):
        values = {"missed": it.missed, "all": it.seen + it.missed, "gaps": it.gaps}
        yield Verdict(name, "weak", Level.WRONG, values)
    elif it.looks >= _LEAST_TIMED and it.look_ms[0] > SLOW_MS:
        p50, p99, _ = it.look_ms
        yield Verdict(name, "slow", Level.WRONG, {"p50": p50, "p99": p99})
    if any(each.tag == Strange.UNREADABLE for each in it.lain):
        yield Verdict(name, "unreadable", Level.WRONG, {})
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
            return so("taken", path=path, holder="another process", advice="stop it")
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
    """Cards that another reader has seen at the same time: this one's own, or a neighbour's."""
    found = []
    for other, there in readers.items():
        if other == name:
            continue
        here = sum(a.seen for a in it.lain for b in there.lain if _the_same(a, b))
        away = sum(b.seen for b in there.lain for a in it.lain if _the_same(a, b))
        if not here:
            continue
        looks, looks_there = max(here, it.looks), max(away, there.looks)
        if here / looks > NEIGHBOUR_SHARE * away / looks_there:
            code = "same-card"
            if away / looks_there < NEIGHBOUR_SHARE * here / looks:
                continue  # it is this one's own card, and the other is told so
        else:
            code = "neighbour"
        values = {"seen": here, "looks": looks, "seen_there": away, "looks_there": looks_there}
        found.append(Verdict(name, code, Level.WRONG, {"other": other, **values}))
    return found


def _the_same(a: Lying, b: Lying) -> bool:
    return a.tag == b.tag and a.tag not in set(Strange) and a.overlaps(b)
