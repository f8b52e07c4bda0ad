"""Checks on new names: players must be able to tell all names at the table apart."""

from collections.abc import Iterable

from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.table.state import SeatFault, Settings, TableState


def check_names(new: Iterable[str], known: Iterable[str], what: Reason) -> None:
    """Raises :class:`SeatFault` for the first ``new`` name that is invalid or too similar to
    another new or ``known`` one; ``what`` says which action fails because of it."""
    for name, fault in name_faults(new, known):
        # Escaped, because the name may contain lookalike characters.
        raise SeatFault(Reason("name-refused-in", what=what, name=ascii(name), fault=fault))


def people(state: TableState, settings: Settings) -> tuple[str, ...]:
    """All names of characters at this table: from the configuration and the story."""
    told = state.story
    sheets = told.rules.sheets(told.state) if told else ()
    return (*(actor for actors in settings.seats.values() for actor in actors), *sheets)


def countdowns(state: TableState) -> tuple[str, ...]:
    """The names of the story's countdowns."""
    told = state.story
    if told is None:
        return ()
    return tuple(one.name for one in told.rules.view(told.state).countdowns)
