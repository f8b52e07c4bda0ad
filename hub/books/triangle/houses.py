"""House rules from a TOML file: every fault is told at once, each with its line.

``docs/rules/homebrew.md`` describes the file, :mod:`hub.rules.triangle.house` reads its values.
"""

from hub.rules.documents import Document
from hub.rules.triangle import house
from hub.rules.triangle.edition import Edition


# book: elements.without
def read_house(document: Document) -> Edition:
    """The ruleset that a file describes. Raises :class:`hub.rules.faults.Faulty`."""
    edition = house.read_house(document, document.values)
    document.check()
    document.faults += house.naming_faults(edition)
    document.check()
    return edition
