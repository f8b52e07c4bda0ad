"""The end of the hub's process: asked for by a signal, and over soon, whatever hangs.

A thread of its own waits for the signals, so that a loop that is stuck is stopped all the same.
What has not ended by itself when its time is up is broken off with the process: what is stored is
whole at any moment, and what could not be said is left to the broker's last will.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Coroutine
from contextlib import suppress
from threading import Event, Thread, main_thread
from threading import enumerate as all_threads
from types import TracebackType
from typing import Any, Self

_log = logging.getLogger(__name__)

SIGNALS = frozenset({signal.SIGINT, signal.SIGTERM})
END_S = 1.25
"""From the signal, or from the hub's own end, to the end of the process."""

THREAD_S = 0.2
"""How long a thread that has been told to end may take."""


class Ending:
    """Holds the signals back from every thread that is started within it, and hears them itself.
    They stay held back: whoever is impatient sends several, and the process ends in any case.

    ``last_words`` is called before the process is broken off; it must not take long.
    """

    def __init__(self, last_words: Callable[[str], None]) -> None:
        self._last_words = last_words
        self._stop: Callable[[], object] = lambda: None
        self._begun = Event()
        self._over = Event()
        self._status = 0
        self._listener = Thread(target=self._listen, name="signals", daemon=True)
        self._watchman = Thread(target=self._watch, name="ending", daemon=True)

    def __enter__(self) -> Self:
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        self._listener.start()
        self._watchman.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave, or break the process off if a thread would keep it from ending."""
        self._begun.set()
        working = [t for t in all_threads() if t is not main_thread() and not t.daemon]
        for thread in working:
            thread.join(THREAD_S)
        stuck = [thread.name for thread in working if thread.is_alive()]
        if stuck:
            self._break_off(stuck)
        self._over.set()
        signal.pthread_kill(self._listener.ident or 0, signal.SIGTERM)
        self._listener.join()
        self._watchman.join()

    def run(self, hub: Coroutine[Any, Any, int]) -> int:
        """Run ``hub`` until it ends or a signal asks it to. Returns its status; 0 for a signal."""
        self._status = asyncio.run(self._until_asked(hub))
        return self._status

    async def _until_asked(self, hub: Coroutine[Any, Any, int]) -> int:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(Complaints())
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

    def _listen(self) -> None:
        while not self._over.is_set():
            signal.sigwait(SIGNALS)
            if not self._begun.is_set():
                self._begun.set()
                with suppress(RuntimeError):  # the loop has just ended by itself
                    self._stop()

    def _watch(self) -> None:
        self._begun.wait()
        if not self._over.wait(END_S):
            self._break_off([t.name for t in all_threads() if not t.daemon])

    def _break_off(self, stuck: list[str]) -> None:
        self._last_words(", ".join(stuck))
        os._exit(self._status)


class Complaints:
    """What the loop complains of, for the log: of a spell of the same, once.

    asyncio complains of every connection that it cannot take while the process has no free
    descriptor, some hundred times a second.
    """

    SPELL_S = 10.0
    """A complaint that has not come for so long is told again."""
    _DEAF = "socket.accept() out of system resource"

    def __init__(self) -> None:
        self._heard_s = -self.SPELL_S

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """An exception handler of the loop's."""
        if context.get("message") != self._DEAF:
            loop.default_exception_handler(context)
            return
        last_s, self._heard_s = self._heard_s, loop.time()
        if self._heard_s - last_s >= self.SPELL_S:
            _log.error(
                "no connection can be taken: %s; close some, or raise the limit of open files",
                context["exception"].strerror,
            )
