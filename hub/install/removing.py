"""Uninstalls: removes the files that were written, unless a person has changed them.

Tables, passwords and the broker's files are removed only with ``purge``.
"""

import shutil
from collections.abc import Iterator
from contextlib import suppress

from hub.install.broker import ACL, CONF, USERS
from hub.install.carrying import (
    BESIDE,
    MANIFEST,
    Deed,
    Done,
    Place,
    Written,
    digest,
    put_back,
    run,
    write_whole,
)
from hub.install.mosquitto import CERT, KEY, Role, entries
from hub.install.program import PACKAGED, enabled_units, remove_program
from hub.install.steps import PROGRAM, SETTINGS, TABLES, USER, Refused, is_own

BROKERS = (CONF, ACL, USERS, CERT, KEY)
_ACCOUNTS = (USER, "facedown-kiosk")


def kept(place: Place) -> list[str]:
    """The existing paths that stay without ``purge``: tables, passwords, the broker's files."""
    there = [place.at(path) for path in (*BROKERS, TABLES, SETTINGS)]
    return [str(path) for path in there if path.exists()]


def uninstall(place: Place, *, purge: bool, running: bool) -> Iterator[Done]:
    """Uninstall, and yield each step. ``purge``: remove the paths of :func:`kept`, too;
    ``running``: systemd takes commands. Raises :class:`Refused`."""
    if place.at(PACKAGED).exists():
        raise Refused("the Debian package facedown is installed: sudo apt remove facedown")
    try:
        yield from _remove(place, purge=purge, running=running)
    except OSError as error:
        raise Refused(f"{error.filename}: {error.strerror}; run this again behind it") from None


def _remove(place: Place, *, purge: bool, running: bool) -> Iterator[Done]:
    root = () if place.is_machine else (f"--root={place.root}",)
    if running:
        yield from _tell("systemctl", "stop", "facedown*.service")
    for unit in enabled_units(place):
        yield from _tell("systemctl", *root, "disable", unit)
    manifest = place.written()
    yield from _remove_written(place, manifest, purge=purge)
    yield from _remove_links(place, manifest)
    if running:
        yield from _tell("systemctl", "daemon-reload")
        yield from _tell("udevadm", "control", "--reload")
    if purge:
        yield from _purge(place, running=running)
    elif place.at(MANIFEST).exists():
        write_whole(place.at(MANIFEST), manifest.encoded())
    if place.at(PROGRAM).exists():
        remove_program(place)
        yield Done(Deed.REMOVED, PROGRAM)


def _remove_written(place: Place, manifest: Written, *, purge: bool) -> Iterator[Done]:
    for path in [*manifest.files]:
        if is_own(path) or (path in BROKERS and not purge):
            continue
        if path == USERS:
            yield from _remove_users(place)
        else:
            yield from _remove_file(place, path, manifest.files[path])
        if not place.at(path).exists():
            del manifest.files[path]


def _remove_links(place: Place, manifest: Written) -> Iterator[Done]:
    for path, target in manifest.links.items():
        link = place.at(path)
        if link.is_symlink() and str(link.readlink()) == target:
            link.unlink()
            yield Done(Deed.REMOVED, path)
    manifest.links = {}


def _remove_file(place: Place, path: str, written: str) -> Iterator[Done]:
    file = place.at(path)
    file.with_name(file.name + BESIDE).unlink(missing_ok=True)
    if not file.exists():
        return
    if digest(place.read(path) or "") != written:
        yield Done(Deed.KEPT, path)
        return
    file.unlink()
    yield Done(Deed.REMOVED, path)


def _remove_users(place: Place) -> Iterator[Done]:
    text = place.read(USERS)
    if text is None:
        return
    rest = [line for line in text.splitlines() if line.partition(":")[0] not in [*Role]]
    if entries("\n".join(rest)):
        users = place.at(USERS)
        put_back(users, ("\n".join([*rest, ""]).encode(), users.stat()))
        yield Done(Deed.CHANGED, USERS)
        return
    place.at(USERS).unlink()
    yield Done(Deed.REMOVED, USERS)


def _purge(place: Place, *, running: bool) -> Iterator[Done]:
    if running and run(("systemctl", "is-active", "mosquitto")) is None:
        yield from _tell("systemctl", "restart", "mosquitto")
    for path in (TABLES, f"{TABLES}-kiosk", SETTINGS):
        if place.at(path).is_dir():
            shutil.rmtree(place.at(path))
            yield Done(Deed.REMOVED, path)
    for account in _ACCOUNTS:
        with suppress(Refused):
            place.id_of("passwd", account)
            root = () if place.is_machine else ("--root", str(place.root))
            yield from _tell("userdel", *root, account)


def _tell(*words: str) -> Iterator[Done]:
    said = run(words)
    where = " ".join(words)
    yield Done(Deed.RAN, where) if said is None else Done(Deed.FAILED, where, said)
