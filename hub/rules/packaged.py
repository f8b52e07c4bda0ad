"""Data that comes with the rules: TOML files that lie in their packages."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from hub.rules.reading import Reader, ScriptError
from hub.rules.toml import FileFault, parse_toml


@contextmanager
def packaged(package: str, name: str) -> Iterator[tuple[Reader, dict[str, Any]]]:
    """A file of a package, to be read in the block: its values, and a reader that notes what is
    wrong with them. Raises :class:`FileFault` with every fault, each with its line."""
    data = files(package).joinpath(name).read_bytes()
    document = parse_toml(f"{package.replace('.', '/')}/{name}", data)
    reader = Reader()
    try:
        yield reader, document.values
        reader.check()
    except ScriptError as error:
        for fault in error.faults:
            document.blame(fault.place, str(fault))
        raise FileFault(document.problems) from None
