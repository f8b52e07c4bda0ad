"""The packages, built once for all tests here, and a fresh Debian for each test."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.packages.box import BASES, ROOT, SUITES, Box
from tests.packages.installing import NEWER, OLDER, PACKAGES


@pytest.fixture(scope="session")
def packages() -> None:
    """Build the package, and a copy with an older version."""
    assert not os.geteuid(), "a Debian in a folder is made by root alone: sudo make deb-test"
    shutil.rmtree(PACKAGES, ignore_errors=True)
    words = ["--debian-version", NEWER, "--dist", str(PACKAGES)]
    subprocess.run([sys.executable, ROOT / "scripts/build-deb", *words], check=True)
    unpacked, made = PACKAGES / "unpacked", PACKAGES / f"facedown_{OLDER}_amd64.deb"
    subprocess.run(
        ["dpkg-deb", "-R", PACKAGES / f"facedown_{NEWER}_amd64.deb", unpacked], check=True
    )
    control = unpacked / "DEBIAN/control"
    told = control.read_text().replace(f"Version: {NEWER}", f"Version: {OLDER}")
    control.write_text(told)
    command = ["dpkg-deb", "--root-owner-group", "-Zxz", "-z0", "--build", unpacked, made]
    subprocess.run(command, check=True)


@pytest.fixture(params=SUITES)
def box(request: pytest.FixtureRequest, packages: None) -> Iterator[Box]:
    folder = BASES / f"box-{request.param}"
    with Box(request.param, folder) as box:
        yield box
