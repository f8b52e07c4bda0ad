"""Watches one reader: opens it, reports the tags in its field, and never stops retrying.

A failing reader is not a lifted card. Its loss is reported once, as :class:`~hub.ports.ReaderDown`
with a line that says what to do; nothing is reported about the card in its field until the reader
is back.
"""

import logging
import math
from collections import deque
from collections.abc import Callable, Iterable
from threading import Lock, Thread  # noqa: TID251 - a type

from hub.ports import FieldSeen, ReaderDown, ReaderEvent, ReaderTroubled, ReaderUp
from hub.readers.causes import Model, explain
from hub.readers.driver import Driver
from hub.readers.presence import Care, DwellDeadlines, Presence
from hub.table.spots import Sight
from hub.world import MACHINE, World

WINDOW_S = 300.0
_MOST = 1000


class Troubles:
    """A reader's losses and disturbances of the last :data:`WINDOW_S` seconds, at most 1000 of
    each.
    """

    def __init__(self) -> None:
        self._losses: deque[float] = deque(maxlen=_MOST)
        self._disturbances: deque[float] = deque(maxlen=_MOST)
        self._told: tuple[int, int, bool] | None = None

    def lost(self, now: float) -> None:
        """Record that the reader stopped answering at the time ``now`` (monotonic, s)."""
        self._losses.append(now)

    def disturbed(self, now: float) -> None:
        """Record that a look failed and the reader had to be revived, at the time ``now``
        (monotonic, s).
        """
        self._disturbances.append(now)

    def news(self, now: float, *, blind: bool) -> tuple[int, int, bool] | None:
        """How many losses and disturbances there were, and ``blind`` as given; None if nothing has
        changed since the last call.
        """
        for when in (self._losses, self._disturbances):
            while when and when[0] <= now - WINDOW_S:
                when.popleft()
        counts = (len(self._losses), len(self._disturbances), blind)
        if counts == self._told:
            return None
        self._told = counts
        return counts


_log = logging.getLogger(__name__)

_PATIENCE_S = 1.2  # a dead reader is reported within two seconds
_LOOK_S = 0.04  # between two looks at a card whose dwell runs
_SETTLED_S = 0.24  # between two looks at a settled card
_AHEAD_S = 0.06  # another card's dwell is known this long before it ends
_GLANCE_S, _LIST_S = 0.02, 0.03  # the longest that they take
_BEFORE_S = 0.014  # a glance that begins this long before a dwell's end ends with it
_DOUBT_S = 0.01  # between two looks while the card seems to be gone
_NEVER = math.inf  # a reader that has not come up


class Supervisor:
    """Watches the reader called ``name`` (a :class:`hub.ports.Reader`). ``connect`` opens the
    device at ``path``, or raises.

    ``model``: the texts for its faults. ``dwell_s``: how long a card has to be seen until it rests.
    ``retry_s``: the first and the longest pause between attempts; each pause is twice the one
    before. ``misses``: see :class:`hub.readers.presence.Debounce`.
    """

    def __init__(
        self,
        name: str,
        path: str,
        model: Model,
        connect: Callable[[], Driver],
        *,
        dwell_s: float = 0.3,
        retry_s: tuple[float, float] = (0.1, 2.0),
        misses: int = 3,
        dwell_deadlines: DwellDeadlines | None = None,
        world: World = MACHINE,
    ) -> None:
        self._world, self._now = world, world.monotonic
        self.name = name
        self._path = path
        self._model = model
        self._connect = connect
        self._dwell_s = dwell_s
        self._retry_s = retry_s
        self._misses = misses
        self._dwell_deadlines = dwell_deadlines or DwellDeadlines()
        # A dwell that begins on another reader is known before it ends.
        self._settled_s = max(_LOOK_S, min(_SETTLED_S, dwell_s - _AHEAD_S))
        self._stop, self._wake = world.event(), world.event()
        self._lock = Lock()
        self._lies = False
        self._asked: list[Callable[[], None]] = []
        self._driver: Driver | None = None
        self._thread: Thread | None = None
        self._up_since = _NEVER
        self._blind = False
        self._troubles = Troubles()
        self.turned_s = self._now()

    def open(self, sink: Callable[[ReaderEvent], None]) -> None:
        """Begin to watch, and return at once. ``sink`` is called in the reader's thread with each
        event. Raises :exc:`RuntimeError` the second time.
        """
        if self._thread is not None or self._stop.is_set():
            raise RuntimeError(f"the reader {self.name} was opened before")
        self._thread = self._world.thread(
            lambda: self._run(sink), f"reader {self.name}", daemon=True
        )
        self._thread.start()

    def look(self, done: Callable[[], None]) -> bool:
        """Look at the card on the reader soon, and call ``done`` in the reader's thread after that
        look. Returns whether a card lies there; if not, ``done`` is never called.
        """
        with self._lock:
            if self._lies:
                self._asked.append(done)
                self._wake.set()
            return self._lies

    def close(self) -> None:
        """Stop, release the device, join the thread; takes about a second at most. Idempotent."""
        self._stop.set()
        self._wake.set()
        with self._lock:
            if self._driver is not None:
                self._driver.cancel()
        if self._thread is not None:
            self._thread.join()

    def _run(self, sink: Callable[[ReaderEvent], None]) -> None:
        pause, longest = self._retry_s
        told = False
        while not self._stop.is_set():
            self._up_since = _NEVER
            self.turned_s = self._now()
            try:
                driver = self._connect()
                try:
                    if self._adopt(driver):
                        driver.start()
                        self._watch(driver, sink)
                finally:
                    self._looked(len(self._asked), lies=False)
                    self._adopt(None)
                    driver.close()
            except Exception as error:
                if self._stop.is_set():
                    return
                was_up = self._up_since != _NEVER
                if was_up:
                    self._troubles.lost(self._now())
                told = told and not was_up
                if self._now() - self._up_since > longest:  # else it flaps: keep the pause long
                    pause = self._retry_s[0]
                _log.log(logging.DEBUG if told else logging.INFO, "%s: %r", self.name, error)
                if not told:
                    told = True
                    why = explain(error, self._path, self._model, was_up=was_up)
                    sink(ReaderDown(self.name, why))
                self._tell_troubles(sink)
                self._stop.wait(pause)
                pause = min(2 * pause, longest)

    def _adopt(self, driver: Driver | None) -> bool:
        """Let :meth:`close` cancel this driver. Returns False if :meth:`close` was called
        already.
        """
        with self._lock:
            self._driver = driver
            return not self._stop.is_set()

    def _watch(self, driver: Driver, sink: Callable[[ReaderEvent], None]) -> None:
        field = Presence(self._dwell_s, self._misses)

        def tell(sights: Iterable[Sight]) -> None:
            for sight in sights:
                sink(FieldSeen(self.name, field.content or (), sight))

        while not self._stop.is_set():
            asked = len(self._asked)
            self.turned_s = self._now()
            try:
                care = self._care(field, in_haste=asked > 0)
                look = driver.observe(_PATIENCE_S if field.empty else 0, care)
            except Exception as error:  # nfcpy may raise anything on unexpected bytes
                if self._stop.is_set():
                    raise
                _log.info("%s: disturbed (%r), starting it again", self.name, error)
                tell(field.disturbed())
                self._troubles.disturbed(self._now())
                driver.mend()
                look = driver.observe(0, Care.THOROUGH)
            if self._up_since == _NEVER:
                self._up_since = self._now()
                sink(ReaderUp(self.name))
            tell(field.see(look))
            self._blind = driver.blind
            self._tell_troubles(sink)
            self._dwell_deadlines.tell(self.name, field.rests_at)
            self._looked(asked, lies=bool(field.content))
            if not field.empty:
                self._wake.wait(self._pause(field))
                self._wake.clear()

    def _looked(self, asked: int, *, lies: bool) -> None:
        """Call the first ``asked`` callbacks, whose look has ended, or all of them if no card lies
        there.
        """
        with self._lock:
            self._lies = lies
            upto = asked if lies else len(self._asked)
            answered, self._asked = self._asked[:upto], self._asked[upto:]
        for done in answered:
            done()

    def _care(self, field: Presence, *, in_haste: bool) -> Care:
        care = field.care(self._now())
        if care is not Care.THOROUGH or field.doubtful:
            return care
        soon = self._appointment() - self._now() < _LIST_S
        return Care.GLANCE if in_haste or soon else care

    def _appointment(self) -> float:
        return self._dwell_deadlines.next(self.name, self._now())

    def _tell_troubles(self, sink: Callable[[ReaderEvent], None]) -> None:
        if news := self._troubles.news(self._now(), blind=self._blind):
            losses, disturbances, blind = news
            sink(ReaderTroubled(self.name, losses, disturbances, blind))

    def _pause(self, field: Presence) -> float:
        if field.doubtful:
            return _DOUBT_S
        now = self._now()
        pace = self._settled_s if field.settled else _LOOK_S
        look_before = self._appointment() - _BEFORE_S
        for moment, takes_s in ((field.rests_at, _GLANCE_S), (look_before, _LIST_S)):
            if 0 <= moment - now < pace + takes_s:
                return moment - now
        return 0.0 if field.rests_at < now else pace
