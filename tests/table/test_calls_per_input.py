"""How much the table does for an input: the calls of the hub's functions in a played scene.

They are counted, not timed, and so are the same on every machine. Generators and comprehensions do
not count, because versions of Python differ in what they call for them.
"""

import sys
from collections.abc import Callable
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import hub.kernel
from tests.bench.core import played

HUB = str(Path(hub.kernel.__file__).parents[1])


def calls(play: Callable[[], object]) -> int:
    """How many functions of the hub ``play()`` calls."""
    count = 0

    def note(frame: FrameType, event: str, _: Any) -> None:
        nonlocal count
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(HUB):
            count += not (code.co_flags & CO_GENERATOR or code.co_name.startswith("<"))

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        play()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    ("family", "most"), [("triangle", 198), ("tourists", 176), ("tricube", 198)]
)
def test_an_input_makes_few_calls(family: str, most: int) -> None:
    play = played(family)
    play.repeat()  # what is read from files once is known now
    assert calls(play.repeat) <= most * len(play.inputs)
