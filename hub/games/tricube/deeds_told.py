"""The words for deeds of a story and for overrules, from their values in the journal."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hub.games.telling import Deed
from hub.kernel.texts import Part, Said, name, names, said

_Values = Mapping[str, Any]
_TOKENS = ("karma", "karma_max", "resolve", "resolve_max")


def deed_told(deed: Deed) -> Said | None:
    """The words for a deed; None if a tale has no such deed of its own."""
    tell = _DEEDS.get(deed["do"])
    return tell(deed) if tell else None


def held(holds: _Values) -> Said | None:
    """The words for an overrule; None if a tale has no such overrule."""
    tell = _HELD.get(holds["what"])
    return tell(holds) if tell else None


def _affliction(of: _Values) -> Said:
    lasts = Said(f"tricube.lasts.{of.get('lasts', 'longer')}")
    return said("tricube.lasting.affliction", name=of["name"], lasts=lasts)


def _texts(texts: Sequence[str]) -> Said:
    return said("list", items=names(texts)) if texts else _NONE


_NONE = Said("tricube.lasting.none")
_SHEET: Mapping[str, Callable[[Any], Part]] = {
    "concept": str,
    "style": lambda style: Said(f"tricube.style.{style}"),
    "description": lambda text: text or _NONE,
    "perks": _texts,
    "quirks": _texts,
    "afflictions": lambda all_: said("list", items=[*map(_affliction, all_)]) if all_ else _NONE,
}
"""The parts of a sheet that a deed can set, each with the function that words it."""


def _sheet(deed: Deed, words: Mapping[str, Callable[[Any], Part]]) -> Said:
    parts = [
        said("tricube.deed.part", what=Said(f"tricube.field.{key}"), value=word(deed[key]))
        for key, word in words.items()
        if deed.get(key) is not None
    ]
    return said("tricube.deed.sheet", name=name(deed["name"]), parts=parts)


def _cure(deed: Deed) -> Said:
    who, complication = deed.get("who") or deed["name"], deed.get("complication")
    places: dict[str, Any] = {
        "name": name(deed["name"]),
        "affliction": deed["affliction"],
        "perks": names(deed.get("perks", ())),
    }
    of = ""
    if who != deed["name"]:
        of, places["who"] = ".of", name(who)
    if not complication:
        return said(f"tricube.deed.cure{of}", **places)
    return said(f"tricube.deed.cure{of}.instead", text=complication, **places)


def _of_affliction(key: str) -> Callable[[_Values], Said]:
    return lambda of: said(key, name=name(of["name"]), affliction=of["affliction"])


_DEEDS: Mapping[str, Callable[[Deed], Said]] = {
    "session": lambda _: Said("tricube.deed.session"),
    "cure": _cure,
    "recover": _of_affliction("tricube.deed.recover"),
    "convert": _of_affliction("tricube.deed.convert"),
    "gain-affliction": lambda deed: said(
        "tricube.deed.affliction",
        name=name(deed["name"]),
        affliction=_affliction({**deed, "name": deed["affliction"]}),
    ),
    "gain": lambda deed: said(
        f"tricube.deed.gain.{deed['what']}", name=name(deed["name"]), words=deed["words"]
    ),
    "lose": lambda deed: said(
        f"tricube.deed.lose.{deed['what']}", name=name(deed["name"]), words=deed["words"]
    ),
    "tokens-are": lambda deed: _sheet(deed, dict.fromkeys(_TOKENS, int)),
    "sheet-is": lambda deed: _sheet(deed, _SHEET),
    "is-dead": lambda deed: said(
        "tricube.deed.dead" if deed.get("dead", True) else "tricube.deed.lives",
        name=name(deed["name"]),
    ),
    "join": lambda deed: said("tricube.deed.join", name=name(deed["name"])),
    "take-place": lambda deed: said(
        "tricube.deed.place", name=name(deed["name"]), of=name(deed["of"])
    ),
}


def _either(key: str, yes: str, no: str) -> Callable[[_Values], Said]:
    """A function that words an overrule by its flag ``key``: text ``yes`` or text ``no``."""
    return lambda holds: said(
        f"tricube.held.{yes if holds.get(key, True) else no}", name=name(holds["name"])
    )


def _parts(holds: _Values, keys: Sequence[str]) -> list[Said]:
    return [_part(key, holds[key]) for key in keys if holds.get(key) is not None]


def _part(key: str, value: int) -> Said:
    if isinstance(value, bool):
        return Said(f"tricube.held.part.{key}.{'yes' if value else 'no'}")
    return said(f"tricube.held.part.{key}", value=value, count=value)


def _bypassed(holds: _Values) -> Said:
    key = "bypassed" if holds.get("bypassed", True) else "bypassed.not"
    return said(f"tricube.held.{key}", name=holds["name"], who=name(holds["who"]))


def _suffers(holds: _Values) -> Said:
    lasts = Said(f"tricube.lasts.{holds.get('lasts', 'longer')}")
    places = {"name": name(holds["name"]), "affliction": holds["affliction"]}
    return said("tricube.held.affliction", lasts=lasts, **places)


def _of_quirk(key: str) -> Callable[[_Values], Said]:
    return lambda holds: said(key, name=name(holds["name"]), quirk=holds["quirk"])


_CHALLENGE = ("difficulty", "effort", "left", "deadly", "over")
_HELD: Mapping[str, Callable[[_Values], Said]] = {
    "dice": lambda holds: said(
        "tricube.held.dice", name=name(holds["name"]), dice=" ".join(map(str, holds["dice"]))
    ),
    "difficulty": lambda holds: said(
        "tricube.held.difficulty", name=name(holds["name"]), difficulty=holds["difficulty"]
    ),
    "no-roll": lambda _: Said("tricube.held.no-roll"),
    "challenge": lambda holds: said(
        "tricube.held.is", name=holds["name"], parts=_parts(holds, _CHALLENGE)
    ),
    "no-challenge": lambda holds: said("tricube.held.no-challenge", name=holds["name"]),
    "bypassed": _bypassed,
    "tokens": lambda holds: said(
        "tricube.held.is", name=name(holds["name"]), parts=_parts(holds, _TOKENS)
    ),
    "out": _either("out", "out", "in"),
    "dead": _either("dead", "dead", "alive"),
    "affliction": _suffers,
    "no-affliction": _of_affliction("tricube.held.no-affliction"),
    "quirk": _of_quirk("tricube.held.quirk"),
    "no-quirk": _of_quirk("tricube.held.no-quirk"),
}
