"""Each program's ``package.json``, installed by ``mpremote mip``."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hub.cli.firmware import PROGRAMS
from tests.support.micropython import FIRMWARE
from tests.support.prompt import Prompt

_FILE = f"{FIRMWARE}/{{name}}/package.json"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    """A web server for the firmware's folder; yields its address."""
    handler = partial(_Quiet, directory=str(FIRMWARE))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        serving.join()


@pytest.mark.parametrize(("name", "where"), [*zip(PROGRAMS, ("{site}/{name}", _FILE), strict=True)])
def test_mip_installs_identical_files(site: str, name: str, where: str, tmp_path: Path) -> None:
    """From a web server and from a copy of the sources."""
    source = where.format(site=site, name=name)
    with Prompt(tmp_path) as board:
        words = f"connect {board.port} resume mip install --target . {source}".split()
        done = subprocess.run(
            [sys.executable, "-m", "mpremote", *words], capture_output=True, text=True, timeout=60
        )
    assert done.returncode == 0, done.stdout + done.stderr
    there = {
        str(file.relative_to(tmp_path)): file.read_bytes()
        for file in tmp_path.rglob("*")
        if file.is_file()
    }
    assert there == PROGRAMS[name].files()
