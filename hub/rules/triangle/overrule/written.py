"""How the GM's word is written: what holds, and why.

``Ada attack 3 defend 2 because two specials clashed``: whom or what it is about, a clause, and
after ``because`` the reason. Everything here raises :class:`IllegalChoice` with a sentence that
shows the right form.
"""

import re
from collections.abc import Callable, Collection
from typing import TypeVar

from hub.rules.faults import MAX_NUMBER, shown
from hub.rules.game import IllegalChoice
from hub.rules.triangle.edition import Action, Energy, Move
from hub.rules.triangle.grammar import parse_split
from hub.rules.triangle.names import first_that_holds, parts

OVERRULE = "overrule"
BECAUSE = "because"
USED, READY = "used", "ready"
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


SaidT = TypeVar("SaidT")


def as_said(names: Collection[str], text: str, say: Callable[[str], SaidT]) -> SaidT:
    """What ``say`` makes of what is to hold, without the reason that has to stand behind it.

    A name may hold the word as well: then the reading holds that makes sense.
    """
    return said_and_why(names, text, say)[0]


def said_and_why(
    names: Collection[str], text: str, say: Callable[[str], SaidT]
) -> tuple[SaidT, str]:
    """The same, and the reason."""
    found = (each for each in parts(names, text, BECAUSE) if all(each))
    form = "say what holds and why: NAME attack 3 defend 2 grapple 1 because WHY"
    return first_that_holds(found, lambda each: (say(each[0]), each[1]), IllegalChoice(form))


def points(name: str, most: Energy, text: str) -> Energy:
    """``attack 3 defend 2``: what somebody has, types left out having nothing."""
    energy = parse_split(text)
    for action in Action:
        if energy.of(action) > most.of(action):
            raise IllegalChoice(f"{name} has at most {most.of(action)} points of {action}")
    return energy


def number(text: str, what: str, most: int = MAX_NUMBER) -> int:
    """A whole number from 0."""
    if not _NUMBER.fullmatch(text) or int(text) > most:
        raise IllegalChoice(f"{what} is a number from 0 to {most}, not {shown(text)}")
    return int(text)


def moves_of(known: Collection[Move], name: str, text: str) -> tuple[Move, ...]:
    """``attack-low defend-low +1``: moves that somebody knows, none of them twice."""
    words = re.sub(r" (?=[+-])", "\n", text).split(" ")
    by_name = {str(move): move for move in known}
    found = []
    for word in (word.replace("\n", " ") for word in words):
        if word not in by_name:
            raise IllegalChoice(f"{name} knows no move {shown(word)}")
        found.append(by_name[word])
    if len(set(found)) < len(found):
        raise IllegalChoice("each card lies there once")
    return tuple(found)


def nothing_more(text: str, clause: str) -> None:
    """Refuse what follows a clause that stands alone."""
    if text:
        raise IllegalChoice(f"'{clause}' stands alone, without {shown(text)}")


def used_or_ready(text: str) -> tuple[bool, str]:
    """``used wax-on-attack``: whether it is used, and which special."""
    word, _, special = text.partition(" ")
    if word not in (USED, READY) or not special.strip():
        raise IllegalChoice(f"write: NAME specials {USED} ID, or: NAME specials {READY} ID")
    return word == USED, special.strip()
