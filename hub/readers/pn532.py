"""The driver for a PN532 on its UART, with nfcpy's chipset classes: it lists the tags in the field.

The chip polls by itself while the field is empty (InListPassiveTarget without an end), so a card is
seen after some 12 ms and an idle reader costs next to nothing. A pending poll hides a dead chip and
a dead radio. So the poll is interrupted every 1.2 s for a sign of life: the antenna test where that
can be trusted (:mod:`hub.readers.radio`), otherwise the version. Radios are known to hang until the
chip is set up again, so that is done twice a minute, and before a card is given up.

nfcpy's ``pn532.init`` is not used: it raises the baud rate by ``stty`` in a shell, and does not
find a chip that was left at another rate. Import this module late and in the reader's thread, like
``chipset``.

Ref: UM0701-02 §7.2.1 (Diagnose), §7.2.9 (SetParameters), §7.2.10 (SAMConfiguration), §7.1 (status
bytes), §7.3.1 (RFConfiguration), §7.3.5 (InListPassiveTarget), §7.3.8 (InDataExchange), §7.3.9
(InCommunicateThru), §8.6.2 (CIU_RxMode); NTAG213 data sheet §9.3 (ACK and NAK), §10.2 (READ), §10.3
(FAST_READ).
"""

import contextlib
import errno
import logging
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from hub.readers.address import SAFE_BAUD, Pn532Address
from hub.readers.chipset import ChipError, Chipset, Demoted
from hub.readers.driver import Driver
from hub.readers.frames import ACK, UNKNOWN_COMMAND
from hub.readers.line import Line
from hub.readers.presence import Care, Look
from hub.readers.radio import ANTENNA_TEST, Antenna, AntennaTest, RadioDead, UnknownTest
from hub.readers.wakeup import Heard, NoAnswer, Wakeup, probe
from hub.wire import tags as record
from hub.wire.strangers import Strange, stranger
from hub.world import MACHINE, World

_log = logging.getLogger(__name__)

_DIAGNOSE, _CONFIGURE, _LIST, _EXCHANGE = 0x00, 0x32, 0x4A, 0x40
_DIAGNOSE_S = 0.2
_RADIO_FAULTS = (0x0A, 0x0D)  # the field was not switched on in time; the antenna is too hot
_TYPE_A = 0
_RF_FIELD, _RF_TIMEOUTS, _RF_COM_RETRIES, _RF_RETRIES, _RF_TYPE_A = 0x01, 0x02, 0x04, 0x05, 0x0A
_ANALOG_TYPE_A = bytes.fromhex("59f43f114d85616f266287")  # the defaults, in case it lost them
_ANSWER_6_4_MS = 0x07
_FOREVER, _ONE_RETRY = 0xFF, 0x01
_COMMAND_S = 0.3  # longer than two attempts to list two tags
_SETTING_S, _READING_S, _LISTING_S = 0.004, 0.006, 0.012  # none of them answers sooner

_NO_TYPE_2 = 0x68  # SEL_RES bits of ISO 14443-4, NFC-DEP and MIFARE Classic
_READ, _FAST_READ = 0x30, 0x3A
_PAGE, _PAGES_READ = 4, 4
_CHECKED = 0x80  # in CIU_RxMode: an answer without a checksum is damaged
_FIRST = record.FIRST_CC_PAGE
_LAST = _FIRST + -(-record.MEMORY_BYTES // _PAGE) - 1

_SECOND_LOOK = 2
_LOOKS = 3  # before a tag counts as unreadable instead of torn away
_SET_UP_AGAIN_S = 30.0


class _Target(Struct, frozen=True):
    number: int
    sel_res: int
    uid: bytes

    @property
    def is_type_2(self) -> bool:
        return not self.sel_res & _NO_TYPE_2


class Pn532(Driver):
    """The reader at ``address``, with its device open and locked. Raises :exc:`OSError` if that
    fails.

    Every method except :meth:`cancel` must be called in one thread. After any exception the object
    can only be closed, except that :meth:`mend` may follow :meth:`observe`.
    """

    def __init__(
        self, address: Pn532Address, antenna: AntennaTest | None = None, world: World = MACHINE
    ) -> None:
        """``antenna``: what is already known of this board's antenna test."""
        self._now = world.monotonic
        self._baud = address.baud
        self._antenna = antenna or AntennaTest()
        self._line = Line(address.path, world=world)
        self._wakeup = Wakeup(self._line)
        self._known: dict[bytes, str] = {}
        self.learnt: Callable[[bytes], str | None] = lambda uid: None
        """Returns the id of the card that a tag with this UID stands for, or None."""
        self._seen: tuple[str, ...] = ()
        self._listed_at = 0.0
        self._alone = self._listed_last = self._blamed = self._field_is_off = False
        self._retries: int | None = None
        self._empty_looks = 0
        self._set_up_again_at = 0.0
        self._chipset: Any = None

    @property
    def blind(self) -> bool:
        """Whether the antenna test cannot be trusted: see docs/build/readers.md."""
        return not self._antenna.is_believed

    @property
    def chip(self) -> str:
        """The chip's name and version, such as ``PN532 1.6``; empty until the chip has answered."""
        return self._wakeup.chip

    @property
    def uids(self) -> dict[str, bytes]:
        """The id of each card on the reader → its tag's UID."""
        return {tag: uid for uid, tag in self._known.items()}

    @property
    def antenna(self) -> Antenna:
        """The result of the antenna test so far."""
        return self._antenna.said

    @property
    def unheard(self) -> int:
        """How many commands were sent again because the chip did not acknowledge them."""
        return self._line.unheard

    @property
    def damaged(self) -> int:
        """How many answers had wrong checksums."""
        return self._line.damaged

    def probe(self) -> Heard:
        """Find out what is on the line instead of a PN532; takes up to 2.5 s. Raises
        :exc:`OSError`.
        """
        return probe(self._line)

    def start(self) -> None:
        """Wake the chip from any state, and set it up. Gives up after at most 2 s.

        Raises :exc:`NoAnswer`, or :exc:`OSError` if the device is gone.
        """
        self._line.baudrate = SAFE_BAUD
        self._wakeup.find()
        self._chipset = Chipset(self._line, Demoted(_log, {}))
        if self._baud != SAFE_BAUD:
            self._chipset.set_serial_baudrate(self._baud)
            self._line.baudrate = self._baud
        self._set_up()

    def mend(self) -> None:
        """Get an answer from the chip after a disturbance; gives up after some 0.4 s.

        Raises :exc:`NoAnswer`, or :exc:`OSError` if the device is gone.
        """
        if not (self._wakeup.greet() or self._wakeup.greet()):
            raise NoAnswer
        self._set_up()

    def _set_up(self) -> None:
        self._chipset.sam_configuration("normal")
        with contextlib.suppress(ChipError):
            self._chipset.set_parameters(0)  # no RATS for tags that speak ISO 14443-4
        self._rf(_RF_FIELD, 0x02)
        self._rf(_RF_TIMEOUTS, 0x00, 0x0B, _ANSWER_6_4_MS)
        self._rf(_RF_COM_RETRIES, 0x00)
        self._rf(_RF_TYPE_A, *_ANALOG_TYPE_A)
        self._antenna.try_out(self._antenna_passes)
        self._retries, self._alone, self._field_is_off = None, False, False
        self._empty_looks = 1
        self._set_up_again_at = self._now() + _SET_UP_AGAIN_S

    def cancel(self) -> None:
        """Make the running call and every later one fail at once. Safe from any thread."""
        self._line.cancel()

    def close(self) -> None:
        """Leave the chip quiet and at 115200 bit/s, and release the device; takes at most 0.5 s.

        Unlike in nfcpy, the chip is not put to sleep, because some boards never wake.
        """
        self._line.resume()
        with contextlib.suppress(Exception):
            self._line.write(ACK)
            self._line.pause()
            self._rf(_RF_FIELD, 0x02)
            if self._line.baudrate != SAFE_BAUD:
                self._chipset.set_serial_baudrate(SAFE_BAUD)
        self._line.close()

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """Look at the field once. The look's ``tags`` are the ids of the tags there, or a
        :class:`Strange` for a tag without an id.

        ``patience_s``: how long to wait for a tag if the field is empty; pass 0 while a tag is
        believed to be there. A check that a lone tag is still there takes a third of the time of a
        full list.
        """
        began = self._now()
        quick = care in (Care.GLANCE, Care.QUICK) or (care is Care.USUAL and self._listed_last)
        if self._alone and quick and not patience_s and not self._field_is_off:
            if self._still_there():
                self._listed_last = False
                return Look(self._seen, self._now(), began)
            if care is Care.GLANCE:
                return Look((), self._now(), began)
        targets = self._await_tag(patience_s) if patience_s else self._list_all()
        listed_at = self._listed_at
        if patience_s:  # the tag need not have been there when the chip began to poll
            began = listed_at
        read = self._take_down(targets)
        if {tag.uid for tag in read} != {tag.uid for tag in targets}:
            began = listed_at = self._listed_at
        self._alone = not patience_s and len(read) == 1 and read[0].is_type_2
        self._listed_last = True
        if care in (Care.GLANCE, Care.THOROUGH) and targets and not patience_s:
            self._switch_off()
        return Look(self._seen, listed_at, began)

    # The chip

    def _rf(self, item: int, *values: int) -> None:
        self._chipset.rf_configuration(item, bytes(values))

    # The field

    def _take_down(self, targets: list[_Target]) -> list[_Target]:
        """Remember the listed tags and their ids. Tags that cannot be read are listed again;
        returns the tags of the last list.
        """
        names = [self._identify(target, targets) for target in targets]
        for _ in range(_LOOKS - 1):
            if None not in names:
                break
            # Not readable may mean torn away: only a tag that stays is called unreadable.
            targets = self._list_all()
            names = [self._identify(target, targets, slowly=True) for target in targets]
        if names == [None]:
            names = [self._refuses(targets[0])]
        found = zip(targets, names, strict=True)
        self._known = {t.uid: n for t, n in found if n and not isinstance(n, Strange)}
        self._seen = tuple(sorted(name or Strange.UNREADABLE for name in names))
        return targets

    def _await_tag(self, patience_s: float) -> list[_Target]:
        """Let the chip poll until a tag comes; if none does, check that the chip is alive.

        The chip is asked for one tag, because it is not documented whether an endless poll for two
        is satisfied with one. The next observation begins at once and finds a second tag.
        """
        if self._now() >= self._set_up_again_at:
            self._set_up()
        self._retry(_FOREVER)
        try:
            return self._list(1, patience_s)
        except OSError as error:
            if error.errno != errno.ETIMEDOUT:
                raise
        self._give_life_sign()  # nfcpy aborted the poll with an ACK
        return []

    def _give_life_sign(self) -> None:
        if self._antenna.is_believed:
            self._antenna.check(self._antenna_passes)
        else:
            self._chipset.get_firmware_version()

    def _antenna_passes(self) -> bool:
        try:
            result = self._chipset.command(_DIAGNOSE, ANTENNA_TEST, _DIAGNOSE_S)
        except ChipError as error:
            if error.errno == UNKNOWN_COMMAND:
                raise UnknownTest from None
            return False
        except OSError as error:
            # A chip that knows the test may be silent too; the next command will show it.
            if self._antenna.is_believed or error.errno not in (errno.EIO, errno.ETIMEDOUT):
                raise
            raise UnknownTest from None
        return bytes(result[:1]) == b"\x00"

    def _list_all(self) -> list[_Target]:
        """List the tags in the field. Raises :class:`RadioDead` if the radio does not seem to work.

        A second empty list is believed only if the radio seems to work, as far as the chip can
        tell, and after the chip was set up again.
        """
        targets = self._list_now()
        if targets:
            return targets
        if self._blamed:
            raise RadioDead
        self._empty_looks += 1
        if self._empty_looks == _SECOND_LOOK:
            self._antenna.check(self._antenna_passes)
            self._still_there()  # its status may reveal a dead radio; an empty list does not
            self._set_up()
            targets = self._list_now()
            self._empty_looks = 0 if targets else _SECOND_LOOK
        return targets

    def _list_now(self) -> list[_Target]:
        """List at most two tags. The field is switched off first, so that all tags answer again."""
        self._retry(_ONE_RETRY)
        if not self._field_is_off:
            self._chipset.patience_s = _SETTING_S
            self._rf(_RF_FIELD, 0x02)
        self._chipset.patience_s = _LISTING_S
        return self._list(2, _COMMAND_S)

    def _switch_off(self) -> None:
        """Switch the field off now, as the next list needs it, without waiting for the chip's
        answer.
        """
        self._chipset.tell(_CONFIGURE, bytes([_RF_FIELD, 0x02]), _SETTING_S)
        self._field_is_off = True

    def _retry(self, retries: int) -> None:
        if self._retries != retries:
            self._rf(_RF_RETRIES, 0x01, 0x00, retries)
            self._retries = retries

    def _list(self, limit: int, timeout_s: float) -> list[_Target]:
        """List at most ``limit`` tags. Raises :exc:`OSError`: ETIMEDOUT without an answer, EIO for
        a malformed one.
        """
        self._field_is_off = False
        data = bytes(self._chipset.command(_LIST, bytes([limit, _TYPE_A]), timeout_s))
        self._listed_at = self._now()
        targets, at = [], 1
        try:
            for _ in range(data[0]):
                number, sel_res, size = data[at], data[at + 3], data[at + 4]
                targets.append(_Target(number, sel_res, data[at + 5 : at + 5 + size]))
                at += 5 + size
        except IndexError:
            raise OSError(errno.EIO, "a malformed list of tags") from None
        if targets:
            self._empty_looks, self._blamed = 0, False
            self._antenna.tag_seen(self._antenna_passes)
        return targets

    def _still_there(self) -> bool:
        self._chipset.patience_s = _READING_S
        try:
            self._chipset.in_communicate_thru(bytes([_READ, _FIRST]), _COMMAND_S)
        except ChipError as error:
            self._blame_radio(error)
            return False
        return True

    def _blame_radio(self, error: Exception) -> None:
        """Raise :exc:`RadioDead` for a status that a missing tag never causes."""
        if error.errno in _RADIO_FAULTS:  # type: ignore[attr-defined]
            self._blamed = True
            raise RadioDead from None

    def _identify(
        self, target: _Target, targets: list[_Target], slowly: bool = False
    ) -> str | None:
        if target.uid in self._known:
            return self._known[target.uid]
        if learnt := self.learnt(target.uid):
            return learnt
        if not target.is_type_2:
            return stranger(target.sel_res, target.uid)
        try:
            if slowly or len(targets) > 1:
                memory = self._read_slowly(target.number)
            else:
                memory = self._chipset.in_communicate_thru(
                    bytes([_FAST_READ, _FIRST, _LAST]), _COMMAND_S
                )
            return record.decode_memory(bytes(memory))
        except record.TagRecordError as error:
            return error.strange
        except ChipError as error:
            self._blame_radio(error)
            return None

    def _refuses(self, target: _Target) -> Strange:
        """Why a lone tag that stays cannot be read.

        A guarded tag refuses in four bits without a checksum, which the chip would report as a
        damaged answer. So the checksum test is off meanwhile.
        """
        if [each.uid for each in self._list_all()] != [target.uid]:
            return Strange.UNREADABLE
        mode = self._chipset.read_register("CIU_RxMode")
        self._chipset.write_register("CIU_RxMode", mode & ~_CHECKED)
        try:
            refused = any(self._is_refused(page) for page in range(_FIRST, _LAST + 1, _PAGES_READ))
        except ChipError as error:
            self._blame_radio(error)
            refused = False
        self._chipset.write_register("CIU_RxMode", mode)
        return Strange.GUARDED if refused else Strange.UNREADABLE

    def _is_refused(self, page: int) -> bool:
        return record.is_refusal(
            bytes(self._chipset.in_communicate_thru(bytes([_READ, page]), _COMMAND_S))
        )

    def _read_slowly(self, number: int) -> bytes:
        """The tag's memory, read with READ, which every Type 2 tag knows; the chip selects the tag
        if needed.
        """
        memory = b""
        for page in range(_FIRST, _LAST + 1, _PAGES_READ):
            answer = self._chipset.command(_EXCHANGE, bytes([number, _READ, page]), _COMMAND_S)
            if not answer or answer[0]:
                self._chipset.chipset_error(answer)
            memory += bytes(answer[1:])
        return memory
