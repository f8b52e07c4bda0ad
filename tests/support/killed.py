"""Runs a command that is killed before its first file-system call, its second, its third, …"""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.support.process import with_us

KILLED = -9
SECONDS = 30.0

# Ends the process before call number FACEDOWN_DIES_AT.
_HOOK = """\
import builtins, io, os, signal, sys

left = int(os.environ["FACEDOWN_DIES_AT"])

def count():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)

def counted(call):
    def instead(*given, **named):
        if call is not opens or given[1] & os.O_CREAT:
            count()
        return call(*given, **named)
    return instead

opens = os.open
for name in (
    "rename", "replace", "unlink", "link", "symlink", "fsync", "mkdir", "chown", "open", "fdopen"
):
    setattr(os, name, counted(getattr(os, name)))

def counted_behind(call):
    def instead(file, mode="r", *given, **named):
        opened = call(file, mode, *given, **named)
        if set(mode) & set("wxa"):  # it is there, and empty
            count()
        return opened
    return instead

io.open = builtins.open = counted_behind(io.open)

sys.addaudithook(lambda event, given: count() if event == "sqlite3.connect" else None)
"""


def killed(
    command: Sequence[str], source: Path, tmp_path: Path, first: int = 1, step: int = 1
) -> Iterator[tuple[int, Path]]:
    """A copy of ``source`` for each call (or each ``step``-th from ``first``) at which ``command``
    died.

    In the last copy the command was not killed. Each comes with the exit status, and is deleted
    afterwards.
    """
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(_HOOK)
    for dies_at in range(first, 1000, step):
        folder = tmp_path / f"at-{dies_at}"
        shutil.copytree(source, folder, symlinks=True)
        done = subprocess.run(
            with_us(*command),
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(hook), "FACEDOWN_DIES_AT": str(dies_at)},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
        assert done.returncode in {0, KILLED}, done.stderr
        yield done.returncode, folder
        if done.returncode == 0:
            return
        shutil.rmtree(folder)
    raise AssertionError("it makes calls without end")
