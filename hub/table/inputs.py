"""All inputs of the table: facts and requests. Records are their results."""

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
    """How certain it is that the tags seen on a reader are still there."""

    NEW = "new"
    """Just seen; before, something else was seen, or nothing was known."""
    DOUBTFUL = "doubtful"
    """The last look missed some of it, or was disturbed."""
    AGAIN = "again"
    """Seen again after a doubtful look; its dwell starts over."""
    RESTED = "rested"
    """Seen in every look of the dwell, the last one at or after the dwell's end. Repeated every
    second, for cards that could not be read yet."""


class Input(Struct, frozen=True):
    """Base class of the table's inputs."""


class FieldChanged(Input, frozen=True):
    """The tags on a seat's reader, or the certainty about them, changed. The tags are unordered.

    Each report is complete, so that the next one makes up for a lost one.
    """

    seat: str
    laid: Sealed[tuple[Laid, ...]]
    sight: Sight = Sight.NEW


class ReaderFound(Input, frozen=True):
    """The seat's reader answers. A :class:`FieldChanged` follows, with the tags already on it."""

    seat: str


class ReaderMissing(Input, frozen=True):
    """The seat's reader does not answer; or it is out of play because the hub writes cards on it,
    which does not count as a loss."""

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
    """The button at this seat was pressed. Any seat may pause the table; only the GM's seat may
    resume."""

    seat: str


class Tick(Input, frozen=True):
    """Time has passed: do what is due."""


class BeginLog(Input, frozen=True):
    """The hub has opened a new log."""


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
    """The browser that shows the page. Only this browser may name the cards that it has set beside
    the step."""


class TakeBack(Input, frozen=True):
    """Take a seal back from a page or, while points are counted out, the newest point. ``by``: the
    seat, or ``gm``."""

    actor: str
    by: str


class Withdraw(Input, frozen=True):
    """Take back, from a page, cards set beside the step. ``by``: a seat, or ``gm``."""

    actor: str
    choice: Sealed[Choice] | None
    """A card that the same browser has set there; None: all of them."""
    by: str
    browser: str = ""
    """As in :class:`Commit`."""


class DropSeal(Input, frozen=True):
    """The GM drops an actor's seal or, with ``beside``, its last card beside the step."""

    actor: str
    beside: bool = False


class Decide(Input, frozen=True):
    """An open choice or declaration from a page. ``by``: a seat, or ``gm``."""

    actor: str
    choice: Choice
    by: str


class Overrule(Input, frozen=True):
    """The GM overrules something in play."""

    word: Word


class Pause(Input, frozen=True):
    """Pause the table; a command to pause comes from the GM."""


class Resume(Input, frozen=True):
    """The GM resumes play."""


class Undo(Input, frozen=True):
    """The GM takes something back: play, to right after the last reveal (or, if it is already
    there, the one before), the newest deed of the story, a scene's start or its end."""

    what: Undoes | None = None
    """None: play or, if there is none to undo, the newest deed. A scene's start and end are taken
    back only if named."""
    to_seq: int | None = None
    """As in :class:`hub.table.back.WayBack`: guards against undoing something other than the GM
    saw. None: undo the newest, unchecked."""


class BeginStory(Input, frozen=True):
    """A story begins, with the configured characters."""

    ruleset: str
    sheets: StorySheets
    deeds: tuple[GivenDeed, ...] = ()
    """Deeds to tell at once, such as the first countdowns."""


class TellStory(Input, frozen=True):
    """The GM does something to the story, such as marking a countdown or letting the party rest."""

    deed: GivenDeed


class WishFor(Input, frozen=True):
    """A player wishes for a deed for one of the seat's own characters, or takes the wish back."""

    name: str
    wants: dict[str, Any] | None
    """The deed as values; None takes the wish back."""
    by: str


class AddCharacter(Input, frozen=True):
    """The GM brings a character into the story; or a seat without a character asks for one, which
    waits in the reserve until the GM agrees."""

    given: dict[str, Any]
    """A sheet, or a ``name`` and the character it is ``like``; JSON values for the rules to
    check."""
    seat: str = ""
    """The seat that is to play it; empty: the seat that would play it anyway."""
    joins: bool = False
    """Whether a player character joins the party at once instead of waiting in the reserve."""
    by: str = GM
    """A seat, or ``gm``."""


class RemoveCharacter(Input, frozen=True):
    """The GM takes a character out of the story; or a seat withdraws the one that it asked for."""

    name: str
    by: str = GM
    """A seat, or ``gm``."""


class PlayFor(Input, frozen=True):
    """The GM is to start or stop playing this character, whose player has left. ``by``: ``gm``, or
    a seat, which may only take back its own character."""

    actor: str
    on: bool
    by: str


class SitOut(Input, frozen=True):
    """The scene is to go on without this character, or with it again."""

    actor: str
    out: bool
    lasting: bool = False
    """Applies to later scenes too, until the character is back."""


class StageScene(Input, frozen=True):
    """The GM starts a scene from the story."""

    request: SceneRequest


class LetHubPlay(Input, frozen=True):
    """The hub is to start or stop playing these actors. ``by``: ``gm``, or a seat, which may only
    take back its own characters."""

    actors: tuple[str, ...]
    on: bool
    by: str


class NameEvening(Input, frozen=True):
    """The GM gives the evening a title; an empty one restores the configured title."""

    title: str


class SetTimer(Input, frozen=True):
    """The GM sets how long players have to choose, from the next sealed step on."""

    seconds: float | None
    """0: no timer; None: the configured time."""


class SetClock(Input, frozen=True):
    """The hub's clock was found to be wrong. The time passed along with this input is by the old
    clock."""

    by_ms: int
    """The correction to add to the clock (ms)."""


class EndEvening(Input, frozen=True):
    """The GM ends the evening or, with ``on`` false, continues it after all."""

    on: bool


class Portray(Input, frozen=True):
    """Set a character's portrait. ``by``: its seat, or ``gm``. The hub already has the picture that
    it names."""

    name: str
    portrait: Portrait
    by: str
