"""Makes the folder of a new table, and says in advance what it will hold and what prevents it."""

import errno
import os
import shlex
import socket
from contextlib import closing
from pathlib import Path

from hub.cards.deck import Deck
from hub.config.starter import CONFIG_FILE, GM_SEAT, Plan, files_of, starter_of, write_folder
from hub.daemon.outputs import OUTPUTS
from hub.kernel.called import called
from hub.kernel.catalogues import ENGLISH
from hub.kernel.reasons import Reason
from hub.setup.questions import SetupReason, text


def lying_there(folder: Path, plan: Plan) -> list[Path]:
    """The existing files in ``folder`` that the plan would overwrite."""
    return [folder / name for name in files_of(plan) if (folder / name).exists()]


def folder_fault(folder: Path, name: str) -> Reason | None:
    """Why no table called ``name`` can be made in ``folder``; None if one can."""
    if folder.exists() and not folder.is_dir():
        return SetupReason("no-folder-there", folder=str(folder))
    journal = folder / f"{name}.journal"
    if journal.exists():
        return SetupReason("played-here", file=str(journal))
    lowest = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    if not os.access(lowest, os.W_OK | os.X_OK):
        return SetupReason("not-written", file=str(lowest), fault=os.strerror(errno.EACCES))
    return None


def port_fault(port: int, *, phones: bool) -> Reason | None:
    """Why pages cannot be served at this port; None if they can. ``phones``: phones open the pages,
    too, not only this machine."""
    host = "0.0.0.0" if phones else "127.0.0.1"  # noqa: S104 - who asks for it wants it
    with closing(socket.socket()) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except PermissionError:
            return SetupReason("port-low")
        except OSError:
            return SetupReason("port-taken", port=str(port))
    return None


def free_port(port: int) -> int:
    """The first free port after this one; 0, which stands for any, if the next 19 are taken."""
    nearest = range(port + 1, port + 20)
    return next((each for each in nearest if port_fault(each, phones=True) is None), 0)


def make(folder: Path, plan: Plan) -> Path:
    """Write the folder. Returns the path of its configuration. Raises what
    :func:`hub.config.starter.write_folder` raises."""
    write_folder(folder, files_of(plan), OUTPUTS)
    return folder / CONFIG_FILE


def next_commands(folder: Path, plan: Plan, language: str) -> list[tuple[str, str]]:
    """The commands to type next, each with a sentence that says what it does."""
    config = shlex.quote(str(folder / CONFIG_FILE))
    cards = shlex.quote(str(folder / "cards.pdf"))
    commands = {"check": f"{called()} check-config {config}"}
    if plan.deck is None:
        spoken = "" if language == ENGLISH else f" --locale {language}"
        commands["print"] = (
            f"{called()} cards print --config {config} --starter --out {cards}{spoken}"
        )
        if not all(seat.reader.startswith("sim:") for seat in plan.seats):
            commands["tags"] = f"{called()} cards write --config {config}"
    commands["run"] = f"{called()} run --config {config}"
    return [(typed, text(language, f"next.{name}")) for name, typed in commands.items()]


def summary(folder: Path, plan: Plan, language: str) -> list[tuple[str, str]]:
    """The lines of a summary, each a label and a value; the lines of seats have no label."""

    def say(key: str, **places: object) -> str:
        return text(language, f"say.{key}", **places)

    title, _ = starter_of(plan.ruleset).told(plan.ruleset, language)
    seats, players = len(plan.seats), sum(each.name != GM_SEAT for each in plan.seats)
    lines = [
        (say("folder"), str(folder.absolute())),
        (text(language, "language.label"), text(language, f"language.{language}")),
        (say("book"), title),
        (say("seats"), say("n-seats", n=seats, players=players)),
    ]
    for seat in plan.seats:
        simulated = seat.reader.startswith("sim:")
        reader = say("simulated-reader") if simulated else seat.reader.partition(":")[2]
        who = ", ".join(sheet.name for sheet in seat.playing) or "GM"
        told = say("seat", seat=seat.name, who=who, reader=reader)
        lines.append(("", told))
    deck = files_of(plan)["deck.toml"]
    if isinstance(deck, Deck):
        cards = say("n-cards", n=len(deck.cards))
    else:
        cards = say("their-deck" if "=" in deck else "no-cards")
    lines.append((say("cards"), cards))
    broker = plan.broker
    lines.append((say("broker"), f"{broker.host}:{broker.port}" if broker else say("none")))
    pages = say("phones" if plan.phones else "only-here", port=plan.port)
    return [*lines, (say("pages"), pages)]
