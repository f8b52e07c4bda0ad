"""A scene's public setup, if its rules show all of it, so that the log alone is enough to
follow."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

MOST_SETUP_BYTES = 48 * 1024
"""Longest scene setup that fits its line of the log."""

SetupText = Annotated[str, Meta(extra_json_schema={"contentMediaType": "application/json"})]


class OpenSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The setup of a scene, as the rules read it."""

    game: SetupText
    """A JSON object without white space. It is kept as text because the order of its keys matters
    (characters around the table), whereas a log line sorts its keys."""
    rulings: int
    """The version of the rulings used."""

    def values(self) -> dict[str, Any]:
        """The parsed object. Raises :class:`ValueError` if it is not an object in its canonical
        form."""
        values = msgspec.json.decode(self.game, type=dict[str, Any])
        if _written(values) != self.game:
            raise ValueError("a setup is not in its one form")
        return values


def open_setup(game: Mapping[str, Any], rulings: int) -> OpenSetup:
    """The setup as written in a log line."""
    return OpenSetup(game=_written(game), rulings=rulings)


def _written(game: Mapping[str, Any]) -> str:
    return msgspec.json.encode(game).decode()
