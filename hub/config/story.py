"""Loads the characters of a story from their files, and reports all faults at once."""

from collections.abc import Callable, Iterable
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
    rules = house = None
    with noted(found):
        if files.rules is not None and sound("rules"):
            rules, house = load_house(files.rules)
    by_rules = sound("rules") and not found  # else the sheets cannot be judged by their rules
    cast, reserve = (
        _read([each for each in paths if sound(key) or each.is_file()], house, found, by_rules)
        for key, paths in {"characters": files.characters, "reserve": files.reserve}.items()
    )
    ruleset = cast[0][1].ruleset if cast else ""
    if rules and house and cast and house.base != ruleset:
        why = Reason("base-of-another", place="base", base=house.base, book=ruleset)
        found += rules.placed([Fault(("base",), why)])
    taken: dict[str, str] = {}
    played = [document for document, _ in cast]  # a replacement from the reserve takes over a seat
    for document, sheet in (*cast, *reserve):
        name, book, first = sheet.name, sheet.ruleset, (cast or reserve)[0][0].name
        if cast and book != ruleset:
            why = Reason(
                "ruleset-of-another", place="ruleset", book=book, file=first, other=ruleset
            )
            document.blame(("ruleset",), why)
        if name in taken:
            why = Reason("sheet-name-taken", place="name", file=taken[name], name=name)
            document.blame(("name",), why)
        taken.setdefault(name, document.name)
        if document in played and not plays(name):
            document.blame(("name",), Reason("unplayed", actor=name))
        found += document.placed(document.faults)
    sheets = StorySheets(
        [_values(sheet) for _, sheet in cast],
        [_values(sheet) for _, sheet in reserve],
        rules.values if rules else None,
    )
    if len(msgspec.json.encode(sheets)) > MAX_SECRET_BYTES:
        why = Reason("sheets-too-long", most=MAX_SECRET_BYTES)
        found.append(Fault((), why, (cast or reserve)[0][0].name))
    if not found and sound("characters") and sound("reserve"):
        try:
            story_of(ruleset).begin(sheets.cast, sheets.reserve, sheets.house)
        except SetupError as error:
            lists = {"characters": cast, "reserve": reserve}
            found += (_placed(lists, fault) for fault in error.faults)
        except RulesError as error:
            found.append(Fault((), error.reason, cast[0][0].name))
    if found:
        raise Faulty(*found)
    begun = (BeginCountdown(name=one.name, boxes=one.boxes) for one in files.countdowns)
    return BeginStory(ruleset, sheets, tuple(map(msgspec.to_builtins, begun)))


def _values(sheet: Sheet) -> dict[str, Any]:
    return sheets_of(sheet.ruleset).as_values(sheet)


def _placed(lists: dict[str, list[tuple[Document, Sheet]]], fault: Fault) -> Fault:
    """A fault in ``characters[2]``, say, moved to the name in that character's file."""
    match fault.place:
        case (str(name), int(index), *_):
            document, _ = lists[name][index]
            return Fault((), fault.reason, document.name, document.line(("name",)))
        case _:
            return Fault((), fault.said(), lists["characters"][0][0].name)


def _read(
    files: Iterable[Path], house: House | None, found: list[Fault], by_rules: bool
) -> list[tuple[Document, Sheet]]:
    """The characters in files, judged ``by_rules`` or by their layout alone."""
    read = []
    for file in files:
        with noted(found):
            document = read_toml(file, MAX_SHEET_BYTES)
            sheet = read_sheet(document, house=house) if by_rules else read_layout(document)
            read.append((document, sheet))
    return read
