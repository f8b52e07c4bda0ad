"""A measured figure beside its baseline from the same run, and how they are printed."""

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from msgspec import Struct, to_builtins


class Figure(Struct, frozen=True, kw_only=True):
    """``value`` against ``baseline`` in ``unit``, medians or what else the name says; ``ratio`` is
    value / baseline."""

    name: str
    unit: str
    value: float
    baseline: float
    baseline_is: str
    ratio: float
    aim: str

    @classmethod
    def of(
        cls,
        name: str,
        unit: str,
        values: Sequence[float],
        baselines: Sequence[float],
        baseline_is: str,
        aim: str = "",
        share: float = 0.5,
    ) -> "Figure":
        """``share`` of the values are no more than what is shown: 0.5 is the median."""
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


def _at(values: Sequence[float], share: float) -> float:
    if len(values) < 2 or share == 0.5:
        return statistics.median(values)
    return statistics.quantiles(values, n=1000, method="inclusive")[round(share * 1000) - 1]


def rate(play: Callable[[], int], seconds: float) -> float:
    """How many a second ``play()`` does; it returns how many it did."""
    done, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        done += play()
    return done / spent


def show(figures: list[Figure], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(to_builtins(figures), indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title="Facedown, measured against baselines of the same run (medians)")
    for heading in ("figure", "value", "baseline", "ratio", "baseline is", "aim"):
        table.add_column(heading, justify="right" if heading in {"value", "ratio"} else "left")
    for figure in figures:
        table.add_row(
            figure.name,
            f"{figure.value:,.3g} {figure.unit}"
            if figure.value < 1000
            else f"{figure.value:,.0f} {figure.unit}",
            f"{figure.baseline:,.3g}" if figure.baseline < 1000 else f"{figure.baseline:,.0f}",
            f"{figure.ratio:.2f}",
            figure.baseline_is,
            figure.aim,
        )
    Console(width=None if sys.stdout.isatty() else 150).print(table)
