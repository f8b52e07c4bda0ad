"""A board's end of the link: each question takes effect once, however often it is repeated.

Pure, for MicroPython and CPython alike: the caller passes the time (ticks in µs and ms that may
wrap, and ``diff`` to subtract them) and gets the bytes to send.
"""

import struct
from binascii import crc32

from common import link

SLOTS, SLOT_MS = 8, 12


class Session:
    """The board's side of a session with the hub.

    ``address``: the board's. ``identity``: its id and its files' hash, 8 bytes each, and its
    program's name. ``parts``: its job, its lamps, and a function that returns its health; see
    seat_reader/program.py.
    """

    def __init__(self, address, identity, parts, diff):
        self._address = address
        self._board, self._files, self._program = identity
        self._job, self._lamps, self._health = parts
        self._diff = diff
        self._stream = link.Stream()
        self._greeted = False
        self._last = None  # the seq answered last
        self._answer = b""
        self._held = None  # (seq, asked at µs, wait ms)
        self._due = None  # (when ms, bytes): a WELCOME in its slot
        self.repeated = 0
        self.presses = self._told = 0

    @property
    def damaged(self):
        """How many pieces of input were not frames."""
        return self._stream.damaged

    def hear(self, data, now_us, now_ms):
        """Take in bytes. Returns the bytes to send at once, and whether a question came."""
        out, asked = b"", False
        for address, kind, seq, payload in self._stream.feed(data):
            if address == self._address and not kind & 0x80:
                asked = True
                out += self._take(kind, seq, payload, now_us, now_ms)
        return out, asked

    def tick(self, now_us, now_ms):
        """The bytes to send now: the answer to a held question, or a WELCOME; empty for neither."""
        if self._due is not None and self._diff(now_ms, self._due[0]) >= 0:
            out, self._due = self._due[1], None
            return out
        return self._release(now_us)

    def _release(self, now_us):
        """The answer to the held question if it is due, else empty."""
        if self._held is None:
            return b""
        seq, asked_us, wait_ms = self._held
        held_us = self._diff(now_us, asked_us)
        waits = not self._job.done and self.presses == self._told
        if waits and held_us < wait_ms * 1000:
            return b""
        self._held = None
        return self._say(seq, *self._outcome(held_us, now_us))

    def _take(self, kind, seq, payload, now_us, now_ms):
        if kind == link.HELLO:
            return self._welcome(seq, payload, now_ms)
        if not self._greeted:
            return link.encode(self._address, link.REFUSED, seq, bytes((link.NOT_GREETED,)))
        if seq == self._last:
            self.repeated = (self.repeated + 1) & 0xFFFF
            return self._answer
        if self._held is not None and seq == self._held[0]:
            self.repeated = (self.repeated + 1) & 0xFFFF
            return b""
        self._held = None
        try:
            return self._do(kind, seq, payload, now_us)
        except ValueError:
            return self._say(seq, link.REFUSED, bytes((link.MALFORMED,)))

    def _welcome(self, seq, payload, now_ms):
        if len(payload) < 3:
            return b""
        level, session = struct.unpack("<BH", payload[:3])
        said = struct.pack("<BH", link.LEVEL, session)
        if level == link.LEVEL:
            self._greeted, self._last, self._held = True, None, None
            said += self._board + self._files + self._program.encode()
        out = link.encode(self._address, link.WELCOME, seq, said)
        if self._address == link.ALONE:
            return out
        slot = crc32(self._board + payload[1:3]) % SLOTS
        self._due = (now_ms + slot * SLOT_MS, out)
        return b""

    def _do(self, kind, seq, payload, now_us):
        if kind == link.DO:
            job, care, patience_ms, wait_ms = _unpack("<BBHH", payload)
            if not self._job.begin(job, care, patience_ms):
                raise ValueError
            self._held = (seq, now_us, wait_ms)
            return b"" if wait_ms else self._release(now_us)
        if kind == link.FETCH:
            (wait_ms,) = _unpack("<H", payload)
            self._held = (seq, now_us, wait_ms)
            return self._release(now_us)
        if kind == link.LAMP:
            self._lamps.show(*_unpack("<BB", payload))
            return self._say(seq, link.DONE, b"")
        if kind == link.HEALTH:
            said = self._health() + (self.presses & 0xFF, self.damaged & 0xFFFF, self.repeated)
            uptime, free, reset, unheard, damaged, supply, start, presses, bad, repeated = said
            return self._say(
                seq,
                link.WELL,
                struct.pack(
                    "<IIBBHHHHHH",
                    uptime,
                    free,
                    reset,
                    presses,
                    bad,
                    repeated,
                    unheard,
                    damaged,
                    supply,
                    start,
                ),
            )
        return self._say(seq, link.REFUSED, bytes((link.UNKNOWN,)))

    def _outcome(self, held_us, now_us):
        self._told = self.presses
        job, presses = self._job, self.presses & 0xFF
        if not job.done:
            return link.STILL, bytes((presses,))
        if job.failure:
            return link.FAILED, bytes((job.failure,))
        if job.looked is None:
            return link.READY, bytes(job.ready)
        began, listed, blind, tags = job.looked
        said = struct.pack(
            "<BIIIBB",
            presses,
            held_us,
            self._diff(now_us, began),
            self._diff(now_us, listed),
            blind,
            len(tags),
        )
        for sel_res, uid, memory in tags:
            said += bytes((sel_res, len(uid))) + uid + bytes((len(memory),)) + memory
        return link.LOOKED, said

    def _say(self, seq, kind, payload):
        self._last = seq
        self._answer = link.encode(self._address, kind, seq, payload)
        return self._answer


def _unpack(form, payload):
    if len(payload) != struct.calcsize(form):
        raise ValueError
    return struct.unpack(form, payload)
