#!/usr/bin/env python3
"""Runs make targets one after the other and writes one table of the results.

A failing target does not stop the following ones. Logs, results and the table are in one folder,
so that a later run with ``--again`` runs only the targets that failed or never ran. Needs no
package: it runs before any environment is set up.
"""

import argparse
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

LIMIT_S = 3 * 3600
_GRACE_S = 10
_LOOK_S = 0.2
"""How often, in seconds, to look whether the running target has ended or the run should stop."""
# Variables by which make passes its own arguments on; a target here runs as if typed by itself.
_OF_MAKE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "ARGS")
_CLOSING = re.compile(r"^(?:=+ )?((?:\d+ [a-z]+(?:, )?)+) in \d[\d.]*s\b", re.MULTILINE)
_COUNT = re.compile(r"(\d+) ([a-z]+)")
_FAULTS = (
    re.compile(r"^(?:FAILED|ERROR) .+", re.MULTILINE),  # pytest's summary
    re.compile(r"^.*\berror: .+", re.MULTILINE | re.IGNORECASE),  # mypy, a compiler, pip
    re.compile(r"^make(?:\[\d+\])?: \*\*\* .+", re.MULTILINE),
)
_KEPT = {"failed": "failed", "error": "failed", "errors": "failed", "passed": "passed"}
_KEPT |= {"deselected": "deselected", "skipped": "deselected"}
_MAX_LINE = 160


@dataclass(frozen=True)
class Result:
    """The result of a target. ``status``: make's exit status, or None if the target took too long;
    ``fault``: the line of its log that reports the first failure."""

    target: str
    status: int | None
    passed: int
    failed: int
    deselected: int
    took_s: int
    fault: str

    @property
    def good(self) -> bool:
        """Whether make succeeded."""
        return self.status == 0

    @property
    def ended(self) -> str:
        """How the target ended, in the words of the table."""
        if self.status is None:
            return "TOO LONG"
        return "passed" if self.good else "FAILED"


def counts(log: str) -> dict[str, int]:
    """How many tests passed, failed (errors included) and were deselected (skips included), summed
    over all runs of pytest in a log."""
    found = {"passed": 0, "failed": 0, "deselected": 0}
    for line in _CLOSING.findall(log):
        for number, word in _COUNT.findall(line):
            if word in _KEPT:
                found[_KEPT[word]] += int(number)
    return found


def first_fault(log: str) -> str:
    """The line of a log that reports the first failure, or its last line."""
    for pattern in _FAULTS:
        if found := pattern.search(log):
            return found.group().strip()[:_MAX_LINE]
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    return lines[-1][:_MAX_LINE] if lines else "it said nothing"


def named(target: str) -> str:
    """The name of a target's files: ``soak ARGS='--plans 9'`` becomes ``soak-ARGS-plans-9``."""
    return re.sub(r"[^A-Za-z0-9.]+", "-", target).strip("-")


class Stopped(Exception):
    """Raised after a signal has stopped the run and the running target has been ended."""


def run(target: str, folder: Path, limit_s: float, stopping: Event) -> Result:
    """Run a target for at most ``limit_s``, with its output in a log of its own in ``folder``.
    Raises :class:`Stopped` once ``stopping`` is set."""
    own = {name: value for name, value in os.environ.items() if name not in _OF_MAKE}
    command = [os.environ.get("MAKE", "make"), "--no-print-directory", *shlex.split(target)]
    begun = time.monotonic()
    log = folder / f"{named(target)}.log"
    with log.open("wb") as file:
        process = subprocess.Popen(  # noqa: S603 - a target that the caller names
            command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, env=own,
            start_new_session=True,
        )  # fmt: skip
        status: int | None = None
        while status is None and time.monotonic() - begun < limit_s:
            try:
                status = process.wait(_LOOK_S)
            except subprocess.TimeoutExpired:
                if stopping.is_set():
                    _end(process)
                    raise Stopped from None
        said = _text(log)  # before make reports how it was ended
        _end(process)
    took_s, fault = round(time.monotonic() - begun), "" if status == 0 else first_fault(said)
    if status is None:
        fault = f"not done after {limit_s:g} s; last: {fault}"
    return Result(target, status, **counts(said), took_s=took_s, fault=fault)


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """If make still runs, end it and all processes that it has started."""
    if process.poll() is not None:
        return
    for each in (signal.SIGTERM, signal.SIGKILL):
        os.killpg(process.pid, each)
        try:
            process.wait(_GRACE_S)
            return
        except subprocess.TimeoutExpired:
            continue


def table(targets: Iterable[str], results: Mapping[str, Result]) -> str:
    """A table in Markdown, with a row for each target, in their order."""
    rows = [["target", "ended", "passed", "failed", "deselected", "time", "first of what failed"]]
    for target in targets:
        each = results.get(target)
        if each is None:
            rows.append([target, "not run", "", "", "", "", ""])
            continue
        numbers = [str(n) if n else "" for n in (each.passed, each.failed, each.deselected)]
        fault = each.fault.replace("|", "\\|")
        rows.append([target, each.ended, *numbers, _clock(each.took_s), fault])
    rows.insert(1, ["---", "---", "--:", "--:", "--:", "--:", "---"])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _clock(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    return f"{minutes}:{rest:02}"


class Night:
    """The targets to run and their last results, kept in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._file = folder, folder / "results.json"
        self.targets: list[str] = []
        self.results: dict[str, Result] = {}

    def load(self) -> None:
        """Load the last run's results. Raises OSError or ValueError if there are none or they
        cannot be read."""
        read = json.loads(self._file.read_text(encoding="utf-8"))
        try:
            self.targets = [str(each) for each in read["targets"]]
            self.results = {each["target"]: Result(**each) for each in read["results"]}
        except (KeyError, TypeError) as problem:
            raise ValueError(f"not what a run writes: {problem}") from problem

    def save(self) -> None:
        """Write the results and the table. Each file is replaced as a whole, so that an interrupted
        night leaves the last good files."""
        kept = {
            "targets": self.targets,
            "results": [asdict(each) for each in self.results.values()],
        }
        for file, text in (
            (self._file, json.dumps(kept, indent=1) + "\n"),
            (self.folder / "table.md", table(self.targets, self.results)),
        ):
            part = file.with_suffix(".part")
            part.write_text(text, encoding="utf-8")
            part.replace(file)

    def open_targets(self) -> list[str]:
        """The targets that failed or have not been run."""
        return [
            each for each in self.targets if each not in self.results or not self.results[each].good
        ]


def main(words: list[str] | None = None) -> int:
    """Run the targets. Returns 0 if all passed, 1 if one failed or was not run, 2 if the run could
    not begin, 130 if it was stopped."""
    parser = argparse.ArgumentParser(prog="nightly", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="with its variables: \"soak ARGS='--plans 9'\""
    )
    parser.add_argument("--again", action="store_true", help="only what failed or never ran")
    parser.add_argument("--into", type=Path, default=Path(".nightly"), metavar="FOLDER")
    parser.add_argument("--limit", type=float, default=LIMIT_S, metavar="SECONDS", help="for each")
    asked = parser.parse_args(words)
    night = Night(asked.into)
    if asked.again:
        try:
            night.load()
        except (OSError, ValueError) as problem:
            print(f"nightly: {asked.into}: no earlier run to take up: {problem}", file=sys.stderr)
            return 2
        wanted = [each for each in night.open_targets() if each in (asked.targets or night.targets)]
    else:
        wanted = night.targets = list(dict.fromkeys(asked.targets))
        if not wanted:
            print("nightly: name the targets to run, or --again", file=sys.stderr)
            return 2
    asked.into.mkdir(parents=True, exist_ok=True)
    return _through(night, wanted, asked.limit, _stopped_by_signals())


def _stopped_by_signals() -> Event:
    """An event that is set by Ctrl-C, a stopped service or a closed terminal. A SIGHUP that nohup
    has set to be ignored stays ignored.

    The signals raise no exception, because an exception raised during Python's cleanup would be
    lost, and the night would go on.
    """
    stopping = Event()
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, lambda *_: stopping.set())
    return stopping


def _through(night: Night, wanted: list[str], limit_s: float, stopping: Event) -> int:
    for each in wanted:
        night.results.pop(each, None)
    night.save()
    try:
        for number, each in enumerate(wanted, 1):
            print(f"{number} of {len(wanted)}: {each} …", flush=True)
            result = night.results[each] = run(each, night.folder, limit_s, stopping)
            night.save()
            print(f"    {result.ended} after {_clock(result.took_s)} {result.fault}", flush=True)
    except Stopped:
        print(f"\nStopped. {night.folder} keeps what was done; --again does the rest.")
        return 130
    print(f"\n{table(night.targets, night.results)}\nLogs: {night.folder}")
    return 1 if night.open_targets() else 0


if __name__ == "__main__":
    sys.exit(main())
