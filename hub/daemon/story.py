"""The characters of a story, from their files, with everything that is wrong in them at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from hub.books.family import House, Sheet
from hub.books.files import MAX_SHEET_BYTES, read_toml
from hub.books.registry import story_of
from hub.books.sheets import load_house, read_sheet, sheets_of
from hub.daemon.settings import StoryFiles
from hub.rules.deeds import BeginCountdown
from hub.rules.documents import Document
from hub.rules.faults import Fault, Faulty
from hub.rules.game import RulesError, SetupError
from hub.rules.reasons import Reason
from hub.table.inputs import BeginStory
from hub.table.records import StorySheets
from hub.wire.log import MAX_SECRET_BYTES


def load_story(files: StoryFiles, plays: Callable[[str], bool]) -> BeginStory:
    """What a story begins with; ``plays`` says whether a seat plays somebody.

    Raises :class:`Faulty`.
    """
    problems: list[Fault] = []
    written, house = _read_rules(files.rules, problems)
    if problems:  # without the rules nobody can say what is wrong with a sheet
        raise Faulty(*problems)
    cast = _read(files.characters, house, problems)
    reserve = _read(files.reserve, house, problems)
    ruleset = cast[0][1].ruleset if cast else ""
    if written and house and cast and house.base != ruleset:
        written.blame(
            ("base",), Reason("base-of-another", place="base", base=house.base, book=ruleset)
        )
        problems += written.placed(written.faults)
    taken: dict[str, str] = {}
    played = [document for document, _ in cast]  # in reserve, who replaces takes over a seat
    for document, sheet in (*cast, *reserve):
        if sheet.ruleset != ruleset:
            first = cast[0][0].name
            other = Reason(
                "ruleset-of-another", place="ruleset", book=sheet.ruleset, file=first, other=ruleset
            )
            document.blame(("ruleset",), other)
        if sheet.name in taken:
            document.blame(
                ("name",),
                Reason("sheet-name-taken", place="name", file=taken[sheet.name], name=sheet.name),
            )
        taken.setdefault(sheet.name, document.name)
        if document in played and not plays(sheet.name):
            document.blame(("name",), Reason("unplayed", actor=sheet.name))
        problems += document.placed(document.faults)
    sheets = StorySheets(
        [_values(sheet) for _, sheet in cast],
        [_values(sheet) for _, sheet in reserve],
        written.values if written else None,
    )
    if len(msgspec.json.encode(sheets)) > MAX_SECRET_BYTES:
        text = Reason("sheets-too-long", most=MAX_SECRET_BYTES)
        problems.append(Fault((), text, (cast or reserve)[0][0].name))
    if not problems:
        try:
            story_of(ruleset).begin(sheets.cast, sheets.reserve, sheets.house)
        except SetupError as error:
            lists = {"characters": cast, "reserve": reserve}
            problems += (_placed(lists, fault) for fault in error.faults)
        except RulesError as error:
            problems.append(Fault((), error.reason, cast[0][0].name))
    if problems:
        raise Faulty(*problems)
    begun = (BeginCountdown(name=one.name, boxes=one.boxes) for one in files.countdowns)
    return BeginStory(ruleset, sheets, tuple(map(msgspec.to_builtins, begun)))


def _read_rules(
    file: Path | None, problems: list[Fault]
) -> tuple[Document, House] | tuple[None, None]:
    """A file of house rules as it stands there, and as they are read."""
    try:
        if file is not None:
            return load_house(file)
    except Faulty as fault:
        problems += fault.faults
    return None, None


def _values(sheet: Sheet) -> dict[str, Any]:
    return sheets_of(sheet.ruleset).as_values(sheet)


def _placed(lists: dict[str, list[tuple[Document, Sheet]]], fault: Fault) -> Fault:
    """What the rules say of ``characters[2]``, at the name in that character's file."""
    match fault.place:
        case (str(name), int(index), *_):
            document, _ = lists[name][index]
            return Fault((), fault.reason, document.name, document.line(("name",)))
        case _:
            return Fault((), fault.said(), lists["characters"][0][0].name)


def _read(
    files: tuple[Path, ...], house: House | None, problems: list[Fault]
) -> list[tuple[Document, Sheet]]:
    found = []
    for file in files:
        try:
            document = read_toml(file, MAX_SHEET_BYTES)
            found.append((document, read_sheet(document, house=house)))
        except Faulty as fault:
            problems += fault.faults
    return found
