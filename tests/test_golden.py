"""Facedown still reads what version 1.0.0 wrote: folders, journals, logs and backups.

That version wrote ``tests/vectors/golden/1.0.0``, with :mod:`tests.support.golden`. These files are
never regenerated. If a test here fails, people's tables would fail in the same way: mend the code,
or add a migration.
"""

from pathlib import Path
from shutil import copytree
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from hub.audit.verify import verify_log
from hub.cli.main import app
from hub.games.registry import rulebooks
from hub.table import acts as c
from hub.table import acts as r
from hub.table.state import Undoes
from hub.wire.log import decode_line
from tests.support.golden import FAMILIES, Playing

GOLDEN = Path(__file__).parent / "vectors" / "golden" / "1.0.0"


@pytest.fixture(params=[*FAMILIES])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return Path(copytree(GOLDEN / request.param, tmp_path / request.param))


def run(*words: str | Path) -> str:
    result = CliRunner().invoke(app, [*map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def lines(folder: Path) -> list[bytes]:
    return (folder / "golden.log").read_bytes().splitlines()


def held(shown: Any, then: Any) -> bool:
    """Whether everything of ``then`` is still shown; later versions may show more."""
    if isinstance(then, dict):
        return isinstance(shown, dict) and all(
            key in shown and held(shown[key], each) for key, each in then.items()
        )
    if isinstance(then, list):
        return len(shown) == len(then) and all(map(held, shown, then))
    return bool(shown == then)


def test_the_evenings_hold_what_a_journal_can_hold() -> None:
    kinds = {type(decode_line(line).event) for name in FAMILIES for line in lines(GOLDEN / name)}
    assert kinds >= {
        r.LogBegun, r.StoryBegun, r.StoryTold, r.StoryUndone, r.SceneStarted, r.Committed,
        r.SetBeside, r.ChanceSealed, r.Locked, r.Revealed, r.Decided, r.Declared, r.Overruled,
        r.Undone, r.StopMade, r.ClockSet, r.Paused, r.Resumed, r.EveningNamed,
    }  # fmt: skip


def test_the_folder_is_sound(folder: Path) -> None:
    run("check-config", folder / "hub.toml")


def test_the_journal_opens_in_the_state_it_was_left_in(folder: Path) -> None:
    with Playing(folder, "again") as table:
        assert [row.line for row in table.journal.rows()] == lines(folder)
        shown = msgspec.json.decode(msgspec.json.encode(table.view))
        assert held(shown, msgspec.json.decode((folder / "golden.json").read_bytes()))
        assert table.journal.done(), "commands are remembered"


def test_the_journal_is_replayed_and_verified(folder: Path) -> None:
    journal = folder / "golden.journal"
    assert "“The quay”" in run("replay", journal)
    assert run("log", journal).encode().splitlines() == lines(folder)
    assert run("verify", journal).startswith("sound: ")


def test_the_log_is_verified_alone(folder: Path) -> None:
    assert run("verify", folder / "golden.log").startswith("sound: ")


def test_the_backup_is_restored(folder: Path) -> None:
    (folder / "golden.journal").unlink()
    (folder / "golden.journal-told").unlink()
    run("restore", folder / "golden.backup", folder / "golden.journal")
    with Playing(folder, "again") as table:
        assert [row.line for row in table.journal.rows()] == lines(folder)


def test_the_evening_goes_on(folder: Path) -> None:
    before = len(lines(folder))
    with Playing(folder, "again") as table:
        table.find_readers()
        scene = table.state.scene
        assert scene is not None
        sealed = {actor: str(seal.choice()) for actor, seal in scene.seals.items()}
        table.play_on(4)
        table.ask(c.Undo(what=Undoes.PLAY))
        table.play_on(2)
        table.ask(c.EndScene())
        table.ask(c.TellStory(deed={"do": "mark-countdown", "name": "The tide"}))
        after = [row.line for row in table.journal.rows()]
    books = rulebooks()
    verdict = verify_log(after, games=books.games, stories=books.stories)
    assert verdict.problems == ()
    events = [decode_line(line).event for line in after[before:]]
    revealed = next((each for each in events if isinstance(each, r.Revealed)), None)
    assert revealed is not None or not sealed
    for actor, choice in sealed.items():
        assert revealed is not None and revealed.openings[actor].choice == choice
