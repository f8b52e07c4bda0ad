"""Commands: what a page, a dashboard or an MQTT client may ask of the table, as JSON.

``{"id": "7", "command": "decide", "actor": "ada", "choice": "opponent ninja"}``; see
:mod:`hub.wire.reading` and :mod:`hub.wire.replies`.

A page may also send a card to be sealed. No other channel may, because hidden cards must never
reach a broker.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

from hub.games.game import MAX_WORD_CHARS, Choice
from hub.games.story import MAX_TITLE_CHARS
from hub.kernel.reasons import Reason
from hub.table.looks import Portrait
from hub.table.sealed import Sealed
from hub.table.state import MOST_COMMIT_S, Undoes, Version

_MOST_ACTORS = 100


class Command(Struct, frozen=True, kw_only=True, tag_field="command", forbid_unknown_fields=True):
    """A request. ``id`` is chosen by the sender and returned in the reply."""

    id: str = ""
    version: Version | None = None
    """The table's ``version`` as the sender saw it: the command is refused if the table has moved
    on since. Without one, the command is carried out in any version."""


class StartScene(Command, frozen=True, kw_only=True, tag="start-scene"):
    """Start a scene: the configured one or, if it is described here, one from the story."""

    scene: dict[str, Any] | None = None
    """A scene of the story: its ``type``, a ``title``, and the further fields of that type."""


class TellStory(Command, frozen=True, kw_only=True, tag="tell-story"):
    """Do something to the story; ``docs/rules/evening.md`` lists the deeds."""

    deed: dict[str, Any] | str
    """As typed values, or in its written form."""


class WishFor(Command, frozen=True, kw_only=True, tag="wish"):
    """Wish for a deed for a character; the GM grants or declines it."""

    name: str
    wants: dict[str, Any] | None = None
    """The deed as typed values; leave it out to take the wish back."""


class AddCharacter(Command, frozen=True, kw_only=True, tag="add-character"):
    """Bring a character into the story: an NPC, or a player character into the reserve; from a
    sheet, from the text of a character file, or as another NPC like an existing one. From a seat
    without a character: ask the GM for this player character."""

    sheet: dict[str, Any] | None = None
    """With the keys of a character file; ``docs/rules/characters.md`` lists them. ``ruleset`` may
    be left out; without ``npc`` the character is an NPC."""
    toml: str = ""
    """The text of a character file; without ``npc`` it is a player character."""
    seat: str = ""
    """The seat that is to play it. Without one, a replacement gets the seat of the character that
    it replaces; the GM's seat plays every other character that no seat names."""
    like: str = ""
    """Instead of a sheet: an NPC of the story or its reserve to copy."""
    name: str = ""
    """Instead of a sheet: the name of the new character."""
    joins: bool = False
    """Whether a player character joins the party at once, between scenes, instead of waiting in the
    reserve."""


class RemoveCharacter(Command, frozen=True, kw_only=True, tag="remove-character"):
    """Remove an NPC from the story, or a character from the reserve. From a seat: the character
    that it asked for."""

    name: str


class EndScene(Command, frozen=True, kw_only=True, tag="end-scene"):
    """Close the scene, finished or not."""


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """Make an open choice or declaration for ``actor`` (``gm``: as referee)."""

    actor: str
    choice: str


class Overrule(Command, frozen=True, kw_only=True, tag="overrule"):
    """Overrule something in play, as the GM. Between scenes this is a deed of the story."""

    holds: dict[str, Any]
    """The new ruling; ``docs/rules/windows.md`` lists the options."""
    because: Annotated[str, Meta(min_length=1, max_length=MAX_WORD_CHARS)]


class DropSeal(Command, frozen=True, kw_only=True, tag="drop-seal"):
    """Drop an actor's sealed choice."""

    actor: str
    beside: bool = False
    """Drop the actor's last card beside the step instead."""


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Pause the table."""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Resume play."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take something back: play since the last reveal, or the newest deed of the story; a scene's
    start or end, if named."""

    what: Undoes | None = None
    """Null: play or, if there is none to undo, the newest deed."""
    to_seq: int | None = None
    """Number of the last record before it, as in the console: guards against undoing something
    else."""


class PlayFor(Command, frozen=True, kw_only=True, tag="play-for"):
    """Play a character whose player has left, as the GM, or give it back. A seat may take its own
    character back."""

    actor: str
    on: bool


class SitOut(Command, frozen=True, kw_only=True, tag="sit-out"):
    """Let the scene go on without a character whose player has left, or with it again."""

    actor: str
    out: bool
    lasting: bool = False
    """Also for later scenes, until the character is back; possible between scenes too."""


class LetHubPlay(Command, frozen=True, kw_only=True, tag="let-hub-play"):
    """Let the hub start or stop playing these actors. A seat may take its own characters back."""

    actors: Annotated[tuple[str, ...], Meta(min_length=1, max_length=_MOST_ACTORS)]
    """Characters, or ``gm``: then the hub makes the GM's decisions as referee."""
    on: bool


class NameEvening(Command, frozen=True, kw_only=True, tag="name-evening"):
    """Give the evening a title, which the display shows between scenes; an empty one restores the
    configured title."""

    title: Annotated[str, Meta(max_length=MAX_TITLE_CHARS)]


class SetTimer(Command, frozen=True, kw_only=True, tag="set-timer"):
    """Set how long players have to choose, from the next sealed step on. A running timer goes on
    unchanged."""

    seconds: Annotated[float, Meta(ge=0, le=MOST_COMMIT_S)] | None = None
    """0: no timer; left out: the configured time."""


class Next(Command, frozen=True, kw_only=True, tag="next"):
    """Do the next thing at the table, if it is obvious: give the default answer to the decision
    that the table waits for, end a scene that is over, start the configured scene, resume after a
    pause. It never seals or reveals."""


class EndEvening(Command, frozen=True, kw_only=True, tag="end-evening"):
    """End the evening, between scenes: the display shows a summary and thanks until the next scene
    begins. With ``on`` false the evening continues after all."""

    on: bool = True


class Portray(Command, frozen=True, kw_only=True, tag="portray"):
    """Set a character's portrait. A seat may do this for its own characters."""

    name: str
    portrait: Portrait
    """The whole portrait. A picture must be one that the hub already has."""


class Commit(Command, frozen=True, kw_only=True, tag="commit"):
    """Seal a card for ``actor``, or set one beside the step. Pages only."""

    actor: str
    choice: Sealed[Choice]


class TakeBack(Command, frozen=True, kw_only=True, tag="take-back"):
    """Take back the sealed card of ``actor`` or, while points are counted out, the newest point.
    Pages only."""

    actor: str


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Take back cards of ``actor`` beside the step. Pages only."""

    actor: str
    choice: Sealed[Choice] | None = None
    """A card that the same browser set there; left out: all of them."""


AnyCommand = (
    StartScene
    | EndScene
    | Decide
    | Overrule
    | DropSeal
    | Pause
    | Resume
    | Undo
    | TellStory
    | WishFor
    | AddCharacter
    | RemoveCharacter
    | PlayFor
    | SitOut
    | LetHubPlay
    | NameEvening
    | SetTimer
    | Next
    | EndEvening
    | Portray
)
PageCommand = AnyCommand | Commit | TakeBack | Withdraw

SCENE, PHASE, REVISION = "scene", "phase", "revision"
BASED_ON: dict[type[Command], tuple[str, ...]] = {
    Decide: (SCENE, PHASE),
    Overrule: (SCENE, PHASE),
    Commit: (SCENE, PHASE),
    TakeBack: (SCENE, PHASE),
    Withdraw: (SCENE, PHASE),
    DropSeal: (SCENE, PHASE),
    Pause: (SCENE, PHASE),
    Resume: (SCENE, PHASE),
    Undo: (SCENE, PHASE, REVISION),
    EndScene: (SCENE, PHASE),
    TellStory: (REVISION,),
    WishFor: (),
    AddCharacter: (REVISION,),
    RemoveCharacter: (REVISION,),
    StartScene: (SCENE, REVISION),
    PlayFor: (),
    SitOut: (SCENE, PHASE),
    LetHubPlay: (),
    NameEvening: (),
    SetTimer: (),
    Next: (SCENE, PHASE, REVISION),
    EndEvening: (SCENE,),
    Portray: (),
}
"""The parts of the version that must still be current when the command is carried out."""

_GONE_ON = {
    SCENE: Reason("other-scene"),
    PHASE: Reason("table-went-on"),
    REVISION: Reason("story-changed"),
}


_PLAYED = {None, Undoes.PLAY, Undoes.STEP}


def _parts(command: Command) -> tuple[str, ...]:
    """The parts that the command depends on. Undoing a deed, or a scene's start or end, does not
    depend on the phase."""
    named = isinstance(command, Undo) and command.what not in _PLAYED
    return (SCENE, REVISION) if named else BASED_ON[type(command)]


def stale(command: Command, now: Version) -> Reason | None:
    """Why the command is out of date, and what to do; None if nothing relevant has changed."""
    seen = command.version
    if seen is None:
        return None
    for part in _parts(command):
        if getattr(seen, part) != getattr(now, part):
            return Reason("look-again", why=_GONE_ON[part])
    return None
