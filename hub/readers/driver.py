"""What a kind of reader implements, and what the hub offers it."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from hub.readers.board_reports import BoardHealth
from hub.readers.cable import Cables
from hub.readers.lamp import Lamp
from hub.readers.presence import Care, Look
from hub.readers.radio import Antenna
from hub.readers.wakeup import Heard


class Driver(ABC):
    """An open device. Every method except :meth:`cancel` is called in one thread.

    After an exception of :meth:`observe`, :meth:`mend` is tried once.
    """

    @property
    @abstractmethod
    def blind(self) -> bool:
        """Whether it cannot tell a dead radio from an empty field; settled by the first look."""

    @abstractmethod
    def start(self) -> None:
        """Make the device answer. Raises if it does not."""

    def mend(self) -> None:
        """Make the device answer again after a disturbance, within some 0.4 s."""
        self.start()

    @abstractmethod
    def observe(self, patience_s: float, care: Care = Care.USUAL) -> Look:
        """Look at the field once, waiting up to ``patience_s`` for a tag to come."""

    @abstractmethod
    def cancel(self) -> None:
        """Make :meth:`observe` fail at once, now and later. Safe from any thread."""

    def close(self) -> None:  # noqa: B027 - a device may have nothing to release
        """Release the device, within 0.5 s."""

    # For ``facedown readers``

    @property
    def chip(self) -> str:
        """Chip and firmware; empty until it has answered."""
        return ""

    @property
    def antenna(self) -> Antenna:
        """The result of the chip's own antenna test."""
        return Antenna.UNTRIED

    @property
    def unheard(self) -> int:
        """Commands sent again since the device was opened."""
        return 0

    @property
    def damaged(self) -> int:
        """Answers with wrong checksums since the device was opened."""
        return 0

    @property
    def uids(self) -> Mapping[str, bytes]:
        """Maps the id of each card on the reader to its tag's UID, to tell equal ids apart."""
        return {}

    @property
    def health(self) -> BoardHealth | None:
        """The last report of the board that the chip sits on."""
        return None

    def probe(self) -> Heard | None:
        """Find out what is on the line if no chip answers as it should. Raises :exc:`OSError`."""
        return None


@dataclass(frozen=True, kw_only=True)
class Equipment:
    """What the hub offers to a driver; each kind takes what it can use."""

    learnt: Callable[[bytes], str | None] | None = None
    """The id of the card that a tag with this UID stands for, or None. Called in the reader's
    thread."""
    cables: Cables = field(default_factory=Cables)
    """Shared by the readers of one table, because several boards may be on one cable."""
    lamp: Lamp | None = None
    pressed: Callable[[], None] | None = None
    """To be called in the reader's thread when the seat's button was pressed."""
