"""The families of rules that this hub knows. No other module names them.

A family's rules are imported when one of its games or stories is first asked for, because a table
plays one family, and the others take time and memory.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from hub.games.faces import Faces
from hub.games.family import Dealing, Demo, Family, Playing
from hub.games.game import Game, GameView
from hub.games.rulebooks import ByNeed, Rulebooks
from hub.games.stage import Stage, StageWords, Table, stage
from hub.games.story import Story, StoryView
from hub.games.telling import Words
from hub.kernel import catalogues
from hub.kernel.texts import Texts

FaceT = TypeVar("FaceT")


def _family(package: str) -> Family:
    """The family of a package: the object with the package's name in capitals."""
    found: Family = getattr(import_module(package), package.rpartition(".")[2].upper())
    return found


FAMILIES: tuple[Family, ...] = (
    _family("hub.games.triangle"),
    _family("hub.games.tourists"),
    _family("hub.games.tricube"),
)
"""The families of rules. Add a line for a new one; see ``docs/games/add-a-ruleset.md``. Every
lookup reads this name afresh so that a test can add a family."""


def rulebooks() -> Rulebooks:
    """All games and stories that a table can play."""
    return _rulebooks(FAMILIES)


def game_of(ruleset: str) -> Game[Any]:
    """Return the game of this ruleset. Raises :class:`hub.games.game.RulesError` if there is
    none."""
    return rulebooks().game(ruleset)


def story_of(ruleset: str) -> Story[Any]:
    """Return the story of this ruleset. Raises :class:`hub.games.game.RulesError` if there is
    none."""
    return rulebooks().story(ruleset)


def family_of(ruleset: str) -> Family | None:
    """The family that has a game or scripts of this ruleset; None if there is none."""
    return _families(FAMILIES).get(ruleset)


def words_of(ruleset: str) -> Words:
    """The words of the ruleset's family; the plain defaults if no family has it."""
    family = family_of(ruleset)
    return family.words if family else Words()


def faces_of(ruleset: str) -> Faces:
    """The faces of the ruleset's family; the plain defaults if no family has it."""
    family = family_of(ruleset)
    return family.faces if family else Faces()


def texts(language: str) -> Texts:
    """The texts of pages, cards and terminals in a language."""
    return _texts(FAMILIES, language)


def all_texts() -> Mapping[str, Texts]:
    """The same in every language, by its code."""
    return _all_texts(FAMILIES)


def playing_of(view: GameView | None) -> Playing:
    """The automatic players for the game in a view; random play if no family has it."""
    family = family_of(str(view.__struct_config__.tag)) if view else None
    return family.playing if family else Playing()


def stage_of(table: Table) -> Stage:
    """What the stage says at this moment. ``table`` is the public view."""
    family = family_of(str(table.game.__struct_config__.tag)) if table.game else None
    return stage(table, family.stage if family else StageWords())


def dealing_of(ruleset: str) -> Dealing | None:
    """The cards that a ruleset needs; None if its family does not say. Raises
    :class:`hub.games.game.RulesError` if there is no game of this ruleset."""
    game_of(ruleset)
    family = family_of(ruleset)
    return family.dealing if family else None


def family_shown(view: GameView | StoryView | None) -> str | None:
    """The id of the family that a scene's or story's view belongs to; None if no family has it."""
    if isinstance(view, GameView):
        family = family_of(str(view.__struct_config__.tag))
        return family.id if family else None
    loaded = (family for family in FAMILIES if family.is_loaded())  # a view's family is
    stories = ((family.id, story) for family in loaded for story in family.stories)
    return next((found for found, story in stories if isinstance(view, story.view_type)), None)


def face_of(ruleset: object, face: Callable[[Family], FaceT | None]) -> FaceT:
    """The face that ``face`` returns for the ruleset's family. If there is none, the face of the
    first family that has one, which will refuse the ruleset."""
    family = family_of(ruleset) if isinstance(ruleset, str) else None
    found = face(family) if family else None
    return found or next(filter(None, map(face, FAMILIES)))


def catalogue(name: str, language: str) -> dict[str, str]:
    """The common catalogue called ``name``, such as ``pages``, merged with those of all families,
    in English where a family lacks the language."""
    found = catalogues.catalogue(name, language)
    for family in FAMILIES:
        if family.package:
            for each in (catalogues.ENGLISH, language):
                found |= catalogues.catalogue(name, each, family.package)
    return found


def demos() -> dict[str, Demo]:
    """Demo tables by ruleset; the first is the default."""
    return {demo.RULESET: demo for family in FAMILIES if (demo := family.demo)}


def default_ruleset() -> str:
    """The ruleset used when none is named."""
    return FAMILIES[0].rulesets[0]


@cache
def _texts(families: tuple[Family, ...], language: str) -> Texts:
    names = ("pages", "cards", "terminal")
    return Texts({key: text for each in names for key, text in catalogue(each, language).items()})


@cache
def _all_texts(families: tuple[Family, ...]) -> Mapping[str, Texts]:
    return {language: _texts(families, language) for language in catalogues.languages()}


@cache
def _rulebooks(families: tuple[Family, ...]) -> Rulebooks:
    of_games = {ruleset: family for family in families for ruleset in family.rulesets}
    of_stories = {ruleset: family for family in families for ruleset in family.story_rulesets}

    def game(ruleset: str) -> Game[Any]:
        family = of_games[ruleset]
        family.load()
        return next(each for each in family.games if each.ruleset == ruleset)

    def story(ruleset: str) -> Story[Any]:
        family = of_stories[ruleset]
        family.load()
        return next(each for each in family.stories if each.ruleset == ruleset)

    return Rulebooks(
        ByNeed(tuple(of_games), game),
        ByNeed(tuple(of_stories), story),
        tuple(ruleset for family in families for ruleset in family.scripts),
    )


@cache
def _families(families: tuple[Family, ...]) -> dict[str, Family]:
    return {
        ruleset: family for family in families for ruleset in (*family.rulesets, *family.scripts)
    }
