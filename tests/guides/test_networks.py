"""docs/build/networks.md, followed step by step; `make networks` tries the steps that need
Wi-Fi."""

import subprocess
from pathlib import Path

from tests.support.guides import BIN, GUIDES, Walk

PAGE = GUIDES / "networks.md"


def test_the_guide_works(tmp_path: Path) -> None:
    with Walk(tmp_path / "walk") as walk:
        subprocess.run(
            [BIN / "facedown", "init", walk.home, "--no-phones", "--yes"],
            check=True, capture_output=True, timeout=60,
        )  # fmt: skip
        secret = walk.home / "wifi.secret"
        secret.touch(0o600)
        secret.write_text("the owl sleeps\n", encoding="utf-8")
        (said,) = (part for part in PAGE.read_text().split("```text\n") if "[web.wifi]" in part)
        with (walk.home / "hub.toml").open("a", encoding="utf-8") as file:
            file.write(said.partition("```")[0])
        walk.follow(PAGE)
        assert (walk.home / "wifi.svg").read_text(encoding="utf-8").startswith("<?xml")
