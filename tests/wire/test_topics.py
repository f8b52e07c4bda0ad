"""Topic names: allowed characters, and where replies may go."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.wire import topics
from hub.wire.topics import TopicFault, Topics, check_name

NAMES = st.text(string.ascii_lowercase + string.digits + "-", min_size=1, max_size=32)


@given(NAMES, NAMES)
def test_the_topics_of_a_table(table: str, seat: str) -> None:
    of = Topics(table)
    all_of_them = [
        of.status, of.state, of.timer, of.moment, of.event, of.command, of.reply, of.seat(seat),
    ]  # fmt: skip
    assert len(set(all_of_them)) == len(all_of_them)
    for topic in all_of_them:
        assert topic.startswith(f"facedown/{table}/")
        assert not set(topic) & set("+#\0{} ")
        assert not of.is_reply(topic)


@given(st.text(max_size=40))
def test_any_other_name_is_refused(name: str) -> None:
    allowed = set(string.ascii_lowercase + string.digits + "-")
    if 1 <= len(name) <= 32 and set(name) <= allowed:
        assert check_name(name, "the seat") == name
        return
    with pytest.raises(TopicFault, match="the seat"):
        Topics("test").seat(name)
    with pytest.raises(TopicFault, match="the table"):
        Topics(name)


@pytest.mark.parametrize(
    "name", ["", "North", "a/b", "+", "#", "seat\n", "a" * 33, "süd", "٣", "a b", "\0", "$SYS"]
)
def test_harmful_names_are_refused(name: str) -> None:
    with pytest.raises(TopicFault):
        check_name(name, "the seat")


@given(NAMES, NAMES, st.text(max_size=60))
def test_replies_go_below_reply_and_nowhere_else(table: str, client: str, other: str) -> None:
    of = Topics(table)
    assert of.is_reply(topics.REPLY_TO.format(table=table, client=client))
    if of.is_reply(other):
        assert other.startswith(f"{of.reply}/")
    assert not of.is_reply(f"{of.reply}/{client}/{client}")
    assert not of.is_reply(f"{of.reply}/#")
    assert not of.is_reply(of.state)
