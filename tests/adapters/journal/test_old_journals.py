"""A journal of version 0.1.0 opens in its old state and can be played on.

``tests/vectors/journals/0.1.0.journal`` was written by that version: a story, a scene with cards
beside a step, an undo and a newcomer. It ends in a stance step with ninja's card sealed.
"""

from pathlib import Path
from shutil import copyfile

import msgspec
import pytest

from hub.audit.verify import verify_log
from hub.daemon.restore import restore
from hub.games.triangle.story.written import WRITTEN
from hub.journal import SqliteJournal
from hub.table import inputs as i
from hub.table import records as r
from hub.table.state import Phase
from hub.table.views import public_view
from hub.wire.log import Row, decode_line
from tests.support.tabletalk import TableTalk

FIXTURE = Path(__file__).parents[2] / "vectors" / "journals" / "0.1.0.journal"
OLD_LINES = 30


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(copyfile(FIXTURE, tmp_path / "old.journal"))


def gone_on_with(path: Path) -> TableTalk:
    """Return a journal's table as today's hub restores it."""
    talk = TableTalk(gm_seat="gm")
    with SqliteJournal.open(path, "test") as journal:
        talk.state = restore(journal, "test").state
        talk.rows = list(journal.rows())
        assert journal.done() == {"ab" * 32: 3}
    talk.audit, talk.records, talk.desk = None, [], {}
    talk.now_ms = talk.state.at_ms
    talk.give(i.BeginLog())
    for seat in talk.lying:
        talk.find(seat)
    return talk


def test_it_opens_in_its_old_state(path: Path) -> None:
    talk = gone_on_with(path)
    assert (talk.phase, talk.step, talk.committed) == (Phase.SEALED, "stance", ("ninja",))
    assert talk.state.seq == OLD_LINES + 2, "the log has begun, and bo's reader is back"
    assert [type(each.event) for each in talk.records] == [r.LogBegun, r.ReaderReturned]
    assert talk.state.log == talk.records[0].event.log  # type: ignore[union-attr]
    assert talk.view.story is not None and set(talk.view.story.party) == {"ada", "bo"}


def test_it_is_played_on_and_old_seals_still_count(path: Path) -> None:
    talk = gone_on_with(path)
    talk.place("ada", "stance none")
    talk.reveal()
    assert talk.step == "move"
    talk.clear()
    talk.place("ada", "move attack-high")
    talk.place("gm", "move attack-low")
    talk.reveal()
    talk.give(i.EndScene())


def lines(rows: list[Row]) -> list[bytes]:
    return [row.line for row in rows]


def test_its_log_is_valid_but_proves_less(path: Path) -> None:
    talk = gone_on_with(path)
    talk.place("ada", "stance none")
    talk.give(i.Undo())
    talk.clear()
    talk.place("ada", "stance none")
    talk.place("gm", "stance none")
    talk.reveal()
    verdict = verify_log(lines(talk.rows), "test")
    assert verdict.problems == ()
    assert verdict.old_lines == OLD_LINES
    with SqliteJournal.open(path, "test") as journal:
        journal.append(talk.rows[OLD_LINES:])
        assert restore(journal, "test").state.seq == talk.state.seq


def test_an_exchanged_card_of_the_old_format_is_found(path: Path) -> None:
    talk = gone_on_with(path)
    talk.place("ada", "stance none")
    talk.reveal()
    told = lines(talk.rows)
    assert decode_line(told[-1]).event.openings["ninja"].choice == "stance none"  # type: ignore[union-attr]
    told[-1] = told[-1].replace(b'"choice":"stance none"', b'"choice":"stance attack 1"')
    assert "ninja's card is not the one that was sealed" in str(verify_log(told, "test").problems)


def test_deeds_written_as_text_keep_their_meaning(tmp_path: Path) -> None:
    """``0.1.0-deeds.journal`` has one of every deed; the file next to it has that version's
    story."""
    told = FIXTURE.with_name("0.1.0-deeds.json")
    path = Path(copyfile(told.with_suffix(".journal"), tmp_path / "deeds.journal"))
    with SqliteJournal.open(path, "test") as journal:
        state = restore(journal, "test").state
        words = {
            line.event.deed.split()[0]
            for row in journal.rows()
            if isinstance((line := decode_line(row.line)).event, r.StoryTold)
            and isinstance(line.event.deed, str)
        }
    assert words == {*WRITTEN} - {"dismiss", "join", "npc"}, "those were told by who came and left"
    story = msgspec.json.decode(msgspec.json.encode(public_view(state).story))
    then = msgspec.json.decode(told.read_bytes())
    assert {key: story[key] for key in then} == then
