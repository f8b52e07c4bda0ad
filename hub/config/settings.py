"""The sections of ``hub.toml``; ``example.toml`` beside this file explains every key."""

from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Annotated, Literal, get_args

from msgspec import field

from hub.config.mqtt import Mqtt
from hub.config.values import (
    Actor,
    FilePath,
    Language,
    Name,
    Title,
    Warnings,
    bad_language,
    missing,
    seconds,
)
from hub.config.web import Web
from hub.games.countdowns import LEAST_BOXES, MOST_BOXES, Countdowns
from hub.games.game import GM, RulesError
from hub.kernel.documents.sections import Section, from_to, must_be, one_of
from hub.kernel.likeness import name_fault, name_faults, text_fault
from hub.kernel.reasons import Reason
from hub.readers.kinds import parse_address
from hub.table.state import MOST_COMMIT_S, AtZero

MOST_DECKS = 16


class Table(Section, frozen=True, kw_only=True):
    """``[table]``: the table's name, files and language."""

    name: Name
    journal: FilePath
    deck: FilePath
    """The table's own deck, which new cards go into."""
    more_decks: Annotated[
        tuple[FilePath, ...], must_be(Reason("some-decks"), max_length=MOST_DECKS)
    ] = ()
    evening: Title = ""
    """The evening's title; the display shows it between scenes."""
    language: Language | None = None
    """The language of the hub's log and of commands; None: the terminal's, or English."""

    @property
    def decks(self) -> tuple[Path, ...]:
        """The files of all decks, the table's own first."""
        return (self.deck, *self.more_decks)

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of missing files and folders, and of an invalid name, evening's title or
        language."""
        yield from missing(deck=self.deck)
        for deck in self.more_decks:
            yield from missing(more_decks=deck)
        if not self.journal.parent.is_dir():
            yield "journal", Reason("no-folder", file=str(self.journal.parent))
        if (fault := name_fault(self.name)) is not None:
            yield "name", fault
        if (fault := text_fault(self.evening)) is not None:
            yield "evening", fault
        if self.language is not None:
            yield from bad_language(self.language)


class Seat(Section, frozen=True, kw_only=True):
    """``[[seat]]``: a seat, its reader, and the characters played there."""

    name: Name
    reader: Annotated[str, must_be(Reason("a-reader-address"))]
    """The reader's address; :func:`hub.readers.kinds.parse_address` has accepted it."""
    characters: Annotated[tuple[Actor, ...], must_be(Reason("some-names"), min_length=1)] = ()
    gm: bool = False
    """Whether this seat plays every character that no seat names."""
    button: Annotated[Literal["pause", "nothing"], one_of("pause", "nothing")] = "pause"
    cards: Annotated[tuple[Name, ...], must_be(Reason("some-sets"))] = ()
    """Sets of the deck that belong to this seat, so that no other seat's reader accepts them."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of the reader's address and of the characters."""
        try:
            parse_address(self.reader)
        except ValueError as error:
            yield "reader", Reason("address-wrong", fault=str(error))
        for name, fault in name_faults(self.characters):
            yield "characters", Reason("name-among", name=ascii(name), fault=fault)
        if GM in self.characters:
            yield "characters", Reason("gm-among", gm=GM)
        if not self.characters and not self.gm:
            yield "characters", Reason("players-missing")


class Timing(Section, frozen=True, kw_only=True):
    """``[timing]``: how long cards rest, players may choose, and a reveal is delayed."""

    dwell_s: Annotated[float, seconds(0, 5)] = 0.3
    reveal_delay_s: Annotated[float, seconds(0, 60)] = 1
    commit_s: Annotated[float, seconds(0, MOST_COMMIT_S)] = 0
    """The time to choose; 0: no commit timer. The GM can override it at the table."""
    warnings_s: Warnings = ()
    """Seconds before the commit timer's end at which clocks warn."""
    at_zero: Annotated[AtZero, one_of(*AtZero)] = AtZero.NOTHING

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of warnings beyond the timer's length, or of ``at_zero`` without a timer."""
        if self.commit_s and max(self.warnings_s, default=0) >= self.commit_s:
            yield "warnings_s", Reason("within-timer", seconds=f"{self.commit_s:g}")
        if self.at_zero is not AtZero.NOTHING and not self.commit_s:
            yield "at_zero", Reason("timer-missing")


class Lamps(Section, frozen=True, kw_only=True):
    """``[lamps]``: lamps of the seats' boards."""

    brightness: Annotated[int, from_to(0, 255)] = 150
    """Perceived brightness; 0 leaves them dark."""


class SceneFile(Section, frozen=True, kw_only=True):
    """``[scene]``: the file of the configured scene."""

    file: FilePath

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """A fault if the scene's file is missing."""
        yield from missing(file=self.file)


MOST_CHARACTERS = 64
"""The most characters that a conflict can have."""


class CountdownHead(Section, frozen=True, kw_only=True):
    """``[[story.countdown]]``: a countdown with which the story begins."""

    name: Actor
    boxes: Annotated[int, from_to(LEAST_BOXES, MOST_BOXES)]


class StoryFiles(Section, frozen=True, kw_only=True):
    """``[story]``: the files from which the story begins."""

    characters: Annotated[
        tuple[FilePath, ...],
        must_be(Reason("some-sheets", file="marit.toml"), min_length=1, max_length=MOST_CHARACTERS),
    ]
    reserve: Annotated[
        tuple[FilePath, ...],
        must_be(Reason("some-sheets", file="odo.toml"), max_length=MOST_CHARACTERS),
    ] = ()
    """The files of new characters that wait to replace others."""
    rules: FilePath | None = None
    countdowns: Annotated[tuple[CountdownHead, ...], must_be(Reason("a-countdown-each"))] = field(
        default=(), name="countdown"
    )

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """Faults of missing files, or of invalid countdowns."""
        for key in ("characters", "reserve"):
            for file in getattr(self, key):
                yield from missing(**{key: file})
        yield from missing(rules=self.rules)
        try:
            reduce(lambda all_, one: all_.begin(one.name, one.boxes), self.countdowns, Countdowns())
        except RulesError as error:
            yield "countdown", Reason("cannot-begin", why=error.reason)
        for name, fault in name_faults(one.name for one in self.countdowns):
            why = Reason("about", place=ascii(name), why=fault)
            yield "countdown", Reason("cannot-begin", why=why)


LogLevel = Literal["debug", "info", "warning", "error"]
LogFormat = Literal["auto", "plain", "keys"]


class Log(Section, frozen=True, kw_only=True):
    """``[log]``: how much the hub logs, and in which form."""

    level: Annotated[LogLevel, one_of(*get_args(LogLevel))] = "info"
    format: Annotated[LogFormat, one_of(*get_args(LogFormat))] = "auto"


class Config(Section, frozen=True, kw_only=True):
    """A whole ``hub.toml``. Paths are absolute."""

    table: Annotated[Table, must_be(Reason("a-section", key="table"))]
    seats: Annotated[tuple[Seat, ...], must_be(Reason("a-seat-each"), min_length=1)] = field(
        name="seat"
    )
    scene: SceneFile | None = None
    story: StoryFiles | None = None
    timing: Timing = Timing()
    lamps: Lamps = Lamps()
    mqtt: Mqtt = Mqtt()
    web: Web = Web()
    log: Log = Log()

    @property
    def gm_seat(self) -> str | None:
        """The seat that plays every character that no seat names."""
        return next((seat.name for seat in self.seats if seat.gm), None)

    @property
    def sets(self) -> dict[str, tuple[str, ...]]:
        """Seat → the sets of the deck that belong to it."""
        return {seat.name: seat.cards for seat in self.seats}

    def plays(self, actor: str) -> bool:
        """Whether some seat plays ``actor``."""
        return bool(self.gm_seat) or any(actor in seat.characters for seat in self.seats)
