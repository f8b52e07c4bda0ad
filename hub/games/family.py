"""A family of rules: its games, and the *faces* that the rest of the hub uses.

A family is one or more rulesets that share an engine. It is a package ``hub.games.FAMILY`` with
pure rules and one module for each face, imported on first use. A family without a certain face
still plays; it only lacks that feature.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from hub.games.faces import Faces
from hub.games.game import Choice, Game, GameView
from hub.games.stage import StageWords
from hub.games.story import Story
from hub.games.telling import Words
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.reasons import Reason

if TYPE_CHECKING:
    import typer
    from msgspec import Struct


class House(Protocol):
    """House rules as read by their family."""

    @property
    def id(self) -> str:
        """The id of the ruleset that they define."""

    @property
    def base(self) -> str:
        """The ruleset they are derived from."""


class Houses(Protocol):
    """Reads the files of a family's house rules."""

    def read_house(self, document: Document) -> House:
        """Read a file of house rules. Raises :class:`hub.kernel.faults.Faulty` with every fault."""


class Sheet(Protocol):
    """A character sheet as read by its family."""

    @property
    def ruleset(self) -> str:
        """The ruleset that the character is made for."""

    @property
    def name(self) -> str:
        """Unique in a story."""

    @property
    def npc(self) -> bool:
        """Whether the GM plays the character."""


class Sheets(Protocol):
    """Reads and writes a family's characters."""

    def read_sheet(
        self, document: Document, party: Collection[Any] | None = None, house: Any = None
    ) -> Sheet:
        """Read a file's character and check it against the rules or ``house`` rules, and as a
        member of ``party`` if given. Raises :class:`hub.kernel.faults.Faulty` with every fault."""

    def read_layout(self, document: Document, house: Any = None) -> Sheet:
        """Read a character without checking it against the rules. Raises
        :class:`hub.kernel.faults.Faulty` with every fault of the layout."""

    def write_sheet(self, sheet: Any) -> str:
        """The text of a file that reads back as the same sheet."""

    def as_values(self, sheet: Any) -> dict[str, Any]:
        """The sheet as JSON values, as the journal keeps it and its story reads it."""

    def of_story(self, state: Any) -> Iterable[Sheet]:
        """The sheets in a story's state, those in reserve included."""

    def summary(self, sheet: Any) -> Mapping[str, str]:
        """A table row about the character: column → text."""

    def entries(self, sheet: Any) -> Iterable[tuple[str, str]]:
        """Each key of the sheet's file with its value as text, to show what changed."""

    def example(self) -> str:
        """A sample file that explains every key."""

    def samples(self) -> Mapping[str, str]:
        """Ready-made characters: the texts of their files by name, in order."""


class Fresh(Protocol):
    """Data for the page on which a new player character is built."""

    def beginning(self, state: Any) -> "Struct":
        """The options for a new character in this story, in the form the family's page expects."""


class Playing:
    """How the hub's automatic players play a family's games, and how much text displays show.

    By default they choose at random among the legal choices.
    """

    beside: str = ""
    """The kind of card that the players occasionally lay beside a step; empty for none."""
    asks: Choice | None = None
    """The declaration after which a player is asked for a card of the kind ``beside``; None if
    there is no such declaration."""
    last_resort: Collection[Choice] = ()
    """Choices that the players make only if no other is legal."""
    weighs: Collection[str] = ()
    """Kinds of choice that the players pick by :meth:`liking` even if the step has a default
    answer. Optional choices may be among them, such as an answer to a card."""

    def liking(self, view: GameView | None, actor: str, choice: Choice) -> float:
        """The weight of a legal choice, from public information only. A choice of twice the weight
        is made twice as often; one of weight 0 only if there is no other."""
        return 1

    def made(
        self, view: GameView | None, kinds: Collection[str], actor: str, chance: Random
    ) -> Choice | None:
        """A random choice of one of these ``kinds`` that an awaited actor may make but is not
        offered, because there are too many to list, such as the cards of a real deck. None if there
        is no such choice. Uses public information only."""
        return None

    def unasked(self, step: str, view: GameView | None, actor: str) -> Choice | None:
        """A declaration that an actor makes without being asked, from public information only; None
        if it makes none. The hub's players make such declarations before anything else."""
        return None

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """How many words a display shows about the consequences between two views. The hub's
        players wait until people could have read them."""
        return 0

    def shown(self, view: GameView | None) -> AbstractSet[object]:
        """The cards that are face up, so that new ones can be recognised."""
        return frozenset()


class Demo(Protocol):
    """A table for trying out the family, with simulated readers."""

    @property
    def RULESET(self) -> str:
        """The ruleset that the demo is played by."""

    @property
    def SEATS(self) -> str:
        """The ``[[seat]]`` sections of the demo's ``hub.toml``."""

    @property
    def STORY(self) -> str:
        """The ``[story]`` section of the demo's ``hub.toml``; empty if there is none."""

    def files(self) -> Mapping[str, str]:
        """The texts of the demo's files besides ``hub.toml``, by name; ``scene.toml`` is one of
        them."""

    def hands(self) -> Mapping[str, Sequence[Choice]]:
        """The cards in each seat's hand: seat → cards."""


class Starter(Protocol):
    """The contents of a new table for ``facedown init``."""

    @property
    def RULESETS(self) -> Sequence[str]:
        """The rulesets that a new table can use."""

    def told(self, ruleset: str, language: str) -> tuple[str, str]:
        """The book's title, and a sentence that helps to choose the book, both in ``language``."""

    def fresh(self, ruleset: str, name: str, index: int) -> Sheet:
        """The starting character of player ``index``, counted from 0. Its texts are still to be
        written."""

    def npcs(self, ruleset: str) -> Sequence[Sheet]:
        """The NPCs that a new table of this ruleset starts with."""


class Dealing(Protocol):
    """The cards that a family's games need. Each entry of :meth:`now` and :meth:`later` holds a
    card, the reason it is needed, and how many copies a hand needs."""

    def now(self, ruleset: str, playing: Sequence[Any]) -> Iterable[tuple[Choice, Reason, int]]:
        """The cards that a hand needs for these characters now."""

    def later(self, ruleset: str, playing: Sequence[Any]) -> Iterable[tuple[Choice, Reason, int]]:
        """The cards that a hand needs for these characters over several levels; without characters,
        for any beginner."""

    def of_table(
        self, ruleset: str, game: Mapping[str, Any]
    ) -> Iterable[tuple[str, Choice, Choice, Reason]]:
        """The cards that the whole table shares, one of each. ``game`` is a scene's description; an
        empty one means the book's deck.

        Each card means one of two things, depending on which end is on the reader. An entry holds
        the card's name (a-z, 0-9 and -), the meaning of each end, and the reason it is needed.
        """

    def of_scene(self, ruleset: str, game: Mapping[str, Any]) -> Iterable[Sheet]:
        """The characters that need their own cards in a scene without a story; empty if all players
        use the same cards. ``game`` is the scene's description."""

    def unknown(self, ruleset: str, choice: Choice, playing: Sequence[Any]) -> Reason | None:
        """Why neither the ruleset nor the characters ``playing`` have this card; None if one of
        them does."""


class Script(Protocol):
    """Plays a family's scripts for ``facedown resolve``."""

    @property
    def RULESETS(self) -> Sequence[str]:
        """The rulesets that a script may name."""

    def play(
        self, document: Document, default: str, known: Sequence[str], house: Any = None
    ) -> Iterator[dict[str, Any]]:
        """Play a script whose values are not checked yet. Yields an object for each step, then the
        closing one.

        ``default`` is the ruleset of a script that names none. ``known`` are all rulesets,
        including those of other families, for the error message about an unknown one. ``house`` are
        this family's house rules, if given. Raises :class:`hub.kernel.faults.Faulty`, also midway;
        objects already yielded stay valid.
        """


class Family:
    """A family of rules. A subclass sets those of the attributes that differ from their
    defaults."""

    id: str
    """The name of the family's folder, and of the path that its pages are served from,
    ``js/games/ID``."""
    package: str = ""
    """The family's Python package. It may have a module for each face, with the face's name: the
    module is the face, unless it defines the face under that name in capitals. It may also have
    ``catalogues``, the texts of its pages and the sentences of its reasons, and ``pages``, the
    scripts and styles of its pages."""
    games: tuple[Game[Any], ...]
    """The family's rulesets; the first is the default. They may be in a module ``games`` of the
    package, as ``GAMES``: then they are imported when one of them is first played, and the family
    names their ids in ``rulesets``."""
    rulesets: tuple[str, ...]
    """The ids of ``games``, in order."""
    stories: tuple[Story[Any], ...]
    """The stories of those rulesets that have one; in the module ``games``, if there is one, as
    ``STORIES``."""
    story_rulesets: tuple[str, ...]
    """The ids of ``stories``, in order."""
    scripts: tuple[str, ...] = ()
    """Rulesets that have only scripts; no table can play them."""

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterable[Fault]:
        """The faults of deceptive names in a scene's ``setup``, which is valid otherwise. They are
        looked for before a scene begins, not while it is played."""
        return ()

    page_types: Mapping[str, Any]
    """The types of the data sent to the family's pages besides its views, such as deeds and sheets,
    by name. The types of the page scripts are generated from these."""
    words: Words
    """Puts the family's games into words."""
    stage: StageWords
    """Says the family's steps and verdicts, as its display does."""
    playing: Playing
    """How the hub's players play the family's games."""
    script: Script | None
    """Plays the family's scripts for ``facedown resolve``; None if it has no scripts."""
    sheets: Sheets | None
    """Reads and writes the family's characters; None if characters have no files."""
    sheet_commands: "typer.Typer | None"
    """The family's own subcommands of ``facedown sheet``, with names that no other subcommand
    has; None if it has none. The epilog holds examples, one a line, for the help of ``facedown
    sheet``."""
    fresh: Fresh | None
    """Data for building a player character on a page; None if characters come only from files."""
    demo: Demo | None
    """For ``facedown demo``; None if there is none."""
    starter: Starter | None
    """The contents of a new table for ``facedown init``; None if tables are set up by hand."""
    dealing: Dealing | None
    """The cards that the family's games need; None means those of its demo."""
    houses: Houses | None
    """Reads the family's house rules; None if there are none."""
    faces: Faces
    """The content of the family's printed cards and sheets."""

    def __getattr__(self, name: str) -> Any:
        """Return the face called ``name``, which is imported on first use."""
        if name not in FACES:
            raise AttributeError(name)
        found = FACES[name]
        module_name = f"{self.package}.{'games' if name == 'stories' else name}"
        if name in _OF_GAMES:
            found = tuple(each.ruleset for each in getattr(self, _OF_GAMES[name]))
        elif self.package and find_spec(module_name):
            module = import_module(module_name)
            found = getattr(module, name.upper(), module)
        setattr(self, name, found)
        return found

    def is_loaded(self) -> bool:
        """Whether the family's games have been imported."""
        return "games" in vars(self) or hasattr(type(self), "games")

    def load(self) -> None:
        """Import all that playing the family's games needs, because an import during play would
        make the table wait."""
        for name in PLAYED:
            getattr(self, name)


PLAYED = ("games", "stories", "words", "stage", "playing")
"""The faces that a table needs while it plays."""
_OF_GAMES = {"rulesets": "games", "story_rulesets": "stories"}
FACES: Mapping[str, Any] = {
    "games": (),
    "stories": (),
    **dict.fromkeys(_OF_GAMES, ()),
    "page_types": {},
    "words": Words(),
    "stage": StageWords(),
    "playing": Playing(),
    "faces": Faces(),
    **dict.fromkeys(
        ("script", "sheets", "sheet_commands", "fresh", "demo", "starter", "houses", "dealing")
    ),
}
"""Each face with the default for a family that lacks it."""
