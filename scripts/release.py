#!/usr/bin/env python3
"""Build a release into ``dist/``: sdist, wheel, Debian packages and their SHA-256 sums.

It refuses before it builds anything if the tree is not clean, if the version does not follow PEP
440, or if CHANGELOG.md has no section for it. The version is declared only in ``hub/version.py``.
Run with the Python of `.venv` (`make release`).
"""

import argparse
import hashlib
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

from packaging.version import InvalidVersion, Version

VERSION_FILE, CHANGELOG, SUMS = Path("hub/version.py"), Path("CHANGELOG.md"), "SHA256SUMS"


class NotReady(Exception):
    """Raised if the tree cannot be released. Each argument says what is wrong and what to do."""


def faults(root: Path) -> Iterator[str]:
    """Say what keeps this tree from being released, a sentence for each reason."""
    version = declared(root)
    try:
        if str(Version(version)) != version:
            yield f"{VERSION_FILE}: {version} has to be written as {Version(version)} (PEP 440)"
    except InvalidVersion:
        yield f"{VERSION_FILE}: {version!r} is not a version (PEP 440), such as 1.0.0 or 1.0.0rc1"
    yield from _changelog_faults((root / CHANGELOG).read_text(encoding="utf-8"), version)
    if changed := _git(root, "status", "--porcelain").splitlines():
        yield f"{len(changed)} files are changed or not in git: commit, stash or delete them first"
    if _git(root, "tag", "--list", f"v{version}").strip():
        yield f"the tag v{version} is there already: raise the version in {VERSION_FILE}"


def declared(root: Path) -> str:
    """The version that the tree declares; empty if it declares none."""
    found = re.search(r'^VERSION = "([^"]*)"$', (root / VERSION_FILE).read_text("utf-8"), re.M)
    return found[1] if found else ""


def _changelog_faults(text: str, version: str) -> Iterator[str]:
    sections = dict(re.findall(r"^## \[([^\]]+)\]([^\n]*\n.*?)(?=^## \[|\Z)", text, re.M | re.S))
    if re.search(r"^- ", sections.get("Unreleased", ""), re.M):
        yield f"{CHANGELOG}: [Unreleased] has entries: move them below [{version}]"
    said = sections.get(version)
    if said is None:
        yield f"{CHANGELOG}: there is no section [{version}]"
    elif not re.match(r" - \d{4}-\d{2}-\d{2}\n", said):
        yield f"{CHANGELOG}: [{version}] needs the day of its release: ## [{version}] - YYYY-MM-DD"
    elif not re.search(r"^- ", said, re.M):
        yield f"{CHANGELOG}: [{version}] says nothing"


def build(root: Path) -> list[Path]:
    """Build everything into ``dist/``. Returns the files. Raises :class:`NotReady` if the tree
    cannot be released, or if the wheel has another version."""
    if wrong := [*faults(root)]:
        raise NotReady(*wrong)
    version, dist = declared(root), root / "dist"
    shutil.rmtree(dist, ignore_errors=True)
    for command in (("-m", "build", "--outdir", dist, root), (root / "scripts" / "build-deb",)):
        subprocess.run([sys.executable, *command], check=True)  # noqa: S603 - our own tools
    (wheel,) = dist.glob("*.whl")
    if (built := _version_of(wheel)) != version:
        raise NotReady(f"{wheel.name} calls itself {built}, not {version}")
    files = sorted(dist.iterdir())
    sums = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (dist / SUMS).write_text("".join(sums), encoding="utf-8")
    return [*files, dist / SUMS]


def _version_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as file:
        (name,) = (each for each in file.namelist() if each.endswith(".dist-info/METADATA"))
        return str(Parser().parsestr(file.read(name).decode())["Version"])


def _git(root: Path, *words: str) -> str:
    command = ["git", "-C", str(root), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - git
    return done.stdout


def main(words: list[str] | None = None) -> int:
    """Build a release, or with ``--check`` only check the tree. Returns 0, or 1 after a line for
    each reason if the tree is not ready."""
    parser = argparse.ArgumentParser(prog="release", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say whether it could be built")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    asked = parser.parse_args(words)
    try:
        if asked.check:
            if wrong := [*faults(asked.root)]:
                raise NotReady(*wrong)
            print(f"{declared(asked.root)} can be released.")
            return 0
        files = build(asked.root)
    except NotReady as why:
        print("\n".join(f"release: {each}" for each in why.args), file=sys.stderr)
        return 1
    print("\n".join(str(file) for file in files))
    print(f"\nNow: git tag -s v{declared(asked.root)} && git push --tags, and publish these files.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
