"""The words for the choices in a tale. Some choices have a plain value, others one line of JSON."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Struct

from hub.games.tricube.rules import said as s
from hub.games.tricube.rules.character import Trait
from hub.games.tricube.rules.perks import Use
from hub.kernel.texts import Part, Said, name, names, said

_TRAITS = {*map(str, Trait)}
_Places = Mapping[str, Part | list[Any]]
_Of = tuple[str, _Places]
"""The last part of a text's key, and what fills its places beside the actor."""


def chosen(who: str, kind: str, value: str) -> Said | None:
    """The words for a choice by ``who``; None if a tale has no such choice."""
    if value.startswith("{"):
        found = _of_values(kind, value)
    else:
        found = _WORDS[kind](value) if kind in _WORDS else None
    return found and said(f"tricube.log.{found[0]}", actor=name(who), **found[1])


def _or_none(key: str, none: str, place: str) -> Callable[[str], _Of]:
    return lambda value: (key, {place: value}) if value else (none, {})


_WORDS: Mapping[str, Callable[[str], _Of]] = {
    "turn": lambda _: ("turn", {}),
    "end": lambda _: ("end", {}),
    "throw": lambda _: ("throw", {}),
    "approach": lambda value: (
        ("approach.quirk", {"quirk": value.removeprefix("quirk ")})
        if value.startswith("quirk ")
        else ("approach.plain", {})
    ),
    "difficulty": lambda number: ("difficulty", {"difficulty": number}),
    "dice": lambda dice: ("dice", {"dice": dice}),
    "karma": lambda perk: ("karma.none", {}) if perk == "none" else ("karma", {"perks": [perk]}),
    "complication": _or_none("instead", "instead.none", "text"),
    "accept": lambda answer: (f"accept.{answer}", {}),
    "nod": lambda answer: (f"nod.{answer}", {}),
    "regain": lambda token: (f"regain.{token}", {}),
    "price": lambda _: ("price", {}),
    "told": _or_none("told.text", "told", "text"),
}
"""Kind of choice → the function that words its plain value."""


def _of_values(kind: str, value: str) -> _Of | None:
    form, tell = _FORMS.get(kind, (None, None))
    if form is None or tell is None:
        return None
    try:
        return tell(msgspec.json.decode(value, type=form))
    except msgspec.DecodeError:
        return None


def _type(of: str) -> Said:
    return Said(f"tricube.{'trait' if of in _TRAITS else 'style'}.{of}")


def _quoted(text: str) -> Part:
    return said("tricube.log.quoted", text=text) if text else ""


def _call(call: s.Call) -> _Of:
    challenge = call.challenge
    key = f"{'defense' if call.defense else 'call'}{'.sealed' if call.sealed else ''}"
    return key, {
        "names": names(call.rollers),
        "count": len(call.rollers),
        "challenge": challenge if isinstance(challenge, str) else challenge.name,
        "type": _type(call.type),
    }


def _oppose(oppose: s.Oppose) -> _Of:
    sides = oppose.sides.items()
    each = [said("tricube.log.side", name=name(who), type=_type(of.type)) for who, of in sides]
    return "oppose", {"sides": each}


def _offer(offer: s.OfferSaid) -> _Of:
    places: _Places = {"who": name(offer.who), "told": _quoted(offer.told)}
    if because := offer.quirk or offer.affliction:
        return "offer.for", {**places, "because": because}
    return "offer", places


def _of_affliction(key: str) -> Callable[[s.AfflictionSaid], _Of]:
    return lambda of: (key, {"who": name(of.who), "affliction": of.affliction})


def _perk(used: s.PerkSaid) -> _Of:
    places: _Places = {"perks": names(used.perks), "told": _quoted(used.told)}
    past = {"challenge": used.challenge or ""} if used.use is Use.BYPASS else {}
    return f"perk.{used.use}", {**places, **past}


def _cure(cure: s.CureSaid) -> _Of:
    places: _Places = {"affliction": cure.affliction, "perks": names(cure.perks)}
    return ("cure.of", {**places, "who": name(cure.who)}) if cure.who else ("cure", places)


def _karma(karma: s.KarmaSaid) -> _Of:
    perks = names(karma.perks)
    if karma.roll:
        return "karma.for", {"perks": perks, "who": name(karma.roll)}
    return "karma", {"perks": perks}


def _price(price: s.PriceSaid) -> _Of:
    parts = [Said("tricube.log.price.resolve")] if price.resolve else []
    if price.complication:
        parts.append(said("tricube.log.price.complication", text=price.complication))
    if price.told:
        parts.append(said("tricube.log.quote", text=price.told))
    return "price.is", {"parts": parts}


def _fate(fate: s.FateSaid) -> _Of:
    key = "fate.fatal" if fate.fatal else "fate.stays" if fate.stays else "fate"
    return key, {"affliction": fate.affliction}


_FORMS: Mapping[str, tuple[type[Struct], Callable[[Any], _Of]]] = {
    "call": (s.Call, _call),
    "oppose": (s.Oppose, _oppose),
    "npcs": (s.Npcs, lambda npcs: ("npcs", {"sides": names(npcs.sides)})),
    "offer": (s.OfferSaid, _offer),
    "challenge": (s.NewChallenge, lambda new: ("challenge", {"name": new.name})),
    "recover": (s.AfflictionSaid, _of_affliction("recover")),
    "convert": (s.AfflictionSaid, _of_affliction("convert")),
    "perk": (s.PerkSaid, _perk),
    "cure": (s.CureSaid, _cure),
    "karma": (s.KarmaSaid, _karma),
    "price": (s.PriceSaid, _price),
    "fate": (s.FateSaid, _fate),
}
"""Kind of choice → the type of its line of JSON, and the function that words that value."""
