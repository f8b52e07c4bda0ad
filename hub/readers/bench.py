"""Watches several readers as in play, with a gauge on each, for tests of the readers."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Self

from hub.readers.address import Address
from hub.readers.cable import Cables
from hub.readers.causes import Cause, holders, taker
from hub.readers.devices import Rivals, candidates
from hub.readers.driver import Equipment
from hub.readers.figures import Figures, Measured
from hub.readers.kinds import open_reader
from hub.readers.presence import DwellDeadlines
from hub.readers.verdicts import Level, Verdict, verdicts
from hub.world import MACHINE


class Bench:
    """Watch readers while the ``with`` block runs.

    ``addresses``: reader's name → its address, which must have a device. ``changed`` is called from
    the readers' threads when a reader has news. ``learnt``: a tag's UID → the id of the card that
    the tag stands for, or None.
    """

    def __init__(
        self,
        addresses: Mapping[str, Address],
        changed: Callable[[], None] = lambda: None,
        *,
        dwell_s: float = 0.3,
        learnt: Callable[[bytes], str | None] | None = None,
    ) -> None:
        self._addresses = addresses
        self._changed = changed
        self._dwell_s = dwell_s
        self._learnt = learnt
        self._figures = {name: Figures() for name in addresses}
        self._stack = ExitStack()
        self._began = MACHINE.monotonic()

    def __enter__(self) -> Self:
        dwell_deadlines, cables = DwellDeadlines(), Cables()
        rivals = Rivals(self._addresses)
        self._began = MACHINE.monotonic()
        for name, address in self._addresses.items():
            reader = open_reader(
                name,
                address,
                dwell_s=self._dwell_s,
                dwell_deadlines=dwell_deadlines,
                figures=self._figures[name],
                equipment=Equipment(learnt=self._learnt, cables=cables),
                rivals=rivals,
            )
            reader.open(lambda _: self._changed())
            self._stack.callback(reader.close)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def measured(self) -> dict[str, Measured]:
        """Each reader's name → its current figures."""
        return {name: figures.now() for name, figures in self._figures.items()}

    def verdicts(self, *, cards: bool = True) -> list[Verdict]:
        """The verdicts on each reader. A reader whose path may lead to another device gets no good
        one.

        ``cards``: whether people were asked to lay cards.
        """
        paths = {name: address.path for name, address in self._addresses.items()}
        measured = self.measured()
        found = verdicts(measured, paths, MACHINE.monotonic() - self._began, cards=cards)
        doubtful = [_doubtful(name, paths[name]) for name, it in measured.items() if it.up]
        unsure = {each.reader: each for each in doubtful if each}
        sure = [v for v in found if v.reader not in unsure or v.level is not Level.OK]
        return [*unsure.values(), *(_named(each, paths[each.reader]) for each in sure)]


def _doubtful(name: str, path: str) -> Verdict | None:
    sockets = candidates(path)
    if len(sockets) <= 1:
        return None
    return Verdict(name, "ambiguous", Level.WRONG, {"path": path, "sockets": sockets})


def _named(verdict: Verdict, path: str) -> Verdict:
    if verdict.code == Cause.MISSING and (by := taker()):
        return Verdict(verdict.reader, "braille", verdict.level, {"path": path, "by": by})
    if verdict.code != Cause.TAKEN:
        return verdict
    held = holders(path)
    if not held:
        return verdict
    values = {**verdict.values, "holder": held[0].said, "advice": held[0].advice}
    return Verdict(verdict.reader, verdict.code, verdict.level, values)
