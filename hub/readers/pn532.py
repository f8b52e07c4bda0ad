"""One PN532 over its UART, through nfcpy's chipset classes: what lies in its field.

The chip polls by itself while the field is empty (InListPassiveTarget without an end), so a card
is seen after some 12 ms and an idle reader costs next to nothing. A pending poll hides a dead chip,
and a dead radio: it is broken off every 1.2 s for a sign of life, the antenna's test where that
can be believed (:mod:`hub.readers.radio`), the version where not. Radios are known to hang until
the chip is set up anew: that is done twice a minute, and before a card is given up.

nfcpy's ``pn532.init`` is not used: it raises the baud rate by ``stty`` in a shell, and finds no
chip that was left at another rate. Import this module late and in the reader's thread, as
``chipset``.

Ref: UM0701-02 §7.2.1 (Diagnose), §7.2.9 (SetParameters),
§7.2.10 (SAMConfiguration), §7.1 (status bytes), §7.3.1 (RFConfiguration),
§7.3.5 (InListPassiveTarget), §7.3.8 (InDataExchange), §7.3.9 (InCommunicateThru),
§8.6.2 (CIU_RxMode); NTAG213 data sheet §9.3 (ACK and NAK), §10.2 (READ), §10.3 (FAST_READ).
"""

import contextlib
import errno
import logging
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any

from hub.readers.address import SAFE_BAUD, Pn532Address
from hub.readers.chipset import ChipError, Chipset, Demoted, frontend
from hub.readers.door import Door, NoAnswer
from hub.readers.frames import ACK, UNKNOWN_COMMAND
from hub.readers.knock import Heard, knock
from hub.readers.line import Line
from hub.readers.presence import Care, Look
from hub.readers.radio import ANTENNA_TEST, Antenna, AntennaTest, RadioDead, UnknownTest
from hub.wire import tags as record
from hub.wire.strangers import Strange, stranger

_log = logging.getLogger(__name__)

_DIAGNOSE, _CONFIGURE, _LIST, _EXCHANGE = 0x00, 0x32, 0x4A, 0x40
_DIAGNOSE_S = 0.2
_RADIO_FAULTS = (0x0A, 0x0D)  # the field was not switched on in time; the antenna is too hot
_TYPE_A = 0
_RF_FIELD, _RF_TIMEOUTS, _RF_COM_RETRIES, _RF_RETRIES, _RF_TYPE_A = 0x01, 0x02, 0x04, 0x05, 0x0A
_ANALOG_TYPE_A = bytes.fromhex("59f43f114d85616f266287")  # the chip's own, for one that lost them
_ANSWER_6_4_MS = 0x07
_FOREVER, _ONE_RETRY = 0xFF, 0x01
_COMMAND_S = 0.3  # longer than two attempts to list two tags
_SETTING_S, _READING_S, _LISTING_S = 0.004, 0.006, 0.012  # sooner none of them is answered

_NO_TYPE_2 = 0x68  # SEL_RES bits of ISO 14443-4, NFC-DEP and MIFARE Classic
_READ, _FAST_READ = 0x30, 0x3A
_PAGE, _PAGES_READ = 4, 4
_CHECKED = 0x80  # in CIU_RxMode: an answer without a checksum is damaged
_FIRST = record.FIRST_CC_PAGE
_LAST = _FIRST + -(-record.MEMORY_BYTES // _PAGE) - 1

_SECOND_LOOK = 2
_LOOKS = 3  # before a tag counts as unreadable rather than torn away
_SET_UP_AGAIN_S = 30.0


@dataclass(frozen=True)
class _Target:
    """A tag that the chip listed."""

    number: int
    sel_res: int
    uid: bytes

    @property
    def is_type_2(self) -> bool:
        return not self.sel_res & _NO_TYPE_2


class Pn532:
    """The reader at ``address``: its device is open and locked, or :exc:`OSError` says why not.

    Every method but :meth:`cancel` belongs to one thread. Any exception means that the object
    is of no more use than to be closed.
    """

    def __init__(self, address: Pn532Address, antenna: AntennaTest | None = None) -> None:
        """``antenna``: what is known of this board's antenna test from before."""
        self._baud = address.baud
        self._antenna = antenna or AntennaTest()
        self._line = Line(address.path)
        self._door = Door(self._line)
        self._known: dict[bytes, str] = {}
        self.learnt: Callable[[bytes], str | None] = lambda uid: None
        """The id of the card that a tag of this UID stands for, if it does."""
        self._seen: tuple[str, ...] = ()
        self._listed_at = 0.0
        self._alone = self._listed_last = self._blamed = self._field_is_off = False
        self._retries: int | None = None
        self._empty_looks = 0
        self._set_up_again_at = 0.0
        self._chipset: Any = None

    @property
    def blind(self) -> bool:
        """Whether the antenna's test is not to be believed, so that a radio that is dead for good
        looks like an empty field. Nothing else that the chip can be asked tells it: see
        docs/readers.md."""
        return not self._antenna.is_believed

    @property
    def chip(self) -> str:
        """What the chip says it is, such as ``PN532 1.6``; empty until it has answered."""
        return self._door.chip

    @property
    def uids(self) -> dict[str, bytes]:
        """The id of each card that lies there → its tag's UID."""
        return {tag: uid for uid, tag in self._known.items()}

    @property
    def antenna(self) -> Antenna:
        """What the chip's own test says of its antenna."""
        return self._antenna.said

    @property
    def unheard(self) -> int:
        """How many commands had to be sent again: the chip had not heard them."""
        return self._line.unheard

    @property
    def damaged(self) -> int:
        """How many answers came with a wrong checksum."""
        return self._line.damaged

    def knock(self) -> Heard:
        """What is on the line instead of a PN532 that answers; takes some 3 s. Raises
        :exc:`OSError`."""
        return knock(self._line)

    def frontend(self) -> Any:
        """nfcpy's frontend over this reader, for its tag classes: they write cards."""
        return frontend(self._chipset, _log)

    def start(self) -> None:
        """Wake the chip, wherever it was left, and set it up. Takes up to 2 s to give up.

        Raises :exc:`NoAnswer`, or :exc:`OSError` for a device that is gone.
        """
        self._line.baudrate = SAFE_BAUD
        self._door.find()
        self._chipset = Chipset(self._line, Demoted(_log, {}))
        if self._baud != SAFE_BAUD:
            self._chipset.set_serial_baudrate(self._baud)
            self._line.baudrate = self._baud
        self._set_up()

    def mend(self) -> None:
        """Make a chip answer whose line was disturbed; gives up after some 0.4 s.

        Raises :exc:`NoAnswer`, or :exc:`OSError` for a device that is gone.
        """
        if not (self._door.greet() or self._door.greet()):
            raise NoAnswer
        self._set_up()

    def _set_up(self) -> None:
        """Everything that a reset, or a radio that has hung, may have undone."""
        self._chipset.sam_configuration("normal")
        with contextlib.suppress(ChipError):
            self._chipset.set_parameters(0)  # no RATS for whatever speaks ISO 14443-4
        self._rf(_RF_FIELD, 0x02)
        self._rf(_RF_TIMEOUTS, 0x00, 0x0B, _ANSWER_6_4_MS)
        self._rf(_RF_COM_RETRIES, 0x00)
        self._rf(_RF_TYPE_A, *_ANALOG_TYPE_A)
        self._antenna.try_out(self._antenna_passes)
        self._retries, self._alone, self._field_is_off = None, False, False
        self._empty_looks = 1
        self._set_up_again_at = monotonic() + _SET_UP_AGAIN_S

    def cancel(self) -> None:
        """From any thread: make the running and every later call fail at once."""
        self._line.cancel()

    def close(self) -> None:
        """Leave the chip quiet and at 115200 bit/s if it still listens, and release the device.

        Takes at most 0.5 s. The chip is not sent to sleep as nfcpy does: some boards never wake.
        """
        self._line.resume()
        with contextlib.suppress(Exception):
            self._line.write(ACK)
            sleep(0.001)
            self._rf(_RF_FIELD, 0x02)
            if self._line.baudrate != SAFE_BAUD:
                self._chipset.set_serial_baudrate(SAFE_BAUD)
        self._line.close()

    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """The ids of the tags that lie in the field, sorted; a :class:`Strange` for one without.

        With an empty field it waits up to ``patience_s`` for a tag to come; give 0 while one is
        believed to lie there. To make sure that a lone one is still there takes a third of the
        time of listing all. After an exception :meth:`mend` may help.
        """
        began = monotonic()
        quick = care in (Care.GLANCE, Care.QUICK) or (care is Care.USUAL and self._listed_last)
        if self._alone and quick and not patience_s and not self._field_is_off:
            if self._still_there():
                self._listed_last = False
                return Look(self._seen, monotonic(), began)
            if care is Care.GLANCE:
                return Look((), monotonic(), began)
        targets = self._await_tag(patience_s) if patience_s else self._list_all()
        listed_at = self._listed_at
        if patience_s:  # it need not have been there when the chip began to poll
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
        """Remember what was listed, or listed again to be read, with the tags' ids."""
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
        """Let the chip poll until one tag comes; without one, make sure that it is still alive.

        One, because it is not documented whether an endless poll for two contents itself with
        one. A second tag is found by the next observation, which begins at once.
        """
        if monotonic() >= self._set_up_again_at:
            self._set_up()
        self._retry(_FOREVER)
        try:
            return self._list(1, patience_s)
        except OSError as error:
            if error.errno != errno.ETIMEDOUT:
                raise
        self._give_life_sign()  # nfcpy broke the poll off with an ACK
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
            # A chip that knows the test may be silent as well: what comes next will show it.
            if self._antenna.is_believed or error.errno not in (errno.EIO, errno.ETIMEDOUT):
                raise
            raise UnknownTest from None
        return bytes(result[:1]) == b"\x00"

    def _list_all(self) -> list[_Target]:
        """List what lies there, if the radio can see it.

        A field that is empty to a second look as well is believed only of a radio that lives, as
        far as the chip can tell, and after it was set up anew.
        """
        targets = self._list_now()
        if targets:
            return targets
        if self._blamed:
            raise RadioDead
        self._empty_looks += 1
        if self._empty_looks == _SECOND_LOOK:
            self._antenna.check(self._antenna_passes)
            self._still_there()  # its status may tell of the radio, as an empty list does not
            self._set_up()
            targets = self._list_now()
            self._empty_looks = 0 if targets else _SECOND_LOOK
        return targets

    def _list_now(self) -> list[_Target]:
        """List one or two tags. The field is switched off before, so that all answer again."""
        self._retry(_ONE_RETRY)
        if not self._field_is_off:
            self._chipset.patience_s = _SETTING_S
            self._rf(_RF_FIELD, 0x02)
        self._chipset.patience_s = _LISTING_S
        return self._list(2, _COMMAND_S)

    def _switch_off(self) -> None:
        """Let the field be off until the next list, which wants it so: nobody waits for that."""
        self._chipset.tell(_CONFIGURE, bytes([_RF_FIELD, 0x02]), _SETTING_S)
        self._field_is_off = True

    def _retry(self, retries: int) -> None:
        if self._retries != retries:
            self._rf(_RF_RETRIES, 0x01, 0x00, retries)
            self._retries = retries

    def _list(self, limit: int, timeout_s: float) -> list[_Target]:
        """Raises :exc:`OSError` (ETIMEDOUT) without an answer by then, EIO for a malformed one."""
        self._field_is_off = False
        data = bytes(self._chipset.command(_LIST, bytes([limit, _TYPE_A]), timeout_s))
        self._listed_at = monotonic()
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
        """Raises :exc:`RadioDead` for a status that no missing tag gives."""
        if error.errno in _RADIO_FAULTS:  # type: ignore[attr-defined]
            self._blamed = True
            raise RadioDead from None

    def _identify(
        self, target: _Target, targets: list[_Target], slowly: bool = False
    ) -> str | None:
        """The tag's id, or what it is instead; None if it could not be read."""
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
        """What a lone tag is that stays and cannot be read: one that refuses it answers so, in
        four bits without a checksum, which the chip would call a damaged answer."""
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
        """Read with READ, which every Type 2 tag knows, after selecting the tag if needed."""
        memory = b""
        for page in range(_FIRST, _LAST + 1, _PAGES_READ):
            answer = self._chipset.command(_EXCHANGE, bytes([number, _READ, page]), _COMMAND_S)
            if not answer or answer[0]:
                self._chipset.chipset_error(answer)
            memory += bytes(answer[1:])
        return memory
