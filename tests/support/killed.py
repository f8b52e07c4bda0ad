"""Runs code that is killed before its first file-system call, its second, its third, …"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.support.process import with_us

KILLED = -9

# Imports the modules once. Then, for each line with a number and a folder, it runs the code there
# in a process of its own that ends before that call, and prints its exit status.
_SERVER = """\
import builtins, importlib, io, os, signal, sys, traceback

left = 0

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

def counted_behind(call):
    def instead(file, mode="r", *given, **named):
        opened = call(file, mode, *given, **named)
        if set(mode) & set("wxa"):  # it is there, and empty
            count()
        return opened
    return instead

opens = os.open
for name in (
    "rename", "replace", "unlink", "link", "symlink", "fsync", "mkdir", "chown", "open", "fdopen"
):
    setattr(os, name, counted(getattr(os, name)))
io.open = builtins.open = counted_behind(io.open)
sys.addaudithook(lambda event, given: count() if event == "sqlite3.connect" else None)

code = compile(sys.argv[1], "killed", "exec")
for module in sys.argv[2:]:
    importlib.import_module(module)

def run():
    try:
        exec(code, {"__name__": "killed"})
    except SystemExit as ended:
        return int(ended.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    return 0

for line in sys.stdin:
    number, folder = line.rstrip().split(" ", 1)
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        os.dup2(2, 1)
        left = int(number)
        os._exit(run())
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def killed(
    code: str, source: Path, tmp_path: Path, *, modules: str = "", first: int = 1, step: int = 1
) -> Iterator[tuple[int, Path]]:
    """A copy of ``source`` for each call (or each ``step``-th from ``first``) at which ``code``
    died.

    In the last copy the code was not killed. Each comes with the exit status, and is deleted
    afterwards. ``modules``: what the code imports, so that it is loaded only once.
    """
    with subprocess.Popen(
        with_us(sys.executable, "-c", _SERVER, code, *modules.split()),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        for dies_at in range(first, 1000, step):
            folder = tmp_path / f"at-{dies_at}"
            shutil.copytree(source, folder, symlinks=True)
            print(dies_at, folder, file=server.stdin, flush=True)
            status = int(server.stdout.readline())
            assert status in {0, KILLED}
            yield status, folder
            if status == 0:
                server.stdin.close()
                return
            shutil.rmtree(folder)
        raise AssertionError("it makes calls without end")
