"""The interface that each kind of reader implements, and what the hub offers to a driver."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from msgspec import Struct, field

from hub.readers.board_reports import BoardHealth
from hub.readers.cable import Cables
from hub.readers.lamp import Lamp
from hub.readers.presence import Care, Look
from hub.readers.radio import Antenna
from hub.readers.wakeup import Heard
from hub.world import MACHINE, World


class Driver(ABC):
    """An open device. The supervisor calls every method except :meth:`cancel` in one thread.

    After an exception of :meth:`observe`, it tries :meth:`mend` once.
    """

    @property
    @abstractmethod
    def blind(self) -> bool:
        """Whether the device cannot tell a dead radio from an empty field; known after the first
        look.
        """

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
        """The chip and its firmware; empty until the chip has answered."""
        return ""

    @property
    def antenna(self) -> Antenna:
        """The result of the chip's own antenna test."""
        return Antenna.UNTRIED

    @property
    def unheard(self) -> int:
        """How many commands were sent again since the device was opened."""
        return 0

    @property
    def damaged(self) -> int:
        """How many answers had wrong checksums since the device was opened."""
        return 0

    @property
    def uids(self) -> Mapping[str, bytes]:
        """The id of each card on the reader → its tag's UID, to tell equal ids apart; may
        be empty.
        """
        return {}

    @property
    def health(self) -> BoardHealth | None:
        """The reports of the board that the chip sits on; None if there is no board."""
        return None

    def probe(self) -> Heard | None:
        """Find out what is on the line if no chip answers as it should; None if the driver cannot.
        Raises :exc:`OSError`.
        """
        return None


class Equipment(Struct, frozen=True, kw_only=True):
    """What the hub offers to a driver; each kind of reader uses only some of it."""

    world: World = MACHINE
    """The machine that the reader is plugged into."""
    learnt: Callable[[bytes], str | None] | None = None
    """Returns the id of the card that a tag with this UID stands for, or None. Called in the
    reader's thread.
    """
    cables: Cables = field(default_factory=Cables)
    """The cables of one table's readers, shared because several boards may be on one cable."""
    lamp: Lamp | None = None
    pressed: Callable[[], None] | None = None
    """To be called in the reader's thread when the seat's button was pressed."""
