"""Passwords from outside the configuration: from files, or provided by systemd."""

import os
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

from hub.games.files import open_named
from hub.kernel.documents import ENCODING
from hub.kernel.documents.sections import must_be
from hub.kernel.reasons import Reason
from hub.table.sealed import Sealed

MAX_PASSWORD_CHARS = 1024

Credential = Annotated[
    str, must_be(Reason("a-credential"), pattern=r"^([A-Za-z0-9_-][A-Za-z0-9_.-]{0,63})?\Z")
]
"""The name of a credential from systemd (systemd.exec(5), Credentials); empty: none."""
CREDENTIALS = Path("/etc/facedown/credentials")
"""The source of systemd's credentials, with a folder for each table."""


def credential_file(name: str, table: str) -> Path:
    """The file of a systemd credential, or outside a service its source for the table.

    Ref: systemd.exec(5), ``LoadCredential=``.
    """
    handed_in = os.environ.get("CREDENTIALS_DIRECTORY", "")
    return (Path(handed_in) if handed_in else CREDENTIALS / table) / name


def read_password(file: Path) -> Sealed[str] | None:
    """The first line of a file; None if it is unreadable, empty or too long."""
    try:
        with TextIOWrapper(open_named(file), encoding=ENCODING) as lines:
            password = lines.readline(MAX_PASSWORD_CHARS + 3).rstrip("\r\n")
    except (OSError, ValueError):
        return None
    return Sealed(password) if 0 < len(password) <= MAX_PASSWORD_CHARS else None
