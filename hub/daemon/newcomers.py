"""A character that comes into the story by a command, with the keys of a character file."""

from hub.daemon.sheets.layout import read_layout
from hub.rules.triangle.characters.sheet import as_values
from hub.table.inputs import AddCharacter
from hub.table.state import SeatFault
from hub.wire import commands as c
from hub.wire.toml import Document, FileFault


def added_character(command: c.AddCharacter, ruleset: str) -> AddCharacter:
    """The table's input, for a story of this ruleset.

    Raises :class:`SeatFault` with every fault of the sheet's layout; what the rules say of it is
    for the table to judge.
    """
    if command.sheet is None:
        return AddCharacter({"name": command.name, "like": command.like})
    known = {"npc": True, "ruleset": ruleset}
    document = Document("sheet", "", {**known, **command.sheet})
    try:
        return AddCharacter(as_values(read_layout(document)))
    except FileFault as fault:
        faults = "; ".join(problem.text for problem in fault.problems)
        raise SeatFault(f"the character cannot join: {faults}") from None
