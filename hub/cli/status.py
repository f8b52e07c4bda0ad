"""``facedown status``: the health of a hub running on this machine."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hub.cli.failing import FAILED
from hub.kernel.called import called

if TYPE_CHECKING:
    from hub.config.settings import Config
    from hub.wire.health import BrokerHealth, CompanionHealth, Health, Times

_EVERY_S = 1.0
_BROKER = {
    "broker-away": "it cannot be reached, or does not answer",
    "broker-refuses": "it refuses the user name or the password",
    "broker-not-trusted": "its certificate cannot be trusted",
    "broker-lacks": "it cannot do what the table needs",
    "broker-denies": "it does not take all that the hub tells",
    "commands-open": "it lets anybody give commands, so they stay off",
}
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

    table = load_config(config, OUTPUTS)
    journal = table.table.journal
    try:
        health = ask(journal)
        while watch:
            _show(health, as_json=as_json, afresh=True)
            time.sleep(_EVERY_S)
            health = ask(journal)
        _show(health, as_json=as_json)
    except NotAnswered as error:
        typer.echo(
            f"facedown: {why_silent(error.why, config, table, socket_of(journal))}", err=True
        )
        raise typer.Exit(FAILED) from None
    if health.stalled or any(each.state == "lost" for each in health.readers.values()):
        raise typer.Exit(FAILED)


def why_silent(why: str, config: Path, table: "Config", door: Path, command: str = "status") -> str:
    """Why ``facedown`` ``command`` gets no answer at ``door``, and what to do."""
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


def _show(health: "Health", *, as_json: bool, afresh: bool = False) -> None:
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
    lines = [*_lines(health)]
    width = max(len(name) for name, _ in lines)
    for name, said in lines:
        out.print(f"{name:<{width}}  {said}", markup=False, highlight=False, soft_wrap=True)


def _lines(health: "Health") -> Iterator[tuple[str, str]]:
    since = datetime.strptime(health.started_at, "%Y-%m-%dT%H:%M:%S%z")
    up = _long((datetime.now(UTC) - since).total_seconds())
    yield "Hub", f"Facedown {health.version}, runs for {up}"
    stands = "stands still: what happens cannot be stored; see the hub's log"
    yield "Table", stands if health.stalled else "plays"
    if health.panel_missing:
        parts = ", ".join(health.panel_missing)
        yield "Panel", f"cannot be used: {parts}; see the hub's log"
    sealed = f"{_many(health.commits, 'card')} sealed, {_many(health.reveals, 'reveal')}"
    yield "Since then", sealed
    safe = f"; a step is safe {_spread(health.journal)}" if health.journal.count else ""
    yield "Journal", f"{_many(health.records, 'record')}{safe}"
    told = f"told {_spread(health.reveal)}, once due" if health.reveal.count else "none yet"
    yield "Reveals", told
    if health.broker is None:
        yield "Broker", "none"
    else:
        state = _connected(health.broker)
        lost = max(0, health.broker.connections - health.broker.connected)
        yield "Broker", f"{state}, lost {_often(lost)}"
    for name, companion in health.companions.items():
        yield _COMPANIONS.get(name, name.replace("clock-", "Clock ")), _connected(companion)
    for seat, reader in health.readers.items():
        state = {"writes-cards": "writes cards"}.get(reader.state, reader.state)
        troubles = f"lost {_often(reader.losses)}, disturbed {_often(reader.disturbances)}"
        yield f"Reader {seat}", f"{state}; {troubles}"


def _connected(it: "BrokerHealth | CompanionHealth") -> str:
    """Whether it is connected, and the reason if it is hindered."""
    state = "connected" if it.connected else "not connected"
    why = _BROKER.get(it.hindrance, "")
    said = f"{why}: {it.reason}" if why and it.reason else why
    return f"{state} ({said})" if said else state


def _spread(times: "Times") -> str:
    half, most = (times.within(share) for share in (0.5, 0.99))
    longest = times.upto[-1].ms
    first, last = (
        f"within {each} ms" if each else f"after more than {longest} ms" for each in (half, most)
    )
    return f"{last} nearly always" if first == last else f"{first} mostly, {last} nearly always"


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def _often(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _long(seconds: float) -> str:
    whole = max(0, int(seconds))
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return f"{whole // _MINUTE} min"
    if whole < _DAY:
        return f"{whole // _HOUR} h {whole % _HOUR // _MINUTE} min"
    return f"{whole // _DAY} d {whole % _DAY // _HOUR} h"
