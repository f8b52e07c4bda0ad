"""All overrules in a Conflict: when each is possible, its form and its effect."""

from collections.abc import Callable, Iterator
from typing import Any

from hub.games.game import MAX_WORD_CHARS
from hub.games.tourists.rules.conflict import Conflict, RoundOutcome
from hub.games.tourists.rules.ending import LASTING_FROM
from hub.games.tourists.rules.overrule import cards, losses, standing
from hub.games.tourists.rules.overrule import word as w
from hub.games.tourists.rules.places import Where, places, still_lies
from hub.games.words import Holds
from hub.kernel.forms import Field, each_of, flag, number, one, several, words

Says = Callable[[Conflict, Any], Conflict]
Fields = Callable[[Conflict], tuple[Field, ...]]


def open_now(conflict: Conflict) -> tuple[type[Holds], ...]:
    """The overrules that are possible now."""
    if conflict.over:
        return (w.CardIs, w.LossLies, w.AgainstIs)
    now = still_lies(conflict)
    shut: set[type[Holds]] = set()
    if now is None:
        shut = {w.CardLies, w.TokensAre, w.RoundEnds}
    elif now.outcome is not None or now.dominant is None:
        shut = {w.TokensAre}
    return tuple(kind for kind in SAYS if kind not in shut)


def _control(conflict: Conflict) -> tuple[Field, ...]:
    ranks = conflict.control.ranks if conflict.control else 1
    has = (number("ranks", first=ranks, least=1, most=w.MOST_RANKS),)
    parties: dict[str | None, tuple[Field, ...]] = dict.fromkeys(conflict.parties_in(), has)
    first = conflict.control.party if conflict.control else None
    return (one("party", "dominant", {None: (), **parties}, first=first),)


def _card(conflict: Conflict) -> tuple[Field, ...]:
    up = flag("reversed", first=False)
    parties = conflict.parties_in()
    to: dict[str, tuple[Field, ...]] = {w.To.DECK: ()}
    if still_lies(conflict):
        drew = each_of(parties, lambda name: (_who(conflict, name), up))
        to[w.To.BEFORE] = drew
    to[w.To.RESERVE] = each_of(conflict.reserves, lambda _: (up,))
    to[w.To.LOSS] = each_of(parties, lambda _: ())
    return (one("number", "card", sorted(conflict.deck)), one("to", "place", to))


def _who(conflict: Conflict, name: str, first: str | None = None) -> Field:
    """Choose the character of a party that drew a card or bears a Loss."""
    able = [*conflict.parties[name].sheets] if first else conflict.characters_in(name)
    return one("who", "who", able, first=first)


def _turned(conflict: Conflict) -> tuple[Field, ...]:
    now = still_lies(conflict)
    lies = {name: laid for name, laid in now.laid.items() if laid} if now else {}

    def of(name: str) -> tuple[Field, ...]:
        cards = {
            each.card.number: (flag("reversed", first=not each.card.reversed),)
            for each in lies[name]
        }
        return (one("number", "card", cards),)

    return each_of(lies, of)


def _lasting(conflict: Conflict) -> tuple[Field, ...]:
    """Offers all cards except those that already mark a Lasting Loss; cards before a party come
    first."""
    marks = {
        number
        for name in conflict.parties_in()
        for each in conflict.losses[name].lasting
        for number in each.cards
    }
    lies = [n for n, spot in places(conflict).items() if spot.where is Where.BEFORE]
    able = [*sorted(lies), *(n for n in sorted(conflict.deck) if n not in marks and n not in lies)]
    said = words("text", most=MAX_WORD_CHARS)
    return (
        *each_of(conflict.parties_in(), lambda name: (_who(conflict, name),)),
        several("cards", "card", able, able[:LASTING_FROM], most=LASTING_FROM),
        said,
    )


def _loss(conflict: Conflict) -> tuple[Field, ...]:
    def of(name: str) -> Iterator[tuple[int, tuple[Field, ...]]]:
        for number_, each in enumerate(conflict.losses[name].lasting, 1):
            down = [card for card in each.cards if card in each.face_down]
            yield (
                number_,
                (
                    _who(conflict, name, each.who),
                    words("text", most=MAX_WORD_CHARS, first=each.text),
                    several("face_down", "face-down", each.cards, down),
                ),
            )

    able = [name for name in conflict.parties_in() if conflict.losses[name].lasting]
    return each_of(able, lambda name: (one("loss", "loss", dict(of(name))),))


def _no_loss(conflict: Conflict) -> tuple[Field, ...]:
    def marks(name: str) -> list[int]:
        found = conflict.losses[name]
        return [*found.temporary, *(each.cards[0] for each in found.lasting)]

    able = [name for name in conflict.parties_in() if marks(name)]
    return each_of(able, lambda name: (one("number", "card", marks(name)),))


def _tokens(conflict: Conflict) -> tuple[Field, ...]:
    now = conflict.playing()
    return (number("left", first=now.tokens - now.spent, most=w.MOST_RANKS),)


def _out(conflict: Conflict) -> tuple[Field, ...]:
    """If a party is a single character of the same name, only the party is offered."""
    parties = conflict.parties
    single = {who for name in parties for who in parties[name].sheets if who in parties}
    wiped_out = (flag("out", first=True), flag("wiped_out", first=False))
    found: dict[str, tuple[Field, ...]] = {}
    for name in parties:
        is_in = name not in conflict.out
        found[name] = wiped_out if is_in else (flag("out", first=False),)
        for who in parties[name].sheets:
            if who not in single:
                found[who] = (flag("out", first=conflict.is_in(who)),)
    return each_of(found, lambda name: found[name])


def _outcome(conflict: Conflict) -> tuple[Field, ...]:
    now = conflict.playing()
    if now.outcome is RoundOutcome.DOMINANT_OUT:
        return ()
    able = standing.OF_A_BREAKER if now.dominant is None else standing.UNBALANCED
    others = [name for name in conflict.parties_in() if name != now.dominant]

    def by(outcome: RoundOutcome) -> tuple[Field, ...]:
        if outcome is RoundOutcome.TAKEN:
            return (several("by", "by", others, now.by or others[:1], most=1),)
        if outcome is RoundOutcome.BROKEN:
            return (several("by", "by", others, now.by or others[:1]),)
        return ()

    options = {str(each): by(each) for each in able}
    return (one("outcome", "outcome", options, first=str(now.outcome or able[0])),)


def _against(conflict: Conflict) -> tuple[Field, ...]:
    return each_of(
        conflict.party_of,
        lambda who: (number("times", first=conflict.against.get(who, 0), most=w.MOST_RANKS),),
    )


SAYS: dict[type[Holds], tuple[Says, Fields]] = {
    w.CardLies: (cards.turned, _turned),
    w.CardIs: (cards.card, _card),
    w.ControlIs: (standing.control, _control),
    w.TokensAre: (standing.tokens, _tokens),
    w.RoundEnds: (standing.outcome, _outcome),
    w.LastingIs: (losses.lasting, _lasting),
    w.LossLies: (losses.loss, _loss),
    w.NoLoss: (losses.no_loss, _no_loss),
    w.OutOrIn: (standing.out, _out),
    w.AgainstIs: (standing.against, _against),
}
"""The effect and the form of each overrule."""
