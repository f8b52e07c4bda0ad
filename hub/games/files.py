"""Reads and replaces files that people write: size limits on reading, all-or-nothing on writing."""

import contextlib
import errno
import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from io import BufferedReader
from pathlib import Path

from hub.games.family import House, Sheet
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason

MAX_SHEET_BYTES = 64 * 1024
MAX_HOUSE_BYTES = 100_000
_KINDS = (
    (stat.S_ISDIR, Reason("kind-folder")),
    (stat.S_ISFIFO, Reason("kind-pipe")),
    (stat.S_ISSOCK, Reason("kind-socket")),
    (stat.S_ISLNK, Reason("kind-link")),
)
_OF_KINDS = frozenset({errno.ELOOP, errno.EISDIR, errno.ENXIO})
"""Errors with which the system refuses to open something that is not a regular file."""
_PASSING = frozenset({
    errno.EIO, errno.ESTALE, errno.ENODEV, errno.EBUSY, errno.EMFILE, errno.ENFILE, errno.ENOMEM,
    errno.EAGAIN, errno.ETIMEDOUT, errno.EHOSTDOWN, errno.ENOTCONN,
})  # fmt: skip
"""Faults of a disk, a network or the machine that may be over in a moment."""
_GIVEN = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")


class NoFile(OSError):
    """Raised when a path is not a regular file. ``kind`` says, as a reason, what it is."""

    def __init__(self, kind: Reason, path: Path) -> None:
        super().__init__(errno.EINVAL, str(Reason("no-file-but", kind=kind)), str(path))
        self.kind = kind


def kind_of(path: Path, *, links: bool = True) -> Reason | None:
    """The kind of file at a path, such as a folder; None for a regular file. Unless ``links`` is
    false, symbolic links are followed. Raises :class:`OSError`."""
    return _kind(path.stat(follow_symlinks=links).st_mode)


def open_own(
    path: Path,
    flags: int = os.O_RDONLY,
    mode: int = 0o600,
    opening: Callable[[Path, int, int], int] = os.open,
) -> int:
    """Open one of the hub's own files without following links or blocking. Returns the descriptor.
    Raises :class:`OSError`, or its subclass :class:`NoFile` for anything but a regular file."""
    try:
        opened = opening(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, mode)
    except OSError as error:
        if error.errno in _OF_KINDS and (kind := kind_of(path, links=False)) is not None:
            raise NoFile(kind, path) from None
        raise
    if (kind := _kind(os.fstat(opened).st_mode)) is not None:
        os.close(opened)
        raise NoFile(kind, path)
    return opened


def open_named(path: Path) -> BufferedReader:
    """Open a file named by the user, without blocking. Anything but a regular file is refused,
    except descriptors already open in this process (``/dev/stdin``, ``<(…)`` of a shell). Raises
    :class:`OSError`, or its subclass :class:`NoFile`, and :class:`ValueError` for an invalid
    path."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
    try:
        opened = os.open(path, flags)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise NoFile(kind_of(path) or Reason("kind-device"), path) from None
        raise
    try:
        kind = _kind(os.fstat(opened).st_mode)
        if kind is not None and not str(path).startswith(_GIVEN):
            raise NoFile(kind, path)
        os.set_blocking(opened, True)
        return open(opened, "rb")  # noqa: PTH123 (a descriptor)
    except BaseException:
        os.close(opened)
        raise


def read_named(path: Path) -> bytes:
    """Read all of a file named by the user. Raises the same errors as :func:`open_named`."""
    with open_named(path) as file:
        return file.read()


def _kind(mode: int) -> Reason | None:
    if stat.S_ISREG(mode):
        return None
    kinds = (kind for is_one, kind in _KINDS if is_one(mode))
    return next(kinds, Reason("kind-device"))


def read_toml(path: Path, most_bytes: int) -> Document:
    """Read a TOML file. Raises :class:`Faulty` if it is not a regular file, cannot be read, is
    larger than ``most_bytes`` or is not valid TOML."""
    try:
        with open_named(path) as file:
            data = file.read(most_bytes + 1)
    except NoFile as error:
        raise Faulty(Fault((), Reason("no-file-but", kind=error.kind), str(path))) from None
    except (OSError, ValueError) as error:
        reason = Reason("unreadable", fault=str(getattr(error, "strerror", error)))
        may_pass = getattr(error, "errno", 0) in _PASSING
        raise Faulty(Fault((), reason, str(path), may_pass=may_pass)) from None
    if len(data) > most_bytes:
        reason = Reason("file-too-large", most=most_bytes)
        raise Faulty(Fault((), reason, str(path)))
    return parse_toml(str(path), data)


def see_base(document: Document, sheet: Sheet, house: House | None) -> None:
    """Raise :class:`Faulty` if the house rules are for a different ruleset than the sheet."""
    if house is not None and house.base != sheet.ruleset:
        why = Reason("rules-of-another", place="ruleset", book=sheet.ruleset, base=house.base)
        document.refuse(("ruleset",), why)


def save_files(texts: Mapping[Path, str]) -> None:
    """Overwrite existing files with new texts. They keep their mode, and links stay links.

    All new files are on disk before the first old one is replaced. If one replacement fails, the
    files already replaced get their old content back. Raises :class:`Faulty` if a file cannot be
    written.
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
    """Hard-link the file ``here`` as ``there``, so that ``here`` can be replaced in one step. A
    folder, or a file on a file system without links, is moved instead. Raises :class:`OSError`."""
    try:
        os.link(here, there, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        here.rename(there)


def _beside(target: Path, data: bytes) -> Path:
    """Write a temporary file beside ``target``, with the target's mode, and sync it to disk.
    Returns its path."""
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
