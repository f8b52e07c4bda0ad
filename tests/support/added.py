"""A copy of the hub to which a game was added as the docs say: one folder, and one line."""

import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree

import hub

LAST = '    _family("hub.games.tricube"),\n'
TOY = Path(__file__).parents[1] / "toy"
COMMAND = "from hub.cli.process import run\n\nrun()\n"


def with_family(root: Path, name: str) -> Path:
    """Copy the hub to ``root`` and add the line of ``hub/games/NAME``. Returns ``root``.

    Bytecode is copied, too: it stays valid, and the copy starts as fast as the original.
    """
    copytree(Path(hub.__file__).parent, root / "hub")
    registry = root / "hub" / "games" / "registry.py"
    before, after = registry.read_text(encoding="utf-8").split(LAST)
    line = f'    _family("hub.games.{name}"),\n'
    registry.write_text(before + LAST + line + after, encoding="utf-8")
    (root / "facedown.py").write_text(COMMAND, encoding="utf-8")
    return root


def with_toy(root: Path) -> Path:
    """The same with the toy's folder. Returns ``root``."""
    with_family(root, "toy")
    copytree(TOY, root / "hub" / "games" / "toy")
    return root


def command(root: Path) -> Sequence[str]:
    """The command ``facedown`` of such a copy."""
    return (sys.executable, str(root / "facedown.py"))
