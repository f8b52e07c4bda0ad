"""Parse the clauses of written deeds: separated by ``;``, each a keyword and its text.

Errors are :class:`hub.games.game.RulesError` with a sentence that shows the right form.
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
"""Separators of clauses, and of the level-ups of a replacement."""
_FOLLOW_UP_WORDS = (2, 3)


def read_types(sheets: Mapping[str, Sheet], text: str) -> dict[str, Action]:
    """Parse ``attack Marit; defend Odo Quill``: character → energy type."""
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
