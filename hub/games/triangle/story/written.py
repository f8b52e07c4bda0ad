"""Parse deeds as people type them: a keyword and its text (``docs/rules/deeds.md``).

Some texts consist of clauses, separated by ``;``, each of which is a keyword and its text. Names
are matched against those in the story, because a name may hold any word. Malformed text raises
:class:`hub.games.game.RulesError`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hub.games import deeds as c
from hub.games.countdowns import LEAST_BOXES, MOST_BOXES
from hub.games.deeds import Deed, DeedTo
from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, Regain
from hub.games.triangle.rules.characters.marks import TRAITS
from hub.games.triangle.rules.characters.sheet import KnownMove, Rest, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.rules.grammar import name_before
from hub.games.triangle.story import deeds as d
from hub.games.triangle.story.newcomers import Npc
from hub.games.triangle.story.state import StoryState, named
from hub.kernel.faults import MAX_NUMBER, shown

CLAUSE, LEVEL = ";", "/"
"""Separators of clauses, and of the level-ups of a replacement."""
_FOLLOW_UP_WORDS = (2, 3)


def read_types(sheets: Mapping[str, Sheet], text: str) -> dict[str, Action]:
    """Parse the energy types that characters regain: ``attack Marit; defend Odo Quill``. Returns
    character → type."""
    chosen: dict[str, Action] = {}
    for word, rest in clauses(text):
        action = read_action(word)
        sheet, left = named(sheets, rest)
        if left or sheet.name in chosen:
            raise RulesError(Reason("type-for-each", first=action, example=sheet.name))
        chosen[sheet.name] = action
    return chosen


def read_action(word: str) -> Action:
    """Parse an energy type."""
    if word not in [*Action]:
        raise RulesError(Reason("no-type", text=shown(word), types=[*Action]))
    return Action(word)


def read_level_up(text: str) -> Choices:
    """Parse the choices of a level-up: ``move attack-mid; called Low Sun; regain veto``."""
    given: dict[str, str] = {}
    combos: list[FollowUp] = []
    for word, rest in clauses(text):
        if word not in _WORDS:
            raise RulesError(Reason("no-level-up-part", text=shown(word), words=[*_WORDS]))
        if word == "combo":
            moves = rest.split()
            if len(moves) not in _FOLLOW_UP_WORDS:
                raise RulesError(Reason("combo-form"))
            combos.append(FollowUp(*moves))
        elif word in given:
            raise RulesError(Reason("said-twice", word=word))
        elif not rest:
            raise RulesError(Reason("says-nothing", word=word))
        else:
            given[word] = rest
    said = {key: read(given[word]) for word, (key, read) in _WORDS.items() if word in given}
    return Choices(combos=tuple(combos), **said)


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield each clause as its first word and the rest."""
    for clause in filter(None, map(str.strip, text.split(CLAUSE))):
        word, _, rest = clause.partition(" ")
        yield word, rest.strip()


def _variant(text: str) -> KnownMove:
    """Parse a move or a variant: ``attack-high`` or ``attack-high +1``."""
    move, _, sign = text.partition(" ")
    return KnownMove(move, variant=sign.strip())


def _regain(text: str) -> Regain:
    if text not in [*Regain]:
        raise RulesError(Reason("not-given-back", things=[*Regain], text=shown(text)))
    return Regain(text)


_WORDS: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "move": ("move", str),
    "variant": ("variant", _variant),
    "instead-of": ("replaces", str),
    "combo": ("combos", str),
    "energy": ("energy", read_action),
    "special": ("special", str),
    "called": ("called", str),
    "regain": ("regain", _regain),
    "goal": ("goal", str),
    "belief": ("belief", str),
    "flaw": ("flaw", str),
}
"""Keyword → field of :class:`Choices` and its parser. Only ``combo`` may be repeated."""


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
    """Split off the first word, which must be one of ``words``; ``what`` names it in the
    refusal."""
    word, _, left = text.partition(" ")
    if word not in [*words]:
        raise RulesError(Reason("one-of", what=what, words=[*map(str, words)], text=shown(word)))
    return word, left.strip()


def _alone(sheets: Mapping[str, Sheet], text: str) -> Sheet:
    """The sheet whose name is the whole ``text``."""
    sheet, left = named(sheets, text)
    if left:
        raise RulesError(Reason("name-alone", text=shown(left)))
    return sheet


def _of(read: Callable[[Sheet, str], Deed]) -> "Read":
    """The parser of a deed whose text starts with a character's name; ``read`` takes the sheet and
    the rest of the text."""
    return lambda state, text: read(*named(state.sheets, text))


def _countdown(_: StoryState, text: str) -> Deed:
    """Parse ``new BOXES NAME``, ``mark NAME``, ``unmark NAME`` or ``erase NAME``."""
    word, left = _word(text, COUNTDOWN, Reason("countdown-deed"))
    if word != "new":
        return COUNTDOWN[word](name=left)
    boxes, _space, name = left.partition(" ")
    if len(boxes) != 1 or boxes not in "0123456789":
        raise RulesError(Reason("countdown-form", least=LEAST_BOXES, most=MOST_BOXES))
    return c.BeginCountdown(name=name.strip(), boxes=int(boxes))


def _rest(state: StoryState, text: str) -> Deed:
    """Parse ``breather``, ``short`` or ``full``, then energy types: ``attack Marit; defend
    Odo``."""
    kind, left = _word(text, Rest, Reason("a-rest"))
    return d.TakeRest(kind=Rest(kind), types=read_types(state.party, left))


def _points(text: str, refusal: Callable[[Action], Reason]) -> dict[str, Any]:
    """Parse a type and points: ``attack 3``. ``refusal`` returns the reason against malformed
    points."""
    word, _, points = text.partition(" ")
    action = read_action(word)
    if not _POINTS.fullmatch(points):
        raise RulesError(refusal(action))
    return {"type": action, "points": int(points)}


def _recover(of: Sheet, text: str) -> Deed:
    """Parse an empty text, or a type and points: ``attack 3``."""

    def why(type_: Action) -> Reason:
        return Reason("points-range", who=of.name, most=of.max.of(type_), type=type_)

    return d.Recover(name=of.name, **(_points(text, why) if text else {}))


def _lose(of: Sheet, text: str) -> Deed:
    """Parse a type and points: ``attack 2``."""

    def why(type_: Action) -> Reason:
        return Reason("points-to-lose", who=of.name, most=of.energy.of(type_), type=type_)

    return d.Lose(name=of.name, **_points(text, why))


def _rename(of: Sheet, text: str) -> Deed:
    """Parse a move and its new name: ``attack-high as Overhand``."""
    move, called = name_before(map(str, of.moves), text, _AS)
    return d.RenameMove(name=of.name, move=move, called=called)


def _mark(kind: type[d.MarkTrait | d.UnmarkTrait]) -> "Read":
    """The parser of a trait and a character: ``belief NAME``."""

    def read(state: StoryState, text: str) -> Deed:
        key, name = _word(text, TRAITS, Reason("sheet-deed"))
        return kind(name=_alone(state.sheets, name).name, trait=key)

    return read


def _rewrite(state: StoryState, text: str) -> Deed:
    """Parse a trait, a character and the new words: ``goal NAME WORDS``."""
    key, left = _word(text, TRAITS, Reason("sheet-deed"))
    sheet, words = named(state.sheets, left)
    return d.Rewrite(name=sheet.name, trait=key, words=words)


def _background(of: Sheet, text: str) -> Deed:
    """Parse a background and its new name: ``to be named as Ship's cook``."""
    old, new = name_before((each.name for each in of.backgrounds), text, _AS)
    return d.RenameBackground(name=of.name, background=old, called=new)


def _replace(state: StoryState, text: str) -> Deed:
    """Parse ``DEAD by FRESH / move attack-mid / energy attack``, with a level-up after each
    ``/``."""
    who, *level_ups = (part.strip() for part in text.split(LEVEL))
    old, new = name_before(state.sheets, who, _BY)
    deceased, fresh = _alone(state.sheets, old), _alone(state.reserve, new)
    levels = tuple(map(read_level_up, level_ups))
    return d.Replace(name=deceased.name, by=fresh.name, level_ups=levels)


_NPC_WORDS = ("like", *Action, "moves", "specials", "level")


def _npc(text: str) -> Npc:
    """Parse an NPC: ``Guard; attack 3; moves attack-high, defend-low`` or ``Guard 2; like
    Guard``."""
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
        return Npc(name=name.strip(), like=said["like"])
    points = {each.value: _number(each, said.get(each, "0")) for each in Action}
    if not any(points.values()):
        raise RulesError(Reason("npc-needs-energy"))
    return Npc(
        name=name.strip(),
        energy=Energy(**points),
        moves=tuple(map(_variant, _listed(said.get("moves", "")))),
        specials=tuple(_listed(said.get("specials", ""))),
        level=_number("level", said["level"]) if "level" in said else None,
    )


def _number(what: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_NUMBER))):
        raise RulesError(Reason("number-needed", what=what, most=MAX_NUMBER, text=shown(text)))
    return int(text)


def _listed(text: str) -> list[str]:
    return [each.strip() for each in text.split(",") if each.strip()]


Read = Callable[[StoryState, str], Deed]
CASTING: Mapping[str, Callable[[str], Deed]] = {DISMISS: lambda t: d.Dismiss(name=t), NPC: _npc}
"""Keyword → parser of a deed that adds or removes a character; the parser does not need the
story."""
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
    DISMISS: lambda _, text: CASTING[DISMISS](text),
    NPC: lambda _, text: CASTING[NPC](text),
}
"""Keyword → parser of the deed."""
AT_ANY_TIME = {"countdown", STAKES, NPC, DISMISS}
"""Keywords of the deeds that are also allowed during a scene."""
