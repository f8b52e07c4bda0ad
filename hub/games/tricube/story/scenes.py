"""Builds a scene from sheets, and updates the sheets after it (C14)."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from hub.games.deeds import Told
from hub.games.game import SetupError
from hub.games.story import MAX_TITLE_CHARS, SceneRequest, Staged
from hub.games.tricube.reasons import Reason
from hub.games.tricube.rules.tale import STANDARD, Tale, next_scene
from hub.games.tricube.rules.written import character_object
from hub.games.tricube.story.deeds import with_tale
from hub.games.tricube.story.sheet import RULESET, TaleSheet
from hub.kernel.faults import Fault, Place, shown
from hub.kernel.forms import Field, one, several, words

MOST_PREPARED = 64
"""The most challenges, and the most characters, that a scene can begin with."""
DICE = ("table", "hand")


class PreparedChallenge(Struct, frozen=True, forbid_unknown_fields=True):
    """A challenge that is in the scene from the start."""

    difficulty: int = STANDARD
    effort: int = 0
    """How many effort tokens the challenge has. Without any, one success overcomes it."""
    deadly: bool = False
    """Whether the players are warned of death."""


class TaleSceneRequest(SceneRequest, frozen=True, kw_only=True, tag="scene"):
    """The GM's request for a scene with the story's characters."""

    characters: Annotated[tuple[str, ...], Meta(max_length=MOST_PREPARED)] | None = None
    """The names of the characters that take part; None means all that are alive."""
    challenges: Mapping[str, PreparedChallenge] = {}
    """The prepared challenges by name. The GM can add others during the scene."""
    dice: Literal["table", "hand"] = "table"
    """Whether the table throws the dice or players do by hand, unless the GM's call says
    otherwise."""


def stage(state: Told, request: TaleSceneRequest) -> Staged:
    """A scene prepared from the current sheets. Raises :class:`SetupError` with every fault."""
    alive = tuple(name for name, sheet in state.sheets.items() if not sheet.dead)
    names = alive if request.characters is None else request.characters
    faults = [*_who_faults(state, names)]
    if len(request.challenges) > MOST_PREPARED:
        faults.append(Fault(("challenges",), Reason("too-many-texts", most=MOST_PREPARED)))
    if faults:
        raise SetupError(*faults)
    # Table order is that of the story, not that of the request.
    sheets: list[TaleSheet] = [state.sheets[name] for name in alive if name in names]
    setup = {
        "dice": request.dice,
        "characters": {sheet.name: character_object(sheet.character) for sheet in sheets},
        "challenges": {
            name: {"difficulty": each.difficulty, "effort": each.effort, "deadly": each.deadly}
            for name, each in request.challenges.items()
        },
    }
    return Staged(RULESET, request.title, setup)


def _who_faults(state: Told, names: tuple[str, ...]) -> Iterator[Fault]:
    if not names:
        yield Fault(("characters",), Reason("needs-characters"))
    for index, name in enumerate(names):
        sheet = state.sheets.get(name)
        at: Place = ("characters", index)
        if sheet is None:
            why = Reason("no-character-of-tale", who=shown(name), names=[*state.sheets])
            yield Fault(at, why)
        elif sheet.dead:
            yield Fault(at, Reason("tale-dead", who=name))
        elif name in names[:index]:
            yield Fault(at, Reason("stands-twice", value=shown(name)))


def form(state: Told) -> tuple[Field, ...]:
    """The fields of a scene's form, without its challenges, which the page itself asks for."""
    alive = [name for name, sheet in state.sheets.items() if not sheet.dead]
    there = [name for name in alive if state.sheets[name].character.there]
    return (
        words("title", most=MAX_TITLE_CHARS),
        several(
            "characters", "characters", alive, there or alive, empty=Reason("needs-characters")
        ),
        one("dice", "dice", DICE, DICE[0]),
    )


def after_scene(state: Told, tale: Tale) -> Told:
    """The story after a scene: characters that were out return, and afflictions for the scene
    end."""
    rested, _ = next_scene(tale)
    return replace(with_tale(state, rested), stakes="")
