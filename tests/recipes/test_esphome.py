"""docs/connect/recipes/esphome.yaml, checked by ESPHome itself."""

import shutil
import subprocess
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from hub.fonts import font_data
from tests.recipes.tools import ESPHOME, RECIPES

pytestmark = pytest.mark.recipes
SECRETS = {
    "wifi_ssid": "den",
    "wifi_password": "secret-of-the-den",
    "broker": "192.0.2.1",
    "broker_password": "secret",
}


def judged(folder: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [ESPHOME, "config", folder / "esphome.yaml"], capture_output=True, text=True, cwd=folder
    )


def test_esphome_accepts_the_display(tmp_path: Path) -> None:
    shutil.copy(RECIPES / "esphome.yaml", tmp_path)
    secrets = "".join(f"{name}: {value}\n" for name, value in SECRETS.items())
    (tmp_path / "secrets.yaml").write_text(secrets, encoding="utf-8")
    packed = tmp_path / "letters.woff"
    packed.write_bytes(font_data("sans", 400))
    font = TTFont(packed)
    font.flavor = None
    font.save(tmp_path / "letters.ttf")
    done = judged(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Configuration is valid" in done.stdout + done.stderr
    (tmp_path / "letters.ttf").unlink()
    assert judged(tmp_path).returncode != 0, "it looks at what it is given"
