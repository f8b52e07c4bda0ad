"""The socket of one connection to a broker, as paho uses it: only whole, checked packets come in.

paho takes its socket from :meth:`ssl.SSLContext.wrap_socket`, so that a context of the hub's own
can put a check between socket and paho, with TLS and without.

Ref: MQTT 3.1.1 §2.2 (fixed header).
"""

import contextlib
import socket
import ssl
from collections.abc import Callable
from typing import Any, Protocol, cast

_CHUNK = 64 * 1024
_LENGTH_BYTES = 4
_SEVEN_BITS, _MORE = 0x7F, 0x80


class Check(Protocol):
    """Judges the packets that a broker sends. A :class:`Line` calls its methods while
    paho reads.
    """

    most_received: int
    """The longest packet to be read, in bytes after its fixed header."""

    def passed(self, command: int, body: bytes) -> bytes | None:
        """The whole packet to pass on to paho, perhaps changed; None to end the connection.

        ``command``: the packet's first byte. ``body``: the bytes after its fixed header.
        """
        ...

    def too_large(self, command: int, size: int, head: bytes) -> bytes:
        """Note an oversized packet, which ends the connection. Returns the last bytes to send to
        the broker.

        ``size``: its length in bytes; ``head``: as much of its body as has arrived.
        """
        ...

    def no_header(self) -> None:
        """Record that the bytes received cannot begin a packet; the connection then ends."""
        ...


class Line:
    """A socket for paho: ``below``, with a ``check`` on every packet that comes in."""

    def __init__(self, below: socket.socket, check: Check) -> None:
        self._below, self._check = below, check
        self._arrived, self._passed = bytearray(), bytearray()
        self._over = False
        self.opened = False
        """Whether packets may come in yet; until then nothing is read."""

    @property
    def begun(self) -> bool:
        """Whether bytes have arrived that are not a complete packet yet."""
        return bool(self._arrived)

    def cut(self) -> None:
        """End the connection for paho, which from now on reads nothing more and cannot send."""
        self._over = True
        self._passed.clear()

    def recv(self, size: int) -> bytes:
        """Up to ``size`` bytes of a packet that has passed the check; empty once the connection has
        ended.

        Raises :exc:`BlockingIOError` if no packet is complete.
        """
        if not (self.opened or self._over):
            raise BlockingIOError
        while not (self._passed or self._over):
            if self._ripe():
                self._take()
            elif not self._receive():
                return b""
        data = bytes(self._passed[:size])
        del self._passed[:size]
        return data

    def pending(self) -> int:
        """More than 0 if paho can read on without waiting for the socket; otherwise 0."""
        if self._over:
            return 0
        below = self._below.pending() if isinstance(self._below, ssl.SSLSocket) else 0
        return len(self._passed) + self._ripe() + below

    def _receive(self) -> bool:
        try:
            chunk = self._below.recv(_CHUNK)
        except ssl.SSLWantReadError as error:
            raise BlockingIOError from error
        self._arrived += chunk
        return bool(chunk)

    def _ripe(self) -> bool:
        """Whether enough of the first packet has come to judge it."""
        begin, length = self._header()
        if length > self._check.most_received:
            return len(self._arrived) > begin
        return 0 < begin <= len(self._arrived) - max(length, 0)

    def _take(self) -> None:
        command = self._arrived[0]
        begin, length = self._header()
        if length < 0:
            self._check.no_header()
            self.cut()
        elif length > self._check.most_received:
            last = self._check.too_large(command, length, bytes(self._arrived[begin:]))
            with contextlib.suppress(OSError):
                self._below.send(last)
            self.cut()
        else:
            packet = self._check.passed(command, bytes(self._arrived[begin : begin + length]))
            del self._arrived[: begin + length]
            if packet is None:
                self.cut()
            else:
                self._passed += packet

    def _header(self) -> tuple[int, int]:
        """Where the first packet's body begins (0: not known yet), and the body's length in bytes
        (below 0: the header is invalid).
        """
        length = 0
        for at, byte in enumerate(self._arrived[1 : 1 + _LENGTH_BYTES]):
            length += (byte & _SEVEN_BITS) << (7 * at)
            if not byte & _MORE:
                return at + 2, length
        return (1, -1) if len(self._arrived) > _LENGTH_BYTES else (0, 0)

    def send(self, data: bytes) -> int:
        """See :meth:`socket.socket.send`."""
        if self._over:
            raise ConnectionAbortedError
        return self._below.send(data)

    def fileno(self) -> int:
        """See :meth:`socket.socket.fileno`."""
        return self._below.fileno()

    def setblocking(self, flag: bool) -> None:
        """See :meth:`socket.socket.setblocking`."""
        self._below.setblocking(flag)

    def settimeout(self, seconds: float | None) -> None:
        """See :meth:`socket.socket.settimeout`."""
        self._below.settimeout(seconds)

    def do_handshake(self) -> None:
        """Shake hands if the connection uses TLS."""
        if isinstance(self._below, ssl.SSLSocket):
            self._below.do_handshake()

    def close(self) -> None:
        """See :meth:`socket.socket.close`."""
        self._below.close()


class LineContext(ssl.SSLContext):
    """Makes a :class:`Line` of paho's socket, encrypted by the context ``tls`` unless that is None.
    ``opened`` is called with the line.
    """

    def __new__(cls, *_: object) -> "LineContext":
        """Make a context that verifies nothing itself, because ``tls`` does."""
        made = super().__new__(cls, ssl.PROTOCOL_TLS_CLIENT)
        made.check_hostname = False
        return made

    def __init__(
        self, tls: ssl.SSLContext | None, check: Check, opened: Callable[[Line], object]
    ) -> None:
        self._tls, self._line_check, self._opened = tls, check, opened

    def wrap_socket(
        self, sock: socket.socket, *_: Any, server_hostname: Any = None, **__: Any
    ) -> ssl.SSLSocket:
        """Wrap ``sock`` in a line. Unlike :meth:`ssl.SSLContext.wrap_socket`, it does not shake
        hands yet.
        """
        # No packet waits for the acknowledgement of the one before it.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self._tls is not None:
            sock = self._tls.wrap_socket(
                sock, do_handshake_on_connect=False, server_hostname=server_hostname
            )
        line = Line(sock, self._line_check)
        self._opened(line)
        return cast("ssl.SSLSocket", line)
