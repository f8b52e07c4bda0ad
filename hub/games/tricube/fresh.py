"""Data for the page that builds a new character: starting values and ready-made characters."""

from typing import Any

from msgspec import Struct

from hub.games.deeds import Told
from hub.games.tricube.rules.character import USUAL_MAX
from hub.games.tricube.sheets import samples
from hub.kernel.documents.toml import parse_toml

_LANGUAGE = "tricube-de-"
"""The prefix of the German samples' names. All other samples are in English."""


class Beginning(Struct, frozen=True, kw_only=True):
    """A character's starting karma and resolve by the book, and ready-made characters."""

    karma: int
    resolve: int
    ready: tuple[dict[str, Any], ...]
    """Ready-made characters: the values of their files, and the ``language`` of their texts."""


def beginning(state: Told) -> Beginning:
    """The starting values, the same in every story, because the book has no house rules."""
    ready = tuple(
        {
            **parse_toml(name, text.encode()).values,
            "language": "de" if name.startswith(_LANGUAGE) else "en",
        }
        for name, text in samples().items()
    )
    return Beginning(karma=USUAL_MAX, resolve=USUAL_MAX, ready=ready)
