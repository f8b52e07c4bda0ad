"""The Game protocol: what a rules system offers to the table that drives it.

The table knows seats, readers, seals and time. A game knows none of them. It knows *actors*
(characters, parties) and answers five questions about a frozen state: what is awaited now, may
this actor choose this, what could it choose, what follows when everybody awaited has chosen, and
what may everybody see. ``docs/decisions/0002-game-protocol.md`` shows how each book sits on it.

A state never holds a choice before its reveal: the table keeps those sealed and hands them over,
all at once, to :meth:`Game.advance`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct

from hub.kernel.faults import Fault
from hub.kernel.forms import Option
from hub.kernel.likeness import RESERVED
from hub.kernel.reasons import Reason, together

GM = RESERVED
"""The GM as referee. Not a character: no character or party may bear this name."""

MAX_WORD_CHARS = 1000
"""Longest name or text in what the GM says."""

MAX_CHOICE_CHARS = 200
"""Longest written form of a choice; nothing a book asks for comes near it."""
MAX_TOLD_CHARS = MAX_WORD_CHARS + MAX_CHOICE_CHARS
"""The same of one that bears what people tell (:attr:`Pending.texts`)."""


class RulesError(Exception):
    """Something that the rules do not allow; ``reason`` says what, and what to do."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class IllegalChoice(RulesError, ValueError):
    """An actor chose something that is not open to it now. The state is unchanged."""


class SetupError(RulesError, ValueError):
    """A scene cannot begin as described. ``faults`` lists everything that is wrong."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(together(each.said() for each in faults))
        self.faults = faults


class Kind(StrEnum):
    """How the choices of a step are made."""

    SEALED = "sealed"
    """In secret by everybody awaited; revealed at once when the last one is in."""
    OPEN = "open"
    """By a card laid face up; it counts as soon as it lies (a bid, a drawn card)."""
    DECISION = "decision"
    """By word: a button of the seat's page or the GM's, or a card that says it."""


class Choice(Struct, frozen=True, order=True):
    """What one actor chooses, in the book's words: ``move attack-high``, ``stance grapple 3``.

    ``kind`` is the sort of choice (and the sort of card that makes it); ``value`` is the rest, in
    the grammar of the game. The written form is the two with a space between.
    """

    kind: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.value}".rstrip()

    @classmethod
    def parse(cls, text: str, most: int = MAX_CHOICE_CHARS) -> Self:
        """Read the written form, of at most so many characters. Raises :class:`IllegalChoice` on
        empty or overlong text, and on more than one line."""
        if (lines := len(text.strip().splitlines())) > 1:
            raise IllegalChoice(Reason("one-line", count=lines))
        kind, _, value = text.strip().partition(" ")
        if not kind or len(text) > most or not text.isprintable():
            raise IllegalChoice(Reason("choice-form", most=most))
        return cls(kind, value.strip())


OVERRULE = "overrule"
"""What the GM's word begins with where it is text."""


class Word(Struct, frozen=True, kw_only=True):
    """The GM's word over anything that is being played, with its reason."""

    holds: dict[str, Any]
    """What is to hold, as JSON values for the rules to check."""
    because: str


class Fall(Struct, frozen=True, kw_only=True):
    """What the bytes of chance came to, with what it was worked out from beside the choices:
    whoever has these can work it out again."""

    on: dict[str, Any]
    """What they fell on, of what everybody could know, as JSON values: the cards in a deck."""
    came: dict[str, Any]
    """What they came to, as JSON values: dice, cards."""


class Pending(Struct, frozen=True):
    """What a game waits for now."""

    step: str
    """The step's name in the book's words, such as ``stance``; ``over`` at the end."""
    kind: Kind
    must: tuple[str, ...]
    """Actors that have to choose, in table order; empty only when the game is over."""
    kinds: tuple[str, ...]
    """Kinds of :class:`Choice` that fit this step; a card of another kind is refused."""
    may: tuple[str, ...] = ()
    """Actors that may set something beside it (a special) but need not, as far as is public."""
    beside: tuple[str, ...] = ()
    """Kinds of choice that these may set beside the step: beside a sealed one sealed by a tap, and
    shown with it; beside a decision laid openly, and in force at once."""
    declarations: tuple[str, ...] = ()
    """Kinds of choice that may be declared openly at any moment of this step."""
    chance: bool = False
    """Whether :meth:`Game.advance` will use ``chance``: the table then commits to it beforehand."""
    one_of: tuple[tuple[str, ...], ...] = ()
    """Groups among ``must`` in which one chooses for all: once somebody has, nobody else of the
    group is awaited. Whoever is in no group is awaited anyway; nobody is in two."""
    asides: tuple[str, ...] = ()
    """Kinds of card that are read, where nothing is sealed, as a declaration of whoever at the seat
    may make it, awaited or not. What somebody awaited may choose by the card goes first."""
    early: tuple[str, ...] = ()
    """Kinds of card that are laid for a step to come, where nothing is sealed: such a card means
    nothing in this one, and is read in the first that does not name its kind here."""
    anew: int = 0
    """How often this has been asked anew. Where it becomes another number, choices that were made
    in the step stand no more."""
    texts: tuple[str, ...] = ()
    """Kinds of choice whose value is what people tell, in up to ``MAX_WORD_CHARS`` characters."""
    stops: int = 0
    """How many stops have been made so far. Where it becomes another number an undo of what was
    played goes back no further, as it does at a reveal: for games that seal nothing."""
    stands: bool = False
    """Whether an open choice of this step stands once it is made: somebody has seen what it says,
    such as dice that lie on the table. Elsewhere people may think again until all have chosen."""
    settled: bool = False
    """Whether nothing is left undecided if the scene is closed here, though it is not over."""

    def most_chars(self, kind: str) -> int:
        """Longest written form of an open choice of this kind, or of a declaration."""
        return MAX_TOLD_CHARS if kind in self.texts else MAX_CHOICE_CHARS


class Bounds(Struct, frozen=True):
    """Points that are spread over several types: whatever keeps within this is open."""

    total: int
    """Exactly so many."""
    least: dict[str, int]
    """At least so many of a type; of one that is not named, none."""
    most: dict[str, int]
    """At most so many of each."""
    of: str
    """Whose points they are."""


TAKE_BACK = Choice("take-back")
"""A card of any family whose points are counted out: tapped, it takes the newest point back."""


class Tally(Struct, frozen=True):
    """Points that somebody counts out card by card, until there are enough."""

    points: tuple[str, ...]
    """The type of each point, in the order in which they were counted."""
    total: int
    """How many there have to be."""
    choice: Choice | None = None
    """What they make once all are there."""


class Offer(Struct, frozen=True):
    """A choice put before an actor, and why it cannot be taken, if it cannot."""

    choice: Choice
    reason: Reason | None = None
    """Why it is not open now; None when it is."""
    default: bool = False
    """The sensible answer, one press away."""
    bounds: Bounds | None = None
    """Of a default among too many answers to list: what bounds all of them."""


class GameView(Struct, frozen=True, kw_only=True, tag_field="ruleset"):
    """What everybody at the table may see of a game: each game adds its own public fields. Which
    step it is in stands beside it."""


class Consequence(Struct, frozen=True, kw_only=True, tag_field="what"):
    """Something that followed by the rules, in no language: each game adds its own, and pages and
    the command put them into words."""


StateT = TypeVar("StateT")


class Game(Protocol[StateT]):
    """A rules system. Every method is pure: same arguments, same answer, nothing changed."""

    @property
    def ruleset(self) -> str:
        """Its id, by which scenes, files and logs name it."""
        ...

    @property
    def rulings(self) -> int:
        """The version of its rulings by which a scene that begins now is played."""
        ...

    @property
    def gm_seals(self) -> bool:
        """Whether the GM, too, has something to choose in sealed steps: then the GM is among those
        whose cards the GM's reader reads."""
        ...

    def begin(self, setup: Mapping[str, Any], rulings: int = ...) -> StateT:
        """Start a scene from its description (JSON values), by a version of the rulings: a log of
        an older one goes on as it was played. Raises :class:`SetupError`."""
        ...

    def actors(self, state: StateT) -> tuple[str, ...]:
        """Every actor of the scene, in table order; the GM is not among them."""
        ...

    def sides(self, state: StateT) -> tuple[str, ...]:
        """What the sides of the scene are called; empty where there are none."""
        ...

    def pending(self, state: StateT) -> Pending:
        """What is awaited now."""
        ...

    def why_not(
        self, state: StateT, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> Reason | None:
        """Why ``actor`` may not choose ``choice`` now; None if it may.

        ``beside`` is what this actor has set beside the step already, in that order: whether one
        more may lie with it is for the rules to say. Depends on the state and on the actor's own
        cards alone, never on what others have sealed.
        """
        ...

    def means(self, state: StateT, actor: str) -> Mapping[str, Any]:
        """What ``actor``'s own cards do that have to be explained, by the choice's written form, as
        values of the family's own: for the player's page alone."""
        ...

    def counts(self, state: StateT, actor: str, card: Choice) -> tuple[str, ...]:
        """The points that a card counts for ``actor`` where points are spread, a type for each;
        empty where it counts none: then it is a choice like any other."""
        ...

    def tally(self, state: StateT, actor: str, points: Sequence[str]) -> Tally:
        """How far these points go. Raises :class:`IllegalChoice` where they are too many, or too
        many of a type, or leave too little room for what has to be."""
        ...

    def offers(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """What to put before ``actor`` now: for buttons and pages. A choice that passes
        :meth:`why_not` need not be listed where there are too many (splits)."""
        ...

    def closed(self, state: StateT, actor: str) -> Mapping[Choice, Reason]:
        """What an actor has and cannot choose for now, whether it is asked or not, and why: for
        its own sheet."""
        ...

    def stand_in(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """What the GM may choose for an actor that has not chosen in time."""
        ...

    def sit_out(self, state: StateT, actor: str, *, out: bool) -> StateT:
        """What follows if the scene goes on without ``actor``, whose player has left; not ``out``:
        if it takes part again. Raises :class:`IllegalChoice` with one sentence where that cannot
        be now, or never."""
        ...

    def advance(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> StateT:
        """Everybody in ``pending(state).must`` has chosen, or one of each group: what follows.

        ``chance`` is 32 random bytes when ``pending(state).chance``; ``beside`` is what some in
        ``pending(state).may`` have set beside the step, each in the order of laying. Raises
        :class:`IllegalChoice`, and changes nothing, if a choice is missing or not legal.
        """
        ...

    @property
    def shows_setup(self) -> bool:
        """Whether everybody may know all that a scene of it begins with: then it stands in the log,
        and ``facedown verify`` follows the scene by these rules."""
        ...

    @property
    def asks_chance(self) -> Mapping[str, str]:
        """Of a game that does not show its setup, and does not tell what chance came to: the kinds
        of open choice whose steps have chance, each with the kind of card that asks for it."""
        ...

    @property
    def texts(self) -> tuple[str, ...]:
        """Of a game that does not show its setup: what :attr:`Pending.texts` names in any of its
        steps."""
        ...

    @property
    def tells_falls(self) -> bool:
        """Whether it says what chance came to, in each of its steps that have chance."""
        ...

    def falls_on(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> Mapping[str, Any]:
        """What the chance of this step falls on beside the choices, as JSON values of what
        everybody may know. The arguments are those of :meth:`advance`, and legal."""
        ...

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> Mapping[str, Any]:
        """What chance comes to, as JSON values, of these three alone: what :meth:`advance` goes on
        with, and what ``facedown verify`` works out again. It never changes for the same arguments.

        Raises :class:`ValueError` where chance cannot fall on this.
        """
        ...

    def declare(self, state: StateT, actor: str, choice: Choice) -> StateT:
        """What follows from an open declaration (``Pending.declarations``), or from a card laid
        openly beside a decision (``Pending.beside``). Raises :class:`IllegalChoice`."""
        ...

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """What the GM can overrule now, by ``what``, each with its fields; empty where nothing is
        open."""
        ...

    @property
    def holds_type(self) -> Any:
        """What can hold by the GM's word, a struct or several in a union, for descriptions of what
        is public; None where nothing is overruled."""
        ...

    def word(self, state: StateT, given: Word | str) -> Word:
        """The GM's word as the journal keeps it, from values or, as logs of version 0.1.0 have it,
        from text. Raises :class:`IllegalChoice` for what is none, or cannot be said now."""
        ...

    def overrule(self, state: StateT, word: Word) -> StateT:
        """What follows from the GM's word. Raises :class:`IllegalChoice`."""
        ...

    def turn(self, state: StateT) -> int:
        """The number of the current turn or round, from 1; 0 before the first."""
        ...

    def view(self, state: StateT) -> GameView:
        """What everybody may see, built field by field from what is public."""
        ...

    @property
    def view_type(self) -> type[GameView]:
        """The type of :meth:`view`'s answer, for descriptions of what is public."""
        ...

    def consequences(self, before: Any, after: Any) -> Sequence[Consequence]:
        """What led from one public view of a scene to the next; ``before`` is None at its
        start."""
        ...
