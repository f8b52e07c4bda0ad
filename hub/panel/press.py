"""One button: its contacts bounce, and it may be held, perhaps already while the hub starts."""

import asyncio
from collections.abc import Callable

SETTLE_S = 0.025
"""A contact unchanged for this long has stopped bouncing."""


class Press:
    """A debounced button. Event loop only: edges seen in another thread have to be handed over."""

    def __init__(
        self,
        is_down: Callable[[], bool],
        down: Callable[[], None],
        *,
        hold_s: float = 0,
        held: Callable[[], None] = lambda: None,
        let_go: Callable[[], None] = lambda: None,
    ) -> None:
        """``down`` is called when it is pressed; ``held`` once that has lasted ``hold_s`` seconds.

        ``let_go`` is called if it ends sooner. A button that is down now counts only after it has
        been released.
        """
        self._is_down = is_down
        self._down, self._held, self._let_go = down, held, let_go
        self._hold_s = hold_s
        self.is_down = is_down()
        self._settling: asyncio.TimerHandle | None = None
        self._holding: asyncio.TimerHandle | None = None

    def edge(self) -> None:
        """A contact has opened or closed."""
        if self._settling is not None:
            self._settling.cancel()
        self._settling = asyncio.get_running_loop().call_later(SETTLE_S, self._settle)

    def close(self) -> None:
        """Stop listening. Idempotent."""
        for timer in (self._settling, self._holding):
            if timer is not None:
                timer.cancel()

    def _settle(self) -> None:
        is_down = self._is_down()
        if is_down == self.is_down:
            return
        self.is_down = is_down
        if is_down:
            if self._hold_s:
                loop = asyncio.get_running_loop()
                # The settling time counts as part of it.
                self._holding = loop.call_later(self._hold_s - SETTLE_S, self._hold)
            self._down()
        elif self._holding is not None:
            self._holding.cancel()
            self._holding = None
            self._let_go()

    def _hold(self) -> None:
        self._holding = None
        self._held()
