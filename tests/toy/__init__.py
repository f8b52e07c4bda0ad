"""A family of rules that comes from no book: a model for new families.

It also proves that a family needs nothing but a package and a line in the registry.
"""

from tests.toy.family import TOY

__all__ = ["TOY"]
