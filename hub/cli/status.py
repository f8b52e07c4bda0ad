"""``facedown status`` and ``facedown addresses``: ask a hub that runs on this machine."""

import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.failing import FAILED
from hub.cli.language import Locale, spoken
from hub.kernel.bounds import RESERVED
from hub.kernel.called import called
from hub.kernel.texts import Said, said
from hub.kernel.texts import name as spelled

if TYPE_CHECKING:
    from hub.config.settings import Config
    from hub.kernel.texts import Texts
    from hub.wire.health import BrokerHealth, CompanionHealth, Health, Times

_EVERY_S = 1.0
_COMPANIONS = {"homeassistant": "Home Assistant", "homie": "Homie"}
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def status(
    *,
    config: Annotated[Path, typer.Option(help="Whose table.")] = Path("hub.toml"),
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON (docs/build/status.md).")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Again each second, until Ctrl-C.")
    ] = False,
    locale: Locale = "",
) -> None:
    """Ask this table's running hub for its health.

    It shows cards sealed and reveals since the hub's start, losses and disturbances of each
    reader, the broker, and how long the disk takes. It never shows a card. The hub answers its own
    user, its group and root. The exit status is 1 if it does not answer, if the table cannot store
    events, or if a reader is lost.

    Examples:

      facedown status --config /etc/facedown/hub.toml

      facedown status --watch

      facedown status --json
    """
    from hub.config.loader import load_config
    from hub.daemon.outputs import OUTPUTS
    from hub.daemon.status import NotAnswered, ask, socket_of
    from hub.games.registry import texts

    tell = texts(spoken(locale, config))
    table = load_config(config, OUTPUTS)
    journal = table.table.journal
    try:
        health = ask(journal)
        while watch:
            _show(health, tell, as_json=as_json, afresh=True)
            time.sleep(_EVERY_S)
            health = ask(journal)
        _show(health, tell, as_json=as_json)
    except NotAnswered as error:
        typer.echo(
            f"facedown: {why_silent(error.why, config, table, socket_of(journal))}", err=True
        )
        raise typer.Exit(FAILED) from None
    if health.stalled or any(each.state == "lost" for each in health.readers.values()):
        raise typer.Exit(FAILED)


def addresses(
    *, config: Annotated[Path, typer.Option(help="Whose table.")] = Path("hub.toml")
) -> None:
    """Ask this table's running hub for the addresses of its pages, with the keys that open them.

    Anyone who has one of these addresses can do all that its page can, so the hub answers only its
    own user and root. A terminal also shows a code for the GM's phone. A hub started by systemd
    shows its keys nowhere else.

    Examples:

      facedown addresses

      sudo facedown addresses --config /var/lib/facedown/table/hub.toml
    """
    from hub.config.loader import load_config
    from hub.daemon.addresses import ask_pages, keys_socket_of
    from hub.daemon.main import columns, draw_code
    from hub.daemon.outputs import OUTPUTS
    from hub.daemon.status import NotAnswered

    table = load_config(config, OUTPUTS)
    if not table.web.enabled:
        typer.echo("facedown: this table has no pages: enabled = false under [web]", err=True)
        raise typer.Exit(FAILED)
    try:
        pages = ask_pages(table.table.journal)
    except NotAnswered as error:
        door = keys_socket_of(table.table.journal)
        why = why_silent(error.why, config, table, door, "addresses")
        typer.echo(f"facedown: {why}", err=True)
        raise typer.Exit(FAILED) from None
    sys.stdout.write(columns(pages.named()))
    if pages.phones and sys.stdout.isatty():
        draw_code(pages.gm, sys.stdout)
        sys.stdout.write("\n")


def why_silent(why: str, config: Path, table: "Config", door: Path, command: str = "status") -> str:
    """Say why the hub does not answer, and what to do about it.

    ``why``: from :class:`hub.daemon.status.NotAnswered`; ``door``: the socket that was asked;
    ``command``: the command that asked.
    """
    from hub.daemon.running import playing
    from hub.daemon.status import ANSWER_S
    from hub.doctor.machine import user_called

    process = playing(table)
    match why:
        case "closed":
            owner = user_called(door.stat().st_uid)
            whom = "and its group alone" if command == "status" else "and root alone"
            return (
                f"the hub answers {owner}, who runs it, {whom}: "
                f"sudo -u {owner} {called()} {command} --config {config}"
            )
        case "hangs":
            return f"the hub (process {process}) has not answered for {ANSWER_S:g} s: see its log"
        case "other":
            return "the hub is of another version: start it again"
    if process:
        return f"the hub (process {process}) cannot be asked: its log says why at its start"
    return f"no hub runs at this table: {called()} run --config {config}"


def _show(health: "Health", tell: "Texts", *, as_json: bool, afresh: bool = False) -> None:
    if as_json:
        from hub.wire.health import health_payload

        typer.echo(health_payload(health).decode())
        return
    from hub.games.terminal import console

    out = console()
    if afresh and out.is_terminal:
        out.clear()
    elif afresh:
        out.print()
    lines = [*_lines(health, tell)]
    width = max(len(name) for name, _ in lines)
    for name, told in lines:
        out.print(f"{name:<{width}}  {told}", markup=False, highlight=False, soft_wrap=True)


def _lines(health: "Health", tell: "Texts") -> Iterator[tuple[str, str]]:
    """The lines to show, each a name and a text, in the words of the console's page *Table*."""
    since = datetime.strptime(health.started_at, "%Y-%m-%dT%H:%M:%S%z")
    up = _long((datetime.now(UTC) - since).total_seconds())
    yield tell("health.version"), tell("health.hub", version=health.version, time=up)
    yield tell("health.title"), tell("health.stalled" if health.stalled else "health.plays")
    if health.panel_missing:
        yield tell("health.at-panel"), tell("health.panel", pins=health.panel_missing)
    yield tell("health.commits"), str(health.commits)
    yield tell("health.reveals"), str(health.reveals)
    yield tell("health.reveal"), _spread(health.reveal, tell)
    yield tell("health.journal"), _spread(health.journal, tell)
    yield tell("health.records"), str(health.records)
    yield tell("health.broker"), _broker(health.broker, tell)
    for name, companion in health.companions.items():
        plain = tell("health.connected.now" if companion.connected else "health.cut.now")
        clock = tell("health.clock", number=name.removeprefix("clock-"))
        yield _COMPANIONS.get(name, clock), plain + _hindered(companion, tell)
    for seat, reader in health.readers.items():
        named = tell.title(spelled(seat) if seat == RESERVED else said("seat", seat=spelled(seat)))
        troubles = {"lost": reader.losses, "disturbed": reader.disturbances}
        times = {key: _times(count) for key, count in troubles.items()}
        yield named, tell("health.at-reader", state=Said(f"health.state.{reader.state}"), **times)


def _broker(broker: "BrokerHealth | None", tell: "Texts") -> str:
    if broker is None:
        return tell("health.none")
    lost = _times(max(0, broker.connections - broker.connected))
    plain = tell("health.connected" if broker.connected else "health.cut", lost=lost)
    return plain + _hindered(broker, tell)


def _hindered(it: "BrokerHealth | CompanionHealth", tell: "Texts") -> str:
    """Why a connection fails or is limited, as sentences to append; empty if there is nothing to
    say."""
    why = tell(f"hindrance.{it.hindrance}") if it.hindrance else ""
    return "".join(f". {each}" for each in (why.rstrip("."), it.reason) if each)


def _spread(times: "Times", tell: "Texts") -> str:
    if not times.count:
        return tell("health.not-yet")
    half, most = (_within(times, share) for share in (0.5, 0.99))
    if half == most:
        return tell("health.spread.same", most=most)
    return tell("health.spread", half=half, most=most)


def _within(times: "Times", share: float) -> Said:
    if limit := times.within(share):
        return said("health.within", ms=limit)
    return said("health.longer", ms=times.upto[-1].ms)


def _times(count: int) -> Said:
    return said("health.times", count=count) if count else Said("health.never")


def _long(seconds: float) -> str:
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"
