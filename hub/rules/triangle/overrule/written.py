"""The GM's word as logs up to schema 2 and older clients write it: text, read into values.

``Ada attack 3 defend 2 because two specials clashed``: whom or what it is about, a clause, and
after ``because`` the reason. It is read against the names that there are; where it could mean two
things, the first reading that can hold now is meant. Nothing is written in this form any more.
Everything here raises :class:`IllegalChoice` with a sentence that shows the right form.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import NamedTuple, TypeVar

from hub.rules.faults import MAX_NUMBER, shown
from hub.rules.game import IllegalChoice
from hub.rules.reasons import Reason
from hub.rules.triangle.conflict import Conflict
from hub.rules.triangle.edition import Action, Energy
from hub.rules.triangle.grammar import NONE, parse_split
from hub.rules.triangle.names import first_that_holds, name_alone, name_first, parts, readings
from hub.rules.triangle.overrule import word as w
from hub.rules.triangle.overrule.clauses import nobody, not_now, open_now, overrule
from hub.rules.triangle.overrule.turns import NOBODY, combo_form, end_form, loss_form, turn_form
from hub.rules.triangle.step import turn_of
from hub.rules.words import Holds

BECAUSE = "because"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")

SaidT = TypeVar("SaidT")


def said_and_why(
    names: Collection[str], text: str, say: Callable[[str], SaidT]
) -> tuple[SaidT, str]:
    """What ``say`` makes of what is to hold, and the reason that has to stand behind it.

    A name may hold the word as well: then the reading holds that makes sense.
    """
    found = (each for each in parts(names, text, BECAUSE) if all(each))
    form = Reason("overrule-form")
    return first_that_holds(found, lambda each: (say(each[0]), each[1]), IllegalChoice(form))


def points(name: str, most: Energy, text: str) -> Energy:
    """``attack 3 defend 2``: what somebody has, types left out having nothing."""
    return w.energy_of(name, most, parse_split(text))


def number(text: str, what: Reason, most: int = MAX_NUMBER) -> int:
    """A whole number from 0."""
    if not _NUMBER.fullmatch(text):
        raise IllegalChoice(Reason("number-range", what=what, most=most, text=shown(text)))
    return w.within(int(text), what, most)


def moves(text: str) -> tuple[str, ...]:
    """``attack-low defend-low +1``."""
    words = re.sub(r" (?=[+-])", "\n", text).split(" ")
    return tuple(word.replace("\n", " ") for word in words)


def nothing_more(text: str, clause: str) -> None:
    """Refuse what follows a clause that stands alone."""
    if text:
        raise IllegalChoice(Reason("clause-alone", clause=clause, more=shown(text)))


def used_or_ready(text: str) -> tuple[bool, str]:
    """``used wax-on-attack``: whether it is used, and which special."""
    word, _, special = text.partition(" ")
    if word not in ("used", "ready") or not special.strip():
        raise IllegalChoice(Reason("specials-form"))
    return word == "used", special.strip()


def read_word(conflict: Conflict, text: str) -> tuple[w.InConflicts, str]:
    """What is to hold, and why."""
    names = [*conflict.fighters, *conflict.scene.sides]
    return said_and_why(names, text, partial(_read, conflict))


class _Reading(NamedTuple):
    """Whom it is about, if anybody; the clause; and what it says."""

    name: str
    clause: str
    said: str


def _read(conflict: Conflict, what: str) -> w.InConflicts:
    """Of several readings one that is open now goes first."""
    now = open_now(conflict)
    found = sorted(_readings(conflict, what), key=lambda each: _KINDS[each.clause] not in now)
    return first_that_holds(found, partial(_holds, conflict), _unread(conflict, what))


def _readings(conflict: Conflict, what: str) -> Iterator[_Reading]:
    """A clause's word that stands alone is the clause, even where somebody is called like it."""
    word, _, said = what.partition(" ")
    if word in _GENERAL:
        yield _Reading("", word, said.strip())
    for name, rest in readings(conflict.fighters, what):
        word, _, said = rest.partition(" ")
        if word in [*Action]:
            yield _Reading(name, "energy", rest)
        elif word in _OF_SOMEBODY:
            yield _Reading(name, word, said.strip())


def _unread(conflict: Conflict, what: str) -> IllegalChoice:
    """Why this is no clause at all."""
    name = next((name for name, _ in readings(conflict.fighters, what)), "")
    if name:
        kinds = [*_OF_SOMEBODY]
        return IllegalChoice(Reason("energy-form", who=name, words=kinds))
    return nobody(conflict, what.partition(" ")[0])


def _holds(conflict: Conflict, read: _Reading) -> w.InConflicts:
    """What is read, if it can hold now."""
    kind = _KINDS[read.clause]
    if kind not in open_now(conflict):
        raise IllegalChoice(not_now(conflict, kind, read.clause))
    if read.clause in _GENERAL:
        holds = _GENERAL[read.clause](conflict, read.said)
    elif read.clause == "energy":
        most = conflict.scene.sheets[read.name].max
        holds = w.EnergyIs(name=read.name, energy=points(read.name, most, read.said))
    else:
        holds = _OF_SOMEBODY[read.clause](read.name, read.said)
    overrule(conflict, holds)
    return holds


def _alone(clause: str, make: Callable[[str], w.InConflicts]) -> "_OfSomebody":
    """A clause behind which nothing is said."""

    def read(name: str, text: str) -> w.InConflicts:
        nothing_more(text, clause)
        return make(name)

    return read


def _special(name: str, text: str) -> w.InConflicts:
    used, special = used_or_ready(text)
    return w.SpecialIs(name=name, special=special, used=used)


def _turns(name: str, text: str) -> w.InConflicts:
    return w.TurnsIs(name=name, turns=number(text, Reason("count-of-turns")))


def _combo(conflict: Conflict, text: str) -> w.InConflicts:
    """``none``, or ``against NAME; NAME MOVE; NAME MOVE``."""
    if text == NONE:
        return w.ComboIs()
    word, _, against = text.partition(" ")
    victim, played = name_first(conflict.still_in(), against)
    if word != "against" or not victim or not played.startswith(";"):
        raise IllegalChoice(combo_form(conflict))
    cards: list[w.Played] = []
    while played:
        name, rest = name_first(conflict.fighters, played.removeprefix(";").strip())
        laid, more, played = rest.partition(";")
        if not name:
            raise IllegalChoice(Reason("not-of-side", move=shown(rest), who=victim))
        played = more + played
        cards += (w.Played(name, move) for move in moves(laid.strip()))
    return w.ComboIs(against=victim, cards=tuple(cards))


def _turn(conflict: Conflict, text: str) -> w.InConflicts:
    """``won NAME`` or ``tied``."""
    turn = turn_of(conflict)
    won, _, who = text.partition(" ")
    name = name_alone((turn.active, turn.opponent), who)
    if text != "tied" and (won != "won" or not name):
        raise IllegalChoice(turn_form(conflict))
    return w.TurnIs(winner=None if text == "tied" else name)


def _loss(conflict: Conflict, text: str) -> w.InConflicts:
    """``NAME 4``; of several readings the first that can hold."""

    def holds(read: tuple[str, str]) -> w.InConflicts:
        name, amount = read
        left = conflict.fighters[name].energy.total
        return w.LossIs(name=name, points=number(amount, Reason("what-is-lost", who=name), left))

    unread = IllegalChoice(loss_form(conflict))
    return first_that_holds(readings(conflict.still_in(), text), holds, unread)


def _end(conflict: Conflict, text: str) -> w.InConflicts:
    """``SIDE`` or ``nobody``; a side that is called like this is written in double quotes."""
    winner = None if text == NOBODY else name_alone(conflict.scene.sides, text)
    if winner == "":
        raise IllegalChoice(end_form(conflict))
    return w.EndIs(winner=winner)


_OfSomebody = Callable[[str, str], w.InConflicts]
_OF_SOMEBODY: Mapping[str, _OfSomebody] = {
    "out": _alone("out", lambda name: w.OutIs(name=name)),
    "in": _alone("in", lambda name: w.OutIs(name=name, out=False)),
    "dead": _alone("dead", lambda name: w.DeadIs(name=name)),
    "alive": _alone("alive", lambda name: w.DeadIs(name=name, dead=False)),
    "disadvantage": lambda name, text: w.DisadvantageIs(
        name=name, moves=() if text == NONE else moves(text)
    ),
    "specials": _special,
    "turns": _turns,
    "free": _alone("free", lambda name: w.IsFree(name=name)),
}
"""What follows a name, beside energy, which begins with its type."""
_GENERAL: Mapping[str, Callable[[Conflict, str], w.InConflicts]] = {
    "combo": _combo,
    "turn": _turn,
    "loss": _loss,
    "end": _end,
}
_KINDS: Mapping[str, type[Holds]] = {
    "energy": w.EnergyIs,
    "out": w.OutIs,
    "in": w.OutIs,
    "dead": w.DeadIs,
    "alive": w.DeadIs,
    "disadvantage": w.DisadvantageIs,
    "specials": w.SpecialIs,
    "turns": w.TurnsIs,
    "free": w.IsFree,
    "combo": w.ComboIs,
    "turn": w.TurnIs,
    "loss": w.LossIs,
    "end": w.EndIs,
}
