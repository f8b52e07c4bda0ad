"""``facedown cards papers``: the papers on the table besides the cards."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.cards_common import TableConfig, known_ruleset
from hub.cli.cards_print import Paper, save_file, say_boxes
from hub.cli.failing import give_up
from hub.cli.language import known_language
from hub.daemon.export_jobs import What
from hub.kernel.catalogues import ENGLISH
from hub.themes import OURS


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
    """The index page's address, unless ``given``, and each player's seat with its key."""
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
