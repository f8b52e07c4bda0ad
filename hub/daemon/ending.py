"""The end of the hub's process: requested by a signal, and completed soon even if something hangs.

Signals are handled before the hub is even imported, because that takes seconds on a small machine.
A dedicated thread waits for them, so that even a stuck loop is stopped. Anything still running at
the deadline ends with the process. That is harmless: stored data is consistent at any moment, and
the broker's last will reports the table as offline.

This module must need only the smallest parts of the standard library; the loop is imported late.
"""

import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Event, Thread, main_thread
from threading import enumerate as all_threads
from typing import Any, Self

SIGNALS = frozenset(
    {
        *(signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGXCPU),
        *({signal.SIGPWR} if hasattr(signal, "SIGPWR") else ()),
    }
)
"""Signals that ask the hub to end. A SIGHUP that was ignored at the start (nohup) stays ignored.
SIGXCPU means a limit on processor time is used up, SIGPWR that the mains have failed."""

UNHEEDED = frozenset(
    {
        *(signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF),
        *({signal.SIGIO} if hasattr(signal, "SIGIO") else ()),
        *({signal.SIGSTKFLT} if hasattr(signal, "SIGSTKFLT") else ()),
        *(range(signal.SIGRTMIN, signal.SIGRTMAX + 1) if hasattr(signal, "SIGRTMIN") else ()),
    }
)
"""Signals to ignore, because by default they would end the hub at once, without the message
``offline``."""

END_S = 1.25
"""How long the process may go on after the signal, or after the hub's own end (s)."""

THREAD_S = 0.2
"""How long each thread may take to end (s)."""


class Ending:
    """Blocks the signals in every thread started within this context, and handles them itself.

    The signals stay blocked afterwards, because impatient users send several, and the process ends
    anyway.
    """

    def __init__(self) -> None:
        self.last_words: Callable[[str], None] = lambda _: None
        """Called with the names of the stuck threads before the process is ended by force; must be
        quick."""
        self._signals = set(SIGNALS)
        if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
            self._signals.remove(signal.SIGHUP)
        self._stop: Callable[[], object] = lambda: None
        self._begun = Event()
        self._over = Event()
        self._status = 0
        self._listener = Thread(target=self._listen, name="signals", daemon=True)
        self._watchman = Thread(target=self._watch, name="ending", daemon=True)

    def __enter__(self) -> Self:
        signal.pthread_sigmask(signal.SIG_BLOCK, self._signals)
        self._listener.start()
        self._watchman.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._begun.set()
        self._over.set()
        signal.pthread_kill(self._listener.ident or 0, signal.SIGTERM)
        self._listener.join()
        self._watchman.join()

    def leave_if_asked(self) -> None:
        """Exit by :class:`SystemExit`, with status 0, if a signal has come."""
        if self._begun.is_set():
            raise SystemExit(0)

    def run(self, hub: Coroutine[Any, Any, int]) -> int:
        """Run ``hub`` until it ends or a signal asks it to. Returns its status; 0 for a signal.

        A thread that does not end in time is ended with the process.
        """
        import asyncio

        try:
            self._status = asyncio.run(self._until_asked(hub))
        finally:
            self._end_threads()
        return self._status

    async def _until_asked(self, hub: Coroutine[Any, Any, int]) -> int:
        import asyncio

        from hub.daemon.loop_errors import log_loop_error

        loop = asyncio.get_running_loop()
        loop.set_exception_handler(log_loop_error)
        playing = loop.create_task(hub, name="hub")
        self._stop = lambda: loop.call_soon_threadsafe(playing.cancel)
        if self._begun.is_set():
            playing.cancel()
        try:
            self._status = await playing
        except asyncio.CancelledError:
            self._status = 0
        finally:
            self._begun.set()
        return self._status

    def _end_threads(self) -> None:
        self._begun.set()
        working = [t for t in all_threads() if t is not main_thread() and not t.daemon]
        for thread in working:
            thread.join(THREAD_S)
        stuck = [thread.name for thread in working if thread.is_alive()]
        if stuck:
            self._break_off(stuck)

    def _listen(self) -> None:
        while not self._over.is_set():
            signal.sigwait(self._signals)
            if not self._begun.is_set():
                self._begun.set()
                with suppress(RuntimeError):  # the loop has just ended by itself
                    self._stop()

    def _watch(self) -> None:
        self._begun.wait()
        if not self._over.wait(END_S):
            self._break_off([t.name for t in all_threads() if not t.daemon])

    def _break_off(self, stuck: list[str]) -> None:
        self.last_words(", ".join(stuck))
        os._exit(self._status)
