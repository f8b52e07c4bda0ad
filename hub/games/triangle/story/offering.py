"""The deeds that a story offers the GM, each with the fields of its form."""

from collections.abc import Iterator

import msgspec

from hub.games import deeds as c
from hub.games.triangle.reasons import Reason
from hub.games.triangle.rules.characters.marks import TRAITS, rest_types, trait_of
from hub.games.triangle.rules.characters.replacement import replacement_level, tradition
from hub.games.triangle.rules.characters.sheet import Rest, Sheet
from hub.games.triangle.rules.edition import Action, Energy
from hub.games.triangle.story import deeds as d
from hub.games.triangle.story.newcomers import Npc, one_more, waiting_players
from hub.games.triangle.story.state import StoryState
from hub.kernel.faults import MAX_NAME_CHARS
from hub.kernel.forms import Field, Kind, Option, number, several, words

MOST_REPLACEMENTS = 16
"""The most replacements that are offered, and the most joins: more than a table has players."""
_NPC_ENERGY, _MOST_POINTS = Energy(3, 3, 3), 99
"""The initial energy of a new NPC in the form, and the highest points and level that the form
allows."""

Offered = tuple[c.Deed, *tuple[Field, ...]]
"""A deed, and the fields of its form."""


def offered(state: StoryState) -> Iterator[Offered]:
    """Yield each deed to offer the GM now, possible or not, with the fields of its form."""
    yield c.Stakes(words=state.stakes), words("words", most=c.MAX_STAKES_CHARS, first=state.stakes)
    for kind in Rest:
        yield _rest(state, kind)
    for each in state.countdowns.each:
        for do in (c.MarkCountdown, c.UnmarkCountdown, c.EraseCountdown):
            yield (do(name=each.name),)
    for name, sheet in state.sheets.items():
        if _tired(sheet):
            yield (d.Recover(name=name),)
    for name, sheet in state.party.items():
        for key in TRAITS:
            turn = d.UnmarkTrait if trait_of(sheet, key).marked else d.MarkTrait
            yield (turn(name=name, trait=key),)
        for action in Action:
            if sheet.energy.of(action):
                yield (d.Lose(name=name, type=action, points=1),)
    waiting = waiting_players(state)
    dead = [sheet for sheet in state.sheets.values() if sheet.dead and not sheet.npc]
    pairs = [(sheet, state.reserve[fresh]) for sheet in dead for fresh in waiting]
    for sheet, fresh in pairs[:MOST_REPLACEMENTS]:
        yield _replacement(state, sheet, fresh)
    yield from ((d.Join(name=name),) for name in waiting[:MOST_REPLACEMENTS])
    yield from ((npc,) for npc in one_more(state))
    yield Npc(name="", energy=_NPC_ENERGY), *_npc_fields(state)
    yield from ((d.Dismiss(name=name),) for name, sheet in state.sheets.items() if sheet.npc)


def _npc_fields(state: StoryState) -> Iterator[Field]:
    """The form for a new NPC, who may have any move and special of the book."""
    book = state.book
    yield words("name", most=MAX_NAME_CHARS, empty=Reason("name-needed"))
    for action in Action:
        yield number("energy", action, first=_NPC_ENERGY.of(action), most=_MOST_POINTS)
    yield number("level", first=book.level, least=book.level, most=_MOST_POINTS)
    known = [{"id": move} for move in book.move_ids]
    yield several("moves", "known", known, empty=Reason("move-needed"))
    yield several("specials", "special", book.specials)


def _tired(sheet: Sheet) -> bool:
    """Whether this is a living NPC with lost energy or used specials."""
    lacks = sheet.energy != sheet.max or any(each.used for each in sheet.specials)
    return sheet.npc and not sheet.dead and lacks


def _rest(state: StoryState, kind: Rest) -> Offered:
    """A rest. Each character who can choose a type gets a field, set to the type that lacks the
    most points."""
    types = {name: rest_types(sheet, kind) for name, sheet in state.party.items()}
    first: dict[str, Action] = {}
    fields = []
    for name, some in types.items():
        if len(some) > 1:
            sheet = state.party[name]
            first[name] = max(some, key=lambda each: sheet.max.of(each) - sheet.energy.of(each))
            chips = tuple(Option(each) for each in some)
            at = ("types", name)
            fields.append(Field(at=at, kind=Kind.ONE, of="type", options=chips, first=first[name]))
    return (d.TakeRest(kind=kind, types=first), *fields)


def _replacement(state: StoryState, deceased: Sheet, fresh: Sheet) -> Offered:
    """A replacement, with a field for its level-ups. The options are what the deceased can hand on,
    even what needs another option first; each can be repeated."""
    lessons = tuple(Option(msgspec.to_builtins(each)) for each in tradition(fresh, deceased))
    most = replacement_level(deceased) - fresh.book.level
    field = Field(at=("level_ups",), kind=Kind.LIST, of="lesson", options=lessons, most=most)
    return (d.Replace(name=deceased.name, by=fresh.name), *((field,) if most else ()))
