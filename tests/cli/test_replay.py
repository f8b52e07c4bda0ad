"""``facedown replay`` and ``facedown log``: the whole story, without anything still sealed."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from msgspec import UnsetType, structs
from typer.testing import CliRunner

from hub.audit.verify import verify_log
from hub.cli.main import app
from hub.games.game import GM, Fall
from hub.games.triangle import TRIANGLE
from hub.games.triangle.naming import move_name
from hub.games.triangle.rules.consequences import of_conflict
from hub.games.triangle.rules.views import TriangleView
from hub.journal import SqliteJournal
from hub.kernel.texts import said
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import OpenSetup
from hub.table.looks import Portrait
from hub.table.sealed import Opening
from hub.wire.log import encode_record
from tests.support import specialtalk
from tests.support.evening import Evening
from tests.support.tabletalk import TableTalk
from tests.support.told import LANGUAGES, in_words, sentences
from tests.table.test_phases import play_to_the_end


def stored(path: Path, table: TableTalk) -> Path:
    """Store the table's records in a journal."""
    with SqliteJournal.open(path, "test") as journal:
        for record in table.records:
            journal.append([encode_record(record, journal.head)])
    return path


@pytest.fixture
def table() -> TableTalk:
    """Stances are revealed; then ada has taken a move back, and another one is sealed."""
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.place("gm", "stance none")
    table.reveal()
    table.clear()
    table.place("ada", "move attack-mid")
    table.clear()
    table.place("ada", "move attack-high")
    return table


@pytest.fixture
def journal(tmp_path: Path, table: TableTalk) -> Path:
    return stored(tmp_path / "den.journal", table)


def test_the_story_is_told_without_sealed_cards(journal: Path, table: TableTalk) -> None:
    result = CliRunner().invoke(app, ["replay", str(journal)])
    assert result.exit_code == 0
    assert "Scene 1, a conflict with Ada, Bo, Ninja and Crow: “A duel” begins." in result.output
    assert "Ada is ready." in result.output
    assert "Ada: Attack 2. Ninja: No stance." in result.output
    assert "Ada takes the card back." in result.output
    assert f"After record {table.state.seq}: cards are being chosen" in result.output
    assert "Awaited: Ada and Ninja." in result.output
    assert "Already chosen: Ada." in result.output
    assert "Attack High" not in result.output and "Attack Mid" not in result.output


def test_a_replay_as_json(journal: Path, table: TableTalk) -> None:
    result = CliRunner().invoke(app, ["replay", "--json", str(journal)])
    *told, last = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["seq"] for each in told] == list(range(1, table.state.seq + 1))
    assert told[0]["type"] == "log-begun"
    assert told[0]["at"] == "1970-01-01T00:16:40.000+00:00"
    assert last["state"]["committed"] == ["ada"]
    assert "move attack" not in result.output


def test_a_replay_until_a_record(journal: Path) -> None:
    result = CliRunner().invoke(app, ["replay", str(journal), "--until", "4"])
    assert result.exit_code == 0
    assert "After record 4: cards are being chosen" in result.output
    assert "Ada: Attack 2" not in result.output


def test_the_log_is_sound_and_public(journal: Path, table: TableTalk) -> None:
    result = CliRunner().invoke(app, ["log", str(journal)])
    lines = result.stdout_bytes.splitlines()
    assert len(lines) == table.state.seq
    assert verify_log(lines, "test").problems == ()
    assert b"attack-" not in result.stdout_bytes.partition(b"revealed")[2]


def test_a_hub_may_run_beside_a_replay(journal: Path) -> None:
    with SqliteJournal.open(journal, "test"):
        assert CliRunner().invoke(app, ["replay", str(journal)]).exit_code == 0


def test_an_inconsistent_journal_is_refused(tmp_path: Path, table: TableTalk) -> None:
    events = [record.event for record in table.records]
    table.records = [
        r.Record(seq, 1, event, None)
        for seq, event in enumerate((e for e in events if isinstance(e, r.Decided)), 1)
    ]
    result = CliRunner().invoke(app, ["replay", str(stored(tmp_path / "odd.journal", table))])
    assert result.exit_code == 1
    assert "cannot be replayed: " in result.output
    assert "Traceback" not in result.output


def test_a_changed_row_is_found(journal: Path) -> None:
    db = sqlite3.connect(journal)
    db.execute("UPDATE record SET line = CAST(line || ' ' AS BLOB) WHERE seq = 3")
    db.commit()
    db.close()
    result = CliRunner().invoke(app, ["replay", str(journal)])
    assert result.exit_code == 1
    assert "cannot be replayed: row 3 is not what was stored" in result.output


@pytest.mark.parametrize("command", ["replay", "log"])
def test_a_missing_journal_is_refused(command: str, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, [command, str(tmp_path / "none")])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    assert "there is no journal here" in result.stderr


def test_a_time_beyond_all_calendars_can_be_shown(tmp_path: Path) -> None:
    table = TableTalk()
    table.now_ms = 10**18
    table.audit = None
    table.give(i.ReaderMissing("ada"))
    assert CliRunner().invoke(app, ["replay", str(stored(tmp_path / "x", table))]).exit_code == 0


SAMPLES = {
    str: "x",
    int: 3,
    float: 2.5,
    bool: True,
    float | None: 45.0,
    bool | UnsetType: True,
    Portrait: Portrait(),
    tuple[str, ...] | UnsetType: ("ada",),
    tuple[tuple[str, ...], ...] | UnsetType: (("ada", "bo"),),
    tuple[float, ...]: (10.0,),
    tuple[str, ...]: ("ada",),
    dict[str, tuple[str, ...]]: {"north": ("ada",)},
    dict[str, Any]: {"what": "energy", "name": "ada", "energy": {"attack": 3}},
    dict[str, Opening]: {"ada": Opening("00", "move x")},
    OpenSetup | UnsetType: OpenSetup(game="{}", rulings=1),
    r.LeftOpen | UnsetType: r.LeftOpen("veto", ("gm",)),
    Fall | UnsetType: Fall(on={"deck": [3, 4]}, came={"drawn": {"ada": 4}}),
    dict[str, tuple[Opening, ...]]: {"ada": (Opening("00", "special x"),)},
}


@pytest.mark.parametrize("kind", r.EVENTS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_has_sentences_in_every_language(kind: type[r.Event], language: str) -> None:
    fields = {field.name: SAMPLES[field.type] for field in structs.fields(kind)}
    if kind is r.StoryTold:
        fields["deed"] = {"do": "mark", "name": "ada", "trait": "goal"}
    told = in_words(kind(**fields), language=language)
    assert told.endswith((".", "?", "!", "…"))
    assert "\n" not in told
    assert "{" not in told


def test_consequences_are_told_with_the_reveal(tmp_path: Path, table: TableTalk) -> None:
    table.place("gm", "move grapple-mid")
    table.reveal()
    output = CliRunner().invoke(app, ["replay", str(stored(tmp_path / "x", table))]).output
    assert "→ Attack beats Grapple: Ada wins. Ninja loses 7." in output
    assert output.count("Ada wins.") == 1


def test_the_end_of_a_conflict_is_told(tmp_path: Path) -> None:
    table = TableTalk()
    table.begin_turn("ada", "ninja")
    for cards in (("stance none", "stance none"), ("move attack-mid", "move surrender")):
        for seat, card in zip(("ada", "gm"), cards, strict=True):
            table.place(seat, card)
        table.reveal()
        table.clear()
    output = CliRunner().invoke(app, ["replay", str(stored(tmp_path / "x", table))]).output
    assert "→ Ninja surrenders: Ada wins." in output
    assert "→ Ninja is out." in output


def test_a_replaced_move_is_told_before_its_consequences() -> None:
    talk = specialtalk.table(ada=["drunken-monkey"])
    specialtalk.come_to(talk, "move")
    specialtalk.tap(talk, "ada", "drunken-monkey")
    specialtalk.moves(talk, "surrender", "grapple-low")
    before = talk.view.game
    talk.decide("ada", "replace yes")
    after = talk.view.game
    assert isinstance(after, TriangleView)
    drawn = after.turn and after.turn.moves and after.turn.moves["ada"]
    told = sentences([*TRIANGLE.words.followed(of_conflict(before, after)[0], {})])
    assert told == f"Ada: {sentences([said('list', items=[move_name(str(drawn))])])[:-1]}, " + (
        "drawn in place of Surrender."
    )


def test_an_evening_is_told_to_its_end(tmp_path: Path) -> None:
    """Scenes, a countdown, an undo of each kind, a problem and the reason for its decider."""
    evening = Evening()
    evening.do("countdown new 4 The tide")
    evening.duel(stakes="The boat")
    evening.decide(GM, "active ada")
    evening.decide("ada", "opponent ninja")
    evening.place("ada", "stance none")
    evening.place("gm", "stance none")
    evening.reveal()
    evening.give(i.Undo())
    evening.do("countdown mark The tide")
    evening.end()
    evening.do("stakes The ferry")
    evening.give(i.Undo())
    evening.clear()
    evening.face("The bridge is down", "ada", "bo")
    evening.place("ada", "option 1")
    evening.place("bo", "option 4")
    evening.reveal()
    path = tmp_path / "evening.journal"
    with SqliteJournal.open(path, "test") as journal:
        journal.append(list(evening.rows))
    output = CliRunner().invoke(app, ["replay", str(path)]).output
    told = (
        "A countdown begins: The tide.",
        "\n\n",
        "Scene 1 begins, a conflict with Ada, Bo, Ninja and Crow.",
        "Ada takes the turn.",
        "Ada faces Ninja.",
        "The GM takes something back. (back to record",
        "The scene ends.",
        "The GM takes the last change back.",
        "→ Undone: At stake: The ferry.",
        "Scene 2 begins, a problem with Ada and Bo.",
        "Ada: Idea. Bo: Failure.",
        "After record",
        "The problem: The bridge is down",
        "Ada has shown 1, Idea.",
        "Bo has shown 4, Failure.",
        "Ada tells it.",
        "Only 1s and 4s: then a 1 tells, not the highest.",
        "Countdown The tide: 1 of 4 boxes marked.",
    )
    at = -1
    for words in told:
        assert words in output[at + 1 :], f"{words!r} does not follow in:\n{output}"
        at = output.index(words, at + 1)
    assert "{" not in output


def test_a_replay_ends_with_the_result(tmp_path: Path) -> None:
    table = TableTalk()
    play_to_the_end(table)
    path = tmp_path / "duel.journal"
    with SqliteJournal.open(path, "test") as journal:
        journal.append(list(table.rows))
    output = CliRunner().invoke(app, ["replay", str(path)]).output.rstrip()
    assert "Ninja (Gm side): " in output and ", has surrendered." in output
    assert output.splitlines()[-1] == "Players win. Everyone on the other side is out."


def test_a_replay_reads_like_a_story(tmp_path: Path, journal: Path) -> None:
    """Turn by turn; a seal is mentioned only while unopened, or always on request."""
    output = CliRunner().invoke(app, ["replay", str(journal)]).output
    assert "\n        Turn 1\n" in output
    assert output.count("is ready") == 2  # of the moves: one taken back, one still sealed
    assert "Everybody has chosen." not in output
    every = CliRunner().invoke(app, ["replay", "--all", str(journal)]).output
    assert every.count("is ready") == 4
    assert "Everybody has chosen." in every


def test_between_scenes_a_replay_ends_with_the_newest_result(tmp_path: Path) -> None:
    evening = Evening()
    evening.do("countdown new 4 The tide")
    evening.duel()
    evening.give(i.EndScene())
    output = (
        CliRunner().invoke(app, ["replay", str(stored(tmp_path / "a.journal", evening))]).output
    )
    assert output.rstrip().endswith("Scene 1 was closed before its end.")
    table = TableTalk()
    play_to_the_end(table)
    table.give(i.EndScene())
    output = CliRunner().invoke(app, ["replay", str(stored(tmp_path / "b.journal", table))]).output
    assert (
        output.rstrip().splitlines()[-1]
        == "Scene 1 “A duel”: Players win. Everyone on the other side is out."
    )
