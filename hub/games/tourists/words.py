"""Describes Conflicts in words, for ``facedown replay``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, assert_never

from hub.games.family import Words
from hub.games.game import Choice, Consequence, GameView
from hub.games.tourists.held import held
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.conflict import Left, RoundOutcome
from hub.games.tourists.rules.view import EXCUSE, TRIUMPH, CardView, PartyView, TouristsView

_DECIDED = {
    "draw": "{who} draws",
    "drawn": "{who} draws {value}",
    "pass": "{who} passes",
    "let-be": "{who} lets it be",
    "let-be-all": "{who} lets everything be for the rest of the round",
    "tactics": "{who} tells the tactics",
    "whose": "{who} means the card of {value}",
    "because": "{who} lays it because of the {value}",
    "loss": "{who} uses up Loss card {value}",
    "losses": "{who} takes the Loss",
    "told": "{who} tells how it went",
    "go-on": "{who} goes on with the end of the round",
    "break-off": "{who} breaks the round off: the deck is empty",
    "next-round": "{who} begins the next round",
}
"""Sentences for decisions; see ``_OF`` for those with a text."""
_DECLARED = {
    "turn": "{who} turns the card",
    "reject": "{who} rejects the card",
    "drawn": "{who} lays {value} over the card",
    "cover": "{who} lays {value} over the card",
    "ask-again": "{who} wants to be asked again",
    "order": "{who} says in which order they bid: {value}",
    "reframe": "{who} asks for a Reframing",
    "concede": "{who} concedes",
}
_OF = {
    "turn": "{who} turns the card of {value}",
    "reject": "{who} rejects the card of {value}",
    "tactics": "{who} tells the tactics: {value}",
    "told": "{who} tells how it went: {value}",
    "losses": "{who} takes the Loss: {value}",
    "reframe": "{who} asks for a Reframing: {value}",
}
"""The same with a value at the end."""
_GMS = {
    "yes": "{who} says yes: the Conflict is reframed",
    "no": "{who} says no to the Reframing",
}
_LAST = 5
"""The gravity from which a Loss cannot be healed."""
_ROMAN = (("X", 10), ("IX", 9), ("V", 5), ("IV", 4), ("I", 1))
_ENDS = {
    "all-conceded": "nobody is left, and nobody has won it",
    "reframed": "it is reframed",
}


class TouristsWords(Words):
    """Conflicts in the book's words."""

    def card(self, choice: Choice) -> str:
        """``39 upright``, ``Pass``, ``Let be``."""
        if choice.kind == "drawn":
            return choice.value
        return (choice.value or choice.kind).replace("-", " ").capitalize()

    def decided(self, who: str, choice: Choice) -> str:
        """A decision of any kind."""
        if (choice.kind, choice.value) == ("because", "no"):
            return f"{who} takes the Reserve Card back"
        table = _OF if choice.value and choice.kind in _OF else _DECIDED
        return _filled(table, who, choice) or super().decided(who, choice)

    def declared(self, who: str, choice: Choice) -> str:
        """An answer to a card, or a word for the whole table."""
        if choice.kind == "reframe" and choice.value in _GMS:
            return _GMS[choice.value].format(who=who)
        table = _OF if choice.value and choice.kind in _OF else _DECLARED
        return _filled(table, who, choice) or super().declared(who, choice)

    def held(self, holds: Mapping[str, Any]) -> str:
        """An overrule of anything in a Conflict."""
        return held(holds)

    def followed(self, came: Consequence) -> str:
        """A consequence: the effect of a card, the outcome of a round, a Loss, the end."""
        return _followed(came) or super().followed(came)

    def standing(self, view: GameView) -> Iterator[str]:
        """The Control, every party with its cards, and the victor."""
        if isinstance(view, TouristsView):
            yield from _conflict(view)


WORDS = TouristsWords()


def named(card: CardView) -> str:
    """``39 paper``, ``21 Triumph XVI reversed``, ``4 the Excuse``."""
    if card.suit == TRIUMPH and card.rank is not None:
        name = f"Triumph {numeral(card.rank)}"
    else:
        name = "the Excuse" if card.suit == EXCUSE else card.suit
    return f"{card.number} {name}{' reversed' if card.reversed else ''}"


def numeral(rank: int) -> str:
    """A Triumph's numeral: 0, I, II …"""
    found = ""
    for sign, worth in _ROMAN:
        while rank >= worth:
            found, rank = found + sign, rank - worth
    return found or "0"


def _filled(table: dict[str, str], who: str, choice: Choice) -> str:
    template = table.get(choice.kind, "")
    if not choice.value and "{value}" in template:
        return ""
    return template.format(who=who, value=choice.value)


def _followed(came: Consequence) -> str:
    match came:
        case q.ControlChanged(party=None):
            return "nobody has the Control: the Conflict is Balanced"
        case q.ControlChanged(party=party, ranks=ranks):
            return f"{party} has the Control, {_count(ranks, 'rank')}"
        case q.RoundOver():
            return _outcome(came)
        case q.WonAndLost(winners=winners, losers=losers):
            parts = ((winners, "the round is won by"), (losers, "lost by"))
            return ", ".join(f"{said} {_list(names)}" for names, said in parts if names)
        case q.LossSuffered():
            return _loss(came)
        case q.WipedOut(party=party):
            return f"{party} is Wiped Out"
        case q.Conceded(name=name, draws=draws):
            earns = f", and has earned {_count(draws, 'Reserve Card')}" if draws else ""
            return f"{name} is out of the Conflict{earns}"
        case q.ConflictEnded(winner=None, reason=reason):
            return f"the Conflict is over: {_ENDS.get(reason, reason)}"
        case q.ConflictEnded(winner=winner):
            return f"the Conflict is over: {winner} is the victor"
    return _of_card(came)


def _of_card(came: Consequence) -> str:
    match came:
        case q.CardDrawn(party=party, who=who, card=card):
            mine = "" if who == party else f" for {party}"
            return f"{who} has drawn {named(card)}{mine}"
        case q.CardTurned(party=party, card=card):
            way = "reversed" if card.reversed else "upright"
            return f"card {card.number} of {party} now lies {way}"
        case q.CardRejected(party=party, gone=gone, card=card):
            return f"{named(gone)} is rejected: before {party} lies {named(card)}"
        case q.CardCovered(party=party, gone=gone, card=card):
            return f"{named(gone)} of {party} is covered by {named(card)}"
        case q.Refilled(who=who, card=card):
            return f"{named(card)} is in the Reserve of {who}"
    return ""


def _outcome(came: q.RoundOver) -> str:
    match came.outcome:
        case RoundOutcome.NONE:
            return "no card beats all others: nobody takes the Control"
        case RoundOutcome.TAKEN:
            return f"{_list(came.by)} takes the Control"
        case RoundOutcome.EXCUSE if came.dominant is None:
            return "the Excuse lies there: nobody takes the Control"
        case RoundOutcome.EXCUSE:
            return f"the Excuse ends the round: {came.dominant} loses a rank"
        case RoundOutcome.HELD:
            return f"{came.dominant} holds the Control"
        case RoundOutcome.BROKEN:
            return f"{came.dominant} is beaten by {_list(came.by)}, and loses a rank"
        case RoundOutcome.DOMINANT_OUT:
            return f"the round is over: {came.dominant} is out"
        case RoundOutcome.REFRAMED:
            return "the round is broken off"
        case other:
            assert_never(other)


def _loss(came: q.LossSuffered) -> str:
    marks = ", ".join(str(card.number) for card in came.cards)
    kind = "a Temporary Loss"
    if came.gravity is not None:
        grave = "permanent" if came.gravity >= _LAST else f"gravity {came.gravity}"
        kind = f"a Lasting Loss ({grave})"
    bears = "" if came.who == came.party else f", borne by {came.who}"
    text = f": {came.text}" if came.text else ""
    return f"{came.party} suffers {kind}, marked by {marks}{bears}{text}"


def _conflict(view: TouristsView) -> Iterator[str]:
    control = view.control
    came = q.ControlChanged(
        party=control.party if control else None, ranks=control.ranks if control else 0
    )
    yield _followed(came)
    for name, party in view.parties.items():
        yield f"{name}: {'; '.join(_party(party)) or 'nothing lies before it'}"
    for who, character in view.members.items():
        if character.reserve:
            yield f"Reserve of {who}: {', '.join(map(named, character.reserve))}"
    if view.wish:
        yield f"{view.wish.who} asks for a Reframing: {view.wish.text}"
    if view.result:
        yield _followed(q.ConflictEnded(winner=view.result.winner, reason=view.result.reason))


def _party(party: PartyView) -> Iterator[str]:
    if party.out is not None:
        yield "Wiped Out" if party.out is Left.WIPED_OUT else "conceded"
    if party.laid:
        yield ", ".join(named(each.card) for each in party.laid)
    if party.temporary:
        yield f"Temporary Losses {', '.join(str(card.number) for card in party.temporary)}"
    for loss in party.lasting:
        marks = ", ".join(str(card.number) for card in loss.cards)
        yield f"a Lasting Loss {marks}{f' ({loss.text})' if loss.text else ''}"


def _list(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
