"""Players' texts may be longer than choices: one line, bounded; only texts may be that long."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from hub.games.game import GM, MAX_CHOICE_CHARS, MAX_TOLD_CHARS, Choice, IllegalChoice
from hub.kernel.reasons import Reason
from hub.table import acts as c
from hub.table import acts as i
from hub.table import acts as r
from hub.table.acts import CommandFault
from hub.table.fold import fold, fold_all
from hub.table.sealed import Sealed
from hub.table.state import HubMisuse, SeatFault, TableState
from hub.wire.log import MAX_LINE_BYTES, decode_row
from hub.wire.reading import decode_command, decode_page_command
from tests.support.answers import ANSWERED, BOOKS
from tests.support.tabletalk import TableTalk

LONGEST = "\N{SLEEPING FACE}" * 1000
"""Four bytes each."""


def table() -> TableTalk:
    """The first word is awaited; a tale may be told beside it."""
    talk = TableTalk({**ANSWERED, "tokens": {}, "reserve": {}}, rulebooks=BOOKS)
    talk.start()
    talk.decide("ada", "drawn 7")
    talk.decide("ninja", "drawn 9")
    assert talk.view.step == "bid"
    return talk


def at_the_end() -> TableTalk:
    """One of north's players tells the result."""
    talk = table()
    talk.decide("ada", "pass")
    talk.decide("ninja", "pass")
    assert talk.step == "tell"
    return talk


def told(talk: TableTalk) -> tuple[str, ...]:
    game: Any = talk.view.game
    return tuple(game.told)


def tell(talk: TableTalk, text: str, kind: str = "tale") -> None:
    """Tell a text as a page's command, from its bytes to the table."""
    data = msgspec.json.encode({"command": "decide", "actor": "ada", "choice": f"{kind} {text}"})
    command = decode_page_command(data)
    assert isinstance(command, c.Decide) and decode_command(data) == command
    talk.give(i.Request(command, "ada"))


def refusal(talk: TableTalk, text: str, kind: str = "tale") -> Reason:
    before = talk.state
    with pytest.raises((SeatFault, CommandFault)) as caught:
        tell(talk, text, kind)
    assert talk.state is before
    reason = caught.value.reason
    assert isinstance(reason, Reason)
    return reason


@pytest.mark.parametrize("text", ["x" * 1000, LONGEST, "ada says: <b>no</b> & “never”"])
def test_a_text_is_told_whole_and_comes_back_from_the_journal(text: str) -> None:
    talk = table()
    tell(talk, text)
    talk.decide("ada", "pass")
    talk.decide("ninja", "pass")
    tell(talk, text, "told")
    assert told(talk) == (text, text)
    assert all(len(row.line) < MAX_LINE_BYTES for row in talk.rows)
    again = fold_all(TableState("test", BOOKS), [decode_row(row) for row in talk.rows])
    assert again == talk.state


def test_only_told_texts_may_be_longer() -> None:
    talk = table()
    long = "x" * MAX_CHOICE_CHARS
    assert refusal(talk, long, "drawn").values["most"] == MAX_CHOICE_CHARS
    assert refusal(talk, long, "turn").values["most"] == MAX_CHOICE_CHARS
    assert refusal(talk, long, "told").values["most"] == MAX_CHOICE_CHARS, "it is not asked now"
    assert refusal(talk, "x" * MAX_TOLD_CHARS).values["most"] == MAX_TOLD_CHARS
    assert str(refusal(talk, "x" * 1001)) == "tell something, in a line", "as the rules say"
    talk.decide("ada", "pass")
    talk.decide("ninja", "pass")
    assert refusal(talk, long).values["most"] == MAX_CHOICE_CHARS, "nor is a tale"


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\u2028", "\x0b"])
def test_a_thousand_lines_are_refused_in_one_clear_sentence(line_end: str) -> None:
    reason = refusal(table(), line_end.join("x" for _ in range(1000)))
    assert str(reason) == "write it on one line; this is 1000 lines"


@pytest.mark.parametrize("text", ["a\tb", "a\x00b", "a\u200bb", "a\u202eb"])
def test_unprintable_text_is_refused(text: str) -> None:
    assert refusal(table(), text).code == "choice-form"


def test_a_page_of_text_is_too_long_for_a_command() -> None:
    assert refusal(table(), "x" * 100_000).code == "command-too-long"


def test_no_card_and_no_seal_is_longer() -> None:
    with pytest.raises(IllegalChoice):
        Choice.parse("tale " + "x" * MAX_CHOICE_CHARS)
    commit = {"command": "commit", "actor": "ada", "choice": "tale " + "x" * MAX_CHOICE_CHARS}
    with pytest.raises(CommandFault):
        decode_page_command(msgspec.json.encode(commit))
    talk = table()
    with pytest.raises(SeatFault):
        talk.give(i.Request(i.Commit("ada", Sealed(Choice("tale", "x" * 300))), "ada"))


@pytest.mark.parametrize("kind", [r.Decided, r.Declared])
def test_a_journal_with_an_overlong_choice_is_refused(kind: type[Any]) -> None:
    talk = at_the_end()
    event = kind(actor="ada", choice="drawn " + "7" * 300, by=GM, phase=4)
    record = replace(talk.records[-1], seq=talk.state.seq + 1, event=event)
    with pytest.raises(HubMisuse, match="does not fit"):
        fold(talk.state, record)
