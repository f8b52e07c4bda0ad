"""Shows a command's progress on standard error: a bar on a terminal, elsewhere a line now and then.

A quick command shows nothing.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

from hub.daemon.progress import Far, NowAndThen
from hub.journal.chain import told_of

if TYPE_CHECKING:
    from rich.progress import Progress

FIRST_S = 2.0
"""A command that takes longer than this, in seconds, shows its progress."""
EVERY_S = 10.0
"""The time between two lines of progress where there is no terminal, in seconds."""

T = TypeVar("T")


def stderr() -> TextIO:
    """The stream on which progress is shown."""
    return sys.stderr


class Work:
    """A task that may be slow. ``what``: its name; ``of``: how much there is to do, in any unit, or
    0 to show no progress."""

    def __init__(self, what: str, of: int) -> None:
        self._what, self._of, self._done = what, of, 0
        self._to = stderr()
        self._waits = NowAndThen(FIRST_S, 0.0 if self._to.isatty() else EVERY_S)
        self._bar: Progress | None = None

    def step(self, much: int) -> None:
        """Record that ``much`` more is done. Shows the progress if enough time has passed since it
        was last shown."""
        self._done += much
        far = Far(self._done, self._of)
        if self._of <= 0 or not self._waits.is_due():
            return
        if self._to.isatty():
            self._draw(far)
        else:
            self._to.write(f"{self._what}: {far.percent} %\n")
            self._to.flush()

    def _draw(self, far: Far) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress

            # Standard output belongs to the command, and may be redirected.
            self._bar = Progress(
                console=Console(file=self._to),
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._bar.add_task(self._what, total=100)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=far.percent)

    def through(self, rows: Iterable[T], each: int = 1, *, last: bool = False) -> Iterator[T]:
        """Pass ``rows`` on, and record each as ``each`` units done. ``last``: the task ends with
        ``rows``, so the bar is removed."""
        yield from told_of(rows, lambda count: self.step(count * each))
        if last:
            self.close()

    def close(self) -> None:
        """Remove the bar, if there is one."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


@contextmanager
def progress(what: str, of: int, *, seen: bool = False) -> Iterator[Work]:
    """Show the progress of a task while it runs. Yields its :class:`Work`. ``seen``: show none,
    because the command's own output shows how far it is."""
    work = Work(what, 0 if seen else of)
    try:
        yield work
    finally:
        work.close()
