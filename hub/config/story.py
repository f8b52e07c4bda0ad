"""Loads the characters of a story and the setup of a scene from their files.

A scene file has the shape of a ``facedown resolve`` document without its turns, and may have a
``title``. It may name a file of ``rules``, whose content becomes the document's ``house``.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from hub.config.settings import StoryFiles
from hub.config.values import FilePath, Title, missing, started_from
from hub.games.deeds import BeginCountdown
from hub.games.family import House, Sheet
from hub.games.files import MAX_SHEET_BYTES, read_toml
from hub.games.game import RulesError, SetupError
from hub.games.registry import default_ruleset, family_of, game_of, story_of
from hub.games.sheets import load_house, read_layout, read_sheet, sheets_of
from hub.kernel.bounds import TITLE
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section, read_section
from hub.kernel.faults import Fault, Faulty, Place, noted, written
from hub.kernel.reasons import Reason
from hub.table.acts.story import BeginStory
from hub.table.records import SceneSetup, StorySheets
from hub.wire.log import MAX_SECRET_BYTES

MAX_SCENE_BYTES = 256 * 1024
_LARGEST_NUMBER = 2**53
"""The largest number in a scene file, because JSON readers disagree about larger ones."""


class SceneHead(Section, frozen=True, kw_only=True):
    """The keys that a scene file of any ruleset may have."""

    title: Title = ""
    ruleset: str = default_ruleset()
    rules: FilePath | None = None
    """A file of house rules for the scene."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """A fault if the file of house rules is missing."""
        if self.rules is not None:
            yield from missing(rules=self.rules)


def load_scene(path: Path) -> tuple[str, SceneSetup]:
    """The title and setup of the scene in the file at ``path``. Raises :class:`Faulty`."""
    document = read_toml(path, MAX_SCENE_BYTES)
    game = dict(document.values)
    head = {key: game[key] for key in SceneHead.__struct_fields__ if key in game}
    game.pop("title", None)
    game.pop("rules", None)
    scene = read_section(document, SceneHead, head, (), started_from(path))
    if document.sound(("title",)) and not TITLE.holds(scene.title):
        line = Reason("one-line-of", most=TITLE.most)
        document.blame(("title",), Reason("must-be", place="title", what=line))
    _check_json(document, (), game)
    elsewhere: list[Fault] = []
    if scene.rules is not None and document.sound(("rules",)):
        with noted(elsewhere):
            scene = replace(scene, ruleset=_take_rules(document, scene.rules, game))
    by_rules = document.sound(("rules",)) and document.sound(("ruleset",)) and not elsewhere
    if by_rules:  # else the rules to judge it by are unknown
        document.blame_beside(_judged(scene.ruleset, game))
    elsewhere += document.placed(document.faults)
    if elsewhere:
        raise Faulty(*elsewhere)
    return scene.title, SceneSetup(scene.ruleset, game)


def _judged(ruleset: str, game: dict[str, Any]) -> Iterable[Fault]:
    try:
        game_of(ruleset).begin(game)
    except SetupError as error:
        return error.faults
    except RulesError as error:
        return [Fault(("ruleset",), error.reason)]
    family = family_of(ruleset)
    return family.naming_faults(game) if family else ()


def _take_rules(document: Document, file: Path, game: dict[str, Any]) -> str:
    """Put a file's house rules into the game. Returns the book that they are derived from."""
    rules, house = load_house(file)
    if "house" in game:
        document.blame(("rules",), Reason("beside-house", place="rules"))
    if game.get("ruleset", house.base) not in (house.base, house.id):
        document.blame(
            ("ruleset",), Reason("not-the-base", place="ruleset", base=house.base, file=file.name)
        )
    game |= {"ruleset": house.base, "house": rules.values}
    return house.base


def _check_json(document: Document, place: Place, value: Any) -> None:
    """Report values that JSON, which the journal uses, cannot represent."""
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_json(document, (*place, key), inner)
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            _check_json(document, (*place, index), inner)
    elif isinstance(value, bool | str):
        return
    elif not isinstance(value, int | float):
        document.blame(place, Reason("no-plain-value", place=written(place)))
    elif not abs(value) <= _LARGEST_NUMBER:  # also catches NaN
        document.blame(place, Reason("number-too-large", place=written(place)))


_Read = tuple[Document, Sheet]
"""A character's file, and the sheet in it."""


def load_story(
    files: StoryFiles,
    plays: Callable[[str], bool] = lambda actor: True,
    sound: Callable[[str], bool] = lambda key: True,
) -> BeginStory:
    """A story's setup. Raises :class:`Faulty`.

    ``plays``: whether a seat plays an actor; ``sound``: whether the configuration's value at a key
    of ``[story]`` is valid.
    """
    found: list[Fault] = []
    rules, house = _read_house(files.rules if sound("rules") else None, found)
    by_rules = sound("rules") and not found  # else the sheets cannot be judged by their rules
    cast, reserve = (
        _read([each for each in paths if sound(key) or each.is_file()], house, found, by_rules)
        for key, paths in {"characters": files.characters, "reserve": files.reserve}.items()
    )
    if rules and house and cast:
        found += _faults_of_base(rules, house, cast[0][1].ruleset)
    found += _faults_of_sheets(cast, reserve, plays)
    sheets = StorySheets(
        [_values(sheet) for _, sheet in cast],
        [_values(sheet) for _, sheet in reserve],
        rules.values if rules else None,
    )
    if len(msgspec.json.encode(sheets)) > MAX_SECRET_BYTES:
        why = Reason("sheets-too-long", most=MAX_SECRET_BYTES)
        found.append(Fault((), why, (cast or reserve)[0][0].name))
    ruleset = cast[0][1].ruleset if cast else ""
    if not found and sound("characters") and sound("reserve"):
        found += _faults_of_beginning(ruleset, sheets, cast, reserve)
    if found:
        raise Faulty(*found)
    begun = (BeginCountdown(name=one.name, boxes=one.boxes) for one in files.countdowns)
    return BeginStory(ruleset, sheets, tuple(map(msgspec.to_builtins, begun)))


def _read_house(file: Path | None, found: list[Fault]) -> tuple[Document | None, House | None]:
    """The house rules in a file, as written and as played; None for both without a file, or if it
    has faults, which are added to ``found``."""
    if file is not None:
        with noted(found):
            return load_house(file)
    return None, None


def _read(
    files: Iterable[Path], house: House | None, found: list[Fault], by_rules: bool
) -> list[_Read]:
    """The characters in ``files``, judged ``by_rules`` or by their layout alone. Faults are added
    to ``found``."""
    read = []
    for file in files:
        with noted(found):
            document = read_toml(file, MAX_SHEET_BYTES)
            sheet = read_sheet(document, house=house) if by_rules else read_layout(document)
            read.append((document, sheet))
    return read


def _faults_of_base(rules: Document, house: House, ruleset: str) -> list[Fault]:
    """A fault if the house rules change another book than the story's."""
    if house.base == ruleset:
        return []
    why = Reason("base-of-another", place="base", base=house.base, book=ruleset)
    return rules.placed([Fault(("base",), why)])


def _faults_of_sheets(
    cast: list[_Read], reserve: list[_Read], plays: Callable[[str], bool]
) -> Iterator[Fault]:
    taken: dict[str, str] = {}
    played = [document for document, _ in cast]  # a replacement from the reserve takes over a seat
    for document, sheet in (*cast, *reserve):
        name = sheet.name
        if cast and sheet.ruleset != cast[0][1].ruleset:
            first, book = cast[0][0].name, cast[0][1].ruleset
            why = Reason(
                "ruleset-of-another", place="ruleset", book=sheet.ruleset, file=first, other=book
            )
            document.blame(("ruleset",), why)
        if name in taken:
            why = Reason("sheet-name-taken", place="name", file=taken[name], name=name)
            document.blame(("name",), why)
        taken.setdefault(name, document.name)
        if document in played and not plays(name):
            document.blame(("name",), Reason("unplayed", actor=name))
        yield from document.placed(document.faults)


def _faults_of_beginning(
    ruleset: str, sheets: StorySheets, cast: list[_Read], reserve: list[_Read]
) -> list[Fault]:
    """The faults that the story's own rules find in its beginning."""
    try:
        story_of(ruleset).begin(sheets.cast, sheets.reserve, sheets.house)
    except SetupError as error:
        lists = {"characters": cast, "reserve": reserve}
        return [_placed(lists, fault) for fault in error.faults]
    except RulesError as error:
        return [Fault((), error.reason, cast[0][0].name)]
    return []


def _values(sheet: Sheet) -> dict[str, Any]:
    return sheets_of(sheet.ruleset).as_values(sheet)


def _placed(lists: dict[str, list[_Read]], fault: Fault) -> Fault:
    """The fault, moved from a character's position in the configuration, such as ``characters[2]``,
    to the name in that character's file."""
    match fault.place:
        case (str(name), int(index), *_):
            document, _ = lists[name][index]
            return Fault((), fault.reason, document.name, document.line(("name",)))
        case _:
            return Fault((), fault.said(), lists["characters"][0][0].name)
