"""Describes tales in words, for ``facedown replay``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.family import Words
from hub.games.game import Choice, Consequence, GameView
from hub.games.tricube.rules import consequences as q
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.roll import RollOutcome
from hub.games.tricube.rules.said import (
    AfflictionSaid,
    Call,
    CureSaid,
    FateSaid,
    KarmaSaid,
    NewChallenge,
    Npcs,
    OfferSaid,
    Oppose,
    PerkSaid,
    PriceSaid,
)
from hub.games.tricube.rules.view import ChallengeView, TaleCharacterView, TricubeView

_DECIDED = {
    "turn": "{who} says that the turn is over",
    "end": "{who} ends the scene",
    "throw": "{who} throws",
    "dice": "{who} has thrown {value}",
    "karma": "{who} spends karma on {value}",
    "complication": "{who} offers a complication in the place of karma: {value}",
    "regain": "{who} takes {value}",
    "told": "{who} tells what becomes of it: {value}",
    "approach": "{who} goes about it {value}",
    "difficulty": "{who} sets the difficulty to {value}",
}
_BARE = {
    "complication": "{who} says no: there is no complication in the place of karma",
    "price": "{who} says that it costs what it usually does",
    "told": "{who} tells what becomes of it",
    "throw": "{who} throws",
}
"""The same without a value."""
_EXACTLY = {
    "karma none": "{who} spends no karma",
    "accept yes": "{who} accepts the complication",
    "accept no": "{who} does not accept the complication",
    "nod yes": "{who} nods",
    "nod no": "{who} shakes the head",
    "call turn": "{who} says that the turn is over",
    "call end": "{who} ends the scene",
    "approach plain": "{who} does it plainly",
}
_USES: Mapping[Use, str] = {
    Use.IMPACT: "to change the story",
    Use.AUTOMATIC: "to do what others could not even attempt",
    Use.BYPASS: "to get past",
    Use.ATTEMPT: "to attempt what others could not",
    Use.FLAVOUR: "for colour",
}
_OUTCOMES: Mapping[RollOutcome, str] = {
    RollOutcome.EXCEPTIONAL: "an exceptional success",
    RollOutcome.SUCCESS: "a success",
    RollOutcome.EVEN: "an even result",
    RollOutcome.FAILURE: "a failure",
    RollOutcome.CRITICAL: "a critical failure",
}
_LASTS: Mapping[Lasts, str] = {
    Lasts.SCENE: "for this scene",
    Lasts.LONGER: "until it heals",
    Lasts.PERMANENT: "for good",
}
_ABSENT: Mapping[Absent | None, str] = {
    Absent.OUT: "{who} is out of this scene",
    Absent.RETIRED: "{who} has to retire",
    Absent.DEAD: "{who} is dead",
    None: "{who} takes part again",
}
_BYPASS = "bypass"


class TricubeWords(Words):
    """Tales in the book's words."""

    def card(self, choice: Choice) -> str:
        """``Plain``, the name of a quirk or a perk, ``Difficulty 5``, ``Die 4``."""
        kind, value = choice.kind, choice.value
        if kind == "approach" and value.startswith("quirk "):
            return value.removeprefix("quirk ")
        if kind in ("difficulty", "die"):
            return f"{kind} {value}".capitalize()
        if kind == "karma" and value != "none":
            return value
        if (kind, value) == ("karma", "none"):
            return "No karma"
        return (value or kind).replace("-", " ").capitalize()

    def decided(self, who: str, choice: Choice) -> str:
        """A decision of any kind."""
        return said_of(who, choice) or super().decided(who, choice)

    def declared(self, who: str, choice: Choice) -> str:
        """A call by the GM, or a use of perks by a player."""
        return said_of(who, choice) or super().declared(who, choice)

    def followed(self, came: Consequence) -> str:
        """A consequence: dice and their results, changes to challenges and characters."""
        return _of_roll(came) or _of_challenge(came) or _of_person(came) or super().followed(came)

    def standing(self, view: GameView) -> Iterator[str]:
        """Every challenge, and every character with its tokens and afflictions."""
        if isinstance(view, TricubeView):
            for name in view.listed:
                yield f"{name}: {_challenge(view.challenges[name])}"
            for who in view.around:
                yield f"{who}: {'; '.join(_character(view.cast[who]))}"


WORDS = TricubeWords()


def said_of(who: str, choice: Choice) -> str:
    """A choice or a declaration as a sentence; empty for an unknown kind."""
    kind, value = choice.kind, choice.value
    if (found := _EXACTLY.get(str(choice))) is not None:
        return found.format(who=who)
    if value.startswith("{"):
        return _of_values(who, kind, value)
    if kind == "approach" and value.startswith("quirk "):
        return f"{who} uses a quirk: {value.removeprefix('quirk ')}"
    template = (_DECIDED if value else _BARE).get(kind) or _DECIDED.get(kind, "")
    if not value and "{value}" in template:
        return ""
    return template.format(who=who, value=value)


_FORMS: Mapping[str, Any] = {
    "call": Call,
    "oppose": Oppose,
    "npcs": Npcs,
    "offer": OfferSaid,
    "challenge": NewChallenge,
    "recover": AfflictionSaid,
    "convert": AfflictionSaid,
    "perk": PerkSaid,
    "cure": CureSaid,
    "karma": KarmaSaid,
    "price": PriceSaid,
    "fate": FateSaid,
}
"""Kinds of words said as a line of JSON, with their types."""


def _of_values(who: str, kind: str, value: str) -> str:
    form = _FORMS.get(kind)
    if form is None:
        return ""
    try:
        said = msgspec.json.decode(value, type=form)
    except msgspec.DecodeError:
        return ""
    return _called(who, said) or _used(who, kind, said) or _settled(who, said)


def _called(who: str, said: Struct) -> str:
    match said:
        case Call(challenge=challenge, type=type_, rollers=rollers, defense=defense):
            name = challenge.name if isinstance(challenge, NewChallenge) else challenge
            what = "a defense" if defense else "a roll"
            sealed = ", at a difficulty that is sealed" if said.sealed else ""
            return f"{who} calls {_list(rollers)} for {what} ({type_}) against {name}{sealed}"
        case Oppose(sides=sides):
            each = (f"{name} ({side.type})" for name, side in sides.items())
            return f"{who} has {_list(each)} roll against each other"
        case Npcs(sides=sides):
            counts = (f"{name} ({_count(count, 'die', 'dice')})" for name, count in sides.items())
            return f"{who} has NPCs roll against each other: {_list(counts)}"
        case NewChallenge(name=name):
            return f"{who} says that there is a challenge: {name}"
    return ""


def _used(who: str, kind: str, said: Struct) -> str:
    match said:
        case OfferSaid():
            told = f": {said.told}" if said.told else ""
            because = said.quirk or said.affliction
            for_ = f" for {because}" if because else ""
            return f"{who} offers {said.who} a complication{for_}{told}"
        case AfflictionSaid():
            came = "heals" if kind == "recover" else "becomes a quirk"
            return f"{who} says that {said.affliction} of {said.who} {came}"
        case PerkSaid():
            past = f" {said.challenge}" if said.use == _BYPASS and said.challenge else ""
            told = f": {said.told}" if said.told else ""
            return f"{who} uses {_list(said.perks)} {_USES[said.use]}{past}{told}"
        case CureSaid():
            of = f" of {said.who}" if said.who else ""
            return f"{who} cures {said.affliction}{of} by {_list(said.perks)}"
    return ""


def _settled(who: str, said: Struct) -> str:
    match said:
        case KarmaSaid():
            for_ = f" for {said.roll}" if said.roll else ""
            return f"{who} spends karma on {_list(said.perks)}{for_}"
        case PriceSaid():
            parts = [
                "resolve" if said.resolve else "",
                f"a complication ({said.complication})" if said.complication else "",
                said.told,
            ]
            return f"{who} says what it costs: {_list(filter(None, parts)) or 'nothing'}"
        case FateSaid():
            parts = [
                f"until the end of the {said.lasts}" if said.lasts == "scene" else "",
                "it is fatal" if said.fatal else "",
                "it may stay" if said.stays else "",
            ]
            more = "".join(f"; {part}" for part in parts if part)
            return f"{who} says what becomes of it: {said.affliction}{more}"
    return ""


def _of_roll(came: Consequence) -> str:
    match came:
        case q.DiceFell(who=who, dice=dice, outcome=None):
            return f"{who} has {_dice(dice)}"
        case q.DiceFell(who=who, dice=dice, final=final, outcome=RollOutcome() as outcome):
            burden = came.quirk or came.hindered
            by = f", {burden} counting" if burden else ""
            return f"{who} has {_dice(dice)} against {final}{by}: {_OUTCOMES[outcome]}"
        case q.OutcomeChanged(who=who, outcome=None):
            return f"the dice of {who} are still to be judged"
        case q.OutcomeChanged(who=who, final=final, outcome=RollOutcome() as outcome):
            return f"at {final} it is {_OUTCOMES[outcome]} of {who}"
        case q.RollMadeEasier(who=who, by=by, perks=perks, complication=complication):
            what = "a complication" if complication is not None else "a karma"
            whose = "the roll" if who == by else f"the roll of {who}"
            told = f" ({complication})" if complication else ""
            return f"{whose} is easier by {_list(perks)}: {by} pays with {what}{told}"
        case q.CameToNothing(who=who):
            return f"the roll of {who} comes to nothing: it was over before"
        case q.EffortTaken(who=who, challenge=challenge, removed=removed, left=left):
            tokens = _count(removed, "effort token")
            return f"{who} takes {tokens} of {challenge}, {left or 'none'} left"
        case q.TokenRegained(who=who, regained=regained, amount=0):
            return f"{who} has all {regained}: nothing comes back"
        case q.TokenRegained(who=who, regained=regained):
            return f"{who} gets a {regained} back"
        case q.ContestDecided(sides=sides, winner=None):
            return f"nobody wins: {_list(sides)}"
        case q.ContestDecided(winner=winner):
            return f"{winner} wins"
    return _of_price(came)


def _of_price(came: Consequence) -> str:
    match came:
        case q.PricePaid(who=who, resolve=resolve, complication=complication):
            parts = [f"{resolve} resolve"] if resolve else []
            if complication:
                parts.append(f"a complication ({complication})")
            return f"it costs {who} {_list(parts) or 'nothing but what the story tells'}"
        case q.LastResolveGone(who=who):
            return f"{who} is defeated"
    return ""


def _of_challenge(came: Consequence) -> str:
    match came:
        case q.ChallengeCame(name=name):
            return f"a challenge: {name} ({_hard(came.difficulty, came.effort, came.deadly)})"
        case q.ChallengeChanged(name=name, left=left, effort=effort):
            hard = _hard(came.difficulty, effort, came.deadly)
            return f"the challenge {name}: {hard}{f', {left} left' if effort else ''}"
        case q.ChallengeOvercome(name=name, overcome=overcome):
            return f"{name} {'is overcome' if overcome else 'stands again'}"
        case q.ChallengeGone(name=name):
            return f"{name} is gone"
        case q.ChallengeBypassed(name=name, who=who, bypassed=bypassed):
            return f"{who} {'gets past' if bypassed else 'is not past'} {name}"
    return ""


def _of_person(came: Consequence) -> str:
    match came:
        case q.AfflictionCame(who=who, name=name, lasts=lasts):
            return f"{who} has an affliction {_LASTS[lasts]}: {name}"
        case q.AfflictionGone(who=who, name=name):
            return f"{who} is rid of {name}"
        case q.QuirkCame(who=who, name=name):
            return f"{who} has a quirk more: {name}"
        case q.QuirkGone(who=who, name=name):
            return f"{who} has a quirk less: {name}"
        case q.KarmaNow(who=who, karma=karma, most=most):
            return f"{who} has {karma} karma of {most}"
        case q.ResolveNow(who=who, resolve=resolve, most=most):
            return f"{who} has {resolve} resolve of {most}"
        case q.AbsentNow(who=who, absent=absent):
            return _ABSENT[absent].format(who=who)
    return ""


def _hard(difficulty: int | None, effort: int, deadly: bool) -> str:
    parts = [f"difficulty {difficulty}" if difficulty else "difficulty not shown yet"]
    if effort:
        parts.append(_count(effort, "effort token"))
    if deadly:
        parts.append("deadly")
    return ", ".join(parts)


def _challenge(one: ChallengeView) -> str:
    if one.overcome:
        return "overcome"
    left = f", {one.left} left" if one.effort else ""
    past = f"; bypassed by {_list(one.bypassed)}" if one.bypassed else ""
    return f"{_hard(one.difficulty, one.effort, one.deadly)}{left}{past}"


def _character(one: TaleCharacterView) -> Iterator[str]:
    if one.absent is not None:
        yield "out of this scene" if one.absent is Absent.OUT else str(one.absent)
    yield f"karma {one.karma} of {one.karma_max}"
    yield f"resolve {one.resolve} of {one.resolve_max}"
    for each in one.afflictions:
        yield f"{each.name} ({_LASTS[each.lasts]})"


def _dice(dice: Iterable[int]) -> str:
    return " ".join(map(str, dice))


def _list(names: Iterable[str]) -> str:
    *most, last = [*names] or [""]
    return f"{', '.join(most)} and {last}" if most else last


def _count(number: int, what: str, several: str = "") -> str:
    return f"{number} {what if number == 1 else several or what + 's'}"
