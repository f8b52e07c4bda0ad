"""What the hub does unprompted in a tale. As a player, it cures afflictions and sometimes uses a
perk. As the GM, it calls for rolls until it ends the scene.

It uses public information only. As a player, it always does the same at the same view.
"""

from collections.abc import Iterator
from random import Random
from typing import get_args

from hub.games.game import Choice
from hub.games.tricube.rules import said as s
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.said import write
from hub.games.tricube.rules.view import AfflictionView, TaleCharacterView, TricubeView

_HEALING = (
    *("heal", "medic", "surg", "doctor", "cure", "bandage", "first aid", "regenerat"),
    *("heil", "arzt", "ärzt", "medizin", "sanit", "verband", "feldscher"),
)
"""Parts of words that identify a healing perk, in the languages of the pages."""
_FLAVOUR, _IMPACT, _BYPASS = 0.05, 0.07, 0.1
"""Cumulative shares of the moments at which a character could use a perk: for colour, for an effect
on the story, to bypass a challenge."""
_SPARE = 2
"""The least karma with which a character spends karma outside rolls, except for a cure."""


def moved(view: TricubeView, actor: str) -> Choice | None:
    """A character's unprompted action between two rolls; None for nothing."""
    own = view.cast.get(actor)
    if own is None or own.absent is not None or own.away or not own.perks:
        return None
    if view.rolling is not None or view.asked is not None:
        return None
    return _cure(view, actor, own) or _perk(view, actor, own)


def _cure(view: TricubeView, actor: str, own: TaleCharacterView) -> Choice | None:
    """A cure, if the character has a healing perk and a karma; None otherwise. Retired characters
    are cured first, then those with the most afflictions."""
    perk = next((each for each in own.perks if _heals(each)), None)
    if perk is None or not own.karma:
        return None
    hurt = {who: found for who, each in view.cast.items() if (found := [*_curable(each)])}
    if not hurt:
        return None
    who = max(hurt, key=lambda each: _need(view.cast[each]))
    patient = None if who == actor else who
    return Choice("cure", write(s.CureSaid(hurt[who][0].name, (perk,), patient)))


def _heals(perk: str) -> bool:
    said = perk.casefold()
    return any(part in said for part in _HEALING)


def _curable(own: TaleCharacterView) -> Iterator[AfflictionView]:
    """A living character's afflictions that outlast the scene and are not permanent."""
    if own.absent is not Absent.DEAD:
        yield from (each for each in own.afflictions if each.lasts is Lasts.LONGER)


def _need(own: TaleCharacterView) -> tuple[bool, int]:
    return own.absent is Absent.RETIRED, len(own.afflictions)


def _perk(view: TricubeView, actor: str, own: TaleCharacterView) -> Choice | None:
    """The use of a perk once in a while: for colour, which is free, or, with karma to spare, for an
    effect on the story or to bypass a challenge. Usually None."""
    chance = _drawn(view, actor)
    drawn, perk = chance.random(), chance.choice(own.perks)
    if drawn < _FLAVOUR:
        return _use(perk, Use.FLAVOUR)
    if own.karma < _SPARE or not _FLAVOUR <= drawn < _BYPASS:
        return None
    if drawn < _IMPACT:
        return _use(perk, Use.IMPACT)
    able = [*_passable(view, actor)]
    return _use(perk, Use.BYPASS, chance.choice(able)) if able else None


def _use(perk: str, use: Use, challenge: str | None = None) -> Choice:
    return Choice("perk", write(s.PerkSaid((perk,), use, challenge)))


def _passable(view: TricubeView, actor: str) -> Iterator[str]:
    """The challenges without effort tokens that are neither overcome nor bypassed by ``actor``."""
    for name in view.listed:
        met = view.challenges[name]
        if not met.overcome and not met.effort and actor not in met.bypassed:
            yield name


def _drawn(view: TricubeView, actor: str) -> Random:
    """A random source seeded by public information, which stays the same until something
    happens."""
    newest = view.last_rolling
    dice = [roll.dice for roll in newest.rolls.values()] if newest else []
    left = [view.challenges[name].left for name in view.listed]
    return Random(f"{actor} {view.turns} {dice} {left}")  # noqa: S311 - it may be guessed


LONG = 8
"""The turn in which the scene ends at the latest."""
_TWO = 2
_NEVER, _NOW = 0.0, 100.0
_CALLS, _TURNS, _PLAIN_PRICE, _NO = 6.0, 1.0, 3.0, 0.5
_CURES, _PERKS = 9.0, 3.0
"""The weights of agreeing to a cure, and to other uses of perks; the weight of refusing is 1."""
_USUAL = 5
_TYPES: tuple[s.Kind, ...] = get_args(s.Kind)
_OFFERS, _OPPOSES, _NPCS = 0.1, 0.18, 0.22
"""Cumulative shares of all calls: offers of a complication, opposed rolls, rolls of NPCs."""
_DEFENDS, _SEALS, _HINDERS = 0.3, 0.3, 0.25


def standing(view: TricubeView) -> list[str]:
    """The challenges not yet overcome, in the order they came."""
    return [name for name in view.listed if not view.challenges[name].overcome]


def there(view: TricubeView) -> list[str]:
    """The characters that can be called for a roll."""
    return [who for who in view.around if view.cast[who].absent is None and not view.cast[who].away]


def is_enough(view: TricubeView) -> bool:
    """Whether the scene should end, because no challenge or no character is left, or turn ``LONG``
    has come."""
    return not standing(view) or not there(view) or view.turns >= LONG


def liking(view: TricubeView, choice: Choice) -> float:
    """The weight of a GM's choice, such as what comes next, a difficulty or the price of a
    failure."""
    match choice.kind:
        case "end":
            return _NOW if is_enough(view) else _NEVER
        case "turn":
            return _NEVER if is_enough(view) else _TURNS
        case "call" | "offer" | "oppose" | "npcs":
            return _NEVER if is_enough(view) else _CALLS
        case "difficulty":
            return _TURNS * (2 if choice.value == str(_USUAL) else 1)
        case "price":
            return _TURNS if choice.value else _PLAIN_PRICE
        case "complication":
            return _TURNS if choice.value else _NO
        case "nod" if choice.value == "yes":
            return _CURES if view.asked and view.asked.what == "cure" else _PERKS
    return 1


def called(view: TricubeView, chance: Random) -> Choice | None:
    """A call for some of the characters to roll; sometimes an offer, opposed rolls or a roll of
    NPCs. None if no character or no challenge is left."""
    people, things = there(view), standing(view)
    if not people or not things:
        return None
    drawn = chance.random()
    if drawn < _OFFERS and (offered := _offer(view, people, chance)):
        return offered
    if _OFFERS <= drawn < _OPPOSES and len(people) >= _TWO:
        return _opposed(people, chance)
    if _OPPOSES <= drawn < _NPCS and (between := _npcs(view, people, things, chance)):
        return between
    return _rolls(view, people, chance.choice(things[:_TWO]), chance)


def _rolls(view: TricubeView, people: list[str], thing: str, chance: Random) -> Choice:
    """A roll of some characters at a challenge, or a defense of those that have had none."""
    met = view.challenges[thing]
    fresh = [who for who in people if not view.cast[who].defended]
    sealed = met.difficulty is None or chance.random() < _SEALS
    defense = bool(met.effort and fresh) and chance.random() < _DEFENDS
    some = fresh if defense else chance.sample(people, chance.randint(1, len(people)))
    kind: s.Kind = "agile" if defense else chance.choice(_TYPES)
    rollers = {who: _roller(view.cast[who], chance) for who in people if who in some}
    return Choice("call", write(s.Call(thing, kind, rollers, defense, sealed)))


def _roller(own: TaleCharacterView, chance: Random) -> s.Roller:
    """The options for one roller, sometimes with an affliction that counts."""
    if own.afflictions and chance.random() < _HINDERS:
        return s.Roller(hindered=chance.choice(own.afflictions).name)
    return s.Roller()


def _offer(view: TricubeView, people: list[str], chance: Random) -> Choice | None:
    """An offer of a complication out of a quirk, to a character that lacks karma; None if there is
    no such character."""
    able = [
        who
        for who in people
        if view.cast[who].karma < view.cast[who].karma_max and view.cast[who].quirks
    ]
    if not able:
        return None
    who = chance.choice(able)
    return Choice("offer", write(s.OfferSaid(who, quirk=chance.choice(view.cast[who].quirks))))


def _opposed(people: list[str], chance: Random) -> Choice:
    kind = chance.choice(_TYPES)
    sides = {who: s.Side(kind) for who in chance.sample(people, _TWO)}
    return Choice("oppose", write(s.Oppose(sides)))


def _npcs(view: TricubeView, people: list[str], things: list[str], chance: Random) -> Choice | None:
    """A call for two foes to roll against each other; None if there are not two with effort
    tokens."""
    able = [name for name in things if view.challenges[name].effort and name not in view.cast]
    if len(able) < _TWO:
        return None
    sides = {name: chance.randint(1, 3) for name in chance.sample(able, _TWO)}
    return Choice("npcs", write(s.Npcs(sides, {name: chance.choice(people) for name in sides})))
