"""A plan that is carried out in front of somebody: a line for each thing that is done."""

import os
from pathlib import Path

import typer

from hub.cli.failing import give_up
from hub.install.carrying import Carrier, Deed, Done, Place
from hub.install.steps import Plan

_BOOTED = Path("/run/systemd/system")


def wanted_root(root: Path | None, *, dry: bool) -> Place:
    """Where it is done; only root may do it on the machine itself."""
    if root is not None and not root.is_dir():
        give_up(f"{root}: no such folder")
    place = Place(root.absolute() if root else Path("/"))
    if place.is_machine and os.geteuid() and not dry:
        give_up("only root may do that: put sudo before it, or look first with --dry-run")
    return place


def machine(place: Place) -> bool:
    """Whether systemd runs there, and so there are services to tell."""
    return place.is_machine and _BOOTED.is_dir()


def carried(carrier: Carrier, plan: Plan) -> list[Done]:
    """Carry it out, or say what would be done. Raises :class:`hub.install.steps.Refused`."""
    done = []
    for each in carrier.carry_out(plan):
        said(each)
        done.append(each)
    return done


def said(*done: Done) -> None:
    """A line for each."""
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
