"""The figures of ``make bench``: their aims, their history, their page."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.bench import history
from tests.bench.figures import Aim, Figure, at_least, at_most, at_most_times, show
from tests.bench.page import measured, plot


def figure(name: str, aim: Aim | None, value: float = 20.0) -> Figure:
    """Twice its baseline."""
    return Figure.of(name, "kB", [value], [value / 2], "half of it", aim)


@pytest.mark.parametrize(
    ("aim", "text", "of_aim"),
    [
        (at_most(20), "≤ 20 kB", 1),
        (at_most(16), "≤ 16 kB", 1.25),
        (at_least(25), "≥ 25 kB", 1.25),
        (at_least(10), "≥ 10 kB", 0.5),
        (at_most_times(1.6), "≤ 1.6x", 1.25),
        (at_most_times(4), "≤ 4x", 0.5),
    ],
)
def test_an_aim_is_met_or_missed(aim: Aim, text: str, of_aim: float) -> None:
    found = figure("weight", aim)
    assert (aim.text("kB"), found.of_aim) == (text, pytest.approx(of_aim))
    assert found.met is (of_aim <= 1)
    assert figure("weight", None).met is None


def test_a_run_says_how_many_aims_are_met(capsys: pytest.CaptureFixture[str]) -> None:
    show([figure("a", at_most(1)), figure("b", at_most(99)), figure("c", None)], as_json=False)
    said = capsys.readouterr().out
    assert "missed" in said and "1 of 2 aims met" in said


def test_runs_are_kept_and_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "FILE", tmp_path / "performance.json")
    assert (history.kept(), "make bench" in measured([])) == ([], True)
    ET.fromstring(plot([]))
    commits = (f"commit {number}" for number in range(history.MOST + 2))
    for value, commit in enumerate(commits):
        monkeypatch.setattr(history, "_commit", lambda commit=commit: commit)
        history.keep([figure("weight < all", at_most(25), 1.0 + value)])
        history.keep([figure("weight < all", at_most(25), 1.0 + value), figure("free", None)])
    runs = history.kept()
    assert len(runs) == history.MOST
    assert [each.value for each in runs[-1].figures] == [history.MOST + 2, 20]
    table, drawn = measured(runs), plot(runs)
    assert "| weight < all | 32 kB | 16 (half of it) | 2.00 | ≤ 25 kB | missed |" in table
    assert "commit 31 of version" in table and "commit 30" not in table
    assert "0 of 1 aims are met" in table
    history.keep([figure("free", None)])
    monkeypatch.setattr(history, "_commit", lambda: "a part")
    history.keep([figure("free", None)])
    assert "| missed |  | commit 31 |" in (table := measured(history.kept()))
    assert "|  |  |  | a part |" in table, "a figure that was measured again, and one that was not"
    ET.fromstring(drawn)
    assert "weight &lt; all" in drawn and "1.28" in drawn and "free" not in drawn
