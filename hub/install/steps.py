"""The parts of a plan, as values that can be shown before anything is done."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

PROGRAM = "/opt/facedown"
"""The folder of the program and its virtual environment."""
TABLES = "/var/lib/facedown"
"""The folder that has a folder for each table. It is the home of the user ``facedown``."""
SETTINGS = "/etc/facedown"
CREDENTIALS = f"{SETTINGS}/credentials"
"""The folder that has a folder for each table, with the secrets that systemd hands to its
service."""
OWN = (PROGRAM, TABLES, SETTINGS)
"""Facedown's own folders, each of which is removed as a whole or stays."""
USER = "facedown"


class Refused(Exception):
    """Raised if a plan cannot be made or carried out. ``why``: a line for each reason, with the
    remedy."""

    def __init__(self, *why: str) -> None:
        super().__init__("\n".join(why))
        self.why = why


class Folder(Struct, frozen=True, kw_only=True):
    """A folder that must exist. The mode and the owner are for a folder that has to be made."""

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
    """Whether other programs have entries in the file. ``content`` includes these, so the file is
    overwritten even if it was changed."""

    def __repr__(self) -> str:
        return f"File({self.path!r}, mode={self.mode:o}, {self.user}:{self.group})"


class Link(Struct, frozen=True, kw_only=True):
    """A symbolic link at ``path`` that must lead to ``target``."""

    path: str
    target: str


class Command(Struct, frozen=True, kw_only=True):
    """A program to run; its arguments never include a secret."""

    words: tuple[str, ...]
    needed: bool = True
    """Whether the plan fails if the program fails; otherwise the failure is only reported."""


Step = Folder | File | Link | Command


class Plan(Struct, frozen=True):
    """All steps of an installation, in order."""

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
