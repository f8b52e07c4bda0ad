"""Rules for every test: no thread is left behind, and hypothesis examples are the same everywhere.

``--hypothesis-profile=fresh`` draws new ones at each run; ``make soak`` does.
"""

import gc
import os
import signal
import threading
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.support.browser import browser, shared_chromium

__all__ = ["browser", "shared_chromium"]  # one browser for all the tests of a process

# A busy machine is no fault: examples have no deadline, and may be slow to draw.
SLOWLY = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("suite", derandomize=True, database=None, **SLOWLY)
settings.register_profile("fresh", **SLOWLY)
settings.load_profile("suite")

# Users run the hub without it. Unbuffered, it would write, and fail, at other moments.
os.environ.pop("PYTHONUNBUFFERED", None)
# A signal ignored by `nohup` or a background job would be ignored in every process of a test, too.
signal.signal(signal.SIGHUP, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)

FIRST = ("e2e", "adapters/web", "secrecy", "adapters", "cli")
"""Folders with slow tests; they go first, so that none of them runs alone at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the slowest first; parallel workers take files in this order."""
    tests = Path(__file__).parent

    @cache
    def place(file: Path) -> int:
        path = file.relative_to(tests).as_posix()
        return next((n for n, folder in enumerate(FIRST) if path.startswith(f"{folder}/")), 99)

    items.sort(key=lambda item: place(item.path))


def pytest_collection_finish() -> None:
    """Freeze the collected tests, so that the garbage collector does not scan them again."""
    gc.collect()
    gc.freeze()


os.umask(0o077)  # tests write files with a table's private mode

GRACE_S = 3.0
_LOOP_POOL = "asyncio_"  # a loop's default executor ends with its loop, after the test


@pytest.fixture(autouse=True)
def no_leaked_threads() -> Iterator[None]:
    """Fail a test that leaves a thread running."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before]
    left = [t for t in left if not t.name.startswith(_LOOP_POOL)]
    for thread in left:
        thread.join(GRACE_S)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left behind: {alive}"


@pytest.fixture(autouse=True)
def no_blocked_signals() -> Iterator[None]:
    """Fail a test that leaves signals blocked: no process of a later test would hear them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    assert signal.pthread_sigmask(signal.SIG_SETMASK, before) == before, "signals left blocked"


@pytest.fixture
def unblocked() -> Iterator[None]:
    """Undo what :class:`hub.daemon.ending.Ending` does to a whole process."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    yield
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


@pytest.fixture(autouse=True)
def no_brltty(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Hide a program that ``test_braille`` runs at the same time, in another process."""
    if request.path.stem != "test_braille":
        monkeypatch.setattr("hub.readers.causes.running", lambda name: [])
