"""What the GM does to characters between scenes. How afflictions go and what a session brings is
the core's (:mod:`hub.games.tricube.rules.perks`, :mod:`hub.games.tricube.rules.passing`)."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import (
    COUNTDOWN_DEEDS,
    STAKES_DEEDS,
    WISH_DEEDS,
    Deed,
    DeedTo,
    Does,
    Name,
    Number,
    Told,
    Words,
    without_reserve,
)
from hub.games.game import RulesError
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Lasts, Style
from hub.games.tricube.rules.passing import next_session
from hub.games.tricube.rules.perks import convert, cure, recover
from hub.games.tricube.rules.said import MAX_NAME_CHARS
from hub.games.tricube.rules.tale import Tale
from hub.games.tricube.story.sheet import MOST_ENTRIES, TaleSheet, faults_of, is_line
from hub.kernel.faults import shown, written
from hub.kernel.reasons import Reason as CommonReason

Entry = Annotated[str, Meta(max_length=MAX_NAME_CHARS)]
"""A perk, a quirk, an affliction."""
Texts = Annotated[tuple[Entry, ...], Meta(max_length=MOST_ENTRIES)]


class Session(Deed, frozen=True, kw_only=True, tag="session"):
    """A session begins: karma and resolve of all that live are at their maximum."""


class Cure(DeedTo, frozen=True, kw_only=True, tag="cure"):
    """A character, by perks of its own, ends an affliction: for a karma, for a karma and one of the
    maximum if it is permanent, or without karma for a complication."""

    who: Name | None = None
    """Whose affliction it is; None: its own."""
    affliction: Entry
    perks: Texts
    complication: Words | None = None


class TimeHeals(DeedTo, frozen=True, kw_only=True, tag="recover"):
    """Time has healed an affliction that is not permanent."""

    affliction: Entry


class Convert(DeedTo, frozen=True, kw_only=True, tag="convert"):
    """An advance has made a quirk of a permanent affliction."""

    affliction: Entry


class GainAffliction(DeedTo, frozen=True, kw_only=True, tag="gain-affliction"):
    """A character has an affliction more, by what is told between scenes."""

    affliction: Entry
    lasts: Lasts = Lasts.LONGER


class TokensNow(DeedTo, frozen=True, kw_only=True, tag="tokens-are"):
    """How many tokens a character has, and can have; what is left out stays."""

    karma: Number | None = None
    karma_max: Number | None = None
    resolve: Number | None = None
    resolve_max: Number | None = None


class GainText(DeedTo, frozen=True, kw_only=True, tag="gain"):
    """A character has a perk or a quirk more."""

    what: Literal["perk", "quirk"]
    words: Entry


class LoseText(DeedTo, frozen=True, kw_only=True, tag="lose"):
    """A perk or a quirk of a character is gone."""

    what: Literal["perk", "quirk"]
    words: Entry


class SheetIs(DeedTo, frozen=True, kw_only=True, tag="sheet-is"):
    """What else stands on a character's sheet; what is left out stays."""

    concept: Words | None = None
    style: Style | None = None
    description: Words | None = None
    perks: Texts | None = None
    quirks: Texts | None = None
    afflictions: Annotated[tuple[Affliction, ...], Meta(max_length=MOST_ENTRIES)] | None = None

    def fault(self) -> CommonReason | None:
        """An affliction that no sheet can have."""
        if all(is_line(each.name, MAX_NAME_CHARS) for each in self.afflictions or ()):
            return None
        return Reason("no-sheet-text", most=MAX_NAME_CHARS)


class IsDead(DeedTo, frozen=True, kw_only=True, tag="is-dead"):
    """A character dies, or lives on."""

    dead: bool = True


class JoinParty(DeedTo, frozen=True, kw_only=True, tag="join"):
    """A character of the reserve joins the party."""


class TakePlace(DeedTo, frozen=True, kw_only=True, tag="take-place"):
    """A character of the reserve joins the party in the place of one that is dead or retired, and
    is played by the same player."""

    of: Name


def tale_of(state: Told) -> Tale:
    """The party as the rules know it, between scenes."""
    return Tale({name: sheet.character for name, sheet in state.sheets.items()})


def with_tale(state: Told, tale: Tale) -> Told:
    """The story after the rules have changed the party."""
    sheets = {
        name: sheet.having(tale.characters[name]) if name in tale.characters else sheet
        for name, sheet in state.sheets.items()
    }
    return replace(state, sheets=sheets)


def _by_rules(change: Callable[[Tale, Any], Tale]) -> Does:
    """A deed that the core does."""

    def does(state: Told, deed: Any) -> Told:
        try:
            return with_tale(state, change(tale_of(state), deed))
        except Refused as no:
            raise RulesError(_said(no)) from None

    return does


def _said(no: Refused) -> CommonReason:
    """A refusal with the part of the deed that is wrong, where the sentence needs it: whoever is
    named is named in the sentence."""
    part = tuple("name" if key == "by" else key for key in no.part)
    if part in ((), ("who",), ("name",)):
        return no.reason
    return CommonReason("at", place=written(part), why=no.reason)


def _cured(tale: Tale, deed: Cure) -> Tale:
    who = deed.name if deed.who is None else deed.who
    by = None if who == deed.name else deed.name
    # A complication that says nothing is none.
    told = (deed.complication or "").strip() or None
    after, _ = cure(tale, who, deed.affliction, deed.perks, by, complication=told)
    return after


def _changing(change: Callable[[TaleSheet, Any], TaleSheet]) -> Does:
    """A deed by which the GM changes a sheet."""

    def does(state: Told, deed: Any) -> Told:
        before = _of(state, deed.name)
        sheet = change(before, deed)
        # What a scene has left there, no later deed is blamed for.
        known = [*faults_of(before)]
        for at, why in (each for each in faults_of(sheet) if each not in known):
            raise RulesError(CommonReason("at", place=written(at), why=why))
        return replace(state, sheets={**state.sheets, sheet.name: sheet})

    return does


def _of(state: Told, name: str) -> TaleSheet:
    sheet: TaleSheet | None = state.sheets.get(name)
    if sheet is None:
        why = Reason("no-character-of-tale", who=shown(name), names=[*state.sheets])
        raise RulesError(why)
    return sheet


def _afflicted(sheet: TaleSheet, deed: GainAffliction) -> TaleSheet:
    text = deed.affliction.strip()
    if sheet.dead:
        raise RulesError(Reason("tale-dead", who=sheet.name))
    if text in sheet.quirks or sheet.character.affliction(text):
        raise RulesError(Reason("called-so-already", who=sheet.name, text=shown(text)))
    return replace(sheet, afflictions=(*sheet.afflictions, Affliction(text, deed.lasts)))


def _gained(sheet: TaleSheet, deed: GainText) -> TaleSheet:
    text = deed.words.strip()
    if deed.what == "perk":
        return replace(sheet, perks=(*sheet.perks, text))
    if sheet.character.affliction(text):
        raise RulesError(Reason("called-so-already", who=sheet.name, text=shown(text)))
    return replace(sheet, quirks=(*sheet.quirks, text))


def _lost(sheet: TaleSheet, deed: LoseText) -> TaleSheet:
    text = deed.words
    if deed.what == "perk":
        if text not in sheet.perks:
            names = [*sheet.perks] or Reason("none")
            raise RulesError(Reason("no-perk-of", text=shown(text), names=names))
        return replace(sheet, perks=tuple(each for each in sheet.perks if each != text))
    if text not in sheet.quirks:
        names = [*sheet.quirks] or Reason("none")
        raise RulesError(Reason("no-quirk-of", text=shown(text), names=names))
    return replace(sheet, quirks=tuple(each for each in sheet.quirks if each != text))


def _tokens(sheet: TaleSheet, deed: TokensNow) -> TaleSheet:
    """With a maximum that falls, what was there falls with it."""
    said = _told(deed, "karma", "karma_max", "resolve", "resolve_max")
    for key in ("karma", "resolve"):
        most = said.get(f"{key}_max")
        if most is not None and key not in said:
            said[key] = min(getattr(sheet, key), most)
    return replace(sheet, **said)


def _sheet_is(sheet: TaleSheet, deed: SheetIs) -> TaleSheet:
    keys = ("concept", "style", "description", "perks", "quirks", "afflictions")
    return replace(sheet, **_told(deed, *keys))


def _told(deed: Any, *keys: str) -> dict[str, Any]:
    said = {key: value for key in keys if (value := getattr(deed, key)) is not None}
    if not said:
        raise RulesError(Reason("nothing-said", keys=[*keys]))
    return said


def _dead(sheet: TaleSheet, deed: IsDead) -> TaleSheet:
    if sheet.dead == deed.dead:
        who = sheet.name
        raise RulesError(
            Reason("tale-dead", who=who) if deed.dead else Reason("tale-lives", who=who)
        )
    # Nobody lives without any resolve: whoever is back has all of it, as after any defeat (C10).
    resolve = sheet.resolve if deed.dead else sheet.resolve or sheet.resolve_max
    return replace(sheet, dead=deed.dead, resolve=resolve)


def enter(state: Told, name: str) -> Told:
    """The story with somebody of the reserve in the party. Raises :class:`RulesError`."""
    sheet = state.reserve.get(name)
    if sheet is None:
        waiting = [*state.reserve] or Reason("none")
        raise RulesError(Reason("tale-not-in-reserve", who=shown(name), names=waiting))
    return without_reserve(replace(state, sheets={**state.sheets, name: sheet}), name)


def _place_taken(state: Told, deed: TakePlace) -> Told:
    """Who left stays in the story: the retired may be cured, the dead are remembered."""
    gone = _of(state, deed.of)
    if gone.character.there:
        raise RulesError(Reason("tale-plays-on", who=gone.name))
    if gone.name in state.heirs.values():
        raise RulesError(Reason("tale-replaced", who=gone.name))
    after = enter(state, deed.name)
    return replace(after, heirs={**state.heirs, deed.name: gone.name})


DEEDS: Mapping[type[Deed], Does] = {
    **COUNTDOWN_DEEDS,
    **STAKES_DEEDS,
    **WISH_DEEDS,
    Session: lambda state, _: with_tale(state, next_session(tale_of(state))[0]),
    Cure: _by_rules(_cured),
    TimeHeals: _by_rules(lambda tale, deed: recover(tale, deed.name, deed.affliction)),
    Convert: _by_rules(lambda tale, deed: convert(tale, deed.name, deed.affliction)),
    GainAffliction: _changing(_afflicted),
    TokensNow: _changing(_tokens),
    GainText: _changing(_gained),
    LoseText: _changing(_lost),
    SheetIs: _changing(_sheet_is),
    IsDead: _changing(_dead),
    JoinParty: lambda state, deed: enter(state, deed.name),
    TakePlace: _place_taken,
}
