"""The tags in the field, by the rules of the hub's own driver (hub/readers/pn532.py).

A look's result is ``(began, listed, tags)``: two moments (ticks in µs) and, for each tag,
``(sel_res, uid, memory)``. Every method that takes time is a generator.

Ref: UM0701-02 §7.2.1, §7.2.9, §7.2.10, §7.3.1, §7.3.5, §7.3.8, §7.3.9, §8.6.2 (CIU_RxMode);
NTAG213 data sheet §9.3 (NAK), §10.2, §10.3.
"""

from common.antenna import TEST, AntennaTest, RadioDead, UnknownTest
from seat_reader.chip import (
    DIAGNOSE,
    EXCHANGE,
    GET_VERSION,
    LIST,
    RF,
    SAM,
    SET_PARAMETERS,
    THRU,
    UNKNOWN_COMMAND,
    WRITE_REGISTER,
    ChipError,
    Disturbed,
)
from time import ticks_add, ticks_diff, ticks_ms, ticks_us

GLANCE, QUICK, USUAL, THOROUGH = range(4)

_RADIO_FAULTS = (0x0A, 0x0D)
_RF_FIELD, _RF_TIMEOUTS, _RF_COM_RETRIES, _RF_RETRIES, _RF_TYPE_A = 0x01, 0x02, 0x04, 0x05, 0x0A
_ANALOG_TYPE_A = b"\x59\xf4\x3f\x11\x4d\x85\x61\x6f\x26\x62\x87"
_ANSWER_6_4_MS = 0x07
_FOREVER, _ONE_RETRY = 0xFF, 0x01
_COMMAND_MS, _DIAGNOSE_MS = 300, 200

_NO_TYPE_2 = 0x68
_READ, _FAST_READ = 0x30, 0x3A
_RXMODE = b"\x63\x03"
_CHECKED, _UNCHECKED = b"\x80", b"\x00"
_FIRST, _LAST = 3, 13
"""The pages that are read: from the capability container to the end of the longest record."""
_SIGN_OF_A_CARD = b"facedown:card\x01"

_SECOND_LOOK, _LOOKS = 2, 3
_SET_UP_AGAIN_MS = 30000


class Field:
    """The tags in the field of ``chip``."""

    def __init__(self, chip):
        self._chip = chip
        self._antenna = AntennaTest(self._antenna_passes)
        self._known = {}
        self._seen = []
        self._listed_at = 0
        self._alone = self._listed_last = self._blamed = False
        self._retries = None
        self._empty_looks = 0
        self._set_up_again_at = ticks_ms()

    @property
    def blind(self):
        """Whether a dead radio cannot be told from an empty field."""
        return not self._antenna.is_believed

    @property
    def antenna(self):
        """The result of the antenna test, one of those in :mod:`common.antenna`."""
        return self._antenna.said

    def set_up(self):
        """Wake the chip and set it up. Raises :exc:`seat_reader.chip.Silent`."""
        yield from self._chip.find()
        yield from self._set_up()

    def _set_up(self):
        chip = self._chip
        yield from self._told(SAM, b"\1\0\0")
        try:
            yield from self._told(SET_PARAMETERS, b"\0")
        except ChipError:
            pass
        yield from self._rf(_RF_FIELD, b"\2")
        yield from self._rf(_RF_TIMEOUTS, bytes((0, 0x0B, _ANSWER_6_4_MS)))
        yield from self._rf(_RF_COM_RETRIES, b"\0")
        yield from self._rf(_RF_TYPE_A, _ANALOG_TYPE_A)
        yield from self._antenna.try_out()
        self._retries, self._alone, self._empty_looks = None, False, 1
        self._set_up_again_at = ticks_add(ticks_ms(), _SET_UP_AGAIN_MS)
        chip.busy = False

    def look(self, care, patience_ms):
        """Look for tags; wait up to ``patience_ms`` for one. ``care``: GLANCE to THOROUGH."""
        began = ticks_us()
        if self._chip.busy:  # left over from an abandoned look
            self._alone = False
            yield from self._chip.abort()
        quick = care in (GLANCE, QUICK) or (care == USUAL and self._listed_last)
        if self._alone and quick and not patience_ms:
            if (yield from self._still_there()):
                self._listed_last = False
                return began, ticks_us(), self._seen
            if care == GLANCE:
                return began, ticks_us(), []
        if patience_ms:
            targets = yield from self._await_tag(patience_ms)
            began = self._listed_at
        else:
            targets = yield from self._list_all()
        listed = self._listed_at
        read = yield from self._take_down(targets)
        if {each[1] for each in read} != {each[1] for each in targets}:
            began = listed = self._listed_at
        self._alone = not patience_ms and len(read) == 1 and not read[0][0] & _NO_TYPE_2
        self._listed_last = True
        return began, listed, self._seen

    def _take_down(self, targets):
        """Remember the listed tags and their memories, listing again if some cannot be read."""
        memories = yield from self._read_all(targets, False)
        for _ in range(_LOOKS - 1):
            if None not in memories:
                break
            # Not readable may mean torn away: only a tag that stays is called unreadable.
            targets = yield from self._list_all()
            memories = yield from self._read_all(targets, True)
        if memories == [None]:
            memories = [(yield from self._refusal(targets[0]))]
        self._known = {}
        self._seen = []
        for (sel_res, uid, _), memory in zip(targets, memories):
            if memory and _SIGN_OF_A_CARD in memory:
                self._known[uid] = memory
            self._seen.append((sel_res, uid, memory or b""))
        return targets

    def _read_all(self, targets, slowly):
        memories = []
        for target in targets:
            memories.append((yield from self._read(target, slowly or len(targets) > 1)))
        return memories

    def _read(self, target, slowly):
        """A tag's memory; empty if it is no Type 2 tag, None if it could not be read."""
        sel_res, uid, number = target
        if uid in self._known:
            return self._known[uid]
        if sel_res & _NO_TYPE_2:
            return b""
        try:
            if not slowly:
                return (yield from self._thru(bytes((_FAST_READ, _FIRST, _LAST))))
            memory = b""
            for page in range(_FIRST, _LAST + 1, 4):
                said = yield from self._told(EXCHANGE, bytes((number, _READ, page)))
                if not said or said[0]:
                    raise ChipError(said[0] & 0x3F if said else 0)
                memory += said[1:]
            return memory
        except ChipError as error:
            self._blame_radio(error)
            return None

    def _refusal(self, target):
        """The refusal of a lone tag that stays: four bits without a checksum.

        None if it does not answer.
        """
        targets = yield from self._list_all()
        if [each[1] for each in targets] != [target[1]]:
            return None
        yield from self._told(WRITE_REGISTER, _RXMODE + _UNCHECKED)
        refusal = None
        try:
            for page in range(_FIRST, _LAST + 1, 4):
                said = yield from self._thru(bytes((_READ, page)))
                if len(said) == 1:
                    refusal = said
                    break
        except ChipError as error:
            self._blame_radio(error)
        yield from self._told(WRITE_REGISTER, _RXMODE + _CHECKED)
        return refusal

    def _await_tag(self, patience_ms):
        if ticks_diff(ticks_ms(), self._set_up_again_at) >= 0:
            yield from self._set_up()
        yield from self._retry(_FOREVER)
        targets = yield from self._list(1, patience_ms)
        if targets is None:
            self._listed_at = ticks_us()
            yield from self._give_life_sign()
            return []
        return targets

    def _give_life_sign(self):
        if self._antenna.is_believed:
            yield from self._antenna.check()
        else:
            yield from self._told(GET_VERSION, b"")

    def _antenna_passes(self):
        try:
            said = yield from self._chip.command(DIAGNOSE, TEST, _DIAGNOSE_MS)
        except ChipError as error:
            if error.status == UNKNOWN_COMMAND:
                raise UnknownTest
            return False
        except Disturbed:
            if self._antenna.is_believed:
                raise
            raise UnknownTest
        if said is None:
            if self._antenna.is_believed:
                raise Disturbed
            raise UnknownTest
        return said[:1] == b"\0"

    def _list_all(self):
        """List the tags in the field, provided that the radio works.

        A second empty list is believed only if the radio seems to work, and after the chip was set
        up again.
        """
        targets = yield from self._list_now()
        if targets:
            return targets
        if self._blamed:
            raise RadioDead
        self._empty_looks += 1
        if self._empty_looks == _SECOND_LOOK:
            yield from self._antenna.check()
            yield from self._still_there()
            yield from self._set_up()
            targets = yield from self._list_now()
            self._empty_looks = 0 if targets else _SECOND_LOOK
        return targets

    def _list_now(self):
        yield from self._retry(_ONE_RETRY)
        yield from self._rf(_RF_FIELD, b"\2")
        targets = yield from self._list(2, _COMMAND_MS)
        if targets is None:
            raise Disturbed
        return targets

    def _retry(self, retries):
        if self._retries != retries:
            self._retries = None
            yield from self._rf(_RF_RETRIES, bytes((1, 0, retries)))
            self._retries = retries

    def _list(self, limit, timeout_ms):
        """``(sel_res, uid, number)`` of each tag; None if no answer comes in time."""
        said = yield from self._chip.command(LIST, bytes((limit, 0)), timeout_ms)
        self._listed_at = ticks_us()
        if said is None:
            return None
        targets, at = [], 1
        try:
            for _ in range(said[0]):
                size = said[at + 4]
                uid = bytes(said[at + 5 : at + 5 + size])
                if len(uid) != size or size > 10:
                    raise Disturbed
                targets.append((said[at + 3], uid, said[at]))
                at += 5 + size
        except IndexError:
            raise Disturbed
        if targets:
            self._empty_looks, self._blamed = 0, False
            yield from self._antenna.tag_seen()
        return targets

    def _still_there(self):
        try:
            yield from self._thru(bytes((_READ, _FIRST)))
        except ChipError as error:
            self._blame_radio(error)
            return False
        return True

    def _blame_radio(self, error):
        """Raise :exc:`RadioDead` for a status that a missing tag never causes."""
        if error.status in _RADIO_FAULTS:
            self._blamed = True
            raise RadioDead

    def _thru(self, data):
        said = yield from self._told(THRU, data)
        if not said or said[0] & 0x3F:
            raise ChipError(said[0] & 0x3F if said else 0)
        return bytes(said[1:])

    def _rf(self, item, values):
        yield from self._told(RF, bytes((item,)) + values)

    def _told(self, code, data):
        said = yield from self._chip.command(code, data, _COMMAND_MS)
        if said is None:
            raise Disturbed
        return said
