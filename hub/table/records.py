"""Records: what happened at the table, as kept by the journal and applied by ``fold()``.

A record is a public *event*; some have a *secret* too. The event is public in full. The secret goes
to the journal and nowhere else. So no view is made by removing fields. Each event stands in the
module of :mod:`hub.table.acts` that writes it; this module has what all records share.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, TypeVar, cast

from msgspec import Struct, UnsetType

from hub.games.game import Choice
from hub.games.telling import Words
from hub.kernel.texts import Said, name, said
from hub.table.sealed import Kept, Opening, Sealed
from hub.table.state import TableState


class Event(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The public part of a record. Subclasses are the event types of the MQTT event topic."""

    secret_type: ClassVar[Any] = None
    """The type of the event's secret; None: it has none."""
    of_play: ClassVar[bool] = True
    """Whether an undo of play takes this event back."""
    is_deed: ClassVar[bool] = False
    """Whether this event is a deed of the GM's, which has an undo of its own."""
    awaits_reveal: ClassVar[bool] = False
    """Whether the next reveal says what this event leaves out."""
    on_stage: ClassVar[bool] = True
    """Whether this event changes what a display shows of a scene."""
    keeps_early_cards: ClassVar[bool] = False
    """Whether a card that was laid early stays valid in the step that this event begins."""

    named: ClassVar[tuple[str, ...]] = ()
    """The fields whose values, as names, fill the placeholders of this event's sentence."""

    def fold(self, state: TableState, record: "Record") -> TableState:
        """The state after this event of ``record``. Called by :func:`hub.table.fold.fold` alone."""
        raise NotImplementedError

    def told(self, words: Words) -> list[Said]:
        """The event as one or more sentences of the catalogues, for the chronicle on the pages,
        ``facedown replay`` and the hub's log. ``words``: those of the scene's family or, between
        scenes, of the story's."""
        places = {field: name(getattr(self, field)) for field in self.named}
        return [said(f"gm.log.{tag_of(self)}", **places)]

    def aside(self) -> Said | None:
        """A note that only terminals add to the sentences of :meth:`told`; None: no note."""
        return None

    def cards(self) -> Mapping[str, Choice]:
        """Actor → the card that this event shows openly."""
        return {}


class TableEvent(Event, frozen=True, kw_only=True):
    """An event that an undo of play does not take back, because it is not part of play."""

    of_play: ClassVar[bool] = False


Groups = tuple[tuple[str, ...], ...]
"""Groups of actors in which one actor chooses for all."""


def some_groups(groups: Groups | UnsetType) -> None:
    """Check that a record without groups leaves the field out. Raises :class:`ValueError`."""
    if groups == ():
        raise ValueError("`one_of` is left out where nobody chooses for others")


class Document(Struct, frozen=True, kw_only=True):
    """A secret that its record's ``digest`` commits to, so that it can be opened later."""

    salt: str = ""
    """32 random bytes in hex. Without them, the content could be guessed and checked against the
    digest. Set by the table."""


class SceneSetup(Document, frozen=True):
    """A scene's setup, as the GM prepared it; JSON values for the rules to check."""

    ruleset: str
    game: dict[str, Any]
    story: bool = False
    """Whether the scene was made from the story's sheets, so that its results go back to them."""
    rulings: int = 1
    """The version of the rulings; set by the table when the scene begins."""


class StorySheets(Document, frozen=True):
    """A story's setup; JSON values for the rules to check."""

    cast: list[dict[str, Any]]
    reserve: list[dict[str, Any]] = []
    """Characters that wait to join, or to replace another."""
    house: dict[str, Any] | None = None
    """The house rules in force; None: none."""


class CharacterSheet(Document, frozen=True):
    """The sheet of a character that came into the story; JSON values made by the rules."""

    sheet: dict[str, Any]


Secret = Kept | Opening | Document


def tag_of(event: Event) -> str:
    """The type of an event, as written in the log."""
    return str(event.__struct_config__.tag)


class Record(Struct, frozen=True):
    """One thing that happened: number, time, its public event and its secret, if it has one."""

    seq: int
    """The record's number, counted from 1 without gaps."""
    at_ms: int
    """When the record was written, in ms since the Unix epoch."""
    event: Event
    secret: Sealed[Secret] | None = None


SecretT = TypeVar("SecretT", bound=Secret)


def secret_of(record: Record, kind: type[SecretT]) -> Sealed[SecretT]:
    """The secret of ``record``. Raises :class:`ValueError` if it is not a ``kind``."""
    if record.secret is None or not isinstance(record.secret.unseal(), kind):
        raise ValueError(f"there is no {kind.__name__} beside record {record.seq}")
    return cast("Sealed[SecretT]", record.secret)
