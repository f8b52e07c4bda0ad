"""``python -m tests.simulation``: simulated evenings of many seeds, or one seed's story."""

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.simulation.floor import Floor
from tests.simulation.life import live
from tests.simulation.outcome import Outcome
from tests.simulation.plan import Plan
from tests.simulation.reach import EXPECTED, missing
from tests.simulation.seeds import Seeds, Tally, plan_of
from tests.simulation.shrink import shrink
from tests.simulation.story import lines, page, replay

SEEDS = 200
MOST_SHRUNK = 8
MOST_LINES = 60


def main(words: list[str] | None = None) -> int:
    """Returns 0 without findings, 1 with some, or if something demanded was not reached; 2 for
    wrong arguments, 130 if Ctrl-C ended the run without a finding."""
    asked = _parser().parse_args(words)
    console = Console(highlight=False, soft_wrap=True, markup=False)
    if asked.floor is not None:
        return _floor(console, *asked.floor)
    if asked.seed is not None or asked.replay is not None:
        return _one(console, asked)
    return _many(console, asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seeds", type=_positive, metavar="N", help=f"how many (default {SEEDS})")
    which.add_argument("--seed", type=int, metavar="N", help="one, with its story")
    which.add_argument("--replay", type=_plan, metavar="PLAN", help="a plan, with its story")
    which.add_argument(
        "--floor", type=_positive, nargs=2, metavar=("HUBS", "HOURS"), help="hubs on one broker"
    )
    parser.add_argument(
        "--from", dest="first", type=int, metavar="SEED", help="the first (default: by the time)"
    )
    parser.add_argument(
        "--jobs", type=_positive, metavar="J", help="processes (default: all cores)"
    )
    parser.add_argument("--minutes", type=float, metavar="M", help="start no seed after this time")
    parser.add_argument("--shrink", action="store_true", help="make the finding of --seed small")
    parser.add_argument("--story", type=Path, metavar="FILE.html", help="write a story as a page")
    parser.add_argument(
        "--demand", action="store_true", help="fail if not all was reached that can be"
    )
    return parser


def _positive(text: str) -> int:
    if (number := int(text)) < 1:
        raise ValueError(text)
    return number


def _plan(text: str) -> Plan:
    try:
        return Plan.read(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _one(console: Console, asked: argparse.Namespace) -> int:
    plan: Plan = plan_of(asked.seed) if asked.replay is None else asked.replay
    outcome = shrink(plan) if asked.shrink else live(plan)
    console.print(*lines(outcome), sep="\n")
    console.print(f"\n{outcome.plan.write()}")
    console.print(outcome.finding or "No finding.")
    console.print(f"{outcome.virtual_s:.1f} s, {outcome.steps} steps, {outcome.digest[:16]}")
    console.print(replay(outcome))
    _write(console, asked.story, outcome)
    return 1 if outcome.finding else 0


def _floor(console: Console, hubs: int, hours: int) -> int:
    floor, began_s = Floor(hubs), time.monotonic()
    floor.run(3600 * hours)
    took_s = time.monotonic() - began_s
    said = f"{hubs} hubs, {hours} h of virtual time, {floor.rows} records, {took_s:.0f} s"
    console.print(*floor.findings[:MOST_LINES], said, sep="\n")
    return 1 if floor.findings else 0


def _many(console: Console, asked: argparse.Namespace) -> int:
    first = time.time_ns() // 10**6 % 10**9 if asked.first is None else asked.first
    number = asked.seeds or (None if asked.minutes else SEEDS)
    most_s = asked.minutes and 60 * asked.minutes
    console.print(f"Seeds from {first} on.")
    began_s, stopped = time.monotonic(), False
    outcomes: list[Outcome] = []
    with Seeds(first, number, asked.jobs, most_s) as seeds:
        try:
            _run(console, seeds, number)
        except KeyboardInterrupt:
            stopped = True
        took_s = time.monotonic() - began_s
        try:
            samples = [min(found) for found in seeds.tally.findings.values()][:MOST_SHRUNK]
            if samples:
                console.print(f"Making {len(samples)} findings small …")
            outcomes = seeds.shrunk(samples)
        except KeyboardInterrupt:
            stopped = True
    tally = seeds.tally
    _report(console, tally, took_s)
    _report_findings(console, tally, outcomes)
    if asked.story is not None and outcomes:
        _write(console, asked.story, outcomes[0])
    unreached = [each for keys in missing(tally.reached).values() for each in keys]
    if tally.findings or (asked.demand and unreached):
        return 1
    return 130 if stopped else 0


def _run(console: Console, seeds: Seeds, number: int | None) -> None:
    bar = Progress(
        SpinnerColumn(),
        BarColumn(),
        TextColumn("{task.fields[said]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )
    began_s = time.monotonic()
    with bar:
        task = bar.add_task("", total=number, said="starting")

        known: set[str] = set()

        def show(tally: Tally) -> None:
            for kind in tally.findings.keys() - known:
                known.add(kind)
                console.print(f"Found by seed {tally.findings[kind][0]}: {kind}")
            rate = tally.seeds / (time.monotonic() - began_s)
            of = f"{tally.seeds} of {number}" if number else str(tally.seeds)
            found = sum(map(len, tally.findings.values()))
            said = f"{of} seeds, {rate:.1f} a second, {found} findings"
            bar.update(task, completed=tally.seeds, said=said)

        seeds.run(show)


def _report(console: Console, tally: Tally, took_s: float) -> None:
    left = missing(tally.reached)
    for name, keys in EXPECTED.items():
        table = Table(title=f"Reached: {name}", title_justify="left", box=None, padding=(0, 2))
        table.add_column("count", justify="right")
        table.add_column("", no_wrap=True)
        for key in sorted(keys, key=lambda each: (-tally.reached[each], each)):
            if tally.reached[key]:
                table.add_row(str(tally.reached[key]), key)
        console.print(table)
        console.print(f"Not reached, and can be: {', '.join(left[name]) or 'none'}")
        others = sorted(key for key in keys if not tally.reached[key] and key not in left[name])
        console.print(f"Not reached, and need not be: {', '.join(others) or 'none'}\n")
    if tally.seeds:
        console.print(
            f"{tally.seeds} seeds in {took_s:.0f} s: {tally.seeds / tally.busy_s:.1f} a second "
            f"and core; {tally.virtual_s / 3600:.1f} hours of virtual time, {tally.steps} steps, "
            f"{tally.reached['rows']} records, {tally.reached['seals of cards']} cards sealed."
        )


def _report_findings(console: Console, tally: Tally, outcomes: list[Outcome]) -> None:
    if not tally.findings:
        console.print("No findings.")
        return
    small = {outcome.plan.seed: outcome for outcome in outcomes}
    for kind, found in tally.findings.items():
        console.print(f"\nFAILED {kind}\n  {len(found)} of {tally.seeds} seeds: {_some(found)}")
        outcome = small.get(min(found))
        if outcome is None:
            console.print(f'  make sim ARGS="--shrink --seed {min(found)}"')
            continue
        console.print(f"  {outcome.finding}\n  {replay(outcome)}")
        console.print(*lines(outcome, MOST_LINES), sep="\n")


def _some(seeds: list[int]) -> str:
    shown = ", ".join(map(str, sorted(seeds)[:10]))
    return f"{shown}, …" if len(seeds) > 10 else shown


def _write(console: Console, file: Path | None, outcome: Outcome) -> None:
    if file is not None:
        file.write_text(page(outcome), encoding="utf-8")
        console.print(f"Story: {file}")


if __name__ == "__main__":
    sys.exit(main())
