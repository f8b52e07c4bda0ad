"""`make release`: what it refuses, in a repository of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "release.py"
CHANGELOG = (
    "# Changelog\n\n## [Unreleased]\n\n## [1.0.0rc1] - 2026-12-01\n\n### Added\n\n- A table.\n"
)


def git(root: Path, *words: str) -> None:
    names = ("-c", "user.name=t", "-c", "user.email=t@localhost")
    subprocess.run(["git", "-C", root, *names, *words], check=True, capture_output=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "hub").mkdir()
    (tmp_path / "hub/version.py").write_text('VERSION = "1.0.0rc1"\n')
    (tmp_path / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init")
    commit(tmp_path)
    return tmp_path


def commit(root: Path) -> None:
    git(root, "add", "-A")
    git(root, "commit", "-m", "all", "--allow-empty")


def release(root: Path) -> tuple[int, list[str]]:
    command = [sys.executable, SCRIPT, "--check", "--root", root]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr.splitlines()


def test_a_tree_with_a_version_and_its_section_is_ready(tree: Path) -> None:
    assert release(tree) == (0, [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" - 2026-12-01", "", "CHANGELOG.md: [1.0.0rc1] needs the day of its release"),
        ("- A table.\n", "", "CHANGELOG.md: [1.0.0rc1] says nothing"),
        ("1.0.0rc1", "0.9.0", "CHANGELOG.md: there is no section [1.0.0rc1]"),
        ("[Unreleased]\n", "[Unreleased]\n\n- More.\n", "CHANGELOG.md: [Unreleased] has entries"),
    ],
)
def test_a_changelog_that_is_not_ready_is_refused(
    tree: Path, old: str, new: str, said: str
) -> None:
    (tree / "CHANGELOG.md").write_text(CHANGELOG.replace(old, new))
    commit(tree)
    status, lines = release(tree)
    assert status == 1 and [line.startswith(f"release: {said}") for line in lines] == [True]


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("one", "'one' is not a version (PEP 440)"),
        ("", "'' is not a version (PEP 440)"),
        ("1.0.0-rc.1", "1.0.0-rc.1 has to be written as 1.0.0rc1"),
    ],
)
def test_a_version_that_no_index_takes_is_refused(tree: Path, version: str, said: str) -> None:
    (tree / "hub/version.py").write_text(f'VERSION = "{version}"\n')
    commit(tree)
    status, lines = release(tree)
    assert status == 1 and said in lines[0]


def test_every_fault_is_told_at_once(tree: Path) -> None:
    git(tree, "tag", "v1.0.0rc1")
    (tree / "CHANGELOG.md").write_text("# Changelog\n")
    status, lines = release(tree)
    assert (status, len(lines)) == (1, 3)
    assert "1 files are changed or not in git" in lines[1]
    assert "the tag v1.0.0rc1 is there already" in lines[2]
