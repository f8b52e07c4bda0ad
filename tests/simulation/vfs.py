"""A layer between SQLite and its own access to files: it tells a :class:`SimDisk` of every change,
and makes every access fail once that disk has ended.

The VFS is a copy of SQLite's default one. Of each file that it opens, it replaces the methods that
change the file; locks, shared memory and reads stay SQLite's own.

Ref: https://www.sqlite.org/c3ref/vfs.html, https://www.sqlite.org/c3ref/io_methods.html
"""

import ctypes
import errno
import os
import sqlite3
from collections.abc import Callable
from ctypes import CFUNCTYPE, PYFUNCTYPE, Structure, c_char_p, c_int, c_int64, c_void_p
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from tests.simulation.disk import SimDisk
    from tests.simulation.stored import File

NAME = "facedown-simulation"
_NOT_DEFAULT = 0
_CREATE, _DELETE_ON_CLOSE, _JOURNALS = 0x4, 0x8, 0x800 | 0x4000 | 0x80000
_READ_WRITE, _READ_ONLY = 0x2, 0x1
_SHM_UNLOCK = 0x1
_OPEN = c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p
_DELETE = c_int, c_void_p, c_void_p, c_int
_CLOSE = c_int, c_void_p
_WRITE = c_int, c_void_p, c_void_p, c_int, c_int64
_TRUNCATE = c_int, c_void_p, c_int64
_SYNC = _SHM_UNMAP = c_int, c_void_p, c_int
_SHM_LOCK = c_int, c_void_p, c_int, c_int, c_int


class NoSharedSqlite(Exception):
    """Python's ``sqlite3`` does not use the libsqlite3 that this process can load."""


class _Vfs(Structure):
    _fields_ = (
        ("version", c_int),
        ("size", c_int),
        ("longest", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("others", c_void_p * 14),
    )


class _Methods(Structure):
    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("file_size", c_void_p),
        ("lock", c_void_p),
        ("unlock", c_void_p),
        ("check_reserved_lock", c_void_p),
        ("file_control", c_void_p),
        ("sector_size", c_void_p),
        ("characteristics", c_void_p),
        ("shm_map", c_void_p),
        ("shm_lock", c_void_p),
        ("shm_barrier", c_void_p),
        ("shm_unmap", c_void_p),
        ("fetch", c_void_p),
        ("unfetch", c_void_p),
    )


_FAILING = ("read", "write", "truncate", "sync", "file_size", "lock", "check_reserved_lock")
_FAILING += ("shm_map", "fetch")
"""Methods that fail on a file of a disk that has ended."""


class _Tables(NamedTuple):
    """SQLite's own methods for a file, and the two tables that replace them."""

    close: Callable[..., int]
    write: Callable[..., int]
    truncate: Callable[..., int]
    shm_lock: Callable[..., int]
    shm_unmap: Callable[..., int]
    live: _Methods
    dead: _Methods


class _Open:
    """A file that SQLite has open. ``names``: its next sync also syncs its folder, as SQLite does
    for a journal that it may have created."""

    def __init__(self, disk: "SimDisk", file: "File", path: Path, tables: _Tables) -> None:
        self.disk, self.file, self.path, self.tables = disk, file, path, tables
        self.names = False


# SQLite calls back with an address or a path alone, for as long as the process lives.
_OPENED: dict[int, _Open] = {}
_DISKS: dict[Path, "SimDisk"] = {}
FAULTS: list[BaseException] = []
"""Errors of this module's own, which cannot be raised through SQLite."""


def serve(disk: "SimDisk") -> None:
    """Let ``disk`` have the databases in its folder. Raises :class:`NoSharedSqlite`."""
    _register()
    assert disk.folder not in _DISKS, "the folder's disk before has not ended"
    _DISKS[disk.folder] = disk


def forget(disk: "SimDisk") -> None:
    """Let another disk have the folder."""
    _DISKS.pop(disk.folder, None)


def cut(disk: "SimDisk") -> None:
    """Make every access to the open files of ``disk`` fail."""
    for at, opened in _OPENED.items():
        if opened.disk is disk:
            c_void_p.from_address(at).value = ctypes.addressof(opened.tables.dead)


def _keep(used: object) -> None:
    """Never free ``used``: SQLite may close a file of ours when the interpreter is nearly gone."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(used))


def _callback(shape: tuple[Any, ...], failure: int) -> Callable[[Callable[..., int]], Any]:
    """Make a function for SQLite to call. ``failure``: its result code for any exception but a full
    disk, because none can be raised through SQLite."""

    def made(work: Callable[..., int]) -> Any:
        def called(*given: Any) -> int:
            try:
                return work(*given)
            except OSError as error:
                return sqlite3.SQLITE_FULL if error.errno == errno.ENOSPC else failure
            except BaseException as error:
                FAULTS.append(error)
                return failure

        callback = CFUNCTYPE(*shape)(called)
        _keep(callback)
        return callback

    return made


@_callback(_CLOSE, sqlite3.SQLITE_IOERR_CLOSE)
def _close(at: int) -> int:
    return _OPENED.pop(at).tables.close(at)


@_callback(_WRITE, sqlite3.SQLITE_IOERR_WRITE)
def _write(at: int, data: int, size: int, offset: int) -> int:
    opened = _OPENED[at]
    opened.disk.note_write(opened.file, offset, ctypes.string_at(data, size))
    code = opened.tables.write(at, data, size, offset)
    opened.disk.step()
    return code


@_callback(_TRUNCATE, sqlite3.SQLITE_IOERR_TRUNCATE)
def _truncate(at: int, size: int) -> int:
    opened = _OPENED[at]
    opened.disk.note_truncate(opened.file, size)
    code = opened.tables.truncate(at, size)
    opened.disk.step()
    return code


@_callback(_SYNC, sqlite3.SQLITE_IOERR_FSYNC)
def _sync(at: int, flags: int) -> int:
    opened = _OPENED[at]
    opened.disk.owe()
    opened.disk.note_sync(opened.file)
    if opened.names:
        opened.disk.note_sync_folder(opened.path.parent)
        opened.names = False
    return sqlite3.SQLITE_OK  # what the files show needs no sync


@_callback(_CLOSE, sqlite3.SQLITE_IOERR)
def _fail(at: int) -> int:
    """Stands for methods with more arguments, too: the caller clears them away."""
    return sqlite3.SQLITE_IOERR


@_callback(_SHM_LOCK, sqlite3.SQLITE_IOERR)
def _unlock_only(at: int, offset: int, count: int, flags: int) -> int:
    if not flags & _SHM_UNLOCK:
        return sqlite3.SQLITE_IOERR
    return _OPENED[at].tables.shm_lock(at, offset, count, flags)


@_callback(_SHM_UNMAP, sqlite3.SQLITE_IOERR)
def _unmap_only(at: int, delete: int) -> int:
    # The file of that name may be the next disk's by now.
    return _OPENED[at].tables.shm_unmap(at, 0)


@cache
def _tables(address: int) -> _Tables:
    """``address``: of SQLite's own table."""
    base = _Methods.from_address(address)
    live, dead = (_Methods.from_buffer_copy(base) for _ in range(2))
    changed = {"close": _close, "write": _write, "truncate": _truncate, "sync": _sync}
    for name, callback in changed.items():
        setattr(live, name, _address(callback))
    for name in _FAILING:
        setattr(dead, name, _address(_fail))
    dead.close, dead.shm_lock = _address(_close), _address(_unlock_only)
    dead.shm_unmap = _address(_unmap_only)
    made = _Tables(
        PYFUNCTYPE(*_CLOSE)(base.close),
        PYFUNCTYPE(*_WRITE)(base.write),
        PYFUNCTYPE(*_TRUNCATE)(base.truncate),
        PYFUNCTYPE(*_SHM_LOCK)(base.shm_lock),
        PYFUNCTYPE(*_SHM_UNMAP)(base.shm_unmap),
        live,
        dead,
    )
    _keep(made)
    return made


def _address(callback: Any) -> int | None:
    return ctypes.cast(callback, c_void_p).value


def _disk_of(path: Path) -> "SimDisk | None":
    return next((_DISKS[folder] for folder in path.parents if folder in _DISKS), None)


class _Default(NamedTuple):
    """SQLite's own VFS."""

    library: ctypes.CDLL
    vfs: _Vfs
    open: Callable[..., int]
    delete: Callable[..., int]


@cache
def _default() -> _Default:
    """Raises :class:`NoSharedSqlite`."""
    try:
        library = ctypes.CDLL("libsqlite3.so.0")
    except OSError as error:
        raise NoSharedSqlite(str(error)) from None
    library.sqlite3_libversion.restype = c_char_p
    if (version := library.sqlite3_libversion().decode()) != sqlite3.sqlite_version:
        raise NoSharedSqlite(f"libsqlite3 is {version}, Python's {sqlite3.sqlite_version}")
    library.sqlite3_vfs_find.restype = ctypes.POINTER(_Vfs)
    vfs = library.sqlite3_vfs_find(None).contents
    return _Default(library, vfs, PYFUNCTYPE(*_OPEN)(vfs.open), PYFUNCTYPE(*_DELETE)(vfs.delete))


@_callback(_OPEN, sqlite3.SQLITE_IOERR)
def _open(vfs: int, name: int | None, at: int, flags: int, out: int) -> int:
    disk = None
    if name is not None and not flags & _DELETE_ON_CLOSE:
        path = Path(os.fsdecode(ctypes.string_at(name)))
        disk = _disk_of(path)
    if disk is None:
        return _default().open(vfs, name, at, flags, out)
    known = disk.look(path)
    if disk.read_only:
        flags = flags & ~(_READ_WRITE | _CREATE) | _READ_ONLY
    if (code := _default().open(vfs, name, at, flags, out)) != sqlite3.SQLITE_OK:
        return code
    methods = c_void_p.from_address(at)
    tables = _tables(methods.value or 0)
    opened = _Open(disk, known or disk.created(path), path, tables)
    opened.names = bool(flags & _CREATE and flags & _JOURNALS)
    _OPENED[at] = opened
    methods.value = ctypes.addressof(tables.live)
    if known is None:
        disk.step()
    return sqlite3.SQLITE_OK


@_callback(_DELETE, sqlite3.SQLITE_IOERR_DELETE)
def _delete(vfs: int, name: int, sync_folder: int) -> int:
    path = Path(os.fsdecode(ctypes.string_at(name)))
    disk = _disk_of(path)
    if disk is None:
        return _default().delete(vfs, name, sync_folder)
    if disk.look(path, changing=True) is None:
        return sqlite3.SQLITE_IOERR_DELETE_NOENT
    code = _default().delete(vfs, name, 0)
    if code == sqlite3.SQLITE_OK:
        disk.note_remove(path)
        if sync_folder:
            disk.owe()
            disk.note_sync_folder(path.parent)
    return code


@cache
def _register() -> _Vfs:
    """Register the VFS, once in a process. Raises :class:`NoSharedSqlite`."""
    library = _default().library
    ours = _Vfs.from_buffer_copy(_default().vfs)
    ours.name = NAME.encode()
    ours.open, ours.delete = _address(_open), _address(_delete)
    if library.sqlite3_vfs_register(ctypes.byref(ours), _NOT_DEFAULT) != sqlite3.SQLITE_OK:
        raise NoSharedSqlite("the VFS cannot be registered")
    try:
        sqlite3.connect(f"file:any?mode=memory&vfs={NAME}", uri=True).close()
    except sqlite3.OperationalError as error:
        raise NoSharedSqlite(str(error)) from None
    _keep(ours)
    return ours
