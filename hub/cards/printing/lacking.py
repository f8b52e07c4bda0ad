"""Letters that no font here has: they are drawn as boxes, and the page lists them."""

from collections.abc import Iterable, Iterator, Mapping

from msgspec.structs import replace

from hub.cards.printing.drawing import Drawing, Item, Words
from hub.cards.printing.letters import letters
from hub.cards.printing.pdf import Page
from hub.cards.printing.sheets import EDGE
from hub.games.faces import Texts

_MOST = 8
"""Most letters listed."""
_SIZE, _QUIET = 2.3, "#555555"


def lacking(items: Iterable[Item]) -> list[str]:
    """The letters, each once, by their numbers in Unicode: ``U+5C71``."""
    found = [
        letter
        for item in items
        if isinstance(item, Words)
        for letter in letters(item.font, item.weight).lacking(item.text)
    ]
    return [f"U+{ord(letter):04X}" for letter in dict.fromkeys(found)]


def of_all(drawings: Iterable[Drawing | Page]) -> list[str]:
    """The letters missing in several drawings."""
    return [*dict.fromkeys(each for one in drawings for each in lacking(one.items))]


def noted(
    pages: Iterable[Page], say: Texts, named: Mapping[str, Drawing] | None = None
) -> Iterator[Page]:
    """The pages, each with a line at its lower edge that lists its boxed letters, if any.

    Pages with a trim have no room for one.
    """
    boxes = {name: lacking(drawing.items) for name, drawing in (named or {}).items()}
    for page in pages:
        stamped = [each for stamp in page.stamps for each in boxes.get(stamp.name, ())]
        found = [*dict.fromkeys([*lacking(page.items), *stamped])]
        if not found or page.trim:
            yield page
            continue
        text = say("card.boxes", letters=in_short(found))
        at = (page.width / 2, page.height - EDGE - 0.6 - 1.4 * _SIZE)
        line = Words(text, *at, "sans", 400, _SIZE, _QUIET, "middle")
        yield replace(page, items=(*page.items, line))


def in_short(found: list[str]) -> str:
    """The first of them."""
    return ", ".join(found[:_MOST]) + (", …" if len(found) > _MOST else "")
