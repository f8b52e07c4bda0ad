"""The files that a command of the table may need: the configured scene, a new character's sheet."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from hub.config.story import load_scene
from hub.games.sheets import sheets_of
from hub.kernel.documents import Document
from hub.kernel.documents.toml import parse_toml
from hub.kernel.faults import Fault, Faulty
from hub.kernel.reasons import Reason
from hub.table.records import SceneSetup
from hub.table.state import SeatFault

_MOST_FAULTS = 16
"""The most faults of a sheet in one reply."""


class CommandFiles:
    """A :class:`hub.table.inputs.Files` that reads a table's files."""

    def __init__(self, scene: Path | None, has_picture: Callable[[str], bool]) -> None:
        """``scene``: the configured scene's file; ``has_picture``: whether the hub has this
        picture."""
        self._scene = scene
        self.has_picture = has_picture

    def scene(self) -> tuple[str, SceneSetup]:
        """The configured scene's title and setup. Raises :class:`SeatFault` if no file is
        configured, or if the file has faults, of which only the number is told."""
        if self._scene is None:
            raise SeatFault(Reason("no-scene-file"))
        try:
            return load_scene(self._scene)
        except Faulty as fault:
            # The reply may go to a broker, and the faults may reveal the GM's characters.
            name, count = self._scene.name, len(fault.faults)
            raise SeatFault(Reason("scene-file-faults", file=name, count=count)) from None

    def sheet(self, ruleset: str, values: Mapping[str, Any], toml: str) -> dict[str, Any]:
        """A character from the text of a character file (``toml``) or, if that is empty, from the
        keys of one (``values``). Raises :class:`SeatFault` with its faults, at most 16 in full."""
        try:
            document = (
                parse_toml("sheet", toml.encode())
                if toml
                else Document({"npc": True, "ruleset": ruleset, **values}, "sheet")
            )
            written = sheets_of(ruleset)
            return written.as_values(written.read_layout(document))
        except Faulty as fault:
            told = [_told(each) for each in fault.faults[:_MOST_FAULTS]]
            if len(fault.faults) > _MOST_FAULTS:
                told.append(Reason("more-faults", more=len(fault.faults) - _MOST_FAULTS))
            raise SeatFault(Reason("cannot-join", why=told)) from None


def _told(found: Fault) -> Reason:
    """A fault in a file, with its line if known."""
    if not found.line:
        return found.said()
    return Reason("at", place=f"{found.file}:{found.line}", why=found.said())
