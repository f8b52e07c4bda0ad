"""What decides nothing in a Conflict: names, and which card of an Attribute it is."""

import json
import re
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.tourists.scripts import played
from tests.rules.tourists.walk import Walk

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
