"""Read house rules from a TOML file, which ``docs/rules/homebrew.md`` describes."""

from hub.games.triangle.rules import house
from hub.games.triangle.rules.edition import Edition
from hub.kernel.documents import Document


# book: elements.without
def read_house(document: Document) -> Edition:
    """Return the edition that a file describes. Raises :class:`hub.kernel.faults.Faulty` with every
    fault or, if there is none, with every deceptive name."""
    edition = house.read_house(document, document.values)
    document.check()
    document.faults += house.naming_faults(edition)
    document.check()
    return edition
