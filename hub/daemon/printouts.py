"""A table's cards and papers, laid out for a printer: for ``facedown cards`` and for the console.

Import it late: it loads the fonts and the libraries that write PDF.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from msgspec import Struct

from hub.cards.deck import Deck, read_decks
from hub.cards.making import parted
from hub.cards.printing.deck import MOST_CARDS, Printed, printed_cards, ruleset_for
from hub.cards.printing.formats import Page, write_pdf
from hub.cards.printing.letters import Unprintable
from hub.cards.printing.look import Look, look_of
from hub.cards.printing.papers import Paper, Tent, countdown_pages, paper_page, tent_page
from hub.cards.printing.printer import Order, Unprintables, boxed, deck_pdf, filling, noted, of_all
from hub.cards.printing.sheets import PAPERS, Layout, NoRoomOnPaper
from hub.config.decks import TableDeck, deck_of_table
from hub.config.loader import load_config
from hub.config.story import load_scene
from hub.daemon.addresses import ask_pages
from hub.daemon.export_jobs import What
from hub.daemon.outputs import OUTPUTS
from hub.games import registry
from hub.games.sheets import load_sheet
from hub.kernel.catalogues import ENGLISH
from hub.kernel.texts import Texts
from hub.themes import OURS, Theme, our_theme, read_theme

_BLANK_BOXES = (4, 6, 6, 8)
"""Box counts of countdowns without a name."""
_MOST_ADDRESS = 200
_LARGEST = 4.8
"""The size of the largest letters on a character's sheet, in mm: people write on the sheet, and the
page has room."""


class CannotPrint(ValueError):
    """A deck or papers cannot be printed. ``reasons``: why, a line each."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("\n".join(reasons))
        self.reasons = reasons


class DeckWish(Struct, frozen=True, kw_only=True):
    """Which cards to print, and how. Without ``decks``, the configuration's own deck is printed."""

    decks: Sequence[Path] = ()
    config: Path | None = None
    ruleset: str = ""
    """The ruleset; empty: one that fits the deck."""
    scene: Path | None = None
    only: Sequence[str] = ()
    """The sets to print; empty: all."""
    starter: bool = False
    """Whether to print only what the characters of the configuration know now."""
    theme: str = OURS[0]
    locale: str = ENGLISH
    paper: str = "a4"
    size: str = ""
    layout: Layout = "duplex"
    sticker: float = 25
    """The diameter (mm) of the tag's sticker, whose place is marked; 0: no mark."""
    shift: tuple[float, float] = (0, 0)
    """How many mm to move the backs, right and down."""


class PapersWish(Struct, frozen=True, kw_only=True):
    """Which papers to print, and how; ``what`` is their kind."""

    what: What
    sheets: Sequence[Path] = ()
    config: Path | None = None
    ruleset: str = ""
    theme: str = OURS[0]
    locale: str = ENGLISH
    paper: str = "a4"
    address: str = ""
    """The index page's address, for the codes on tents; empty: no codes."""
    keys: Sequence[str] = ()
    """``SEAT=KEY`` for each code that includes a key."""


class Printout(Struct, frozen=True):
    """Cards laid out for a printer, as ``order`` says."""

    cards: Sequence[Printed]
    later: Sequence[Printed]
    """Further cards, for free places on the last sheet."""
    order: Order

    @property
    def boxed(self) -> list[str]:
        """The letters on the cards that no font of the hub has. Raises :class:`CannotPrint`."""
        with explained(self.order):
            return boxed(self.cards, self.order.look)

    @property
    def filling(self) -> list[Printed]:
        """The cards that fill the last sheet. Raises :class:`CannotPrint`."""
        with explained(self.order):
            return filling(len(self.cards), self.later, self.order)

    def pdf(self) -> bytes:
        """The cards, and those that fill the last sheet, as PDF. Raises :class:`CannotPrint`."""
        with explained(self.order):
            return deck_pdf([*self.cards, *self.filling], self.order)


@contextmanager
def explained(order: Order) -> Iterator[None]:
    """Turn errors about unprintable cards, or too little paper, into :class:`CannotPrint`."""
    try:
        yield
    except Unprintables as error:
        raise CannotPrint(*error.reasons) from None
    except NoRoomOnPaper:
        raise CannotPrint(
            f"not one card of {order.look.width:g} × {order.look.height:g} mm fits on "
            f"{order.paper} with its bleed and marks; take --layout fronts or single, or smaller "
            "cards"
        ) from None


def cards_to_print(wish: DeckWish) -> Printout:
    """Lay out a deck. Raises :class:`CannotPrint` and :class:`hub.kernel.faults.Faulty`."""
    table = deck_of_table(wish.config, OUTPUTS) if wish.config else None
    cards = read_decks(wish.decks) if wish.decks else table.deck if table else Deck()
    book = wish.ruleset or (next(iter(table.rulesets), "") if table else "") or ruleset_for(cards)
    game = load_scene(wish.scene)[1].game if wish.scene else table.game if table else {}
    sets = _sets(cards, wish.only)
    cards, later = parted(cards, table.hands) if wish.starter and table else (cards, Deck())
    playing = {hand.group: hand.playing for hand in table.hands} if table else {}
    made, more = (
        printed_cards(each, book, wish.locale, playing, sets, game=game) for each in (cards, later)
    )
    if not made:
        raise CannotPrint("there is no card to print")
    if len(made) > MOST_CARDS:
        raise CannotPrint(
            f"{len(made)} cards: at most {MOST_CARDS} are printed at once; name some --set"
        )
    order = Order(
        look=look_of(_theme_named(wish.theme), wish.size, wish.sticker),
        say=registry.texts(wish.locale),
        language=wish.locale,
        paper=wish.paper,
        layout=wish.layout,
        shift=wish.shift,
        title=_title(wish),
    )
    return Printout(made, more, order)


def _sets(deck: Deck, only: Sequence[str]) -> Sequence[str]:
    there = [*dict.fromkeys(card.group for card in deck.cards if card.group)]
    for name in only:
        if name not in there:
            raise CannotPrint(
                f"the deck has no set {name[:40]!a}; it has {', '.join(there) or 'none'}"
            )
    return only


def _title(wish: DeckWish) -> str:
    folder = wish.config.absolute().parent.name if wish.config else ""
    named = [path.stem for path in wish.decks] or [folder]
    return ", ".join(named)[:60] or "Facedown"


def _theme_named(name: str) -> Theme:
    """A built-in theme, or one read from a file."""
    for ours in OURS:
        if name == ours:
            return our_theme(ours)
    path = Path(name)
    if not path.exists():
        raise CannotPrint(f"no theme {name[:60]!a}: name {', '.join(OURS)}, or a theme's file")
    return read_theme(path)


class Papers(Struct, frozen=True):
    """Papers as PDF, with the number of ``pages``."""

    pdf: bytes
    pages: int
    boxed: list[str]
    """The letters on the papers that no font of the hub has."""


def papers_to_print(wish: PapersWish) -> Papers:
    """Lay out papers, as PDF. Raises :class:`CannotPrint` and :class:`hub.kernel.faults.Faulty`."""
    table = deck_of_table(wish.config, OUTPUTS) if wish.config else None
    look, say = look_of(_theme_named(wish.theme)), registry.texts(wish.locale)
    size = PAPERS[wish.paper]
    try:
        match wish.what:
            case What.RULES:
                pages = [*_rules(_rulesets(table, wish.ruleset), look, say, size)]
            case What.SHEETS:
                pages = [*_character_sheets(_people(table, wish.sheets), look, say, size)]
            case What.COUNTDOWNS:
                pages = [*_countdowns(wish.config, look, say, size)]
            case What.TENTS:
                pages = [*_tents(wish, look, say, size)]
        pdf = write_pdf(noted(pages, say), f"Facedown: {wish.what.value}", wish.locale)
    except Unprintable as error:
        raise CannotPrint(str(error)) from None
    return Papers(pdf, len(pages), of_all(pages))


def codes_of_running_hub(config: Path) -> tuple[str, list[str]]:
    """The index page's address, and ``SEAT=KEY`` for each player's seat, as the running hub tells
    them.

    Raises :class:`hub.daemon.status.NotAnswered`.
    """
    table = load_config(config, OUTPUTS)
    pages = ask_pages(table.table.journal)
    players = [seat.name for seat in table.seats if not seat.gm]
    known = {seat: parse_qs(urlsplit(pages.seats[seat]).query)["key"][0] for seat in players}
    return pages.display.removesuffix("display"), [f"{seat}={key}" for seat, key in known.items()]


def _rulesets(table: TableDeck | None, ruleset: str) -> Mapping[str, Sequence[Any]]:
    """Ruleset → the characters that play by it; their house rules are printed, too."""
    if ruleset:
        return {ruleset: ()}
    if table is None:
        raise CannotPrint("say whose rules: --ruleset NAME, or --config FILE")
    return table.rulesets


def _rules(
    rulesets: Mapping[str, Sequence[Any]], look: Look, say: Texts, size: tuple[float, float]
) -> Iterator[Page]:
    for ruleset, playing in rulesets.items():
        faces = registry.faces_of(ruleset)
        parts = tuple(faces.rules(ruleset, say, playing))
        if not parts:
            raise CannotPrint(f"there is no page of the rules of {ruleset}")
        title = faces.title(ruleset, playing)
        yield paper_page(Paper(title, say("card.rules"), parts, say("card.rules.own")), look, size)


def _people(table: TableDeck | None, files: Sequence[Path]) -> list[Any]:
    if files:
        return [load_sheet(file) for file in files]
    if table is None:
        raise CannotPrint("say whose sheets: files, or --config FILE")
    found = [person for people in table.rulesets.values() for person in people]
    if not found:
        raise CannotPrint("this table has no characters of its own; name their files")
    return found


def _character_sheets(
    people: Sequence[Any], look: Look, say: Texts, size: tuple[float, float]
) -> Iterator[Page]:
    for person in people:
        faces = registry.faces_of(person.ruleset)
        parts = tuple(faces.sheet(person, say))
        if not parts:
            raise CannotPrint(f"there is no sheet on paper for {person.ruleset}")
        title = faces.title(person.ruleset, (person,))
        yield paper_page(Paper(person.name, title, parts, largest=_LARGEST), look, size)


def _countdowns(
    config: Path | None, look: Look, say: Texts, size: tuple[float, float]
) -> Iterator[Page]:
    story = load_config(config, OUTPUTS).story if config else None
    named = [(each.name, each.boxes) for each in story.countdowns] if story else []
    blank = [("", boxes) for boxes in _BLANK_BOXES]
    return countdown_pages([*named, *blank[: 4 - len(named) % 4]], look, say, size)


def _tents(wish: PapersWish, look: Look, say: Texts, size: tuple[float, float]) -> Iterator[Page]:
    if wish.config is None:
        raise CannotPrint("say whose tents: --config FILE")
    seats, address = load_config(wish.config, OUTPUTS).seats, wish.address
    if address and (not address.startswith(("http://", "https://")) or not address.isprintable()):
        raise CannotPrint(
            "--address: the address of the index page, such as http://table.local:8080/"
        )
    if len(address) > _MOST_ADDRESS:
        raise CannotPrint(f"--address: at most {_MOST_ADDRESS} letters")
    keys = dict(each.partition("=")[::2] for each in wish.keys)
    known = [seat.name for seat in seats]
    for name, secret in keys.items():
        if name not in known or not secret:
            raise CannotPrint(f"--key: SEAT=KEY with a seat of {', '.join(known)}")
    for seat in seats:
        names = ", ".join(seat.characters) if not seat.gm else "GM"
        page = "gm" if seat.gm else f"seat/{seat.name}"
        secret = keys.get(seat.name, "")
        url = f"{address.rstrip('/')}/{page}" + (f"?key={secret}" if secret else "")
        tent = Tent(seat.name, names or seat.name, url if address else "", bool(secret))
        yield tent_page(tent, look, say, size)
