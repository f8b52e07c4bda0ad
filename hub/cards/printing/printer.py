"""Makes files from faces: a deck as PDF, or each card as PNG or SVG. Also lists missing letters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hub.cards.printing.back import draw_back
from hub.cards.printing.deck import EMPTY, Printed
from hub.cards.printing.drawing import Drawing, Item, Words
from hub.cards.printing.formats import Page, write_pdf, write_pngs, write_svg
from hub.cards.printing.front import draw_front
from hub.cards.printing.letters import Unprintable, letters
from hub.cards.printing.look import BLEED, Look
from hub.cards.printing.sheets import EDGE, PAPERS, Job, Layout, grid_of
from hub.kernel.texts import Texts

_MOST = 8
"""How many missing letters are listed at most."""
_SIZE, _QUIET = 2.3, "#555555"


def lacking(items: Iterable[Item]) -> list[str]:
    """The letters in ``items`` that no font has, each once, written as ``U+5C71``."""
    found = [
        letter
        for item in items
        if isinstance(item, Words)
        for letter in letters(item.font, item.weight).lacking(item.text)
    ]
    return [f"U+{ord(letter):04X}" for letter in dict.fromkeys(found)]


def of_all(drawings: Iterable[Drawing | Page]) -> list[str]:
    """The letters in all ``drawings`` that no font has, each once."""
    return [*dict.fromkeys(each for one in drawings for each in lacking(one.items))]


def noted(
    pages: Iterable[Page], say: Texts, named: Mapping[str, Drawing] | None = None
) -> Iterator[Page]:
    """The pages, each with a line at its lower edge that lists the letters on it that no font has,
    if there are any. Pages that will be trimmed have no such line. ``named``: the drawings that the
    pages' stamps name."""
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
    """The first letters of a list as a text, which ends in … if there are more."""
    return ", ".join(found[:_MOST]) + (", …" if len(found) > _MOST else "")


class Unprintables(ValueError):
    """Cards of a deck cannot be printed. ``reasons`` are the messages, each once."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = tuple(dict.fromkeys(reasons))


class Order(Struct, frozen=True, kw_only=True):
    """How to print a deck. ``shift``: how far backs are moved to the right and down, in mm."""

    look: Look
    say: Texts
    language: str = "en"
    paper: str = "a4"
    layout: Layout = "duplex"
    shift: tuple[float, float] = (0, 0)
    title: str = "Facedown"


def drawn(cards: Sequence[Printed], look: Look) -> list[Drawing]:
    """Draw the fronts. Raises :class:`Unprintables` with every text that does not fit."""
    found, reasons = [], []
    for card in cards:
        try:
            found.append(draw_front(card.face, look, card.owner))
        except Unprintable as error:
            reasons.append(f"{card.owner}: {error}" if card.owner else str(error))
    if reasons:
        raise Unprintables(reasons)
    return found


def deck_pdf(cards: Sequence[Printed], order: Order) -> bytes:
    """Return a deck as PDF. Raises :class:`Unprintables`, and
    :class:`hub.cards.printing.sheets.NoRoomOnPaper`."""
    say, look = order.say, order.look

    def caption(side: str, sheet: int, sheets: int) -> str:
        number = say("card.sheet", n=sheet, all=sheets)
        if side == "fold":
            return f"{order.title} · {number} · {say('card.fold')}"
        how = say("card.flip") if order.layout == "duplex" else say("card.plain")
        return f"{order.title} · {number} · {say(f'card.{side}')} · {how}"

    job = Job(
        look=look,
        fronts=drawn(cards, look),
        back=draw_back(look),
        paper=PAPERS[order.paper],
        layout=order.layout,
        shift=order.shift,
        caption=caption,
    )
    named = job.named()
    return write_pdf(noted(job.pages(), say, named), order.title, order.language, named)


def boxed(cards: Sequence[Printed], look: Look) -> list[str]:
    """The letters on a deck's cards that no font has. Raises :class:`Unprintables`."""
    return of_all(drawn(cards, look))


def filling(count: int, more: Sequence[Printed], order: Order) -> list[Printed]:
    """Cards to fill the last sheet after ``count`` cards: some of ``more``, then empty ones."""
    if order.layout == "single":
        return []
    places = -count % grid_of(order.look, PAPERS[order.paper], order.layout).count
    return [*more[:places], *[EMPTY] * max(0, places - len(more))]


def card_svgs(cards: Sequence[Printed], order: Order) -> Iterator[tuple[str, bytes]]:
    """Return each card, and the back, as an SVG with its bleed: file name and content."""
    fronts = drawn(cards, order.look)
    for card, front in zip(cards, fronts, strict=True):
        yield f"{card.name}.svg", write_svg(front, card.face.title, BLEED).encode()
    yield "back.svg", write_svg(draw_back(order.look), "", BLEED).encode()


def card_pngs(cards: Sequence[Printed], order: Order, dpi: int) -> Iterator[tuple[str, bytes]]:
    """Return each card, and the back, as a PNG with its bleed: file name and content."""
    pdf = deck_pdf(cards, replace(order, layout="single"))
    names = [*(card.name for card in cards), "back"]
    for name, picture in zip(names, write_pngs(pdf, dpi), strict=True):
        yield f"{name}.png", picture
