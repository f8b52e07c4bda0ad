"""The chronicle: the public log with the consequences by the rules, independent of language."""

import msgspec

from hub.games.game import GM
from hub.games.registry import rulebooks
from hub.table import acts as i
from hub.table.fold import fold
from hub.table.state import TableState
from hub.wire.chronicle import Entry, chronicle_entry
from tests.support.evening import Evening
from tests.support.tabletalk import TableTalk
from tests.table.test_phases import play_to_the_end


def told(table: TableTalk) -> list[Entry]:
    state, entries = TableState("test", rulebooks()), []
    for record in table.records:
        before, state = state, fold(state, record)
        entries.append(chronicle_entry(before, record, state))
    return entries


def came(table: TableTalk) -> list[dict[str, object]]:
    return [msgspec.to_builtins(each) for entry in told(table) for each in entry.came]


def one_turn() -> TableTalk:
    table = TableTalk()
    table.begin_turn()
    table.show(ada="stance none", gm="stance none")
    table.show(ada="move attack-mid", gm="move attack-low")
    return table


def test_a_turns_outcome_belongs_to_its_reveal() -> None:
    table = one_turn()
    entries = [entry for entry in told(table) if entry.came]
    assert [entry.event["type"] for entry in entries] == ["revealed"]
    (won,) = came(table)
    assert won["what"] in {"turn-won", "turn-tied"} and isinstance(won["losses"], dict)


def test_an_undo_has_no_consequences() -> None:
    table = one_turn()
    while table.phase.value == "decision":
        actor = next(a for a in table.view.awaited if a not in table.committed)
        table.decide(actor, table.offers(actor)[0])
    table.place("ada", "stance none")
    before = len(came(table))
    table.give(i.Undo())
    assert table.view.turn_number == 1
    assert len(came(table)) == before
    assert told(table)[-1].event["to_seq"] > 0


def test_a_conflict_is_told_to_its_end() -> None:
    table = TableTalk()
    play_to_the_end(table)
    assert [each["what"] for each in came(table)] == [
        "turn-surrendered", "out", "turn-surrendered", "out", "conflict-over",
    ]  # fmt: skip
    assert came(table)[0]["winner"] == "ada"


def test_a_problem_is_told_to_its_end() -> None:
    table = Evening()
    table.face("The bridge is out", "ada", "bo")
    for _ in range(50):
        if table.phase.value == "over":
            break
        for actor in (*table.view.awaited, GM):
            choices = table.offers(actor)
            if choices and table.phase.value == "sealed":
                table.place(actor, choices[0])
                if table.phase.value == "locked":
                    table.reveal()
                    table.clear()
            elif choices:
                table.decide(actor, choices[0])
                break
    assert table.phase.value == "over"
    (over,) = came(table)
    assert over["what"] == "problem-over" and over["decider"] in {"ada", "bo"}


def test_openings_are_told_without_their_nonces() -> None:
    text = msgspec.json.encode(told(one_turn())).decode()
    assert '"openings":{"ada":{"choice":"stance none"}' in text
    assert "nonce" not in text


def test_an_overruled_turn_is_told_with_its_new_outcome() -> None:
    table = one_turn()
    (before,) = came(table)
    winner = "ninja" if before.get("winner") == "ada" else "ada"
    assert table.phase.value == "decision"
    table.decide(GM, f"overrule turn won {winner} because the moves were read wrongly")
    after = came(table)
    assert after[0] == before
    assert [(each["what"], each.get("winner")) for each in after[1:]] == [("turn-won", winner)]
