"""The forms for the deeds that the GM can do now, with their fields."""

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from hub.games.deeds import Deed, Told
from hub.games.game import MAX_WORD_CHARS
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.character import STYLE_OF, Lasts, Style
from hub.games.tricube.rules.said import MAX_NAME_CHARS
from hub.games.tricube.story import deeds as d
from hub.games.tricube.story.sheet import TaleSheet
from hub.kernel.faults import MAX_NUMBER
from hub.kernel.forms import Field, number, one, several, words

Form = tuple[Deed, tuple[Field, ...]]
"""A deed with default values, and the fields that can change them."""
_LASTS = (Lasts.LONGER, Lasts.SCENE, Lasts.PERMANENT)


MOST_CURES = 100
"""The most cures offered to the GM, because a large party has many combinations."""


def of_everybody(state: Told) -> Iterator[Form]:
    """The deeds for the whole party, and for each character in reserve."""
    yield d.Session(), ()
    gone = [
        name
        for name, sheet in state.sheets.items()
        if not sheet.character.there and name not in state.heirs.values()
    ]
    for name in state.reserve:
        yield d.JoinParty(name=name), ()
        if gone:
            yield d.TakePlace(name=name, of=gone[0]), (one("of", "of", gone, gone[0]),)


def everybodys(state: Told) -> Iterator[Form]:
    """The deeds for each character of the party."""
    left = MOST_CURES
    for sheet in state.sheets.values():
        cures = [*islice(_cures(state, sheet), left)]
        left -= len(cures)
        yield from cures
        yield from _healing(sheet)
        yield from _gms(sheet)


def _cures(state: Told, sheet: TaleSheet) -> Iterator[Form]:
    """The cures that this character could give to members of the party."""
    if not sheet.perks or not sheet.character.there:
        return
    text = words("complication", most=MAX_WORD_CHARS, empty=Reason("complication-missing"))
    pays = () if sheet.karma else (text,)
    perks = several("perks", "perks", sheet.perks, sheet.perks[:1], empty=Reason("needs-a-perk"))
    others = {name: other for name, other in state.sheets.items() if name != sheet.name}
    for who, other in {sheet.name: sheet, **others}.items():
        if other.afflictions and not other.dead:
            names = [each.name for each in other.afflictions]
            deed = d.Cure(
                name=sheet.name,
                who=None if who == sheet.name else who,
                affliction=names[0],
                perks=sheet.perks[:1],
                complication=None if sheet.karma else "…",
            )
            which = one("affliction", "affliction", names, names[0])
            yield deed, (which, perks, *pays)


def _healing(sheet: TaleSheet) -> Iterator[Form]:
    if sheet.dead:
        return
    passing = [each.name for each in sheet.afflictions if each.lasts is not Lasts.PERMANENT]
    staying = [each.name for each in sheet.afflictions if each.lasts is Lasts.PERMANENT]
    if passing:
        which = one("affliction", "affliction", passing, passing[0])
        yield d.TimeHeals(name=sheet.name, affliction=passing[0]), (which,)
    if staying:
        which = one("affliction", "affliction", staying, staying[0])
        yield d.Convert(name=sheet.name, affliction=staying[0]), (which,)


def _gms(sheet: TaleSheet) -> Iterator[Form]:
    name = sheet.name
    if not sheet.dead:
        text = words("affliction", most=MAX_NAME_CHARS, empty=Reason("words-first"))
        yield d.GainAffliction(name=name, affliction="…"), (text, one("lasts", "lasts", _LASTS))
    lists: dict[Literal["perk", "quirk"], tuple[str, ...]]
    lists = {"perk": sheet.perks, "quirk": sheet.quirks}
    for what, has in lists.items():
        text = words("words", most=MAX_NAME_CHARS, empty=Reason("words-first"))
        yield d.GainText(name=name, what=what, words="…"), (text,)
        if has:
            yield d.LoseText(name=name, what=what, words=has[0]), (one("words", what, has, has[0]),)
    tokens = {key: getattr(sheet, key) for key in ("karma", "karma_max", "resolve", "resolve_max")}
    least = {"resolve_max": 1, "resolve": 0 if sheet.dead else 1}
    yield (
        d.TokensNow(name=name, **tokens),
        tuple(
            number(key, first=has, least=least.get(key, 0), most=MAX_NUMBER)
            for key, has in tokens.items()
        ),
    )
    styles = sorted(
        Style, key=lambda each: each is not STYLE_OF[sheet.trait]
    )  # the usual one first
    yield (
        d.SheetIs(name=name, concept=sheet.concept, style=sheet.style),
        (
            words("concept", most=MAX_WORD_CHARS, first=sheet.concept, empty=Reason("words-first")),
            one("style", "style", styles, sheet.style),
            words("description", most=MAX_WORD_CHARS, first=sheet.description),
        ),
    )
    yield d.IsDead(name=name, dead=not sheet.dead), ()
