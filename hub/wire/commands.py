"""Commands: what a page, a dashboard or an MQTT client may ask of the table, as JSON.

``{"id": "7", "command": "decide", "actor": "ada", "choice": "opponent ninja"}``; see
:mod:`hub.wire.reading` and :mod:`hub.wire.replies`.

A page may also give a card to be sealed. No other channel may: what is not yet shown never goes to
a broker.
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
    """A request. ``id`` is the sender's, given back in the reply."""

    id: str = ""
    version: Version | None = None
    """The table's ``version`` as the sender saw it: nothing is done if it has gone on since.
    Without one the command is done however the table stands."""


class StartScene(Command, frozen=True, kw_only=True, tag="start-scene"):
    """Start a scene: the one that the configuration names or, where it is described here, one
    from the story."""

    scene: dict[str, Any] | None = None
    """A scene as the story knows it: its ``type``, a ``title``, and what the type has beside."""


class TellStory(Command, frozen=True, kw_only=True, tag="tell-story"):
    """Do something to the story; ``docs/rules/evening.md`` lists the deeds."""

    deed: dict[str, Any] | str
    """As typed values, or in its written form."""


class WishFor(Command, frozen=True, kw_only=True, tag="wish"):
    """Wish for something to be done to a character, for the GM to grant or to decline."""

    name: str
    wants: dict[str, Any] | None = None
    """The deed as typed values; without one the wish is taken back."""


class AddCharacter(Command, frozen=True, kw_only=True, tag="add-character"):
    """Bring somebody into the story: an NPC, or a player character into the reserve; from a
    sheet, from the text of a character file, or as one more NPC of those there are. From a seat
    where nobody plays: ask the GM for this player character."""

    sheet: dict[str, Any] | None = None
    """With the keys of a character file; ``docs/rules/characters.md`` lists them. ``ruleset`` may
    be left out; without ``npc`` it is one."""
    toml: str = ""
    """The text of a character file; without ``npc`` it is a player character."""
    seat: str = ""
    """The seat that is to play it. Without one a replacement takes over the seat of whom it
    replaces, and everybody else whom no seat names is played by the GM's."""
    like: str = ""
    """Without a sheet: an NPC of the story or its reserve, which the new one is like."""
    name: str = ""
    """Without a sheet: what the new one is called."""
    joins: bool = False
    """Whether a player character joins the party at once, between scenes, and does not wait in the
    reserve."""


class RemoveCharacter(Command, frozen=True, kw_only=True, tag="remove-character"):
    """Take an NPC out of the story that is no longer needed, or somebody out of the reserve. From a
    seat: whom it has asked for."""

    name: str


class EndScene(Command, frozen=True, kw_only=True, tag="end-scene"):
    """Close the scene, finished or not."""


class Decide(Command, frozen=True, kw_only=True, tag="decide"):
    """Make an open choice or declaration for ``actor`` (``gm``: as referee)."""

    actor: str
    choice: str


class Overrule(Command, frozen=True, kw_only=True, tag="overrule"):
    """The GM's word over what is being played. Between scenes it is a deed of the story."""

    holds: dict[str, Any]
    """What is to hold; ``docs/rules/windows.md`` lists it."""
    because: Annotated[str, Meta(min_length=1, max_length=MAX_WORD_CHARS)]


class DropSeal(Command, frozen=True, kw_only=True, tag="drop-seal"):
    """Drop an actor's sealed choice."""

    actor: str
    beside: bool = False
    """Drop the last card that lies beside the step instead."""


class Pause(Command, frozen=True, kw_only=True, tag="pause"):
    """Pause the table."""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """Let the table go on."""


class Undo(Command, frozen=True, kw_only=True, tag="undo"):
    """Take something back: what was played since the last reveal, or the newest deed of the story;
    a scene's start or end, if it is named."""

    what: Undoes | None = None
    """None: what was played or, where there is nothing of it, the newest deed."""
    to_seq: int | None = None
    """Number of the last record before it, as the console has it: nothing else is taken back."""


class PlayFor(Command, frozen=True, kw_only=True, tag="play-for"):
    """Play for a character whose player has left, or give it back. A seat may take its own
    character back."""

    actor: str
    on: bool


class SitOut(Command, frozen=True, kw_only=True, tag="sit-out"):
    """Let the scene go on without a character whose player has left, or with it again."""

    actor: str
    out: bool
    lasting: bool = False
    """Not for this scene alone, but until the character is said to be back; between scenes too."""


class LetHubPlay(Command, frozen=True, kw_only=True, tag="let-hub-play"):
    """Let the hub play for some, or no longer. A seat may take its own characters back."""

    actors: Annotated[tuple[str, ...], Meta(min_length=1, max_length=_MOST_ACTORS)]
    """Characters, or ``gm``: the hub then decides what the GM as referee is asked."""
    on: bool


class NameEvening(Command, frozen=True, kw_only=True, tag="name-evening"):
    """Give the evening a title, which the display shows between scenes; an empty one is that of the
    configuration."""

    title: Annotated[str, Meta(max_length=MAX_TITLE_CHARS)]


class SetTimer(Command, frozen=True, kw_only=True, tag="set-timer"):
    """Set how long there is to choose, from the next sealed step on. A timer that runs goes on as
    it is."""

    seconds: Annotated[float, Meta(ge=0, le=MOST_COMMIT_S)] | None = None
    """0: no timer; without it: as the configuration has it."""


class Next(Command, frozen=True, kw_only=True, tag="next"):
    """Do what comes next at the table, if there is one plain thing for the GM to do: take the
    sensible answer of the decision that the table waits for, end a scene that is over, start the
    one that the configuration names, go on after a pause. It seals nothing and reveals nothing."""


class EndEvening(Command, frozen=True, kw_only=True, tag="end-evening"):
    """End the evening, between scenes: the display shows how it went and thanks, until the next
    scene begins; with ``on`` false the evening goes on after all."""

    on: bool = True


class Portray(Command, frozen=True, kw_only=True, tag="portray"):
    """Show a character like this from now on. A seat may ask it for its own characters."""

    name: str
    portrait: Portrait
    """The whole of it. A picture has to be one that the hub keeps."""


class Commit(Command, frozen=True, kw_only=True, tag="commit"):
    """Seal a card for ``actor``, or set one beside the step. For pages alone."""

    actor: str
    choice: Sealed[Choice]


class TakeBack(Command, frozen=True, kw_only=True, tag="take-back"):
    """Take the sealed card of ``actor`` back; where points are counted out, the newest of them.
    For pages alone."""

    actor: str


class Withdraw(Command, frozen=True, kw_only=True, tag="withdraw"):
    """Take back what lies beside the step for ``actor``. For pages alone."""

    actor: str
    choice: Sealed[Choice] | None = None
    """A card that the same browser has set there; without one, all that lies there."""


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
"""Which parts of its version have to be the table's when the command is done."""

_GONE_ON = {
    SCENE: Reason("other-scene"),
    PHASE: Reason("table-went-on"),
    REVISION: Reason("story-changed"),
}


_PLAYED = {None, Undoes.PLAY, Undoes.STEP}


def _parts(command: Command) -> tuple[str, ...]:
    """What the command depends on: a deed is taken back whatever was played since."""
    named = isinstance(command, Undo) and command.what not in _PLAYED
    return (SCENE, REVISION) if named else BASED_ON[type(command)]


def stale(command: Command, now: Version) -> Reason | None:
    """What has happened since the sender looked, and what to do; None if nothing that matters."""
    seen = command.version
    if seen is None:
        return None
    for part in _parts(command):
        if getattr(seen, part) != getattr(now, part):
            return Reason("look-again", why=_GONE_ON[part])
    return None
