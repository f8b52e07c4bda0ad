"""``verify_log``: a sound log has no problems, and any change to a log is found."""

from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.audit.verify import Verdict, verify_log
from hub.table import acts as i
from hub.table import acts as r
from hub.table.sealed import Opening, Sealed
from hub.table.state import Undoes
from hub.wire.log import GENESIS, OtherSchema, encode_record, line_hash
from tests.support.specialtalk import log_of
from tests.support.tabletalk import TableTalk

TABLE = "test"


def an_evening() -> list[r.Record]:
    """A turn with second thoughts, a dropped seal, an undo, and a seal left at the end."""
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance attack 2")
    table.lift("ada")
    table.place("ada", "stance grapple 1")
    table.give(i.DropSeal("ada"))
    table.clear()
    table.show(ada="stance grapple 1", gm="stance none")
    table.place("ada", "move attack-mid")
    table.give(i.Undo())
    table.clear()
    table.place("ada", "move attack-high")
    table.place("gm", "move attack-low")
    table.reveal()
    return table.records


EVENING = an_evening()
LOG = log_of(EVENING)
SOUND = verify_log(LOG, TABLE)


def changed(change: Callable[[r.Record], r.Record | None]) -> Verdict:
    """The verdict on a log that a cheating hub wrote and rechained."""
    records = [new for old in EVENING if (new := change(old)) is not None]
    numbered = [r.Record(seq, old.at_ms, old.event) for seq, old in enumerate(records, 1)]
    return verify_log(log_of([*numbered]), TABLE) if numbered else SOUND


def lines_of(*events: r.Event) -> list[bytes]:
    return log_of([r.Record(seq, seq, event) for seq, event in enumerate(events, 1)])


def test_a_sound_log_has_no_problems() -> None:
    assert SOUND.problems == ()
    assert (SOUND.lines, SOUND.head) == (len(LOG), line_hash(LOG[-1]))
    assert SOUND.seals_opened == 4
    assert SOUND.seals_unopened == 3


def test_an_empty_log_has_no_lines() -> None:
    assert verify_log([], TABLE) == Verdict(0, 0, 0, GENESIS, (), table=TABLE)


@given(st.data())
def test_any_changed_byte_is_found(data: st.DataObject) -> None:
    which = data.draw(st.integers(0, len(LOG) - 1))
    where = data.draw(st.integers(0, len(LOG[which]) - 1))
    line = bytearray(LOG[which])
    line[where] ^= data.draw(st.integers(1, 255))
    verdict = verify_log([*LOG[:which], bytes(line), *LOG[which + 1 :]], TABLE)
    assert verdict.head != SOUND.head or verdict.problems
    if which < len(LOG) - 1:  # only the published head protects the last line
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
def test_any_bytes_raise_no_exception(found: list[bytes]) -> None:
    verdict = verify_log(found, TABLE)
    assert verdict.lines == len(found)
    assert not found or verdict.problems or found == LOG[: len(found)]


def test_another_tables_log_is_found() -> None:
    assert any("not the one that was sealed" in p for p in verify_log(LOG, "other").problems)


@pytest.mark.parametrize("field", ["nonce", "choice"])
def test_an_exchanged_card_is_found(field: str) -> None:
    def exchange(record: r.Record) -> r.Record:
        if not isinstance(record.event, r.Revealed):
            return record
        openings = dict(record.event.openings)
        old = openings["ada"]
        new = {"nonce": old.nonce, "choice": old.choice}
        new[field] = "00" * 32 if field == "nonce" else "stance defend 1"
        openings["ada"] = Opening(**new)
        return replace(record, event=replace(record.event, openings=openings))

    verdict = changed(exchange)
    assert len(verdict.problems) == 2
    assert all("ada's card is not the one that was sealed" in p for p in verdict.problems)


@pytest.mark.parametrize("nonce", ["", "00", "zz" * 32, "00" * 33, "\ud7ff"])
def test_a_malformed_opening_is_found(nonce: str) -> None:
    def spoil(record: r.Record) -> r.Record:
        if not isinstance(record.event, r.Revealed):
            return record
        openings = {a: Opening(nonce, o.choice) for a, o in record.event.openings.items()}
        return replace(record, event=replace(record.event, openings=openings))

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
def test_a_missing_event_is_found_in_a_rechained_log(left_out: type, problem: str) -> None:
    verdict = changed(lambda record: None if isinstance(record.event, left_out) else record)
    assert any(problem in each for each in verdict.problems), verdict.problems


def seal(actor: str, phase: int = 1, scene: int = 1, seat: str = "", **more: Any) -> r.Committed:
    seat = seat or actor
    given = {"turn": 1, "digest": digest(actor, phase), "origin": f"reader:{seat}"} | more
    return r.Committed(actor=actor, seat=seat, scene=scene, phase=phase, **given)


def digest(actor: str, phase: int = 1) -> str:
    return sha256(f"{actor} {phase}".encode()).hexdigest()


def locked(*awaited: str, phase: int = 1, due_ms: int = 90, **more: Any) -> r.Locked:
    digests = tuple(digest(actor, phase) for actor in awaited)
    given = {"scene": 1, "turn": 1, "awaited": awaited, "digests": digests} | more
    return r.Locked(reveal_at_ms=due_ms, phase=phase, **given)


def decided(actor: str, *waits_for: str, phase: int = 1, **more: Any) -> r.Decided:
    given = {"by": actor, "awaited": ("ada", "bo"), "choice": "split"} | more
    return r.Decided(actor=actor, phase=phase, waits_for=waits_for, **given)


def closed(step: str, *waits: str) -> r.SceneEnded:
    return r.SceneEnded(left=r.LeftOpen(step, waits))


LOG_ID = r.LogBegun(table=TABLE, log="ab" * 32)
BEGIN = r.SceneStarted(
    scene=1,
    after=1,
    ruleset="unroll",
    title="",
    seats={"ada": ("ada",), "bo": ("bo",)},
    digest="cd" * 32,
)


PAIR = (decided("ada", "bo"), decided("bo"))
NEXT = (decided("ada", "bo", phase=2), decided("bo", phase=2))
HUBS = r.PlayedByHub(actor="ada", on=True)
HUB_NO_MORE = r.PlayedByHub(actor="ada", on=False)
SAID = r.Declared(actor="bo", choice="end-combo", by="bo", phase=1)
DRAWN = r.ChanceSealed(scene=1, turn=1, phase=1, digest=digest("chance"))


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        ([seal("ada"), locked("ada"), seal("bo")], "line 5: bo commits after the lock"),
        ([seal("ada"), locked("ada"), r.TakenBack(actor="ada", seat="ada")], "undone after the lo"),
        ([r.TakenBack(actor="ada", seat="ada")], "line 3: ada had no seal to undo"),
        ([seal("ada"), seal("bo", 2)], "line 4: bo commits in another phase: 2, not 1"),
        ([seal("ada", 1, 2)], "line 3: ada commits in another scene"),
        ([r.Revealed(openings={}, phase=1)], "line 3: a reveal before everybody was locked"),
        ([seal("ada"), locked("ada", "bo")], "locked without a card of bo, who was awaited"),
        ([seal("ada"), seal("bo"), locked("ada")], "a card of bo is locked, who was not awaited"),
        ([seal("ada"), locked("ada", digests=())], "what is locked is not what was sealed"),
        ([seal("ada"), locked("ada", due_ms=1)], "the reveal is due before the lock"),
        ([seal("ada"), locked("ada", phase=2)], "locked in another phase: 2, not 1"),
        ([seal("ada"), locked("ada", turn=2)], "turn 2 in phase 1 after turn 1"),
        ([seal("ada"), locked("ada"), locked("ada")], "locked twice"),
        ([locked()], "nobody was awaited"),
        ([seal("ada"), locked("ada"), r.Revealed(openings={}, phase=1)], "a reveal 85 ms before"),
        ([seal("cy", seat="ada")], "cy is not played at seat ada"),
        ([seal("ada", seat="bo")], "ada is not played at seat bo"),
        ([seal("ada", origin="page:bo")], "ada's card comes from nowhere: page:bo"),
        ([seal("ada", origin="")], "ada's card comes from nowhere"),
        ([seal("ada", origin="hub:ada")], "ada's card comes from nowhere: hub:ada"),
        ([HUBS, seal("ada", origin="hub:bo")], "ada's card comes from nowhere: hub:bo"),
        ([HUBS, HUB_NO_MORE, seal("ada", origin="hub:ada")], "comes from nowhere: hub:ada"),
        ([seal("ada"), r.TakenBack(actor="ada", seat="bo")], "undone at another seat: bo"),
        ([seal("ada"), seal("bo", digest=digest("ada"))], "a digest that was used before"),
        ([seal("ada"), SAID, seal("bo", 3)], "bo commits in another phase: 3, not 1 to 2"),
        ([seal("ada"), r.Paused(), seal("bo")], "committed while the table is paused"),
        ([r.Resumed()], "it goes on without a pause"),
        ([decided("ada", "bo"), seal("bo")], "bo commits where words are awaited"),
        ([seal("bo"), decided("ada", "bo")], "ada decides where cards are sealed"),
        ([decided("ada")], "bo was awaited and has not decided"),
        ([decided("ada", "ada")], "ada decides and was not awaited"),
        ([decided("ada", awaited=("bo",))], "ada decides and was not awaited"),
        ([decided("ada", "bo"), decided("ada", "bo")], "ada decides the same twice"),
        ([decided("ada", "bo", by="bo")], "bo speaks for ada"),
        ([decided("ada", "bo"), decided("bo"), decided("ada", "bo")], "decided in another phase"),
        ([decided("ada", "bo", chance="00" * 32)], "chance is shown before everybody"),
        ([DRAWN, DRAWN], "chance is drawn a second time"),
        ([DRAWN, decided("ada", "bo"), decided("bo")], "the chance that was drawn is not shown"),
        ([seal("ada"), DRAWN], "chance is drawn after a choice that it meets"),
        ([BEGIN], "scene 1 begins in scene 1"),
        ([r.SceneEnded(), replace(BEGIN, scene=3)], "line 4: scene 3 follows scene 1"),
        ([r.SceneEnded(), r.Paused()], "paused outside a scene"),
        ([r.SceneEnded(), r.SceneEnded()], "scene-ended outside a scene"),
        ([closed("move", "eve")], "it leaves something undecided to eve, who is not in the scene"),
        (
            [closed("move", "bo", "bo")],
            "it names somebody twice among those who had still to choose",
        ),
        ([closed("a \x1b[2J")], "scene-ended.left.step is none that a hub takes"),
        ([seal("ada"), closed("move", "ada", "bo")], "it leaves undecided what ada has chosen"),
        ([r.SceneEnded(), replace(BEGIN, scene=2, seats={"a": ("x",), "b": ("x",)})], "two seats"),
        ([r.StoryTold(deed={"do": "rest", "kind": "full"})], "story-told without a story"),
        ([r.StoryBegun(ruleset="unroll", digest="")], "a story begins in a scene"),
        ([r.ReaderReturned(seat="ada")], "the reader of ada is back twice"),
        ([r.ReaderLost(seat="ada"), r.ReaderLost(seat="ada")], "the reader of ada is lost twice"),
        ([r.Undone(to_phase=1, to_seq=2)], "an undo goes back to what it cannot"),
        ([seal("ada"), r.Undone(to_phase=1, to_seq=1)], "an undo goes back to what it cannot"),
        ([*PAIR, r.Undone(to_phase=2, to_seq=4, step=True)], "a decision that it cannot"),
        ([*PAIR, *NEXT, r.Undone(to_phase=3, to_seq=6, step=True)], "a decision that it cannot"),
        ([*PAIR, *NEXT, r.Undone(to_phase=2, to_seq=3, step=True)], "a decision that it cannot"),
        ([r.DeadlineSet(deadline_ms=7, seconds=30.0)], "the commit timer does not end when"),
        ([r.DeadlinePassed()], "a commit timer ends that does not run"),
        ([r.Passed(actor="ada", by="ada")], "ada has nothing to answer"),
        ([LOG_ID], "the log begins a second time"),
    ],
)
def test_impossible_events_are_found(events: list[r.Event], problem: str) -> None:
    verdict = verify_log(lines_of(LOG_ID, BEGIN, *events), TABLE)
    assert any(problem in each for each in verdict.problems), verdict.problems


def test_decisions_are_undone_one_by_one() -> None:
    back = r.Undone(to_phase=2, to_seq=4, step=True)
    again = [decided("ada", "bo", phase=4), decided("bo", phase=4)]
    verdict = verify_log(lines_of(LOG_ID, BEGIN, *PAIR, *NEXT, back, *again), TABLE)
    assert verdict.problems == ()


def test_a_declaration_may_void_seals() -> None:
    verdict = verify_log(lines_of(LOG_ID, BEGIN, seal("ada"), SAID, seal("ada", 2)), TABLE)
    assert (verdict.problems, verdict.seals_unopened) == ((), 2)
    ended = [seal("ada"), SAID, closed("move", "ada", "bo")]
    assert verify_log(lines_of(LOG_ID, BEGIN, *ended), TABLE).problems == ()


def test_times_do_not_run_backwards() -> None:
    def earlier(record: r.Record) -> r.Record:
        return replace(record, at_ms=5) if isinstance(record.event, r.Locked) else record

    assert any("earlier than the line before it" in each for each in changed(earlier).problems)
    last = log_of([replace(EVENING[0], at_ms=-1)])
    assert any("in no calendar" in each for each in verify_log(last, TABLE).problems)


def test_a_missing_scene_is_found() -> None:
    table = TableTalk()
    for _ in range(3):
        table.begin_turn()
        table.give(i.EndScene())
    cut = [
        replace(each, seq=seq)
        for seq, each in enumerate((*table.records[:5], *table.records[9:]), 1)
    ]
    assert verify_log(log_of(table.records), TABLE).problems == ()
    problem, *_ = verify_log(log_of(cut), TABLE).problems
    assert "scene 3 follows scene 1" in problem


def test_an_actor_without_any_card_is_still_awaited() -> None:
    def without_ada(record: r.Record) -> r.Record | None:
        event = record.event
        if isinstance(event, r.Committed | r.TakenBack | r.SealDropped) and event.actor == "ada":
            return None
        if isinstance(event, r.Revealed):
            openings = {a: o for a, o in event.openings.items() if a != "ada"}
            return replace(record, event=replace(event, openings=openings))
        return record

    verdict = changed(without_ada)
    assert any("locked without a card of ada, who was awaited" in p for p in verdict.problems)


def test_a_log_names_its_table() -> None:
    assert verify_log(LOG).table == TABLE
    assert verify_log(LOG).problems == ()
    assert "line 1: the log is of table test, not den" in verify_log(LOG, "den").problems
    headless = changed(lambda record: None if record.seq == 1 else record)
    assert any("does not begin with log-begun" in each for each in headless.problems)
    (problem,) = verify_log(lines_of(r.LogBegun(table="den", log="abc"))).problems
    assert problem == "line 1: log-begun.log is none that a hub takes: 'abc'"


def test_a_line_of_another_schema_is_found() -> None:
    odd = LOG[3].replace(b'"schema":2', b'"schema":1')
    assert any("line 4: log schema 1" in each for each in verify_log([*LOG[:3], odd]).problems)
    with pytest.raises(OtherSchema):
        verify_log([LOG[0].replace(b'"schema":2', b'"schema":3'), *LOG[1:]])


def test_a_partial_log_needs_its_predecessors_hash() -> None:
    rest = LOG[5:]
    assert len(verify_log(rest, TABLE).problems) >= 2
    assert verify_log(rest, TABLE, start=line_hash(LOG[4])).problems == ()


def test_the_number_of_problems_is_bounded() -> None:
    verdict = verify_log([b"nonsense"] * 500, TABLE, most_problems=10)
    assert len(verdict.problems) == 11
    assert verdict.problems[-1] == "line 11: more than 10 faults; stopped here"


def test_a_log_contains_no_unrevealed_card() -> None:
    assert any(isinstance(record.secret, Sealed) for record in EVENING)
    assert b"attack 2" not in b"".join(LOG)  # taken back
    assert b"attack-mid" not in b"".join(LOG)  # undone
    assert b"attack-high" in b"".join(LOG)  # revealed


OTHER_FORMS = [
    (r.Committed, b'"turn":1', b'"turn": 1'),
    (r.Committed, b',"turn":1', b'\n,"turn":1'),
    (r.Committed, b'"turn":1', b'"turn":9,"turn":1'),
    (r.Committed, b'"turn":1', b'"turn":1,"turn":1'),
    (r.Committed, b'"turn":1', b'"turn":1.0'),
    (r.Committed, b'"turn":1', b'"turn":1e0'),
    (r.Committed, b'"turn":1,"type":"committed"', b'"type":"committed","turn":1'),
    (r.Committed, b'"ada"', b'"\\u0061da"'),
    (r.Committed, b'"reader:ada"', b'"reader\\u003aada"'),
    (r.SceneStarted, b'"A duel"', b'"A \\/ duel"'),
    (r.Committed, b'"phase":3', b'"phase":3,"void":true'),
    (r.Committed, b'"turn":1,"type"', b'"turn":1,"twice":0,"type"'),
    (r.Committed, b'"reader:ada"', b'"reader:ada","page":false'),
    (r.Committed, b'"committed"}', b'"committed"}\r'),
    (r.Committed, b'"committed"}', b'"committed"} '),
    (r.Committed, b'{"actor"', b'\xef\xbb\xbf{"actor"'),
    (r.Committed, b'{"actor"', b' {"actor"'),
    (r.Revealed, b'"beside":{},', b""),
    (r.Revealed, b'"chance":"",', b""),
    (r.Revealed, b'"nonce":', b'"more":"","nonce":'),
    (r.Revealed, b'"choice":"stance none",', b'"choice":"","choice":"stance none",'),
    (r.Locked, b'["ada","ninja"]', b'["ada", "ninja"]'),
]


@pytest.mark.parametrize(("kind", "old", "new"), OTHER_FORMS)
def test_a_line_in_another_form_is_found_even_if_rechained(
    kind: type[r.Event], old: bytes, new: bytes
) -> None:
    at = next(n for n, x in enumerate(EVENING) if isinstance(x.event, kind))
    odd = LOG[at].replace(old, new, 1)
    assert odd != LOG[at]
    told = [*LOG[:at], odd]
    for record in EVENING[at + 1 :]:
        told.append(encode_record(record, line_hash(told[-1])).line)
    assert any(f"line {at + 1}: not " in each for each in verify_log(told, TABLE).problems)


def an_end_taken_back() -> TableTalk:
    """A scene that was ended with a card sealed, brought back and played on."""
    table = TableTalk()
    table.begin_turn()
    table.place("ada", "stance none")
    table.give(i.EndScene())
    table.give(i.Undo(Undoes.END))
    table.clear()
    for seat in ("ada", "gm"):
        table.place(seat, "stance none")
    table.reveal()
    return table


def test_a_reopened_scene_is_sound_and_opens_no_earlier_card() -> None:
    records = an_end_taken_back().records
    assert verify_log(log_of(records), TABLE).problems == ()
    sealed = [each.event for each in records if isinstance(each.event, r.Committed)]
    assert [event.phase for event in sealed] == [3, 4, 4]


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize("kind", [r.SceneReopened, r.SceneCalledOff, r.SceneStarted])
def test_a_reopened_or_cancelled_scene_with_a_wrong_seq_is_found(kind: type, by: int) -> None:
    table = an_end_taken_back()
    table.give(i.EndScene())
    table.start()
    table.give(i.Undo(Undoes.START))

    def elsewhere(record: r.Record) -> r.Record:
        event = record.event
        if not isinstance(event, kind):
            return record
        field = "after" if isinstance(event, r.SceneStarted) else "to_seq"
        return replace(record, event=replace(event, **{field: getattr(event, field) + by}))

    assert verify_log(log_of(table.records), TABLE).problems == ()
    assert verify_log(log_of([*map(elsewhere, table.records)]), TABLE).problems


def test_cancelling_a_scene_with_play_is_found() -> None:
    table = TableTalk()
    table.begin_turn()
    for seat in ("ada", "gm"):
        table.place(seat, "stance none")
    table.reveal()
    start = next(x for x in table.records if isinstance(x.event, r.SceneStarted))
    last = table.records[-1]
    forged = r.Record(last.seq + 1, last.at_ms, r.SceneCalledOff(to_seq=start.seq - 1))
    (problem,) = verify_log(log_of([*table.records, forged]), TABLE).problems
    assert "in which something was played" in problem


def test_reopening_a_scene_twice_is_found() -> None:
    table = an_end_taken_back()
    table.give(i.EndScene())
    last = table.records[-1]
    seqs = [last.seq + 1, last.seq + 2]
    forged = [r.Record(seq, last.at_ms, r.SceneReopened(to_seq=last.seq - 1)) for seq in seqs]
    problems = verify_log(log_of([*table.records, *forged]), TABLE).problems
    assert any("a scene is reopened in scene 1" in problem for problem in problems)
