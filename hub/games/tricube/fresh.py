"""What a new player character of a tale begins with, and those that are ready to be taken: for the
page where one is built."""

from typing import Any

from msgspec import Struct

from hub.games.deeds import Told
from hub.games.tricube.rules.character import USUAL_MAX
from hub.games.tricube.sheets import samples
from hub.kernel.documents.toml import parse_toml

_LANGUAGE = "tricube-de-"
"""How the names of samples in German begin; the others are English."""


class Beginning(Struct, frozen=True, kw_only=True):
    """What the book gives a character to begin with."""

    karma: int
    resolve: int
    ready: tuple[dict[str, Any], ...]
    """Characters ready to be taken, with the keys of a character file; and ``language``, in which
    their words are."""


def beginning(state: Told) -> Beginning:
    """The same in every story: this book has no house rules."""
    ready = tuple(
        {
            **parse_toml(name, text.encode()).values,
            "language": "de" if name.startswith(_LANGUAGE) else "en",
        }
        for name, text in samples().items()
    )
    return Beginning(karma=USUAL_MAX, resolve=USUAL_MAX, ready=ready)
