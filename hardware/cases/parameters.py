"""What the cases are made from: `parameters.toml`, and the boards' own edges and holes.

A board that hardware/boards describes is taken from there: its file is the truth for where its
holes are. Until it is there, and for what such a file does not say (how high its parts are), the
parameters count.
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
        """Its holes from the lower left corner of where it lies, `turned` by 180 degrees."""
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
        """The keys, in the file's order."""
        return list(self._table)


def board_file(name: str) -> Path | None:
    """The board's own data under hardware/boards, or None while there is none."""
    found = sorted(BOARDS.glob(f"{name}*.toml"))
    return found[0] if found else None


def board(parameters: Parameters, name: str) -> Board:
    """A board by its name (`seat`, `clock`, `hub`)."""
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
    """Size and holes out of a board's own file: its parts of the kind `hole`."""
    holes = [part["at"][:2] for part in data["part"].values() if part.get("kind") == "hole"]
    return {"size": data["board"]["size"], "holes": holes}


def load(**changes: Any) -> Parameters:
    """The parameters; `changes` replace keys of a table: `load(seat={"module": "itead"})`."""
    table = tomllib.loads(FILE.read_text(encoding="utf-8"))
    for name, keys in changes.items():
        table[name] = {**table[name], **keys}
    return Parameters(table)
