"""Facedown on a 64-bit Arm, run by qemu: install the package there and play a turn.

`make arm`, as root. Not collected by `make test`.
"""

import os
import subprocess
import sys

import pytest

from hub.version import VERSION
from tests.packages.box import BASES, ROOT, Box
from tests.packages.installing import NEWER, PACKAGES, install, table
from tests.packages.on_debian import play
from tests.support.broker import free_port

PATIENCE_S = 900
"""qemu is ten to thirty times slower than the real machine."""


@pytest.fixture(scope="module", autouse=True)
def package() -> None:
    assert not os.geteuid(), "a Debian in a folder is made by root alone: sudo make arm"
    words = ["--arch", "arm64", "--debian-version", NEWER, "--dist", str(PACKAGES)]
    subprocess.run([sys.executable, ROOT / "scripts/build-deb", *words], check=True)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("suite", ["bookworm/arm64"])
def test_a_turn_is_played_on_a_64_bit_arm(suite: str) -> None:
    folder = BASES / "box-arm64"
    with Box(suite, folder) as box:
        assert box.run("uname -m").strip() == "aarch64"
        install(box)
        assert VERSION in box.run("facedown --version")
        box.run("/opt/facedown/venv/bin/python -c 'import lgpio, nfc, dbus_fast, zeroconf'")
        table(box)
        box.run(f"facedown provision --local --port {free_port()}")
        play(box, PATIENCE_S)
