"""The characters of a story, from their files, with everything that is wrong in them at once."""

from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from hub.books.registry import story_of
from hub.cards.tomlfile import read_toml
from hub.daemon.settings import StoryFiles
from hub.daemon.sheets.files import MAX_SHEET_BYTES, load_house
from hub.daemon.sheets.layout import read_sheet
from hub.rules.faults import Fault
from hub.rules.game import Choice, SetupError
from hub.rules.toml import Document, FileFault, Problem
from hub.rules.triangle.characters.sheet import Sheet, as_values
from hub.rules.triangle.edition import Edition
from hub.table.inputs import BeginStory
from hub.table.records import StorySheets
from hub.wire.log import MAX_SECRET_BYTES

UNPLAYED = "no seat plays {actor}; name it in characters of a [[seat]], or give one gm = true"


class StoryError(FileFault):
    """The story's characters cannot be used; ``problems`` lists every fault with its line."""


def load_story(files: StoryFiles, plays: Callable[[str], bool]) -> BeginStory:
    """What a story begins with; ``plays`` says whether a seat plays somebody.

    Raises :class:`StoryError`.
    """
    problems: list[Problem] = []
    house, rules = _read_rules(files.rules, problems)
    if problems:  # without the rules nobody can say what is wrong with a sheet
        raise StoryError(problems)
    cast = _read(files.characters, rules, problems)
    reserve = _read(files.reserve, rules, problems)
    ruleset = cast[0][1].ruleset if cast else ""
    if house is not None and cast and house.values["base"] != ruleset:
        house.blame(("base",), f"base is {house.values['base']}, but the story is of {ruleset}")
        problems += house.problems
    taken: dict[str, str] = {}
    played = [document for document, _ in cast]  # in reserve, who replaces takes over a seat
    for document, sheet in (*cast, *reserve):
        if sheet.ruleset != ruleset:
            first = cast[0][0].name
            document.blame(("ruleset",), f"ruleset is {sheet.ruleset}, {first} has {ruleset}")
        if sheet.name in taken:
            document.blame(("name",), f"name: {taken[sheet.name]} has {sheet.name} already")
        taken.setdefault(sheet.name, document.name)
        if document in played and not plays(sheet.name):
            document.blame(("name",), UNPLAYED.format(actor=sheet.name))
        problems += document.problems
    sheets = StorySheets(
        [as_values(sheet) for _, sheet in cast],
        [as_values(sheet) for _, sheet in reserve],
        house.values if house else None,
    )
    if len(msgspec.json.encode(sheets)) > MAX_SECRET_BYTES:
        text = f"the story's sheets together have more than {MAX_SECRET_BYTES} bytes"
        problems.append(Problem((cast or reserve)[0][0].name, 0, text))
    if not problems:
        try:
            story_of(ruleset).begin(sheets.cast, sheets.reserve, sheets.house)
        except SetupError as error:
            lists = {"characters": cast, "reserve": reserve}
            problems += (_placed(lists, fault) for fault in error.faults)
    if problems:
        raise StoryError(problems)
    deeds = (Choice("countdown", f"new {one.boxes} {one.name}") for one in files.countdowns)
    return BeginStory(ruleset, sheets, tuple(deeds))


def _read_rules(
    file: Path | None, problems: list[Problem]
) -> tuple[Document | None, Edition | UnsetType]:
    """A file of house rules, and what it says about characters."""
    try:
        if file is not None:
            return load_house(file)
    except FileFault as fault:
        problems += fault.problems
    return None, UNSET


def _placed(lists: dict[str, list[tuple[Document, Sheet]]], fault: Fault) -> Problem:
    """What the rules say of ``characters[2]``, at the name in that character's file."""
    match fault.place:
        case (str(name), int(index), *_):
            document, _ = lists[name][index]
            return Problem(document.name, document.line(("name",)), fault.reason)
        case _:
            return Problem(lists["characters"][0][0].name, 0, str(fault))


def _read(
    files: tuple[Path, ...], rules: Edition | UnsetType, problems: list[Problem]
) -> list[tuple[Document, Sheet]]:
    found = []
    for file in files:
        try:
            document = read_toml(file, MAX_SHEET_BYTES)
            found.append((document, read_sheet(document, rules=rules)))
        except FileFault as fault:
            problems += fault.problems
    return found
