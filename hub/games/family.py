"""What a family of rules brings: its games, and the faces by which the other rooms use it.

A family is one or more rulesets that share an engine. Its rules are pure and lie in
``hub.games.FAMILY``; its faces lie in ``hub.games.FAMILY``, a module for each, and are imported
when they are first asked for. A family that lacks a face lacks what it is for, and plays.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from importlib import import_module
from importlib.util import find_spec
from random import Random
from typing import TYPE_CHECKING, Any, Protocol

from hub.games.faces import Faces
from hub.games.game import Choice, Consequence, Game, GameView
from hub.games.story import Story, StoryView
from hub.kernel.documents import Document
from hub.kernel.faults import Fault
from hub.kernel.reasons import Reason

if TYPE_CHECKING:
    import typer
    from msgspec import Struct


class House(Protocol):
    """House rules, as a family has read them."""

    @property
    def id(self) -> str:
        """The name of the ruleset that they make."""
        ...

    @property
    def base(self) -> str:
        """The ruleset that they are derived from."""
        ...


class Houses(Protocol):
    """How its house rules are written."""

    def read_house(self, document: Document) -> House:
        """What a file says. Raises :class:`hub.kernel.faults.Faulty` with every fault."""
        ...


class Sheet(Protocol):
    """A character, as a family has read it."""

    @property
    def ruleset(self) -> str:
        """By which it is made."""
        ...

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def npc(self) -> bool:
        """Whether the GM plays it."""
        ...


class Sheets(Protocol):
    """How its characters are written."""

    def read_sheet(
        self, document: Document, party: Collection[Any] | None = None, house: Any = None
    ) -> Sheet:
        """The character of a file, judged by the rules or by ``house`` rules; as one of a
        ``party`` if there is one. Raises :class:`hub.kernel.faults.Faulty` with every fault."""
        ...

    def read_layout(self, document: Document, house: Any = None) -> Sheet:
        """The character as it is written, whether or not the rules allow it. Raises
        :class:`hub.kernel.faults.Faulty` with every fault of the layout."""
        ...

    def write_sheet(self, sheet: Any) -> str:
        """The text of a file from which the sheet is read back as it is."""
        ...

    def as_values(self, sheet: Any) -> dict[str, Any]:
        """The sheet as JSON values, as the journal keeps it and its story reads it."""
        ...

    def of_story(self, state: Any) -> Iterable[Sheet]:
        """The sheets of a story's state, those in reserve too."""
        ...

    def summary(self, sheet: Any) -> Mapping[str, str]:
        """One line about it, for a table: column → text."""
        ...

    def entries(self, sheet: Any) -> Iterable[tuple[str, str]]:
        """Each value of its file with its keys, to show what changed."""
        ...

    def example(self) -> str:
        """A file with every key explained."""
        ...

    def samples(self) -> Mapping[str, str]:
        """Characters ready to play: their files' texts by name, in order."""
        ...


class Fresh(Protocol):
    """What the page needs on which a new player character is built."""

    def beginning(self, state: Any) -> "Struct":
        """What a character of this story's state can begin with, and those that are ready to be
        taken, for the family's own page."""
        ...


class Words:
    """How its games are told in plain English, line by line. A family says what it can say better.

    Only what everybody may see comes in here.
    """

    def card(self, choice: Choice) -> str:
        """What is printed on a card."""
        return (choice.value or choice.kind).replace("-", " ").title()

    def decided(self, who: str, choice: Choice) -> str:
        """What somebody has decided openly; ``who`` as it stands in a sentence."""
        return f"{who} decides: {choice}"

    def declared(self, who: str, choice: Choice) -> str:
        """What somebody has declared beside a step."""
        return f"{who} declares: {choice}"

    def held(self, holds: Mapping[str, Any]) -> str:
        """What holds by the GM's word; empty: its keys and values are told as they stand."""
        return ""

    def followed(self, came: Consequence) -> str:
        """What followed by the rules."""
        return str(came.__struct_config__.tag)

    def standing(self, view: GameView) -> Iterator[str]:
        """How a scene stands; the result last."""
        yield from ()

    def story(self, view: StoryView, *, between: bool) -> Iterator[str]:
        """How a story stands, but for its countdowns; ``between``: no scene is played."""
        yield from ()


class Playing:
    """How the hub's players play its games, and how much there is to read meanwhile.

    Without a word of the family they choose by chance among what is legal.
    """

    beside: str = ""
    """The kind of card that somebody lays beside a step now and then."""
    asks: Choice | None = None
    """What is declared by whoever would lay such a card and was not asked."""
    last_resort: Collection[Choice] = ()
    """What is chosen only where nothing else can be."""
    weighs: Collection[str] = ()
    """Kinds of choice that are weighed against each other by how gladly they are taken, though one
    of them is the sensible answer, or nobody has to make them: an answer to what was laid."""

    def liking(self, view: GameView | None, actor: str, choice: Choice) -> float:
        """How gladly somebody takes this, beside everything else that is legal: by what everybody
        sees alone. Twice as much is chosen twice as often; 0 is chosen where nothing else is."""
        return 1

    def made(
        self, view: GameView | None, kinds: Collection[str], actor: str, chance: Random
    ) -> Choice | None:
        """A choice of one of these kinds that is open to somebody awaited and is not offered: there
        are too many, such as cards of people's deck. By what everybody sees, and by chance."""
        return None

    def unasked(self, step: str, view: GameView | None, actor: str) -> Choice | None:
        """What somebody declares whom nobody asks, by what everybody sees alone; the hub's players
        do nothing else before."""
        return None

    def words(self, before: GameView | None, after: GameView | None) -> int:
        """How many words a display shows of what followed; 0 if nothing did."""
        return 0

    def shown(self, view: GameView | None) -> AbstractSet[object]:
        """Which cards lie face up, so that new ones can be told."""
        return frozenset()


class Demo(Protocol):
    """A table to try it at, with simulated readers."""

    @property
    def RULESET(self) -> str:
        """By which it is played."""
        ...

    @property
    def SEATS(self) -> str:
        """The ``[[seat]]`` sections of its ``hub.toml``."""
        ...

    @property
    def STORY(self) -> str:
        """The section ``[story]`` of it; empty without one."""
        ...

    def files(self) -> Mapping[str, str]:
        """The texts of its other files by their names; ``scene.toml`` among them."""
        ...

    def hands(self) -> Mapping[str, Sequence[Choice]]:
        """Seat → its cards."""
        ...


class Starter(Protocol):
    """What ``facedown init`` writes for a table of its own."""

    @property
    def RULESETS(self) -> Sequence[str]:
        """Those that a table can begin with."""
        ...

    def told(self, ruleset: str, language: str) -> tuple[str, str]:
        """The book's title, and a sentence about it for whoever has to choose one."""
        ...

    def fresh(self, ruleset: str, name: str, index: int) -> Sheet:
        """The character of player ``index`` (from 0) as it starts, with everything still to be
        told."""
        ...

    def npcs(self, ruleset: str) -> Sequence[Sheet]:
        """Whom the GM plays."""
        ...


class Dealing(Protocol):
    """Which cards its games are played with. A need is a card, what it is needed for, and how many
    of it one hand needs."""

    def now(self, ruleset: str, playing: Sequence[Any]) -> Iterable[tuple[Choice, Reason, int]]:
        """The cards of a hand that plays these characters as they are."""
        ...

    def later(self, ruleset: str, playing: Sequence[Any]) -> Iterable[tuple[Choice, Reason, int]]:
        """Those of one that some levels do not outgrow; without characters, of anybody's."""
        ...

    def of_table(
        self, ruleset: str, game: Mapping[str, Any]
    ) -> Iterable[tuple[str, Choice, Choice, Reason]]:
        """The cards of which the whole table has one, by a scene's description (empty: as the book
        has it). Each means one thing or another by the end that lies on a reader: what it is
        called (of a-z, 0-9 and -), what either end means, and what it is needed for."""
        ...

    def of_scene(self, ruleset: str, game: Mapping[str, Any]) -> Iterable[Sheet]:
        """The characters of a scene's description whose cards are their own, where no story has
        them; none: everybody's are alike."""
        ...

    def unknown(self, ruleset: str, choice: Choice, playing: Sequence[Any]) -> Reason | None:
        """Why this is no card of the ruleset, or of house rules that these play by."""
        ...


class Script(Protocol):
    """How its scenes are written for ``facedown resolve``."""

    @property
    def RULESETS(self) -> Sequence[str]:
        """Those that a script may name."""
        ...

    def play(
        self, document: Document, default: str, known: Sequence[str], house: Any = None
    ) -> Iterator[dict[str, Any]]:
        """Play a script (nothing is believed of its values yet). Yields an object for each
        step, then the closing one.

        ``default`` is the ruleset of a script that names none; ``known`` are all that one may
        name, those of other families too, for the fault of one that names another; ``house`` are
        this family's house rules, if some are given. Raises
        :class:`hub.kernel.faults.Faulty`, also in the middle: what was yielded stands.
        """
        ...


class Family:
    """A family of rules. Subclasses set what they have."""

    id: str
    """The name of its packages, and of the folder its pages are served from, ``js/games/ID``."""
    package: str = ""
    """Its folder, in which each of these may be missing: a module for each face, under the face's
    name or with the face in capitals; ``catalogues``, the texts of its pages and the sentences of
    its reasons; ``pages``, the scripts and styles of its pages."""
    games: tuple[Game[Any], ...]
    """Its rulesets; the first is the one that is meant where none is named."""
    scripts: tuple[str, ...] = ()
    """Rulesets of which there are scripts alone: no table plays them."""
    stories: tuple[Story[Any], ...] = ()
    """What lasts between scenes, by some of these rulesets."""

    def naming_faults(self, setup: Mapping[str, Any]) -> Iterable[Fault]:
        """What a sound setup of a scene brings in under a name that deceives. It is asked of files;
        what is played already goes on."""
        return ()

    page_types: Mapping[str, Any]
    """What its pages are sent of its own beside its views, such as deeds and sheets, by name: the
    types of their scripts are made from these."""
    words: Words
    """How its games are told."""
    playing: Playing
    """How the hub's players play its games."""
    script: Script | None
    """How its scenes are written for ``facedown resolve``; None: they cannot be."""
    sheets: Sheets | None
    """How its characters are written; None: there are no files of them."""
    sheet_commands: "typer.Typer | None"
    """What ``facedown sheet`` can do beside checking: commands whose names are not taken. Its
    epilog are examples, a line each, that stand in the help of ``facedown sheet``."""
    fresh: Fresh | None
    """What a new player character begins with; None: one comes by its file alone."""
    demo: Demo | None
    """A table to try it at; None: there is none."""
    starter: Starter | None
    """What ``facedown init`` writes; None: tables of it are set up by hand."""
    dealing: Dealing | None
    """Which cards are needed; None: those of its demo."""
    houses: Houses | None
    """How its house rules are written; None: there are none."""
    faces: Faces
    """What is printed on its cards and papers."""

    def __getattr__(self, name: str) -> Any:
        """A face that is asked for for the first time."""
        if name not in FACES:
            raise AttributeError(name)
        found = FACES[name]
        if self.package and find_spec(f"{self.package}.{name}"):
            module = import_module(f"{self.package}.{name}")
            found = getattr(module, name.upper(), module)
        setattr(self, name, found)
        return found


FACES: Mapping[str, Any] = {
    "page_types": {},
    "words": Words(),
    "playing": Playing(),
    "faces": Faces(),
    **dict.fromkeys(
        ("script", "sheets", "sheet_commands", "fresh", "demo", "starter", "houses", "dealing")
    ),
}
"""Each face, and what stands for one that a family lacks."""
