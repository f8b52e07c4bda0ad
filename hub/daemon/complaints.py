"""What the loop complains of, for the log."""

import asyncio
import logging
from typing import Any

_log = logging.getLogger(__name__)


class Complaints:
    """Logs what the loop complains of. The same complaint, again and again, is logged once.

    asyncio complains of every connection that it cannot take while the process has no free
    descriptor, some hundred times a second.
    """

    SPELL_S = 10.0
    """A complaint is logged again when it has not come for so long."""
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
