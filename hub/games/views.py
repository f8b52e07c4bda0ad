"""How views are made: what everybody may see of something, field by field."""

from typing import Any, TypeVar

from msgspec import Struct

ViewT = TypeVar("ViewT", bound=Struct)


def view_of(view: type[ViewT], of: object, **own: Any) -> ViewT:
    """A view of something: each field that the view has, as it stands there under the same name,
    but for its ``own``. What the view does not name is not shown."""
    for name in view.__struct_fields__:
        if name not in own:
            own[name] = getattr(of, name)
    return view(**own)
