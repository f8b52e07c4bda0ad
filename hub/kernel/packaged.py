"""Data that comes with the rules: TOML files that lie in their packages."""

from importlib.resources import files

from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml


def packaged(package: str, name: str) -> Document:
    """A file of a package. Raises :class:`hub.kernel.faults.Faulty`."""
    data = files(package).joinpath(name).read_bytes()
    return parse_toml(f"{package.replace('.', '/')}/{name}", data)
