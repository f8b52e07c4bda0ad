"""Chooses for an actor, knowing no more than the page of the actor's seat shows."""

from collections.abc import Iterable, Sequence
from random import Random

from msgspec import Struct

from hub.games.game import GM, Choice
from hub.games.registry import playing_of
from hub.table.acts.commit import Commit
from hub.table.acts.decide import Decide
from hub.table.inputs import Command
from hub.table.sealed import Sealed
from hub.table.state import PASS, Phase
from hub.table.views import PublicView
from hub.wire.private_frames import Asked, Held, Offered

DARING = 0.25
"""How likely a player is to lay a card beside a step when possible, from 0 to 1."""


class Seen(Struct, frozen=True):
    """Everything that one player knows: the content of the page of the actor's seat, about this
    actor.
    """

    actor: str
    view: PublicView
    held: Held | None
    """The actor's hand; None for the referee, who has none."""
    asked: Sequence[Asked]


def choose(seen: Seen, chance: Random) -> Command | None:
    """The next choice; None if the actor can choose nothing now. All randomness comes from
    ``chance``.
    """
    if seen.actor in seen.view.answers:
        return Decide(actor=seen.actor, choice=PASS)
    if seen.view.phase is Phase.SEALED:
        return _seal(seen, chance)
    return _decide(seen, chance)


def unasked(view: PublicView, actor: str) -> Decide | None:
    """The declaration that the hub makes for this actor unasked; None if there is none."""
    said = playing_of(view.game).unasked(view.step, view.game, actor)
    return Decide(actor=actor, choice=str(said)) if said else None


def _seal(seen: Seen, chance: Random) -> Command | None:
    held = seen.held
    if held is None:
        return None
    playing = playing_of(seen.view.game)
    legal = _open(held["offers"])
    beside = [c for c in legal if c.kind in held["beside_kinds"] and c not in playing.last_resort]
    declared = {c for each in seen.asked for c in _open(each["offers"])}
    if playing.asks in declared and _holds(seen, playing.beside) and chance.random() < DARING:
        return Decide(actor=seen.actor, choice=str(playing.asks))
    if beside and not held["beside"] and chance.random() < DARING:
        return Commit(actor=seen.actor, choice=Sealed(chance.choice(beside)))
    found = _drawn(seen, [c for c in legal if c.kind in held["kinds"]], chance)
    return Commit(actor=seen.actor, choice=Sealed(found)) if found else None


def _holds(seen: Seen, beside: str) -> bool:
    """Whether the actor holds a card of the kind ``beside``, to lay beside this step or a later
    one.
    """
    offers = seen.held["offers"] if seen.held else ()
    last = playing_of(seen.view.game).last_resort
    return any(o["kind"] == beside and _choice(o) not in last for o in offers)


def _decide(seen: Seen, chance: Random) -> Command | None:
    held = seen.held
    if held is not None and chance.random() < DARING:
        last = playing_of(seen.view.game).last_resort
        laid = [c for c in _open(held["offers"]) if c.kind in held["beside_kinds"]]
        openly = [c for c in laid if c not in last]
        if openly:
            return Decide(actor=seen.actor, choice=str(chance.choice(openly)))
    made = _made(seen, chance)
    for each in seen.asked:
        if weighed := _weighed(seen, each):
            found = _drawn(seen, [*weighed, *made], chance)
            return Decide(actor=seen.actor, choice=str(found)) if found else None
        offers = [o for o in each["offers"] if not o["reason"] and o["kind"] not in each["free"]]
        sensible = next((_choice(o) for o in offers if o["default"]), None)
        found = sensible or _drawn(seen, _named_first(seen, [*map(_choice, offers)]), chance)
        if found is not None:
            return Decide(actor=seen.actor, choice=str(found))
    return Decide(actor=seen.actor, choice=str(made[0])) if made else None


def _made(seen: Seen, chance: Random) -> list[Choice]:
    """The choice that the family makes up because it is not among the offers; empty if there is
    none.
    """
    held = seen.held
    if held is None or not held["awaited"] or held["committed"]:
        return []
    made = playing_of(seen.view.game).made(seen.view.game, held["kinds"], seen.actor, chance)
    return [made] if made else []


def _weighed(seen: Seen, asked: Asked) -> list[Choice]:
    """The open choices of the kinds that the family weighs, if the step waits for such a choice;
    else empty.
    """
    weighs = playing_of(seen.view.game).weighs
    awaited = [o for o in asked["offers"] if o["kind"] not in asked["free"]]
    if not any(o["kind"] in weighs for o in awaited):
        return []
    return [c for c in _open(asked["offers"]) if c.kind in weighs]


def _named_first(seen: Seen, choices: Sequence[Choice]) -> Sequence[Choice]:
    """For the referee, the choices that name people's actors, if there are any; else all
    ``choices``.

    People come before the actors that the hub plays, because people came to play.
    """
    if seen.actor != GM:
        return choices
    everybody = {name for seat in seen.view.seats for name in seat.characters}
    people = everybody - {*seen.view.hub_plays}
    return [each for each in choices if each.value in people] or choices


def _drawn(seen: Seen, choices: Sequence[Choice], chance: Random) -> Choice | None:
    """A random choice, weighted by the family's liking; a last resort only if there is nothing
    else. None without choices.
    """
    if not choices:
        return None
    playing = playing_of(seen.view.game)
    liked = [c for c in choices if c not in playing.last_resort] or choices
    weights = [playing.liking(seen.view.game, seen.actor, c) for c in liked]
    if not any(weights):
        return chance.choice(liked)
    return chance.choices(liked, weights)[0]


def _open(offers: Iterable[Offered]) -> list[Choice]:
    return [_choice(offer) for offer in offers if not offer["reason"]]


def _choice(offer: Offered) -> Choice:
    return Choice(offer["kind"], offer["value"])
