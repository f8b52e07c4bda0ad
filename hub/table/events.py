"""What an event is, and the events that reach beyond a scene: those of the story, of who plays
whom, and of readers. Those of a scene are in :mod:`hub.table.records`.
"""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from hub.table.looks import Portrait


class Event(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The public part of a record. Subclasses are the event types of the MQTT event topic."""


Groups = tuple[tuple[str, ...], ...]
"""Groups of actors in which one chooses for all."""


def some_groups(groups: Groups | UnsetType) -> None:
    """Raises :class:`ValueError` where a record says that there are none: it leaves them out."""
    if groups == ():
        raise ValueError("`one_of` is left out where nobody chooses for others")


class LeftOpen(Struct, frozen=True):
    """What a scene that was closed has left undecided."""

    step: str
    """The step that it stood at."""
    waits: tuple[str, ...] = ()
    """Whoever had still to choose; empty where all had, and nothing was shown yet."""


class StoryBegun(Event, frozen=True, kw_only=True, tag="story-begun"):
    """A story began. Its secret are the characters' sheets: those of NPCs are not public."""

    ruleset: str
    digest: str = ""
    """Of the secret: see :func:`hub.table.sealed.secret_digest`."""


class StoryTold(Event, frozen=True, kw_only=True, tag="story-told"):
    """The GM did something to the story, such as marking a countdown."""

    deed: dict[str, Any] | str
    """As typed values, ``do`` says which; in logs of schema 1 in its written form
    (``docs/rules/evening.md``)."""


class StoryUndone(Event, frozen=True, kw_only=True, tag="story-undone"):
    """The GM took back the newest deed of the story that stands: what was told, or who joined or
    left."""

    to_seq: int
    """Number of the last record before that deed."""


class CharacterJoined(Event, frozen=True, kw_only=True, tag="character-joined"):
    """Somebody came into the story: an NPC, or a player character into the reserve. Its secret is
    the sheet."""

    name: str
    seat: str = ""
    """The seat that plays it, where one was named."""
    joins: bool | UnsetType = UNSET
    """That a player character did not wait in the reserve, but joined the party at once; left out
    otherwise, as in logs of an older version."""
    digest: str = ""
    """Of the secret: see :func:`hub.table.sealed.secret_digest`."""

    def __post_init__(self) -> None:
        if self.joins is False:
            raise ValueError("`joins` is left out where nobody joins")


class CharacterLeft(Event, frozen=True, kw_only=True, tag="character-left"):
    """Somebody of the GM's, or of the reserve, is no longer in the story."""

    name: str


class PlayedByGm(Event, frozen=True, kw_only=True, tag="played-by-gm"):
    """From here on the GM plays for a character whose player has left, or does so no longer. What
    its player has sealed stays sealed, for the GM too."""

    actor: str
    on: bool


class SatOut(Event, frozen=True, kw_only=True, tag="sat-out"):
    """The scene goes on without somebody, as far as its rules allow."""

    actor: str
    phase: int


class CameBack(Event, frozen=True, kw_only=True, tag="came-back"):
    """Somebody who sat out takes part in the scene again."""

    actor: str
    phase: int


class EveningNamed(Event, frozen=True, kw_only=True, tag="evening-named"):
    """The GM has given the evening a title."""

    title: str
    """Empty: that of the configuration again."""


class TimerSet(Event, frozen=True, kw_only=True, tag="timer-set"):
    """How long there is to choose, from the next sealed step on."""

    seconds: float | None
    """0: no timer; null: as the configuration has it."""


class ClockSet(Event, frozen=True, kw_only=True, tag="clock-set"):
    """The hub's clock was wrong, and is right from this record on: what is due moves along. Times
    of earlier records may be as wrong as that, and the only one that may be earlier than the one
    before it is this record's."""

    by_ms: int
    """What was added to it (ms); less than 0: it was ahead."""


class EveningEnded(Event, frozen=True, kw_only=True, tag="evening-ended"):
    """The GM has ended the evening between two scenes, or goes on after all; the next scene begins
    the next one."""

    on: bool


class StaysAway(Event, frozen=True, kw_only=True, tag="stays-away"):
    """From here on scenes begin without somebody whose player has left, or do so no longer."""

    actor: str
    on: bool


class PlayedByHub(Event, frozen=True, kw_only=True, tag="played-by-hub"):
    """From here on the hub plays for somebody, or does so no longer."""

    actor: str
    """A character, or ``gm``: then the hub decides what the GM as referee is asked."""
    on: bool


class Portrayed(Event, frozen=True, kw_only=True, tag="portrayed"):
    """How a character wants to be shown from here on."""

    name: str
    portrait: Portrait
    """The whole of it; one without anything: as it follows from the name."""


class ReaderLost(Event, frozen=True, kw_only=True, tag="reader-lost"):
    """A seat's reader does not answer. Seals stand."""

    seat: str


class ReaderReturned(Event, frozen=True, kw_only=True, tag="reader-returned"):
    """A lost reader answers again."""

    seat: str


class ReaderUnreliable(Event, frozen=True, kw_only=True, tag="reader-unreliable"):
    """A seat's reader fails again and again; told anew when its troubles have doubled."""

    seat: str
    losses: int
    """How often it was lost in the last five minutes."""
    disturbances: int
    """How often it had to be made to answer again."""


class ReaderReliable(Event, frozen=True, kw_only=True, tag="reader-reliable"):
    """An unreliable reader has had no trouble for five minutes, or the hub has started anew."""

    seat: str
