"""Requests to a table that has no hub around it."""

from collections.abc import Callable

from hub.config.command_files import CommandFiles
from hub.kernel.reasons import Reason
from hub.table.inputs import Command, Fact, Input, Request
from hub.table.records import SceneSetup
from hub.table.state import SeatFault

Given = Fact | Command | Request
"""What a test gives a table: a command alone is the GM's."""


def as_input(given: Given) -> Input:
    return Request(given) if isinstance(given, Command) else given


class OneScene(CommandFiles):
    """The hub's files, with this scene; no setup: nobody asks for a scene."""

    def __init__(
        self,
        title: str = "",
        setup: SceneSetup | Callable[[], SceneSetup] | None = None,
        has_picture: Callable[[str], bool] = lambda digest: True,
    ) -> None:
        super().__init__(None, has_picture)
        self._given = title, setup

    def scene(self) -> tuple[str, SceneSetup]:
        title, setup = self._given
        if setup is None:
            raise SeatFault(Reason("no-scene-file"))
        return title, setup() if callable(setup) else setup
