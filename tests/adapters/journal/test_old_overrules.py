"""A journal with overrules stored as text opens, has the same state after each of them, verifies,
and can be undone like any other.

``tests/vectors/journals/overrules-as-text.journal`` was written before overrules were values. It
has two conflicts and a problem with every clause, among characters named like parts of that
language. The JSON file next to it has what everyone saw after each overrule, as far as it had
changed.
"""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile
from typing import Any

import msgspec
import pytest

from hub.audit.verify import verify_log
from hub.daemon.restore import restore
from hub.games.registry import rulebooks
from hub.journal import SqliteJournal
from hub.table import inputs as i
from hub.table.fold import fold
from hub.table.state import TableState, Undoes
from hub.wire.chronicle import chronicle_entry
from hub.wire.log import Row, decode_line, decode_row
from tests.support.tabletalk import TableTalk

FIXTURE = Path(__file__).parents[2] / "vectors" / "journals" / "overrules-as-text.journal"


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    path = Path(copyfile(FIXTURE, tmp_path / "old.journal"))
    with SqliteJournal.open(path, "test") as journal:
        rows = list(journal.rows())
        assert restore(journal, "test").state.seq == len(rows)
    return rows


def flat(value: Any, at: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield every single value with its path."""
    if isinstance(value, dict | list) and value:
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in parts:
            yield from flat(inner, (*at, str(key)))
    else:
        yield at, value


def seen(state: TableState) -> dict[tuple[str, ...], Any]:
    """Return the public values of the scene."""
    if state.scene is None:
        return {}
    view = state.scene.rules.view(state.scene.game)
    shown = dict(flat(msgspec.json.decode(msgspec.json.encode(view))))
    return shown | {("step",): state.scene.pending.step}


def test_the_state_after_each_overrule_is_the_same(rows: list[Row]) -> None:
    then = msgspec.json.decode(FIXTURE.with_suffix(".json").read_bytes())
    states = {0: TableState("test", rulebooks())}
    for row in rows:
        states[row.seq] = fold(states[row.seq - 1], decode_row(row))
    words = [row for row in rows if b'"choice":"overrule ' in row.line]
    assert len(words) == 31
    for each in then:
        now = seen(states[each["seq"]])
        for at, value in each["now"]:
            assert now[tuple(at)] == value, (each["said"], at)


def test_its_log_is_valid(rows: list[Row]) -> None:
    assert verify_log([row.line for row in rows], "test").problems == ()


def test_all_of_it_can_be_undone(rows: list[Row]) -> None:
    """Later deeds, the last scene's end, and the scene's own commands."""
    talk = TableTalk(gm_seat="gm")
    talk.audit, talk.records, talk.desk, talk.rows = None, [], {}, list(rows)
    talk.restart()
    for _ in range(3):
        talk.give(i.Undo(Undoes.DEED))
    talk.give(i.Undo(Undoes.END))
    view: Any = talk.view.game
    assert view.characters["because"].out
    talk.give(i.Undo(Undoes.PLAY))
    view = talk.view.game
    assert not view.characters["because"].out
    assert [decode_line(row.line).seq for row in talk.rows] == [*range(1, len(talk.rows) + 1)]


def test_the_chronicle_has_overrules_as_values(rows: list[Row]) -> None:
    """This spares the pages from parsing the text of old logs."""
    state, told = TableState("test", rulebooks()), []
    for row in rows:
        record = decode_row(row)
        after = fold(state, record)
        told.append(chronicle_entry(state, record, after).event)
        state = after
    words = [event for event in told if event["type"] == "overruled"]
    assert len(words) == 31 and not [e for e in told if "overrule " in str(e.get("choice", ""))]
    first = {"attack": 1, "defend": 2, "grapple": 0}
    assert words[0]["holds"] == {"what": "energy", "name": "Vic because Tor", "energy": first}
    assert words[0]["because"] == "the floor gave way because of the rain; by and by"
    assert all(isinstance(e["deed"], dict) for e in told if e["type"] == "story-told")
