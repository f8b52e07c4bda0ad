"""Parse written deeds, as people type them and as logs of schema 1 and older pages hold them: a
keyword and its text (``docs/rules/evening.md``).

Names are matched against those in the story, because a name may hold any word. Errors are
:class:`hub.games.game.RulesError` with one sentence that shows the right form.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hub.games import deeds as c
from hub.games.countdowns import LEAST_BOXES, MOST_BOXES
from hub.games.deeds import Deed, DeedTo
from hub.games.game import OVERRULE, RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.book import Rest
from hub.games.triangle.rules.characters.marks import TRAITS
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.grammar import NONE
from hub.games.triangle.rules.names import first_that_holds, name_before, readings
from hub.games.triangle.rules.overrule.written import ENERGY, OF_SOMEBODY, number, said_and_why
from hub.games.triangle.story import deed as d
from hub.games.triangle.story import overrules as o
from hub.games.triangle.story.clauses import (
    CLAUSE,
    LEVEL,
    clauses,
    read_action,
    read_level_up,
    read_types,
)
from hub.games.triangle.story.overrules import OF_NPCS, WORD
from hub.games.triangle.story.state import StoryState, named, nobody
from hub.games.words import Holds
from hub.kernel.faults import MAX_NUMBER, shown

REST, STAKES, NPC, DISMISS = "rest", "stakes", "npc", "dismiss"
COUNTDOWN: Mapping[str, type[DeedTo]] = {
    "new": c.BeginCountdown,
    "mark": c.MarkCountdown,
    "unmark": c.UnmarkCountdown,
    "erase": c.EraseCountdown,
}
_BY, _AS = "by", "as"
_POINTS = re.compile(r"0|[1-9][0-9]{0,8}")
_YES_NO = {"yes": True, "no": False}


def read_deed(state: StoryState, kind: str, text: str) -> Deed:
    """Parse the deed with the keyword ``kind``."""
    read = WRITTEN.get(kind)
    if read is None:
        raise RulesError(Reason("no-deed", text=shown(kind), deeds=(*WRITTEN,)))
    return read(state, text)


def _word(text: str, words: Iterable[str], what: Reason) -> tuple[Any, str]:
    """Split off the first word, which must be one of ``words``."""
    word, _, left = text.partition(" ")
    if word not in [*words]:
        known = [*map(str, words)]
        raise RulesError(Reason("one-of", what=what, words=known, text=shown(word)))
    return word, left.strip()


def _alone(sheets: Mapping[str, Sheet], text: str) -> Sheet:
    """The sheet that ``text`` names, with nothing after the name."""
    sheet, left = named(sheets, text)
    if left:
        raise RulesError(Reason("name-alone", text=shown(left)))
    return sheet


def _of(read: Callable[[Sheet, str], Deed]) -> "Read":
    """A reader for deeds whose text starts with a character's name."""
    return lambda state, text: read(*named(state.sheets, text))


def _countdown(_: StoryState, text: str) -> Deed:
    """``new BOXES NAME``, ``mark NAME``, ``unmark NAME``, ``erase NAME``."""
    word, left = _word(text, COUNTDOWN, Reason("countdown-deed"))
    if word != "new":
        return COUNTDOWN[word](name=left)
    boxes, _space, name = left.partition(" ")
    if len(boxes) != 1 or boxes not in "0123456789":
        raise RulesError(Reason("countdown-form", least=LEAST_BOXES, most=MOST_BOXES))
    return c.BeginCountdown(name=name.strip(), boxes=int(boxes))


def _rest(state: StoryState, text: str) -> Deed:
    """``breather``, ``short`` or ``full``, then energy types: ``attack Marit; defend Odo``."""
    kind, left = _word(text, Rest, Reason("a-rest"))
    return d.TakeRest(kind=Rest(kind), types=read_types(state.party, left))


def _points(text: str, refusal: Callable[[Action], Reason]) -> dict[str, Any]:
    """``attack 3``."""
    word, _, points = text.partition(" ")
    action = read_action(word)
    if not _POINTS.fullmatch(points):
        raise RulesError(refusal(action))
    return {"type": action, "points": int(points)}


def _recover(of: Sheet, text: str) -> Deed:
    """Nothing, or ``attack 3``."""

    def why(type_: Action) -> Reason:
        return Reason("points-range", who=of.name, most=of.max.of(type_), type=type_)

    return d.Recover(name=of.name, **(_points(text, why) if text else {}))


def _lose(of: Sheet, text: str) -> Deed:
    """``attack 2``."""

    def why(type_: Action) -> Reason:
        return Reason("points-to-lose", who=of.name, most=of.energy.of(type_), type=type_)

    return d.Lose(name=of.name, **_points(text, why))


def _rename(of: Sheet, text: str) -> Deed:
    """``attack-high as Overhand``."""
    move, called = name_before(map(str, of.moves), text, _AS)
    return d.RenameMove(name=of.name, move=move, called=called)


def _mark(kind: type[d.MarkTrait | d.UnmarkTrait]) -> "Read":
    """``belief NAME``."""

    def read(state: StoryState, text: str) -> Deed:
        key, name = _word(text, TRAITS, Reason("sheet-deed"))
        return kind(name=_alone(state.sheets, name).name, trait=key)

    return read


def _rewrite(state: StoryState, text: str) -> Deed:
    """``goal NAME WORDS``."""
    key, left = _word(text, TRAITS, Reason("sheet-deed"))
    sheet, words = named(state.sheets, left)
    return d.Rewrite(name=sheet.name, trait=key, words=words)


def _background(of: Sheet, text: str) -> Deed:
    """``to be named as Ship's cook``."""
    old, new = name_before((each.name for each in of.backgrounds), text, _AS)
    return d.RenameBackground(name=of.name, background=old, called=new)


def _replace(state: StoryState, text: str) -> Deed:
    """``DEAD by FRESH / move attack-mid / energy attack``: a level-up after each ``/``."""
    who, *level_ups = (part.strip() for part in text.split(LEVEL))
    old, new = name_before(state.sheets, who, _BY)
    deceased, fresh = _alone(state.sheets, old), _alone(state.reserve, new)
    levels = tuple(map(read_level_up, level_ups))
    return d.Replace(name=deceased.name, by=fresh.name, level_ups=levels)


def _overrule(state: StoryState, text: str) -> Deed:
    """``NAME attack 3 defend 2 because WHY``, or another clause after the name; ``rest because
    WHY``. If the text is ambiguous, the first valid reading counts."""

    def say(what: str) -> Holds:
        if what == REST:
            return o.AnotherRest()
        found = readings(state.sheets, what)
        return first_that_holds(found, lambda said: _holds(state, *said), nobody(state.sheets))

    holds, why = said_and_why(state.sheets, text, say)
    return d.OverruleStory(holds=holds, because=why)


def _holds(state: StoryState, name: str, said: str) -> Holds:
    sheet = state.sheets[name]
    word, _, rest = said.partition(" ")
    clause, rest = (ENERGY, said) if word in [*Action] else (word, rest.strip())
    if clause not in CLAUSES or word == ENERGY:
        kinds = [each for each in CLAUSES if each != ENERGY]
        raise RulesError(Reason("energy-form", who=sheet.name, words=kinds))
    if sheet.npc and clause not in OF_NPCS:
        raise RulesError(Reason("npc-clauses", who=sheet.name, words=[*OF_NPCS]))
    holds = CLAUSES[clause](sheet, rest)
    WORD.overrule(state, holds)
    return holds


def _zero(sheet: Sheet, text: str) -> Holds:
    """``attack grapple`` or ``none``."""
    types = _some(text, Action, Reason("zero-form", none=NONE, words=" ".join(Action)))
    return o.ZeroIs(name=sheet.name, types=tuple(each for each in Action if each in types))


def _rested(sheet: Sheet, text: str) -> Holds:
    """``breather short`` or ``none``."""
    rests = _some(text, o.LESSER, Reason("rested-form", none=NONE, words=" ".join(o.LESSER)))
    return o.RestedIs(name=sheet.name, rests=tuple(each for each in o.LESSER if each in rests))


def _some(text: str, known: Iterable[str], form: Reason) -> list[str]:
    words = [] if text == NONE else text.split(" ")
    if not text or any(word not in [*known] for word in words):
        raise RulesError(form)
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
        raise RulesError(Reason("yes-no-form", one=clause, second=clause))
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
_NPC_WORDS = ("like", *Action, "moves", "specials", "level")


def _npc(text: str) -> d.Npc:
    """``Guard; attack 3; moves attack-high, defend-low`` or ``Guard 2; like Guard``."""
    name, _, rest = text.partition(CLAUSE)
    said: dict[str, str] = {}
    for word, value in clauses(rest):
        if word not in _NPC_WORDS:
            raise RulesError(Reason("no-npc-part", text=shown(word), words=[*_NPC_WORDS]))
        if word in said or not value:
            raise RulesError(Reason("said-badly", word=word))
        said[word] = value
    if not name.strip() or not said:
        raise RulesError(Reason("npc-form"))
    if "like" in said:
        if len(said) > 1:
            raise RulesError(Reason("npc-alike"))
        return d.Npc(name=name.strip(), like=said["like"])
    points = {each.value: _number(each, said.get(each, "0")) for each in Action}
    if not any(points.values()):
        raise RulesError(Reason("npc-needs-energy"))
    return d.Npc(
        name=name.strip(),
        energy=Energy(**points),
        moves=tuple(_moves(said.get("moves", ""))),
        specials=tuple(_listed(said.get("specials", ""))),
        level=_number("level", said["level"]) if "level" in said else None,
    )


def _number(what: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NUMBER))):
        raise RulesError(Reason("number-needed", what=what, most=MAX_NUMBER, text=shown(text)))
    return int(text)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


def _moves(text: str) -> Iterator[KnownMove]:
    for each in _listed(text):
        move, _, variant = each.partition(" ")
        yield KnownMove(move, variant=variant.strip())


Read = Callable[[StoryState, str], Deed]
CASTING: Mapping[str, Callable[[str], Deed]] = {
    DISMISS: lambda text: d.Dismiss(name=text),
    NPC: _npc,
}
"""Deeds that add or remove a character; parsing them does not need the story."""
WRITTEN: Mapping[str, Read] = {
    "countdown": _countdown,
    STAKES: lambda _, text: c.Stakes(words=text),
    REST: _rest,
    "recover": _of(_recover),
    "lose": _of(_lose),
    "rename": _of(_rename),
    "mark": _mark(d.MarkTrait),
    "unmark": _mark(d.UnmarkTrait),
    "rewrite": _rewrite,
    "background": _of(_background),
    "level-up": _of(lambda of, text: d.LevelUp(name=of.name, choices=read_level_up(text))),
    "replace": _replace,
    "join": lambda _, text: d.Join(name=text),
    OVERRULE: _overrule,
    DISMISS: lambda _, text: CASTING[DISMISS](text),
    NPC: lambda _, text: CASTING[NPC](text),
}
"""Keyword → parser of the deed."""
AT_ANY_TIME = {"countdown", STAKES, NPC, DISMISS}
"""Keywords of the deeds that are also allowed during a scene."""
