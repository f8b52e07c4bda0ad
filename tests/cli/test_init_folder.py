"""The folder that `facedown init` makes is either complete or unchanged."""

import errno
import os
from pathlib import Path

import pytest

from hub.config import starter
from hub.kernel.faults import Faulty
from hub.setup.draft import Draft
from hub.setup.making import folder_fault, make


def content(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("after", [0, 1, 3, 6])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), SystemExit()])
def test_a_full_disk_or_ctrl_c_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, after: int, error: BaseException
) -> None:
    """While the files are moved into place, the last moment at which a failure is possible."""
    folder = tmp_path / "den"
    folder.mkdir()
    (folder / "hub.toml").write_text("mine\n")
    before, left, replace = content(tmp_path), [after], Path.replace

    def fail(self: Path, target: Path) -> Path:
        left[0] -= 1
        if left[0] == -1:
            raise error
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(type(error)):
        make(folder, Draft().plan())
    assert content(tmp_path) == before
    assert [each.name for each in folder.iterdir()] == ["hub.toml"]


def test_a_full_disk_while_writing_leaves_no_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(starter.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        make(tmp_path / "new" / "den", Draft().plan())
    assert [*tmp_path.iterdir()] == []


def test_an_invalid_deck_is_reported_and_nothing_is_written(tmp_path: Path) -> None:
    draft = Draft()
    draft.answer("deck", "old")
    draft.answer("deck.text", "cards = 3\n")
    with pytest.raises(Faulty, match=rf"^{tmp_path}/den/deck\.toml:1: "):
        make(tmp_path / "den", draft.plan())
    assert [*tmp_path.iterdir()] == []


def test_an_unusable_folder_is_reported_before_any_question(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is not a folder" in str(folder_fault(tmp_path / "file", "den"))
    (tmp_path / "den.journal").touch()
    assert "a table was already played here" in str(folder_fault(tmp_path, "den"))
    assert folder_fault(tmp_path / "new" / "den", "den") is None
