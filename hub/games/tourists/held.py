"""Describes an overrule in a Conflict in words, for ``facedown replay``."""

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

import msgspec

from hub.games.tourists.rules.conflict import RoundOutcome
from hub.games.tourists.rules.deck import Card
from hub.games.tourists.rules.overrules.cards import CardIs, CardLies, To
from hub.games.tourists.rules.overrules.losses import LastingIs, LossLies, NoLoss
from hub.games.tourists.rules.overrules.rounds import ControlIs, RoundEnds, TokensAre
from hub.games.tourists.rules.overrules.standing import AgainstIs, OutOrIn

_Word = (
    ControlIs | CardIs | CardLies | LastingIs | LossLies | NoLoss | TokensAre
    | OutOrIn | RoundEnds | AgainstIs
)  # fmt: skip
_NOBODY = "nobody has the Control"
_OUTCOMES = {
    RoundOutcome.NONE: "nobody takes the Control",
    RoundOutcome.TAKEN: "the Control is taken",
    RoundOutcome.EXCUSE: "by the Excuse",
    RoundOutcome.HELD: "the Control is held",
    RoundOutcome.BROKEN: "the Control is broken",
    RoundOutcome.DOMINANT_OUT: "the Dominant is out",
    RoundOutcome.REFRAMED: "by a Reframing",
}


def held(holds: Mapping[str, Any]) -> str:
    """The overrule in words; empty if it is not one of a Conflict."""
    try:
        word: _Word = msgspec.convert(holds, _Word)
    except msgspec.ValidationError:
        return ""
    match word:
        case ControlIs(party=party, ranks=ranks):
            return f"{party} has the Control, {_count(ranks, 'rank')}" if party else _NOBODY
        case TokensAre(left=left):
            return f"{_count(left, 'Control Token')} left"
        case RoundEnds(outcome=outcome, by=by):
            return f"the round ends: {_OUTCOMES[outcome]}{f' by {_list(by)}' if by else ''}"
        case OutOrIn():
            return _out(word)
        case AgainstIs(name=name, times=times):
            return f"{_count(times, 'Reserve Card')} of others on cards of {name}"
        case CardIs():
            return _card(word)
        case CardLies(name=name, number=number, reversed=is_reversed):
            return f"card {Card(number, is_reversed)} lies before {name}"
        case LastingIs() | LossLies() | NoLoss():
            return _loss(word)
        case other:
            assert_never(other)


def _out(word: OutOrIn) -> str:
    if not word.out:
        return f"{word.name} is in the Conflict"
    return f"{word.name} {'is Wiped Out' if word.wiped_out else 'has conceded'}"


def _loss(word: LastingIs | LossLies | NoLoss) -> str:
    match word:
        case LastingIs(name=name, who=who, cards=cards, text=text):
            marks = f"marked by {_list(map(str, cards))}{_borne(name, who)}{_told(text)}"
            return f"{name} has one Lasting Loss more, {marks}"
        case LossLies(name=name, loss=loss, who=who, text=text, face_down=down):
            used = f"; face down: {_list(map(str, down))}" if down else ""
            return f"Lasting Loss {loss} of {name} is borne by {who}{_told(text)}{used}"
        case NoLoss(name=name, number=number):
            return f"the Loss of {name} that card {number} marks is gone"
        case other:
            assert_never(other)


def _card(word: CardIs) -> str:
    lies = str(Card(word.number, word.reversed))
    match word.to:
        case To.DECK:
            return f"card {word.number} is in the deck"
        case To.BEFORE:
            return f"card {lies} lies before {word.name}{_drawn(word)}"
        case To.RESERVE:
            return f"card {lies} is in the Reserve of {word.name}"
        case To.LOSS:
            return f"card {word.number} marks a Temporary Loss of {word.name}"
        case other:
            assert_never(other)


def _drawn(word: CardIs) -> str:
    return f", drawn by {word.who}" if word.who not in {"", word.name} else ""


def _borne(name: str, who: str) -> str:
    return f", borne by {who}" if who not in {"", name} else ""


def _told(text: str) -> str:
    return f": {text}" if text else ""


def _list(names: Iterable[str]) -> str:
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
