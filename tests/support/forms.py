"""Everything that a page's form can send: each of its options, with all else at its default."""

from collections.abc import Iterator
from typing import Any

from hub.kernel.forms import Field, Kind, Option

Said = dict[str, Any]


def said_with(option: Option, at: str) -> Iterator[Said]:
    """Every value of an option, put at its place."""
    for said in _filled(option.fields):
        yield {at: option.value, **said}


def _filled(fields: tuple[Field, ...]) -> Iterator[Said]:
    if not fields:
        yield {}
        return
    field, *others = fields
    for mine in _of(field):
        first = True
        for more in _filled(tuple(others)):
            yield _merged(mine, more)
            if not first:
                break
            first = False


def _of(field: Field) -> Iterator[Said]:
    match field.kind:
        case Kind.ONE:
            for option in field.options:
                for inner in _filled(option.fields):
                    yield _merged(_put(field, option.value), inner)
        case Kind.SEVERAL | Kind.LIST:
            for value in field.options[:3]:
                yield _put(field, [value.value])
            yield _put(field, field.first or [])
        case Kind.FLAG:
            yield _put(field, True)
            yield _put(field, False)
        case Kind.NUMBER:
            for number in {field.first, field.least, field.most}:
                yield _put(field, number)
        case Kind.WORDS:
            yield _put(field, field.first or "x")


def _put(field: Field, value: Any) -> Said:
    said = value
    for key in reversed(field.at):
        said = {key: said}
    return said  # type: ignore[no-any-return]


def _merged(one: Said, other: Said) -> Said:
    both = {**one, **other}
    for key in one.keys() & other.keys():
        both[key] = _merged(one[key], other[key])
    return both
