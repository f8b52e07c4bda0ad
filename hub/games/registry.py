"""The families of rules that this hub knows: the only place that names them."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from hub.games.faces import Faces, Texts
from hub.games.family import Dealing, Demo, Family, Playing, Words
from hub.games.game import Game, GameView
from hub.games.rulebooks import Rulebooks
from hub.games.story import Story, StoryView
from hub.games.tourists import TOURISTS
from hub.games.triangle import TRIANGLE
from hub.games.tricube import TRICUBE
from hub.kernel import catalogues

FaceT = TypeVar("FaceT")

FAMILIES: tuple[Family, ...] = (TRIANGLE, TOURISTS, TRICUBE)
"""To add a family, add it here; ``docs/add-a-ruleset.md`` tells the rest. It is looked at whenever
something is looked up, so that a test may put another family beside these."""


def rulebooks() -> Rulebooks:
    """All games and stories, for a table to play by."""
    return _rulebooks(FAMILIES)


def game_of(ruleset: str) -> Game[Any]:
    """The game of this ruleset. Raises :class:`hub.games.game.RulesError`."""
    return rulebooks().game(ruleset)


def story_of(ruleset: str) -> Story[Any]:
    """The story of this ruleset. Raises :class:`hub.games.game.RulesError`."""
    return rulebooks().story(ruleset)


def family_of(ruleset: str) -> Family | None:
    """The family that has a game of this ruleset, or scripts of it."""
    return _families(FAMILIES).get(ruleset)


def words_of(ruleset: str) -> Words:
    """How what is played by a ruleset is told; plainly, where no family has it."""
    family = family_of(ruleset)
    return family.words if family else Words()


def faces_of(ruleset: str) -> Faces:
    """What is printed on its cards; plainly, where no family has it."""
    family = family_of(ruleset)
    return family.faces if family else Faces()


def texts(language: str) -> Texts:
    """What is said on pages and on cards, in a language."""
    return Texts(catalogue("pages", language) | catalogue("cards", language))


def playing_of(view: GameView | None) -> Playing:
    """How the hub's players play what is seen; without a plan, where no family has one."""
    family = family_of(str(view.__struct_config__.tag)) if view else None
    return family.playing if family else Playing()


def dealing_of(ruleset: str) -> Dealing | None:
    """Which cards a ruleset is played with; None where its family does not say. Raises
    :class:`hub.games.game.RulesError`."""
    game_of(ruleset)
    family = family_of(ruleset)
    return family.dealing if family else None


def family_shown(view: GameView | StoryView | None) -> str | None:
    """The id of the family whose scene or story is seen, for its pages; None where none has it."""
    if isinstance(view, GameView):
        family = family_of(str(view.__struct_config__.tag))
        return family.id if family else None
    stories = ((family.id, story) for family in FAMILIES for story in family.stories)
    return next((found for found, story in stories if isinstance(view, story.view_type)), None)


def face_of(ruleset: object, face: Callable[[Family], FaceT | None]) -> FaceT:
    """A face of the family that has this ruleset. Where none has both, that of the first that has
    the face: it refuses the ruleset."""
    family = family_of(ruleset) if isinstance(ruleset, str) else None
    found = face(family) if family else None
    return found or next(filter(None, map(face, FAMILIES)))


def catalogue(name: str, language: str) -> dict[str, str]:
    """The catalogue ``pages`` or ``reasons`` with those of all families. What a family does not say
    in this language it says in English."""
    found = catalogues.catalogue(name, language)
    for family in FAMILIES:
        if family.package:
            for each in (catalogues.ENGLISH, language):
                found |= catalogues.catalogue(name, each, family.package)
    return found


def demos() -> dict[str, Demo]:
    """Tables to try, by their rulesets; the first is meant where none is named."""
    return {demo.RULESET: demo for family in FAMILIES if (demo := family.demo)}


def default_ruleset() -> str:
    """The ruleset that is meant where none is named."""
    return FAMILIES[0].games[0].ruleset


@cache
def _rulebooks(families: tuple[Family, ...]) -> Rulebooks:
    return Rulebooks(
        {game.ruleset: game for family in families for game in family.games},
        {story.ruleset: story for family in families for story in family.stories},
        tuple(ruleset for family in families for ruleset in family.scripts),
    )


@cache
def _families(families: tuple[Family, ...]) -> dict[str, Family]:
    return {
        ruleset: family
        for family in families
        for ruleset in (*(game.ruleset for game in family.games), *family.scripts)
    }
