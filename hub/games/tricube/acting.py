"""Unprompted actions of the hub's players in a tale: cures, and the occasional perk.

Everything depends on public information only, so that two players at the same table do the same.
"""

from collections.abc import Iterator
from random import Random

from hub.games.game import Choice
from hub.games.tricube.rules.character import Absent, Lasts
from hub.games.tricube.rules.perks import Use
from hub.games.tricube.rules.said import CureSaid, PerkSaid, write
from hub.games.tricube.rules.view import AfflictionView, TaleCharacterView, TricubeView

_HEALING = (
    *("heal", "medic", "surg", "doctor", "cure", "bandage", "first aid", "regenerat"),
    *("heil", "arzt", "ärzt", "medizin", "sanit", "verband", "feldscher"),
)
"""Parts of words that identify a healing perk, in the languages of the pages."""
_FLAVOUR, _IMPACT, _BYPASS = 0.05, 0.07, 0.1
"""Cumulative shares of the moments at which a perk could be used."""
_SPARE = 2
"""Least karma at which a character spends some outside rolls."""


def moved(view: TricubeView, actor: str) -> Choice | None:
    """A character's unprompted action between two rolls; None for nothing."""
    own = view.cast.get(actor)
    if own is None or own.absent is not None or own.away or not own.perks:
        return None
    if view.rolling is not None or view.asked is not None:
        return None
    return _cure(view, actor, own) or _perk(view, actor, own)


def _cure(view: TricubeView, actor: str, own: TaleCharacterView) -> Choice | None:
    """Cure an affliction, if the character has a healing perk and a karma. Retired characters come
    first, then those with the most afflictions."""
    perk = next((each for each in own.perks if _heals(each)), None)
    if perk is None or not own.karma:
        return None
    hurt = {who: found for who, each in view.cast.items() if (found := [*_curable(each)])}
    if not hurt:
        return None
    who = max(hurt, key=lambda each: _need(view.cast[each]))
    patient = None if who == actor else who
    return Choice("cure", write(CureSaid(hurt[who][0].name, (perk,), patient)))


def _heals(perk: str) -> bool:
    said = perk.casefold()
    return any(part in said for part in _HEALING)


def _curable(own: TaleCharacterView) -> Iterator[AfflictionView]:
    """Afflictions that do not end by themselves and whose cure costs no maximum of karma."""
    if own.absent is not Absent.DEAD:
        yield from (each for each in own.afflictions if each.lasts is Lasts.LONGER)


def _need(own: TaleCharacterView) -> tuple[bool, int]:
    return own.absent is Absent.RETIRED, len(own.afflictions)


def _perk(view: TricubeView, actor: str, own: TaleCharacterView) -> Choice | None:
    """Use a perk once in a while: for colour, which is free, or, with karma to spare, for an effect
    on the story or to bypass a challenge."""
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
    return Choice("perk", write(PerkSaid((perk,), use, challenge)))


def _passable(view: TricubeView, actor: str) -> Iterator[str]:
    """Challenges that each character must get past alone, and this one has not."""
    for name in view.listed:
        met = view.challenges[name]
        if not met.overcome and not met.effort and actor not in met.bypassed:
            yield name


def _drawn(view: TricubeView, actor: str) -> Random:
    """A random source seeded with public information, so that the draw stays the same until
    something happens."""
    newest = view.last_rolling
    dice = [roll.dice for roll in newest.rolls.values()] if newest else []
    left = [view.challenges[name].left for name in view.listed]
    return Random(f"{actor} {view.turns} {dice} {left}")  # noqa: S311 - it may be guessed
