"""A measured figure beside its baseline from the same run, and their output."""

import json
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, to_builtins

WAS: Mapping[str, str] = {
    "rules: turns of playouts": "2,400/s",
    "last seal → reveal at a subscriber": "2.7 to 3.4x",
    "last seal → reveal at a subscriber, with a story": "3.0x",
    "last seal → reveal at a subscriber, 49 phones": "17 ms",
    "last seal → reveal at a subscriber, 100 displays": "11 ms",
    "six readers with a card each: one core": "4.5 %",
    "six readers: resident": "65 MB",
    "start until the pages answer": "2.6x",
    "start on 100,000 records": "5.9 s",
    "start on 100,000 records, no snapshot": "5.9 s",
    "display, bytes over the wire": "115 kB",
    "display, requests when loaded again": "28",
    "display, longest task of a turn, 6x slower": "315 ms",
    "modules that name a command": "8.5",
    "modules that name an event": "9.6",
    "files that name the commit timer": "31",
}
"""Values of the first measurement, on machines of the time."""


class Aim(Struct, frozen=True):
    """What a figure should be: at most ``bound``, or at least, by its value or by its ratio."""

    bound: float
    of_ratio: bool = False
    at_least: bool = False

    def text(self, unit: str) -> str:
        """In words, for values in ``unit``."""
        sign, behind = "≥" if self.at_least else "≤", "x" if self.of_ratio else unit
        return f"{sign} {self.bound:,g}{'' if behind in {'x', '/s'} else ' '}{behind}".rstrip()


def at_most(bound: float) -> Aim:
    return Aim(bound)


def at_least(bound: float) -> Aim:
    return Aim(bound, at_least=True)


def at_most_times(bound: float) -> Aim:
    """At most this many times the baseline."""
    return Aim(bound, of_ratio=True)


class Figure(Struct, frozen=True, kw_only=True):
    """``value`` against ``baseline`` in ``unit``: medians, or what else the name says.

    ``ratio`` is value / baseline.
    """

    name: str
    unit: str
    value: float
    baseline: float
    baseline_is: str
    ratio: float
    aim: Aim | None = None

    @classmethod
    def aimed(cls, name: str, value: float, aim: float) -> "Figure":
        """A count that is the same on every machine, beside what it should be at most."""
        return cls(
            name=name, unit="", value=value, baseline=aim, baseline_is="the aim",
            ratio=value / aim, aim=at_most(aim),
        )  # fmt: skip

    @classmethod
    def of(
        cls,
        name: str,
        unit: str,
        values: Sequence[float],
        baselines: Sequence[float],
        baseline_is: str,
        aim: Aim | None = None,
        share: float = 0.5,
    ) -> "Figure":
        """``share`` of the values are at most the one shown: 0.5 is the median."""
        value, baseline = _at(values, share), _at(baselines, share)
        return cls(
            name=name,
            unit=unit,
            value=value,
            baseline=baseline,
            baseline_is=baseline_is,
            ratio=value / baseline,
            aim=aim,
        )

    @property
    def of_aim(self) -> float | None:
        """How many times the aim it is; over 1 misses it. None without an aim."""
        if self.aim is None:
            return None
        found = self.ratio if self.aim.of_ratio else self.value
        return self.aim.bound / found if self.aim.at_least else found / self.aim.bound

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None without one."""
        return None if self.of_aim is None else self.of_aim <= 1


def _at(values: Sequence[float], share: float) -> float:
    if len(values) < 2 or share == 0.5:
        return statistics.median(values)
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


def rate(play: Callable[[], int], seconds: float) -> float:
    """How many per second ``play()`` does; it returns how many it did."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += play()
    return done / spent


MET = {True: "met", False: "missed", None: ""}


def number(value: float) -> str:
    """Three figures, or whole if there are more."""
    return f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def show(figures: Sequence[Figure], *, as_json: bool) -> None:
    """Print the figures, and how many of their aims are met."""
    if as_json:
        print(json.dumps([to_builtins(each) | {"met": each.met} for each in figures], indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Facedown, measured against baselines of the same run (medians)")
    for heading in ("figure", "value", "baseline", "ratio", "baseline is", "aim", "", "was"):
        table.add_column(heading, justify="right" if heading in {"value", "ratio"} else "left")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{number(figure.value)} {figure.unit}",
            number(figure.baseline),
            f"{figure.ratio:.2f}",
            figure.baseline_is,
            figure.aim.text(figure.unit) if figure.aim else "",
            MET[figure.met],
            WAS.get(figure.name, ""),
        )
    Console(width=None if sys.stdout.isatty() else 180).print(table)
    aims = [figure.met for figure in figures if figure.met is not None]
    print(f"{sum(aims)} of {len(aims)} aims met")
