"""A journal from before countdowns carried their own ids tells the same evening.

``tests/vectors/journals/countdowns.journal`` has countdowns that share a name, are erased, begun
again and undone, before, in and after a conflict and a problem. The JSON file next to it has the
story as everyone saw it after each change.
"""

from pathlib import Path
from shutil import copyfile
from typing import Any

import msgspec

from hub.audit.verify import verify_log
from hub.daemon.restore import restore
from hub.games.registry import rulebooks
from hub.journal import SqliteJournal
from hub.table.fold import fold
from hub.table.state import TableState
from hub.table.views import public_view
from hub.wire.log import decode_row

FIXTURE = Path(__file__).parents[2] / "vectors" / "journals" / "countdowns.journal"


def test_the_story_is_the_one_that_was_told(tmp_path: Path) -> None:
    path = Path(copyfile(FIXTURE, tmp_path / "old.journal"))
    with SqliteJournal.open(path, "test") as journal:
        rows = list(journal.rows())
        assert restore(journal, "test").state.seq == len(rows)
    beside = msgspec.json.decode(FIXTURE.with_suffix(".json").read_bytes())
    then = {each["seq"]: each["story"] for each in beside}
    state, told = TableState("test", rulebooks()), None
    for row in rows:
        state = fold(state, decode_row(row))
        told = then.get(row.seq, told)
        assert _seen(state) == told, f"after record {row.seq}"
    assert verify_log([row.line for row in rows], "test").problems == ()


def _seen(state: TableState) -> dict[str, Any] | None:
    if state.story is None:
        return None
    view = msgspec.json.decode(msgspec.json.encode(public_view(state).story))
    return {key: view[key] for key in ("countdowns", "erased", "stakes")}
