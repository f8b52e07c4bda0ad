"""What the GM says, as tests write it: in a line of text that becomes values."""

from typing import Any

import msgspec

from hub.games.game import Choice, Word
from hub.games.story import GivenDeed, parse_deed
from hub.games.triangle.rules.conflict import Conflict
from tests.support.said import conflict, problem, story

OVERRULE = "overrule"


def word_of(state: Any, text: str) -> Word:
    """The GM's word over a conflict or a problem. Raises :class:`IllegalChoice`."""
    read = conflict.read_word if isinstance(state, Conflict) else problem.read_word
    holds, because = read(state, text)
    return Word(holds=msgspec.to_builtins(holds), because=because)


def deed_of(state: Any, text: str) -> GivenDeed:
    """A deed of a story; an overrule becomes values. Raises :class:`IllegalChoice`."""
    said = parse_deed(text)
    return overruling(state, said) if said.kind == OVERRULE else said


def overruling(state: Any, said: Choice) -> GivenDeed:
    """The deed that overrules a story. Raises :class:`IllegalChoice`."""
    values: dict[str, Any] = msgspec.to_builtins(story.read_overrule(state, said.value))
    return values
