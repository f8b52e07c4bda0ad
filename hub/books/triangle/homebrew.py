"""House rules from a TOML file: every fault is told at once, each with its line.

``docs/rules/homebrew.md`` describes the file, :mod:`hub.rules.triangle.house` reads its values.
"""

from hub.rules.toml import Document, FileFault
from hub.rules.triangle.edition import Edition
from hub.rules.triangle.house import HouseError, derive, naming_faults


# book: elements.without
def read_house(document: Document) -> Edition:
    """The ruleset that a file describes. Raises :class:`FileFault` with every fault."""
    try:
        edition = derive(document.values)
        faults = (*naming_faults(edition),)
    except HouseError as error:
        faults = error.faults
    for fault in faults:
        document.blame(fault.place, fault.reason)
    if faults:
        raise FileFault(document.problems)
    return edition
