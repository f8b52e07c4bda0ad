"""Builds public views field by field."""

from typing import Any, TypeVar

from msgspec import Struct

ViewT = TypeVar("ViewT", bound=Struct)


def view_of(view: type[ViewT], of: object, **own: Any) -> ViewT:
    """Copy each field of the view from ``of``, except those given in ``own``. Fields that the view
    does not have are never shown."""
    for name in view.__struct_fields__:
        if name not in own:
            own[name] = getattr(of, name)
    return view(**own)
