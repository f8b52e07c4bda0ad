"""The protocols that adapters implement: everything the daemon needs from outside.

Each adapter either is an async context manager with an idempotent exit, or is opened and closed by
one.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self

from msgspec import Struct

from hub.games.game import GM
from hub.games.story import DeedOffer
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said
from hub.table.inputs import Command
from hub.table.preview import Difference
from hub.table.spots import Sight
from hub.table.views import PublicView, Question
from hub.wire.log import Row
from hub.wire.private_frames import Console, Hand
from hub.wire.replies import Reply

MOST_DONE = 1000
"""How many finished commands a journal remembers."""

MAX_TAG_CHARS = 64
"""Longest tag id, in characters; a deck writes 22 (128 random bits in base64url)."""


class FieldSeen(Struct, frozen=True):
    """The debounced content of a reader's field: no tag id, one, or several.

    Sent on every change, and once after each :class:`ReaderUp` even if the field is empty. While a
    card is on the reader it is also sent when the reading becomes doubtful, when the card is read
    again, when it has rested for the dwell, and every second from then on; ``sight`` says which.
    ``tags`` holds opaque ids. A tag without a usable id is reported as a
    :class:`hub.wire.strangers.Strange` instead.
    """

    reader: str
    tags: tuple[str, ...]
    sight: Sight = Sight.NEW


class ReaderUp(Struct, frozen=True):
    """The reader answers. A :class:`FieldSeen` with the content of its field follows."""

    reader: str


class ReaderDown(Struct, frozen=True):
    """The reader is lost. This does not mean that the card was lifted."""

    reader: str
    why: Reason | str
    """The problem and its remedy. A plain string is in English."""

    @property
    def reason(self) -> str:
        """``why`` as an English text."""
        return str(self.why)


class ReaderTaken(Struct, frozen=True):
    """The reader was taken out of play because cards are being written on it. A :class:`ReaderUp`
    or a :class:`ReaderDown` follows when it is watched again."""

    reader: str


class ReaderTroubled(Struct, frozen=True):
    """How often the reader was lost and disturbed in the last five minutes.

    ``blind``: the reader cannot tell a dead radio from an empty field. Sent after the first
    :class:`ReaderUp` and whenever one of the values changes.
    """

    reader: str
    losses: int
    disturbances: int
    blind: bool = False


class ButtonPressed(Struct, frozen=True):
    """The button on the reader's board was pressed."""

    reader: str


ReaderEvent = FieldSeen | ReaderUp | ReaderDown | ReaderTaken | ReaderTroubled | ButtonPressed


class Reader(Protocol):
    """One NFC reader. Its own thread watches it and retries until :meth:`close`."""

    @property
    def name(self) -> str:
        """The name of the seat that this reader belongs to."""

    @property
    def turned_s(self) -> float:
        """When the reader's thread last polled the field or tried to open the device (monotonic,
        s)."""

    def open(self, sink: Callable[[ReaderEvent], None]) -> None:
        """Start watching. ``sink`` is called from the reader's own thread and must not block."""

    def look(self, done: Callable[[], None]) -> bool:
        """Poll the field at once, report a change, then call ``done`` from the reader's own thread.
        Return False, without polling, if nothing lay in the field at the last poll."""

    def close(self) -> None:
        """Stop, release the device, join the thread. Idempotent."""


class TagSeen(Struct, frozen=True):
    """A tag in the field of a :class:`TagStation`."""

    uid: bytes
    sel_res: int
    """The tag's answer to the select command; see :mod:`hub.wire.strangers`."""

    def __repr__(self) -> str:
        return "TagSeen(…)"


class TagGone(Exception):
    """The tag did not answer: it left the field, or refused and went silent."""


class StationLost(Exception):
    """The reader itself cannot be used (any more). The message gives the cause and the remedy."""


class TagStation(Protocol):
    """A reader used to read and write tags, not to play. Only one thread uses it."""

    def open(self) -> None:
        """Open the device. Raises :class:`StationLost`."""

    def tags(self) -> Sequence[TagSeen]:
        """The tags in the field, at most two. A single tag is selected. Raises
        :class:`StationLost`."""

    def exchange(self, command: bytes) -> bytes:
        """Send ``command`` to the selected tag and return its answer without the checksum. A
        four-bit answer is returned as a single byte. Raises :class:`TagGone` and
        :class:`StationLost`."""

    def cancel(self) -> None:
        """Make the running call and all later ones fail at once. May be called from any thread."""

    def close(self) -> None:
        """Release the device. Idempotent."""


class Holding(Struct, frozen=True):
    """An undo button held down at the panel. The undo happens only after ``seconds``."""

    what: str
    """The name of the undo; see :class:`hub.table.state.Undoes`."""
    seconds: float
    """How long the button has to be held, in all."""
    entries: tuple[dict[str, Any], ...]
    """The entries of the public chronicle that the undo would take back, oldest first."""


class AtPanel(Struct, frozen=True, kw_only=True):
    """The public state of the button panel."""

    missing: tuple[str, ...] = ()
    """The parts that cannot be used: ``panel`` for the whole panel, else pins such as ``GPIO17``.
    """
    holding: Holding | None = None


MOMENT_S = 4.0
"""The longest time a page takes to show a reveal and all its consequences."""


class Announcement(Struct, frozen=True):
    """The table's message to all listeners, sent when the newest records are stored durably, and
    when anything else that is shown has changed."""

    view: PublicView
    lines: tuple[bytes, ...] = ()
    """The log lines of what just happened, oldest first; empty if only the view is announced."""
    revealed_at_ms: int | None = None
    """``revealed_at`` of the view, in ms since the Unix epoch."""
    panel: AtPanel | None = None
    """The button panel's state; None if there is no panel, or nothing to report about it."""
    stalled: bool = False
    """Whether the table is stalled because nothing can be stored at the moment."""


class Hindrance(StrEnum):
    """A problem, shown to the GM until it is over."""

    BUSY = "journal-busy"
    """The journal cannot be written at the moment; the table waits for it."""
    FULL = "disk-full"
    READ_ONLY = "disk-read-only"
    UNUSABLE = "journal-unusable"
    """The journal cannot be used, for a reason other than the three above."""
    OPEN_BROKER = "commands-open"
    """Commands over MQTT stay off, because the broker would accept them from any client."""
    BROKER_AWAY = "broker-away"
    """The broker cannot be reached, or does not answer; the table plays on."""
    BROKER_REFUSES = "broker-refuses"
    """The broker refuses the user name, the password or the client."""
    BROKER_NOT_TRUSTED = "broker-not-trusted"
    """The broker's certificate cannot be verified."""
    BROKER_DENIES = "broker-denies"
    """The broker is connected but rejects some of the hub's messages."""
    BROKER_LACKS = "broker-lacks"
    """The broker lacks a feature the hub needs: retained messages or QoS 1."""
    OUTPUT_MISSING = "output-missing"
    """An output that the table file turns on cannot be opened; the table plays without it."""

    @property
    def may_pass(self) -> bool:
        """Whether a person can fix the problem while the table waits: a full or read-only disk."""
        return self in {Hindrance.FULL, Hindrance.READ_ONLY}


class JournalError(Exception):
    """The journal cannot be read or written. The message gives the cause and the remedy."""

    def __init__(self, why: str, hindrance: Hindrance = Hindrance.UNUSABLE) -> None:
        super().__init__(why)
        self.hindrance = hindrance
        """The problem to show to the GM."""


class Journal(Protocol):
    """Where records are stored before they are published."""

    def append(
        self, rows: Sequence[Row], once: str = "", syncing: Callable[[], object] = lambda: None
    ) -> None:
        """Store all of ``rows`` or none. After it returns they survive a power cut.

        ``once``: the key of the command that made the rows, stored with them (see :meth:`done`).
        ``syncing`` is called when only the wait for the disk is left. Raises :class:`JournalError`;
        nothing was stored then.
        """

    def done(self) -> dict[str, int]:
        """The keys of the newest finished commands, oldest first, each with the number of the last
        record it made. Raises :class:`JournalError`."""

    def probe(self) -> None:
        """Check whether rows could be stored now, without storing any. Takes as long as the disk
        does. Raises :class:`JournalError`."""

    def close(self) -> None:
        """Close the file. Idempotent."""


class Publisher(Protocol):
    """A channel that shows the table to others, such as MQTT. By default it opens nothing."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None

    def announce(self, announcement: Announcement) -> None:
        """Show the table's news. Returns at once, never raises, never blocks, never queues without
        bound."""


class Clock(Protocol):
    """The table's clock. It does not follow the system's time while a deadline is pending."""

    def now_ms(self) -> int:
        """The time in ms since the Unix epoch. Jumps only by :meth:`follow` and :meth:`move`."""

    def follow(self) -> None:
        """Adopt the system's time, if it is ahead. Called while no deadline is pending."""

    def off_ms(self) -> int:
        """How many ms the system's time is ahead of this clock; negative if it is behind."""

    def move(self, by_ms: int) -> None:
        """Move the clock by ``by_ms``. The caller records every move in the log."""

    def began_ms(self) -> int:
        """When this clock was made, in ms since the Unix epoch, by the system's current time."""


class CommandSink(Protocol):
    """The function to which a channel submits commands. It never raises for a refused command: the
    reply gives the reason."""

    async def __call__(self, command: Command, by: str, once: str = "", browser: str = "") -> Reply:
        """Carry out ``command`` on behalf of ``by``: a seat, or ``gm``.

        ``once``: a random id chosen by the sender, or empty. A command with the same id from the
        same sender is carried out at most once, even across restarts; a repeat gets the first reply
        again. ``browser``: an id of the sending browser, stable across restarts; empty for a
        channel without browsers.
        """


class PrivateViews(Protocol):
    """The data that pages show besides the public view, made on request.

    Callers must not change the returned objects. If a call returns the identical object, nothing
    has changed; a different object may still be equal.
    """

    def questions(self) -> Sequence[Question]:
        """The decisions open now. Nothing in them is secret."""

    def deeds(self) -> Sequence[DeedOffer]:
        """The deeds open to the GM now. For the GM only."""

    def cast(self) -> Sequence[str]:
        """The living characters of the story, NPCs included. For the GM only."""

    def console(self) -> Console:
        """The possible undos, NPCs, level-ups, overrules and the like. For the GM only."""

    def hand(self, seat: str) -> Hand:
        """The seat's actors, their possible choices and their sheets. For this seat only."""

    def preview(self, command: Command, by: str = GM) -> Sequence[Difference]:
        """The changes a command would make, without carrying it out. For the GM, and for a seat
        that makes a wish or asks for a character to be played. Raises
        :class:`hub.table.state.SeatFault` with the reason if the command is not possible."""

    def told(self, command: Command) -> Said | None:
        """The log's text for a command that is possible; None if its button says enough."""

    def beginning(self) -> Struct | None:
        """The options for a new player character of the story, for the page that builds one. None
        without a story, or if its family has no such page."""

    def chronicle(self, after: int) -> Sequence[dict[str, Any]]:
        """The chronicle entries numbered above ``after``, oldest first, at most the newest 300:
        what happened, and what followed from it by the rules. Nothing in them is secret."""


class VirtualField(Protocol):
    """The antenna field of a simulated reader, as a hand that moves cards sees it."""

    @property
    def name(self) -> str:
        """The reader's name without its ``sim:`` prefix."""

    def place(self, tag: str) -> None:
        """Put a card with this tag id into the field; no effect if it is already there."""

    def lift(self, tag: str | None = None) -> None:
        """Take a card out of the field, or all cards when ``tag`` is None."""

    def unplug(self) -> None:
        """Pull the reader's cable."""

    def replug(self) -> None:
        """Plug the reader's cable in again."""

    @property
    def path(self) -> str:
        """The device that the driver opens. It exists while the reader is plugged in."""

    def tags(self) -> Sequence[str]:
        """The ids of the tags in the field now."""
