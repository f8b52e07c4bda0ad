"""Invariants of every Conflict on generated play; each one finds a rule broken on purpose."""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hub.games.game import IllegalChoice
from hub.games.tourists.rules import bidding, table
from hub.games.tourists.rules.conflict import Conflict, Control
from hub.games.tourists.rules.deck import Deck
from tests.rules.tourists.properties import Chance, Watched, parties_by
from tests.rules.tourists.scripts import played
from tests.rules.tourists.talk import Talk
from tests.rules.tourists.walk import Walk

WORDS = 200


def walked(chance: Random, most: int = WORDS) -> Counter[str]:
    """Play a random Conflict, checked after every word."""
    talk = Talk(parties_by(chance), begun=False)
    watched, reached = Watched(), Counter[str]()
    talk.checked = watched
    hand = Chance(talk, chance)
    for _ in range(most):
        if talk.step == "over":
            break
        try:
            reached[hand.word()] += 1
        except IllegalChoice:  # two that drew at once drew the same card
            reached["refused"] += 1
    reached["over"] += talk.step == "over"
    return reached


@pytest.mark.book("t4.gone", "t4.kept", "overview.control", "bidding.fifth", "t11.who")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_the_invariants_hold_in_random_conflicts(seed: int) -> None:
    walked(Random(seed))


def test_random_conflicts_cover_every_word() -> None:
    """The random Conflicts cover all words."""
    reached: Counter[str] = Counter()
    for seed in range(120):
        reached += walked(Random(seed))
    wanted = ("reserve", "tactics", "draw", "bid", "answers", "because", "loss", "redraw", "story",
              "losses", "tell", "part", "refill", "parting-draw", "turn", "reject", "cover",
              "concede", "reframe", "ask-again", "whose", "over")  # fmt: skip
    assert [word for word in wanted if not reached[word]] == [], reached
    assert reached["refused"] < sum(reached.values()) / 5


NAMES = {"p": "zeno", "q": "lu", "r": "x", "s": "maud"}


@pytest.mark.book("t3.all", "t9.broken", "breaker.taken")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32))
def test_names_decide_nothing(seed: int) -> None:
    script = Walk(seed).script
    renamed = _renamed(script)
    assert [_renamed(each) for each in played(script)] == played(renamed)


def _renamed(document: Any) -> Any:
    text = re.sub(r"\b([pqrs])(\d?)\b", lambda m: NAMES[m[1]] + m[2], json.dumps(document))
    return json.loads(text)


BLOCKS = (range(27, 42), range(42, 57), range(57, 72), range(72, 87))


@pytest.mark.book("t1.same", "t2.beats")
@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 2**32))
def test_which_card_of_an_attribute_decides_nothing(seed: int, shuffle: int) -> None:
    swapped = {number: number for number in range(4, 27)}
    for block in BLOCKS:
        mixed = Random(shuffle).sample(block, len(block))
        swapped |= dict(zip(block, mixed, strict=True))
    script = Walk(seed).script
    found, other = played(script), played(_swapped(script, swapped))
    for one, two_ in zip(found, other, strict=True):
        for key in ("outcome", "by", "winners", "losers", "wiped_out", "narrate", "control"):
            assert one.get(key) == two_.get(key), key


def _swapped(document: Any, swapped: dict[int, int]) -> Any:
    """The document with every card's number swapped; losses and becauses by number, too."""
    if isinstance(document, dict):
        return {
            key: swapped[each]
            if key == "loss" and isinstance(each, int)
            else _swapped(each, swapped)
            for key, each in document.items()
        }
    if isinstance(document, list):
        return [swapped[e] if isinstance(e, int) else _swapped(e, swapped) for e in document]
    if isinstance(document, str) and (found := re.fullmatch(r"(\d+) (upright|reversed)", document)):
        return f"{swapped[int(found[1])]} {found[2]}"
    return document


# Each property finds the fault that it exists for.


@contextmanager
def _changed(where: Any, name: str, how: Callable[..., Any]) -> Iterator[None]:
    real = getattr(where, name)
    with patch.object(where, name, lambda *a, **k: how(real, *a, **k)):
        yield


def _lost_card(real: Any, conflict: Conflict, *args: Any) -> Conflict:
    found: Conflict = real(conflict, *args)
    now = found.playing()
    return replace(found, round=replace(now, seen=now.seen - {min(now.seen, default=0)}))


def _negative(real: Any, control: Control | None, by: int) -> Control | None:
    return Control(control.party, control.ranks + by) if control else None


def _six(real: Any, conflict: Conflict, *args: Any) -> Conflict:
    with patch.object(bidding, "WIPED_OUT_BY", 6):
        found: Conflict = real(conflict, *args)
        return found


def _out_is_asked(real: Any, conflict: Conflict, party: str) -> tuple[str, ...]:
    return tuple(conflict.parties[party].sheets)


def _fewer_stops(real: Any, state: table.Table) -> table.Table:
    return replace(state, stops=state.stops - 1)


FAULTS: dict[str, tuple[Any, str, Any]] = {
    "what lies somewhere could be drawn": (bidding, "bid", _lost_card),
    "below a rank": (bidding, "_changed", _negative),
    "has five, and is in": (bidding, "settle", _six),
    "is asked": (Conflict, "characters_in", _out_is_asked),
    "a stop is taken back": (table.Table, "stopped", _fewer_stops),
}


@pytest.mark.parametrize("says", FAULTS)
def test_a_planted_fault_is_found(says: str) -> None:
    with _changed(*FAULTS[says]), pytest.raises(AssertionError, match=re.escape(says)):
        for seed in range(60):
            walked(Random(seed))


def test_a_name_that_decides_is_found() -> None:
    def by_name(real: Any, conflict: Conflict) -> Conflict:
        found: Conflict = real(conflict)
        now = found.playing()
        return replace(found, round=replace(now, by=tuple(sorted(now.by)[:1])))

    with _changed(bidding, "judged", by_name), pytest.raises(AssertionError):
        _names_over_many()
    _names_over_many(10)


def _names_over_many(many: int = 80) -> None:
    for seed in range(many):
        script = Walk(seed).script
        assert [_renamed(each) for each in played(script)] == played(_renamed(script))


def test_a_card_that_decides_is_found() -> None:
    def by_number(real: Any, *args: Any) -> bool:
        return bool(real(*args)) and sum(card.number for card in args[1:]) % 3 > 0

    with _changed(Deck, "beats", by_number), pytest.raises(AssertionError):
        for seed in range(80):
            test_which_card_of_an_attribute_decides_nothing.hypothesis.inner_test(seed, 1)
