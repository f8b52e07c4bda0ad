"""What the loop complains of, for the log."""

import asyncio
import logging
from typing import Any

_log = logging.getLogger(__name__)
_DEAF = "socket.accept() out of system resource"


def complain(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler of the loop's.

    asyncio complains of every connection that it cannot take while the process has no free
    descriptor, some hundred times a second, with a traceback; here that is a line, which the log
    does not repeat (:class:`hub.daemon.logs.Repeats`).
    """
    if context.get("message") != _DEAF:
        loop.default_exception_handler(context)
        return
    _log.error(
        "no connection can be taken: %s; close some, or raise the limit of open files",
        context["exception"].strerror,
    )
