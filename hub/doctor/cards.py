"""Checks the deck against the table's games. Cards are counted, never named."""

from collections.abc import Iterator
from pathlib import Path

from hub.cards.making import strangers
from hub.config.decks import deck_of_table
from hub.config.settings import Config
from hub.daemon.outputs import OUTPUTS
from hub.doctor.findings import Finding
from hub.kernel.faults import Faulty
from hub.ports import JournalError
from hub.readers.verdicts import Level


def cards(file: Path, config: Config) -> Iterator[Finding]:
    """Whether every hand has the cards it needs, and each card a tag."""
    where = str(config.table.deck)
    try:
        table = deck_of_table(file, OUTPUTS)
    except (Faulty, JournalError) as error:
        values = {"fault": str(error).splitlines()[0]}
        yield Finding("deck", "deck-unread", Level.WRONG, where, values)
        return
    in_play = [piece for piece in table.deck.pieces if piece[0].in_play]
    if not in_play:
        yield Finding("deck", "deck-empty", Level.NOTE, where)
        return
    lacking = sum(each.need.count - each.has for each in table.lacking(table.deck))
    if lacking:
        yield Finding("deck", "cards-missing", Level.NOTE, where, {"count": lacking})
    unknown = len(strangers(table.deck, table.rulesets))
    if unknown:
        yield Finding("deck", "cards-unknown", Level.NOTE, where, {"count": unknown})
    unwritten = sum(not all(end.has_tag for end in piece) for piece in in_play)
    if unwritten:
        counts = {"count": unwritten, "all": len(in_play)}
        yield Finding("deck", "cards-unwritten", Level.NOTE, where, counts)
    if not lacking and not unknown and not unwritten:
        yield Finding("deck", "deck", Level.OK, where, {"count": len(in_play)})
