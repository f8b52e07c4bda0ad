"""The guide to a Raspberry Pi: the command line knows its commands. `make deb-test` follows it line
by line on a booted Debian (tests/packages/on_debian.py)."""

import re
import shlex

import click
import pytest
import typer

from hub.cli.main import app
from tests.support.guides import GUIDES, blocks, commands

PAGE = (GUIDES / "raspberry-pi.md").read_text(encoding="utf-8")
TYPED = [each for block in blocks(PAGE) for each in commands(block.text)]
NAMED = [each.replace("\n", " ") for each in re.findall(r"`(sudo [^`]+)`", PAGE)]


@pytest.mark.parametrize("command", [each for each in TYPED + NAMED if "facedown " in each])
def test_facedown_knows_every_command_of_the_guide(command: str) -> None:
    words = shlex.split(command)
    places = [n for n, word in enumerate(words) if word == "facedown" or word.endswith("/facedown")]
    asked = [words[n + 1 :] for n in places if words[n - 1] != "-u"]
    group = typer.main.get_command(app)
    assert isinstance(group, click.Group) or hasattr(group, "get_command")
    for name, *rest in asked:
        if name in ("stop", "start"):
            continue
        found = group.get_command(typer.Context(group), name)  # type: ignore[attr-defined]
        assert found, f"there is no facedown {name}"
        found.make_context(name, [*rest], resilient_parsing=False)


def test_a_test_can_run_every_command_of_the_guide() -> None:
    assert TYPED
    assert all(block.kind == "sh" and not block.words for block in blocks(PAGE))
