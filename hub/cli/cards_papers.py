"""``facedown cards papers``: the papers on the table besides the cards."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hub.cli.cards_common import TableConfig, known_ruleset
from hub.cli.cards_print import Paper, save_file, say_boxes, theme_named
from hub.cli.failing import give_up
from hub.cli.language import known_language
from hub.config.decks import TableDeck, deck_of_table
from hub.config.loader import load_config
from hub.daemon.outputs import OUTPUTS
from hub.games import registry
from hub.games.faces import Texts
from hub.games.sheets import load_sheet
from hub.kernel.catalogues import ENGLISH
from hub.themes import OURS

if TYPE_CHECKING:
    from hub.cards.printing.look import Look
    from hub.cards.printing.pdf import Page

_BLANK_BOXES = (4, 6, 6, 8)
"""Box counts of countdowns without a name."""
_MOST_ADDRESS = 200


class What(StrEnum):
    """The kind of paper to print."""

    RULES = "rules"
    SHEETS = "sheets"
    COUNTDOWNS = "countdowns"
    TENTS = "tents"


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
    from hub.cards.printing.lacking import noted, of_all
    from hub.cards.printing.look import look_of
    from hub.cards.printing.pdf import write_pdf
    from hub.cards.printing.setting import Unprintable
    from hub.cards.printing.sheets import PAPERS

    known_language(locale)
    if (address or key or keys) and what is not What.TENTS:
        give_up("--address, --key and --keys are for tents")
    if keys and config:
        address, key = _as_the_hub_has_them(config, address, key or ())
    if key and not address:
        give_up("--key goes with --address")
    table = deck_of_table(config, OUTPUTS) if config else None
    look, say, size = look_of(theme_named(theme)), registry.texts(locale), PAPERS[paper.value]
    try:
        match what:
            case What.RULES:
                pages = [*_rules(_rulesets(table, ruleset), look, say, size)]
            case What.SHEETS:
                pages = [*_sheets(_people(table, sheet or ()), look, say, size)]
            case What.COUNTDOWNS:
                pages = [*_countdowns(config, look, say, size)]
            case What.TENTS:
                pages = [*_tents(config, (address, key or ()), look, say, size)]
        pdf = write_pdf(noted(pages, say), f"Facedown: {what.value}", locale)
    except Unprintable as error:
        give_up(str(error))
    say_boxes(of_all(pages))
    path = out or Path(f"{what.value}.pdf")
    if str(path) == "-":
        sys.stdout.buffer.write(pdf)
        return
    save_file(path, pdf)
    typer.echo(f"{path}: {len(pages)} page{'' if len(pages) == 1 else 's'}")
    if key:
        typer.echo("There are keys in it: keep it like your cards, until the hub starts again.")


_LARGEST = 4.8
"""Largest letters of a character's sheet, in mm: people write on it, and the page has room."""


def _rulesets(table: TableDeck | None, ruleset: str) -> Mapping[str, Sequence[Any]]:
    """Each ruleset with the characters that play by it, and so by their house rules."""
    if ruleset:
        known_ruleset(ruleset)
        return {ruleset: ()}
    if table is None:
        give_up("say whose rules: --ruleset NAME, or --config FILE")
    return table.rulesets


def _rules(
    rulesets: Mapping[str, Sequence[Any]], look: "Look", say: Texts, size: tuple[float, float]
) -> "Iterator[Page]":
    from hub.cards.printing.papers import Paper as Sheet
    from hub.cards.printing.papers import paper_page

    for ruleset, playing in rulesets.items():
        faces = registry.faces_of(ruleset)
        parts = tuple(faces.rules(ruleset, say, playing))
        if not parts:
            give_up(f"there is no page of the rules of {ruleset}")
        title = faces.title(ruleset, playing)
        yield paper_page(Sheet(title, say("card.rules"), parts, say("card.rules.own")), look, size)


def _people(table: TableDeck | None, files: Sequence[Path]) -> list[Any]:
    if files:
        return [load_sheet(file) for file in files]
    if table is None:
        give_up("say whose sheets: files, or --config FILE")
    found = [person for people in table.rulesets.values() for person in people]
    if not found:
        give_up("this table has no characters of its own; name their files")
    return found


def _sheets(
    people: Sequence[Any], look: "Look", say: Texts, size: tuple[float, float]
) -> "Iterator[Page]":
    from hub.cards.printing.papers import Paper as Sheet
    from hub.cards.printing.papers import paper_page

    for person in people:
        faces = registry.faces_of(person.ruleset)
        parts = tuple(faces.sheet(person, say))
        if not parts:
            give_up(f"there is no sheet on paper for {person.ruleset}")
        title = faces.title(person.ruleset, (person,))
        yield paper_page(Sheet(person.name, title, parts, largest=_LARGEST), look, size)


def _countdowns(
    config: Path | None, look: "Look", say: Texts, size: tuple[float, float]
) -> "Iterator[Page]":
    from hub.cards.printing.papers import countdown_pages

    story = load_config(config, OUTPUTS).story if config else None
    named = [(each.name, each.boxes) for each in story.countdowns] if story else []
    blank = [("", boxes) for boxes in _BLANK_BOXES]
    return countdown_pages([*named, *blank[: 4 - len(named) % 4]], look, say, size)


def _as_the_hub_has_them(config: Path, address: str, given: Sequence[str]) -> tuple[str, list[str]]:
    """The index page's address, unless ``given``, and each player's seat with its key."""
    from urllib.parse import parse_qs, urlsplit

    from hub.cli.status import why_silent
    from hub.daemon.addresses import ask_pages, keys_socket_of
    from hub.daemon.status import NotAnswered

    table = load_config(config, OUTPUTS)
    journal = table.table.journal
    try:
        pages = ask_pages(journal)
    except NotAnswered as error:
        door = keys_socket_of(journal)
        give_up(why_silent(error.why, config, table, door, "cards papers tents --keys"))
    players = [seat.name for seat in table.seats if not seat.gm]
    known = {seat: parse_qs(urlsplit(pages.seats[seat]).query)["key"][0] for seat in players}
    base = address or pages.display.removesuffix("display")
    return base, [*(f"{seat}={key}" for seat, key in known.items()), *given]


def _tents(
    config: Path | None, given: tuple[str, Sequence[str]], look: "Look", say: Texts,
    size: tuple[float, float],
) -> "Iterator[Page]":  # fmt: skip
    from hub.cards.printing.papers import Tent, tent_page

    if config is None:
        give_up("say whose tents: --config FILE")
    seats = load_config(config, OUTPUTS).seats
    address, pairs = given
    if address and (not address.startswith(("http://", "https://")) or not address.isprintable()):
        give_up("--address: the address of the index page, such as http://table.local:8080/")
    if len(address) > _MOST_ADDRESS:
        give_up(f"--address: at most {_MOST_ADDRESS} letters")
    keys = dict(each.partition("=")[::2] for each in pairs)
    known = [seat.name for seat in seats]
    for name, secret in keys.items():
        if name not in known or not secret:
            give_up(f"--key: SEAT=KEY with a seat of {', '.join(known)}")
    for seat in seats:
        names = ", ".join(seat.characters) if not seat.gm else "GM"
        page = "gm" if seat.gm else f"seat/{seat.name}"
        secret = keys.get(seat.name, "")
        url = f"{address.rstrip('/')}/{page}" + (f"?key={secret}" if secret else "")
        tent = Tent(seat.name, names or seat.name, url if address else "", bool(secret))
        yield tent_page(tent, look, say, size)
