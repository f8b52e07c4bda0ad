"""The characters of a story, from their files, with everything that is wrong in them at once."""

import re
from collections.abc import Collection
from pathlib import Path

import msgspec

from hub.cards.tomlfile import read_toml
from hub.daemon.settings import StoryFiles
from hub.daemon.sheets.files import MAX_SHEET_BYTES
from hub.daemon.sheets.layout import read_sheet
from hub.rules.game import Choice, SetupError
from hub.rules.registry import story_of
from hub.rules.triangle.characters.sheet import Sheet
from hub.table.inputs import BeginStory
from hub.table.records import StorySheets
from hub.wire.log import MAX_SECRET_BYTES
from hub.wire.toml import Document, FileFault, Problem

_PLACE = re.compile(r"(characters|reserve)\[(\d+)\]: ")


class StoryError(FileFault):
    """The story's characters cannot be used; ``problems`` lists every fault with its line."""


def load_story(files: StoryFiles, played: Collection[str]) -> BeginStory:
    """What a story begins with; ``played`` are the names that seats play.

    Raises :class:`StoryError`.
    """
    problems: list[Problem] = []
    cast = _read(files.characters, problems)
    reserve = _read(files.reserve, problems)
    party = [sheet for _, sheet in cast if not sheet.npc]
    ruleset = cast[0][1].ruleset if cast else ""
    taken: dict[str, str] = {}
    for document, sheet in (*cast, *reserve):
        if sheet.ruleset != ruleset:
            first = cast[0][0].name
            document.blame(("ruleset",), f"ruleset is {sheet.ruleset}, {first} has {ruleset}")
        if sheet.name in taken:
            document.blame(("name",), f"name: {taken[sheet.name]} has {sheet.name} already")
        taken.setdefault(sheet.name, document.name)
        if sheet.name not in played:
            document.blame(
                ("name",), f"no seat plays {sheet.name}; name it in characters of a [[seat]]"
            )
        problems += document.problems
    if not problems:
        for document, sheet in cast:
            _check_with(document, None if sheet.npc else party, problems)
    sheets = StorySheets(*([msgspec.to_builtins(s) for _, s in some] for some in (cast, reserve)))
    if len(msgspec.json.encode(sheets)) > MAX_SECRET_BYTES:
        text = f"the story's sheets together have more than {MAX_SECRET_BYTES} bytes"
        problems.append(Problem((cast or reserve)[0][0].name, 0, text))
    if not problems:
        try:
            story_of(ruleset).begin(sheets.cast, sheets.reserve)
        except SetupError as error:
            lists = {"characters": cast, "reserve": reserve}
            problems += (_placed(lists, text) for text in error.problems)
    if problems:
        raise StoryError(problems)
    deeds = (Choice("countdown", f"new {one.boxes} {one.name}") for one in files.countdowns)
    return BeginStory(ruleset, sheets, tuple(deeds))


def _placed(lists: dict[str, list[tuple[Document, Sheet]]], text: str) -> Problem:
    """What the rules say of ``characters[2]``, at the name in that character's file."""
    found = _PLACE.match(text)
    if found is None:
        return Problem(lists["characters"][0][0].name, 0, text)
    document, _ = lists[found[1]][int(found[2])]
    return Problem(document.name, document.line(("name",)), text[found.end() :])


def _read(files: tuple[Path, ...], problems: list[Problem]) -> list[tuple[Document, Sheet]]:
    found = []
    for file in files:
        try:
            document = read_toml(file, MAX_SHEET_BYTES)
            found.append((document, read_sheet(document)))
        except FileFault as fault:
            problems += fault.problems
    return found


def _check_with(
    document: Document, party: Collection[Sheet] | None, problems: list[Problem]
) -> None:
    """Once more, where allies count: a combo may start with what one of them knows."""
    try:
        read_sheet(document, party)
    except FileFault as fault:
        problems += fault.problems
