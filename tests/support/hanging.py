"""A broker that accepts connections and never answers."""

import socket
from types import TracebackType
from typing import Self


class SilentBroker:
    """Listens on a loopback port inside ``with``; the kernel completes the connections."""

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0), backlog=8)
        self.port: int = self._socket.getsockname()[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._socket.close()
