"""Character files: TOML, with one character or party each. ``example.toml`` explains every key."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any

from msgspec import field
from msgspec.structs import asdict

from hub.games.deeds import everybody as of_story
from hub.games.tourists.reasons import Reason
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.setup import read_card
from hub.games.tourists.story.sheet import STANDARD, TouristsSheet, as_values, faults_of
from hub.kernel.documents import Document
from hub.kernel.documents.sections import MOST_ENTRIES, Section, must_be, read_section
from hub.kernel.documents.toml import packaged_text, packaged_texts, toml_value
from hub.kernel.faults import MAX_NUMBER, Fault

__all__ = [
    "as_values", "entries", "example", "of_story", "read_layout", "read_sheet", "samples",
    "summary", "write_sheet",
]  # fmt: skip

Value = Annotated[int, must_be(Reason("attribute-value"), ge=0, le=MAX_NUMBER)]
Texts = Annotated[tuple[str, ...], must_be(Reason("some-texts"), max_length=MOST_ENTRIES)]


class TouristsSection(Section, frozen=True, kw_only=True):
    """The keys of a character file, as they stand in its TOML."""

    ruleset: str
    name: str
    attributes: Annotated[dict[str, Value], must_be(Reason("attribute-table"))] = field(
        default_factory=dict
    )
    npc: bool = False
    dead: bool = False
    description: str = ""
    aspects: Texts = ()
    weaknesses: Texts = ()
    reserve: Texts | None = None
    reserve_max: int = 0


def read_sheet(
    document: Document, party: Collection[Any] | None = None, house: Any = None
) -> TouristsSheet:
    """Read and check a character. ``party`` and ``house`` have no effect in this family. Raises
    :class:`hub.kernel.faults.Faulty` with every fault."""
    sheet = _sheet(document)
    document.blame_beside(Fault((key,), why) for key, why in faults_of(sheet))
    document.check()
    return sheet


def read_layout(document: Document, house: Any = None) -> TouristsSheet:
    """Read a character without checking it against the rules. Raises
    :class:`hub.kernel.faults.Faulty` if the file's layout is wrong."""
    sheet = _sheet(document)
    document.check()
    return sheet


def _sheet(document: Document) -> TouristsSheet:
    values = asdict(read_section(document, TouristsSection, document.values))
    written: Sequence[str] | None = values.pop("reserve")
    reserve = None if written is None else tuple(_cards(document, written))
    return TouristsSheet(**values, reserve=reserve)


def _cards(document: Document, written: Sequence[str]) -> Iterator[Card]:
    for index, text in enumerate(written):
        yield read_card(document, text, ("reserve", index), STANDARD)


def write_sheet(sheet: TouristsSheet) -> str:
    """The text of a character file. A valid sheet reads back unchanged."""
    lines = ["# A character of Facedown; `facedown sheet example tourists` explains every key."]
    for key in ("ruleset", "name", "npc", "dead", "description", "aspects", "weaknesses"):
        lines.append(f"{key} = {toml_value(getattr(sheet, key))}")
    pairs = (f"{toml_value(name)} = {value}" for name, value in sheet.attributes.items())
    lines.append(f"attributes = {{ {', '.join(pairs)} }}")
    lines.append(f"reserve_max = {sheet.reserve_max}")
    if sheet.reserve is not None:
        lines.append(f"reserve = {toml_value([*map(str, sheet.reserve)])}")
    return "\n".join(lines) + "\n"


def summary(sheet: TouristsSheet) -> dict[str, str]:
    """A table row about the character: column → text."""
    reserve = "to be laid" if sheet.reserve is None else str(len(sheet.reserve))
    return {
        "character": f"{sheet.name} (NPC)" if sheet.npc else sheet.name,
        "ruleset": sheet.ruleset,
        "attributes": ", ".join(f"{name} {value}" for name, value in sheet.attributes.items()),
        "aspects": str(len(sheet.aspects)),
        "weaknesses": str(len(sheet.weaknesses)),
        "reserve": f"{reserve} of {sheet.reserve_max}",
    }


def entries(sheet: TouristsSheet) -> Iterator[tuple[str, str]]:
    """The sheet's values as text, by key of the file, to show what changed."""
    yield from ((f"attributes.{name}", str(value)) for name, value in sheet.attributes.items())
    yield "aspects", "; ".join(sheet.aspects)
    yield "weaknesses", "; ".join(sheet.weaknesses)
    yield "reserve", ", ".join(map(str, sheet.reserve or ()))
    yield "reserve_max", str(sheet.reserve_max)
    yield "dead", "yes" if sheet.dead else "no"


def example() -> str:
    """The text of a character file that explains every key."""
    return packaged_text(__package__, "example.toml")


def samples() -> dict[str, str]:
    """The characters that come with Facedown: name → the text of the file."""
    found = packaged_texts(__package__, "samples")
    return {name.removesuffix(".toml"): text for name, text in found.items()}
