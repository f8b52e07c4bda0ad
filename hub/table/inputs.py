"""The inputs of the table: facts that the hub reports, and commands that someone asks for.

Each stands in the module of :mod:`hub.table.acts` that judges it; this module has what all of them
share. Records are their results.
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Protocol, Self

from msgspec import Struct

from hub.games.game import GM
from hub.games.telling import Words
from hub.kernel.reasons import Reason
from hub.kernel.texts import Said
from hub.table.records import SceneSetup
from hub.table.state import SeatFault, TableState, Version
from hub.table.transaction import Transaction


class Fact(Struct, frozen=True):
    """Something that has happened: on a reader, to the hub, or because time has passed."""

    def judge(self, transaction: Transaction) -> None:
        """Write the records that follow from the fact. :func:`hub.table.step.step` calls this in
        the phases that accept the fact. Raises :class:`SeatFault`."""
        raise NotImplementedError


SCENE, PHASE, REVISION = "scene", "phase", "revision"
"""The parts of a :class:`Version`."""
_GONE_ON = {
    SCENE: Reason("other-scene"),
    PHASE: Reason("table-went-on"),
    REVISION: Reason("story-changed"),
}


class CommandFault(ValueError):
    """A malformed command; ``reason`` says what is wrong and where."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class Command(Struct, frozen=True, kw_only=True, tag_field="command", forbid_unknown_fields=True):
    """Something that a person wants done. ``id`` is chosen by the sender and returned in the reply.

    A subclass is one command, as JSON and for the table: its fields, who may ask for it, what makes
    it stale, and how it is judged.
    """

    id: str = ""
    version: Version | None = None
    """The table's ``version`` as the sender saw it: the command is refused if the table has moved
    on since. A command without a version is carried out in any version."""

    gm_only: ClassVar[bool] = True
    """Whether only the GM may give this command. If not, :meth:`judge` decides who may."""
    page_only: ClassVar[bool] = False
    """Whether this command is accepted from pages only, because a hidden card must never reach a
    broker."""
    seat_previews: ClassVar[bool] = False
    """Whether a seat's page may see beforehand what this command would change."""
    stale_by: ClassVar[tuple[str, ...]] = ()
    """The parts of the version that must still be current when the command is carried out."""

    def judge(self, transaction: Transaction, request: "Request") -> None:
        """Carry the command out: write its records. Raises :class:`SeatFault`."""
        raise NotImplementedError

    def depends_on(self) -> tuple[str, ...]:
        """The parts of the version that matter to this command."""
        return self.stale_by

    def plain(self) -> Self:
        """The command in canonical form, the same for repeats. Raises :class:`CommandFault`."""
        return self

    def is_for(self, page: "SeatPage") -> bool:
        """Whether a seat's page may give this command. :meth:`judge` checks that, too, but takes a
        seat called ``gm`` for the GM."""
        return False

    def prepared(self, request: "Request", state: TableState, files: "Files") -> "Request":
        """The request with everything that the command needs of the hub's ``files``. Raises
        :class:`SeatFault` and :class:`CommandFault`."""
        return request

    def told(self, words: Words) -> Said | None:
        """The log's sentence about this command, to show with a preview; None if its button says
        enough."""
        return None

    def previewed(self) -> "Command":
        """The command whose changes a preview shows, as if the GM had given it."""
        return self


class Request(Struct, frozen=True):
    """A command, and who asks for it."""

    command: Command
    by: str = GM
    """The seat that asks, or ``gm``."""
    browser: str = ""
    """An id of the browser that shows the page; empty: none. Only this browser may name the cards
    that it has set beside the step."""
    scene: tuple[str, SceneSetup] | None = None
    """The title and setup of the configured scene, if the command starts it."""
    sheet: dict[str, Any] | None = None
    """The sheet of the character that the command brings; JSON values for the rules to check."""


Input = Fact | Request
"""An input of :func:`hub.table.step.step`: a fact, or a request."""


class SeatPage(Struct, frozen=True):
    """The seat of a page, and the actors for whom the page may speak."""

    seat: str
    actors: frozenset[str]
    """The actors that the seat plays now, or by the configuration."""
    held: Callable[[], Mapping[str, bool]]
    """Each name in the seat's hand (``gm`` too, if the GM seals) → whether it is in the reserve."""


class Files(Protocol):
    """The hub's files, as far as :meth:`Command.prepared` needs them."""

    def scene(self) -> tuple[str, SceneSetup]:
        """The configured scene's title and setup. Raises :class:`SeatFault`."""

    def sheet(self, ruleset: str, values: Mapping[str, Any], toml: str) -> dict[str, Any]:
        """A character for a story of this ruleset, from the keys of a character file or, if given,
        its text. The rules judge it later. Raises :class:`SeatFault` with all faults of its
        layout."""

    def has_picture(self, digest: str) -> bool:
        """Whether the hub keeps the picture with this SHA-256 (hex)."""


def request(
    command: Command, by: str, state: TableState, files: Files, browser: str = ""
) -> Request:
    """The request of ``by``, a seat or ``gm``, with everything that ``command`` needs of ``files``.
    Raises :class:`SeatFault` and :class:`CommandFault`."""
    if command.gm_only and by != GM:
        raise SeatFault(Reason("for-the-gm"))
    return command.prepared(Request(command, by, browser), state, files)


def stale(command: Command, now: Version) -> Reason | None:
    """Why the command is out of date, and what to do; None if nothing relevant has changed."""
    seen = command.version
    if seen is None:
        return None
    for part in command.depends_on():
        if getattr(seen, part) != getattr(now, part):
            return Reason("look-again", why=_GONE_ON[part])
    return None
