"""A character's portrait. Each client draws it; parts not chosen follow from the name."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta, Struct


class Colour(StrEnum):
    """Colours of a portrait, differing in brightness, so colour-blind people can tell them
    apart."""

    WHITE = "white"
    YELLOW = "yellow"
    SKY = "sky"
    ORANGE = "orange"
    ROSE = "rose"
    GREEN = "green"
    RED = "red"
    BLUE = "blue"


class Shape(StrEnum):
    """The sign inside a portrait."""

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
    """The parts of a character's portrait that were chosen."""

    colour: Colour | None = None
    """The colour; None: derived from the name, among the colours not yet taken."""
    shape: Shape | None = None
    """The shape; None: derived from the name."""
    picture: Picture = ""
    """The picture shown instead of the shape."""
