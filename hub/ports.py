"""The protocols that adapters implement: what the daemon needs of the world, and no more.

Each adapter is an async context manager whose exit is idempotent, or is opened and closed by one.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self

from msgspec import Struct

from hub.games.game import GM
from hub.games.story import DeedOffer
from hub.kernel.reasons import Reason
from hub.table.inputs import Sight
from hub.table.preview import Difference
from hub.table.views import PublicView, Question
from hub.wire.backstage import Console, Hand
from hub.wire.commands import AnyCommand, PageCommand
from hub.wire.log import Row
from hub.wire.replies import Reply

MOST_DONE = 1000
"""How many commands a journal remembers as done."""

MAX_TAG_CHARS = 64
"""Longest tag id, in characters; a deck writes 22 (128 random bits in base64url)."""


class FieldSeen(Struct, frozen=True):
    """The debounced content of a reader's field: none, one, or two or more tag ids.

    Sent on every change and once, whatever lies there, after each :class:`ReaderUp`; while
    something lies there, also when it becomes doubtful, is seen again, or has rested for the
    dwell, and every second from then on. ``tags`` holds opaque ids; a tag without one is reported
    as what it is instead, a :class:`hub.wire.strangers.Strange`.
    """

    reader: str
    tags: tuple[str, ...]
    sight: Sight = Sight.NEW


class ReaderUp(Struct, frozen=True):
    """The reader answers; a :class:`FieldSeen` with what lies in its field follows."""

    reader: str


class ReaderDown(Struct, frozen=True):
    """The reader is lost. Never to be taken for a lifted card."""

    reader: str
    why: Reason | str
    """What is wrong, and what to do; what is only a text is in English."""

    @property
    def reason(self) -> str:
        """The same in English."""
        return str(self.why)


class ReaderTaken(Struct, frozen=True):
    """The reader was taken out of play: cards are written on it. A :class:`ReaderUp` or a
    :class:`ReaderDown` follows when it is watched again."""

    reader: str


class ReaderTroubled(Struct, frozen=True):
    """How often the reader was lost, and disturbed, in the last five minutes; ``blind``: whether
    it cannot tell a dead radio from an empty field.

    Sent after the first :class:`ReaderUp`, and whenever something of it has changed.
    """

    reader: str
    losses: int
    disturbances: int
    blind: bool = False


class ButtonPressed(Struct, frozen=True):
    """The button at the reader's board was pressed."""

    reader: str


ReaderEvent = FieldSeen | ReaderUp | ReaderDown | ReaderTaken | ReaderTroubled | ButtonPressed


class Reader(Protocol):
    """One NFC reader, watched in its own thread until :meth:`close`, retried for ever."""

    @property
    def name(self) -> str:
        """Its seat's."""
        ...

    @property
    def turned_s(self) -> float:
        """When its thread last took a turn: looked, or tried to open its device (monotonic, s)."""
        ...

    def open(self, sink: Callable[[ReaderEvent], None]) -> None:
        """Begin to watch. ``sink`` is called from the reader's own thread and must not block."""
        ...

    def look(self, done: Callable[[], None]) -> bool:
        """Look without delay at what lies there, tell it if it has changed, then call ``done``
        from the reader's own thread. False, and no call, if nothing lies there."""
        ...

    def close(self) -> None:
        """Stop, release the device, join the thread. Idempotent."""
        ...


class TagSeen(Struct, frozen=True):
    """A tag in the field of a :class:`TagStation`."""

    uid: bytes
    sel_res: int
    """How it answered when it was selected; see :mod:`hub.wire.strangers`."""

    def __repr__(self) -> str:
        return "TagSeen(…)"


class TagGone(Exception):
    """The tag did not answer: it has left the field, or refuses and says no more."""


class StationLost(Exception):
    """The reader itself cannot be used (any more); the message says why and what to do."""


class TagStation(Protocol):
    """A reader at which tags are read and written, not played. One thread uses it."""

    def open(self) -> None:
        """Take the device. Raises :class:`StationLost`."""
        ...

    def tags(self) -> Sequence[TagSeen]:
        """What lies there, at most two; a lone one is selected. Raises :class:`StationLost`."""
        ...

    def exchange(self, command: bytes) -> bytes:
        """The selected tag's answer without its checksum; a single byte for one of four bits.
        Raises :class:`TagGone` and :class:`StationLost`."""
        ...

    def cancel(self) -> None:
        """From any thread: make what runs, and all that follows, fail at once."""
        ...

    def close(self) -> None:
        """Release the device. Idempotent."""
        ...


class Holding(Struct, frozen=True):
    """An undo that somebody holds at the panel: nothing is done before the time is over."""

    what: str
    """Which way back, see :class:`hub.table.state.Undoes`."""
    seconds: float
    """How long it has to be held."""
    entries: tuple[dict[str, Any], ...]
    """What it would take back: entries of the public chronicle, oldest first."""


class AtPanel(Struct, frozen=True, kw_only=True):
    """What everybody may know of the panel of buttons."""

    missing: tuple[str, ...] = ()
    """What of it cannot be used: ``panel`` for all of it, else pins such as ``GPIO17``."""
    holding: Holding | None = None


MOMENT_S = 4.0
"""No reveal takes longer on a page until all that follows from it shows."""


class Announcement(Struct, frozen=True):
    """What the table tells the world after something was made durable."""

    view: PublicView
    lines: tuple[bytes, ...] = ()
    """The log lines of what just happened, oldest first; empty when only the view is told."""
    revealed_at_ms: int | None = None
    """``revealed_at`` of the view, in ms since the Unix epoch."""
    panel: AtPanel | None = None
    """None: there is none, or nothing to be told of it."""
    stalled: bool = False
    """Whether the table stands still, because what happens cannot be stored just now."""


class Hindrance(StrEnum):
    """What the GM is told stands in the way, until it is over."""

    BUSY = "journal-busy"
    """The journal cannot be written just now; the table waits for it."""
    FULL = "disk-full"
    READ_ONLY = "disk-read-only"
    UNUSABLE = "journal-unusable"
    """The journal fails in another way."""
    OPEN_BROKER = "commands-open"
    """Commands over MQTT stay off, since anybody could give them."""
    BROKER_AWAY = "broker-away"
    """The broker cannot be reached, or does not answer; the table plays on."""
    BROKER_REFUSES = "broker-refuses"
    """It refuses the user name or the password."""
    BROKER_NOT_TRUSTED = "broker-not-trusted"
    """Its certificate does not show that it is the one that was meant."""
    BROKER_DENIES = "broker-denies"
    """It is connected, but does not take some of what the hub tells."""
    BROKER_LACKS = "broker-lacks"
    """It cannot do what the hub needs: keep messages, or take them with QoS 1."""
    OUTPUT_MISSING = "output-missing"
    """An output that the table file turns on cannot be opened; the table plays without it."""

    @property
    def may_pass(self) -> bool:
        """Whether somebody can see to it while the table waits: the disk takes nothing now."""
        return self in {Hindrance.FULL, Hindrance.READ_ONLY}


class JournalError(Exception):
    """The journal cannot be read or written; the message says why and what to do."""

    def __init__(self, why: str, hindrance: Hindrance = Hindrance.UNUSABLE) -> None:
        super().__init__(why)
        self.hindrance = hindrance
        """What of it the GM is told."""


class Journal(Protocol):
    """Where records go before anybody hears of them."""

    def append(
        self,
        rows: Sequence[Row],
        once: str = "",
        syncing: Callable[[], object] = lambda: None,
    ) -> None:
        """Store all of ``rows`` or none; when it returns they outlive a power cut.

        ``once``: the key of the command that they came of, stored with them (see :meth:`done`).
        ``syncing`` is called when there is nothing left but to wait for the disk.
        Raises :class:`JournalError`: then nothing was stored.
        """
        ...

    def done(self) -> dict[str, int]:
        """The keys of the newest commands that were done, oldest first, each with the number of
        the last record that it made. Raises :class:`JournalError`."""
        ...

    def probe(self) -> None:
        """Find out whether rows could be stored now; stores none. Takes as long as the disk does.
        Raises :class:`JournalError`."""
        ...

    def close(self) -> None:
        """Release the file. Idempotent."""
        ...


class Publisher(Protocol):
    """A channel that shows the table to others: MQTT, web pages, lamps."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(self, *_: object) -> None: ...

    def announce(self, announcement: Announcement) -> None:
        """Take note and return at once; never raises, never blocks, never queues unboundedly."""
        ...


class Clock(Protocol):
    """Time, as the table reckons it."""

    def now_ms(self) -> int:
        """ms since the Unix epoch; steady while anything is due."""
        ...

    def follow(self) -> None:
        """Nothing is due: take over what the system has learnt about the time since."""
        ...

    def off_ms(self) -> int:
        """How far the system's time is ahead of this clock's; below 0: behind."""
        ...

    def move(self, by_ms: int) -> None:
        """Add this to the time: the log says so."""
        ...

    def began_ms(self) -> int:
        """When this clock was made, by what the system knows now of the time."""
        ...


class CommandSink(Protocol):
    """Where a channel hands in commands. Never raises for a command that is refused: the reply
    says why."""

    async def __call__(
        self, command: PageCommand, by: str, once: str = "", browser: str = ""
    ) -> Reply:
        """Carry ``command`` out on behalf of ``by``: a seat, or ``gm``.

        ``once``: a random id of the sender's, or empty. The same id from the same sender is done
        at most once, across restarts too, and answered as it was the first time.
        ``browser``: a name for the browser that asks, the same over restarts; empty for a channel
        without browsers.
        """
        ...


class Backstage(Protocol):
    """What pages show besides the public view: frames without their type, made when asked for.

    Nobody changes what they are given. Whoever is given the very same again knows that nothing has
    changed; another one may be equal.
    """

    def questions(self) -> Sequence[Question]:
        """The decisions that are open now. Nothing in them is secret."""
        ...

    def deeds(self) -> Sequence[DeedOffer]:
        """For the GM alone: what the GM can do to the story now."""
        ...

    def cast(self) -> Sequence[str]:
        """For the GM alone: whom the story has a living sheet of, NPCs too."""
        ...

    def console(self) -> Console:
        """For the GM alone: what an undo would do, NPCs, level-ups, overrules."""
        ...

    def hand(self, seat: str) -> Hand:
        """For this seat alone: its actors, what they could choose, their sheets."""
        ...

    def preview(self, command: AnyCommand, by: str = GM) -> Sequence[Difference]:
        """For the GM, and for a seat that wishes for something or asks for somebody to play: what
        such a command would change. Nothing is done. Raises
        :class:`hub.table.state.SeatFault` with the reason why it cannot be done."""
        ...

    def beginning(self) -> Struct | None:
        """For who builds one: what a new player character of the story can begin with; None without
        a story, or where its family builds none on a page."""
        ...

    def chronicle(self, after: int) -> Sequence[dict[str, Any]]:
        """What happened, and what followed of it by the rules: the entries numbered above
        ``after``, oldest first, at most the newest 300. Nothing in them is secret."""
        ...


class VirtualField(Protocol):
    """The antenna field of a simulated reader, as hands see it."""

    @property
    def name(self) -> str:
        """The reader's name, without its ``sim:``."""
        ...

    def place(self, tag: str) -> None:
        """Set a card with this tag id into the field; no effect if it lies there already."""
        ...

    def lift(self, tag: str | None = None) -> None:
        """Take a card out of the field; every card when ``tag`` is None."""
        ...

    def unplug(self) -> None:
        """Pull the reader's cable."""
        ...

    def replug(self) -> None:
        """Put it back."""
        ...

    @property
    def path(self) -> str:
        """The device that the driver opens; it exists while the reader is plugged in."""
        ...

    def tags(self) -> Sequence[str]:
        """What lies in the field now."""
        ...
