"""Reads characters and house rules from files, each by the family of its ruleset."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hub.games import registry
from hub.games.family import House, Sheet, Sheets
from hub.games.files import MAX_HOUSE_BYTES, MAX_SHEET_BYTES, read_toml, see_base
from hub.games.registry import face_of
from hub.kernel.documents import Document


def sheets_of(ruleset: object) -> Sheets:
    """The reader and writer of this ruleset's characters; if there is none, one that refuses the
    ruleset."""
    return face_of(ruleset, lambda family: family.sheets)


def read_sheet(
    document: Document, party: Collection[Any] | None = None, house: House | None = None
) -> Sheet:
    """Read and check the character in a document, as a member of ``party`` and by ``house`` rules
    if given. Members and house rules of other families are ignored. Raises :class:`Faulty` with
    every fault."""
    written = sheets_of(document.values.get("ruleset"))
    allies = party and [each for each in party if sheets_of(each.ruleset) is written]
    ours = house is not None and sheets_of(house.base) is written
    return written.read_sheet(document, allies, house if ours else None)


def read_layout(document: Document) -> Sheet:
    """Read the character in a document without checking it against the rules. Raises
    :class:`hub.kernel.faults.Faulty` with every fault of its layout."""
    return sheets_of(document.values.get("ruleset")).read_layout(document)


def load_sheet(
    path: Path, party: Collection[Any] | None = None, house: House | None = None
) -> Sheet:
    """Read and check the character in a file, as a member of ``party`` and by ``house`` rules if
    given. Raises :class:`Faulty` with every fault and its line."""
    document = read_toml(path, MAX_SHEET_BYTES)
    sheet = read_sheet(document, party, house)
    see_base(document, sheet, house)
    return sheet


def load_house(path: Path) -> tuple[Document, House]:
    """Read a file of house rules. Returns its document and the rules. Raises :class:`Faulty` with
    every fault."""
    document = read_toml(path, MAX_HOUSE_BYTES)
    base = document.values.get("base")
    return document, face_of(base, lambda family: family.houses).read_house(document)


def samples() -> Mapping[str, str]:
    """The characters that come with Facedown: the texts of their files by name."""
    faces = (family.sheets for family in registry.FAMILIES)
    return {name: text for face in faces if face for name, text in face.samples().items()}
