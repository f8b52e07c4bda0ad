"""A network cable between a client and a broker that a test can pull or clog."""

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self


class Cable:
    """Listens on ``port`` and carries every connection to ``target_port``, both on loopback."""

    def __init__(self, target_port: int) -> None:
        self.port = 0
        self._target_port = target_port
        self._server: asyncio.Server | None = None
        self._ends: set[asyncio.StreamWriter] = set()
        self._carrying: set[asyncio.Task[None]] = set()
        self._answers = asyncio.Event()
        self._answers.set()

    async def __aenter__(self) -> Self:
        await self.plug()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.pull()

    async def plug(self) -> None:
        """Accept connections (again)."""
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def pull(self) -> None:
        """Break every connection and accept none. Idempotent."""
        if self._server is not None:
            self._server.close()
            self._server = None
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)
        for end in self._ends:
            end.transport.abort()
        self._ends.clear()
        await asyncio.sleep(0)

    def lose_answers(self) -> None:
        """Hold back the broker's answers until :meth:`pull` and :meth:`plug`."""
        self._answers.clear()

    def pass_answers(self) -> None:
        """Let the broker's answers through again."""
        self._answers.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        except ConnectionRefusedError:
            writer.transport.abort()
            return
        self._ends |= {writer, far_writer}
        for source, sink, answers in (
            (reader, far_writer, False),
            (far_reader, writer, True),
        ):
            task = asyncio.create_task(self._carry(source, sink, answers))
            self._carrying.add(task)
            task.add_done_callback(self._carrying.discard)

    async def _carry(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, answers: bool
    ) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65536):
                if answers:
                    await self._answers.wait()
                sink.write(data)
                await sink.drain()
        sink.transport.abort()
