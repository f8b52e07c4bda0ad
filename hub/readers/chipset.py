"""nfcpy's PN532 chipset, without the parts that no reader of the hub needs.

Import this module late and in the reader's thread. Importing all of nfcpy would also look for
libusb and libcrypto, which may run a compiler; those parts are loaded on first use.
"""

import errno
import logging
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import LazyLoader
from types import ModuleType
from typing import Any

from hub.readers.cable import failed
from hub.readers.frames import ACK, MOST_DATA, UNKNOWN_COMMAND, command_frame, content_of, is_whole

_UNUSED = ("usb1", "nfc.llcp.sec")
"""The modules for readers on USB, and for encryption between phones."""


class _Later:
    """A finder that loads the unused modules only when one of their attributes is accessed."""

    @staticmethod
    def find_spec(
        name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path) if name in _UNUSED else None
        if spec and spec.loader:
            spec.loader = LazyLoader(spec.loader)
        return spec


sys.meta_path.insert(0, _Later)
try:
    import nfc.clf
    import nfc.clf.pn532
finally:
    sys.meta_path.remove(_Later)

_ACK_MS = 100
ChipError = nfc.clf.pn532.Chipset.Error
"""The chip's answer that it cannot carry out a command; its ``errno`` says why."""


def check_crc_a(data: bytearray) -> bool:
    """Whether a tag's answer ends with the right checksum (CRC_A), as nfcpy computes it."""
    return bool(nfc.clf.pn532.Device.check_crc_a(data))


class Demoted(logging.LoggerAdapter[logging.Logger]):
    """Lowers nfcpy's log level, because nfcpy logs disturbed frames as errors, but readers expect
    them.
    """

    def log(self, level: int, msg: object, *args: object, **kwargs: Any) -> None:
        """Log the message at debug level at most."""
        super().log(min(level, logging.DEBUG), msg, *args, **kwargs)


class Chipset(nfc.clf.pn532.Chipset):  # type: ignore[misc]
    """nfcpy's chipset without its log lines. A command wakes the thread once instead of four times.

    That matters because a card on the reader is polled all the time.
    """

    patience_s = 0.0
    """The least time that the next command takes; the thread sleeps for it before it reads the
    answer.
    """

    def tell(self, code: int, data: bytes, takes_s: float) -> None:
        """Send a command without waiting for its answer; the next command follows after
        ``takes_s``.

        Raises :exc:`OSError`.
        """
        self.transport.write(command_frame(code, data), takes_s)

    def command(self, cmd_code: int, cmd_data: bytes | None, timeout: float) -> Any:
        """Send a command and return its answer, as nfcpy does; ``timeout`` in s. Raises
        :exc:`OSError` (EIO, ETIMEDOUT, ECANCELED), :exc:`ChipError`.
        """
        if cmd_data is None or len(cmd_data) > MOST_DATA:
            return super().command(cmd_code, cmd_data, timeout)
        line = self.transport
        line.write(command_frame(cmd_code, bytes(cmd_data)))
        patience_s, self.patience_s = self.patience_s, 0.0
        if patience_s:
            line.doze(patience_s)
        try:
            frame = line.read(_ACK_MS)
        except TimeoutError:
            raise failed(errno.EIO) from None
        while frame == ACK:
            try:
                frame = line.read(int(1000 * timeout))
            except TimeoutError:
                line.write(ACK)  # abort the command
                line.pause()
                raise
        if not is_whole(frame):
            raise failed(errno.EIO)
        content = content_of(frame)
        if content[0] == UNKNOWN_COMMAND:
            self.chipset_error(UNKNOWN_COMMAND)
        return content[2:]
