"""The characters played at a table, and the cards that each seat needs for them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from hub.cards.making import Hand
from hub.config.settings import Config, Seat
from hub.games.dealing import needs_later, needs_now
from hub.games.family import Sheet
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
    """The characters of the story in a journal, as the last closed scene and the GM's deeds left
    them; empty without a story. Raises :class:`Faulty` and :class:`hub.ports.JournalError`."""
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
    """All characters of a table's story: from the journal if it has been played, else from their
    files. Raises :class:`Faulty` and :class:`hub.ports.JournalError`."""
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
    """The cards that each seat needs for its characters of this cast, now or some levels later."""
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
