"""Names that are new at the table: whatever they name, people must be able to tell them apart."""

from collections.abc import Iterable

from hub.kernel.likeness import name_faults
from hub.kernel.reasons import Reason
from hub.table.state import SeatFault, Settings, TableState


def check_names(new: Iterable[str], known: Iterable[str], what: Reason) -> None:
    """Raises :class:`SeatFault` with the first of the ``new`` names that is no good beside the
    others and those ``known``; ``what`` says what cannot be done because of it."""
    for name, fault in name_faults(new, known):
        # Escaped: what looks like something else must not do so here.
        raise SeatFault(Reason("name-refused-in", what=what, name=ascii(name), fault=fault))


def people(state: TableState, settings: Settings) -> tuple[str, ...]:
    """Everybody who has a name at this table: in the configuration, in the story."""
    told = state.story
    sheets = told.rules.sheets(told.state) if told else ()
    return (*(actor for actors in settings.seats.values() for actor in actors), *sheets)


def countdowns(state: TableState) -> tuple[str, ...]:
    """What the story's countdowns are called."""
    told = state.story
    if told is None:
        return ()
    return tuple(one.name for one in told.rules.view(told.state).countdowns)
