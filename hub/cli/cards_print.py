"""``facedown cards print`` and ``facedown cards papers``: print a deck, and the papers for
playing."""

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.cards_common import SceneFile, TableConfig, known_ruleset
from hub.cli.failing import give_up
from hub.cli.language import known_language
from hub.daemon.export_jobs import What
from hub.kernel.catalogues import ENGLISH
from hub.themes import OURS

if TYPE_CHECKING:
    from hub.cards.printing.deck import Printed

LEAST_DPI, MOST_DPI = 150, 1200
LEAST_STICKER, MOST_STICKER = 10, 40


class Paper(StrEnum):
    """The size of the paper."""

    A4 = "a4"
    LETTER = "letter"


class Size(StrEnum):
    """The size of a card: 63 by 88 mm, or 70 by 120 mm."""

    POKER = "poker"
    TAROT = "tarot"


class Layout(StrEnum):
    """How fronts and backs are arranged on the paper; the help of ``--layout`` describes each
    layout."""

    DUPLEX = "duplex"
    FOLD = "fold"
    FRONTS = "fronts"
    SINGLE = "single"


class Format(StrEnum):
    """The format of the printed cards: one PDF, or a folder with a PNG or SVG picture of each
    card."""

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
    """Report the ``letters`` that are drawn as boxes, because no font here has them; nothing if
    there are none."""
    from hub.cards.printing.printer import in_short

    if letters:
        typer.echo(
            f"no font here has {in_short(letters)}: boxes are drawn; install a font that has them, "
            "and print again",
            err=True,
        )


def _and(fill: "Sequence[Printed]") -> str:
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


def print_papers(
    what: Annotated[What, typer.Argument(help="What is printed.", metavar="WHAT")],
    sheet: Annotated[
        list[Path] | None, typer.Argument(metavar="[SHEET...]", help="Characters' files.")
    ] = None,
    *,
    config: TableConfig = None,
    ruleset: Annotated[str, typer.Option(help="The book, without a configuration.")] = "",
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The PDF; - for standard output. [WHAT.pdf]"),
    ] = None,
    theme: Annotated[
        str, typer.Option(metavar="NAME|FILE", help=f"{', '.join(OURS)}, or a file of your own.")
    ] = OURS[0],
    paper: Annotated[Paper, typer.Option(help="The paper.")] = Paper.A4,
    locale: Annotated[str, typer.Option(help="The language of what is printed.")] = ENGLISH,
    address: Annotated[
        str, typer.Option(metavar="URL", help="Of the index page: tents get a code of it.")
    ] = "",
    key: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=KEY",
            help="Put a seat's key into its code. Whoever reads it holds that seat's hand.",
        ),
    ] = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="The same for every player, as the running hub has them.")
    ] = False,
) -> None:
    """Print papers: rules on one page, character sheets, countdowns, or tents with seats' codes.

    A tent's code is its page's address; a phone that opens the page for the first time is asked
    for the key. The code includes a key only with --keys or --key, because a key is a secret. The
    hub makes new keys at each start. --keys never includes the GM's.

    Examples:

      facedown cards papers rules --ruleset unroll

      facedown cards papers sheets ada.toml bo.toml --locale de

      facedown cards papers countdowns --config hub.toml

      facedown cards papers tents --config hub.toml --address http://table.local:8080/

      facedown cards papers tents --config hub.toml --keys
    """
    from hub.daemon.printouts import CannotPrint, PapersWish, papers_to_print

    known_language(locale)
    if (address or key or keys) and what is not What.TENTS:
        give_up("--address, --key and --keys are for tents")
    given = key or []
    if keys and config:
        address, given = _as_the_hub_has_them(config, address, given)
    if given and not address:
        give_up("--key goes with --address")
    if ruleset:
        known_ruleset(ruleset)
    wish = PapersWish(
        what=what,
        sheets=sheet or (),
        config=config,
        ruleset=ruleset,
        theme=theme,
        locale=locale,
        paper=paper.value,
        address=address,
        keys=given,
    )
    try:
        made = papers_to_print(wish)
    except CannotPrint as error:
        give_up(*error.reasons)
    say_boxes(made.boxed)
    path = out or Path(f"{what.value}.pdf")
    if str(path) == "-":
        sys.stdout.buffer.write(made.pdf)
        return
    save_file(path, made.pdf)
    typer.echo(f"{path}: {made.pages} page{'' if made.pages == 1 else 's'}")
    if given:
        typer.echo("There are keys in it: keep it like your cards, until the hub starts again.")


def _as_the_hub_has_them(config: Path, address: str, given: list[str]) -> tuple[str, list[str]]:
    """Ask the running hub for the keys of the players' seats.

    Returns the index page's address (``address``, or the hub's own if that is empty), and the hub's
    keys followed by ``given``. Ends the command if the hub does not answer.
    """
    from hub.cli.status import why_silent
    from hub.config.loader import load_config
    from hub.daemon.addresses import keys_socket_of
    from hub.daemon.outputs import OUTPUTS
    from hub.daemon.printouts import codes_of_running_hub
    from hub.daemon.status import NotAnswered

    try:
        base, known = codes_of_running_hub(config)
    except NotAnswered as error:
        table = load_config(config, OUTPUTS)
        door = keys_socket_of(table.table.journal)
        give_up(why_silent(error.why, config, table, door, "cards papers tents --keys"))
    return address or base, [*known, *given]
