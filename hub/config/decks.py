"""Decks for a table: which cards its characters and seats need, and the deck's file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from hub.cards.deck import Deck, read_decks, save_deck
from hub.cards.making import Hand, Missing, missing
from hub.config.loader import MAX_CONFIG_BYTES, load_config
from hub.config.output_section import OutputSections
from hub.config.settings import Config, Seat
from hub.config.starter import plain_name
from hub.config.story import load_scene
from hub.games.dealing import cast_of_scene, needs_later, needs_now, needs_of_table
from hub.games.family import Sheet
from hub.games.files import read_toml
from hub.games.game import RulesError
from hub.games.registry import game_of, rulebooks
from hub.games.sheets import load_house, load_sheet, sheets_of
from hub.journal import JournalRows
from hub.journal.chain import chained
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason
from hub.table.fold import fold
from hub.table.state import HubMisuse, TableState
from hub.wire.log import LogFault, decode_row


def sheets_in(journal: Path) -> list[Sheet]:
    """The characters of a journal's story; empty without a story.

    Raises :class:`Faulty` and :class:`hub.ports.JournalError`.
    """
    with JournalRows.read(journal) as reader:
        state = TableState(reader.table, rulebooks())
        try:
            for row in chained(reader.rows()):
                state = fold(state, decode_row(row))
        except (LogFault, HubMisuse) as fault:
            why = Reason("no-replay", fault=str(fault))
            raise Faulty(Fault((), why, str(journal))) from None
    if state.story is None:
        return []
    return [*sheets_of(state.story.rules.ruleset).of_story(state.story.state)]


def cast_of(config: Config) -> list[Sheet]:
    """The story's characters, from the journal or else their files. Raises as :func:`sheets_in`."""
    if config.story is None:
        return []
    journal = config.table.journal
    played = sheets_in(journal) if journal.exists() else []
    if played:
        return played
    house = load_house(config.story.rules)[1] if config.story.rules else None
    return [load_sheet(file, None, house) for file in config.story.characters]


def set_of(seat: Seat) -> str:
    """The set of the deck that a seat's new cards go into."""
    return seat.cards[0] if seat.cards else seat.name


def hands_of(config: Config, cast: Iterable[Sheet], *, later: bool = False) -> Iterator[Hand]:
    """The cards that each seat needs for its characters in ``cast``: those for now or, with
    ``later``, also those for later levels."""
    of = needs_later if later else needs_now
    people = [*cast]
    named = {name for seat in config.seats for name in seat.characters}
    for seat in config.seats:
        playing = tuple(
            sheet
            for sheet in people
            if sheet.name in seat.characters or (seat.gm and sheet.name not in named)
        )
        if playing:
            yield Hand(set_of(seat), playing, tuple(of(playing[0].ruleset, playing)))
        elif seat.gm and people and game_of(people[0].ruleset).gm_seals:
            yield Hand(set_of(seat), (), tuple(of(people[0].ruleset, ())))


MOST_PLAYERS = 15
_PLAYERS = 3


class Wanted(Struct, frozen=True):
    """A deck that is not for a configured table: for a ruleset and a number of players (None: 3),
    or for the characters in ``sheets``; with ``later``, also their cards for later levels."""

    ruleset: str
    players: int | None
    sheets: Sequence[Sheet] = ()
    later: bool = False
    game: Mapping[str, Any] = {}
    """A scene's description, which may define its own deck."""


class TableDeck(Struct, frozen=True):
    """A table's deck, and the game played with it."""

    deck: Deck
    hands: tuple[Hand, ...]
    rulesets: Mapping[str, Sequence[Sheet]]
    game: Mapping[str, Any] = {}
    """The description of the table's scene; empty without one."""

    def lacking(self, deck: Deck) -> list[Missing]:
        """The cards that the table needs and ``deck`` lacks."""
        return missing(deck, self.hands)


def hands_wanted(wanted: Wanted) -> list[Hand]:
    """The sets of the deck: one for each player and the GM, or one for each character; before them
    the cards that a table has once. Raises :class:`ValueError` for a number of players or a ruleset
    that is not possible."""
    if wanted.sheets:
        of = needs_later if wanted.later else needs_now
        hands: dict[str, list[Sheet]] = {}
        for sheet in wanted.sheets:
            hands.setdefault(plain_name(sheet.name) or "cards", []).append(sheet)
        found = [
            Hand(group, tuple(sheets), tuple(of(sheets[0].ruleset, sheets)))
            for group, sheets in hands.items()
        ]
        return [*_of_table(wanted.sheets[0].ruleset, wanted.game), *found]
    count = _PLAYERS if wanted.players is None else wanted.players
    if not 1 <= count <= MOST_PLAYERS:
        raise ValueError(f"{count} players: a deck is for 1 to {MOST_PLAYERS}, beside the GM")
    try:
        needs = tuple(needs_later(wanted.ruleset))
    except RulesError as error:
        raise ValueError(str(error.reason)) from None
    groups = [*(f"player-{n}" for n in range(1, count + 1)), "gm"]
    return [*_of_table(wanted.ruleset, wanted.game), *(Hand(each, (), needs) for each in groups)]


def wants_of_table(
    config: Path, outputs: OutputSections, *, later: bool
) -> tuple[Path, list[Hand]]:
    """The file of the deck that new cards go into, made if it is missing, and the cards that the
    table's seats need."""
    begun = _begin_deck(config)
    try:
        loaded = load_config(config, outputs)
        cast = cast_of(loaded)
        hands = [*hands_of(loaded, cast, later=later)]
        if not cast and loaded.scene is not None:
            _, setup = load_scene(loaded.scene.file)
            needs = tuple(needs_later(setup.ruleset))
            own = cast_of_scene(setup.ruleset, setup.game)
            hands = [*hands_of(loaded, own, later=later)]
            dealt = {hand.group for hand in hands}
            bare = [set_of(seat) for seat in loaded.seats if set_of(seat) not in dealt]
            hands += [Hand(group, (), needs) for group in bare]
        hands = [*_of_config(loaded, cast), *hands]
    except BaseException:
        if begun:
            begun.unlink(missing_ok=True)
        raise
    return loaded.table.deck, hands


def deck_of_table(config: Path, outputs: OutputSections) -> TableDeck:
    """The deck of a configuration's table. Raises :class:`Faulty`, :class:`JournalError`."""
    loaded = load_config(config, outputs)
    cast = cast_of(loaded)
    rulesets: dict[str, Sequence[Sheet]] = {}
    game: Mapping[str, Any] = {}
    for sheet in cast:
        rulesets[sheet.ruleset] = (*rulesets.get(sheet.ruleset, ()), sheet)
    if loaded.scene is not None:
        _, setup = load_scene(loaded.scene.file)
        game_of(setup.ruleset)
        rulesets.setdefault(setup.ruleset, ())
        game = setup.game
        if not cast:
            cast = cast_of_scene(setup.ruleset, game)
            rulesets[setup.ruleset] = cast
    hands = (*_of_config(loaded, cast), *hands_of(loaded, cast))
    return TableDeck(read_decks(loaded.table.decks), hands, rulesets, game)


def _of_config(config: Config, cast: Sequence[Sheet]) -> list[Hand]:
    """The cards that a table has once, from its scene or its story's book."""
    if config.scene is not None:
        _, setup = load_scene(config.scene.file)
        return _of_table(setup.ruleset, setup.game)
    return _of_table(cast[0].ruleset, {}) if cast else []


def _of_table(ruleset: str, game: Mapping[str, Any]) -> list[Hand]:
    needs = tuple(needs_of_table(ruleset, game))
    return [Hand("", (), needs)] if needs else []


def _begin_deck(config: Path) -> Path | None:
    """Create the configured deck if it does not exist, so that the configuration can be loaded.
    Returns its path; None if nothing was created."""
    values = read_toml(config, MAX_CONFIG_BYTES).values.get("table")
    given = values.get("deck") if isinstance(values, dict) else None
    if not isinstance(given, str) or not given or "\0" in given:
        return None
    path = config.absolute().parent / given
    if path.exists():
        return None
    with suppress(OSError):
        save_deck(path, Deck())
        return path
    return None
