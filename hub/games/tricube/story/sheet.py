"""A player character's sheet, as the story keeps it between scenes."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hub.games.game import LINE, MAX_WORD_CHARS
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.character import USUAL_MAX, Affliction, Character, Style, Trait
from hub.games.tricube.rules.perks import is_perk
from hub.games.tricube.rules.said import MAX_NAME_CHARS
from hub.games.tricube.rules.written import character_object, read_character
from hub.kernel.bounds import Bound
from hub.kernel.documents import Document
from hub.kernel.faults import Fault, Place, is_name, shown

RULESET = "tricube"
ENTRY = Bound(least=1, most=MAX_NAME_CHARS, padded=False)
"""The limits of the name of a perk, a quirk or an affliction."""
MOST_ENTRIES = 64
"""The most perks, the most quirks and the most afflictions on one sheet."""
_OWN = ("ruleset", "name", "description")
_REQUIRED = ("ruleset", "name", "trait", "concept")
_OPTIONAL = (
    *("style", "description", "perks", "quirks", "karma", "karma_max", "resolve"),
    *("resolve_max", "afflictions", "dead", "npc"),
)


class TaleSheet(Struct, frozen=True, kw_only=True):
    """A player character's sheet. Foes have no sheets, because they are challenges."""

    ruleset: str = RULESET
    name: str
    trait: Trait
    concept: str
    style: Style
    description: str = ""
    perks: tuple[str, ...] = ()
    quirks: tuple[str, ...] = ()
    karma: int = USUAL_MAX
    karma_max: int = USUAL_MAX
    resolve: int = USUAL_MAX
    resolve_max: int = USUAL_MAX
    afflictions: tuple[Affliction, ...] = ()
    """The afflictions in the order in which they came."""
    dead: bool = False

    @property
    def npc(self) -> bool:
        """Always false, because foes, which the GM plays, have no sheets."""
        return False

    @property
    def character(self) -> Character:
        """The character as the rules see it between scenes, when no character is out of a scene."""
        return Character(**{key: getattr(self, key) for key in _OF_CHARACTER})

    @classmethod
    def called(cls, name: str, character: Character) -> "TaleSheet":
        """The sheet of a character from a scene's description."""
        return cls(name=name, **{key: getattr(character, key) for key in _OF_CHARACTER})

    def having(self, character: Character) -> "TaleSheet":
        """The sheet with the values that ``character`` has after a change."""
        return replace(self, **{key: getattr(character, key) for key in _OF_CHARACTER})


_OF_CHARACTER = tuple(
    key for key in TaleSheet.__struct_fields__ if key in Character.__struct_fields__
)


def as_values(sheet: TaleSheet) -> dict[str, Any]:
    """Every key of the sheet as JSON values."""
    head = {key: getattr(sheet, key) for key in _OWN}
    return {**head, **character_object(sheet.character)}


def read_sheet(
    document: Document, value: object, place: Place = (), *, layout: bool = False
) -> TaleSheet:
    """Read a character at a place, with the keys of a character file. Each fault is recorded once,
    and a harmless value replaces the faulty one.

    ``layout``: ignore the ``npc`` flag that other books have; here every character is a player's.
    """
    given = document.table(value, place, _REQUIRED, _OPTIONAL)
    npc = document.flag(given.pop("npc", False), (*place, "npc"))
    if npc and not layout:
        document.blame((*place, "npc"), Reason("foes-are-challenges"))
    head = {key: document.text(given[key], (*place, key)) for key in _OWN if key in given}
    # Missing keys have been blamed already; harmless values replace them.
    known: dict[str, Any] = {"trait": str(Trait.AGILE), "concept": "…"}
    known |= {key: each for key, each in given.items() if key not in _OWN}
    character = read_character(document, known, place)
    values = {key: getattr(character, key) for key in _OF_CHARACTER}
    sheet = TaleSheet(**{"name": "…", **head, **values})
    document.blame_beside(Fault((*place, *at), why) for at, why in faults_of(sheet))
    return sheet


def faults_of(sheet: TaleSheet) -> Iterator[tuple[Place, Reason]]:
    """The faults of a sheet whose values have the right types, each as its place and the reason."""
    if sheet.ruleset != RULESET:
        yield ("ruleset",), Reason("sheet-of-other-book", book=shown(sheet.ruleset))
    if not is_name(sheet.name):
        yield ("name",), Reason("no-sheet-name")
    if not LINE.holds(sheet.concept):
        yield ("concept",), Reason("no-sheet-text", most=MAX_WORD_CHARS)
    if sheet.description and not LINE.holds(sheet.description):
        yield ("description",), Reason("no-sheet-text", most=MAX_WORD_CHARS)
    names = [affliction.name for affliction in sheet.afflictions]
    listed: dict[str, tuple[str, ...]] = {
        "perks": sheet.perks, "quirks": sheet.quirks, "afflictions": (*names,),
    }  # fmt: skip
    for key, texts in listed.items():
        if len(texts) > MOST_ENTRIES:
            yield (key,), Reason("too-many-texts", most=MOST_ENTRIES)
        for index, text in enumerate(texts):
            at = (key, index, "name") if key == "afflictions" else (key, index)
            if not ENTRY.holds(text):
                yield at, Reason("no-sheet-text", most=MAX_NAME_CHARS)
            elif text in texts[:index] or (key == "afflictions" and text in sheet.quirks):
                yield at, Reason("stands-twice", value=shown(text))
            elif key == "perks" and not is_perk(text):
                yield at, Reason("no-perk-name", text=shown(text))
    yield from _tokens(sheet)


def _tokens(sheet: TaleSheet) -> Iterator[tuple[Place, Reason]]:
    least = 0 if sheet.dead else 1
    if sheet.karma > sheet.karma_max:
        yield ("karma",), Reason("number-from-to", least=0, most=sheet.karma_max)
    if sheet.resolve_max < 1:
        yield ("resolve_max",), Reason("at-least-one")
    elif not least <= sheet.resolve <= sheet.resolve_max:
        yield ("resolve",), Reason("number-from-to", least=least, most=sheet.resolve_max)


def of_values(values: Mapping[str, Any]) -> TaleSheet:
    """Read a sheet written by :func:`as_values`. Raises :class:`hub.kernel.faults.Faulty`."""
    document = Document(values)
    sheet = read_sheet(document, values)
    document.check()
    return sheet
