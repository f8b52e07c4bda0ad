"""From looks to contents: properties of every sequence of looks."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.presence import Debounce, Tags

LOOK = st.lists(st.sampled_from(["", "a", "b"]), max_size=2).map(lambda t: tuple(sorted(t)))
LOOKS = st.lists(LOOK, max_size=40)
MISSES = st.integers(1, 4)


def changes(looks: list[Tags], misses: int) -> list[Tags]:
    debounce = Debounce(misses)
    told = []
    for look in looks:
        if debounce.see(look):
            assert debounce.content is not None
            told.append(debounce.content)
    return told


def test_a_card_appears_at_once_and_goes_after_three_looks() -> None:
    debounce = Debounce(3)
    assert debounce.see(("a",))
    assert [debounce.see(()) for _ in range(3)] == [False, False, True]
    assert debounce.content == ()


def test_an_empty_start_is_not_believed_at_the_first_look() -> None:
    debounce = Debounce(3)
    assert [debounce.see(()) for _ in range(2)] == [False, False]
    assert debounce.doubtful
    assert debounce.see(("a",))


def test_it_takes_at_least_one_miss() -> None:
    with pytest.raises(ValueError, match="at least once"):
        Debounce(0)


@given(LOOKS, MISSES)
def test_only_seen_contents_and_only_changes_are_reported(looks: list[Tags], misses: int) -> None:
    told = changes(looks, misses)
    assert all(content in looks or content == () for content in told)
    assert all(before != after for before, after in pairwise(told))


@given(LOOKS, LOOK, MISSES)
def test_a_resting_field_is_reported_in_the_end(looks: list[Tags], rest: Tags, misses: int) -> None:
    debounce = Debounce(misses)
    for look in [*looks, *[rest] * misses]:
        debounce.see(look)
    assert debounce.content == rest
    assert not debounce.doubtful


@given(LOOKS, MISSES)
def test_no_tag_is_given_up_before_its_misses(looks: list[Tags], misses: int) -> None:
    debounce = Debounce(misses)
    for at, look in enumerate(looks):
        before = debounce.content or ()
        debounce.see(look)
        after = debounce.content or ()
        for tag in before:
            if after.count(tag) < before.count(tag):
                lately = looks[at - misses + 1 : at + 1]
                assert all(seen.count(tag) < before.count(tag) for seen in lately)
                assert all(seen.count(tag) <= after.count(tag) for seen in lately)


@given(LOOKS)
def test_one_miss_means_no_debouncing(looks: list[Tags]) -> None:
    debounce = Debounce(1)
    for look in looks:
        debounce.see(look)
        assert debounce.content == look
