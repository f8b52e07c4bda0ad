"""A PN532 that reads and writes tags, with nfcpy's chipset.

Commands go to the tag unchanged (InCommunicateThru). A tag's ACK of four bits has no checksum, so
the chip is told to check no checksums; this module checks those of longer answers, as nfcpy does.

Ref: UM0701-02 §7.3.9 (InCommunicateThru), §8.6.2 (CIU_RxMode); NTAG213/215/216 data sheet §9.3.
"""

import errno
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from hub.ports import StationLost, TagGone, TagSeen
from hub.readers.address import Pn532Address
from hub.readers.causes import Model, explain
from hub.readers.chipset import ChipError, check_crc_a
from hub.readers.pn532 import Pn532

_TIMEOUTS, _WRITE_12_8_MS = 0x02, 0x08
_CRC_BYTES = 2
_ANSWER_S = 0.3
_UNCHECKED = 0x00
_STARTS = 3

T = TypeVar("T")


class Pn532Station:
    """The :class:`hub.ports.TagStation` with the PN532 at ``address``. ``model``: the texts for its
    faults."""

    def __init__(self, address: Pn532Address, model: Model) -> None:
        self._model = model
        self._address = address
        self._reader: _Writing | None = None
        self._cancelled = False

    def open(self) -> None:
        """Take the device and start the chip; tries again if the chip misses its first command.
        Raises :class:`StationLost`.
        """
        try:
            self._open()
        except Exception:  # nfcpy may raise anything on unexpected bytes
            self._again(self._open, was_up=False)

    def tags(self) -> Sequence[TagSeen]:
        """The tags in the field. A chip that does not answer is restarted. Raises
        :class:`StationLost`.
        """
        for _ in range(_STARTS):
            try:
                if self._reader is None:
                    self._open()
                return self._use().list_tags()
            except Exception:  # nfcpy may raise anything on unexpected bytes
                self.close()
                if self._cancelled or not Path(self._address.path).exists():
                    break
        self._again(self._open)
        return self._again(lambda: self._use().list_tags())

    def exchange(self, command: bytes) -> bytes:
        """The lone tag's answer to ``command``. Raises :class:`TagGone`, also after restarting the
        chip, and :class:`StationLost`.
        """
        try:
            return self._use().ask_tag(command)
        except TagGone:
            raise
        except Exception:
            self._again(self._open)
            raise TagGone from None

    def cancel(self) -> None:
        """Make the running call and every later one fail at once. Safe from any thread."""
        self._cancelled = True
        if self._reader is not None:
            self._reader.cancel()

    def close(self) -> None:
        """Release the device. Idempotent."""
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def _use(self) -> "_Writing":
        if self._reader is None:
            raise OSError(errno.EBADF, "closed")
        return self._reader

    def _open(self) -> None:
        self.close()
        if self._cancelled:
            raise OSError(errno.ECANCELED, "cancelled")
        self._reader = _Writing(self._address)
        self._reader.start()

    def _again(self, do: Callable[[], T], *, was_up: bool = True) -> T:
        """The result of ``do()``. After any exception the device is closed and :class:`StationLost`
        raised.
        """
        try:
            return do()
        except Exception as error:
            self.close()
            why = explain(error, self._address.path, self._model, was_up=was_up)
            raise StationLost(str(why)) from None


class _Writing(Pn532):
    """The PN532 driver extended for writing: it lists and addresses raw tags instead of identifying
    cards.
    """

    def list_tags(self) -> list[TagSeen]:
        """The tags in the field. A lone tag is selected, and the chip passes its answers on
        unchecked.
        """
        try:
            return self._list_for_writing()
        except OSError:
            self.mend()
            return self._list_for_writing()

    def _list_for_writing(self) -> list[TagSeen]:
        targets = self._list_now()
        if len(targets) == 1:
            self._rf(_TIMEOUTS, 0x00, 0x0B, _WRITE_12_8_MS)
            self._chipset.write_register("CIU_RxMode", _UNCHECKED)
        return [TagSeen(bytes(each.uid), each.sel_res) for each in targets]

    def ask_tag(self, command: bytes) -> bytes:
        """The selected tag's answer to ``command``, without its checksum. Raises :class:`TagGone`,
        even if only the line was disturbed.
        """
        try:
            data = bytes(self._chipset.in_communicate_thru(command, _ANSWER_S))
        except ChipError:
            raise TagGone from None
        except OSError:
            self.mend()
            raise TagGone from None
        if len(data) <= _CRC_BYTES:
            return data
        if not check_crc_a(bytearray(data)):
            raise TagGone
        return data[:-_CRC_BYTES]
