"""A name server for a simulated board's network that answers when the test lets it."""

import socket
import struct
import threading
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

Answer = Callable[[bytes, str], list[bytes]]
"""A question, and the name in it → the datagrams that come back."""


def name_in(question: bytes) -> str:
    """The name that a question asks for."""
    at, words = 12, []
    while question[at]:
        words.append(question[at + 1 : at + 1 + question[at]].decode())
        at += question[at] + 1
    return ".".join(words)


def reply(question: bytes, *records: bytes, code: int = 0) -> bytes:
    """A name server's response to a question. ``code``: 3 for an unknown name."""
    head = question[:2] + struct.pack(">5H", 0x8180 | code, 1, len(records), 0, 0)
    return head + question[12:] + b"".join(records)


def record(name: bytes, kind: int, data: bytes, of: int = 1) -> bytes:
    """A resource record.

    ``name``: in wire format, such as ``b"\\xc0\\x0c"`` for the question's own; ``kind``: 1 for an
    address, 5 for an alias; ``of``: its class.
    """
    return name + struct.pack(">HHIH", kind, of, 60, len(data)) + data


def address(name: bytes, text: str, of: int = 1) -> bytes:
    return record(name, 1, socket.inet_aton(text), of)


ASKED = b"\xc0\x0c"


class NameServer:
    """A server that knows ``names`` and is silent while held; runs inside ``with``."""

    def __init__(self, names: Mapping[str, str] | Answer) -> None:
        self._names = names
        self._door = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._door.bind(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        self.asked: list[str] = []
        self._changed = threading.Condition()
        self._held = False
        self._waiting: list[tuple[bytes, object]] = []
        self._thread = threading.Thread(target=self._serve)

    def hold(self) -> None:
        """Hold back all answers from now on."""
        with self._changed:
            self._held, self.asked = True, []

    def release(self) -> None:
        """Send the answers held back, and answer at once from now on."""
        with self._changed:
            self._held = False
            waiting, self._waiting = self._waiting, []
        for question, who in waiting:
            self._answer(question, who)

    def was_asked(self, name: str) -> bool:
        """Wait until ``name`` has been asked for since the last hold."""
        with self._changed:
            return self._changed.wait_for(lambda: name in self.asked, 20)

    def _serve(self) -> None:
        while True:
            question, who = self._door.recvfrom(512)
            if not question:
                return
            with self._changed:
                self.asked.append(name_in(question))
                self._changed.notify_all()
                if self._held:
                    self._waiting.append((question, who))
                    continue
            self._answer(question, who)

    def _answer(self, question: bytes, who: object) -> None:
        name = name_in(question)
        if callable(self._names):
            said = self._names(question, name)
        elif name in self._names:
            said = [reply(question, address(ASKED, self._names[name]))]
        else:
            said = [reply(question, code=3)]
        for each in said:
            self._door.sendto(each, who)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ending:
            ending.sendto(b"", ("127.0.0.1", self.port))
        self._thread.join()
        self._door.close()
