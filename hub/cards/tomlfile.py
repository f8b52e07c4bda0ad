"""Reading a TOML file that a person wrote, from disk, no further than it may be long."""

from pathlib import Path

from hub.rules.toml import Document, FileFault, Problem, parse_toml


def read_toml(path: Path, most_bytes: int) -> Document:
    """Read a file of at most ``most_bytes``. Raises :class:`FileFault`."""
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:
        reason = f"cannot be read: {getattr(error, 'strerror', error)}"
        raise FileFault([Problem(str(path), 0, reason)]) from None
    if len(data) > most_bytes:
        reason = f"is larger than {most_bytes} bytes; is it the right file?"
        raise FileFault([Problem(str(path), 0, reason)])
    return parse_toml(str(path), data)
