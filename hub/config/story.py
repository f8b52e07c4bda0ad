"""Loads the characters of a story from their files, and reports all faults at once."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from hub.config.settings import StoryFiles
from hub.games.deeds import BeginCountdown
from hub.games.family import House, Sheet
from hub.games.files import MAX_SHEET_BYTES, read_toml
from hub.games.game import RulesError, SetupError
from hub.games.registry import story_of
from hub.games.sheets import load_house, read_layout, read_sheet, sheets_of
from hub.kernel.documents import Document
from hub.kernel.faults import Fault, Faulty, noted
from hub.kernel.reasons import Reason
from hub.table.inputs import BeginStory
from hub.table.records import StorySheets
from hub.wire.log import MAX_SECRET_BYTES

_Read = tuple[Document, Sheet]
"""A character's file, and the sheet in it."""


def load_story(
    files: StoryFiles,
    plays: Callable[[str], bool] = lambda actor: True,
    sound: Callable[[str], bool] = lambda key: True,
) -> BeginStory:
    """A story's setup. ``plays``: whether a seat plays an actor; ``sound``: whether the
    configuration's list of files under a key is valid.

    Raises :class:`Faulty`.
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
    """The house rules of a file, as they stand there and as they are played."""
    if file is not None:
        with noted(found):
            return load_house(file)
    return None, None


def _read(
    files: Iterable[Path], house: House | None, found: list[Fault], by_rules: bool
) -> list[_Read]:
    """The characters in files, judged ``by_rules`` or by their layout alone."""
    read = []
    for file in files:
        with noted(found):
            document = read_toml(file, MAX_SHEET_BYTES)
            sheet = read_sheet(document, house=house) if by_rules else read_layout(document)
            read.append((document, sheet))
    return read


def _faults_of_base(rules: Document, house: House, ruleset: str) -> list[Fault]:
    """House rules that change another book than the story's."""
    if house.base == ruleset:
        return []
    why = Reason("base-of-another", place="base", base=house.base, book=ruleset)
    return rules.placed([Fault(("base",), why)])


def _faults_of_sheets(
    cast: list[_Read], reserve: list[_Read], plays: Callable[[str], bool]
) -> Iterator[Fault]:
    """Each character's own faults, and those beside the others."""
    taken: dict[str, str] = {}
    played = [document for document, _ in cast]  # a replacement from the reserve takes over a seat
    for document, sheet in (*cast, *reserve):
        name = sheet.name
        if cast and sheet.ruleset != cast[0][1].ruleset:
            document.blame(("ruleset",), _of_another_book(sheet.ruleset, *cast[0]))
        if name in taken:
            why = Reason("sheet-name-taken", place="name", file=taken[name], name=name)
            document.blame(("name",), why)
        taken.setdefault(name, document.name)
        if document in played and not plays(name):
            document.blame(("name",), Reason("unplayed", actor=name))
        yield from document.placed(document.faults)


def _of_another_book(book: str, first: Document, sheet: Sheet) -> Reason:
    return Reason(
        "ruleset-of-another", place="ruleset", book=book, file=first.name, other=sheet.ruleset
    )


def _faults_of_beginning(
    ruleset: str, sheets: StorySheets, cast: list[_Read], reserve: list[_Read]
) -> list[Fault]:
    """What the story's own rules say against its beginning."""
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
    """A fault in ``characters[2]``, say, moved to the name in that character's file."""
    match fault.place:
        case (str(name), int(index), *_):
            document, _ = lists[name][index]
            return Fault((), fault.reason, document.name, document.line(("name",)))
        case _:
            return Fault((), fault.said(), lists["characters"][0][0].name)
