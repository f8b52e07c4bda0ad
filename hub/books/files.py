"""Files that people write, on disk: read within bounds, replaced all together or not at all."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path

from hub.books.family import House, Sheet
from hub.rules.documents import Document
from hub.rules.documents.toml import parse_toml
from hub.rules.faults import Fault, Faulty
from hub.rules.reasons import Reason

MAX_SHEET_BYTES = 64 * 1024
MAX_HOUSE_BYTES = 100_000


def read_toml(path: Path, most_bytes: int) -> Document:
    """Read a file of at most ``most_bytes``. Raises :class:`Faulty`."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        reason = Reason("unreadable", fault=str(getattr(error, "strerror", error)))
        raise Faulty(Fault((), reason, str(path))) from None
    if len(data) > most_bytes:
        reason = Reason("file-too-large", most=most_bytes)
        raise Faulty(Fault((), reason, str(path)))
    return parse_toml(str(path), data)


def see_base(document: Document, sheet: Sheet, house: House | None) -> None:
    """Raise :class:`Faulty` where house rules are of another ruleset than the sheet."""
    if house is not None and house.base != sheet.ruleset:
        why = Reason("rules-of-another", place="ruleset", book=sheet.ruleset, base=house.base)
        document.refuse(("ruleset",), why)


def save_files(texts: Mapping[Path, str]) -> None:
    """Write texts over the files that are there, which keep their mode and stay links if they are.

    All new files are on disk before the first old one is replaced; if replacing one fails, those
    before it get their old content back. Raises :class:`Faulty`.
    """
    prepared: dict[Path, Path] = {}
    done: dict[Path, bytes] = {}
    path = Path()
    try:
        for path, text in texts.items():
            target = path.resolve(strict=True)
            prepared[target] = _beside(target, text.encode())
        for target, new in prepared.items():
            path = target
            old = target.read_bytes()
            new.replace(target)
            done[target] = old
    except OSError as error:
        for target, old in done.items():
            with contextlib.suppress(OSError):
                _beside(target, old).replace(target)
        reason = Reason("unwritable-all", fault=str(error.strerror))
        raise Faulty(Fault((), reason, str(path))) from None
    finally:
        for new in prepared.values():
            new.unlink(missing_ok=True)


def keep_aside(here: Path, there: Path) -> None:
    """Let what lies ``here`` lie ``there``, too, until something takes its place in one step. A
    folder, or anything on a file system without links, is moved. Raises :class:`OSError`."""
    try:
        os.link(here, there, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        here.rename(there)


def _beside(target: Path, data: bytes) -> Path:
    """A new file in the same folder with this content, on disk, with the target's mode."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), stat.S_IMODE(target.stat().st_mode))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        new.unlink(missing_ok=True)
        raise
    return new
