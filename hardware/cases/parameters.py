"""The cases' parameters: `parameters.toml`, and the edges and holes of the boards.

Size and holes of a board come from its own file in hardware/boards if there is one. Without one,
and for values that such a file lacks (the height of its parts), the parameters count.
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BOARDS = HERE.parent / "boards"
FILE = HERE / "parameters.toml"


@dataclass(frozen=True)
class Board:
    """A board as a case sees it: mm, from its upper left corner, y downwards, from above."""

    size: tuple[float, float]
    holes: tuple[tuple[float, float], ...]
    hole: float
    thick: float
    below: float
    above: float
    standoff: float

    def places(self, turned: bool = False) -> list[tuple[float, float]]:
        """Return its holes from the lower left corner of its place, `turned` by 180 degrees."""
        wide, deep = self.size
        return [(wide - x, y) if turned else (x, deep - y) for x, y in self.holes]


class Parameters:
    """A table of the file, its keys as attributes: `parameters.card.tarot.size`."""

    def __init__(self, table: dict[str, Any]) -> None:
        self._table = table

    def __getattr__(self, key: str) -> Any:
        try:
            value = self._table[key]
        except KeyError:
            raise AttributeError(f"parameters.toml has no {key!r} here") from None
        return Parameters(value) if isinstance(value, dict) else value

    def __getitem__(self, key: str) -> Any:
        return getattr(self, key)

    def names(self) -> list[str]:
        """Return the keys, in the file's order."""
        return list(self._table)


def board_file(name: str) -> Path | None:
    """Return the board's own data file in hardware/boards, or None without one."""
    found = sorted(BOARDS.glob(f"{name}*.toml"))
    return found[0] if found else None


def board(parameters: Parameters, name: str) -> Board:
    """Return a board by its name (`seat`, `clock`, `hub`)."""
    table = dict(parameters.board[name]._table)
    path = board_file(name)
    if path is not None:
        table |= outline(tomllib.loads(path.read_text(encoding="utf-8")))
    return Board(
        size=tuple(table["size"]),
        holes=tuple(tuple(hole) for hole in table["holes"]),
        **{key: table[key] for key in ("hole", "thick", "below", "above", "standoff")},
    )


def outline(data: dict[str, Any]) -> dict[str, Any]:
    """Return size and holes from a board's own file: its parts of the kind `hole`."""
    holes = [part["at"][:2] for part in data["part"].values() if part.get("kind") == "hole"]
    return {"size": data["board"]["size"], "holes": holes}


def load(**changes: Any) -> Parameters:
    """Return the parameters; `changes` replace keys of a table: `load(seat={"module":
    "itead"})`."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for name, keys in changes.items():
        table[name] = {**table[name], **keys}
    return Parameters(table)
