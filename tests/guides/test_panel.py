"""docs/build/panel.md: the hub reads and does what its settings say."""

import re
import tomllib
from typing import get_args

import msgspec

from hub.panel.settings import Does, PanelSettings
from tests.support.guides import GUIDES

PAGE = (GUIDES / "panel.md").read_text(encoding="utf-8")


def test_the_guides_table_file_is_valid() -> None:
    (block,) = re.findall(r"```text\n(\[panel\].*?)```", PAGE, re.S)
    said = msgspec.convert(tomllib.loads(block)["panel"], PanelSettings)
    assert not [*said.faults()]
    assert said.buttons and said.lamps and said.buzzer and said.knob


def test_the_guide_lists_every_button() -> None:
    for each in get_args(Does):
        assert f"| `{each}` |" in PAGE, each
