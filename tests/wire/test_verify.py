"""``verify_log``: a sound log has no problems; whatever is changed in one is found."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.table import inputs as i
from hub.table import records as r
from hub.table.sealed import Opening, Sealed
from hub.wire.log import GENESIS, encode_record, line_hash
from hub.wire.verify import Verdict, verify_log
from tests.support.tabletalk import TableTalk

TABLE = "test"


def lines(records: list[r.Record]) -> list[bytes]:
    head, made = GENESIS, []
    for record in records:
        made.append(encode_record(record, head).line)
        head = line_hash(made[-1])
    return made


def an_evening() -> list[r.Record]:
    """A turn with second thoughts, a dropped seal, an undo, and a seal left at the end."""
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.lift("ada")
    table.place("ada", "stance grapple 1")
    table.give(i.DropSeal("ada"))
    table.clear()
    table.place("ada", "stance grapple 1")
    table.place("gm", "stance none")
    table.reveal()
    table.clear()
    table.place("ada", "move attack-mid")
    table.give(i.Undo())
    table.clear()
    table.place("ada", "move attack-high")
    table.place("gm", "move attack-low")
    table.reveal()
    return table.records


EVENING = an_evening()
LOG = lines(EVENING)
SOUND = verify_log(LOG, TABLE)


def changed(change: Callable[[r.Record], r.Record | None]) -> Verdict:
    """The verdict on a log that a cheating hub wrote and chained anew."""
    records = [new for old in EVENING if (new := change(old)) is not None]
    numbered = [r.Record(seq, old.at_ms, old.event) for seq, old in enumerate(records, 1)]
    return verify_log(lines([*numbered]), TABLE) if numbered else SOUND


def lines_of(*events: r.AnyEvent) -> list[bytes]:
    return lines([r.Record(seq, seq, event) for seq, event in enumerate(events, 1)])


def test_a_sound_log() -> None:
    assert SOUND.problems == ()
    assert (SOUND.lines, SOUND.head) == (len(LOG), line_hash(LOG[-1]))
    assert SOUND.seals_opened == 4
    assert SOUND.seals_unopened == 3


def test_an_empty_log_has_no_lines() -> None:
    assert verify_log([], TABLE) == Verdict(0, 0, 0, GENESIS, ())


@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(LOG) - 1))
    where = data.draw(st.integers(0, len(LOG[which]) - 1))
    line = bytearray(LOG[which])
    line[where] ^= data.draw(st.integers(1, 255))
    verdict = verify_log([*LOG[:which], bytes(line), *LOG[which + 1 :]], TABLE)
    assert verdict.head != SOUND.head or verdict.problems
    if which < len(LOG) - 1:  # the last line is bound by the published head alone
        assert any(f"line {which + 1}:" in p or f"line {which + 2}:" in p for p in verdict.problems)


@given(st.data())
def test_any_missing_doubled_or_moved_line_is_found(data: st.DataObject) -> None:
    order = list(range(len(LOG)))
    which = data.draw(st.integers(0, len(LOG) - 1))
    match data.draw(st.sampled_from(["drop", "double", "move"])):
        case "drop":
            order.pop(which)
        case "double":
            order.insert(which, which)
        case "move":
            to = data.draw(st.integers(0, len(LOG) - 1).filter(lambda n: n != which))
            order.insert(to, order.pop(which))
    verdict = verify_log([LOG[at] for at in order], TABLE)
    assert verdict.problems or verdict.head != SOUND.head
    if order != list(range(len(order))):
        assert verdict.problems


@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(LOG)), max_size=20))
def test_any_bytes_raise_nothing(found: list[bytes]) -> None:
    verdict = verify_log(found, TABLE)
    assert verdict.lines == len(found)
    assert not found or verdict.problems or found == LOG[: len(found)]


def test_another_tables_log() -> None:
    assert any("not the one that was sealed" in p for p in verify_log(LOG, "other").problems)


@pytest.mark.parametrize("field", ["nonce", "choice"])
def test_a_card_that_was_exchanged(field: str) -> None:
    def exchange(record: r.Record) -> r.Record:
        if not isinstance(record.event, r.Revealed):
            return record
        openings = dict(record.event.openings)
        old = openings["ada"]
        new = {"nonce": old.nonce, "choice": old.choice}
        new[field] = "00" * 32 if field == "nonce" else "stance defend 1"
        openings["ada"] = Opening(**new)
        return r.Record(record.seq, record.at_ms, r.Revealed(openings=openings))

    verdict = changed(exchange)
    assert len(verdict.problems) == 2
    assert all("ada's card is not the one that was sealed" in p for p in verdict.problems)


@pytest.mark.parametrize("nonce", ["", "00", "zz" * 32, "00" * 33, "\ud7ff"])
def test_a_malformed_opening(nonce: str) -> None:
    def spoil(record: r.Record) -> r.Record:
        if not isinstance(record.event, r.Revealed):
            return record
        openings = {a: Opening(nonce, o.choice) for a, o in record.event.openings.items()}
        return r.Record(record.seq, record.at_ms, r.Revealed(openings=openings))

    assert any("opening is malformed" in p for p in changed(spoil).problems)


@pytest.mark.parametrize(
    ("left_out", "problem"),
    [
        (r.Locked, "a reveal before everybody was locked"),
        (r.Committed, "does not open exactly what was sealed"),
        (r.TakenBack, "commits twice"),
        (r.SealDropped, "commits twice"),
        (r.Revealed, "commits"),
    ],
)
def test_something_left_out_and_chained_anew(left_out: type, problem: str) -> None:
    verdict = changed(lambda record: None if isinstance(record.event, left_out) else record)
    assert any(problem in each for each in verdict.problems), verdict.problems


def seal(actor: str, phase: int = 1, scene: int = 1) -> r.Committed:
    return r.Committed(actor=actor, seat=actor, scene=scene, turn=1, phase=phase, digest="00" * 32)


BEGIN = r.SceneStarted(scene=1, ruleset="unroll", title="", seats={})


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([seal("ada"), r.Locked(reveal_at_ms=1), seal("bo")], "line 4: bo commits after the lock"),
        ([seal("ada"), r.Locked(reveal_at_ms=1), r.TakenBack(actor="ada", seat="ada")], "undone"),
        ([r.TakenBack(actor="ada", seat="ada")], "line 2: ada had no seal to undo"),
        ([seal("ada"), seal("bo", 2)], "line 3: bo commits in another phase"),
        ([seal("ada", 1, 2)], "line 2: ada commits in another scene"),
        ([r.Revealed(openings={})], "line 2: a reveal before everybody was locked"),
    ],
)
def test_what_a_sound_hub_never_does(events: list[r.AnyEvent], problem: str) -> None:
    verdict = verify_log(lines_of(BEGIN, *events), TABLE)
    assert any(problem in each for each in verdict.problems), verdict.problems


def test_a_declaration_may_void_seals() -> None:
    said = r.Declared(actor="bo", choice="end-combo", by="bo")
    verdict = verify_log(lines_of(BEGIN, seal("ada"), said, seal("ada", 2)), TABLE)
    assert (verdict.problems, verdict.seals_unopened) == ((), 2)


def test_a_log_that_begins_later_needs_its_predecessor() -> None:
    rest = LOG[5:]
    assert len(verify_log(rest, TABLE).problems) == 2
    assert verify_log(rest, TABLE, start=line_hash(LOG[4])).problems == ()


def test_faults_without_end_are_cut_off() -> None:
    verdict = verify_log([b"nonsense"] * 500, TABLE, most_problems=10)
    assert len(verdict.problems) == 11
    assert verdict.problems[-1] == "line 11: more than 10 faults; stopped here"


def test_a_log_has_no_unrevealed_card() -> None:
    assert any(isinstance(record.secret, Sealed) for record in EVENING)
    assert b"attack 2" not in b"".join(LOG)  # taken back
    assert b"attack-mid" not in b"".join(LOG)  # undone
    assert b"attack-high" in b"".join(LOG)  # revealed
