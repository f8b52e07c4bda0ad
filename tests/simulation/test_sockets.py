"""Simulated sockets behave as TCP does, with faults and without."""

from collections.abc import Callable, Iterator
from random import Random

import pytest

from tests.simulation.loop import SimLoop
from tests.simulation.sockets import FIRST_FD, SEND_BUFFER, Network, SimSocket


class Echo:
    """A server that sends everything back."""

    def __init__(self, send: Callable[[bytes], None], hang_up: Callable[[], None]) -> None:
        self.send, self.hang_up = send, hang_up
        self.heard = b""
        self.ended = False

    def receive(self, data: bytes) -> None:
        self.heard += data
        self.send(data)

    def lost(self) -> None:
        self.ended = True


class Cabled:
    def __init__(self) -> None:
        self.loop = SimLoop(Random(1))
        self.network = Network(self.loop, Random(2))
        self.servers: list[Echo] = []
        self.network.listen("box", 7, self._accept)
        self.socket = self.network.connect("box", 7)
        self.wire = self.network.wires[0]

    def _accept(self, send: Callable[[bytes], None], hang_up: Callable[[], None]) -> Echo:
        self.servers.append(Echo(send, hang_up))
        return self.servers[-1]

    def wait(self, seconds: float = 1.0) -> None:
        until_s = self.loop.time() + seconds
        ended = self.loop.create_future()
        self.loop.call_at(until_s, ended.set_result, None)
        self.loop.run_until_complete(ended)

    def end(self) -> None:
        self.loop._closed = True  # its base class would wait for threads


@pytest.fixture
def cabled() -> Iterator[Cabled]:
    made = Cabled()
    yield made
    made.end()


def read_all(line: SimSocket) -> bytes:
    found = b""
    while line.readable:
        found += line.recv(3)
    return found


def test_bytes_keep_their_order(cabled: Cabled) -> None:
    chance = Random(3)
    cabled.network.tear = lambda size: int(chance.random() * size)
    for n in range(50):
        cabled.socket.send(b"%d," % n)
    assert not cabled.socket.readable
    with pytest.raises(BlockingIOError):
        cabled.socket.recv(1)
    cabled.wait()
    assert read_all(cabled.socket) == b"".join(b"%d," % n for n in range(50))


def test_a_full_buffer_takes_nothing_until_it_is_delivered(cabled: Cabled) -> None:
    cabled.wire.stall(5)
    assert cabled.socket.send(b"x" * (SEND_BUFFER + 1)) == SEND_BUFFER
    assert not cabled.socket.writable
    with pytest.raises(BlockingIOError):
        cabled.socket.send(b"x")
    cabled.wait(4)
    assert not cabled.socket.writable
    cabled.wait(2)
    assert cabled.socket.writable


def test_the_server_hangs_up(cabled: Cabled) -> None:
    cabled.servers[0].send(b"bye")
    cabled.servers[0].hang_up()
    cabled.wait()
    assert cabled.socket.recv(10) == b"bye"
    assert cabled.socket.recv(10) == b""
    cabled.socket.send(b"too late")
    cabled.wait()
    with pytest.raises(ConnectionResetError):
        cabled.socket.send(b"x")
    assert not cabled.network.wires


def test_the_client_closes(cabled: Cabled) -> None:
    cabled.socket.send(b"last")
    cabled.socket.close()
    cabled.socket.close()
    assert cabled.socket.fileno() == -1
    with pytest.raises(OSError, match="Bad file descriptor"):
        cabled.socket.recv(1)
    cabled.wait()
    assert (cabled.servers[0].heard, cabled.servers[0].ended) == (b"last", True)


def test_a_cut_is_seen_at_both_ends_after_what_has_arrived(cabled: Cabled) -> None:
    cabled.servers[0].send(b"before")
    cabled.wait()
    cabled.servers[0].send(b"under way")
    cabled.wire.cut()
    cabled.wait()
    assert cabled.servers[0].ended
    assert cabled.socket.recv(100) == b"before"
    assert cabled.socket.readable
    with pytest.raises(ConnectionResetError):
        cabled.socket.recv(100)


@pytest.mark.parametrize(("to_server", "to_client"), [(True, False), (False, True)])
def test_one_direction_falls_silent(cabled: Cabled, to_server: bool, to_client: bool) -> None:
    cabled.wire.half_open(to_server=to_server, to_client=to_client)
    cabled.socket.send(b"x")
    cabled.wait()
    assert (cabled.servers[0].heard == b"x") is not to_server
    assert not cabled.socket.readable
    cabled.socket.close()
    cabled.wait()
    assert cabled.servers[0].ended is not to_server


def test_no_connection_without_a_server_or_over_a_split_network(cabled: Cabled) -> None:
    with pytest.raises(ConnectionRefusedError):
        cabled.network.connect("box", 8)
    cabled.network.split()
    began_s = cabled.loop.time()
    with pytest.raises(TimeoutError):
        cabled.network.connect("box", 7)
    assert cabled.loop.time() - began_s == 5
    cabled.socket.send(b"x")
    cabled.wait()
    assert not cabled.servers[0].heard
    cabled.network.heal()
    cabled.wait()
    assert cabled.servers[0].heard == b"x"


def test_descriptors_count_for_each_network(cabled: Cabled) -> None:
    assert cabled.socket.fileno() == FIRST_FD
    assert cabled.network.connect("box", 7).fileno() == FIRST_FD + 1
    other = Cabled()
    assert other.socket.fileno() == FIRST_FD
    other.end()
