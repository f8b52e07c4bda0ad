"""A family of rules that no book has: a model for a new one, and the proof that it needs nothing
but a package and a line in the registry."""

from tests.toy.family import TOY

__all__ = ["TOY"]
