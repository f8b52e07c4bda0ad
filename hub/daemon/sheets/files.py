"""Character files on disk: read within bounds, replaced all together or not at all."""

import contextlib
import os
import stat
import tempfile
from collections.abc import Collection, Iterator, Mapping
from importlib import resources
from pathlib import Path

from msgspec import UNSET, UnsetType

from hub.cards.tomlfile import read_toml
from hub.daemon.sheets.layout import read_sheet
from hub.daemon.sheets.writing import write_sheet
from hub.rules.toml import Document, FileFault, Problem
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.triangle.edition import Edition
from hub.wire.homebrew import MAX_BYTES as MAX_RULES_BYTES
from hub.wire.homebrew import read_homebrew

MAX_SHEET_BYTES = 64 * 1024


def load_sheet(
    path: Path, party: Collection[Sheet] | None = None, rules: Edition | UnsetType = UNSET
) -> Sheet:
    """The character in a file, one of this party if there is one, by house rules if some are given.

    Raises :class:`FileFault` with every fault and its line.
    """
    document = read_toml(path, MAX_SHEET_BYTES)
    sheet = read_sheet(document, party, rules)
    if isinstance(rules, Edition) and rules.base != sheet.ruleset:
        text = f"ruleset is {sheet.ruleset}, but the house rules come from {rules.base}"
        document.blame(("ruleset",), text)
        raise FileFault(document.problems)
    return sheet


def load_house(path: Path) -> tuple[Document, Edition]:
    """A file of house rules, and what it says about characters.

    Raises :class:`FileFault` with every fault and its line.
    """
    document = read_toml(path, MAX_RULES_BYTES)
    return document, read_homebrew(document)


def save_sheets(sheets: Mapping[Path, Sheet]) -> None:
    """Write characters over their files, which keep their mode and stay links if they are.

    All new files are on disk before the first old one is replaced; if replacing one fails, those
    before it get their old content back. Raises :class:`FileFault`.
    """
    prepared: dict[Path, Path] = {}
    done: dict[Path, bytes] = {}
    path = Path()
    try:
        for path, sheet in sheets.items():
            target = path.resolve(strict=True)
            prepared[target] = _beside(target, write_sheet(sheet).encode())
        for target, new in prepared.items():
            path = target
            old = target.read_bytes()
            new.replace(target)
            done[target] = old
    except OSError as error:
        for target, old in done.items():
            with contextlib.suppress(OSError):
                _beside(target, old).replace(target)
        text = f"cannot be written: {error.strerror}; no file was changed"
        raise FileFault([Problem(str(path), 0, text)]) from None
    finally:
        for new in prepared.values():
            new.unlink(missing_ok=True)


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


def example() -> str:
    """A character file with every key explained."""
    return (resources.files(__package__) / "example.toml").read_text(encoding="utf-8")


def samples() -> dict[str, str]:
    """The characters that come with Facedown: their files' texts by name, in order."""
    return dict(sorted(_samples()))


def _samples() -> Iterator[tuple[str, str]]:
    for file in (resources.files(__package__) / "samples").iterdir():
        if file.name.endswith(".toml"):
            yield file.name.removesuffix(".toml"), file.read_text(encoding="utf-8")
