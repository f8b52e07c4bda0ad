"""Everything that can reach the table: facts and requests. Records are what came of them."""

from enum import StrEnum
from typing import Any

from msgspec import Struct

from hub.games.game import GM, Choice, Word
from hub.games.story import GivenDeed, SceneRequest
from hub.table.looks import Portrait
from hub.table.records import SceneSetup, StorySheets
from hub.table.sealed import Sealed
from hub.table.spots import Laid
from hub.table.state import Undoes


class Sight(StrEnum):
    """How sure it is that what was seen on a reader lies there now."""

    NEW = "new"
    """It was seen just now, and something else before it, or nothing was known."""
    DOUBTFUL = "doubtful"
    """The last look missed some of it, or was disturbed."""
    AGAIN = "again"
    """It was doubtful, and has been seen again; its dwell begins anew."""
    RESTED = "rested"
    """Every look of the dwell has seen it, the last one at the dwell's end or after it. Said again
    every second, for what could not be read yet."""


class Input(Struct, frozen=True):
    """Something that reaches the table: a subclass for each kind."""


class FieldChanged(Input, frozen=True):
    """What lies on a seat's reader, or how sure that is, has changed. The tags come in no order.

    Each report says everything, so that the next one makes up for one that was lost.
    """

    seat: str
    laid: Sealed[tuple[Laid, ...]]
    sight: Sight = Sight.NEW


class ReaderFound(Input, frozen=True):
    """The seat's reader answers; a :class:`FieldChanged` with what already lies there follows."""

    seat: str


class ReaderMissing(Input, frozen=True):
    """The seat's reader does not answer; or it is out of play, because the hub writes cards on
    it: that is no loss."""

    seat: str
    writes_cards: bool = False


class ReaderTroubled(Input, frozen=True):
    """How often the seat's reader has failed in the last five minutes; see
    :class:`hub.table.state.Trouble`. ``blind``: see :class:`hub.table.spots.Spot`."""

    seat: str
    losses: int
    disturbances: int
    blind: bool = False


class ButtonPressed(Input, frozen=True):
    """Somebody has pressed the button at this seat: anybody may stop the table, and only the GM's
    seat lets it go on."""

    seat: str


class Tick(Input, frozen=True):
    """Time has come this far: whatever is due happens."""


class BeginLog(Input, frozen=True):
    """The hub has opened a log that is new, or that an older version began."""


class StartScene(Input, frozen=True):
    """The GM starts a scene."""

    title: str
    setup: SceneSetup


class EndScene(Input, frozen=True):
    """The GM closes the scene."""


class Commit(Input, frozen=True):
    """A sealed choice from a page instead of a reader. ``by``: a seat, or ``gm``."""

    actor: str
    choice: Sealed[Choice]
    by: str
    browser: str = ""
    """The name of the browser that shows the page. Only this browser may name what it has set
    beside the step."""


class TakeBack(Input, frozen=True):
    """Take a seal back, from a page; where points are counted out, the newest of them. ``by``: the
    seat, or ``gm``."""

    actor: str
    by: str


class Withdraw(Input, frozen=True):
    """Take back what lies beside the step, from a page. ``by``: a seat, or ``gm``."""

    actor: str
    choice: Sealed[Choice] | None
    """A card that the same browser has set there; None: all that lies there."""
    by: str
    browser: str = ""
    """As in :class:`Commit`."""


class DropSeal(Input, frozen=True):
    """The GM drops an actor's seal or, ``beside``, the last card that lies beside the step."""

    actor: str
    beside: bool = False


class Decide(Input, frozen=True):
    """An open choice or declaration from a page. ``by``: a seat, or ``gm``."""

    actor: str
    choice: Choice
    by: str


class Overrule(Input, frozen=True):
    """The GM's word over what is being played."""

    word: Word | str
    """As values or, from a client of version 0.1.0, as text."""


class Pause(Input, frozen=True):
    """The table pauses; by a command it is the GM who wants it."""


class Resume(Input, frozen=True):
    """The GM lets the table go on."""


class Undo(Input, frozen=True):
    """The GM takes something back: what was played, to right after the last reveal (or, there
    already, the one before it), the newest deed of the story, a scene's start or its end."""

    what: Undoes | None = None
    """None: what was played or, where there is nothing of it, the newest deed. A scene's start and
    its end are taken back only if they are named."""
    to_seq: int | None = None
    """As in :class:`hub.table.back.WayBack`, so that nothing else is taken back than what was
    looked at; None: whatever it is now."""


class BeginStory(Input, frozen=True):
    """A story begins with the characters that the configuration names."""

    ruleset: str
    sheets: StorySheets
    deeds: tuple[GivenDeed, ...] = ()
    """What is told at once, such as its first countdowns."""


class TellStory(Input, frozen=True):
    """The GM does something to the story: marks a countdown, lets the party rest."""

    deed: GivenDeed


class WishFor(Input, frozen=True):
    """A player wants something done to a character of their own, or nothing any more."""

    name: str
    wants: dict[str, Any] | None
    """The deed as values; None takes the wish back."""
    by: str


class AddCharacter(Input, frozen=True):
    """The GM brings somebody into the story; or a seat where nobody plays asks for somebody to play
    there, who waits in the reserve for the GM's yes."""

    given: dict[str, Any]
    """A sheet, or a ``name`` and whom it is ``like``; JSON values for the rules to check."""
    seat: str = ""
    """The seat that is to play it; empty: whoever does so anyway."""
    joins: bool = False
    """Whether a player character joins the party at once; else it waits in the reserve."""
    by: str = GM
    """A seat, or ``gm``."""


class RemoveCharacter(Input, frozen=True):
    """The GM takes somebody out of the story who is no longer needed; or a seat whom it has asked
    for."""

    name: str
    by: str = GM
    """A seat, or ``gm``."""


class PlayFor(Input, frozen=True):
    """The GM is to play for this character, whose player has left, or no longer. ``by``: a seat,
    which may only take its own character back, or ``gm``."""

    actor: str
    on: bool
    by: str


class SitOut(Input, frozen=True):
    """The scene is to go on without this character, or with it again."""

    actor: str
    out: bool
    lasting: bool = False
    """Scenes to come, too, until the character is back."""


class StageScene(Input, frozen=True):
    """The GM starts a scene from the story."""

    request: SceneRequest


class LetHubPlay(Input, frozen=True):
    """The hub is to play for these, or no longer. ``by``: a seat, which may only take its own
    characters back, or ``gm``."""

    actors: tuple[str, ...]
    on: bool
    by: str


class NameEvening(Input, frozen=True):
    """The GM gives the evening a title; an empty one is that of the configuration."""

    title: str


class SetTimer(Input, frozen=True):
    """The GM sets how long there is to choose, from the next sealed step on."""

    seconds: float | None
    """0: no timer; None: as the configuration has it."""


class SetClock(Input, frozen=True):
    """The hub's clock is found to be wrong. What is handed in with this as the time is by the clock
    as it was."""

    by_ms: int
    """What is to be added to it (ms)."""


class EndEvening(Input, frozen=True):
    """The GM ends the evening or, with ``on`` false, lets it go on after all."""

    on: bool


class Portray(Input, frozen=True):
    """A character is to be shown like this. ``by``: its seat, or ``gm``. A picture that it names is
    kept by the hub."""

    name: str
    portrait: Portrait
    by: str
