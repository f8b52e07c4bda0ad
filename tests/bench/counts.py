"""``python -m tests.bench.counts [COMMIT]``: the processor instructions of five fixed jobs, beside
those of an earlier commit. Exit status 1 if a job takes over 3 % more.

Without COMMIT it is the last one; if nothing has been changed since, the one before. callgrind
counts the instructions, so that other programs on the machine make no difference. Each commit is
counted by its own :mod:`tests.bench.counted`, with the same Python.

A commit that has its reason to cost more gives it in its message, in a line that names the job:
``Costs more: one resolve, because …``.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

MOST = 1.03
"""The largest ratio that passes."""
AGAIN = 2
"""How often a job that takes more is counted again: one reveal in five has 9 % more by chance, with
its thread's turns."""
MARK = "getloadavg"
"""The C function whose calls stand before and after each job (:mod:`tests.bench.counted`)."""
_TOTAL = re.compile(r"^totals: (\d+)", re.MULTILINE)
_REASON = re.compile(r"^Costs more: ([^,\n]+), \S", re.MULTILINE)


class CannotCount(Exception):
    """The jobs of a commit cannot be run or counted; the text says why."""


def counts(root: Path) -> dict[str, int]:
    """Job → instructions, by the code in ``root``. Raises :class:`CannotCount`."""
    jobs = [sys.executable, "-m", "tests.bench.counted"]
    with tempfile.TemporaryDirectory() as folder:
        out = f"--callgrind-out-file={folder}/out"
        _run(root, *jobs)  # writes the byte code
        names = _run(
            root, "valgrind", "--tool=callgrind", f"--dump-before={MARK}", out, *jobs
        ).splitlines()
        # A dump ends at a mark. Each job's stands behind that of its preparation.
        return {
            name: _total(Path(folder, f"out.{2 * number}")) for number, name in enumerate(names, 1)
        }


def _total(dump: Path) -> int:
    found = _TOTAL.search(dump.read_text(encoding="utf-8")) if dump.is_file() else None
    if found is None:
        raise CannotCount(f"callgrind has written no counts into {dump.name}")
    return int(found[1])


def _run(folder: Path, *command: str) -> str:
    own = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    own |= {"PYTHONPATH": str(folder), "PYTHONHASHSEED": "0"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=own, capture_output=True, text=True, check=True
        )
    except FileNotFoundError:
        raise CannotCount(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as failed:
        said = failed.stderr.strip().splitlines() or [f"exit status {failed.returncode}"]
        raise CannotCount(f"{command[0]}: {said[-1]}") from None
    return done.stdout


@contextmanager
def _checked_out(root: Path, commit: str) -> Iterator[Path]:
    """A folder with the files of ``commit``."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "files")
        _run(root, "git", "worktree", "add", "--quiet", "--detach", str(files), commit)
        try:
            yield files
        finally:
            _run(root, "git", "worktree", "remove", "--force", str(files))


def reasons(messages: str) -> set[str]:
    """The jobs that may cost more, by the messages of commits."""
    return set(_REASON.findall(messages))


def heavier(
    before: Mapping[str, int], now: Mapping[str, int], allowed: Collection[str] = ()
) -> list[str]:
    """The jobs that take more instructions than they may."""
    both = now.keys() & before.keys() - set(allowed)
    return [job for job in now if job in both and now[job] > MOST * before[job]]


def compare(root: Path, commit: str | None = None) -> int:
    """Print the counts of the code in ``root`` beside an earlier commit's.

    Returns 1 if a job takes more than it may, 2 if the jobs cannot be counted, otherwise 0, also
    if there is no earlier commit.
    """
    with ThreadPoolExecutor() as both:
        ours = both.submit(counts, root)
        before, allowed = dict[str, int](), set[str]()
        try:
            if commit is None:
                commit = "HEAD" if _run(root, "git", "status", "--porcelain") else "HEAD^"
            allowed = reasons(_run(root, "git", "log", "--format=%B", f"{commit}..HEAD"))
            with _checked_out(root, commit) as files:
                before = both.submit(counts, files).result()
        except CannotCount as why:
            print(f"Instructions: nothing earlier to compare with ({why})")
        try:
            now = ours.result()
            for _ in range(AGAIN):
                if heavier(before, now, allowed):
                    again = counts(root)
                    now = {job: min(count, again[job]) for job, count in now.items()}
        except CannotCount as why:
            print(f"The jobs cannot be counted: {why}", file=sys.stderr)
            return 2
    for job, count in now.items():
        change = f"{count / before[job] - 1:+.2%} since {commit}" if job in before else ""
        print(f"{job:<20}{count:>15,} instructions  {change}")
    found = heavier(before, now, allowed)
    for job in found:
        print(
            f"{job}: over {MOST - 1:.0%} more. Make it lighter, or give the reason in the commit's "
            f"message, in a line of its own: Costs more: {job}, because …"
        )
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(compare(Path(__file__).resolve().parents[2], *sys.argv[1:2]))
