"""Documents that lie secret beside a record: what a scene begins with, sheets of characters."""

from typing import Any

from msgspec import Struct


class Document(Struct, frozen=True, kw_only=True):
    """A secret that its record's ``digest`` commits to, so that it can be opened later."""

    salt: str = ""
    """32 random bytes in hex: without them the digest could be tried out. Empty in journals of log
    schema 1."""


class SceneSetup(Document, frozen=True):
    """What a scene begins with, as the GM prepared it; JSON values for the rules to check."""

    ruleset: str
    game: dict[str, Any]
    story: bool = False
    """Whether it was made of the story's sheets, and its end comes back to them."""
    rulings: int = 1
    """By which version of the rulings it is played; the table says so when it begins."""


class StorySheets(Document, frozen=True):
    """What a story begins with; JSON values for the rules to check."""

    cast: list[dict[str, Any]]
    reserve: list[dict[str, Any]] = []
    """Characters that wait to join, or to replace somebody."""
    house: dict[str, Any] | None = None
    """The house rules that it is played by."""


class CharacterSheet(Document, frozen=True):
    """The sheet of somebody who came into the story; JSON values that the rules have made."""

    sheet: dict[str, Any]
