"""How deeds are written: clauses with ``;`` between them, each a word and what it says.

Raises :class:`hub.games.game.RulesError` with a sentence that shows the right form.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hub.games.game import RulesError
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.level_up import Choices, FollowUp, Regain
from hub.games.triangle.rules.characters.sheet import KnownMove, Sheet
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.story.state import named
from hub.kernel.faults import shown

CLAUSE, LEVEL = ";", "/"
"""What parts clauses, and the level-ups of a replacement."""
_FOLLOW_UP_WORDS = (2, 3)


def read_types(sheets: Mapping[str, Sheet], text: str) -> dict[str, Action]:
    """``attack Marit; defend Odo Quill``: a type of energy by character."""
    chosen: dict[str, Action] = {}
    for word, rest in clauses(text):
        action = read_action(word)
        sheet, left = named(sheets, rest)
        if left or sheet.name in chosen:
            raise RulesError(Reason("type-for-each", first=action, example=sheet.name))
        chosen[sheet.name] = action
    return chosen


def read_action(word: str) -> Action:
    """A type of energy."""
    if word not in [*Action]:
        raise RulesError(Reason("no-type", text=shown(word), types=[*Action]))
    return Action(word)


def read_level_up(text: str) -> Choices:
    """``move attack-mid; called Low Sun; regain veto``: what a level-up brings."""
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
    """Each clause as its first word and what it says."""
    for clause in filter(None, map(str.strip, text.split(CLAUSE))):
        word, _, rest = clause.partition(" ")
        yield word, rest.strip()


def _variant(text: str) -> KnownMove:
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
"""How each part of a level-up is read, and what it is there; of ``combo`` there may be several."""
