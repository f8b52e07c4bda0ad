"""What a character's portrait is made of. What nobody has chosen follows from the name, and is
drawn by whoever shows it."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct


class Colour(StrEnum):
    """Of a portrait. People who see few colours tell them apart, too: by how bright they are."""

    WHITE = "white"
    YELLOW = "yellow"
    SKY = "sky"
    ORANGE = "orange"
    ROSE = "rose"
    GREEN = "green"
    RED = "red"
    BLUE = "blue"


class Shape(StrEnum):
    """What is drawn in it."""

    TRIANGLE = "triangle"
    DIAMOND = "diamond"
    SQUARE = "square"
    PENTAGON = "pentagon"
    HEXAGON = "hexagon"
    STAR = "star"
    HEART = "heart"
    CIRCLE = "circle"
    SHIELD = "shield"
    CROSS = "cross"
    LEAF = "leaf"


Picture = Annotated[str, Meta(pattern="^[0-9a-f]*$", max_length=64)]
"""SHA-256 (hex) of a picture that the hub keeps; empty: none."""


class Portrait(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a character wants to be shown."""

    colour: Colour | None = None
    """None: by the name, of those that nobody else has."""
    shape: Shape | None = None
    """None: by the name."""
    picture: Picture = ""
    """It is shown in place of the shape."""
