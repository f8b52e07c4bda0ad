"""``facedown readers``: watches the readers of a table, or tests them."""

import sys
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.failing import FAILED, give_up
from hub.cli.language import Locale, known_language, spoken, written
from hub.kernel.called import called

if TYPE_CHECKING:
    from hub.cards.deck import Deck
    from hub.cli.readers_shown import Shown
    from hub.config.settings import Config
    from hub.readers.address import Address
    from hub.readers.verdicts import Verdict

_TEST_S = 30.0
_STEP_S = 1.0
_DEFAULT = Path("hub.toml")


def readers(
    addresses: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ADDRESS",
            help="pn532:/dev/…, or the device alone; else the configuration's.",
        ),
    ] = None,
    *,
    config: Annotated[
        Path | None, typer.Option(help="Whose readers; hub.toml, if it is there.")
    ] = None,
    test: Annotated[bool, typer.Option("--test", help="Judge them, then stop.")] = False,
    seconds: Annotated[
        float | None, typer.Option(min=1, max=3600, help="How long; a test: 30, else until Ctrl-C.")
    ] = None,
    names: Annotated[
        bool, typer.Option("--names", help="Say which card lies there: everybody can read it.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    locale: Locale = "",
) -> None:
    """Watch the readers: the cards on them, their speed, their faults.

    With --test, lay one card on each reader, leave it there for 30 seconds, and read whether the
    reader is good, or what is wrong. The exit status is 1 if anything is wrong. A running hub
    holds its readers: stop it first.

    Examples:

      facedown readers

      facedown readers --test

      facedown readers --test --seconds 60 --config /etc/facedown/hub.toml

      facedown readers /dev/ttyUSB0 --json
    """
    known_language(locale)
    table = None
    if not addresses and config is None and _DEFAULT.is_file():
        config = _DEFAULT
    if config is not None:
        from hub.config.loader import load_config
        from hub.daemon.outputs import OUTPUTS

        table = load_config(config, OUTPUTS)
    language = (written if as_json else spoken)(locale, config)
    found = _found(addresses or [], table)
    if table is not None:
        _see_that_nobody_plays(table, given=bool(addresses))
    from hub.cli.readers_shown import shown

    how_long = seconds or (_TEST_S if test else None)
    deck = _deck(table) if table is not None else None
    how = {"names": names, "as_json": as_json, "test": test}
    with shown(found, deck, seconds=how_long, language=language, **how) as show:
        told = _watch(found, show, table, deck, how_long, test=test)
    if any(each.level == "wrong" for each in told):
        raise typer.Exit(FAILED)


def _watch(
    found: "dict[str, Address]",
    show: "Shown",
    table: "Config | None",
    deck: "Deck | None",
    how_long: float | None,
    *,
    test: bool,
) -> "list[Verdict]":
    from hub.readers.bench import Bench

    news = Event()
    dwell_s = table.timing.dwell_s if table else 0.3
    until = monotonic() + how_long if how_long else None
    learnt = deck.learnt if deck else None
    with Bench(found, news.set, dwell_s=dwell_s, learnt=learnt) as bench:
        while until is None or monotonic() < until:
            left = _STEP_S if until is None else min(_STEP_S, until - monotonic())
            news.wait(max(0.0, left))
            news.clear()
            show.show(bench.measured())
        told = bench.verdicts() if test else []
        show.judge(told, bench.measured())
    return told


def _found(addresses: list[str], table: "Config | None") -> "dict[str, Address]":
    from hub.readers.causes import ReaderReason, taker
    from hub.readers.devices import serial_devices
    from hub.readers.kinds import parse_address

    if addresses:
        named = {Path(a.partition("?")[0]).name: a for a in addresses}
        if len(named) < len(addresses):
            named = dict(zip(addresses, addresses, strict=True))
    elif table is not None:
        named = {seat.name: seat.reader for seat in table.seats}
    else:
        named = {Path(device).name: device for device in serial_devices()}
    if not named:
        by = taker()
        give_up(
            "no serial device is plugged in, and there is no hub.toml here: plug a reader in, or "
            f"name one: {called()} readers /dev/…",
            *([str(ReaderReason("braille-takes", by=by))] if by else ()),
        )
    try:
        parsed = {
            name: parse_address(text if ":" in text.split("/")[0] else f"pn532:{text}")
            for name, text in named.items()
        }
    except ValueError as error:
        give_up(str(error))
    there = {name: address for name, address in parsed.items() if address.path}
    for name in parsed.keys() - there.keys():
        print(f"{name}: simulated, so there is nothing to test", file=sys.stderr)
    if not there:
        give_up("every reader of this table is simulated; name a real one in its [[seat]]")
    return there


def _see_that_nobody_plays(table: "Config", *, given: bool) -> None:
    """End the command if the table's hub runs, because it holds the table's readers. ``given``:
    never end it, because the readers named on the command line may be others."""
    from hub.daemon.running import playing, told_readers

    process = playing(table)
    if process is None or given:
        return
    told = told_readers(table) or {}
    give_up(
        f"the hub of this table is running (process {process}) and holds its readers: stop it to "
        "test them; its console says how often each one failed",
        *(f"{seat}: {state}, says the hub" for seat, state in told.items()),
        status=FAILED,
    )


def _deck(table: "Config") -> "Deck | None":
    from hub.cards.deck import read_decks
    from hub.kernel.faults import Faulty

    try:
        return read_decks(table.table.decks)
    except Faulty as faulty:
        print(f"cards are not told apart by the deck: {faulty.faults[0]}", file=sys.stderr)
        return None
