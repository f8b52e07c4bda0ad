"""The parts of a plan, as values that can be shown before anything is done."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

PROGRAM = "/opt/facedown"
"""The program, in its own virtual environment."""
TABLES = "/var/lib/facedown"
"""A folder for each table, and the home of the user ``facedown``."""
SETTINGS = "/etc/facedown"
CREDENTIALS = f"{SETTINGS}/credentials"
"""A folder for each table: secrets that systemd hands to its service."""
OWN = (PROGRAM, TABLES, SETTINGS)
"""Facedown's own paths; every file written elsewhere is reported."""
USER = "facedown"


class Refused(Exception):
    """Something could not be done. ``why``: a line for each reason, with the remedy."""

    def __init__(self, *why: str) -> None:
        super().__init__("\n".join(why))
        self.why = why


class Folder(Struct, frozen=True, kw_only=True):
    """A folder that must exist."""

    path: str
    mode: int = 0o755
    user: str = "root"
    group: str = "root"


class File(Struct, frozen=True, kw_only=True):
    """A file and its required content, which is never shown if ``secret``."""

    path: str
    content: str
    mode: int = 0o644
    user: str = "root"
    group: str = "root"
    secret: bool = False
    shared: bool = False
    """Others have entries in it, which ``content`` includes: so it is overwritten even if it was
    changed."""

    def __repr__(self) -> str:
        return f"File({self.path!r}, mode={self.mode:o}, {self.user}:{self.group})"


class Link(Struct, frozen=True, kw_only=True):
    """A symbolic link."""

    path: str
    target: str


class Command(Struct, frozen=True, kw_only=True):
    """A program to run; its arguments never include a secret."""

    words: tuple[str, ...]
    needed: bool = True
    """Whether its failure makes the plan fail; otherwise the failure is only reported."""


Step = Folder | File | Link | Command


class Plan(Struct, frozen=True):
    """All steps, in order."""

    steps: tuple[Step, ...]

    def files(self) -> Iterable[File]:
        """The files among the steps."""
        return (step for step in self.steps if isinstance(step, File))


def is_own(path: str) -> bool:
    """Whether a path is in one of Facedown's own folders."""
    return any(PurePosixPath(path).is_relative_to(own) for own in OWN)


def unit_of(table: str) -> str:
    """The name of the service that runs a table."""
    return "facedown.service" if table == "table" else f"facedown@{table}.service"
