"""What a plan is made of: values that can be shown before anything is done."""

from collections.abc import Iterable
from pathlib import PurePosixPath

from msgspec import Struct

PROGRAM = "/opt/facedown"
"""The program, in a virtual environment of its own."""
TABLES = "/var/lib/facedown"
"""A folder for each table, and the home of the user ``facedown``."""
SETTINGS = "/etc/facedown"
CREDENTIALS = f"{SETTINGS}/credentials"
"""A folder for each table: secrets that systemd hands to its service."""
OWN = (PROGRAM, TABLES, SETTINGS)
"""Facedown's own paths; whatever else is written is said."""
USER = "facedown"


class Refused(Exception):
    """It cannot be done; ``why`` has a line for each reason, with what to do. Nothing was done."""

    def __init__(self, *why: str) -> None:
        super().__init__("\n".join(why))
        self.why = why


class Folder(Struct, frozen=True, kw_only=True):
    """A folder that has to be there."""

    path: str
    mode: int = 0o755
    user: str = "root"
    group: str = "root"


class File(Struct, frozen=True, kw_only=True):
    """A file as it has to be. Never shown with its content if that is ``secret``."""

    path: str
    content: str
    mode: int = 0o644
    user: str = "root"
    group: str = "root"
    secret: bool = False
    shared: bool = False
    """Its content keeps what other people have in it, so it can be written over."""

    def __repr__(self) -> str:
        return f"File({self.path!r}, mode={self.mode:o}, {self.user}:{self.group})"


class Link(Struct, frozen=True, kw_only=True):
    """A symbolic link."""

    path: str
    target: str


class Command(Struct, frozen=True, kw_only=True):
    """A program that is run; never with a secret among its words."""

    words: tuple[str, ...]
    needed: bool = True
    """Whether the plan has failed with it; else its failure is said."""


Step = Folder | File | Link | Command


class Plan(Struct, frozen=True):
    """Everything that is to be done, in its order."""

    steps: tuple[Step, ...]

    def files(self) -> Iterable[File]:
        """Those among the steps."""
        return (step for step in self.steps if isinstance(step, File))


def is_own(path: str) -> bool:
    """Whether it lies in one of Facedown's own places."""
    return any(PurePosixPath(path).is_relative_to(own) for own in OWN)


def unit_of(table: str) -> str:
    """The service that plays a table."""
    return "facedown.service" if table == "table" else f"facedown@{table}.service"
