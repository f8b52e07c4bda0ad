"""``facedown install``, ``uninstall`` and ``provision``: set up a table's service and its
broker."""

import os
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from hub.cli.failing import FAILED, give_up
from hub.install.broker import PASSWORD, Choices, Provision, take_up
from hub.install.broker import provision as planned
from hub.install.carrying import Carrier, Deed, Done, Place
from hub.install.mosquitto import Role
from hub.install.program import program
from hub.install.removing import kept
from hub.install.removing import uninstall as removed
from hub.install.steps import SETTINGS, TABLES, Command, File, Plan, Refused, unit_of
from hub.install.table import Became, Reach, set_as_owner
from hub.kernel.called import called
from hub.wire.topics import TopicFault, check_name

_BOOTED = Path("/run/systemd/system")


def wanted_root(root: Path | None, *, dry: bool) -> Place:
    """The place to work on: the folder ``root``, or this machine. Ends the command if there is no
    such folder; on this machine, also if the user is not root (unless ``dry``)."""
    if root is not None and not root.is_dir():
        give_up(f"{root}: no such folder")
    place = Place(root.absolute() if root else Path("/"))
    if place.is_machine and os.geteuid() and not dry:
        give_up("only root may do that: put sudo before it, or look first with --dry-run")
    return place


def machine(place: Place) -> bool:
    """Whether ``place`` is this machine, with a systemd that takes commands."""
    return place.is_machine and _BOOTED.is_dir()


def carried(carrier: Carrier, plan: Plan) -> list[Done]:
    """Carry out the plan, and print each step. Returns the steps. Raises
    :class:`hub.install.steps.Refused`."""
    done = []
    for each in carrier.carry_out(plan):
        said(each)
        done.append(each)
    return done


def said(*done: Done) -> None:
    """Print a line for each step that was done."""
    for each in done:
        match each.deed:
            case Deed.KEPT if each.aside:
                text = f"{each.where}: you have changed it; what would stand there is {each.aside}"
            case Deed.KEPT:
                text = f"{each.where}: something else is there, and stays"
            case Deed.REPLACED:
                text = f"{each.where}: what you changed is {each.aside} now"
            case Deed.FAILED:
                text = f"{each.where}: {each.aside}"
            case _:
                text = each.where
        typer.echo(f"{each.deed:<9} {text}")


Root = Annotated[Path | None, typer.Option(metavar="FOLDER", help="A folder in the place of /.")]


def install(
    *,
    kiosk: Annotated[
        bool, typer.Option("--kiosk", help="Show the display on this machine’s own screen.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Move files that you changed aside.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it, and do nothing.")] = False,
    root: Root = None,
) -> None:
    """Let a table start with this machine: a user, units, rules for readers.

    The program has to be in /opt/facedown/venv; docs/build/raspberry-pi.md lists the commands.
    Run it again after each upgrade; your own changes are kept.

    Examples:

      sudo /opt/facedown/venv/bin/facedown install

      sudo facedown install --kiosk

      sudo facedown install --dry-run
    """
    place = wanted_root(root, dry=dry_run)
    try:
        plan = program(place, kiosk=kiosk, running=machine(place))
        carried(Carrier(place, overwrite=overwrite, dry=dry_run), plan)
    except Refused as refused:
        give_up(*refused.why)
    if dry_run or place.at(f"{TABLES}/table/hub.toml").exists():
        return
    typer.echo(
        f"\nNext come a table, its broker, and the start:\n"
        f"  sudo -u facedown facedown init {TABLES}/table\n"
        f"  sudo facedown provision\n"
        f"  sudo systemctl start facedown"
    )


def uninstall(
    *,
    purge: Annotated[
        bool, typer.Option("--purge", help="Tables, passwords and the broker’s files, too.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    root: Root = None,
) -> None:
    """Remove everything that `facedown install` made, and the program. --purge removes tables too.

    Examples:

      sudo facedown uninstall

      sudo facedown uninstall --purge
    """
    place = wanted_root(root, dry=False)
    stays = kept(place)
    if purge and stays and not yes:
        typer.echo("this will be gone for good, with every evening that was played:")
        for path in stays:
            typer.echo(f"  {path}")
        if not sys.stdin.isatty() or not typer.confirm("Remove it?", default=False):
            give_up("nothing was removed; --yes removes without asking")
    try:
        for done in removed(place, purge=purge, running=machine(place)):
            said(done)
    except Refused as refused:
        give_up(*refused.why)
    if not purge and stays:
        command = f"`{called()} uninstall --purge`"
        typer.echo(f"\nThis stays; {command} before would have removed it, too:")
        for path in stays:
            typer.echo(f"  {path}")


_PASSWORDS = f"{SETTINGS}/passwords"
_HOST = "127.0.0.1"
_ANSWERS_S, _AGAIN_S = 10.0, 0.2


def provision(
    *,
    table: Annotated[str, typer.Option(metavar="NAME", help="Whose hub uses it.")] = "table",
    anonymous_reading: Annotated[
        bool | None,
        typer.Option(
            "--anonymous-reading/--no-anonymous-reading",
            help="Let anybody read what displays may, without a password.",
        ),
    ] = None,
    homeassistant: Annotated[
        bool | None,
        typer.Option("--homeassistant/--no-homeassistant", help="A user for Home Assistant."),
    ] = None,
    homeassistant_commands: Annotated[
        bool | None,
        typer.Option(
            "--homeassistant-commands/--no-homeassistant-commands",
            help="Let it give the GM’s commands, too.",
        ),
    ] = None,
    local: Annotated[
        bool | None, typer.Option("--local/--no-local", help="For this machine alone.")
    ] = None,
    port: Annotated[
        int | None, typer.Option(min=1, max=65535, help="Where it listens; 1883 if left out.")
    ] = None,
    tls: Annotated[
        tuple[Path, Path] | None,
        typer.Option(metavar="CERT KEY", help="Let others in by TLS alone (port 8883): PEM files."),
    ] = None,
    renew: Annotated[
        list[Role] | None, typer.Option(help="Give this user a new password; once for each.")
    ] = None,
    passwords: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write new passwords there, and not to the terminal."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Move files that you changed aside.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show it, and do nothing.")] = False,
    root: Root = None,
) -> None:
    """Set mosquitto up for the tables of this machine: users, passwords and access rights.

    Run it again whenever you like: existing passwords and your own changes are kept. New passwords
    are shown once; the broker stores only their hashes.

    Examples:

      sudo facedown provision

      sudo facedown provision --homeassistant

      sudo facedown provision --renew display

      sudo facedown provision --dry-run
    """
    place = wanted_root(root, dry=dry_run)
    try:
        check_name(table, "the table")
        carrier = Carrier(place, overwrite=overwrite, dry=dry_run)
        choices = _choices(
            carrier,
            anonymous_reading=anonymous_reading,
            homeassistant=True if homeassistant_commands else homeassistant,
            homeassistant_commands=homeassistant_commands,
            local=local,
            port=port,
            tls=True if tls else None,
        )
        found = planned(place, choices, table=table, renew=tuple(renew or ()), tls=tls)
        plan, file = _with_passwords(place, found, passwords)
        done = carried(carrier, plan)
        _tell_broker(place, carrier, found, done, choices.port)
        changed = _tell_table(place, table, choices, dry=dry_run)
        if changed and machine(place):
            restart = Command(words=("systemctl", "try-restart", unit_of(table)), needed=False)
            said(*carrier.carry_out(Plan((restart,))))
    except (Refused, TopicFault) as refused:
        give_up(*str(refused).split("\n"))
    if dry_run:
        return
    if not done and not changed:
        typer.echo("all is as it has to be; nothing was changed")
    _show(found, file, place)


def _choices(carrier: Carrier, **asked: bool | int | None) -> Choices:
    before = {
        key: value
        for key, value in carrier.manifest.choices.items()
        if key in Choices.__struct_fields__
    }
    now = {key: value for key, value in asked.items() if value is not None}
    carrier.manifest.choices.update(now)
    return Choices(**{**before, **now})  # type: ignore[arg-type]


def _with_passwords(place: Place, found: Provision, wanted: Path | None) -> tuple[Plan, str]:
    """Return the plan with a file for new passwords, and that file's path. If there are none, or
    they are to be shown on the terminal because no file is ``wanted``, the plan stays as it is and
    the path is empty."""
    shown = {role: each for role, each in found.new.items() if role is not Role.HUB}
    if not shown or (wanted is None and sys.stdout.isatty()):
        return found.plan, ""
    path = str(wanted.absolute()) if wanted else _PASSWORDS
    before = place.read(path) or ""
    lines = [line for line in before.splitlines() if line.partition(" ")[0] not in shown]
    lines += [f"{role} {password.unseal()}" for role, password in shown.items()]
    content = "\n".join([*lines, ""])
    file = File(path=path, content=content, mode=0o600, secret=True, shared=True)
    if wanted and before:
        raise Refused(f"{wanted}: is there already; name another file")
    return Plan((*found.plan.steps, file)), path


def _tell_broker(
    place: Place, carrier: Carrier, found: Provision, done: list[Done], port: int
) -> None:
    """Make the broker load its new files, if there are any, and check that it answers.

    Raises :class:`Refused` if the broker does not start; its old files are then restored. Ends the
    command if it starts but does not answer.
    """
    touched = any(
        each.where.startswith("/etc/mosquitto/") and each.deed is not Deed.KEPT for each in done
    )
    if not touched or carrier.dry:
        return
    if not machine(place):
        typer.echo("the broker reads this when it starts")
        return
    said(take_up(carrier, restart=found.restart))
    _ask_broker(found, port)


def _ask_broker(found: Provision, port: int) -> None:
    from hub.config.starter import Broker
    from hub.setup.broker import broker_answers

    broker = Broker(host=_HOST, port=port, username=Role.HUB, password=found.hub)
    until = time.monotonic() + _ANSWERS_S
    while fault := broker_answers(broker):
        if time.monotonic() > until:
            give_up(
                f"{fault}; journalctl -u mosquitto -e may know why",
                "what was written stands; --renew hub makes a new password for the hub",
                status=FAILED,
            )
        time.sleep(_AGAIN_S)  # no event signals an open port


def _tell_table(place: Place, table: str, choices: Choices, *, dry: bool) -> bool:
    """Set the ``[mqtt]`` section of the table's configuration. Returns whether the section changed
    or, with ``dry``, would change."""
    path = f"{TABLES}/{table}/hub.toml"
    reach = Reach(_HOST, choices.port, Role.HUB, PASSWORD)
    try:
        became = set_as_owner(place.at(path), reach, dry=dry)
    except Refused as refused:
        typer.echo(f"{refused}\nThe broker is set up; under [mqtt] there it needs:", err=True)
        _show_section(reach)
        raise typer.Exit(FAILED) from None
    match became:
        case Became.MISSING:
            typer.echo(
                f"{path}: no table is there yet. Make one, and run this again:\n"
                f"  sudo -u facedown facedown init {TABLES}/{table}"
            )
        case Became.ELSEWHERE:
            typer.echo(f"{path}: goes to another broker, and stays so. For this one it needs:")
            _show_section(reach)
        case Became.SET:
            typer.echo(f"changed   {path}: [mqtt]; the one before is {path}.facedown-old")
            return True
        case Became.SAME:
            pass
    return False


def _show_section(reach: Reach) -> None:
    typer.echo(
        f'  enabled = true\n  host = "{reach.host}"\n  port = {reach.port}\n'
        f'  username = "{reach.username}"\n  password_credential = "{reach.password_credential}"'
    )


def _show(found: Provision, file: str, place: Place) -> None:
    shown = {role: each for role, each in found.new.items() if role is not Role.HUB}
    if not shown:
        return
    if file:
        typer.echo(f"new passwords are in {place.at(file)}, which root alone can read")
        return
    typer.echo("\nNew passwords, shown this once (--renew USER makes another):\n")
    for role, password in shown.items():
        typer.echo(f"  {role:<14} {password.unseal()}")
    typer.echo()
