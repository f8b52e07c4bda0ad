"""The base class of events, and the events beyond a scene: of the story, of who plays whom, and of
readers. Events of a scene are in :mod:`hub.table.records`."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from hub.table.looks import Portrait


class Event(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """The public part of a record. Subclasses are the event types of the MQTT event topic."""


Groups = tuple[tuple[str, ...], ...]
"""Groups of actors in which one chooses for all."""


def some_groups(groups: Groups | UnsetType) -> None:
    """Raises :class:`ValueError` for an empty value: a record leaves the field out instead."""
    if groups == ():
        raise ValueError("`one_of` is left out where nobody chooses for others")


class LeftOpen(Struct, frozen=True):
    """The choices left undecided when a scene was closed."""

    step: str
    """The step in which it was closed."""
    waits: tuple[str, ...] = ()
    """The actors still to choose; empty if all had chosen and the reveal was due."""


class StoryBegun(Event, frozen=True, kw_only=True, tag="story-begun"):
    """A story began. Its secret is the characters' sheets, because those of NPCs are not public."""

    ruleset: str
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""


class StoryTold(Event, frozen=True, kw_only=True, tag="story-told"):
    """The GM did something to the story, such as marking a countdown."""

    deed: dict[str, Any]
    """The deed as typed values, of the kind named by ``do`` (``docs/rules/evening.md``)."""


class StoryUndone(Event, frozen=True, kw_only=True, tag="story-undone"):
    """The GM took back the newest deed of the story, or the newest arrival or departure of a
    character."""

    to_seq: int
    """Number of the last record before that deed."""


class CharacterJoined(Event, frozen=True, kw_only=True, tag="character-joined"):
    """A character came into the story: an NPC, or a player character into the reserve. The secret
    is its sheet."""

    name: str
    seat: str = ""
    """The seat that plays it, if one was named."""
    joins: bool | UnsetType = UNSET
    """Set if a player character joined the party at once instead of waiting in the reserve; left
    out otherwise."""
    digest: str = ""
    """Digest of the secret; see :func:`hub.table.sealed.secret_digest`."""

    def __post_init__(self) -> None:
        if self.joins is False:
            raise ValueError("`joins` is left out where nobody joins")


class CharacterLeft(Event, frozen=True, kw_only=True, tag="character-left"):
    """An NPC, or a character in the reserve, left the story."""

    name: str


class PlayedByGm(Event, frozen=True, kw_only=True, tag="played-by-gm"):
    """The GM starts or stops playing a character whose player has left. The player's seals stay
    sealed, even for the GM."""

    actor: str
    on: bool


class SatOut(Event, frozen=True, kw_only=True, tag="sat-out"):
    """The scene goes on without a character, as far as its rules allow."""

    actor: str
    phase: int


class CameBack(Event, frozen=True, kw_only=True, tag="came-back"):
    """A character that sat out takes part in the scene again."""

    actor: str
    phase: int


class EveningNamed(Event, frozen=True, kw_only=True, tag="evening-named"):
    """The GM gave the evening a title."""

    title: str
    """Empty: back to the configured title."""


class TimerSet(Event, frozen=True, kw_only=True, tag="timer-set"):
    """The GM set how long players have to choose, from the next sealed step on."""

    seconds: float | None
    """0: no timer; null: the configured time."""


class ClockSet(Event, frozen=True, kw_only=True, tag="clock-set"):
    """The hub's clock was wrong and is right from this record on; due times move along. Times of
    earlier records may be off by as much. Only this record's time may be earlier than that of the
    record before it."""

    by_ms: int
    """The correction in ms; negative if the clock was ahead."""


class EveningEnded(Event, frozen=True, kw_only=True, tag="evening-ended"):
    """The GM ended the evening between two scenes, or continued it after all. The next scene begins
    the next evening."""

    on: bool


class StaysAway(Event, frozen=True, kw_only=True, tag="stays-away"):
    """Scenes start without this character from now on, because its player has left; or include it
    again."""

    actor: str
    on: bool


class PlayedByHub(Event, frozen=True, kw_only=True, tag="played-by-hub"):
    """The hub starts or stops playing a character."""

    actor: str
    """A character, or ``gm``: then the hub makes the GM's decisions as referee."""
    on: bool


class Portrayed(Event, frozen=True, kw_only=True, tag="portrayed"):
    """A character's portrait changed."""

    name: str
    portrait: Portrait
    """The whole portrait; an empty one is drawn from the character's name."""


class ReaderLost(Event, frozen=True, kw_only=True, tag="reader-lost"):
    """A seat's reader does not answer. Its seals remain."""

    seat: str


class ReaderReturned(Event, frozen=True, kw_only=True, tag="reader-returned"):
    """A lost reader answers again."""

    seat: str


class ReaderUnreliable(Event, frozen=True, kw_only=True, tag="reader-unreliable"):
    """A seat's reader fails again and again; repeated when its failures have doubled."""

    seat: str
    losses: int
    """How often it was lost in the last five minutes."""
    disturbances: int
    """How often in that time it had to be made to answer again."""


class ReaderReliable(Event, frozen=True, kw_only=True, tag="reader-reliable"):
    """An unreliable reader has had no trouble for five minutes, or the hub has restarted."""

    seat: str
