"""A page can send anything that a form offers: it is done, or refused with a reason (R11)."""

from typing import Any

import msgspec
import pytest

from hub.games.game import IllegalChoice, Word
from hub.games.registry import game_of, story_of
from hub.kernel.forms import Option
from tests.rules.test_overrule import STEPS, at
from tests.rules.test_overrule_story import SHOWN, begun, facing, go
from tests.support.forms import said_with

MOST_REFUSED = 2 / 3
"""Largest share of a form's own answers that may be refused.

Some repeat what already holds, or need something else first.
"""


def sent(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def check_forms(game: Any, state: Any) -> set[str]:
    """The kinds of overrule that could be said, by ``what``."""
    done: set[str] = set()
    refused = said = 0
    for form in game.overrules(state):
        assert msgspec.json.decode(msgspec.json.encode(form), type=Option) == sent_form(form)
        for holds in said_with(form, "what"):
            said += 1
            try:
                word = game.word(state, Word(holds=sent(holds), because="so"))
            except IllegalChoice as refusal:
                assert "this is not a word" not in str(refusal), holds
                refused += 1
            else:
                game.overrule(state, word)
                done.add(form.value)
    assert refused <= MOST_REFUSED * said
    return done


def sent_form(form: Option) -> Option:
    return msgspec.convert(sent(form), Option)


@pytest.mark.parametrize("step", STEPS)
def test_forms_in_a_conflict(step: str) -> None:
    state = at(step)
    offered = check_forms(game_of("unroll"), state)
    assert offered >= {*STEPS[step]} - {"free", "special"}


def test_forms_in_a_problem() -> None:
    state = go(facing(), SHOWN)
    assert check_forms(game_of("unroll-problem"), state) == {"decider", "option", "outcome"}


def test_forms_between_scenes() -> None:
    story: Any = story_of("unroll")
    state = begun()
    done = set()
    for form in story.overrules(state):
        for holds in said_with(form, "what"):
            deed = {"do": "overrule", "holds": sent(holds), "because": "so"}
            why = story.why_not(state, deed)
            assert "this is not a deed" not in str(why), holds
            if why is None:
                done.add(form.value)
    assert done == {each.value for each in story.overrules(state)}
