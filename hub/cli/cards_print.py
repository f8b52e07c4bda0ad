"""``facedown cards print``: a deck on paper."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.cards_common import SceneFile, TableConfig, known_ruleset
from hub.cli.failing import give_up
from hub.cli.language import known_language
from hub.kernel.catalogues import ENGLISH
from hub.themes import OURS

if TYPE_CHECKING:
    from hub.cards.printing.deck import Printed

LEAST_DPI, MOST_DPI = 150, 1200
LEAST_STICKER, MOST_STICKER = 10, 40


class Paper(StrEnum):
    """A sheet of paper."""

    A4 = "a4"
    LETTER = "letter"


class Size(StrEnum):
    """The size of a card: 63 by 88 mm, or 70 by 120 mm."""

    POKER = "poker"
    TAROT = "tarot"


class Layout(StrEnum):
    """How cards are arranged on paper."""

    DUPLEX = "duplex"
    FOLD = "fold"
    FRONTS = "fronts"
    SINGLE = "single"


class Format(StrEnum):
    """The format of the files."""

    PDF = "pdf"
    PNG = "png"
    SVG = "svg"


def print_cards(
    deck: Annotated[
        list[Path] | None, typer.Argument(metavar="[DECK...]", help="Deck files.")
    ] = None,
    *,
    config: TableConfig = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="A PDF file, or - for standard output; a folder of PNG or SVG."
        ),
    ] = None,
    theme: Annotated[
        str, typer.Option(metavar="NAME|FILE", help=f"{', '.join(OURS)}, or a file of your own.")
    ] = OURS[0],
    paper: Annotated[Paper, typer.Option(help="The paper.")] = Paper.A4,
    size: Annotated[
        Size | None, typer.Option(help="Of a card; without it the theme's own, or poker.")
    ] = None,
    layout: Annotated[
        Layout,
        typer.Option(
            help="duplex: both sides, turned on the long edge; fold: a front beside its back, one "
            "side printed; fronts: no backs; single: a card on each page."
        ),
    ] = Layout.DUPLEX,
    format: Annotated[Format, typer.Option(help="PNG and SVG: a file for each card.")] = Format.PDF,
    dpi: Annotated[
        int, typer.Option(min=LEAST_DPI, max=MOST_DPI, help="Of PNG: pixels an inch.")
    ] = 300,
    locale: Annotated[str, typer.Option(help="The language of what is printed.")] = ENGLISH,
    ruleset: Annotated[
        str, typer.Option(help="The book; without it, one that fits the deck.")
    ] = "",
    only: Annotated[
        list[str] | None, typer.Option("--set", metavar="SET", help="Only this set of the deck.")
    ] = None,
    sticker: Annotated[
        float,
        typer.Option(metavar="MM", help="Across; its place is marked on the front. 0: no mark."),
    ] = 25,
    starter: Annotated[
        bool,
        typer.Option(
            "--starter", help="Only what the table's characters know now, and can stake; --config."
        ),
    ] = False,
    scene: SceneFile = None,
    shift_back: Annotated[
        str,
        typer.Option(metavar="X,Y", help="Move backs so many mm right and down, up to 5."),
    ] = "0,0",
) -> None:
    """Print a deck: a PDF for your printer, or a picture of each card for a print shop.

    Free places on the last sheet are filled: with cards learnt later in a --starter set, with
    empty cards to write on in a whole deck.

    Print at 100 %, never 'fit to page'. Every back is the same drawing, and looks the same upside
    down. No tag's id is printed. docs/build/printing.md explains every step.

    Examples:

      facedown cards print deck.toml

      facedown cards print --config hub.toml --starter

      facedown cards print --config hub.toml --theme paper --layout fold --out cards.pdf

      facedown cards print deck.toml --size tarot --format png --dpi 600 --out cards

      facedown cards print deck.toml --locale de --set ada --shift-back 0.5,-0.3
    """
    from hub.cards.printing.printer import card_pngs, card_svgs
    from hub.daemon.printouts import CannotPrint, DeckWish, cards_to_print, explained

    if not deck and config is None:
        give_up("say which deck: a file, or --config FILE")
    if starter and config is None:
        give_up("--starter goes with --config FILE: it is for the characters of a table")
    known_language(locale)
    if sticker and not LEAST_STICKER <= sticker <= MOST_STICKER:
        give_up(f"--sticker: {LEAST_STICKER} to {MOST_STICKER} mm, or 0 for no mark")
    if ruleset:
        known_ruleset(ruleset)
    wish = DeckWish(
        decks=deck or (),
        config=config,
        ruleset=ruleset,
        scene=scene,
        only=only or (),
        starter=starter,
        theme=theme,
        locale=locale,
        paper=paper.value,
        size=size or "",
        layout=layout.value,
        sticker=sticker,
        shift=_shift(shift_back),
    )
    try:
        made = cards_to_print(wish)
        say_boxes(made.boxed)
        if format is Format.PDF:
            path = out or Path("cards.pdf")
            pdf = made.pdf()
            if str(path) == "-":
                sys.stdout.buffer.write(pdf)
                return
            save_file(path, pdf)
            typer.echo(f"{path}: {len(made.cards)} cards{_and(made.filling)}")
            return
        if out is not None and (str(out) == "-" or out.suffix.lower() == ".pdf"):
            give_up(f"--out {out} is for PDF; name a folder for the pictures")
        folder = out or Path("cards")
        with explained(made.order):
            drawn = (
                card_pngs(made.cards, made.order, dpi)
                if format is Format.PNG
                else card_svgs(made.cards, made.order)
            )
            for name, content in drawn:
                save_file(folder / name, content)
        typer.echo(f"{folder}: {len(made.cards)} cards and their back")
    except CannotPrint as error:
        give_up(*error.reasons)


def save_file(path: Path, content: bytes) -> None:
    """Write a file; end the command if that fails."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        give_up(f"{path} cannot be written: {error.strerror}")


def say_boxes(letters: list[str]) -> None:
    """Report the letters that no font here has; everything else is printed."""
    from hub.cards.printing.printer import in_short

    if letters:
        typer.echo(
            f"no font here has {in_short(letters)}: boxes are drawn; install a font that has them, "
            "and print again",
            err=True,
        )


def _and(fill: "Sequence[Printed]") -> str:
    """A phrase for the cards that fill the last sheet."""
    from hub.cards.printing.deck import EMPTY

    if not fill:
        return ""
    empty = sum(each is EMPTY for each in fill)
    later = len(fill) - empty
    said = [f"{later} for later" * (later > 0), f"{empty} empty to write on" * (empty > 0)]
    return f", and {' and '.join(filter(None, said))}"


def _shift(text: str) -> tuple[float, float]:
    most = 5
    parts = text.split(",")
    try:
        x, y = map(float, parts)
    except ValueError:
        x = y = most + 1
    if not (abs(x) <= most and abs(y) <= most):
        give_up(
            f"--shift-back {text[:20]!a}: two numbers of mm from -{most} to {most}, as 0.5,-0.3"
        )
    return x, y
