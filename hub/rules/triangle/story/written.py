"""Deeds as people write them, and as logs of schema 1 and older pages have them: one word, and what
it concerns (``docs/rules/evening.md``).

What is written is read against the story: a name in it may hold any word. Raises
:class:`hub.rules.game.RulesError` with one sentence that shows the right form.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hub.rules.countdowns import LEAST_BOXES, MOST_BOXES
from hub.rules.deeds import (
    BeginCountdown,
    Deed,
    EraseCountdown,
    MarkCountdown,
    UnmarkCountdown,
)
from hub.rules.faults import MAX_NUMBER, shown
from hub.rules.game import OVERRULE, RulesError
from hub.rules.triangle.characters.book import Rest
from hub.rules.triangle.characters.level_up import Choices
from hub.rules.triangle.characters.marks import TraitKey
from hub.rules.triangle.characters.sheet import KnownMove, Sheet
from hub.rules.triangle.edition import Action, Energy
from hub.rules.triangle.grammar import NONE
from hub.rules.triangle.names import first_that_holds, name_before, readings
from hub.rules.triangle.overrule.written import ENERGY, OF_SOMEBODY, number, said_and_why
from hub.rules.triangle.reasons import Reason
from hub.rules.triangle.story import deed as d
from hub.rules.triangle.story import overrules as o
from hub.rules.triangle.story.clauses import (
    CLAUSE,
    LEVEL,
    clauses,
    read_action,
    read_level_up,
    read_types,
)
from hub.rules.triangle.story.overrules import OF_NPCS, WORD
from hub.rules.triangle.story.state import StoryState, named, nobody
from hub.rules.words import Holds

COUNTDOWN, STAKES, REST, RECOVER = "countdown", "stakes", "rest", "recover"
NPC, DISMISS, JOIN, REPLACE = "npc", "dismiss", "join", "replace"
_BY, _AS = "by", "as"
_POINTS = re.compile(r"0|[1-9][0-9]{0,8}")
_YES_NO = {"yes": True, "no": False}


def read_deed(state: StoryState, kind: str, text: str) -> Deed:
    """The deed that begins with the word ``kind``."""
    read = WRITTEN.get(kind)
    if read is None:
        raise RulesError(Reason("no-deed", text=shown(kind), deeds=(*WRITTEN,)))
    return read(state, text)


def _word(text: str, words: Mapping[str, Any], what: Reason) -> tuple[str, str]:
    """The first word, which has to be one of ``words``, and what follows it."""
    word, _, left = text.partition(" ")
    if word not in words:
        raise RulesError(Reason("one-of", what=what, words=[*words], text=shown(word)))
    return word, left.strip()


def _countdown(_: StoryState, text: str) -> Deed:
    """``new BOXES NAME``, ``mark NAME``, ``unmark NAME``, ``erase NAME``."""
    kinds: dict[str, Callable[..., Deed]] = {
        "new": BeginCountdown,
        "mark": MarkCountdown,
        "unmark": UnmarkCountdown,
        "erase": EraseCountdown,
    }
    word, left = _word(text, kinds, Reason("countdown-deed"))
    if word != "new":
        return kinds[word](name=left)
    boxes, _space, name = left.partition(" ")
    if len(boxes) != 1 or boxes not in "0123456789":
        raise RulesError(Reason("countdown-form", least=LEAST_BOXES, most=MOST_BOXES))
    return BeginCountdown(name=name.strip(), boxes=int(boxes))


def _rest(state: StoryState, text: str) -> Deed:
    """``breather``, ``short`` or ``full``, then the types: ``attack Marit; defend Odo``."""
    kind, left = _word(text, {str(each): each for each in Rest}, Reason("a-rest"))
    return d.TakeRest(kind=Rest(kind), types=read_types(state.party, left))


def _points(text: str, refusal: Reason) -> int:
    if not _POINTS.fullmatch(text):
        raise RulesError(refusal)
    return int(text)


def _recover(state: StoryState, text: str) -> Deed:
    """``NAME``, or ``NAME attack 3``."""
    sheet, left = named(state.sheets, text)
    if not left:
        return d.Recover(name=sheet.name)
    word, _, said = left.partition(" ")
    action = read_action(word)
    most = sheet.max.of(action)
    left_points = _points(said, Reason("points-range", who=sheet.name, most=most, type=action))
    return d.Recover(name=sheet.name, type=action, points=left_points)


def _lose(state: StoryState, text: str) -> Deed:
    """``NAME attack 2``."""
    sheet, left = named(state.sheets, text)
    word, _, said = left.partition(" ")
    action = read_action(word)
    lost = _points(
        said, Reason("points-to-lose", who=sheet.name, most=sheet.energy.of(action), type=action)
    )
    return d.Lose(name=sheet.name, type=action, points=lost)


def _rename(state: StoryState, text: str) -> Deed:
    """``NAME attack-high as Overhand``."""
    sheet, left = named(state.sheets, text)
    move, name = name_before(map(str, sheet.moves), left, _AS)
    return d.RenameMove(name=sheet.name, move=move, called=name)


_TRAITS: dict[str, TraitKey] = {"belief": "belief", "flaw": "flaw", "goal": "goal"}


def _trait(state: StoryState, text: str) -> tuple[TraitKey, Sheet, str]:
    word, left = _word(text, _TRAITS, Reason("sheet-deed"))
    return _TRAITS[word], *named(state.sheets, left)


def _mark(kind: type[d.MarkTrait | d.UnmarkTrait]) -> Callable[[StoryState, str], Deed]:
    """``belief NAME``."""

    def read(state: StoryState, text: str) -> Deed:
        key, sheet, left = _trait(state, text)
        _nothing_left(left)
        return kind(name=sheet.name, trait=key)

    return read


def _rewrite(state: StoryState, text: str) -> Deed:
    """``goal NAME WORDS``."""
    key, sheet, words = _trait(state, text)
    return d.Rewrite(name=sheet.name, trait=key, words=words)


def _background(state: StoryState, text: str) -> Deed:
    """``NAME to be named as Ship's cook``."""
    sheet, left = named(state.sheets, text)
    old, new = name_before((each.name for each in sheet.backgrounds), left, _AS)
    return d.RenameBackground(name=sheet.name, background=old, called=new)


def _level_up(state: StoryState, text: str) -> Deed:
    """``NAME move attack-mid; called Low Sun; regain veto``."""
    sheet, left = named(state.sheets, text)
    return d.LevelUp(name=sheet.name, choices=read_level_up(left))


def _replace(state: StoryState, text: str) -> Deed:
    """``DEAD by FRESH / move attack-mid / energy attack``: a level-up after each ``/``."""
    who, *level_ups = (part.strip() for part in text.split(LEVEL))
    old, new = name_before(state.sheets, who, _BY)
    deceased, left = named(state.sheets, old)
    _nothing_left(left)
    fresh, left = named(state.reserve, new)
    _nothing_left(left)
    levels: tuple[Choices, ...] = tuple(read_level_up(part) for part in level_ups)
    return d.Replace(name=deceased.name, by=fresh.name, level_ups=levels)


def _nothing_left(text: str) -> None:
    if text:
        raise RulesError(Reason("name-alone", text=shown(text)))


def _overrule(state: StoryState, text: str) -> Deed:
    """``NAME attack 3 defend 2 because WHY``, and the other clauses in its place; ``rest because
    WHY``. Of several readings the first one that can hold."""

    def say(what: str) -> Holds:
        if what == REST:
            return o.AnotherRest()
        found = readings(state.sheets, what)
        return first_that_holds(found, lambda said: _holds(state, *said), nobody(state.sheets))

    holds, why = said_and_why(state.sheets, text, say)
    return d.Overrule(holds=holds, because=why)


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
"""What may be said of a character, by the word that it begins with where it is written; that of
energy begins with a type of energy."""
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


CASTING: Mapping[str, Callable[[str], Deed]] = {
    DISMISS: lambda text: d.Dismiss(name=text),
    NPC: _npc,
}
"""What brings somebody, or takes somebody away: it is read without the story."""
WRITTEN: Mapping[str, Callable[[StoryState, str], Deed]] = {
    COUNTDOWN: _countdown,
    STAKES: lambda _, text: d.Stakes(words=text),
    REST: _rest,
    RECOVER: _recover,
    "lose": _lose,
    "rename": _rename,
    "mark": _mark(d.MarkTrait),
    "unmark": _mark(d.UnmarkTrait),
    "rewrite": _rewrite,
    "background": _background,
    "level-up": _level_up,
    REPLACE: _replace,
    JOIN: lambda _, text: d.Join(name=text),
    OVERRULE: _overrule,
    DISMISS: lambda _, text: CASTING[DISMISS](text),
    NPC: lambda _, text: CASTING[NPC](text),
}
"""How each is read, by its first word."""
