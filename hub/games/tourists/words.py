"""The words for Conflicts and their stories, taken from the catalogues."""

# ruff: noqa: D102  (the base class Words documents the methods)

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from hub.games.game import Choice, Consequence, GameView
from hub.games.telling import Deed, Words
from hub.games.tourists.dealing import DRAWN, MORE, SAID
from hub.games.tourists.held import held
from hub.games.tourists.naming import card_lies, card_name, lies, number, numbers, plain_card
from hub.games.tourists.rules import consequences as q
from hub.games.tourists.rules.conflict import Left, RoundOutcome
from hub.games.tourists.rules.view import PartyView, TouristsView
from hub.kernel.texts import Part, Said, name, names, said


class TouristsWords(Words):
    """Tells Conflicts and their stories in the book's words."""

    def card(self, choice: Choice) -> Part:
        if choice.kind in (DRAWN, "cover"):
            return plain_card(choice.value)
        if choice.kind in (*SAID, *MORE) and not choice.value:
            return Said(f"tourists.stage.card.{choice.kind}")
        return super().card(choice)

    def chosen(self, who: str, choice: Choice) -> Said:
        tell = _CHOSEN.get(choice.kind)
        return tell(name(who), choice.value) if tell else super().chosen(who, choice)

    def begins(self, choice: Choice) -> bool:
        """Whether the choice is a draw, a pass or a party's tactics."""
        return choice.kind in ("drawn", "draw", "pass", "tactics")

    def held(self, holds: Mapping[str, Any]) -> Part:
        return held(holds) or super().held(holds)

    def followed(self, came: Consequence, shown: Mapping[str, Choice]) -> Sequence[Said]:
        """The words for a consequence, such as the effect of a card, the outcome of a round, a Loss
        or the end."""
        return _of_card(came) or _of_round(came) or super().followed(came, shown)

    def deed(self, deed: Deed) -> Said:
        tell = _DEEDS.get(deed["do"])
        return tell(name(deed["name"]), deed) if tell else super().deed(deed)

    def scene(self, ruleset: str) -> Said:
        """The kind of scene: *a Conflict*."""
        return Said("tourists.log.a.conflict")

    def left(self, step: str) -> Said:
        return Said(f"tourists.at-step.{step}")

    def standing(self, view: GameView) -> Iterator[Said]:
        """The words for the present state: the Control, every party with its cards, Reserves, a
        request to reframe, and the result."""
        if isinstance(view, TouristsView):
            yield from _conflict(view)


WORDS = TouristsWords()

_Chosen = Callable[[Part, str], Said]


def _plain(key: str) -> _Chosen:
    return lambda who, _: said(f"tourists.log.{key}", actor=who)


def _with(key: str, place: str, say: Callable[[str], Part]) -> _Chosen:
    """The sentence of a choice, which is longer if the choice has a value. ``place`` is the last
    part of the longer sentence's key, and ``say`` makes the value's words."""

    def tell(who: Part, value: str) -> Said:
        if not value:
            return said(f"tourists.log.{key}", actor=who)
        return said(f"tourists.log.{key}.{place}", actor=who, **{_PLACES[place]: say(value)})

    return tell


_PLACES = {"of": "party", "text": "text"}


def _cover(who: Part, value: str) -> Said:
    of, way, party = [*value.split(" ", 2), "", ""][:3]
    card = plain_card(f"{of} {way}".strip())
    if party:
        return said("tourists.log.cover.of", actor=who, card=card, party=name(party))
    return said("tourists.log.cover", actor=who, card=card)


def _whose(who: Part, party: str) -> Said:
    if party == "no":
        return said("tourists.log.because.no", actor=who)
    return said("tourists.log.whose", actor=who, party=name(party))


def _because(who: Part, value: str) -> Said:
    if value == "no":
        return said("tourists.log.because.no", actor=who)
    what, _, text = value.partition(" ")
    why = said(f"tourists.own.because.{what}", text=text)
    return said("tourists.log.because", actor=who, why=why)


def _losses(who: Part, value: str) -> Said:
    if not value:
        return said("tourists.log.losses", actor=who)
    marks, _, text = value.partition(" ")
    cards = numbers(marks.split(","))
    if text:
        return said("tourists.log.losses.text", actor=who, cards=cards, text=text)
    return said("tourists.log.losses.cards", actor=who, cards=cards)


def _order(who: Part, value: str) -> Said:
    order = names(each.strip() for each in value.split(","))
    return said("tourists.log.order", actor=who, names=order)


def _reframe(who: Part, value: str) -> Said:
    if value in ("yes", "no"):
        return said(f"tourists.log.reframe.{value}", actor=who)
    return said("tourists.log.reframe", actor=who, text=value)


_CHOSEN: Mapping[str, _Chosen] = {
    **{
        each: _plain(each)
        for each in (
            "draw", "pass", "let-be", "let-be-all", "ask-again", "go-on", "break-off", "concede",
        )
    },
    "drawn": lambda who, card: said("tourists.log.drawn", actor=who, card=plain_card(card)),
    "loss": lambda who, of: said("tourists.log.loss", actor=who, number=int(of)),
    "tactics": _with("tactics", "text", str),
    "told": _with("told", "text", str),
    "turn": _with("turn", "of", name),
    "reject": _with("reject", "of", name),
    "cover": _cover,
    "whose": _whose,
    "because": _because,
    "losses": _losses,
    "order": _order,
    "reframe": _reframe,
}  # fmt: skip
"""Kind of choice → the function that makes its sentence, from the actor and the value."""


def _reserve(who: Part, deed: Deed) -> Said:
    cards = deed.get("cards", ())
    if not cards:
        return said("tourists.deed.reserve.none", name=who)
    held = [lies(number(card["number"]), reversed_=card.get("reversed", False)) for card in cards]
    return said("tourists.deed.reserve", name=who, cards=held)


_DEEDS: Mapping[str, Callable[[Part, Deed], Said]] = {
    "gain-weakness": lambda who, d: said("tourists.deed.weakness", name=who, words=d["words"]),
    "heal": lambda who, deed: said("tourists.deed.heal", name=who, words=deed["words"]),
    "gain-aspect": lambda who, deed: said("tourists.deed.aspect", name=who, words=deed["words"]),
    "reserve-is": _reserve,
    "is-dead": lambda who, deed: said(
        "tourists.deed.gone" if deed.get("dead", True) else "tourists.deed.back", name=who
    ),
}


def _of_card(came: Consequence) -> Sequence[Said]:
    match came:
        case q.CardDrawn(who=who, card=card):
            return (said("tourists.came.drawn", who=name(who), card=card_lies(card)),)
        case q.CardTurned(party=party, card=card):
            return (said("tourists.came.turned", party=name(party), card=card_lies(card)),)
        case q.CardRejected(party=party, gone=gone, card=card):
            key = "tourists.came.rejected"
            return (said(key, party=name(party), gone=card_name(gone), card=card_lies(card)),)
        case q.CardCovered(party=party, gone=gone, card=card):
            key = "tourists.came.covered"
            return (said(key, party=name(party), gone=card_name(gone), card=card_lies(card)),)
        case q.Refilled(who=who, card=card):
            return (said("tourists.came.refilled", who=name(who), card=card_lies(card)),)
    return ()


def _of_round(came: Consequence) -> Sequence[Said]:
    match came:
        case q.ControlChanged(party=party, ranks=ranks):
            return (control_said(party, ranks),)
        case q.RoundOver():
            return (outcome_said(came.outcome, came.by, came.dominant),)
        case q.WonAndLost(winners=winners, losers=losers):
            sides = ((winners, "tourists.came.won"), (losers, "tourists.came.lost"))
            return [said(key, names=names(of), count=len(of)) for of, key in sides if of]
        case q.LossSuffered():
            return [*_loss(came)]
        case q.WipedOut(party=party):
            return (said("tourists.came.wiped-out", party=name(party)),)
        case q.Conceded(name=who, draws=draws):
            return (said("tourists.came.conceded", name=name(who), number=draws, count=draws),)
        case q.ConflictEnded(winner=winner, reason=reason):
            return (over_said(winner, reason),)
    return ()


def control_said(party: str | None, ranks: int) -> Said:
    """Who has the Control; ``party`` None: no one."""
    if party is None:
        return Said("tourists.came.balanced")
    return said("tourists.came.control", party=name(party), ranks=ranks, count=ranks)


def outcome_said(outcome: RoundOutcome, by: Sequence[str], dominant: str | None) -> Said:
    """How a round ended; ``by``: the parties that took or broke the Control."""
    key = f"tourists.outcome.{outcome}"
    if outcome is RoundOutcome.BROKEN and not by:
        key = "tourists.outcome.broken.out"
    return said(key, by=names(by), count=len(by), dominant=name(dominant or ""))


def _loss(came: q.LossSuffered) -> Iterator[Said]:
    kind = "temporary" if came.gravity is None else "lasting"
    cards = [card_name(card) for card in came.cards]
    yield said(f"tourists.came.{kind}", party=name(came.party), who=name(came.who), cards=cards)
    if came.gravity is not None:
        yield Said(f"tourists.gravity.{came.gravity}")
    if came.text:
        yield said("tourists.came.loss.text", text=came.text)


def over_said(winner: str | None, reason: str) -> Said:
    """How a Conflict ended."""
    key = f"tourists.over.{reason}"
    return said(key, party=name(winner)) if winner else Said(key)


def _conflict(view: TouristsView) -> Iterator[Said]:
    control = view.control
    yield control_said(control.party if control else None, control.ranks if control else 0)
    for party, seen in view.parties.items():
        facts = [*_party(seen)] or [Said("tourists.standing.nothing")]
        yield said("standing.of", name=name(party), facts=facts)
    for who, character in view.members.items():
        if character.reserve:
            cards = [card_lies(card) for card in character.reserve]
            yield said("tourists.deed.reserve", name=name(who), cards=cards)
    if view.wish:
        yield said("tourists.log.reframe", actor=name(view.wish.who), text=view.wish.text)
    if view.result:
        yield over_said(view.result.winner, view.result.reason)


def _party(party: PartyView) -> Iterator[Said]:
    if party.out is not None:
        wiped = party.out is Left.WIPED_OUT
        yield Said("tourists.doing.wiped-out" if wiped else "tourists.doing.conceded")
    yield from (card_lies(each.card) for each in party.laid)
    if party.temporary:
        cards = numbers(card.number for card in party.temporary)
        yield said("tourists.standing.temporary", cards=cards)
    for loss in party.lasting:
        cards = numbers(card.number for card in loss.cards)
        key = "tourists.standing.lasting.text" if loss.text else "tourists.standing.lasting"
        yield said(key, cards=cards, text=loss.text)
