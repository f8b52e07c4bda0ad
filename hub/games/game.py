"""The Game protocol: the interface between a rules system and the table.

The table knows seats, readers, seals and time. A game knows none of them. It knows *actors*
(characters, parties) and answers five questions about a frozen state: what is awaited now, may this
actor choose this, what could it choose, what follows once every awaited actor has chosen, and what
is public. ``docs/games/protocol.md`` shows how each book fits.

A state never holds a choice before its reveal. The table keeps choices sealed and hands them over,
all at once, to :meth:`Game.advance`.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any, Protocol, Self, TypeVar

from msgspec import Struct

from hub.kernel.bounds import RESERVED, Bound
from hub.kernel.faults import Fault
from hub.kernel.forms import Option
from hub.kernel.reasons import Reason, together

GM = RESERVED
"""The GM as referee, which is not a character. No character or party may have this name."""

MAX_WORD_CHARS = 1000
"""The longest name or text in an overrule, in characters."""
LINE = Bound(least=1, most=MAX_WORD_CHARS, padded=False)
"""A printable line, not empty and without spaces at its ends, so that it can be repeated exactly at
the table."""

MAX_CHOICE_CHARS = 200
"""The longest written form of a choice, in characters. No choice in a book comes near it."""
MAX_TOLD_CHARS = MAX_WORD_CHARS + MAX_CHOICE_CHARS
"""The longest written form, in characters, of a choice that carries narration
(:attr:`Pending.texts`)."""


class RulesError(Exception):
    """Raised when the rules do not allow something. ``reason`` says what, and what to do
    instead."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class IllegalChoice(RulesError, ValueError):
    """Raised when an actor may not choose something now. The state is unchanged."""


class Refused(RulesError):
    """Raised when the rules refuse a value that has parts. ``part`` holds the keys that lead to the
    wrong part, such as ``("fate", "fatal")``; it is empty if the whole value is refused."""

    def __init__(self, part: str | tuple[str | int, ...], why: Reason) -> None:
        super().__init__(why)
        self.part = (part,) if isinstance(part, str) and part else tuple(part)

    def within(self, *around: str | int) -> "Refused":
        """The same refusal for an enclosing value: its part begins with the keys ``around``."""
        return Refused((*around, *self.part), self.reason)


class SetupError(RulesError, ValueError):
    """Raised when a scene cannot begin as described. ``faults`` lists every fault."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(together(each.said() for each in faults))
        self.faults = faults


class Kind(StrEnum):
    """How the choices of a step are made."""

    SEALED = "sealed"
    """Every awaited actor chooses in secret; all choices are revealed when the last one is in."""
    OPEN = "open"
    """An actor lays a card face up, which counts once it is read (a bid, a drawn card)."""
    DECISION = "decision"
    """An actor chooses openly: by a button on the seat's or the GM's page, or by a card with that
    meaning."""


class Choice(Struct, frozen=True, order=True):
    """One actor's choice, in the book's terms: ``move attack-high``, ``stance grapple 3``.

    ``kind`` is the sort of choice, and of the card that makes it. ``value`` is the rest, in the
    game's own grammar. The written form joins the two with a space.
    """

    kind: str
    value: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.value}".rstrip()

    @classmethod
    def written(cls, text: str) -> Self:
        """A choice from its written form in an event, which is not checked again."""
        kind, _, value = text.partition(" ")
        return cls(kind, value)

    @classmethod
    def parse(cls, text: str, most: int = MAX_CHOICE_CHARS) -> Self:
        """Read the written form, of at most ``most`` characters. Raises :class:`IllegalChoice` if
        it is empty, too long or not one printable line."""
        if (lines := len(text.strip().splitlines())) > 1:
            raise IllegalChoice(Reason("one-line", count=lines))
        kind, _, value = text.strip().partition(" ")
        if not kind or len(text) > most or not text.isprintable():
            raise IllegalChoice(Reason("choice-form", most=most))
        return cls(kind, value.strip())


class Word(Struct, frozen=True, kw_only=True):
    """The GM's overrule of something in play, with the reason for it."""

    holds: dict[str, Any]
    """The overrule as JSON values, which the rules check."""
    because: str


class Fall(Struct, frozen=True, kw_only=True):
    """The result of random bytes, with the public input it was computed from (besides the choices),
    so that anyone can recompute it."""

    on: dict[str, Any]
    """The public input as JSON values, such as the cards in a deck."""
    came: dict[str, Any]
    """The result as JSON values: dice, cards."""


class Pending(Struct, frozen=True):
    """The choices that a game waits for now."""

    step: str
    """The step's name in the book's terms, such as ``stance``; ``over`` at the end."""
    kind: Kind
    must: tuple[str, ...]
    """Actors that have to choose, in table order; empty only when the game is over."""
    kinds: tuple[str, ...]
    """Kinds of :class:`Choice` that fit this step. A card of another kind is refused."""
    may: tuple[str, ...] = ()
    """Actors that may add a card (a special) but need not, as far as is public."""
    beside: tuple[str, ...] = ()
    """Kinds of choice that the actors in ``may`` may add. Beside a sealed step they are sealed by a
    tap and revealed with it; beside a decision they are laid openly and take effect at once."""
    declarations: tuple[str, ...] = ()
    """Kinds of choice that may be declared openly at any moment of this step."""
    chance: bool = False
    """Whether :meth:`Game.advance` will use ``chance``; the table then commits to it in advance."""
    one_of: tuple[tuple[str, ...], ...] = ()
    """Groups among ``must`` in which one actor chooses for all. After that choice no other member
    is awaited. An actor is in at most one group; an actor in no group is always awaited."""
    asides: tuple[str, ...] = ()
    """Kinds of card that count as a declaration while nothing is sealed, even by an actor that is
    not awaited. If the card is also a legal choice of an awaited actor, it counts as that
    choice."""
    early: tuple[str, ...] = ()
    """Kinds of card that may be laid early, while nothing is sealed. Such a card means nothing in
    this step and is read in the first later step that does not list its kind here."""
    anew: int = 0
    """How often this step has been asked again. A new number voids the choices already made."""
    texts: tuple[str, ...] = ()
    """Kinds of choice whose value is narration of up to ``MAX_WORD_CHARS`` characters."""
    stops: int = 0
    """How many undo barriers there have been so far. When the number changes, an undo does not go
    back past that point, as at a reveal."""
    stands: bool = False
    """Whether an open choice of this step is final, because its content has been seen, such as dice
    on the table. In other steps actors may change their choice until all have chosen."""
    settled: bool = False
    """Whether nothing is undecided at this step: a scene that is closed here was played to its
    end."""

    def most_chars(self, kind: str) -> int:
        """The longest written form, in characters, of an open choice or a declaration of this
        kind."""
        return MAX_TOLD_CHARS if kind in self.texts else MAX_CHOICE_CHARS


class Bounds(Struct, frozen=True):
    """Limits for points spread over several types. Any spread within them is legal."""

    total: int
    """The exact sum."""
    least: dict[str, int]
    """The least points of each type; 0 for a type not listed."""
    most: dict[str, int]
    """The most points of each type."""
    of: str
    """The actor that spreads the points."""


TAKE_BACK = Choice("take-back")
"""A card of any family whose points are counted card by card: a tap takes back the newest point."""


class Tally(Struct, frozen=True):
    """Points counted card by card until the total is reached."""

    points: tuple[str, ...]
    """The type of each point, in the order counted."""
    total: int
    """How many points are needed."""
    choice: Choice | None = None
    """The choice that the points make once the total is reached; None before."""


class Offer(Struct, frozen=True):
    """A choice offered to an actor, with the reason if it is not open now."""

    choice: Choice
    reason: Reason | None = None
    """Why the choice is not open now; None if it is."""
    default: bool = False
    """Whether this is the sensible answer, which the page offers as a single button."""
    bounds: Bounds | None = None
    """The limits of all answers, if there are too many to list; set only on the default."""


class GameView(Struct, frozen=True, kw_only=True, tag_field="ruleset"):
    """The public view of a game; each game adds its own fields. The current step is published
    separately."""


class Consequence(Struct, frozen=True, kw_only=True, tag_field="what"):
    """Something that happened by the rules, independent of language. Each game adds its own kinds;
    pages and commands put them into words."""


StateT = TypeVar("StateT")


class Game(Protocol[StateT]):
    """A rules system. Every method is pure: it changes nothing and uses only its arguments."""

    @property
    def ruleset(self) -> str:
        """The ruleset's id, used in scenes, files and logs."""

    @property
    def rulings(self) -> int:
        """The version of the rulings used for a scene that begins now."""

    @property
    def gm_seals(self) -> bool:
        """Whether the GM also chooses in sealed steps, by cards on the GM's reader."""

    def begin(self, setup: Mapping[str, Any], rulings: int = ...) -> StateT:
        """Start a scene from its description (JSON values) under a version of the rulings, so that
        a log replays unchanged after the rulings have changed. Raises :class:`SetupError`."""

    def actors(self, state: StateT) -> tuple[str, ...]:
        """Every actor of the scene in table order, without the GM."""

    def sides(self, state: StateT) -> tuple[str, ...]:
        """The names of the scene's sides; empty if it has none."""

    def pending(self, state: StateT) -> Pending:
        """The choices awaited now, and the actors that have to make them."""

    def why_not(
        self, state: StateT, actor: str, choice: Choice, beside: Sequence[Choice] = ()
    ) -> Reason | None:
        """Why ``actor`` may not choose ``choice`` now; None if it may.

        ``beside`` holds the cards that this actor has already added to the step, in order; the
        rules say whether one more is allowed. The answer depends only on the state and the actor's
        own cards, never on the sealed choices of others.
        """

    def means(self, state: StateT, actor: str) -> Mapping[str, Any]:
        """Explanations of ``actor``'s own cards, for the player's page only: a card's written form
        → values in a form that the family's page knows."""

    def counts(self, state: StateT, actor: str, card: Choice) -> tuple[str, ...]:
        """The type of each point that a card counts for ``actor`` while points are spread. Empty if
        the card counts none: it is then an ordinary choice."""

    def tally(self, state: StateT, actor: str, points: Sequence[str]) -> Tally:
        """The tally of these points. Raises :class:`IllegalChoice` if they are too many, too many
        of one type, or leave too little room for required ones."""

    def offers(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """The choices to offer ``actor`` now, for buttons and pages. If there are too many
        (splits), not every choice that passes :meth:`why_not` is listed."""

    def closed(self, state: StateT, actor: str) -> Mapping[Choice, Reason]:
        """The cards that an actor has but cannot use for now, each with the reason, whether or not
        the actor is asked to choose. They are shown with the actor's own sheet."""

    def stand_in(self, state: StateT, actor: str) -> tuple[Offer, ...]:
        """The choices that the GM may make for an actor that has not chosen in time."""

    def sit_out(self, state: StateT, actor: str, *, out: bool) -> StateT:
        """The state after ``actor``, whose player has left, was taken out of the scene or, with
        ``out`` false, brought back. Raises :class:`IllegalChoice` if that is not possible."""

    def advance(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        chance: bytes = b"",
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> StateT:
        """The state after every actor in ``pending(state).must``, or one of each group, has chosen.

        ``chance`` is 32 random bytes when ``pending(state).chance``. ``beside`` holds the cards
        that actors in ``pending(state).may`` added to the step, each actor's in order. Raises
        :class:`IllegalChoice`, and changes nothing, if a choice is missing or illegal.
        """

    def sheet(self, state: StateT, actor: str) -> Any:
        """The actor's sheet at the start of a scene without a story, for its player's page, in the
        form of a story's sheets; None if the page shows none. Asked only where the setup is
        shown."""

    @property
    def shows_setup(self) -> bool:
        """Whether a scene's setup is fully public. It is then written to the log, and ``facedown
        verify`` replays the scene by these rules."""

    @property
    def asks_chance(self) -> Mapping[str, str]:
        """The kinds of open choice that use chance, each with the kind of card that must be shown
        before. Needed only if the game neither shows its setup nor tells the results of chance."""

    @property
    def texts(self) -> tuple[str, ...]:
        """All kinds that :attr:`Pending.texts` has in any step. Needed only if the setup is not
        shown."""

    @property
    def tells_falls(self) -> bool:
        """Whether the game publishes the result of chance in every step that uses it."""

    def falls_on(
        self,
        state: StateT,
        choices: Mapping[str, Choice],
        beside: Mapping[str, Sequence[Choice]] = {},
    ) -> Mapping[str, Any]:
        """The public input for this step's chance, besides the choices, as JSON values. The
        arguments are those of :meth:`advance` and are legal."""

    def fall(
        self, on: Mapping[str, Any], choices: Mapping[str, Choice], chance: bytes
    ) -> Mapping[str, Any]:
        """The result of chance as JSON values, computed from these arguments alone: :meth:`advance`
        uses it and ``facedown verify`` recomputes it. It never changes for the same arguments.

        Raises :class:`ValueError` if ``on`` does not fit.
        """

    def declare(self, state: StateT, actor: str, choice: Choice) -> StateT:
        """The state after an open declaration (``Pending.declarations``), or after a card was
        added openly to a decision (``Pending.beside``). Raises :class:`IllegalChoice` if it is
        not legal."""

    def overrules(self, state: StateT) -> tuple[Option, ...]:
        """The overrules that the GM can make now: each option's value is the overrule's tag (its
        ``what`` in JSON), with the fields it needs. Empty if there are none."""

    @property
    def holds_type(self) -> Any:
        """The type of an overrule, a struct or a union of several, used to document public data.
        None if the game has no overrules."""

    def word(self, state: StateT, given: Word) -> Word:
        """The overrule in the form the journal keeps. Raises :class:`IllegalChoice` if it is
        malformed or not possible now."""

    def overrule(self, state: StateT, word: Word) -> StateT:
        """The state after an overrule. Raises :class:`IllegalChoice` if it is malformed or not
        possible."""

    def turn(self, state: StateT) -> int:
        """The number of the current turn or round, from 1; 0 before the first."""

    def view(self, state: StateT) -> GameView:
        """The public view, built field by field from public data."""

    @property
    def view_type(self) -> type[GameView]:
        """The type that :meth:`view` returns, used to document public data."""

    def consequences(self, before: Any, after: Any) -> Sequence[Consequence]:
        """The consequences that led from one public view of a scene to the next; ``before`` is None
        at the start."""


ViewT = TypeVar("ViewT", bound=Struct)


def view_of(view: type[ViewT], of: object, **own: Any) -> ViewT:
    """Make a view of type ``view``: each field is in ``own`` or is copied from ``of``. Fields of
    ``of`` that the view does not have are never shown."""
    for name in view.__struct_fields__:
        if name not in own:
            own[name] = getattr(of, name)
    return view(**own)
