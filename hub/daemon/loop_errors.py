"""The event loop's exception handler: turns its complaints into log lines."""

import asyncio
import logging
from typing import Any

_log = logging.getLogger(__name__)
_DEAF = "socket.accept() out of system resource"


def log_loop_error(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an exception of the loop.

    While the process has no free descriptor, asyncio complains of every refused connection some
    hundred times a second, with a traceback. Here that becomes one line, which the log does not
    repeat (:class:`hub.daemon.logs.Repeats`).
    """
    if context.get("message") != _DEAF:
        loop.default_exception_handler(context)
        return
    _log.error(
        "no connection can be taken: %s; close some, or raise the limit of open files",
        context["exception"].strerror,
    )
