"""The GM's word between scenes: whatever about a sheet changes in play, with its reason (R11).

What a character has learned is not among it: that is a level-up's. Of an NPC only what a conflict
would show is said here, for every deed is read by everybody.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from hub.rules.faults import shown
from hub.rules.game import RulesError
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.marks import sound
from hub.rules.triangle.characters.sheet import Sheet
from hub.rules.triangle.edition import Action
from hub.rules.triangle.grammar import NONE
from hub.rules.triangle.names import first_that_holds, readings
from hub.rules.triangle.overrule.written import (
    as_said,
    nothing_more,
    number,
    points,
    used_or_ready,
)
from hub.rules.triangle.story.state import StoryState, nobody

ENERGY, REST = "energy", "rest"
_YES_NO = {"yes": True, "no": False}


def overruled(state: StoryState, text: str) -> StoryState:
    """``NAME attack 3 defend 2 because WHY``, and the other clauses in its place; ``rest because
    WHY`` allows another rest (R18)."""

    def about_somebody(what: str) -> StoryState:
        if what == REST:
            return replace(state, may_rest=True)
        found = readings(state.sheets, what)
        return first_that_holds(found, lambda said: _said(state, *said), nobody(state.sheets))

    return as_said(state.sheets, text, about_somebody)


def _said(state: StoryState, name: str, said: str) -> StoryState:
    sheet = state.sheets[name]
    word, _, rest = said.partition(" ")
    clause, rest = (ENERGY, said) if word in [*Action] else (word, rest.strip())
    if clause not in CLAUSES or word == ENERGY:
        kinds = ", ".join(each for each in CLAUSES if each != ENERGY)
        raise RulesError(f"after {sheet.name} comes energy such as 'attack 3 defend 2', or {kinds}")
    if sheet.npc and clause not in OF_NPCS:
        raise RulesError(f"{sheet.name} is an NPC; of those the GM says {', '.join(OF_NPCS)}")
    return state.with_sheets([sound(sheet, CLAUSES[clause](sheet, rest))])


def _energy(sheet: Sheet, text: str) -> Sheet:
    """``attack 3 defend 2``: types left out have nothing. Zero is marked in conflicts alone."""
    return replace(sheet, energy=points(sheet.name, sheet.max, text))


def _zero(sheet: Sheet, text: str) -> Sheet:
    """``attack grapple`` or ``none``: the types marked as having reached zero (R8)."""
    words = [] if text == NONE else text.split(" ")
    if not text or any(word not in [*Action] for word in words):
        raise RulesError(f"write: zero {NONE}, or: zero {' '.join(Action)}, or some of them")
    return replace(sheet, zero=tuple(action for action in Action if action in words))


def _dead(sheet: Sheet, text: str) -> Sheet:
    nothing_more(text, "dead")
    if sheet.dead:
        raise RulesError(f"{sheet.name} is dead already")
    return replace(sheet, dead=True)


def _alive(sheet: Sheet, text: str) -> Sheet:
    nothing_more(text, "alive")
    if not sheet.dead:
        raise RulesError(f"{sheet.name} is alive")
    return replace(sheet, dead=False)


def _specials(sheet: Sheet, text: str) -> Sheet:
    """``used ID`` or ``ready ID``."""
    used, special = used_or_ready(text)
    if sheet.special(special) is None:
        raise RulesError(f"{sheet.name} knows no special {shown(special)}")
    if used and sheet.book.specials[special].always_back:
        raise RulesError(f"{special} is counted anew in each conflict; overrule it there")
    known = (replace(each, used=used) if each.id == special else each for each in sheet.specials)
    return replace(sheet, specials=tuple(known))


def _veto(sheet: Sheet, text: str) -> Sheet:
    """``yes`` or ``no``: whether it is left."""
    return replace(sheet, veto=_yes_no("veto", text))


def _sits_out(sheet: Sheet, text: str) -> Sheet:
    """``yes`` or ``no``: whether it takes no part in the next conflict."""
    return replace(sheet, sits_out=_yes_no("sits-out", text))


def _background(sheet: Sheet, text: str) -> Sheet:
    """``ferry hand 1``: the points that a background has left."""
    names = [each.name for each in sheet.backgrounds]
    unread = RulesError(f"write: background NAME 1; {sheet.name} has: {', '.join(names) or NONE}")
    return first_that_holds(readings(names, text), lambda said: _left_of(sheet, *said), unread)


def _left_of(sheet: Sheet, name: str, left: str) -> Sheet:
    of = next(each for each in sheet.backgrounds if each.name == name)
    points_left = number(left, f"what {name} has left", of.points)
    changed = replace(of, left=points_left)
    return replace(sheet, backgrounds=tuple(changed if b == of else b for b in sheet.backgrounds))


def _rested(sheet: Sheet, text: str) -> Sheet:
    """``breather short`` or ``none``: the lesser rests taken since the last full one (R14)."""
    lesser = [each for each in Rest if each is not Rest.FULL]
    words = [] if text == NONE else text.split(" ")
    if not text or any(word not in lesser for word in words):
        raise RulesError(f"write: rested {NONE}, or: rested {' '.join(lesser)}, or one of them")
    return replace(sheet, rested=tuple(each for each in lesser if each in words))


def _yes_no(clause: str, text: str) -> bool:
    if text not in _YES_NO:
        raise RulesError(f"write: {clause} yes, or: {clause} no")
    return _YES_NO[text]


CLAUSES: Mapping[str, Callable[[Sheet, str], Sheet]] = {
    ENERGY: _energy,
    "zero": _zero,
    "dead": _dead,
    "alive": _alive,
    "specials": _specials,
    "sits-out": _sits_out,
    "veto": _veto,
    "background": _background,
    "rested": _rested,
}
"""What may be said of a character; that of energy begins with a type of energy."""
OF_NPCS = (ENERGY, "zero", "dead", "alive", "specials", "sits-out")
"""What a conflict shows of NPCs."""
