"""The GM's changes to characters between scenes.

The rules for afflictions and for a new session are in :mod:`hub.games.tricube.rules.perks` and
:mod:`hub.games.tricube.rules.tale`.
"""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec.structs import replace

from hub.games.deeds import COMMON_DEEDS, Deed, DeedTo, Does, Name, Number, Told, Words
from hub.games.game import RulesError
from hub.games.tricube.reasons import Reason, Refused
from hub.games.tricube.rules.character import Affliction, Lasts, Style
from hub.games.tricube.rules.perks import convert, cure, recover
from hub.games.tricube.rules.said import MAX_NAME_CHARS
from hub.games.tricube.rules.tale import Tale, next_session
from hub.games.tricube.story.sheet import ENTRY, MOST_ENTRIES, TaleSheet, faults_of
from hub.kernel.faults import shown, written
from hub.kernel.reasons import Reason as CommonReason

Entry = Annotated[str, Meta(max_length=MAX_NAME_CHARS)]
"""The name of a perk, a quirk or an affliction."""
Texts = Annotated[tuple[Entry, ...], Meta(max_length=MOST_ENTRIES)]


class Session(Deed, frozen=True, kw_only=True, tag="session"):
    """A session begins: karma and resolve of all living characters are set to their maximum."""


class Cure(DeedTo, frozen=True, kw_only=True, tag="cure"):
    """A character ends an affliction by its perks. This costs a karma, and for a permanent
    affliction also one of the maximum. A character without karma takes a complication instead,
    unless the affliction is permanent."""

    who: Name | None = None
    """The character to be cured; None means the character that has the perks."""
    affliction: Entry
    perks: Texts
    complication: Words | None = None


class TimeHeals(DeedTo, frozen=True, kw_only=True, tag="recover"):
    """Time heals an affliction that is not permanent."""

    affliction: Entry


class Convert(DeedTo, frozen=True, kw_only=True, tag="convert"):
    """A permanent affliction becomes a quirk, for an advance."""

    affliction: Entry


class GainAffliction(DeedTo, frozen=True, kw_only=True, tag="gain-affliction"):
    """A character gains an affliction from the story between scenes."""

    affliction: Entry
    lasts: Lasts = Lasts.LONGER


class TokensNow(DeedTo, frozen=True, kw_only=True, tag="tokens-are"):
    """The GM sets a character's tokens and their maxima; a missing value stays unchanged."""

    karma: Number | None = None
    karma_max: Number | None = None
    resolve: Number | None = None
    resolve_max: Number | None = None


class GainText(DeedTo, frozen=True, kw_only=True, tag="gain"):
    """A character gains the perk or quirk ``words``."""

    what: Literal["perk", "quirk"]
    words: Entry


class LoseText(DeedTo, frozen=True, kw_only=True, tag="lose"):
    """A character loses the perk or quirk ``words``."""

    what: Literal["perk", "quirk"]
    words: Entry


class SheetIs(DeedTo, frozen=True, kw_only=True, tag="sheet-is"):
    """The GM sets other values of a sheet; a missing value stays unchanged."""

    concept: Words | None = None
    style: Style | None = None
    description: Words | None = None
    perks: Texts | None = None
    quirks: Texts | None = None
    afflictions: Annotated[tuple[Affliction, ...], Meta(max_length=MOST_ENTRIES)] | None = None

    def fault(self) -> CommonReason | None:
        """Why an affliction's name is refused; None if all names are right."""
        if all(ENTRY.holds(each.name) for each in self.afflictions or ()):
            return None
        return Reason("no-sheet-text", most=MAX_NAME_CHARS)


class IsDead(DeedTo, frozen=True, kw_only=True, tag="is-dead"):
    """A character dies, or is alive after all if ``dead`` is false."""

    dead: bool = True


class JoinParty(DeedTo, frozen=True, kw_only=True, tag="join"):
    """A character joins the party from the reserve."""


class TakePlace(DeedTo, frozen=True, kw_only=True, tag="take-place"):
    """A character from the reserve replaces ``of``, a dead or retired character of the same
    player."""

    of: Name


def tale_of(state: Told) -> Tale:
    """The party as the rules see it, between scenes."""
    return Tale({name: sheet.character for name, sheet in state.sheets.items()})


def with_tale(state: Told, tale: Tale) -> Told:
    """The story after the rules have changed the party to that of ``tale``."""
    sheets = {
        name: sheet.having(tale.characters[name]) if name in tale.characters else sheet
        for name, sheet in state.sheets.items()
    }
    return replace(state, sheets=sheets)


def _by_rules(change: Callable[[Tale, Any], Tale]) -> Does:
    """The effect of a deed that ``change`` carries out by the rules."""

    def does(state: Told, deed: Any) -> Told:
        try:
            return with_tale(state, change(tale_of(state), deed))
        except Refused as no:
            raise RulesError(_said(no)) from None

    return does


def _said(no: Refused) -> CommonReason:
    """The reason for a refusal, with the part of the deed that it is about, unless that is a
    name."""
    part = tuple("name" if key == "by" else key for key in no.part)
    if part in ((), ("who",), ("name",)):
        return no.reason
    return CommonReason("at", place=written(part), why=no.reason)


def _cured(tale: Tale, deed: Cure) -> Tale:
    who = deed.name if deed.who is None else deed.who
    by = None if who == deed.name else deed.name
    # A blank complication is none.
    told = (deed.complication or "").strip() or None
    after, _ = cure(tale, who, deed.affliction, deed.perks, by, complication=told)
    return after


def _changing(change: Callable[[TaleSheet, Any], TaleSheet]) -> Does:
    """The effect of a deed that changes a sheet directly, by ``change``."""

    def does(state: Told, deed: Any) -> Told:
        before = _of(state, deed.name)
        sheet = change(before, deed)
        # A deed is not refused for faults that a scene has left on the sheet.
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
    has = sheet.perks if deed.what == "perk" else sheet.quirks
    left = tuple(each for each in has if each != deed.words)
    if deed.words not in has:
        names, text = [*has] or Reason("none"), shown(deed.words)
        if deed.what == "perk":
            raise RulesError(Reason("no-perk-of", text=text, names=names))
        raise RulesError(Reason("no-quirk-of", text=text, names=names))
    return replace(sheet, perks=left) if deed.what == "perk" else replace(sheet, quirks=left)


def _tokens(sheet: TaleSheet, deed: TokensNow) -> TaleSheet:
    """The sheet with its tokens set. A lower maximum also lowers the present value."""
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
    # A living character needs resolve. One that comes back gets all of it, as after a defeat (C10).
    resolve = sheet.resolve if deed.dead else sheet.resolve or sheet.resolve_max
    return replace(sheet, dead=deed.dead, resolve=resolve)


def enter(state: Told, name: str) -> Told:
    """The story after a character has moved from the reserve into the party. Raises
    :class:`RulesError`."""
    sheet = state.reserve.get(name)
    if sheet is None:
        waiting = [*state.reserve] or Reason("none")
        raise RulesError(Reason("tale-not-in-reserve", who=shown(name), names=waiting))
    left = {who: each for who, each in state.reserve.items() if who != name}
    return replace(state, sheets={**state.sheets, name: sheet}, reserve=left)


def _place_taken(state: Told, deed: TakePlace) -> Told:
    """The story after a character is replaced. The replaced one stays in the story, to be cured or
    remembered."""
    gone = _of(state, deed.of)
    if gone.character.there:
        raise RulesError(Reason("tale-plays-on", who=gone.name))
    if gone.name in state.heirs.values():
        raise RulesError(Reason("tale-replaced", who=gone.name))
    after = enter(state, deed.name)
    return replace(after, heirs={**state.heirs, deed.name: gone.name})


DEEDS: Mapping[type[Deed], Does] = {
    **COMMON_DEEDS,
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
