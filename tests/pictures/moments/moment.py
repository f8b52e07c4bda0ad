"""A drawn moment of a scene: how it is played, and the words that its picture has to show."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import to_builtins

from hub.games.deeds import BeginCountdown, MarkCountdown
from hub.games.game import Choice
from hub.games.registry import texts
from hub.kernel.texts import Part
from hub.table import acts as i
from hub.table.acts import StorySheets
from hub.table.sealed import Sealed
from tests.adapters.web.playing import PlayedTable

LANGUAGES = ("en", "de")
InBoth = Mapping[str, tuple[str, ...]]
"""Language → words of the pages in it."""


def in_both(*parts: Part) -> InBoth:
    """The words in each language; a text that is not of the catalogues is the same in both."""
    return {language: tuple(map(texts(language).told, parts)) for language in LANGUAGES}


@dataclass(frozen=True)
class Moment:
    """A state of the table, reached from the moment before it."""

    name: str
    play: Callable[[PlayedTable], None]
    """Plays on, from the table of the moment before."""
    lasts: bool
    """Whether cards or dice are in play or asked for. False while nothing happens: a scene has just
    begun or is over, or it is open who goes next."""
    acts: tuple[str, ...]
    """The characters, sides or parties that act in it."""
    shows: InBoth = field(default_factory=in_both)
    """The words for the open cards and the fallen dice in play, as the pages write them; for cards
    of a deck their numbers. Faces of dice are left out."""
    costs: InBoth = field(default_factory=in_both)
    """The figures and words of the cost."""


def seat_of(table: PlayedTable, actor: str) -> str:
    """The seat at which this actor is played; the GM's own is ``gm``."""
    seats = table.settings.seats.items()
    return next((seat for seat, actors in seats if actor in actors), "gm")


def commit(table: PlayedTable, actor: str, choice: str) -> None:
    """Let an actor seal a choice on its page."""
    seat = seat_of(table, actor)
    table.tell(i.Request(i.Commit(actor, Sealed(Choice.parse(choice))), seat, seat))


def turn_up(table: PlayedTable) -> None:
    """Reveal what is sealed."""
    table.tell(i.Tick(), table.settings.reveal_delay_ms)


def at_step(table: PlayedTable, step: str) -> None:
    """Check that the scene has come to this step."""
    scene = table.state.scene
    assert scene is not None, f"no scene, not {step}"
    assert scene.pending.step == step, f"{scene.pending.step}, not {step}"


def begin_story(
    table: PlayedTable,
    ruleset: str,
    sheets: Sequence[Mapping[str, Any]],
    countdown: str,
    boxes: int,
) -> None:
    """Begin a story with a countdown, of which one box is marked."""
    begun = to_builtins(BeginCountdown(name=countdown, boxes=boxes))
    cast = StorySheets([dict(sheet) for sheet in sheets])
    table.tell(i.BeginStory(ruleset, cast, (begun,)))
    mark(table, countdown)


def mark(table: PlayedTable, countdown: str) -> None:
    """Mark one more box of a countdown."""
    table.tell(i.Request(i.TellStory(to_builtins(MarkCountdown(name=countdown)))))
