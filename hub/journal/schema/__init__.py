"""The journal's schemas by number, and the migration of a file to the newest.

``PRAGMA user_version`` holds the number of the file's last migration; ``application_id`` identifies
the file as a Facedown journal.
"""

import sqlite3
from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from hub.ports import JournalError

APPLICATION_ID = 0x4644574E
"""Identifies a file as a Facedown journal: ``FDWN`` in ASCII."""


@cache
def migrations() -> Mapping[int, str]:
    """Number → script, from an empty file to the newest schema, in order. Read once."""
    folder = resources.files(__name__)
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return {
        int(name.removesuffix(".sql")): (folder / name).read_text(encoding="utf-8")
        for name in names
    }


def schema_of(db: sqlite3.Connection, path: Path) -> int:
    """The schema of the file behind ``db``; 0: an empty one. Raises :class:`JournalError` for
    another program's database, for a newer schema, and for one from before version 1.0.0."""
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (version,) = db.execute("PRAGMA user_version").fetchone()
    (things,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner == 0 and version == 0 and things == 0:
        return 0
    if owner != APPLICATION_ID:
        raise JournalError(f"{path}: this is another program's database; name another file")
    oldest, newest = min(migrations()), max(migrations())
    if version < oldest:
        raise JournalError(
            f"{path}: made by a Facedown before version 1.0.0 (schema {version}, this version "
            f"reads {oldest} and up); move it away, or name another file, to begin a new one"
        )
    if version > newest:
        raise JournalError(
            f"{path}: made by a newer Facedown (schema {version}, this version reads up to "
            f"{newest}); update Facedown or name another file"
        )
    return int(version)


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring a file from schema ``version`` to the newest, each step completely or not at all."""
    for number, script in migrations().items():
        if number <= version:
            continue
        try:
            db.executescript(
                f"BEGIN IMMEDIATE; {script}; PRAGMA application_id = {APPLICATION_ID}; "
                f"PRAGMA user_version = {number}; COMMIT;"
            )
        except sqlite3.Error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            raise
