"""The GM's word between scenes as tests write it: ``Ada veto no because WHY``."""

from collections.abc import Callable, Iterable, Mapping

from hub.games.game import RulesError
from hub.games.overrules import Holds
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.rules.grammar import NONE, readings
from hub.games.triangle.story import deeds as d
from hub.games.triangle.story import overrules as o
from hub.games.triangle.story.overrules import OF_NPCS, WORD
from hub.games.triangle.story.state import StoryState, nobody
from tests.support.said.conflict import ENERGY, OF_SOMEBODY, number, said_and_why
from tests.support.said.names import first_that_holds, unsaid

_YES_NO = {"yes": True, "no": False}


def read_overrule(state: StoryState, text: str) -> d.OverruleStory:
    """``NAME attack 3 defend 2 because WHY``, or another clause after the name; ``rest because
    WHY``. If the text is ambiguous, the first valid reading counts."""

    def say(what: str) -> Holds:
        if what == "rest":
            return o.AnotherRest()
        found = readings(state.sheets, what)
        return first_that_holds(found, lambda said: _holds(state, *said), nobody(state.sheets))

    holds, why = said_and_why(text, say)
    return d.OverruleStory(holds=holds, because=why)


def _holds(state: StoryState, name: str, said: str) -> Holds:
    sheet = state.sheets[name]
    word, _, rest = said.partition(" ")
    clause, rest = (ENERGY, said) if word in [*Action] else (word, rest.strip())
    if clause not in CLAUSES or word == ENERGY:
        kinds = [each for each in CLAUSES if each != ENERGY]
        raise unsaid(f"{sheet.name} attack 3, or one of {kinds}")
    if sheet.npc and clause not in OF_NPCS:
        raise RulesError(Reason("npc-clauses", who=sheet.name, words=[*OF_NPCS]))
    holds = CLAUSES[clause](sheet, rest)
    WORD.overrule(state, holds)
    return holds


def _zero(sheet: Sheet, text: str) -> Holds:
    """``attack grapple`` or ``none``."""
    types = _some(text, Action, unsaid("zero none, or zero attack"))
    return o.ZeroIs(name=sheet.name, types=tuple(each for each in Action if each in types))


def _rested(sheet: Sheet, text: str) -> Holds:
    """``breather short`` or ``none``."""
    rests = _some(text, o.LESSER, unsaid("rested none, or rested short"))
    return o.RestedIs(name=sheet.name, rests=tuple(each for each in o.LESSER if each in rests))


def _some(text: str, known: Iterable[str], form: RulesError) -> list[str]:
    words = [] if text == NONE else text.split(" ")
    if not text or any(word not in [*known] for word in words):
        raise form
    return words


def _left(sheet: Sheet, text: str) -> Holds:
    """``ferry hand 1``."""
    most = {each.name: each.points for each in sheet.backgrounds}
    unread = RulesError(Reason("background-form", who=sheet.name, names=[*most] or NONE))

    def left(said: tuple[str, str]) -> Holds:
        name, count = said
        points_left = number(count, Reason("what-is-left", who=name), most[name])
        return o.BackgroundIs(name=sheet.name, background=name, left=points_left)

    return first_that_holds(readings(most, text), left, unread)


def _yes(clause: str, text: str) -> bool:
    if text not in _YES_NO:
        raise unsaid(f"{clause} yes, or {clause} no")
    return _YES_NO[text]


CLAUSES: Mapping[str, Callable[[Sheet, str], Holds]] = {
    ENERGY: OF_SOMEBODY[ENERGY],
    "zero": _zero,
    **{word: OF_SOMEBODY[word] for word in ("dead", "alive", "specials")},
    "sits-out": lambda sheet, said: o.SitsOutIs(name=sheet.name, sits_out=_yes("sits-out", said)),
    "veto": lambda sheet, said: o.VetoIs(name=sheet.name, left=_yes("veto", said)),
    "background": _left,
    "rested": _rested,
}
"""Keyword → parser of what the GM can overrule about a character. The energy clause has no keyword
when written: it starts with an energy type."""
