"""The scene file: a scene's setup, as TOML.

It has the shape of a ``facedown resolve`` document without its turns, and may have a ``title``. It
may name a file of ``rules``, whose content becomes the document's ``house``.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hub.config.values import FilePath, Title, missing, started_from
from hub.games.files import read_toml
from hub.games.game import RulesError, SetupError
from hub.games.registry import default_ruleset, family_of, game_of
from hub.games.sheets import load_house
from hub.kernel.bounds import TITLE
from hub.kernel.documents import Document
from hub.kernel.documents.sections import Section, read_section
from hub.kernel.faults import Fault, Faulty, Place, noted, written
from hub.kernel.reasons import Reason
from hub.table.records import SceneSetup

MAX_SCENE_BYTES = 256 * 1024
_LARGEST_NUMBER = 2**53
"""JSON readers disagree about larger numbers."""


class SceneHead(Section, frozen=True, kw_only=True):
    """The keys of every scene file, for any ruleset."""

    title: Title = ""
    ruleset: str = default_ruleset()
    rules: FilePath | None = None
    """A file of house rules for the scene."""

    def faults(self) -> Iterator[tuple[str, Reason]]:
        """A fault if the file is missing."""
        if self.rules is not None:
            yield from missing(rules=self.rules)


def load_scene(path: Path) -> tuple[str, SceneSetup]:
    """The scene's title and setup. Raises :class:`Faulty`."""
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
    """The faults of a scene by its rules."""
    try:
        game_of(ruleset).begin(game)
    except SetupError as error:
        return error.faults
    except RulesError as error:
        return [Fault(("ruleset",), error.reason)]
    family = family_of(ruleset)
    return family.naming_faults(game) if family else ()


def _take_rules(document: Document, file: Path, game: dict[str, Any]) -> str:
    """Put a file's house rules into the game. Returns the book that they are derived from. Raises
    :class:`Faulty` with that file's faults."""
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
