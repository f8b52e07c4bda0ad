"""House rules from a TOML file. All faults are reported at once, each with its line.

``docs/rules/homebrew.md`` describes the file; :mod:`hub.games.triangle.rules.house` reads it.
"""

from hub.games.triangle.rules import house
from hub.games.triangle.rules.edition import Edition
from hub.kernel.documents import Document


# book: elements.without
def read_house(document: Document) -> Edition:
    """Return the ruleset that a file describes. Raises :class:`hub.kernel.faults.Faulty`."""
    edition = house.read_house(document, document.values)
    document.check()
    document.faults += house.naming_faults(edition)
    document.check()
    return edition
