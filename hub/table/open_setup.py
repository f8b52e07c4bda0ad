"""What a scene began with, where its rules show all of it: for anybody to follow by the log."""

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

MOST_SETUP_BYTES = 48 * 1024
"""Of a scene's setup that stands in its line; the line has room for it."""

SetupText = Annotated[str, Meta(extra_json_schema={"contentMediaType": "application/json"})]


class OpenSetup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The setup of a scene, as the rules read it."""

    game: SetupText
    """A JSON object, without white space. It is text because the order of its keys has a meaning
    (characters around the table), and a line's own keys are sorted."""
    rulings: int
    """By which version of the rulings it is played."""

    def values(self) -> dict[str, Any]:
        """The object. Raises :class:`ValueError` if it is none, or not in its one form."""
        values = msgspec.json.decode(self.game, type=dict[str, Any])
        if _written(values) != self.game:
            raise ValueError("a setup is not in its one form")
        return values


def open_setup(game: Mapping[str, Any], rulings: int) -> OpenSetup:
    """The setup as it stands in a line."""
    return OpenSetup(game=_written(game), rulings=rulings)


def _written(game: Mapping[str, Any]) -> str:
    return msgspec.json.encode(game).decode()
