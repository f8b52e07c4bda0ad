"""Data that comes with the rules: TOML files in their packages."""

from importlib.resources import files

from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml


def packaged(package: str, name: str) -> Document:
    """Read a package's TOML file. Raises :class:`hub.kernel.faults.Faulty`."""
    data = files(package).joinpath(name).read_bytes()
    return parse_toml(f"{package.replace('.', '/')}/{name}", data)
