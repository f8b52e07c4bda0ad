"""The certainty of a field: a card never counts as rested without a look at the dwell's end."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hub.readers.presence import AGAIN_S, Care, Look, Presence
from hub.table.acts import Sight

A, B, NOTHING = ("a",), ("b",), ()
DWELL_S = 0.3
NEW, DOUBTFUL, AGAIN, RESTED = Sight
MOMENT = st.floats(0.001, 0.2)
SEEN = st.sampled_from([A, B, NOTHING, ("a", "b"), None])
"""None: the look was disturbed."""


def look(tags: tuple[str, ...], at: float) -> Look:
    return Look(tags, at, at)


def field() -> Presence:
    """Return the presence of a field that is known to be empty."""
    presence = Presence(DWELL_S)
    for _ in range(3):
        presence.see(look(NOTHING, 0))
    assert presence.empty
    return presence


def test_a_card_seen_at_the_dwells_end_has_rested() -> None:
    presence = field()
    assert presence.see(look(A, 1.0)) == [NEW]
    assert presence.rests_at == 1.3
    assert presence.see(look(A, 1.29)) == []
    assert presence.see(look(A, 1.3)) == [RESTED]
    assert presence.settled
    assert presence.rests_at == math.inf
    assert presence.see(look(A, 1.29 + AGAIN_S)) == []
    assert presence.see(look(A, 2.31)) == [RESTED], "for what could not be read yet"
    assert presence.see(look(A, 3.2)) == []


@pytest.mark.parametrize("lifted_by", [1.2, 1.29, 1.4])
def test_a_card_missing_at_the_dwells_end_has_not_rested(lifted_by: float) -> None:
    presence = field()
    presence.see(look(A, 1.0))
    presence.see(look(A, 1.19))
    assert presence.see(look(NOTHING, lifted_by)) == [DOUBTFUL]
    assert presence.see(look(NOTHING, lifted_by + 0.02)) == []
    assert presence.see(look(NOTHING, lifted_by + 0.04)) == [NEW]
    assert presence.empty


def test_the_look_that_ends_a_dwell_is_quick_and_a_doubtful_one_thorough() -> None:
    presence = field()
    presence.see(look(A, 1.0))
    assert presence.care(1.29) is Care.USUAL
    assert presence.care(1.3) is Care.QUICK
    presence.see(look(A, 1.3))
    assert presence.care(1.4) is Care.THOROUGH, "so seldom that each one searches for a second"
    presence.disturbed()
    assert presence.care(1.5) is Care.THOROUGH


def test_a_look_counts_from_its_beginning() -> None:
    presence = field()
    presence.see(Look(A, since=1.0, until=0.95))
    assert presence.see(Look(A, since=1.31, until=1.29)) == []
    assert presence.see(Look(A, since=1.36, until=1.34)) == [RESTED]


def test_a_missed_or_disturbed_look_restarts_the_dwell() -> None:
    for trouble in (lambda p: p.see(look(NOTHING, 1.2)), lambda p: p.disturbed()):
        presence = field()
        presence.see(look(A, 1.0))
        assert trouble(presence) == [DOUBTFUL]
        assert trouble(presence) == []
        assert presence.rests_at == math.inf
        assert presence.see(look(A, 1.35)) == [AGAIN]
        assert presence.see(look(A, 1.6)) == []
        assert presence.see(look(A, 1.7)) == [RESTED]


def test_a_rested_card_in_doubt_is_seen_again_and_rests_again() -> None:
    presence = field()
    presence.see(look(A, 1.0))
    presence.see(look(A, 1.5))
    assert presence.disturbed() == [DOUBTFUL]
    assert presence.see(look(A, 2.0)) == [AGAIN]
    assert presence.see(look(A, 2.3)) == [RESTED]


def test_an_empty_field_is_never_reported_as_doubtful() -> None:
    presence = field()
    assert presence.disturbed() == []
    assert presence.empty


def test_without_a_dwell_the_first_look_is_enough() -> None:
    presence = Presence(0)
    assert presence.see(look(A, 1.0)) == [NEW, RESTED]
    assert presence.see(look(("a", "b"), 1.1)) == [NEW, RESTED]


@given(st.lists(st.tuples(SEEN, MOMENT), max_size=60))
def test_a_rested_card_was_seen_by_every_look_of_the_dwell(
    looks: list[tuple[tuple[str, ...] | None, float]],
) -> None:
    presence = Presence(DWELL_S)
    history: list[tuple[float, tuple[str, ...] | None]] = []
    now = 0.0
    for seen, pause in looks:
        now += pause
        history.append((now, seen))
        told = presence.disturbed() if seen is None else presence.see(look(seen, now))
        if RESTED not in told:
            continue
        assert seen == presence.content
        first = now
        for at, tags in reversed(history):
            if tags != seen:
                break
            first = at
        assert now >= first + DWELL_S
