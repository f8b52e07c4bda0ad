"""Carries out a plan: all its files are written, or none. Changes made by a person are kept.

``/etc/facedown/written.json``, the manifest, has the digest of each file as it was written. A file
with another digest was changed by a person: it stays, and ours is put beside it.
"""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from hub.games.files import keep_aside
from hub.install.steps import SETTINGS, Command, File, Folder, Link, Plan, Refused, Step

MANIFEST = f"{SETTINGS}/written.json"
BESIDE, BEFORE = ".facedown-new", ".facedown-old"
_PART = ".facedown-part"
_COMMAND_S = 120


class Deed(StrEnum):
    """The result of a step."""

    MADE = "made"
    CHANGED = "changed"
    KEPT = "kept"
    """A person had changed the file, or something else is at the path; it stays. Our file, if the
    step has one, is beside it."""
    REPLACED = "replaced"
    """A person had changed the file, or something else was at the path; it has been moved aside."""
    REMOVED = "removed"
    RAN = "ran"
    FAILED = "failed"


class Done(Struct, frozen=True):
    """A step that was done or, in a dry run, would be done."""

    deed: Deed
    where: str
    """A path, or a command's words."""
    aside: str = ""
    """For KEPT and REPLACED, the path of the other file, if any; for FAILED, the reason; else
    empty."""


class Written(Struct, forbid_unknown_fields=True):
    """The manifest's content."""

    schema: int = 1
    files: dict[str, str] = {}
    """Path → SHA-256 of the content that was written."""
    links: dict[str, str] = {}
    """Symbolic links: path → target."""
    choices: dict[str, bool | int | str] = {}
    """Earlier options of `facedown provision`, so that they need not be repeated."""

    def encoded(self) -> bytes:
        """The bytes of the manifest's file."""
        return msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n"


class Place:
    """Where a plan is carried out: this machine, or a folder that stands for its root."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    @property
    def is_machine(self) -> bool:
        """Whether the place is this machine, not a folder."""
        return self.root == Path("/")

    def at(self, path: str) -> Path:
        """An absolute path of the machine, as a path below this place's root."""
        return self.root / path.lstrip("/")

    def id_of(self, kind: str, name: str) -> int:
        """The id of a user (``kind`` is ``passwd``) or of a group (``group``). Raises
        :class:`Refused` if there is none."""
        if name == "root":
            return 0
        with suppress(OSError):
            for line in self.at(f"/etc/{kind}").read_text(encoding="utf-8").splitlines():
                fields = line.split(":")
                if fields[0] == name:
                    return int(fields[2])
        what = "user" if kind == "passwd" else "group"
        raise Refused(f"{self.at(f'/etc/{kind}')}: there is no {what} {name}")

    def read(self, path: str) -> str | None:
        """A file's text; None if there is none. Raises :class:`Refused` if it cannot be read."""
        file = self.at(path)
        if not file.exists():
            return None
        try:
            return file.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "is no text"
            raise Refused(f"{file}: {why}") from None

    def written(self) -> Written:
        """The manifest; an empty one if there is none. Raises :class:`Refused`."""
        text = self.read(MANIFEST)
        if text is None:
            return Written()
        try:
            return msgspec.json.decode(text, type=Written)
        except msgspec.DecodeError as error:
            raise Refused(
                f"{self.at(MANIFEST)}: {error}; move it aside, and files that were changed will "
                "be kept as if they were yours"
            ) from None


def digest(content: str) -> str:
    """The digest of a file's content as the manifest has it: SHA-256, in hex."""
    return sha256(content.encode()).hexdigest()


class Carrier:
    """Carries plans out at a place. ``overwrite``: files that a person changed are moved aside and
    replaced. ``dry``: the steps are only reported, and nothing is done."""

    def __init__(self, place: Place, *, overwrite: bool = False, dry: bool = False) -> None:
        self.place, self.overwrite, self.dry = place, overwrite, dry
        self.manifest = place.written()
        self._undo: list[Callable[[], object]] = []

    def look(self, plan: Plan) -> list[Done]:
        """The steps that a plan would take now, without taking them."""
        return [done for step in plan.steps if (done := self._judge(step)) is not None]

    def carry_out(self, plan: Plan) -> Iterator[Done]:
        """Carry a plan out, and yield each step when it is done. If a needed one fails, restore all
        files and raise :class:`Refused`."""
        if self.dry:
            yield from self.look(plan)
            return
        try:
            for step in plan.steps:
                if (done := self._judge(step)) is not None:
                    yield self._do(step, done)
            self._note()
        except OSError as error:
            self.take_back()
            file = f"{error.filename}: " if error.filename else ""
            raise Refused(f"{file}{error.strerror}; nothing was changed") from None
        except BaseException:
            self.take_back()
            raise

    def take_back(self) -> None:
        """Restore every file as it was before this object changed it."""
        for undo in reversed(self._undo):
            with suppress(OSError):
                undo()
        self._undo.clear()

    def _judge(self, step: Step) -> Done | None:
        match step:
            case Folder():
                return None if self.place.at(step.path).is_dir() else Done(Deed.MADE, step.path)
            case File():
                return self._judge_file(step)
            case Link():
                path = self.place.at(step.path)
                if path.is_symlink() and str(path.readlink()) == step.target:
                    return None
                if path.is_symlink() or path.exists():
                    ours = self.manifest.links.get(step.path)
                    if not path.is_symlink() or ours != str(path.readlink()):
                        if self.overwrite:
                            return Done(Deed.REPLACED, step.path, self._free(step.path + BEFORE))
                        return Done(Deed.KEPT, step.path)
                    return Done(Deed.CHANGED, step.path)
                return Done(Deed.MADE, step.path)
            case Command():
                return Done(Deed.RAN, " ".join(step.words))

    def _judge_file(self, file: File) -> Done | None:
        path = self.place.at(file.path)
        if not path.is_symlink() and not path.exists():
            return Done(Deed.MADE, file.path)
        there = None
        if path.is_file() and not path.is_symlink():
            there = self.place.read(file.path)
        if there == file.content:
            return None
        if there is not None and (
            file.shared or self.manifest.files.get(file.path) == digest(there)
        ):
            return Done(Deed.CHANGED, file.path)
        if self.overwrite:
            return Done(Deed.REPLACED, file.path, self._free(file.path + BEFORE))
        if self.place.read(file.path + BESIDE) == file.content:
            return None
        return Done(Deed.KEPT, file.path, file.path + BESIDE)

    def _free(self, path: str) -> str:
        """``path``, followed by a number if something is there already, so that no file moved aside
        is lost."""
        names = (path, *(f"{path}.{number}" for number in range(2, 1000)))
        free = (name for name in names if not os.path.lexists(self.place.at(name)))
        return next(free, path)

    def _do(self, step: Step, done: Done) -> Done:
        match step:
            case Folder():
                path = self.place.at(step.path)
                path.mkdir(parents=True)
                self._own(path, step)
                path.chmod(step.mode)
                self._undo.append(path.rmdir)
            case File() if done.deed is Deed.KEPT:
                self._write(step, done.aside)
            case File():
                if done.deed is Deed.REPLACED:
                    self._keep(step.path, done.aside)
                self._write(step, step.path)
                self.manifest.files[step.path] = digest(step.content)
            case Link():
                self._link(step, done)
            case Command():
                return self._run(step, done)
        return done

    def _write(self, file: File, where: str) -> None:
        """Write a file completely or not at all. It is never readable to more users than its mode
        allows."""
        path = self.place.at(where)
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(path.name + _PART)
        part.unlink(missing_ok=True)
        before = (path.read_bytes(), path.stat()) if path.is_file() else None
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as out:
                self._own(part, file)
                os.fchmod(out.fileno(), file.mode)
                out.write(file.content)
                out.flush()
                os.fsync(out.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        self._undo.append(lambda: put_back(path, before))

    def _keep(self, path: str, aside: str) -> None:
        """Keep the existing file as ``aside``; it also stays at ``path`` until it is replaced."""
        here, there = self.place.at(path), self.place.at(aside)
        keep_aside(here, there)
        self._undo.append(lambda: _back(there, here))

    def _link(self, link: Link, done: Done) -> None:
        path = self.place.at(link.path)
        if done.deed is Deed.KEPT:
            return
        if done.deed is Deed.REPLACED:
            self._keep(link.path, done.aside)
        before = path.readlink() if done.deed is Deed.CHANGED else None
        path.parent.mkdir(parents=True, exist_ok=True)
        _put_link(path, link.target)
        self._undo.append(lambda: _put_link(path, before) if before else path.unlink())
        self.manifest.links[link.path] = link.target

    def _own(self, path: Path, owned: Folder | File) -> None:
        if os.geteuid():  # a folder owned by a user stands for the machine
            return
        ids = self.place.id_of("passwd", owned.user), self.place.id_of("group", owned.group)
        os.chown(path, *ids, follow_symlinks=False)

    def _run(self, command: Command, done: Done) -> Done:
        said = run(command.words)
        if said is None:
            return done
        if command.needed:
            raise Refused(f"{done.where}: {said}; nothing was changed")
        return Done(Deed.FAILED, done.where, said)

    def _note(self) -> None:
        content = self.manifest.encoded().decode()
        if self.place.read(MANIFEST) != content:
            self._write(File(path=MANIFEST, content=content, mode=0o600), MANIFEST)


def _put_link(path: Path, target: str | Path) -> None:
    part = path.with_name(path.name + _PART)
    part.unlink(missing_ok=True)
    part.symlink_to(target)
    part.replace(path)


def _back(there: Path, here: Path) -> None:
    if os.path.lexists(here) and os.path.samestat(there.lstat(), here.lstat()):
        there.unlink()  # two names of one file: a rename would do nothing
    else:
        there.replace(here)


def put_back(path: Path, before: tuple[bytes, os.stat_result] | None) -> None:
    """Restore a file as it was ``before``: content, owner and mode. None: there was no file, so
    delete it. Raises :class:`OSError`."""
    if before is None:
        path.unlink(missing_ok=True)
        return
    write_whole(path, *before)


def write_whole(path: Path, content: bytes, was: os.stat_result | None = None) -> None:
    """Replace a file completely or not at all. It gets the owner and the mode in ``was``; if that
    is None, only the user who writes it can read it."""
    part = path.with_name(path.name + _PART)
    part.unlink(missing_ok=True)
    with open(part, "xb", opener=_private) as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())
    if was is not None:
        part.chmod(was.st_mode & 0o7777)
        if not os.geteuid():
            os.chown(part, was.st_uid, was.st_gid)
    part.replace(path)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o600)


def run(words: tuple[str, ...], env: Mapping[str, str] | None = None) -> str | None:
    """Run a program, with ``env`` added to its environment. Returns None if it succeeded, else the
    reason in one line."""
    program = shutil.which(words[0], path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if program is None:
        return "there is no such program"
    try:
        ended = subprocess.run(  # noqa: S603 - a program of the system's, by a list of words
            [program, *words[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_COMMAND_S,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8", **(env or {})},
        )
    except subprocess.TimeoutExpired:
        return f"did not end within {_COMMAND_S} s"
    if not ended.returncode:
        return None
    said = (ended.stderr or ended.stdout).strip().splitlines()
    return said[-1] if said else f"ended with status {ended.returncode}"
