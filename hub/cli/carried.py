"""Carries out a plan and prints a line for each step."""

import os
from pathlib import Path

import typer

from hub.cli.failing import give_up
from hub.install.carrying import Carrier, Deed, Done, Place
from hub.install.steps import Plan

_BOOTED = Path("/run/systemd/system")


def wanted_root(root: Path | None, *, dry: bool) -> Place:
    """The place to work on; end the command if it is the machine itself and the user is not
    root."""
    if root is not None and not root.is_dir():
        give_up(f"{root}: no such folder")
    place = Place(root.absolute() if root else Path("/"))
    if place.is_machine and os.geteuid() and not dry:
        give_up("only root may do that: put sudo before it, or look first with --dry-run")
    return place


def machine(place: Place) -> bool:
    """Whether systemd runs there, so that services can be controlled."""
    return place.is_machine and _BOOTED.is_dir()


def carried(carrier: Carrier, plan: Plan) -> list[Done]:
    """Carry out the plan, or show it. Raises :class:`hub.install.steps.Refused`."""
    done = []
    for each in carrier.carry_out(plan):
        said(each)
        done.append(each)
    return done


def said(*done: Done) -> None:
    """Print a line for each step."""
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
