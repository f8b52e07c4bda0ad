"""The editions' files: all faults are reported at once, each with its place."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

from hub.games.triangle.rules.edition import Edition
from hub.games.triangle.rules.editions import EDITIONS, read_edition
from hub.games.triangle.rules.effects import EFFECTS
from hub.kernel.documents import toml as loader
from hub.kernel.documents.toml import packaged
from hub.kernel.faults import Faulty

UNROLL = files("hub.games.triangle.rules").joinpath("texts/unroll.toml").read_text(encoding="utf-8")


@pytest.fixture
def reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """A function that reads an edition with some text replaced."""
    monkeypatch.setattr(loader, "files", lambda package: tmp_path)

    def read(*changes: tuple[str, str]) -> Edition:
        text = UNROLL
        for old, new in changes:
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        (tmp_path / "toy.toml").write_text(text, encoding="utf-8")
        return read_edition(packaged("toy.rules", "toy.toml"), "toy")

    return read


@contextmanager
def told(*faults: str) -> Iterator[None]:
    with pytest.raises(Faulty) as error:
        yield
    lines = str(error.value).split("\n")
    assert [line[: len(fault)] for line, fault in zip(lines, faults, strict=True)] == [*faults]


def test_an_edition_is_read_once() -> None:
    assert EDITIONS["unroll"] is EDITIONS["unroll"]


def test_an_edition_follows_its_file(reading) -> None:  # type: ignore[no-untyped-def]
    assert reading(("\nlevel = 1\n", "\nlevel = 7\n")).level == 7
    dearer = reading(("attack-mid = { base = 3,", "attack-mid = { base = 5,"))
    assert dearer.moves["attack-mid"].base == 5


def line(text: str) -> int:
    return UNROLL[: UNROLL.index(text)].count("\n") + 1


def test_every_fault_is_reported_with_its_line(reading) -> None:  # type: ignore[no-untyped-def]
    wax, spin = line("[specials.wax-on]"), line("grapple-mid = {")
    with told(
        f"toy/rules/toy.toml:{line('level = 1')}: level: must be a whole number from 0 to 9999, "
        "not true",
        f'toy/rules/toy.toml:{line("high = [")}: elements.high[0]: is "under", and must be one '
        "of: high, low, mid",
        f"toy/rules/toy.toml:{spin}: moves.grapple-spin: is an action and an element: "
        "high, low, mid",
        f"toy/rules/toy.toml:{line('[characters]')}: characters.start_count: is missing",
        f'toy/rules/toy.toml:{line("basic_moves")}: characters.basic_moves[8]: "grapple-mid" is ',
        f"toy/rules/toy.toml:{line('start_count')}: characters.start_cuont: unknown key "
        "(known: basic_moves, start_count, ",
        f'toy/rules/toy.toml:{wax + 1}: specials.wax-on.effect: is "clam", and must be one of: '
        f"{', '.join(EFFECTS)}",
        f'toy/rules/toy.toml:{wax + 2}: specials.wax-on.windows[0]: is "late", and must be one '
        "of: opponent, stance, move, split",
        f'toy/rules/toy.toml:{line("needs = ")}: specials.dig-two-graves.needs: "wax-off" is not a '
        "special that it could need",
    ):
        reading(
            ("\nlevel = 1\n", "\nlevel = true\n"),
            ('high = ["mid"]', 'high = ["under"]'),
            ("grapple-mid = {", "grapple-spin = {"),
            ("start_count", "start_cuont"),
            ('effect = "calm"\nwindows = ["move"]', 'effect = "clam"\nwindows = ["late"]'),
            ('needs = "wax-on"', 'needs = "wax-off"'),
        )
