"""Documents kept as secrets of records: setups of scenes and stories, sheets of characters."""

from typing import Any

from msgspec import Struct


class Document(Struct, frozen=True, kw_only=True):
    """A secret that its record's ``digest`` commits to, so that it can be opened later."""

    salt: str = ""
    """32 random bytes in hex. Without them, the content could be guessed and checked against the
    digest. Set by the table."""


class SceneSetup(Document, frozen=True):
    """A scene's setup, as the GM prepared it; JSON values for the rules to check."""

    ruleset: str
    game: dict[str, Any]
    story: bool = False
    """Whether it was made from the story's sheets, so that its results go back to them."""
    rulings: int = 1
    """The version of the rulings; set by the table when the scene begins."""


class StorySheets(Document, frozen=True):
    """A story's setup; JSON values for the rules to check."""

    cast: list[dict[str, Any]]
    reserve: list[dict[str, Any]] = []
    """Characters that wait to join, or to replace another."""
    house: dict[str, Any] | None = None
    """The house rules in force."""


class CharacterSheet(Document, frozen=True):
    """The sheet of a character that came into the story; JSON values made by the rules."""

    sheet: dict[str, Any]
