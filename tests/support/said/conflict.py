"""The GM's word over a conflict as tests write it: ``Ada attack 3 defend 2 because of the fall``.

The subject, a clause, and a reason after ``because``. A name may hold any word: if the text is
ambiguous, the first valid reading counts. Raises :class:`IllegalChoice`.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from hub.games.game import IllegalChoice
from hub.games.overrules import Holds, tag
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.sheet import Sheet
from hub.games.triangle.rules.conflict import Conflict
from hub.games.triangle.rules.conflict import Sheet as Fighting
from hub.games.triangle.rules.edition import Action
from hub.games.triangle.rules.grammar import NONE, name_first, parse_split, readings
from hub.games.triangle.rules.overrules import people as w
from hub.games.triangle.rules.overrules.said import WORD, nobody, why_not
from hub.games.triangle.rules.overrules.turns import (
    NOBODY,
    ComboIs,
    EndIs,
    LossIs,
    Played,
    TurnIs,
    combo_form,
    end_form,
    loss_form,
    turn_form,
)
from hub.games.triangle.rules.step import turn_of
from hub.kernel.faults import MAX_NUMBER, shown
from tests.support.said.names import first_that_holds, name_alone, parts, unsaid

BECAUSE = "because"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")

SaidT = TypeVar("SaidT")


def said_and_why(text: str, say: Callable[[str], SaidT]) -> tuple[SaidT, str]:
    """Return ``say`` of the text before ``because``, and the reason after it."""
    found = (each for each in parts(text, BECAUSE) if all(each))
    form = unsaid("NAME attack 3 because WHY")
    return first_that_holds(found, lambda each: (say(each[0]), each[1]), form)


def number(text: str, what: Reason | str, most: int = MAX_NUMBER) -> int:
    """Parse a whole number from 0 to ``most``."""
    if not _NUMBER.fullmatch(text):
        raise IllegalChoice(Reason("number-range", what=what, most=most, text=shown(text)))
    return w.within(int(text), what, most)


def moves(text: str) -> tuple[str, ...]:
    """Split ``attack-low defend-low +1`` into moves."""
    words = re.sub(r" (?=[+-])", "\n", text).split(" ")
    return tuple(word.replace("\n", " ") for word in words)


Character = Sheet | Fighting
OfSomebody = Callable[[Character, str], Holds]
"""Parses the text after a name and a clause's keyword."""


def _energy(of: Character, text: str) -> Holds:
    """``attack 3 defend 2``; missing types are zero."""
    return w.EnergyIs(name=of.name, energy=w.energy_of(of.name, of.max, parse_split(text)))


def _alone(clause: str, kind: Callable[..., Holds], **said: bool) -> OfSomebody:
    """A parser for a clause that takes no text."""

    def read(of: Character, text: str) -> Holds:
        if text:
            raise unsaid(f"{clause} alone")
        return kind(name=of.name, **said)

    return read


def _disadvantage(of: Character, text: str) -> Holds:
    """``attack-low defend-low +1`` or ``none``."""
    return w.DisadvantageIs(name=of.name, moves=() if text == NONE else moves(text))


def _special(of: Character, text: str) -> Holds:
    """``used wax-on-attack`` or ``ready wax-on-attack``."""
    word, _, special = text.partition(" ")
    if word not in ("used", "ready") or not special.strip():
        raise unsaid("specials used ID, or specials ready ID")
    return w.SpecialIs(name=of.name, special=special.strip(), used=word == "used")


def _turns(of: Character, text: str) -> Holds:
    return w.TurnsIs(name=of.name, turns=number(text, "turns"))


def read_word(conflict: Conflict, text: str) -> tuple[Holds, str]:
    """Parse the GM's word and its reason."""
    return said_and_why(text, partial(_read, conflict))


class _Reading(NamedTuple):
    """A possible reading: the character, if any; the clause; and its text."""

    name: str
    clause: str
    said: str


def _read(conflict: Conflict, what: str) -> Holds:
    """Parse the first valid reading; clauses that are open now come first."""

    def shut(each: _Reading) -> bool:
        return why_not(conflict, _KINDS[each.clause], each.clause) is not None

    found = sorted(_readings(conflict, what), key=shut)
    return first_that_holds(found, partial(_holds, conflict), _unread(conflict, what))


def _readings(conflict: Conflict, what: str) -> Iterator[_Reading]:
    """Yield possible readings. A leading clause keyword comes before a character of that name."""
    word, _, said = what.partition(" ")
    if word in _GENERAL:
        yield _Reading("", word, said.strip())
    for name, rest in readings(conflict.fighters, what):
        word, _, said = rest.partition(" ")
        if word in [*Action]:
            yield _Reading(name, ENERGY, rest)
        elif word in _WORDS:
            yield _Reading(name, word, said.strip())


def _unread(conflict: Conflict, what: str) -> IllegalChoice:
    name = next((name for name, _ in readings(conflict.fighters, what)), "")
    if name:
        return unsaid(f"{name} attack 3, or one of {_WORDS}")
    return nobody(conflict, what.partition(" ")[0])


def _holds(conflict: Conflict, read: _Reading) -> Holds:
    """Parse a reading, and raise unless it is valid now."""
    kind = _KINDS[read.clause]
    if why := why_not(conflict, kind, read.clause):
        raise IllegalChoice(why)
    if read.clause in _GENERAL:
        holds = _GENERAL[read.clause](conflict, read.said)
    else:
        holds = OF_SOMEBODY[read.clause](conflict.scene.sheets[read.name], read.said)
    WORD.overrule(conflict, holds)
    return holds


def _combo(conflict: Conflict, text: str) -> Holds:
    """``none``, or ``against NAME; NAME MOVE; NAME MOVE``."""
    if text == NONE:
        return ComboIs()
    word, _, against = text.partition(" ")
    victim, played = name_first(conflict.still_in(), against)
    if word != "against" or not victim or not played.startswith(";"):
        raise IllegalChoice(combo_form(conflict))
    cards: list[Played] = []
    while played:
        name, rest = name_first(conflict.fighters, played.removeprefix(";").strip())
        laid, more, played = rest.partition(";")
        if not name:
            raise IllegalChoice(Reason("not-of-side", move=shown(rest), who=victim))
        played = more + played
        cards += (Played(name, move) for move in moves(laid.strip()))
    return ComboIs(against=victim, cards=tuple(cards))


def _turn(conflict: Conflict, text: str) -> Holds:
    """``won NAME`` or ``tied``."""
    turn = turn_of(conflict)
    won, _, who = text.partition(" ")
    name = name_alone((turn.active, turn.opponent), who)
    if text != "tied" and (won != "won" or not name):
        raise IllegalChoice(turn_form(conflict))
    return TurnIs(winner=None if text == "tied" else name)


def _loss(conflict: Conflict, text: str) -> Holds:
    """``NAME 4``; the first valid reading counts."""

    def holds(read: tuple[str, str]) -> Holds:
        name, amount = read
        left = conflict.fighters[name].energy.total
        return LossIs(name=name, points=number(amount, Reason("what-is-lost", who=name), left))

    unread = IllegalChoice(loss_form(conflict))
    return first_that_holds(readings(conflict.still_in(), text), holds, unread)


def _end(conflict: Conflict, text: str) -> Holds:
    """``SIDE`` or ``nobody``; a side called nobody is written in double quotes."""
    winner = None if text == NOBODY else name_alone(conflict.scene.sides, text)
    if winner == "":
        raise IllegalChoice(end_form(conflict))
    return EndIs(winner=winner)


ENERGY = "energy"
"""The name of the clause that starts with an energy type."""
OF_SOMEBODY: Mapping[str, OfSomebody] = {
    ENERGY: _energy,
    "out": _alone("out", w.OutIs),
    "in": _alone("in", w.OutIs, out=False),
    "dead": _alone("dead", w.DeadIs),
    "alive": _alone("alive", w.DeadIs, dead=False),
    "disadvantage": _disadvantage,
    "specials": _special,
    "turns": _turns,
    "free": _alone("free", w.IsFree),
}
_WORDS = [word for word in OF_SOMEBODY if word != ENERGY]
_GENERAL: Mapping[str, Callable[[Conflict, str], Holds]] = {
    "combo": _combo,
    "turn": _turn,
    "loss": _loss,
    "end": _end,
}
_KINDS = {tag(each.kind): each.kind for each in WORD.clauses}
_KINDS |= {"in": w.OutIs, "alive": w.DeadIs, "specials": w.SpecialIs}
