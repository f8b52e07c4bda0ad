"""``facedown cards write``, ``learn`` and ``read``: write, learn and identify tags at a reader."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import sleep
from typing import Annotated

import typer

from hub.cards.deck import Card
from hub.cards.meeting import meet
from hub.cards.store import DeckStore, NotKept
from hub.cards.writing import Finish, Stage, Told, Writing, to_write
from hub.cli.cards_common import TableConfig, card_of
from hub.cli.cards_said import beside_the_last, card_met, said, seen_as
from hub.cli.cards_tables import label
from hub.cli.failing import FAILED, give_up
from hub.config.loader import load_config
from hub.config.settings import Config
from hub.config.values import MAX_PASSWORD_CHARS, read_password
from hub.daemon.outputs import OUTPUTS
from hub.ports import StationLost, TagStation
from hub.readers.kinds import kind_of, open_station, parse_address

_PAUSE_S = 0.05
_FINAL = "final"

Decks = Annotated[
    list[Path] | None,
    typer.Argument(metavar="[DECK...]", help="Deck files; deck.toml if left out."),
]
AtReader = Annotated[
    str, typer.Option("--reader", metavar="ADDRESS", help="A reader: pn532:/dev/…")
]
AtSeat = Annotated[
    str,
    typer.Option("--seat", metavar="SEAT", help="The reader of this seat of the configuration."),
]
OfSet = Annotated[str, typer.Option("--set", metavar="SET", help="Only this set's cards.")]
Only = Annotated[
    list[str] | None,
    typer.Option("--only", metavar="CARD", help="Only this card, written or not; once for each."),
]


def write(
    decks: Decks = None,
    *,
    config: TableConfig = None,
    seat: AtSeat = "",
    reader: AtReader = "",
    group: OfSet = "",
    only: Only = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Write over what tags hold that are no cards yet.")
    ] = False,
    password_file: Annotated[
        Path | None,
        typer.Option(help="Guard each tag with the password in this file's first line."),
    ] = None,
    lock: Annotated[bool, typer.Option("--lock", help="Make each tag read-only for ever.")] = False,
    final: Annotated[
        bool, typer.Option("--final", help="Do not ask again before --lock and --password-file.")
    ] = False,
) -> None:
    """Write the tags of a deck: lay one card after the other on a reader, as it asks for them.

    Each tag is written, read back and checked. The command continues where it stopped, and does
    not ask for written cards again. It refuses tags that are locked, too small, foreign, or
    another card's, and says why. A running table holds its readers: stop it, or write on the
    console's page Cards.

    Examples:

      facedown cards write --config hub.toml --seat ada

      facedown cards write deck.toml --reader pn532:/dev/ttyUSB0

      facedown cards write --config hub.toml --only "move attack-high" --set ada
    """
    finish = Finish(lock, _password(password_file), overwrite)
    _see_that_it_is_final(finish, sure=final)
    _go_through(decks, config, seat, reader, group, only, finish, learns=False)


def learn(
    decks: Decks = None,
    *,
    config: TableConfig = None,
    seat: AtSeat = "",
    reader: AtReader = "",
    group: OfSet = "",
    only: Only = None,
) -> None:
    """Let tags that cannot be written stand for cards: hotel keys, tickets, locked tags.

    Each is recognized by its UID, which goes into the deck file. Phones do not work: their UID
    changes each time.

    Examples:

      facedown cards learn --config hub.toml --seat ada --set ada
    """
    _go_through(decks, config, seat, reader, group, only, Finish(), learns=True)


def read(
    decks: Decks = None,
    *,
    config: TableConfig = None,
    seat: AtSeat = "",
    reader: AtReader = "",
    once: Annotated[bool, typer.Option("--once", help="End after the first tag.")] = False,
) -> None:
    """Identify each tag laid on a reader, until Ctrl-C.

    For a card with two ends, lay one after the other: the command says whether they belong
    together.

    Examples:

      facedown cards read --config hub.toml --seat ada

      facedown cards read deck.toml --reader pn532:/dev/ttyUSB0 --once
    """
    loaded = load_config(config, OUTPUTS) if config else None
    deck = DeckStore(_paths(decks, loaded)).deck
    with _station(loaded, seat, reader) as (station, where):
        typer.echo(f"lay a card on {where}; Ctrl-C ends it")
        before, last = "", None
        while True:
            found = meet(station)
            told = "" if found is None else seen_as(found, deck)
            if found is not None and told and told != before:
                card = card_met(found, deck)
                goes = beside_the_last(card, last, deck)
                typer.echo(f"{told}: {goes}" if goes else told)
                last = card or last
                if once:
                    return
            before = told
            sleep(_PAUSE_S)


def _go_through(  # noqa: PLR0917
    decks: list[Path] | None,
    config: Path | None,
    seat: str,
    reader: str,
    group: str,
    only: list[str] | None,
    finish: Finish,
    *,
    learns: bool,
) -> None:
    loaded = load_config(config, OUTPUTS) if config else None
    store = DeckStore(_paths(decks, loaded))
    todo = _todo(store, group, only)
    if not todo:
        typer.echo("every card has its tag already")
        return
    with _station(loaded, seat, reader) as (station, where):
        writing = Writing(station, store, todo, finish, learns=learns)
        with _shown(len(todo), where) as show:
            try:
                _drive(writing, show)
            except (StationLost, NotKept) as error:
                _stopped(writing, str(error))
                raise typer.Exit(FAILED) from None
            except SystemExit:
                _stopped(writing, "stopped")
                raise
    verb = "learnt" if learns else "written and read back"
    tag = "tag" if any(card.of for card in todo) else "card"
    typer.echo(f"{len(todo)} {tag}{'s' * (len(todo) > 1)} {verb}")


def _drive(writing: Writing, show: Callable[[Told], None]) -> None:
    before: Told | None = None
    while writing.card is not None:
        told = writing.step()
        if told != before:
            show(told)
        idle = told == before or told.stage is Stage.LAY
        before = told
        if idle:
            sleep(_PAUSE_S)


def _stopped(writing: Writing, why: str) -> None:
    left = "1 card is" if writing.left == 1 else f"{writing.left} cards are"
    print(f"{why}; {left} left: the same command goes on there", file=sys.stderr)


@contextmanager
def _shown(total: int, where: str) -> Iterator[Callable[[Told], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    console = Console(highlight=False, markup=False, soft_wrap=True)
    draws = console.is_terminal and not console.is_dumb_terminal
    with Progress(*columns, console=console, disable=not draws) as bar:
        task = bar.add_task("", total=total)

        def show(told: Told) -> None:
            line = said(told, where)
            bar.update(task, completed=told.done, description=line)
            if told.stage is not Stage.LAY or not draws:
                bar.console.print(line)

        yield show


def _todo(store: DeckStore, group: str, only: list[str] | None) -> list[Card]:
    playing = [card for card in store.deck.cards if card.in_play]
    if group and group not in {card.group for card in playing}:
        there = ", ".join(dict.fromkeys(card.group for card in playing if card.group)) or "none"
        give_up(f"the deck has no set {group[:40]!a}; it has {there}")
    mine = [card for card in playing if group in ("", card.group)]
    if not only:
        return to_write(mine)
    found = []
    for text in only:
        named = [card for card in mine if card.choice == card_of(text)]
        if not named:
            give_up(f"the deck has no card {text[:60]!a}" + (f" in {group}" if group else ""))
        if len(named) > 1:
            sets = ", ".join(dict.fromkeys(card.group or "-" for card in named))
            give_up(f"the deck has {len(named)} of {label(named[0].choice)} ({sets}): name --set")
        found += named
    return found


def _paths(decks: list[Path] | None, config: Config | None) -> list[Path]:
    if decks:
        return decks
    return [*config.table.decks] if config else [Path("deck.toml")]


@contextmanager
def _station(config: Config | None, seat: str, reader: str) -> Iterator[tuple[TagStation, str]]:
    address, where = _address(config, seat, reader)
    try:
        found = parse_address(address)
    except ValueError as error:
        give_up(str(error))
    if kind_of(found).simulated:
        give_up(
            f"{where} is simulated, and is there only while the hub runs: write on its console's "
            "page Cards, or name a real one with --reader"
        )
    try:
        station = open_station(found)
    except ValueError as error:
        give_up(f"{where}: {error}; name one with --reader")
    try:
        try:
            station.open()
        except StationLost as error:
            give_up(str(error), status=FAILED)
        yield station, where
    finally:
        station.close()


def _address(config: Config | None, seat: str, reader: str) -> tuple[str, str]:
    if reader:
        return reader, "the reader"
    if config is None:
        give_up("say at which reader: --reader pn532:/dev/…, or --config FILE with --seat SEAT")
    named = {each.name: each.reader for each in config.seats}
    if seat and seat not in named:
        give_up(f"no seat is called {seat[:40]!a}; there are {', '.join(named)}")
    real = [name for name, address in named.items() if not address.startswith("sim:")]
    chosen = seat or (real[0] if real else next(iter(named)))
    return named[chosen], f"the reader of {chosen}"


def _password(file: Path | None) -> str:
    if file is None:
        return ""
    sealed = read_password(file)
    if sealed is None:
        give_up(f"{file}: its first line has to be a password of 1 to {MAX_PASSWORD_CHARS} signs")
    return sealed.unseal()


def _see_that_it_is_final(finish: Finish, *, sure: bool) -> None:
    if finish.lock:
        typer.echo("each tag is LOCKED once it is written: it can never be written again")
    if finish.password:
        typer.echo("each tag is GUARDED: without this password it can never be written again")
    if not (finish.lock or finish.password) or sure:
        return
    if not sys.stdin.isatty():
        give_up("this is for good: say so with --final")
    if typer.prompt(f"This is for good. Type {_FINAL} to go on") != _FINAL:
        give_up("nothing was written")
