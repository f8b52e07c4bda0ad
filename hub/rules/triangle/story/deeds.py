"""What the GM does to a story, by the word that a deed begins with.

Each takes the state and what follows the word, and gives the new state; each raises
:class:`hub.rules.game.RulesError` with one sentence. Ref: Countdowns, Resting, Level Up,
Replacement characters, of each book (R14 to R16).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import RulesError
from hub.rules.triangle.characters import marks
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.level_up import Choices, level_up
from hub.rules.triangle.characters.replacement import not_handed_on, replacement
from hub.rules.triangle.characters.rest import rest
from hub.rules.triangle.characters.sheet import Sheet, set_points
from hub.rules.triangle.countdowns import LEAST_BOXES, MOST_BOXES
from hub.rules.triangle.names import name_before
from hub.rules.triangle.overrule.written import OVERRULE
from hub.rules.triangle.story.clauses import LEVEL, read_action, read_level_up, read_types
from hub.rules.triangle.story.newcomers import (
    enter,
    join,
    leave,
    newcomer,
    read_npc,
    without_reserve,
)
from hub.rules.triangle.story.overrules import overruled
from hub.rules.triangle.story.state import StoryState, named

COUNTDOWN, STAKES, REST, RECOVER = "countdown", "stakes", "rest", "recover"
NPC, DISMISS, JOIN, REPLACE = "npc", "dismiss", "join", "replace"
# book: rest.after
ANYTIME = frozenset({COUNTDOWN, STAKES, NPC, DISMISS})
"""What may also be done while a scene is played."""
# book: stakes.agreed
MAX_STAKES_CHARS = 300
_BY, _AS = "by", "as"


def _word(text: str, words: Mapping[str, Any], what: str) -> tuple[str, str]:
    """The first word, which has to be one of ``words``, and what follows it."""
    word, _, left = text.partition(" ")
    if word not in words:
        raise RulesError(f"{what} is one of {', '.join(words)}, not {shown(word)}")
    return word, left.strip()


def _countdown(state: StoryState, text: str) -> StoryState:
    """``new BOXES NAME``, ``mark NAME``, ``unmark NAME``, ``erase NAME``."""
    countdowns = state.countdowns
    changes: dict[str, Any] = {
        "new": None,
        "mark": countdowns.mark,
        "unmark": countdowns.unmark,
        "erase": countdowns.erase,
    }
    word, left = _word(text, changes, "what happens to a countdown")
    if word != "new":
        return state.with_countdowns(changes[word](left))
    boxes, _, name = left.partition(" ")
    if len(boxes) != 1 or boxes not in "0123456789":
        raise RulesError(
            "a countdown is begun with its boxes and its name, such as 'countdown new 6 The tide'; "
            f"it has from {LEAST_BOXES} to {MOST_BOXES} boxes"
        )
    return state.with_countdowns(countdowns.begin(name.strip(), int(boxes)))


def _stakes(state: StoryState, text: str) -> StoryState:
    """What is at stake; without a text, nothing is any more."""
    if len(text) > MAX_STAKES_CHARS:
        raise RulesError(f"the stakes have at most {MAX_STAKES_CHARS} characters")
    return replace(state, stakes=text)


def _rest(state: StoryState, text: str) -> StoryState:
    """``breather``, ``short`` or ``full``, then the types: ``attack Marit; defend Odo``."""
    kind, left = _word(text, {str(each): each for each in Rest}, "a rest")
    party = state.party
    rested = rest([*party.values()], Rest(kind), read_types(party, left))
    return replace(state.with_sheets(rested), may_rest=False)


def _rest_problem(state: StoryState, text: str) -> str | None:
    """One rest after each conflict (R18)."""
    if state.may_rest:
        return None
    return (
        "no conflict has been played since the last rest; there is one rest after each, "
        "and the GM can allow another (overrule rest because WHY)"
    )


def _recover(state: StoryState, text: str) -> StoryState:
    """``NAME``: all energy and specials of an NPC; ``NAME attack 3``: so much of one type."""
    sheet, left = named(state.sheets, text)
    if not sheet.npc:
        raise RulesError(f"{sheet.name} is a player character and recovers by resting")
    if sheet.dead:
        raise RulesError(f"{sheet.name} is dead")
    if not left:
        specials = tuple(replace(each, used=False) for each in sheet.specials)
        return state.with_sheets([replace(sheet, energy=sheet.max, specials=specials)])
    word, _, points = left.partition(" ")
    action = read_action(word)
    most = sheet.max.of(action)
    if points not in {str(number) for number in range(most + 1)}:
        raise RulesError(f"{sheet.name} has from 0 to {most} points of {action}")
    return state.with_sheets([replace(sheet, energy=set_points(sheet.energy, action, int(points)))])


# book: after-problem.energy
def _lose(state: StoryState, text: str) -> StoryState:
    """``NAME attack 2``: what the failure of a problem costs. It marks no zero, that takes a
    conflict, and kills nobody (Consequences of problems)."""
    sheet, left = named(state.sheets, text)
    word, _, points = left.partition(" ")
    action = read_action(word)
    most = sheet.energy.of(action)
    if points not in {str(number) for number in range(1, most + 1)}:
        raise RulesError(f"{sheet.name} has {most} points of {action} to lose")
    less = most - int(points)
    return state.with_sheets([replace(sheet, energy=set_points(sheet.energy, action, less))])


def _rename(state: StoryState, text: str) -> StoryState:
    """``NAME attack-high as Overhand``: another name for a known move, for nothing (Level Up)."""
    sheet, left = named(state.sheets, text)
    move, name = name_before(map(str, sheet.moves), left, _AS)
    return state.with_sheets([marks.rename_move(sheet, move, name)])


_TRAITS: dict[str, marks.TraitKey] = {"belief": "belief", "flaw": "flaw", "goal": "goal"}


def _trait(state: StoryState, text: str) -> tuple[marks.TraitKey, Sheet, str]:
    word, left = _word(text, _TRAITS, "what is on a sheet")
    return _TRAITS[word], *named(state.sheets, left)


def _mark(state: StoryState, text: str) -> StoryState:
    """``belief NAME``: the belief or flaw was used, the goal reached."""
    key, sheet, left = _trait(state, text)
    _nothing_left(left)
    return state.with_sheets([marks.mark(sheet, key)])


def _unmark(state: StoryState, text: str) -> StoryState:
    """``belief NAME``: take that mark back."""
    key, sheet, left = _trait(state, text)
    _nothing_left(left)
    return state.with_sheets([marks.unmark(sheet, key)])


def _rewrite(state: StoryState, text: str) -> StoryState:
    """``goal NAME WORDS``: other words at the end of a session."""
    key, sheet, words = _trait(state, text)
    return state.with_sheets([marks.rewrite(sheet, **{key: words})])


def _background(state: StoryState, text: str) -> StoryState:
    """``NAME to be named as Ship's cook``: what a background is called."""
    sheet, left = named(state.sheets, text)
    old, new = name_before((each.name for each in sheet.backgrounds), left, _AS)
    return state.with_sheets([marks.rename_background(sheet, old, new)])


def _level_up(state: StoryState, text: str) -> StoryState:
    """``NAME move attack-mid; called Low Sun; regain veto``."""
    sheet, left = named(state.sheets, text)
    allies = [ally for name, ally in state.party.items() if name != sheet.name]
    return state.with_sheets([level_up(sheet, read_level_up(left), allies)])


def _successor(state: StoryState, text: str) -> tuple[Sheet, Sheet, list[Choices]]:
    """``DEAD by FRESH / move attack-mid / energy attack``: a level-up after each ``/``."""
    who, *level_ups = (part.strip() for part in text.split(LEVEL))
    old, new = name_before(state.sheets, who, _BY)
    deceased, left = named(state.sheets, old)
    _nothing_left(left)
    fresh, left = named(state.reserve, new)
    _nothing_left(left)
    return deceased, fresh, [read_level_up(part) for part in level_ups]


def _tradition_problem(state: StoryState, text: str) -> str | None:
    """What the deceased did not know cannot be handed on (R21)."""
    deceased, _, choices = _successor(state, text)
    return "; ".join(not_handed_on(deceased, choices)) or None


def _replace(state: StoryState, text: str) -> StoryState:
    """Somebody new continues the tradition of the deceased."""
    deceased, fresh, choices = _successor(state, text)
    grown = replacement(fresh, deceased, choices, [*state.party.values()])
    sheets = {
        **{name: sheet for name, sheet in state.sheets.items() if name != deceased.name},
        grown.name: grown,
    }
    heirs = {**state.heirs, grown.name: deceased.name}
    return without_reserve(replace(state, sheets=sheets, heirs=heirs), fresh.name)


def _npc(state: StoryState, text: str) -> StoryState:
    """``Guard; attack 3; moves attack-high``, ``Guard 2; like Guard``: somebody new."""
    return join(state, newcomer(state, read_npc(text)))


def _nothing_left(text: str) -> None:
    if text:
        raise RulesError(f"{shown(text)} is too much; a name stands alone here")


# book: goal.marked, goal.agreed, countdowns.marked, after-problem.countdown, stakes.declined
# book: end.replaced, rest.countdown, level-up.gm, replacement.for-the-dead
DEEDS: Mapping[str, Callable[[StoryState, str], StoryState]] = {
    COUNTDOWN: _countdown,
    STAKES: _stakes,
    REST: _rest,
    RECOVER: _recover,
    "lose": _lose,
    "rename": _rename,
    "mark": _mark,
    "unmark": _unmark,
    "rewrite": _rewrite,
    "background": _background,
    "level-up": _level_up,
    REPLACE: _replace,
    JOIN: enter,
    OVERRULE: overruled,
    NPC: _npc,
    DISMISS: leave,
}

JUDGED: Mapping[str, Callable[[StoryState, str], str | None]] = {
    REST: _rest_problem,
    REPLACE: _tradition_problem,
}
"""What is asked of a deed when it is done, beside what it needs to have a meaning at all: a log in
which it was done before anybody asked goes on as it was."""
