"""The line below paho: whole packets that were checked, and nothing else."""

import ast
import asyncio
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path

import aiomqtt
import paho.mqtt.client as paho
import pytest

import hub.mqtt
from hub.mqtt.connection import below
from hub.mqtt.line import Line, LineContext

LONGEST = 300


class Noted:
    """Passes everything but a command 0x00, and notes it."""

    most_received = LONGEST

    def __init__(self) -> None:
        self.told: list[object] = []

    def passed(self, command: int, body: bytes) -> bytes | None:
        self.told.append((command, len(body)))
        return bytes([command]) + body if command else None

    def too_large(self, command: int, size: int, head: bytes) -> bytes:
        self.told.append(("too large", command, size, head))
        return b"last"

    def no_header(self) -> None:
        self.told.append("no header")


class Ends:
    """A line, and the broker's end of it."""

    def __init__(self) -> None:
        self.broker, near = socket.socketpair()
        near.setblocking(False)
        self.check = Noted()
        self.line = Line(near, self.check)
        self.line.opened = True

    def blocks(self) -> bool:
        with pytest.raises(BlockingIOError):
            self.line.recv(1)
        return True


@pytest.fixture
def ends() -> Iterator[Ends]:
    made = Ends()
    yield made
    made.broker.close()
    made.line.close()


def test_a_packet_comes_in_when_it_is_complete(ends: Ends) -> None:
    packet = bytes([0x30, 0x81, 0x01]) + bytes(129)
    for at in range(len(packet)):
        assert ends.blocks() and ends.check.told == []
        assert ends.line.begun is (at > 0)
        ends.broker.send(packet[at : at + 1])
    assert ends.line.recv(1) == b"\x30" and ends.check.told == [(0x30, 129)]
    assert (ends.line.pending(), len(ends.line.recv(1000)), ends.line.pending()) == (129, 129, 0)
    assert ends.blocks() and not ends.line.begun


def test_packets_that_came_together_are_judged_one_by_one(ends: Ends) -> None:
    ends.broker.send(b"\x40\x02\0\1" + b"\xd0\0" + b"\x40\x02")
    assert (ends.line.recv(9), ends.check.told, ends.line.pending()) == (
        b"\x40\0\1", [(0x40, 2)], 1,
    )  # fmt: skip
    assert (ends.line.recv(9), ends.line.pending()) == (b"\xd0", 0)
    assert ends.blocks()


def test_nothing_comes_in_before_the_line_is_opened(ends: Ends) -> None:
    ends.line.opened = False
    ends.broker.send(b"\xd0\0")
    assert ends.blocks()
    ends.line.opened = True
    assert ends.line.recv(9) == b"\xd0"


def test_a_packet_that_does_not_pass_ends_the_line(ends: Ends) -> None:
    ends.broker.send(b"\xd0\0" + b"\0\0" + b"\xd0\0")
    assert (ends.line.recv(9), ends.line.recv(9), ends.line.pending()) == (b"\xd0", b"", 0)
    assert ends.check.told == [(0xD0, 0), (0, 0)]
    with pytest.raises(ConnectionAbortedError):
        ends.line.send(b"\xe0\0")


def test_a_packet_that_is_too_large_is_not_read(ends: Ends) -> None:
    ends.broker.send(b"\xd0\0" + b"\x30\xad\x02")
    assert (ends.line.recv(9), ends.line.pending()) == (b"\xd0", 0)
    assert ends.blocks()
    ends.broker.send(b"\0\3top")
    assert ends.line.recv(9) == b""
    assert ends.check.told[1:] == [("too large", 0x30, LONGEST + 1, b"\0\3top")]
    assert ends.broker.recv(9) == b"last"


def test_a_length_of_five_bytes_is_no_header(ends: Ends) -> None:
    ends.broker.send(b"\x30\xff\xff\xff\xff")
    assert (ends.line.recv(9), ends.check.told) == (b"", ["no header"])


def test_the_end_comes_after_the_last_packet(ends: Ends) -> None:
    ends.broker.send(b"\xd0\0\x40")
    ends.broker.close()
    assert (ends.line.recv(9), ends.line.recv(9)) == (b"\xd0", b"")


def test_paho_takes_its_socket_from_the_context() -> None:
    """The seam: an own context for every connection, whether it is TLS or not."""
    lines: list[Line] = []
    context = LineContext(None, Noted(), lines.append)
    assert isinstance(context, ssl.SSLContext)
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = paho.Client(paho.CallbackAPIVersion.VERSION2)  # type: ignore[attr-defined]
        client.tls_set_context(context)
        client.connect("127.0.0.1", server.getsockname()[1])
        far, _ = server.accept()
        assert client.socket() is lines[0]  # type: ignore[comparison-overlap]
        assert far.recv(1) == b"\x10", "CONNECT, in plain"
        far.close()
        lines[0].close()


async def test_there_is_a_client_of_paho_below_aiomqtt() -> None:
    """The one private name that the hub needs. If this fails, see :func:`below`."""
    assert isinstance(below(aiomqtt.Client("localhost")), paho.Client)
    await asyncio.sleep(0)


def test_no_other_private_name_of_a_library_is_used() -> None:
    """But those that asyncio documents for classes derived from its queue."""
    found = set()
    for file in Path(hub.mqtt.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if not isinstance(node, ast.Attribute) or not node.attr.startswith("_"):
                continue
            own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            above = (
                isinstance(node.value, ast.Call) and getattr(node.value.func, "id", "") == "super"
            )
            if not (own or above or node.attr.startswith("__")):
                found.add((file.name, node.attr))
    assert found == {("connection.py", "_client")}
